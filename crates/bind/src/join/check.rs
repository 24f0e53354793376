//! What a policy says of earlier releases, checked against their headers.

use std::sync::Arc;

use scumble_policy::Spanned;
use scumble_privacy::THIS;
use scumble_table::{Domain, Taxonomy};

use super::Releases;
use super::forms::include;
use crate::check::no_value;
use scumble_policy::Problems;
use scumble_policy::{
    CellsOf, Counting, EarlierPolicy, Inconsistent, InconsistentCondition, JOIN_WORD, Kind, THIS_WORD, of_release,
    quoted, suggestion,
};

impl Releases<'_> {
    /// Reports everything that does not fit.
    pub fn check(&self, problems: &mut Problems) {
        self.check_covered(problems);
        self.check_joins(problems);
        self.check_taxonomies(problems);
        self.check_cells(problems);
        for condition in self.policy.inconsistent.iter().flat_map(|pair| &pair.conditions) {
            self.check_condition(condition, problems);
        }
        for (key, name) in self.mentions() {
            self.check_mention(key, name, problems);
        }
        self.check_counted(problems);
        self.check_known(problems);
        self.check_secrets(problems);
    }

    fn are_joined(&self) -> bool {
        !self.heads.is_empty()
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.policy
            .earlier
            .iter()
            .map(|release| release.name.get_ref().as_str())
    }

    /// Reports a row budget: a join that does not cover a person says nothing of them.
    fn check_covered(&self, problems: &mut Problems) {
        let Some(first) = self.policy.earlier.first() else {
            return;
        };
        if self.policy.method.rows_suppressed_at_most > 0.0 {
            let message = "a row that is left out would leave the records of earlier releases that match it without a \
                           match, so `rows_suppressed_at_most` does not go with earlier releases";
            let help = "set `rows_suppressed_at_most = 0`".to_owned();
            first.report(first.name.span(), message, Some(help), problems);
        }
    }

    /// Reports releases of one name, releases that nothing joins with this table, and columns in `join` that nothing
    /// matches.
    fn check_joins(&self, problems: &mut Problems) {
        for (number, release, _) in self.earlier() {
            let name = release.name.get_ref();
            let mut report = |message: String, help: &str| {
                release.report(release.name.span(), message, Some(help.to_owned()), problems);
            };
            if self.number(name) != Some(number) {
                let message = format!("there are two earlier releases {}", quoted(name));
                report(message, "give each its own name");
            }
            if !self.meets_this(number, release) {
                let message = format!("release {} shares no column with this table", quoted(name));
                report(message, "name a common column alike in both, or take the release out");
            }
            for column in release.join.iter().flatten() {
                self.check_join_column(number, release, column, problems);
            }
        }
    }

    fn check_join_column(
        &self,
        number: usize,
        release: &EarlierPolicy,
        column: &Spanned<String>,
        problems: &mut Problems,
    ) {
        if let Some((message, help)) = self.lacking(number, column.get_ref()) {
            release.report(column.span(), message, help, problems);
        } else if !self.is_matched(number, column.get_ref()) {
            let name = quoted(column.get_ref());
            let message = format!("no other release has column {name} to match it with");
            let help = Some("take it out of `join`".to_owned());
            release.report(column.span(), message, help, problems);
        }
    }

    /// Whether anything decides which records of this table a release matches.
    fn meets_this(&self, number: usize, release: &EarlierPolicy) -> bool {
        let is_of = |pair: &Inconsistent, name: &str| pair.conditions.iter().any(|of| of.release.get_ref() == name);
        let mut pairs = self.policy.inconsistent.iter();
        self.this.iter().any(|column| self.offers(number, column))
            || pairs.any(|pair| is_of(pair, THIS_WORD) && is_of(pair, release.name.get_ref()))
    }

    /// What to say of a column that an earlier release lacks. Its names are shown only if it shares one with this table:
    /// its first row may be no header, but a person.
    fn lacking(&self, number: usize, column: &str) -> Option<(String, Option<String>)> {
        let names = self.columns(number);
        if names.contains(&column) {
            return None;
        }
        let release = quoted(self.policy.earlier[number - 1].name.get_ref());
        let message = format!("release {release} has no column {}", quoted(column));
        let is_header = names.iter().any(|name| self.is_here.contains(name));
        Some((message, is_header.then(|| suggestion(column, names))))
    }

    /// Reports trees of columns that are not there, or that another release reads with another tree.
    fn check_taxonomies(&self, problems: &mut Problems) {
        for (number, release, _) in self.earlier() {
            for (column, file) in &release.taxonomies {
                let tree = self.taxonomies.of_file(file.get_ref());
                if let Some((message, help)) = self.lacking(number, column.get_ref()) {
                    release.report(column.span(), message, help, problems);
                } else if taxonomy_of(&self.domain(column.get_ref())) != tree {
                    let (column, name) = (quoted(column.get_ref()), quoted(release.name.get_ref()));
                    let message =
                        format!("release {name} and another do not read column {column} with the same taxonomy");
                    let help = "name the same file for all; for a column of this table, in [columns]".to_owned();
                    release.report(file.span(), message, Some(help), problems);
                }
            }
        }
    }

    /// Reports what `cells` says of columns that are not there, and nodes of taxonomies that nobody named.
    fn check_cells(&self, problems: &mut Problems) {
        for (number, release, _) in self.earlier() {
            for (column, _) in release.cells.iter().filter(|_| !release.from_ledger) {
                if let Some((message, help)) = self.lacking(number, column.get_ref()) {
                    release.report(column.span(), message, help, problems);
                }
            }
            for column in self.columns(number) {
                let shows_nodes = self
                    .declared(number, column)
                    .is_some_and(|cells| cells.of == CellsOf::Nodes);
                if shows_nodes && self.is_matched(number, column) && taxonomy_of(&self.domain(column)).is_none() {
                    let (column, name) = (quoted(column), quoted(release.name.get_ref()));
                    let message =
                        format!("column {column} of release {name} shows nodes of a taxonomy, and none is named");
                    let help = "name it in [columns], or leave the column out of `join`".to_owned();
                    release.report(release.name.span(), message, Some(help), problems);
                }
            }
        }
    }

    /// Reports a condition that no record can meet.
    fn check_condition(&self, condition: &InconsistentCondition, problems: &mut Problems) {
        let InconsistentCondition {
            release,
            column,
            within,
        } = condition;
        let known = problems.list().len();
        match self.number(release.get_ref()) {
            None => {
                let message = format!("unknown release {} in [[inconsistent]]", quoted(release.get_ref()));
                let help = suggestion(release.get_ref(), [THIS_WORD].into_iter().chain(self.names()));
                problems.at(release.span(), message, Some(help));
            }
            Some(THIS) if !self.is_here.contains(column.get_ref().as_str()) => {
                let message = format!("this table publishes no column {}", quoted(column.get_ref()));
                let help = suggestion(column.get_ref(), self.this.iter().copied());
                problems.at(column.span(), message, Some(help));
            }
            Some(THIS) => {}
            Some(number) => {
                if let Some((message, help)) = self.lacking(number, column.get_ref()) {
                    problems.at(column.span(), message, help);
                }
            }
        }
        // What is said of a column that is not there is not called wrong as well.
        if problems.list().len() == known {
            self.check_label(column.get_ref(), column.get_ref(), within, problems);
        }
    }

    /// Reports a column of an earlier release that is not there.
    fn check_mention(&self, key: &str, name: &Spanned<String>, problems: &mut Problems) {
        let Some((release, column)) = of_release(name.get_ref()) else {
            return;
        };
        match self.number(release) {
            None | Some(THIS) => {
                let message = format!(
                    "unknown column {} in {}: there is no earlier release {}",
                    quoted(name.get_ref()),
                    quoted(key),
                    quoted(release)
                );
                let help = match self.are_joined() {
                    true => suggestion(release, self.names()),
                    false => "name one in [[earlier]]".to_owned(),
                };
                problems.at(name.span(), message, Some(help));
            }
            Some(number) => {
                if let Some((message, help)) = self.lacking(number, column) {
                    problems.at(name.span(), message, help);
                }
            }
        }
    }

    /// Reports what cannot be counted without an earlier release.
    fn check_counted(&self, problems: &mut Problems) {
        for require in &self.policy.require {
            let Kind::Anonymity { per, .. } = &require.get_ref().kind else {
                continue;
            };
            match per {
                Counting::Join if !self.are_joined() => {
                    let message = "`per = \"join\"` counts matches with earlier releases, and there are none";
                    let help = "name one in [[earlier]], or take `per` out".to_owned();
                    problems.at(require.span(), message, Some(help));
                }
                Counting::RecordsOf(name) if self.number(name.get_ref()).is_none() => {
                    let message = format!("unknown release {} in `per`", quoted(name.get_ref()));
                    let help = match self.policy.column(name.get_ref()) {
                        Some(_) => "to count the values of a column, put its name in brackets".to_owned(),
                        None => suggestion(name.get_ref(), [THIS_WORD, JOIN_WORD].into_iter().chain(self.names())),
                    };
                    problems.at(name.span(), message, Some(help));
                }
                Counting::Records | Counting::Join | Counting::RecordsOf(_) | Counting::Columns(_) => {}
            }
        }
    }

    /// Reports bounded knowledge of the join, which cannot be counted.
    fn check_known(&self, problems: &mut Problems) {
        for require in &self.policy.require {
            let section = require.get_ref();
            if self.are_joined() && section.of.any.is_some() && section.kind.is_joinable() {
                let message = "`any` cannot be asked of the join with earlier releases";
                problems.at(require.span(), message, Some("write a list of columns".to_owned()));
            }
        }
    }

    /// Reports secrets of earlier releases that their columns cannot hold.
    fn check_secrets(&self, problems: &mut Problems) {
        let listed = self.policy.listed();
        for (name, value) in listed.filter(|(name, _)| self.policy.column(name).is_none()) {
            if let Some((_, column)) = of_release(name) {
                self.check_label(name, column, value, problems);
            }
        }
    }

    /// Reports a word of the policy that is no label of a column, which messages call `name`.
    fn check_label(&self, name: &str, column: &str, word: &Spanned<String>, problems: &mut Problems) {
        let domain = self.domain(column);
        if include(domain.clone().in_words().as_ref(), word.get_ref()) {
            return;
        }
        let help = match taxonomy_of(&domain) {
            Some(tree) => {
                let labels: Vec<&str> = tree.nodes().map(|node| tree.label(node)).collect();
                suggestion(word.get_ref(), labels.iter().copied())
            }
            None => "write a number or an interval, such as \"[20, 40)\"".to_owned(),
        };
        problems.at(word.span(), no_value(name, word.get_ref()), Some(help));
    }
}

fn taxonomy_of(domain: &Domain<Arc<Taxonomy>>) -> Option<&Arc<Taxonomy>> {
    match domain {
        Domain::Nodes(taxonomy) => Some(taxonomy),
        Domain::Words | Domain::Numbers => None,
    }
}
