//! The [`History`] of a plan: its earlier releases, read and checked.

use scumble_policy::Spanned;
use scumble_privacy::{Demand, Earlier, History, JoinDemand, JoinSecrets, Joined, SecretValues, THIS, Template};
use scumble_refine::Operation;
use scumble_table::{ColumnId, Forms, Label, SharedForms, Table, Written};

use super::forms::{in_words, include};
use crate::check::{no_value, rows_without};
use crate::earlier::{PlannedEarlier, PlannedEarlierColumn};
use crate::error::BindError;
use crate::plan::Plan;
use scumble_policy::Problems;
use scumble_policy::{Approach, EarlierPolicy, Policy, quoted};

impl Plan {
    /// The plan beside the tables of its earlier releases, and the join that templates speak of; `rows` has this table.
    /// Templates about a secret of an earlier release learn which of its labels say it.
    ///
    /// # Errors
    /// Labels that are not understood, secrets that a release cannot hold, more matches than can be counted.
    pub fn with_history(
        mut self,
        policy: &Policy,
        rows: usize,
        tables: Vec<Table>,
    ) -> Result<(Plan, History), BindError> {
        let mut problems = Problems::new(policy.source());
        for ((release, planned), table) in policy.earlier.iter().zip(&self.earlier).zip(&tables) {
            planned.check_labels(release, table, &mut problems);
        }
        self.check_secrets(policy, &tables, &mut problems);
        problems.none_or(())?;
        self.check_matches(rows, &tables)?;
        self.find_secrets(&tables);
        let earlier = self.earlier.iter().zip(tables).map(|(planned, table)| Earlier {
            name: planned.name.clone(),
            table,
            recoded: planned.recoded.clone(),
            forms: planned.columns.iter().map(|column| column.forms.clone()).collect(),
        });
        // A group of rows may show `*` for a value that another group shows.
        let is_masked = matches!(policy.method.approach, Approach::Refine | Approach::FullDomain(_));
        let is_suppressed = |id: &&ColumnId| matches!(self.columns[id.0].operation(), Operation::Suppress);
        let recoded = self.quasi.iter().filter(|id| is_masked && is_suppressed(id));
        let history = History {
            earlier: earlier.collect(),
            rules: self.history_rules.clone(),
            recoded: recoded.copied().collect(),
            forms: self.forms_here(),
        };
        Ok((self, history))
    }

    /// What the cells of each column of this table can be. A quasi column that no template names is published as it is.
    fn forms_here(&self) -> Vec<SharedForms> {
        let mut forms = self.forms.clone();
        let named = self.in_templates();
        for quasi in self.quasi.iter().filter(|quasi| !named.contains(quasi)) {
            forms[quasi.0].written = Written::Exact;
        }
        forms
    }

    /// Reports secrets that no label of their release may stand for.
    fn check_secrets(&self, policy: &Policy, tables: &[Table], problems: &mut Problems) {
        for (column, value) in policy.listed() {
            let is_own = policy.column(column).is_some();
            let Some(place) = self.elsewhere(column).filter(|_| !is_own) else {
                continue;
            };
            let table = &tables[place.release - 1];
            let labels = Labelled::new(table, place.column.0, self.earlier_column(place));
            if !labels.any_meets(value) {
                let help = "check the spelling".to_owned();
                problems.at(value.span(), no_value(column, value.get_ref()), Some(help));
            }
        }
    }

    /// Matches are counted in 128 bits.
    fn check_matches(&self, rows: usize, tables: &[Table]) -> Result<(), BindError> {
        let rows = tables.iter().map(Table::rows).chain([rows]);
        let matches = rows.map(|rows| rows as u128).try_fold(1, u128::checked_mul);
        match matches.is_none() && !self.requirement.on_join().is_empty() {
            true => Err(BindError::TooManyMatches(tables.len())),
            false => Ok(()),
        }
    }

    /// Adds to each secret of an earlier release, which is a word of the policy, the labels within it.
    fn find_secrets(&mut self, tables: &[Table]) {
        let Plan {
            requirement, earlier, ..
        } = self;
        for secrets in requirement.templates.iter_mut().flat_map(secrets_of) {
            let JoinSecrets { place, values } = secrets;
            let SecretValues::Sets(sets) = values else { continue };
            if place.release == THIS {
                continue;
            }
            let column = &earlier[place.release - 1].columns[place.column.0];
            let labels = Labelled::new(&tables[place.release - 1], place.column.0, column);
            for set in sets {
                let within = labels.within(&set[0]);
                set.extend(within);
            }
        }
    }
}

impl PlannedEarlier {
    /// Reports columns with labels that are not understood.
    fn check_labels(&self, release: &EarlierPolicy, table: &Table, problems: &mut Problems) {
        for (column, read) in self.columns.iter().zip(table.columns()) {
            let strange = rows_without(read, |text| include(column.forms.as_ref(), text));
            let Some(first) = strange.first() else { continue };
            let message = format!(
                "column {} of release {} holds something else than {} (row {})",
                quoted(&column.name),
                quoted(&self.name),
                in_words(&column.forms.domain),
                first + 1
            );
            let help = "correct the taxonomy or the type of the column".to_owned();
            problems.in_file(release.file.get_ref().display().to_string(), None, message, Some(help));
        }
    }
}

/// A column of an earlier release with what is read of it.
struct Labelled<'a> {
    texts: Vec<&'a str>,
    column: &'a PlannedEarlierColumn,
}

impl<'a> Labelled<'a> {
    fn new(table: &'a Table, place: usize, column: &'a PlannedEarlierColumn) -> Self {
        let texts = table.columns()[place].dictionary().texts();
        Labelled {
            texts: texts.iter().collect(),
            column,
        }
    }

    /// What a label of the column may say. Where nobody declared what its cells are, any form counts: to take more labels
    /// for a secret is to bound more.
    fn parse<'t>(&'t self, text: &'t str) -> Label<'t> {
        let forms = self.column.forms.as_ref();
        let written = if self.column.is_declared {
            forms.written
        } else {
            Written::Any
        };
        Label::parse(Some(text), Forms { written, ..forms })
    }

    /// What a word of the policy says.
    fn parse_word<'t>(&'t self, word: &'t str) -> Label<'t> {
        let forms = self.column.forms.as_ref();
        if self.column.is_declared {
            Label::parse(Some(word), forms.domain.in_words())
        } else {
            self.parse(word)
        }
    }

    fn any_meets(&self, value: &Spanned<String>) -> bool {
        let value = self.parse_word(value.get_ref());
        self.texts.iter().any(|text| self.parse(text).meets(&value))
    }

    /// The labels that say a value or something under it, the value itself aside.
    fn within(&self, value: &str) -> Vec<String> {
        let whole = self.parse_word(value);
        let texts = self.texts.iter().filter(|&&text| text != value);
        let within = texts.filter(|text| self.parse(text).is_within(&whole));
        within.map(|&text| text.to_owned()).collect()
    }
}

fn secrets_of(template: &mut Template) -> &mut [JoinSecrets] {
    match &mut template.demand {
        Demand::Joined(Joined { demand, .. }) => match demand {
            JoinDemand::Confidence { about, .. } => about,
            JoinDemand::Anonymity { .. } => &mut [],
        },
        Demand::Anonymity { .. }
        | Demand::KMap { .. }
        | Demand::Confidence { .. }
        | Demand::Diversity { .. }
        | Demand::Closeness { .. }
        | Demand::DeltaDisclosure { .. }
        | Demand::BetaLikeness { .. }
        | Demand::Personal { .. }
        | Demand::RangeDiversity { .. } => &mut [],
    }
}
