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

use super::{Masking, Republication};

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
        let old_columns: Vec<ColumnId> = columns.iter().map(|&id| versions.old_column(id)).collect();
        let old_group = |(number, row): (usize, &usize)| OldGroup {
            codes: codes(versions.old, &old_columns, row - versions.new.rows()),
            number,
        };
        let mut old: Vec<OldGroup> = old.iter().enumerate().map(old_group).collect();
        old.sort_unstable();
        Meeting {
            new: new.iter().map(|&row| codes(versions.new, columns, row)).collect(),
            old,
            met: columns.iter().map(|&id| versions.met(id)).collect(),
        }
    }

    /// Calls `found` with the place of each old group that a new one meets.
    pub(super) fn for_each_old(&self, new: usize, mut found: impl FnMut(usize)) {
        let codes = self.new[new].iter().zip(&self.met);
        let met: Vec<&[u32]> = codes.map(|(&code, met)| &met[code as usize][..]).collect();
        for_each_met(&self.old, 0, &met, &mut found);
    }
}

/// Calls `found` with each of the groups whose codes are among `met`, column by column. The groups are in order, and alike
/// before column `depth`.
fn for_each_met(groups: &[OldGroup], depth: usize, met: &[&[u32]], found: &mut impl FnMut(usize)) {
    let Some(codes) = met.get(depth) else {
        return groups.iter().for_each(|group| found(group.number));
    };
    let code = |group: &OldGroup| group.codes[depth];
    // Whichever there are fewer of is gone through, the other is searched.
    if groups.len() < codes.len() {
        for alike in groups.chunk_by(|a, b| code(a) == code(b)) {
            if codes.binary_search(&code(&alike[0])).is_ok() {
                for_each_met(alike, depth + 1, met, found);
            }
        }
    } else {
        for &wanted in *codes {
            let from = groups.partition_point(|group| code(group) < wanted);
            let alike = groups[from..].partition_point(|group| code(group) == wanted);
            for_each_met(&groups[from..from + alike], depth + 1, met, found);
        }
    }
}

impl Republication<'_> {
    /// The column of the old version with the name of one of the new version.
    fn old_column(&self, id: ColumnId) -> ColumnId {
        let found = self.old.find(&self.new.column(id).name);
        found.expect("a template on a column that the old version lacks is not compared")
    }

    /// For each label of a column, the labels of the old version that may be of the same person.
    fn met(&self, id: ColumnId) -> Vec<Vec<u32>> {
        let new = self.new.column(id).dictionary();
        let old = self.old.column(self.old_column(id)).dictionary();
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
