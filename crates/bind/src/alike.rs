//! Values that look alike: united where the policy says so, and told of where it says nothing.
//!
//! Invariant: a file that has a column of the policy is read with the same texts as one, whether it is the data, a
//! population, an earlier release or the release itself.

use scumble_table::{Alike, ColumnId, LookAlikes, Table, ValueOrder};

use crate::plan::Plan;
use crate::warning::PlanWarning;
use scumble_policy::{ColumnKind, ColumnPolicy, Policy, Role};

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Values, as the data and a population do.
    Values,
    /// What a release shows: in quasi columns labels.
    Labels,
}

/// Unites the values of the columns that a policy says it of.
pub fn unite(columns: &[ColumnPolicy], table: &mut Table, holds: Holds) {
    let united = columns
        .iter()
        .filter_map(|column| Some((column, column.alike.filter(|&alike| alike != Alike::Keep)?)));
    let united: Vec<(&ColumnPolicy, Alike)> = united.collect();
    if united.is_empty() {
        return;
    }
    for (column, alike, id) in found(&united, table) {
        let are_labels = holds == Holds::Labels && column.role == Role::Quasi;
        let read = |text: &str| {
            if are_labels {
                alike.label(text)
            } else {
                alike.value(text)
            }
        };
        let united = table.column(id).map_values(ValueOrder::Natural, read);
        *table.column_mut(id) = united;
    }
}

/// The columns that a table has.
fn found<'p>(columns: &[(&'p ColumnPolicy, Alike)], table: &Table) -> Vec<(&'p ColumnPolicy, Alike, ColumnId)> {
    let places = table.places();
    let place = |column: &ColumnPolicy| places.get(column.name.get_ref().as_str()).copied();
    let found = columns
        .iter()
        .filter_map(|&(column, alike)| Some((column, alike, place(column)?)));
    found.collect()
}

/// Tells of columns with values that look alike, of which the policy says nothing. Columns that no template counts by
/// are nobody's cover, so it is all the same what is in them.
pub fn look_alikes(policy: &Policy, plan: &Plan, table: &Table) -> Vec<PlanWarning> {
    let columns = plan.columns.iter().enumerate();
    let counts = |name: &str, role: Role| role != Role::Other || policy.is_counted(name);
    let counted = columns.filter(|(_, column)| counts(&column.name, column.role));
    counted
        .filter_map(|(id, column)| look_alike(&column.name, policy.column(&column.name), table, ColumnId(id)))
        .collect()
}

/// What there is to tell of a column, if anything; messages call it `name`.
pub fn look_alike(name: &str, column: Option<&ColumnPolicy>, table: &Table, id: ColumnId) -> Option<PlanWarning> {
    let is_settled =
        column.is_some_and(|column| column.alike.is_some() || matches!(column.kind, ColumnKind::Continuous { .. }));
    if is_settled {
        return None;
    }
    let found = LookAlikes::among(table.column(id).dictionary().texts());
    (!found.is_none()).then(|| PlanWarning::LookAlike {
        column: name.to_owned(),
        found,
        has_taxonomy: column.is_some_and(|column| column.taxonomy().is_some()),
    })
}
