//! What the page shows of the columns of a release, and what is measured of it by the way. Nothing of it is promised.
//!
//! Masking takes the table apart, so what the columns were is counted before. It is kept small: a million different values
//! would take more memory than the rows.

use rayon::prelude::*;
use scumble_table::{Column, ColumnId, Released, Table};

use super::decision::Decision;
use crate::cells::Declared;
use crate::evaluate::loss_of_release;
use crate::evaluation::Lost;
use crate::page::{ColumnPicture, Counted, Pictured};
use scumble_bind::{Plan, PlannedColumn};
use scumble_policy::Role;

/// A column that the page and the measures speak of, as it was before masking.
pub(crate) struct Before {
    id: ColumnId,
    pictured: Pictured,
    /// How often each value occurs; `None` if there are too many.
    counted: Option<Counted>,
}

/// How many different values a column may have to be measured by the way.
const VALUES_AT_MOST: usize = 50_000;

/// The columns before masking.
pub(super) fn before_masking(plan: &Plan, table: &Table) -> Vec<Before> {
    let spoken_of = |column: &PlannedColumn| matches!(column.role, Role::Quasi | Role::Sensitive | Role::Class);
    let columns = plan.columns.par_iter().enumerate();
    let columns = columns.filter(|(_, column)| spoken_of(column));
    let before = |(id, _): (usize, &PlannedColumn)| {
        let counted = Counted::of(table.column(ColumnId(id)));
        Before {
            id: ColumnId(id),
            pictured: counted.pictured(),
            counted: Some(counted).filter(|counted| counted.rows().len() <= VALUES_AT_MOST),
        }
    };
    columns.map(before).collect()
}

/// The same columns as a reader has them.
pub(super) fn after_masking(before: &[Before], release: &Released) -> Table {
    let after = before.par_iter().map(|before| release.columns()[before.id.0].as_read());
    Table::new(release.rows(), after.collect())
}

/// What was lost; `None` if a column has too many different values.
pub(super) fn lost(
    plan: &Plan,
    before: &[Before],
    after: &Table,
    declared: &Declared,
    rows_before: u64,
    groups: u64,
) -> Option<Lost> {
    let counted = before.iter().map(|before| Some((before.id, before.counted.as_ref()?)));
    let counted: Option<Vec<_>> = counted.collect();
    counted.map(|counted| loss_of_release(plan, &counted, rows_before, after, declared, groups))
}

/// The quasi columns, before and after.
pub(super) fn pictures<'p>(
    plan: &'p Plan,
    decision: &'p Decision,
    before: &'p [Before],
    after: &Table,
) -> Vec<ColumnPicture<'p>> {
    let columns = before.par_iter().zip(after.columns());
    let quasi = columns.filter(|(before, _)| plan.columns[before.id.0].role == Role::Quasi);
    let picture = |(before, after): (&'p Before, &Column)| {
        let mask = decision.recoding.mask(before.id);
        ColumnPicture {
            name: &plan.columns[before.id.0].name,
            role: Role::Quasi,
            before: &before.pictured,
            after: Counted::of(after),
            mask,
            taxonomy: plan.columns[before.id.0].taxonomy(),
        }
    };
    quasi.map(picture).collect()
}
