//! Leaving out rows so that a mask chosen beforehand meets the requirement.

use hashbrown::HashSet;
use scumble_privacy::{Requirement, Template};
use scumble_table::{Codes, Collapsed, ColumnId, Mask, Table, Taxonomy, collapse};

use crate::projection::people;

/// The rows in groups that break a template, and those in groups broken by leaving these out, until none is broken:
/// what remains is the largest part of the table that meets the requirement under these masks. `None` for no row.
pub fn rows_to_leave_out(
    table: &Table,
    masks: &[(Mask, Option<&Taxonomy>)],
    requirement: &Requirement,
) -> Option<Vec<bool>> {
    let labels: Vec<Codes> = table
        .columns()
        .iter()
        .zip(masks)
        .map(|(column, (mask, taxonomy))| {
            let (of_code, labels) = mask.labels(column, *taxonomy);
            Codes::collect(labels.len(), column.codes().iter().map(|code| of_code[code as usize]))
        })
        .collect();
    let groupings: Vec<Grouping> = requirement
        .templates
        .iter()
        .map(|Template::Anonymity(template)| {
            let columns: Vec<&Codes> = template.of.iter().map(|&ColumnId(id)| &labels[id]).collect();
            Grouping {
                k: template.k,
                groups: collapse(table.rows(), &columns),
                people: people(table, &template.per),
            }
        })
        .collect();
    let mut out = vec![false; table.rows()];
    while groupings.iter().any(|grouping| grouping.leave_out_broken(&mut out)) {}
    out.contains(&true).then_some(out)
}

/// The groups of one template.
struct Grouping {
    k: u64,
    groups: Collapsed,
    people: Option<Codes>,
}

impl Grouping {
    /// Leaves out the rows of broken groups; whether there were any.
    fn leave_out_broken(&self, out: &mut [bool]) -> bool {
        let mut measures = vec![0u64; self.groups.rows.len()];
        let mut counted = HashSet::new();
        for (row, &group) in self.groups.kind_of.iter().enumerate() {
            let is_new = |people: &Codes| counted.insert((group, people.at(row)));
            if !out[row] && self.people.as_ref().is_none_or(is_new) {
                measures[group as usize] += 1;
            }
        }
        let mut any = false;
        for (out, &group) in out.iter_mut().zip(&self.groups.kind_of) {
            if !*out && measures[group as usize] < self.k {
                *out = true;
                any = true;
            }
        }
        any
    }
}
