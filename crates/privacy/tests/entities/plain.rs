//! Tables as lists of texts, an empty one where a cell is missing, and what the audit is given for them.

use scumble_privacy::{
    EntityDemand, Faults, Finding, LookupTable, OriginalColumn, OriginalTable, Originals, ParentKey, Reference,
    ReleasedDatabase, ReleasedTable, recount_entities,
};
use scumble_table::{Column, ColumnId, Domain, Forms, Mask, Released, Table, Taxonomy, ValueOrder};

#[derive(Clone, Debug, Default)]
pub struct PlainTable {
    pub name: String,
    pub header: Vec<String>,
    pub key: Vec<usize>,
    /// The parent and the columns with its key.
    pub parent: Option<(usize, Vec<usize>)>,
    pub quasi: Vec<usize>,
    /// The columns that are neither quasi nor key.
    pub others: Vec<usize>,
    /// A column, and the look-up that it refers to.
    pub refers: Vec<(usize, usize)>,
    /// What the other columns hold, if it is numbers.
    pub others_are_numbers: bool,
    pub rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug, Default)]
pub struct Plain {
    pub tables: Vec<PlainTable>,
    /// Each with its key in the first column.
    pub lookups: Vec<PlainTable>,
}

/// Originals of plain tables, with the row of the original of each released row.
#[derive(Clone, Debug)]
pub struct PlainOriginals {
    pub tables: Vec<PlainTable>,
    pub rows: Vec<Vec<u32>>,
}

impl PlainTable {
    /// A table written out, cells apart by blanks and `-` where one is missing.
    pub fn read(name: &str, text: &str) -> PlainTable {
        let mut lines = text.lines().map(|line| {
            let cells = line.split_whitespace();
            cells.map(|cell| if cell == "-" { String::new() } else { cell.to_owned() })
        });
        PlainTable {
            name: name.to_owned(),
            header: lines.next().unwrap().collect(),
            rows: lines.map(Iterator::collect).collect(),
            ..PlainTable::default()
        }
    }

    pub fn table(&self) -> Table {
        let column = |(place, name): (usize, &String)| {
            let cells = self
                .rows
                .iter()
                .map(|row| Some(&row[place][..]).filter(|cell| !cell.is_empty()));
            Column::from_cells(name, ValueOrder::Natural, cells)
        };
        let columns = self.header.iter().enumerate().map(column);
        Table::new(self.rows.len(), columns.collect())
    }

    fn release(&self) -> Released {
        Released::new(self.table(), &vec![(Mask::Exact, None, true); self.header.len()], None)
    }

    /// What the columns hold that are neither quasi nor key.
    fn domain(&self) -> Domain<&'static Taxonomy> {
        if self.others_are_numbers {
            Domain::Numbers
        } else {
            Domain::Words
        }
    }

    fn references(&self) -> Vec<Reference> {
        let reference = |&(column, lookup): &(usize, usize)| Reference {
            column: ColumnId(column),
            lookup,
            forms: if self.quasi.contains(&column) {
                Forms::any(None)
            } else {
                Forms::exact(Domain::Words)
            },
        };
        self.refers.iter().map(reference).collect()
    }
}

fn ids(places: &[usize]) -> Vec<ColumnId> {
    places.iter().copied().map(ColumnId).collect()
}

impl Plain {
    pub fn released(&self) -> ReleasedDatabase {
        let tables = self.tables.iter().map(|table| ReleasedTable {
            name: table.name.clone(),
            release: table.release(),
            key: ids(&table.key),
            parent: table.parent.as_ref().map(|(parent, columns)| ParentKey {
                table: *parent,
                columns: ids(columns),
            }),
            quasi: ids(&table.quasi),
            refers: table.references(),
        });
        let lookups = self.lookups.iter().map(|table| LookupTable {
            name: table.name.clone(),
            release: table.release(),
            key: ColumnId(0),
            refers: table.references(),
        });
        ReleasedDatabase {
            tables: tables.collect(),
            lookups: lookups.collect(),
        }
    }

    pub fn recount(
        &self,
        demands: &[EntityDemand],
        originals: Option<&PlainOriginals>,
        taxonomy: Option<&Taxonomy>,
    ) -> (Vec<Finding>, Faults) {
        let tables = originals.iter().flat_map(|originals| &originals.tables);
        let tables: Vec<(&PlainTable, Table)> = tables.map(|table| (table, table.table())).collect();
        let tables = tables.iter().map(|(plain, table)| {
            let is_key = |place: &usize| !plain.quasi.contains(place) && !plain.others.contains(place);
            let columns = (0..plain.header.len()).map(|place| {
                (!is_key(&place)).then_some(OriginalColumn {
                    id: ColumnId(place),
                    forms: if plain.quasi.contains(&place) {
                        Forms::any(taxonomy)
                    } else {
                        Forms::exact(plain.domain())
                    },
                })
            });
            OriginalTable {
                table,
                key: ids(&plain.key),
                foreign_key: plain.parent.as_ref().map_or_else(Vec::new, |(_, columns)| ids(columns)),
                columns: columns.collect(),
            }
        });
        let tables: Vec<OriginalTable> = tables.collect();
        let originals = originals.map(|originals| Originals {
            tables: &tables,
            rows: &originals.rows,
        });
        recount_entities(&self.released(), demands, originals)
    }
}

pub fn told(faults: &Faults) -> Vec<String> {
    faults.listed().iter().map(ToString::to_string).collect()
}
