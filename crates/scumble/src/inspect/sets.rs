//! [`ColumnSets`]: which pairs and triples of quasi columns tell people apart best.
//!
//! All counts are exact. Two facts keep the work small: a row that is alone on two columns is alone on three, so only the
//! others are looked at again; and `n` groups hold at most `n` rows that are alone, so a triple that can make only few
//! groups is not counted at all.

use std::cmp::Reverse;

use scumble_store::Watch;
use scumble_table::{Column, ColumnId, Table};
use serde::Serialize;

use super::groups::{Groups, Partition};
use crate::Error;

/// As many columns as are tried together: 12 make 66 pairs and 220 triples.
const MOST_TRIED: usize = 12;

/// As many pairs, and triples, as are told.
const MOST_TOLD: usize = 5;

/// The sets of quasi columns that tell people apart best.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnSets {
    /// The columns that were tried, those that tell most rows apart first.
    pub tried: Vec<String>,
    /// The quasi columns that were not, to bound the work.
    pub not_tried: Vec<String>,
    /// The pairs that leave most rows alone, best first.
    pub pairs: Vec<ColumnSet>,
    /// The triples that leave most rows alone, best first.
    pub triples: Vec<ColumnSet>,
}

/// Some columns, and the groups of rows that agree on all of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnSet {
    /// Their names.
    pub columns: Vec<String>,
    /// The rows that agree on them.
    pub groups: Groups,
}

/// The best pairs and triples of the quasi columns, given with their own groups.
pub(super) fn column_sets(
    table: &Table,
    mut quasi: Vec<(ColumnId, Groups)>,
    watch: &dyn Watch,
) -> Result<ColumnSets, Error> {
    quasi.sort_by_key(|(_, groups)| Reverse(rank(groups)));
    let quasi: Vec<&Column> = quasi.iter().map(|&(id, _)| table.column(id)).collect();
    let (tried, not_tried) = quasi.split_at(quasi.len().min(MOST_TRIED));
    let (pairs, triples) = best(table.rows(), tried, watch)?;
    Ok(ColumnSets {
        tried: names(tried),
        not_tried: names(not_tried),
        pairs: pairs.0,
        triples: triples.0,
    })
}

fn best(rows: usize, tried: &[&Column], watch: &dyn Watch) -> Result<(Best, Best), Error> {
    let (mut pairs, mut triples) = (Best::default(), Best::default());
    let whole = Partition::whole(rows);
    for (place, &first) in tried.iter().enumerate() {
        let (by_one, _) = whole.split(first);
        let later = &tried[place + 1..];
        for (place, &second) in later.iter().enumerate() {
            let (by_two, groups) = by_one.split(second);
            pairs.offer(&[first, second], groups);
            for &third in &later[place + 1..] {
                if watch.should_stop() {
                    return Err(Error::Interrupted);
                }
                let most = groups.count.saturating_mul(third.dictionary().len());
                if triples.may_take(most.min(rows)) {
                    triples.offer(&[first, second, third], by_two.groups_split_by(third));
                }
            }
        }
    }
    Ok((pairs, triples))
}

/// What makes one set better than another: more rows alone, then more groups.
fn rank(groups: &Groups) -> (usize, usize) {
    (groups.unique_rows, groups.count)
}

/// The best sets so far, best first; of equals, the one met first.
#[derive(Default)]
struct Best(Vec<ColumnSet>);

impl Best {
    /// Whether a set with at most so many groups could be among the best.
    fn may_take(&self, groups: usize) -> bool {
        self.0.len() < MOST_TOLD || self.0.iter().any(|set| rank(&set.groups) < (groups, groups))
    }

    fn offer(&mut self, columns: &[&Column], groups: Groups) {
        let place = self.0.partition_point(|set| rank(&set.groups) >= rank(&groups));
        let columns = names(columns);
        self.0.insert(place, ColumnSet { columns, groups });
        self.0.truncate(MOST_TOLD);
    }
}

fn names(columns: &[&Column]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}
