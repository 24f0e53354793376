//! What must hold of an agreement beyond what holds of every policy.

use std::ops::Range;

use crate::spanned::Spanned;
use scumble_refine::Weigh;

use super::agreed::Agreement;
use crate::column::{ColumnPolicy, Role};
use crate::method::Approach;
use crate::problems::Problems;
use crate::require::Kind;
use crate::section::Item;
use crate::words::{quoted, suggestion};
use crate::written::relative;

/// Reports everything that is wrong; `method` is what the `[method]` section says.
pub(super) fn check(agreement: &Agreement, method: &[Item], problems: &mut Problems) {
    for column in &agreement.policy.columns {
        agreement.check_column(column, problems);
    }
    agreement.check_idle(problems);
    agreement.check_agreed_taxonomies(problems);
    agreement.check_counting(problems);
    agreement.check_questions(problems);
    agreement.check_method(method, problems);
    agreement.check_by_record(problems);
}

impl Agreement {
    fn check_column(&self, column: &ColumnPolicy, problems: &mut Problems) {
        let name = column.name.get_ref();
        let mut report = |message: String, help: &str| problems.at(column.name.span(), message, Some(help.to_owned()));
        let shown = quoted(name);
        if *name == self.key {
            let message = format!("column {shown} is the key, which every party has and nobody publishes");
            report(message, "take it out of [columns]");
        } else if column.role == Role::Identifier {
            let message = format!("column {shown} is an identifier, so nobody else could recount what is asked of it");
            let help = "take it out of [columns]: what is not listed stays with its party; or publish it, as other";
            report(message, help);
        }
        if column.role != Role::Class && self.owners(name).len() > 1 {
            let message = format!("column {shown} is of several parties, and only the class may be");
            report(message, "name one of them, whose values are then taken");
        }
    }

    /// Reports parties that have no column. Where a party or an owner could not be read, that is the problem.
    fn check_idle(&self, problems: &mut Problems) {
        let is_nameless = self.parties.iter().any(|party| party.name.is_empty());
        if is_nameless || self.owners.is_empty() || self.owners.values().any(Vec::is_empty) {
            return;
        }
        for (number, party) in self.parties.iter().enumerate() {
            if !self.owners.values().any(|owners| owners.contains(&number)) {
                let message = format!("party {} has no column", quoted(&party.name));
                let help = "name it as `party` of a column, or take it out".to_owned();
                problems.at(party.place.clone(), message, Some(help));
            }
        }
    }

    /// Reports taxonomy files that no column has, and those with two hashes.
    fn check_agreed_taxonomies(&self, problems: &mut Problems) {
        let files = self.policy.columns.iter().filter_map(ColumnPolicy::taxonomy);
        let known: Vec<String> = files.map(|file| relative(file.get_ref(), &self.folder)).collect();
        for (number, agreed) in self.agreed_taxonomies.iter().enumerate() {
            let name = agreed.file.get_ref();
            if !known.contains(name) {
                let message = format!("no column has the taxonomy {}", quoted(name));
                let help = suggestion(name, known.iter().map(String::as_str));
                problems.at(agreed.file.span(), message, Some(help));
            }
            if self.agreed_taxonomies[..number]
                .iter()
                .any(|other| other.file == agreed.file)
            {
                let message = format!("the taxonomy {} is twice in [taxonomies]", quoted(name));
                problems.at(agreed.file.span(), message, Some("take out one of them".to_owned()));
            }
        }
    }

    fn check_method(&self, said: &[Item], problems: &mut Problems) {
        let place = |key| said.iter().find(|item| item.key() == key).map(Item::span);
        let mut report = |place: Option<Range<usize>>, message: &str, help: &str| {
            if let Some(place) = place {
                problems.at(place, message, Some(help.to_owned()));
            }
        };
        let method = &self.policy.method;
        if method.approach != Approach::Refine {
            let message = "parties refine together; other methods need the whole table in one place";
            report(place("name"), message, "choose refine");
        }
        if method.rows_suppressed_at_most > 0.0 {
            let message = "leaving out rows would tell each party which of its records stand out by what others have";
            let help = "set `rows_suppressed_at_most = 0`: the search then masks further instead";
            report(place("rows_suppressed_at_most"), message, help);
        }
        if !method.rivals.is_empty() {
            let message = "this objective makes two releases and compares them, and parties would see both";
            report(place("objective"), message, "choose information-gain or gain-only");
        }
        let mut kinds = self.policy.require.iter().map(|section| &section.get_ref().kind);
        if method.weigh == Weigh::All && !kinds.all(Kind::counts_records) {
            let message = "who refines a column cannot weigh what that does to secrets of others";
            let help = "set `weigh = \"records\"`, which is what parties always do";
            report(place("weigh"), message, help);
        }
    }

    /// Reports that values of different parties would stand side by side, unless that is agreed on.
    fn check_by_record(&self, problems: &mut Problems) {
        let columns = self.policy.columns.iter();
        let as_they_are = columns.filter(|column| matches!(column.role, Role::Sensitive | Role::Other));
        let mut owned = as_they_are.filter_map(|column| {
            let party = self.owners(column.name.get_ref()).first()?;
            Some((&column.name, &self.parties[*party].name))
        });
        let first = owned.next();
        let pair = first.and_then(|first| Some((first, owned.find(|other| other.1 != first.1)?)));
        let Some((first, other)) = pair.filter(|_| !self.by_record) else {
            return;
        };
        let whose = |(column, party): (&Spanned<String>, &String)| format!("{} of {party}", quoted(column.get_ref()));
        let message = format!(
            "columns {} and {} are published as they are, so the release pairs their values record by record. Each of \
             these parties then learns the other's value for each of its own records",
            whose(first),
            whose(other)
        );
        let help =
            "set `by_record = true` in [release] if all parties agree to that, or leave such columns to one party";
        problems.at(other.0.span(), message, Some(help.to_owned()));
    }
}
