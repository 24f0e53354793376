//! The tables of a policy, read and bound.

use std::collections::BTreeMap;

use scumble_grouping::Scale;
use scumble_relational::{Database, ForeignKey, Relation, TableId};
use scumble_store::Source;
use scumble_store::Watch;
use scumble_table::Reading;
use scumble_table::{Column, ColumnId, Table};

use super::source::{OpenTable, OpenTables, some_rows};
use crate::error::Error;
use crate::errors::{InputError, PersonsError};
use crate::sets::{may_be_in_a_set, no_set};
use scumble_bind::{Holds, PlannedTable, TableHead, TablesPlan, bind_tables, unite};
use scumble_policy::Problems;
use scumble_policy::{Policy, Taxonomies};

/// The rows of all tables, in the order of the policy.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub tables: Vec<Table>,
    pub lookups: Vec<Table>,
}

/// Reads all tables of a policy, and what it says of them; those that are given by name, wherever it says that they are.
pub(super) fn load(
    policy: &Policy,
    given: &BTreeMap<String, Source>,
    taxonomies: &Taxonomies,
    watch: &dyn Watch,
) -> Result<(TablesPlan, Rows), Error> {
    let open = OpenTables::open(policy, given, watch)?;
    let plan = bind(policy, &open, taxonomies)?;
    let mut tables = Vec::new();
    for ((table, bound), open) in policy.tables().iter().zip(&plan.tables).zip(open.tables) {
        let columns = bound.columns.iter().map(|column| (&column.name, column.reading()));
        let mut read = read(open, &bound.columns.reading(), columns, watch)?;
        unite(&table.columns, &mut read, Holds::Values);
        check_sets(policy, bound, &read)?;
        tables.push(read);
    }
    if tables.first().is_some_and(|persons| persons.rows() == 0) {
        return Err(PersonsError::NoPersons(plan.tables[0].name.clone()).into());
    }
    plan.check_orders(policy, &tables)?;
    let mut lookups = Vec::new();
    for (bound, open) in plan.lookups.iter().zip(open.lookups) {
        let columns = bound.header.iter().map(|name| (name, Reading::Text));
        lookups.push(read(open, &bound.reading, columns, watch)?);
    }
    Ok((plan, Rows { tables, lookups }))
}

/// Binds a policy to tables that are open as far as their headers.
fn bind(policy: &Policy, open: &OpenTables, taxonomies: &Taxonomies) -> Result<TablesPlan, Problems> {
    let heads = |tables: &[OpenTable]| -> Vec<TableHead> { tables.iter().map(OpenTable::head).collect() };
    bind_tables(policy, &heads(&open.tables), &heads(&open.lookups), taxonomies)
}

/// Refuses quasi columns that are shown as sets, and whose values look like sets or cannot be told from their parts.
fn check_sets(policy: &Policy, bound: &PlannedTable, table: &Table) -> Result<(), Error> {
    let mut problems = Problems::new(policy.source());
    let shows_sets = |id: &ColumnId| matches!(bound.scale(*id), Some(Scale::Values { .. } | Scale::Leaves(_)));
    for id in bound.quasi().filter(shows_sets) {
        let texts = table.column(id).dictionary().texts();
        let strange = texts.iter().filter(|text| !may_be_in_a_set(text)).count();
        if strange > 0 {
            let (message, help) = no_set(&format!("{}.{}", bound.name, bound.columns[id.0].name), strange);
            problems.overall(message, Some(help));
        }
    }
    Ok(problems.none_or(())?)
}

/// Reads a table, which may have no rows.
fn read<'n>(
    open: OpenTable,
    reading: &[Reading],
    columns: impl Iterator<Item = (&'n String, Reading<'n>)>,
    watch: &dyn Watch,
) -> Result<Table, Error> {
    let loaded = some_rows(open.opened.read(reading, false, watch))?;
    let table = loaded.map_or_else(|| empty(columns), |loaded| loaded.table);
    match u32::try_from(table.rows()) {
        Ok(_) => Ok(table),
        Err(_) => Err(InputError::TooManyRows(table.rows()).into()),
    }
}

/// A table with these columns and no row.
pub(super) fn empty<'n>(columns: impl Iterator<Item = (&'n String, Reading<'n>)>) -> Table {
    let columns = columns.map(|(name, reading)| Column::from_cells(name, reading.order(), []));
    Table::new(0, columns.collect())
}

/// The tables as one database, after all checks of their keys.
pub(super) fn database<'r>(plan: &'r TablesPlan, rows: &'r Rows) -> Result<Database<'r>, Error> {
    let relation = |(bound, table): (&'r PlannedTable, &'r Table)| Relation {
        name: bound.name.clone(),
        table,
        key: bound.key.clone(),
        foreign_keys: Vec::from_iter(bound.parent.as_ref().map(|(parent, columns)| ForeignKey {
            parent: plan.tables[*parent].name.clone(),
            columns: columns.clone(),
        })),
        quasi: bound.quasi().filter_map(|id| Some((id, bound.scale(id)?))).collect(),
    };
    let relations = plan.tables.iter().zip(&rows.tables).map(relation).collect();
    let database = Database::new(relations)?;
    check_references(plan, rows)?;
    Ok(database)
}

/// For each table of a database its place in the policy.
pub(super) fn places(plan: &TablesPlan, database: &Database) -> Vec<usize> {
    let place = |id: TableId| {
        let found = plan.tables.iter().position(|table| table.name == database.name(id));
        found.expect("the database was made of these tables")
    };
    database.tables().map(place).collect()
}

/// Finds rows that refer to a look-up row that is not there, and look-up rows with the same key.
fn check_references(plan: &TablesPlan, rows: &Rows) -> Result<(), PersonsError> {
    for (lookup, table) in plan.lookups.iter().zip(&rows.lookups) {
        let key = table.column(lookup.key);
        let mut first_row = vec![None; key.dictionary().len()];
        for (row, code) in key.codes().iter().enumerate() {
            if let Some(first) = first_row[code as usize].replace(row) {
                return Err(PersonsError::LookupKeyTwice {
                    lookup: lookup.name.clone(),
                    column: key.name.clone(),
                    first: first + 1,
                    row: row + 1,
                });
            }
        }
    }
    let of_tables = plan.tables.iter().zip(&rows.tables);
    let of_tables = of_tables.map(|(bound, table)| (&bound.name, table, &bound.refers));
    let of_lookups = plan.lookups.iter().zip(&rows.lookups);
    let of_lookups = of_lookups.map(|(bound, table)| (&bound.name, table, &bound.refers));
    for (name, table, refers) in of_tables.chain(of_lookups) {
        for &(column, lookup) in refers {
            check_reference(plan, name, table, column, lookup, rows)?;
        }
    }
    Ok(())
}

fn check_reference(
    plan: &TablesPlan,
    name: &str,
    table: &Table,
    column: ColumnId,
    lookup: usize,
    rows: &Rows,
) -> Result<(), PersonsError> {
    let keys = rows.lookups[lookup].column(plan.lookups[lookup].key);
    let known: std::collections::HashSet<&str> = keys.dictionary().texts().iter().collect();
    let column = table.column(column);
    let texts = column.dictionary().texts();
    let is_lost: Vec<bool> = texts.iter().map(|text| !known.contains(text)).collect();
    let lost = column
        .codes()
        .iter()
        .position(|code| is_lost.get(code as usize) == Some(&true));
    match lost {
        Some(row) => Err(PersonsError::NotInLookup {
            table: name.to_owned(),
            row: row + 1,
            column: column.name.clone(),
            lookup: plan.lookups[lookup].name.clone(),
        }),
        None => Ok(()),
    }
}
