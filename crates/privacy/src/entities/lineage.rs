//! [`Lineage`]: which row each row belongs to, and so which person.
//!
//! | courses: sid | row of students | | books: scid | row of courses | person |
//! |---|---|---|---|---|---|
//! | S1 | 0 | | SC2 | 1 | 1 |
//! | S2 | 1 | | SC9 | none | nobody |
//!
//! A row whose foreign key leads nowhere belongs to nobody, and so does all that hangs off it. In a release that is a
//! fault; so are keys that are empty or twice there.

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::ColumnId;

use super::fault::{Fault, Faults, Wrong};
use super::keys::{Cells, KeyFault, Keys, NONE};
use crate::database::{OriginalTable, ReleasedDatabase, ReleasedTable, column};

/// Which row each row of some tables belongs to.
#[derive(Clone, Debug)]
pub struct Lineage {
    tables: Vec<Link>,
}

/// One table.
#[derive(Clone, Debug)]
struct Link {
    parent: Option<usize>,
    /// The row of the parent; nothing for persons.
    row_of: Vec<u32>,
    rows: usize,
}

/// What the keys of a table are made of.
struct Linked<'a> {
    rows: usize,
    key: Vec<Cells<'a>>,
    parent: Option<usize>,
    foreign_key: Vec<Cells<'a>>,
}

impl Lineage {
    /// The lineage of a release.
    ///
    /// # Panics
    /// If a table hangs off one that is not before it, or names a column that it has not.
    pub fn of_release(database: &ReleasedDatabase) -> Lineage {
        let tables: Vec<Linked> = database.tables.iter().map(linked).collect();
        Lineage::new(&tables).0
    }

    /// The lineage of the originals of a release.
    ///
    /// # Panics
    /// As [`of_release`](Self::of_release).
    pub fn of_originals(database: &ReleasedDatabase, originals: &[OriginalTable]) -> Lineage {
        let tables = originals.iter().zip(&database.tables);
        let tables = tables.map(|(original, released)| Linked {
            rows: original.table.rows(),
            key: cells_of(original, &original.key),
            parent: released.parent.as_ref().map(|parent| parent.table),
            foreign_key: cells_of(original, &original.foreign_key),
        });
        Lineage::new(&tables.collect::<Vec<_>>()).0
    }

    /// The lineage of a release, with the faults of its keys.
    pub(super) fn checked(
        database: &ReleasedDatabase,
        faults: &mut Faults,
        work: Work,
    ) -> Result<Lineage, Interrupted> {
        work.go_on()?;
        let tables: Vec<Linked> = database.tables.iter().map(linked).collect();
        let (lineage, of_keys) = Lineage::new(&tables);
        let tables = database.tables.iter().zip(&tables);
        for (place, ((table, linked), of_keys)) in tables.zip(of_keys).enumerate() {
            work.go_on()?;
            for (row, fault) in of_keys {
                faults.add(|| Fault::of_row(&table.name, row, key_fault(&fault, &linked.key)));
            }
            lineage.report_orphans(place, database, linked, faults);
        }
        Ok(lineage)
    }

    fn report_orphans(&self, place: usize, database: &ReleasedDatabase, linked: &Linked, faults: &mut Faults) {
        let link = &self.tables[place];
        let Some(parent) = link.parent else { return };
        let rows = link.row_of.iter().enumerate();
        for (row, _) in rows.filter(|&(_, &parent)| parent == NONE) {
            let wrong = || Wrong::NoParent {
                parent: database.tables[parent].name.clone(),
                columns: quoted(&linked.foreign_key),
            };
            faults.add(|| Fault::of_row(&database.tables[place].name, row, wrong()));
        }
    }

    /// Also tells the rows of each table that have no key of their own.
    fn new(tables: &[Linked]) -> (Lineage, Vec<Vec<(usize, KeyFault)>>) {
        let keys = tables.par_iter().map(|table| match &table.key[..] {
            [] => (Keys::new(&[], 0).0, Vec::new()),
            key => Keys::new(key, table.rows),
        });
        let (keys, faults): (Vec<Keys>, Vec<_>) = keys.unzip();
        let link = |(place, table): (usize, &Linked)| {
            assert!(
                table.parent.is_none_or(|parent| parent < place),
                "parents come before their children"
            );
            let row_of = table
                .parent
                .map(|parent| keys[parent].find(&table.foreign_key, table.rows));
            Link {
                parent: table.parent,
                row_of: row_of.unwrap_or_default(),
                rows: table.rows,
            }
        };
        let tables = tables.par_iter().enumerate().map(link).collect();
        (Lineage { tables }, faults)
    }

    /// The place of the table that a table hangs off.
    pub(super) fn parent_of(&self, table: usize) -> Option<usize> {
        self.tables[table].parent
    }

    /// For each row of a table that hangs off another, the row of the other, or [`NONE`].
    pub(super) fn parent_rows(&self, table: usize) -> &[u32] {
        &self.tables[table].row_of
    }

    /// The person that each row of a table belongs to, by their row; `None` for nobody.
    pub fn persons(&self, table: usize) -> Vec<Option<u32>> {
        let persons = self.person_rows(table).into_iter();
        persons
            .map(|person| Some(person).filter(|&person| person != NONE))
            .collect()
    }

    /// The same, with [`NONE`] for nobody.
    pub(super) fn person_rows(&self, table: usize) -> Vec<u32> {
        let rows = 0..self.tables[table].rows as u32;
        rows.into_par_iter().map(|row| self.person(table, row)).collect()
    }

    fn person(&self, mut table: usize, mut row: u32) -> u32 {
        while let (Some(parent), true) = (self.tables[table].parent, row != NONE) {
            row = self.tables[table].row_of[row as usize];
            table = parent;
        }
        row
    }
}

fn cells_of<'a>(original: &OriginalTable<'a>, ids: &[ColumnId]) -> Vec<Cells<'a>> {
    let table = original.table;
    ids.iter().map(|&id| Cells::Original(table.column(id))).collect()
}

fn linked(table: &ReleasedTable) -> Linked<'_> {
    let cells = |ids: &[ColumnId]| {
        let columns = ids.iter().map(|&id| column(&table.release, id));
        columns.map(Cells::Released).collect()
    };
    let parent = table.parent.as_ref();
    Linked {
        rows: table.release.rows(),
        key: cells(&table.key),
        parent: parent.map(|parent| parent.table),
        foreign_key: parent.map_or_else(Vec::new, |parent| cells(&parent.columns)),
    }
}

/// What is wrong with the key of a row.
pub(super) fn key_fault(fault: &KeyFault, key: &[Cells]) -> Wrong {
    match *fault {
        KeyFault::Empty(part) => Wrong::EmptyKey {
            column: key[part].name().to_owned(),
        },
        KeyFault::SameAs(first) => Wrong::SameKey {
            columns: quoted(key),
            first: u64::from(first) + 1,
        },
    }
}

fn quoted(columns: &[Cells]) -> String {
    let names: Vec<String> = columns.iter().map(|cells| format!("`{}`", cells.name())).collect();
    names.join(", ")
}
