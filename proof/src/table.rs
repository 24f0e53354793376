//! [`Table`]s as text: a header, cells as a file has them, and who each row is about, which no file says.

/// A table as it is written.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Who it is about; the same number in two tables is the same person.
    pub person: usize,
    /// The cells, one per column.
    pub cells: Vec<String>,
}

impl Table {
    /// The table as the text of a file.
    pub fn to_csv(&self) -> String {
        let rows = self.rows.iter().map(|row| &row.cells);
        crate::csv::write([&self.header].into_iter().chain(rows))
    }

    /// The place of a column.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }
}

/// A cell as it is understood: a value, or missing.
pub type Cell = Option<String>;

/// How the cells of a file are understood: `[data]` of a policy.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Whether blanks around a cell are no part of it.
    pub trim: bool,
    /// Texts that mean missing, beside the empty cell.
    pub marks: Vec<String>,
    /// Whether rows that miss a value are left out.
    pub drop: bool,
}

impl Reading {
    /// What a cell says.
    pub fn cell(&self, text: &str) -> Cell {
        let text = if self.trim { text.trim_ascii() } else { text };
        let missing = text.is_empty() || self.marks.iter().any(|mark| mark == text);
        (!missing).then(|| text.to_owned())
    }
}

/// Reads a finite number. Words such as `inf` are none; minus zero is zero.
pub fn number(text: &str) -> Option<f64> {
    let plausible = text
        .chars()
        .all(|letter| letter.is_ascii_digit() || "+-.eE".contains(letter));
    let number: f64 = text.parse().ok().filter(|_| plausible)?;
    number.is_finite().then_some(number + 0.0)
}
