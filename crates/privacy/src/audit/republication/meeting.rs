//! A [`Meeting`] tells which new and old groups show labels that meet: on every column one value may be behind both.
//!
//! On a column that is masked alike that is so if the labels are equal. The old groups are sorted by their labels, so those
//! that begin alike are a range, and a new group goes down column by column into the ranges that it meets:
//!
//! | old: job | sex | | Engineer, `*` goes into |
//! |---|---|---|---|
//! | Cook | F | | |
//! | Professional | F | | Professional, F |
//! | Professional | M | | Professional, M |

use hashbrown::HashMap;
use scumble_table::{ColumnId, Dictionary, Forms, Shown, Table, meeting};

use super::versions::{Masking, Republication};

/// The groups of two versions by the labels that they show.
pub(super) struct Meeting {
    /// The codes of each new group.
    new: Vec<Vec<u32>>,
    /// In the order of their codes.
    old: Vec<OldGroup>,
    /// For each column and code of the new version, the codes of the old one that it meets, ascending.
    met: Vec<Vec<Vec<u32>>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OldGroup {
    codes: Vec<u32>,
    number: usize,
}

impl Meeting {
    /// Groups on some columns, given by a row of each new and each old one, where rows of the new version come first.
    pub(super) fn new(versions: &Republication, columns: &[ColumnId], (new, old): (&[usize], &[usize])) -> Self {
        let old_columns = versions.old_columns(columns);
        let old_group = |(number, row): (usize, &usize)| OldGroup {
            codes: codes(versions.old, &old_columns, row - versions.new.rows()),
            number,
        };
        let mut old: Vec<OldGroup> = old.iter().enumerate().map(old_group).collect();
        old.sort_unstable();
        Meeting {
            new: new.iter().map(|&row| codes(versions.new, columns, row)).collect(),
            old,
            met: columns
                .iter()
                .zip(&old_columns)
                .map(|(&id, &old)| versions.met(id, old))
                .collect(),
        }
    }

    /// Calls `found` with the place of each old group that a new one meets.
    pub(super) fn for_each_old(&self, new: usize, found: impl FnMut(usize)) {
        let codes = self.new[new].iter().zip(&self.met);
        let met: Vec<&[u32]> = codes.map(|(&code, met)| &met[code as usize][..]).collect();
        for_each_met(&self.old, &met, found);
    }
}

/// Calls `found` with each of the groups whose codes are among `met`, column by column; the groups are in order.
///
/// What is left to look at is kept in a list and not on the stack: a table may have a hundred thousand columns.
fn for_each_met(groups: &[OldGroup], met: &[&[u32]], mut found: impl FnMut(usize)) {
    // Groups that are alike on so many columns, and met on these; those to be looked at first come last.
    let mut open = vec![(groups, 0)];
    while let Some((groups, depth)) = open.pop() {
        let Some(codes) = met.get(depth) else {
            groups.iter().for_each(|group| found(group.number));
            continue;
        };
        let code = |group: &OldGroup| group.codes[depth];
        let first = open.len();
        // Whichever there are fewer of is gone through, the other is searched.
        if groups.len() < codes.len() {
            let alike = groups.chunk_by(|a, b| code(a) == code(b));
            let met = alike.filter(|alike| codes.binary_search(&code(&alike[0])).is_ok());
            open.extend(met.map(|alike| (alike, depth + 1)));
        } else {
            for &wanted in *codes {
                let from = groups.partition_point(|group| code(group) < wanted);
                let alike = groups[from..].partition_point(|group| code(group) == wanted);
                if alike > 0 {
                    open.push((&groups[from..from + alike], depth + 1));
                }
            }
        }
        open[first..].reverse();
    }
}

impl Republication<'_> {
    /// The columns of the old version with the names of some of the new version.
    fn old_columns(&self, columns: &[ColumnId]) -> Vec<ColumnId> {
        let places = self.old.places();
        let old = |id: &ColumnId| {
            let found = places.get(&self.new.column(*id).name[..]);
            *found.expect("a template on a column that the old version lacks is not compared")
        };
        columns.iter().map(old).collect()
    }

    /// For each label of a column, the labels of the old version, in its column, that may be of the same person.
    fn met(&self, id: ColumnId, old: ColumnId) -> Vec<Vec<u32>> {
        let new = self.new.column(id).dictionary();
        let old = self.old.column(old).dictionary();
        match &self.masking[id.0] {
            Masking::Alike => equal(new, old),
            Masking::Differs {
                taxonomy,
                old_recoded,
                new_recoded,
            } => {
                // Whatever two labels might have in common: to see more that meet is to refuse more.
                let shown = |labels, recoded: &bool| Shown {
                    labels,
                    forms: Forms::any(taxonomy.as_deref()),
                    recoded: *recoded,
                };
                meeting(shown(new, new_recoded), shown(old, old_recoded))
            }
            Masking::Untold => unreachable!("a template on a column that does not say what it shows is not compared"),
        }
    }
}

/// For each label of one column, the same label of another, if it is there.
fn equal(these: &Dictionary, others: &Dictionary) -> Vec<Vec<u32>> {
    let codes_of = |labels: &Dictionary| 0..labels.len() as u32;
    let code_of: HashMap<Option<&str>, u32> = codes_of(others).map(|code| (others.value(code), code)).collect();
    let same = |code: u32| code_of.get(&these.value(code)).copied().into_iter().collect();
    codes_of(these).map(same).collect()
}

fn codes(table: &Table, columns: &[ColumnId], row: usize) -> Vec<u32> {
    columns.iter().map(|&id| table.column(id).codes().at(row)).collect()
}
