//! Masks without what only rows left out would tell.
//!
//! A search looks at all rows, also at those that it then leaves out: it may split an interval at the value of one, disclose
//! it, or go down a branch for it. When it is decided who is left out, every mask is said again as the published rows
//! [justify](scumble_table::Mask::justified) it.
//!
//! Invariant: nothing of a release without rows left out changes.

use rayon::prelude::*;
use scumble_table::{Column, ColumnId, Mask, Origin, Published, with_codes};

use super::decision::Decision;
use super::inputs::RowsInputs;
use super::recoding::Recoding;
use scumble_policy::Approach;

impl Decision {
    /// Says the masks as if rows left out had never been in the table. Masks of another release tell nothing of this one.
    /// Returns whether rows may look alike now that did not before: beside a population bounds are taken out.
    pub(super) fn justify(&mut self, inputs: &RowsInputs) -> bool {
        let RowsInputs {
            policy, plan, table, ..
        } = inputs;
        let people = &inputs.populations;
        let (Some(left_out), Recoding::Masks(masks), false) = (&self.left_out, &mut self.recoding, self.is_taken_over)
        else {
            return false;
        };
        let origin = match policy.method.approach {
            Approach::FullDomain(_) => Origin::Levels,
            Approach::Refine | Approach::Gather(_) | Approach::Anatomy | Approach::Persons(_) => Origin::Values,
        };
        let places = plan.places_among_quasi();
        let columns = masks.par_iter_mut().zip(table.columns()).enumerate();
        let masked = columns.filter(|(_, (mask, _))| **mask != Mask::Exact);
        masked.for_each(|(id, (mask, column))| {
            let published = Published {
                dictionary: column.dictionary(),
                rows: held(column, |row| !left_out[row]),
                is_compared: people.iter().any(|people| people.column(ColumnId(id)).is_some()),
            };
            *mask = mask.justified(
                &published,
                plan.columns[id].taxonomy(),
                places[id].and_then(|_| plan.columns[id].declared_range()),
                origin,
            );
        });
        !people.is_empty()
    }
}

/// For each code of a column, whether one of these rows has it.
fn held(column: &Column, counts: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut held = vec![false; column.dictionary().len()];
    with_codes!(column.codes(), |codes| for (row, &code) in codes.iter().enumerate() {
        held[code as usize] |= counts(row);
    });
    held
}
