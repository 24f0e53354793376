//! Looks: what rows show, with all rows below them, as numbers.
//!
//! Tables are gone through from the last to the first, so that the looks of children are there when those of their
//! parents are made. See the table in [`mod.rs`](super).

use scumble_progress::{Interrupted, Work};
use scumble_table::ColumnId;

use super::keys::{Cells, shown};
use super::lineage::Lineage;
use super::numbers::{number_children, number_pairs};
use crate::database::{ReleasedDatabase, ReleasedTable, column};

/// Why work without a watch comes to its end.
pub(super) const NOBODY_WATCHES: &str = "nobody asks work to stop that nobody watches";

/// The class of each person: the same number exactly if their trees of quasi values are the same, without gaps.
pub fn entity_classes(database: &ReleasedDatabase, lineage: &Lineage) -> Vec<u32> {
    let looks = looks(database, lineage, Work::unwatched()).expect(NOBODY_WATCHES);
    looks.into_iter().next().unwrap_or_default()
}

/// The same on other columns, one list for each table.
pub fn entity_classes_on(database: &ReleasedDatabase, lineage: &Lineage, columns: &[Vec<ColumnId>]) -> Vec<u32> {
    let looks = looks_on(database, lineage, |place| &columns[place], Work::unwatched()).expect(NOBODY_WATCHES);
    looks.into_iter().next().unwrap_or_default()
}

/// The look of each row of each table.
pub(super) fn looks(database: &ReleasedDatabase, lineage: &Lineage, work: Work) -> Result<Vec<Vec<u32>>, Interrupted> {
    looks_on(database, lineage, |place| &database.tables[place].quasi, work)
}

/// The same on the columns that each table, by its place, is looked at by.
fn looks_on<'c>(
    database: &ReleasedDatabase,
    lineage: &Lineage,
    columns: impl Fn(usize) -> &'c Vec<ColumnId>,
    work: Work,
) -> Result<Vec<Vec<u32>>, Interrupted> {
    let tables = database.tables.iter().enumerate();
    let own = tables.map(|(place, table)| own(table, columns(place), work));
    with_children(own.collect::<Result<_, Interrupted>>()?, lineage, work)
}

/// The looks of rows, from what they show by themselves.
fn with_children(mut looks: Vec<Vec<u32>>, lineage: &Lineage, work: Work) -> Result<Vec<Vec<u32>>, Interrupted> {
    for place in (0..looks.len()).rev() {
        let Some(parent) = lineage.parent_of(place) else {
            continue;
        };
        work.go_on()?;
        // All tables that hang off this one come after it, so its looks are whole.
        let children = number_children(lineage.parent_rows(place), &looks[place], looks[parent].len());
        work.go_on()?;
        looks[parent] = number_pairs(&looks[parent], &children);
    }
    Ok(looks)
}

/// What the rows of a table show by themselves.
fn own(table: &ReleasedTable, columns: &[ColumnId], work: Work) -> Result<Vec<u32>, Interrupted> {
    let mut columns = columns.iter().map(|&id| Cells::Released(column(&table.release, id)));
    let nothing = vec![0; table.release.rows()];
    columns.try_fold(nothing, |numbers, cells| {
        work.go_on()?;
        Ok(number_pairs(&numbers, &shown(cells)))
    })
}
