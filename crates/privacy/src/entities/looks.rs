//! Looks: what rows show, with all rows below them, as numbers.
//!
//! Tables are gone through from the last to the first, so that the looks of children are there when those of their
//! parents are made. See the table in [`mod.rs`](super).

use scumble_table::ColumnId;

use super::keys::{Cells, shown};
use super::lineage::Lineage;
use super::numbers::{number_children, number_pairs};
use crate::database::{ReleasedDatabase, ReleasedTable, column};

/// The class of each person: the same number exactly if their trees of quasi values are the same, without gaps.
pub fn entity_classes(database: &ReleasedDatabase, lineage: &Lineage) -> Vec<u32> {
    looks(database, lineage).into_iter().next().unwrap_or_default()
}

/// The same on other columns, one list for each table.
pub fn entity_classes_on(database: &ReleasedDatabase, lineage: &Lineage, columns: &[Vec<ColumnId>]) -> Vec<u32> {
    let own = database.tables.iter().zip(columns).map(|(table, ids)| own(table, ids));
    with_children(own.collect(), lineage)
        .into_iter()
        .next()
        .unwrap_or_default()
}

/// The look of each row of each table.
pub(super) fn looks(database: &ReleasedDatabase, lineage: &Lineage) -> Vec<Vec<u32>> {
    let own = database.tables.iter().map(|table| own(table, &table.quasi));
    with_children(own.collect(), lineage)
}

/// The looks of rows, from what they show by themselves.
fn with_children(mut looks: Vec<Vec<u32>>, lineage: &Lineage) -> Vec<Vec<u32>> {
    for place in (0..looks.len()).rev() {
        let Some(parent) = lineage.parent_of(place) else {
            continue;
        };
        // All tables that hang off this one come after it, so its looks are whole.
        let children = number_children(lineage.parent_rows(place), &looks[place], looks[parent].len());
        looks[parent] = number_pairs(&looks[parent], &children);
    }
    looks
}

/// What the rows of a table show by themselves.
fn own(table: &ReleasedTable, columns: &[ColumnId]) -> Vec<u32> {
    let columns = columns.iter().map(|&id| Cells::Released(column(&table.release, id)));
    let nothing = vec![0; table.release.rows()];
    columns.fold(nothing, |numbers, cells| number_pairs(&numbers, &shown(cells)))
}
