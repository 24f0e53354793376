//! A [`Population`]: people that the table may be a sample of.

use scumble_table::{Codes, ColumnId};

/// People that the table may be a sample of, as codes in the dictionaries of the table's columns. These may hold
/// values that no row of the table has.
#[derive(Clone, Debug)]
pub struct Population {
    /// How many people there are.
    pub rows: usize,
    /// The codes of each column that a template groups by.
    pub codes: Vec<(ColumnId, Codes)>,
}

impl Population {
    /// The codes of a column.
    ///
    /// # Panics
    /// If the population has no such column: the caller gave all that templates group by.
    pub fn codes_of(&self, id: ColumnId) -> &Codes {
        let own = self.codes.iter().find(|(own, _)| *own == id);
        own.map(|(_, codes)| codes)
            .expect("a population has the columns that templates group by")
    }
}
