//! Small databases at random: one to four tables, which hang together in any way, with quasi columns of every scale.

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use scumble_grouping::Scale;
use scumble_relational::{Database, ForeignKey, Relation};
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Table, Taxonomy, ValueOrder};

/// Eight leaves, branches of different length.
pub const TREE: &str = "a;A;*\nb;A;*\nc;C;B;*\nd;C;B;*\ne;B;*\nf;*\ng;D;*\nh;D;*\n";

/// How the values of a column are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Tree,
    Leaves,
    Numbers,
    Values,
    /// Numbers, most of which are different.
    ManyNumbers,
    /// Values, most of which are different.
    ManyValues,
}

/// A table as plain rows. Its columns are `id`, `of` (the id of the row that it belongs to) and the quasi columns.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub name: String,
    /// The sheet that it hangs off; none for the first.
    pub parent: Option<usize>,
    pub kinds: Vec<Kind>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug)]
pub struct Row {
    /// The row of the parent that it belongs to.
    pub of: usize,
    /// One per quasi column, `None` where missing.
    pub cells: Vec<Option<String>>,
}

impl Sheet {
    /// What tells a row from all others of the database. Not in row order.
    fn id(&self, row: usize) -> String {
        format!("{}-{}", self.name, (row * 7 + 3) % 1009)
    }
}

/// Sheets as the database reads them.
pub struct World {
    pub tree: Taxonomy,
    pub tables: Vec<Table>,
    pub sheets: Vec<Sheet>,
}

impl World {
    pub fn new(sheets: Vec<Sheet>) -> World {
        let tree = parse(TREE, Format::Levels).unwrap();
        let tables = sheets.iter().map(|sheet| table(sheet, &sheets, &tree)).collect();
        World { tree, tables, sheets }
    }

    pub fn database(&self) -> Database<'_> {
        Database::new(self.relations()).unwrap()
    }

    fn relations(&self) -> Vec<Relation<'_>> {
        let relation = |(sheet, table)| self.relation(sheet, table);
        self.sheets.iter().zip(&self.tables).map(relation).collect()
    }

    fn relation<'w>(&'w self, sheet: &Sheet, table: &'w Table) -> Relation<'w> {
        let link = |parent: usize| ForeignKey {
            parent: self.sheets[parent].name.clone(),
            columns: vec![ColumnId(1)],
        };
        let quasi = sheet.kinds.iter().enumerate();
        Relation {
            name: sheet.name.clone(),
            table,
            key: vec![ColumnId(0)],
            foreign_keys: sheet.parent.map(link).into_iter().collect(),
            quasi: quasi
                .map(|(place, &kind)| (ColumnId(2 + place), self.scale(kind)))
                .collect(),
        }
    }

    fn scale(&self, kind: Kind) -> Scale<'_> {
        match kind {
            Kind::Tree => Scale::Tree(&self.tree),
            Kind::Leaves => Scale::Leaves(&self.tree),
            Kind::Numbers | Kind::ManyNumbers => Scale::Numbers { range: None },
            Kind::Values | Kind::ManyValues => Scale::Values { domain: None },
        }
    }
}

fn table(sheet: &Sheet, sheets: &[Sheet], tree: &Taxonomy) -> Table {
    let ids: Vec<String> = (0..sheet.rows.len()).map(|row| sheet.id(row)).collect();
    let of = |row: &Row| sheet.parent.map(|parent| sheets[parent].id(row.of));
    let ofs: Vec<Option<String>> = sheet.rows.iter().map(of).collect();
    let mut columns = vec![
        Column::from_cells("id", ValueOrder::Natural, ids.iter().map(|id| Some(&**id))),
        Column::from_cells("of", ValueOrder::Natural, ofs.iter().map(Option::as_deref)),
    ];
    for (place, kind) in sheet.kinds.iter().enumerate() {
        let order = match kind {
            Kind::Tree | Kind::Leaves => ValueOrder::Taxonomy(tree),
            Kind::Numbers | Kind::ManyNumbers => ValueOrder::Number,
            Kind::Values | Kind::ManyValues => ValueOrder::Natural,
        };
        let cells = sheet.rows.iter().map(|row| row.cells[place].as_deref());
        columns.push(Column::from_cells(&format!("q{place}"), order, cells));
    }
    Table::new(sheet.rows.len(), columns)
}

/// One of few values, so that many are equal; of many where the column is so.
fn cell(kind: Kind, seed: u16) -> Option<String> {
    let of = |values: &[&str]| Some(values[seed as usize % values.len()].to_owned());
    match kind {
        _ if seed < 4096 => None,
        Kind::Tree | Kind::Leaves => of(&["a", "b", "c", "d", "e", "f", "g", "h"]),
        Kind::Numbers => of(&["-1", "0", "0.5", "2", "3.5", "9"]),
        Kind::Values => of(&["w", "x", "y", "z"]),
        Kind::ManyNumbers => Some((seed % 500).to_string()),
        Kind::ManyValues => Some(format!("v{}", seed % 500)),
    }
}

/// What a row is made from: which row it belongs to, and its cells.
type Seed = (Index, [u16; 2]);

fn sheet(name: String, parent: Option<(usize, &Sheet)>, kinds: &[Kind], seeds: &[Seed]) -> Sheet {
    let parents = parent.map_or(1, |(_, sheet)| sheet.rows.len());
    // Nothing hangs off an empty table.
    let seeds = if parents == 0 { &[] } else { seeds };
    let row = |(of, cells): &Seed| Row {
        of: of.index(parents),
        cells: kinds.iter().zip(cells).map(|(&kind, &seed)| cell(kind, seed)).collect(),
    };
    Sheet {
        name,
        parent: parent.map(|(place, _)| place),
        kinds: kinds.to_vec(),
        rows: seeds.iter().map(row).collect(),
    }
}

/// One to four tables with up to 20 rows each.
pub fn sheets() -> impl Strategy<Value = Vec<Sheet>> {
    sheets_of(0..=20, 4)
}

/// One to so many tables with so many rows each.
pub fn sheets_of(rows: RangeInclusive<usize>, tables: usize) -> impl Strategy<Value = Vec<Sheet>> {
    let kinds = vec![
        Kind::Tree,
        Kind::Leaves,
        Kind::Numbers,
        Kind::Values,
        Kind::ManyNumbers,
        Kind::ManyValues,
    ];
    sheets_with(kinds, rows, tables)
}

/// The same, with columns of these kinds.
pub fn sheets_with(kinds: Vec<Kind>, rows: RangeInclusive<usize>, tables: usize) -> impl Strategy<Value = Vec<Sheet>> {
    let kind = prop::sample::select(kinds);
    let seeds = vec(any::<Seed>(), rows);
    vec((any::<Index>(), vec(kind, 0..=2), seeds), 1..=tables).prop_map(|tables| {
        let mut sheets: Vec<Sheet> = Vec::new();
        for (parent, kinds, seeds) in tables {
            let place = (!sheets.is_empty()).then(|| parent.index(sheets.len()));
            let name = format!("t{}", sheets.len());
            let next = sheet(name, place.map(|place| (place, &sheets[place])), &kinds, &seeds);
            sheets.push(next);
        }
        sheets
    })
}
