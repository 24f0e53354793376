//! Tables of cells, as files and in databases.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use scumble_store::{
    Cells, Connection, ConnectionError, DatabaseSource, FileSource, Loaded, Opened, ReadError, RowsOf, Unwatched,
};
use scumble_table::Reading;
use tempfile::TempDir;

/// Cells, `None` where missing, under the names of their columns.
#[derive(Clone, Debug)]
pub struct Rows {
    pub header: Vec<String>,
    pub rows: Vec<Vec<Option<String>>>,
}

impl Rows {
    pub fn csv(&self) -> String {
        let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let header: Vec<String> = self.header.iter().map(|name| quote(name)).collect();
        let mut lines = header.join(",") + "\n";
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| quote(cell.as_deref().unwrap_or_default()))
                .collect();
            lines += &(cells.join(",") + "\n");
        }
        lines
    }

    /// Statements that make the table `t`, with texts as keys if `key` says so, and fill it in another order.
    pub fn statements(&self, key: &[usize]) -> String {
        let name = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
        let value = |cell: &Option<String>| match cell {
            None => "NULL".to_owned(),
            Some(text) => format!("'{}'", text.replace('\'', "''")),
        };
        let columns: Vec<String> = self.header.iter().map(|column| name(column) + " TEXT").collect();
        let names: Vec<String> = key.iter().map(|&column| name(&self.header[column])).collect();
        let key = match key {
            [] => String::new(),
            _ => format!(", PRIMARY KEY ({})", names.join(", ")),
        };
        let mut statements = format!("CREATE TABLE t ({}{key});\n", columns.join(", "));
        for row in &self.rows {
            let values: Vec<String> = row.iter().map(value).collect();
            statements += &format!("INSERT INTO t VALUES ({});\n", values.join(", "));
        }
        statements
    }
}

/// What must be the same whatever the table is read from: a key, two texts and a number.
#[derive(Clone, Debug)]
pub struct Case {
    pub rows: Rows,
    pub stored: Vec<Vec<Option<String>>>,
    /// The column that is not read.
    pub skip: usize,
    /// Whether the key is read as ids.
    pub ids: bool,
    pub trim: bool,
    pub drop_missing: bool,
}

impl Case {
    pub fn readings<'t>(&self, header: &[String]) -> Vec<Reading<'t>> {
        let reading = |place| match place {
            place if place == self.skip => Reading::Skip,
            0 if self.ids => Reading::Ids,
            3 => Reading::Number { range: None },
            _ => Reading::Text,
        };
        (0..header.len()).map(reading).collect()
    }

    pub fn cells(&self) -> Cells {
        Cells {
            trim: self.trim,
            marks: vec!["?".to_owned()],
            formulas_as_text: false,
        }
    }

    pub fn read_file(&self, folder: &Path) -> Result<Loaded, ReadError> {
        let path = folder.join("t.csv");
        std::fs::write(&path, self.rows.csv()).unwrap();
        let source = FileSource {
            names: None,
            trim: self.trim,
            marks: vec!["?".to_owned()],
            ..FileSource::new(path)
        };
        self.read(source.open(&Unwatched)?)
    }

    pub fn read_database(&self, connection: &Connection, rows: &RowsOf) -> Result<Loaded, ReadError> {
        let source = DatabaseSource {
            connection: connection.clone(),
            rows: rows.clone(),
            cells: self.cells(),
        };
        self.read(source.open(&Unwatched)?)
    }

    fn read(&self, opened: Opened) -> Result<Loaded, ReadError> {
        let readings = self.readings(opened.header());
        opened.read(&readings, self.drop_missing, &Unwatched)
    }

    /// The statements of the table, its rows as they are stored.
    pub fn statements(&self, key: &[usize]) -> String {
        let stored = Rows {
            header: self.rows.header.clone(),
            rows: self.stored.clone(),
        };
        stored.statements(key)
    }
}

/// Tables whose first column is a key in ascending order, as people number, stored in any order.
pub fn any_case() -> impl Strategy<Value = Case> {
    let text = proptest::collection::vec("[a1 ?\"',;é\n-]", 0..4).prop_map(|signs| signs.concat());
    let cell = proptest::option::weighted(0.8, text);
    let number = proptest::option::weighted(0.8, "-?[0-2](\\.[05])?");
    let rows = proptest::collection::vec((cell.clone(), cell, number), 1..14);
    (rows, 0..5usize, any::<[bool; 3]>())
        .prop_map(|(rows, skip, settings)| {
            let row = |(place, (a, b, n))| vec![Some(format!("k{}", place + 1)), a, b, n];
            let rows: Vec<_> = rows.into_iter().enumerate().map(row).collect();
            let rows = Rows {
                header: vec![
                    "key".to_owned(),
                    "a \"b\"".to_owned(),
                    "Select".to_owned(),
                    "n".to_owned(),
                ],
                rows,
            };
            // The key decides the order, so it is read.
            let skip = if skip == 0 { usize::MAX } else { skip };
            (rows, skip, settings)
        })
        .prop_flat_map(|(rows, skip, [ids, trim, drop_missing])| {
            let stored = Just(rows.rows.clone()).prop_shuffle();
            stored.prop_map(move |stored| Case {
                rows: rows.clone(),
                stored,
                skip,
                ids,
                trim,
                drop_missing,
            })
        })
}

/// A SQLite file with what some statements make in it.
pub struct School {
    pub folder: TempDir,
}

impl School {
    pub fn new(statements: &str) -> Self {
        let school = School {
            folder: tempfile::tempdir().unwrap(),
        };
        let connection = rusqlite::Connection::open(school.path()).unwrap();
        // Nothing of it must outlive the test.
        let quickly = "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;";
        connection
            .execute_batch(&format!("{quickly} BEGIN; {statements} COMMIT;"))
            .unwrap();
        school
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("school.sqlite")
    }

    pub fn open(&self) -> Connection {
        opened(Connection::sqlite(self.path())).unwrap()
    }
}

/// A connection that is open.
pub fn opened(connection: Connection) -> Result<Connection, ConnectionError> {
    connection.open()?;
    Ok(connection)
}

pub fn table(name: &str) -> RowsOf {
    RowsOf::Table(name.to_owned())
}

pub fn query(text: &str) -> RowsOf {
    RowsOf::Query(text.to_owned())
}

pub fn source(connection: &Connection, rows: &RowsOf) -> DatabaseSource {
    DatabaseSource {
        connection: connection.clone(),
        rows: rows.clone(),
        cells: Cells::default(),
    }
}

pub fn load(connection: &Connection, rows: &RowsOf) -> Result<Loaded, ReadError> {
    let opened = source(connection, rows).open(&Unwatched)?;
    let as_text = vec![Reading::Text; opened.header().len()];
    opened.read(&as_text, false, &Unwatched)
}

/// The cells of a table, a dash where one is missing, as lines.
pub fn lines(loaded: &Loaded) -> Vec<String> {
    let columns = loaded.table.columns();
    let line = |row: usize| {
        let cell = |column: &scumble_table::Column| {
            column
                .dictionary()
                .value(column.codes().at(row))
                .unwrap_or("-")
                .to_owned()
        };
        columns.iter().map(cell).collect::<Vec<_>>().join(" ")
    };
    (0..loaded.table.rows()).map(line).collect()
}
