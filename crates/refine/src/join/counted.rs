//! What a template on the join counts: categories of the records of each release, and how they are tallied.

use std::borrow::Cow;

use hashbrown::HashMap;
use scumble_privacy::{History, JoinDemand, JoinSecrets, Joined, Per, Place, SecretValues, THIS};
use scumble_table::{Codes, Column, ColumnId, Table, collapse};

use super::count::{Secrets, Tally};
use super::side::Side;

/// What a template counts.
pub(super) struct Counted<'t> {
    pub tally: Tally,
    /// The category of each row of this table; `None` if it does not matter.
    pub of_this: Option<Cow<'t, Codes>>,
    pub of_this_count: usize,
    /// For each earlier release, the columns that tell categories apart, and the category of each row.
    of_earlier: Vec<(Vec<ColumnId>, Vec<u32>)>,
}

impl<'t> Counted<'t> {
    pub fn new(table: &'t Table, joined: &Joined, history: &History) -> Self {
        let mut counted = Counted {
            tally: Tally::Matches,
            of_this: None,
            of_this_count: 1,
            of_earlier: history.earlier.iter().map(|_| (Vec::new(), Vec::new())).collect(),
        };
        match &joined.demand {
            JoinDemand::Anonymity { per: Per::Join, .. } => {}
            JoinDemand::Anonymity {
                per: Per::Records { release: THIS },
                ..
            } => counted.tally = Tally::OfThis,
            JoinDemand::Anonymity {
                per: Per::Records { release },
                ..
            } => counted.tally = Tally::OfEarlier(release - 1),
            JoinDemand::Anonymity {
                per: Per::Columns(places),
                ..
            } => counted.tell_apart(table, places, history),
            JoinDemand::Confidence { about, .. } => counted.tell_secrets(table, about, history),
        }
        counted
    }

    /// Categories are combinations of labels.
    fn tell_apart(&mut self, table: &Table, places: &[Place], history: &History) {
        let of = |table: &Table, release: usize| {
            let columns = places.iter().filter(|place| place.release == release);
            let columns: Vec<ColumnId> = columns.map(|place| place.column).collect();
            let codes: Vec<&Codes> = columns.iter().map(|&id| table.column(id).codes()).collect();
            let different = collapse(table.rows(), &codes);
            (columns, different)
        };
        let (_, different) = of(table, THIS);
        self.of_this_count = different.rows.len().max(1);
        self.of_this = Some(Cow::Owned(Codes::collect(self.of_this_count, different.kind_of)));
        for (earlier, (release, own)) in history.earlier.iter().zip((1..).zip(&mut self.of_earlier)) {
            let (columns, different) = of(&earlier.table, release);
            *own = (columns, different.kind_of);
        }
        self.tally = Tally::Different {
            of_this: self.of_this_count as u32,
        };
    }

    /// Categories are the sets of secrets that a record has.
    fn tell_secrets(&mut self, table: &Table, about: &[JoinSecrets], history: &History) {
        let mut count = 0;
        let mut of_release = vec![SecretsOf::default(); history.releases()];
        for JoinSecrets { place, values } in about {
            let table = match place.release {
                THIS => table,
                release => &history.earlier[release - 1].table,
            };
            let (secrets, of_label) =
                secrets_of_labels(table.column(place.column), values, |label| history.hides(*place, label));
            of_release[place.release].add(table, place.column, &of_label, count);
            count += secrets;
        }
        let mut of_release = of_release.into_iter();
        let this = of_release.next().expect("this release is the first");
        self.of_this_count = this.sets.len().max(1);
        let of_this = if this.of_row.is_empty() {
            vec![Vec::new()]
        } else {
            this.sets
        };
        self.of_this = (!this.of_row.is_empty()).then(|| Cow::Owned(Codes::collect(self.of_this_count, this.of_row)));
        let mut of_earlier = Vec::new();
        for (own, of) in self.of_earlier.iter_mut().zip(of_release) {
            of_earlier.push(if of.sets.is_empty() { vec![Vec::new()] } else { of.sets });
            *own = (of.columns, of.of_row);
        }
        self.tally = Tally::Shares(Secrets {
            count: count as usize,
            of_this,
            of_earlier,
        });
    }

    /// The earlier release at a place, collapsed to what matters.
    pub fn side(&self, at: usize, joined: &Joined, history: &History) -> Side {
        let of = joined.of.iter().filter(|place| place.release == at + 1);
        let group: Vec<ColumnId> = of.map(|place| place.column).collect();
        let (counted, category_of) = &self.of_earlier[at];
        let category = |row: usize| category_of.get(row).copied().unwrap_or(0);
        Side::new(
            &history.earlier[at].table,
            history.join_columns(at + 1),
            &group,
            counted,
            category,
        )
    }
}

/// The secrets of the records of one release.
#[derive(Clone, Debug, Default)]
struct SecretsOf {
    columns: Vec<ColumnId>,
    /// For each category, the secrets that it has.
    sets: Vec<Vec<u32>>,
    of_row: Vec<u32>,
}

impl SecretsOf {
    /// Adds the secrets of a column, numbered from `first`.
    fn add(&mut self, table: &Table, column: ColumnId, of_label: &[Vec<u32>], first: u32) {
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let before = std::mem::take(&mut self.of_row);
        let category = |(row, label): (usize, u32)| {
            let mut set = before
                .get(row)
                .map_or_else(Vec::new, |&old| self.sets[old as usize].clone());
            set.extend(of_label[label as usize].iter().map(|secret| first + secret));
            *known.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            })
        };
        self.of_row = table.column(column).codes().iter().enumerate().map(category).collect();
        self.sets = sets;
        self.columns.push(column);
    }
}

/// How many secrets there are among the labels of a column, and which of them each label is.
fn secrets_of_labels(
    column: &Column,
    values: &SecretValues,
    hides: impl Fn(Option<&str>) -> bool,
) -> (u32, Vec<Vec<u32>>) {
    let labels = column.dictionary();
    let codes = 0..labels.len() as u32;
    match values {
        // To be sure that somebody is `*` tells nothing of them, where it hides.
        SecretValues::Every => {
            let secret = |code: u32| {
                if hides(labels.value(code)) {
                    Vec::new()
                } else {
                    vec![code]
                }
            };
            (labels.len() as u32, codes.map(secret).collect())
        }
        SecretValues::Sets(sets) => {
            let secrets = |code: u32| {
                let is_in =
                    |set: &Vec<String>| labels.value(code).is_some_and(|text| set.iter().any(|own| own == text));
                let sets = sets.iter().zip(0u32..).filter(|(set, _)| is_in(set));
                sets.map(|(_, number)| number).collect()
            };
            (sets.len() as u32, codes.map(secrets).collect())
        }
    }
}
