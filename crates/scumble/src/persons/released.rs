//! Released tables, and the tables that they are compared with, as the audit sees them.

use scumble_bind::TablesPlan;
use scumble_privacy::{
    LookupTable, OriginalColumn, OriginalTable, ParentKey, Reference, ReleasedDatabase, ReleasedTable,
};
use scumble_table::{ColumnId, Domain, Forms, Mask, Released, SharedForms, Table};

use super::load::Rows;

/// A table as it is published without a mask.
pub(super) fn unchanged(table: Table) -> Released {
    let masks = vec![(Mask::Exact, None, true); table.columns().len()];
    Released::new(table, &masks, None)
}

/// The released tables as the audit sees them.
pub(super) fn released(
    plan: &TablesPlan,
    places: &[usize],
    releases: Vec<Released>,
    lookups: Vec<Released>,
) -> ReleasedDatabase {
    let refers = |refers: &[(ColumnId, usize)], forms: &dyn Fn(ColumnId) -> SharedForms| {
        let reference = |&(column, lookup): &(ColumnId, usize)| Reference {
            column,
            lookup,
            forms: forms(column),
        };
        refers.iter().map(reference).collect()
    };
    let parent = |(parent, columns): &(usize, Vec<ColumnId>)| ParentKey {
        table: places
            .iter()
            .position(|place| place == parent)
            .expect("every table has a place"),
        columns: columns.clone(),
    };
    let tables = places.iter().zip(releases).map(|(&place, release)| {
        let bound = &plan.tables[place];
        ReleasedTable {
            name: bound.name.clone(),
            release,
            key: bound.key.clone(),
            parent: bound.parent.as_ref().map(parent),
            quasi: bound.quasi().collect(),
            refers: refers(&bound.refers, &|column| bound.forms[column.0].clone()),
        }
    });
    let lookups = plan.lookups.iter().zip(lookups);
    let lookups = lookups.map(|(bound, release)| LookupTable {
        name: bound.name.clone(),
        release,
        key: bound.key,
        refers: refers(&bound.refers, &|_| Forms::exact(Domain::Words)),
    });
    ReleasedDatabase {
        tables: tables.collect(),
        lookups: lookups.collect(),
    }
}

/// What the released tables are compared with.
pub(super) fn originals<'d>(plan: &'d TablesPlan, rows: &'d Rows, places: &[usize]) -> Vec<OriginalTable<'d>> {
    let table = |&place: &usize| {
        let bound = &plan.tables[place];
        let columns = bound.forms.iter().enumerate().map(|(place, forms)| {
            let id = ColumnId(place);
            (!bound.is_key(id)).then(|| OriginalColumn {
                id,
                forms: forms.as_ref(),
            })
        });
        OriginalTable {
            table: &rows.tables[place],
            key: bound.key.clone(),
            foreign_key: bound.parent.iter().flat_map(|(_, columns)| columns.clone()).collect(),
            columns: columns.collect(),
        }
    };
    places.iter().map(table).collect()
}
