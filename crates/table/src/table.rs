//! A [`Table`] is [`Column`]s of equal length.
//!
//! A clone shares the rows of all columns, so a table can be kept and searched again without a second copy of them.

use hashbrown::HashMap;

use crate::Column;

/// Which column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub usize);

/// Columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
}

impl Table {
    /// A table of columns that all have `rows` codes.
    ///
    /// # Panics
    /// If a column is longer or shorter: the caller built them from the same rows.
    pub fn new(rows: usize, columns: Vec<Column>) -> Self {
        assert!(
            columns.iter().all(|c| c.codes().len() == rows),
            "columns of one table have one length"
        );
        Table { columns, rows }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All columns, in file order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns alone.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// One column.
    pub fn column(&self, id: ColumnId) -> &Column {
        &self.columns[id.0]
    }

    /// One column, to be changed.
    pub fn column_mut(&mut self, id: ColumnId) -> &mut Column {
        &mut self.columns[id.0]
    }

    /// The column with this name.
    pub fn find(&self, name: &str) -> Option<ColumnId> {
        self.columns.iter().position(|c| c.name == name).map(ColumnId)
    }

    /// All columns by their names, for whoever looks up many; of two with one name the first, as [`find`](Self::find) does.
    pub fn places(&self) -> HashMap<&str, ColumnId> {
        let mut places = HashMap::with_capacity(self.columns.len());
        for (place, column) in self.columns.iter().enumerate() {
            places.entry(&column.name[..]).or_insert(ColumnId(place));
        }
        places
    }

    /// Keeps the rows for which `keep` is true; values that no row holds any more leave the dictionaries.
    pub fn retain_rows(&mut self, keep: &[bool]) {
        for column in &mut self.columns {
            column.retain_rows(keep);
            column.forget_unused();
        }
        self.rows = keep.iter().filter(|&&k| k).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Codes, ValueOrder};

    fn column(order: ValueOrder, cells: &[Option<&str>]) -> Column {
        Column::from_cells("c", order, cells.iter().copied())
    }

    fn cells(column: &Column) -> Vec<Option<&str>> {
        let codes = column.codes().iter();
        codes.map(|code| column.dictionary().value(code)).collect()
    }

    fn people() -> Table {
        let cells = [Some("9"), None, Some("10"), Some("x")];
        let columns = [ValueOrder::Natural, ValueOrder::AsMet].map(|order| column(order, &cells));
        Table::new(cells.len(), columns.into())
    }

    fn share(a: &Column, b: &Column) -> bool {
        std::ptr::eq(a.dictionary(), b.dictionary()) && std::ptr::eq(a.codes(), b.codes())
    }

    #[test]
    fn a_clone_of_a_table_copies_neither_rows_nor_values() {
        let table = people();
        let clone = table.clone();
        assert!(table.columns().iter().zip(clone.columns()).all(|(a, b)| share(a, b)));
        let picked = table.column(ColumnId(0)).pick(&[3, 2, 1, 0], ValueOrder::Natural);
        assert!(std::ptr::eq(
            picked.dictionary(),
            table.column(ColumnId(0)).dictionary()
        ));
    }

    #[test]
    fn changing_a_clone_leaves_the_table_as_it_was() {
        let table = people();
        let (mut fewer, mut united) = (table.clone(), table.clone());
        fewer.retain_rows(&[true, true, true, false]);
        let mut other = column(ValueOrder::Natural, &[Some("y")]);
        Column::unite(&mut [united.column_mut(ColumnId(0)), &mut other], ValueOrder::Natural);
        assert_eq!(table, people());
        assert_eq!(cells(fewer.column(ColumnId(0))), [Some("9"), None, Some("10")]);
        assert_eq!(fewer.column(ColumnId(0)).dictionary().len(), 3);
        assert_eq!(united.column(ColumnId(0)).dictionary().len(), 5);
        assert!(
            share(united.column(ColumnId(1)), table.column(ColumnId(1))),
            "it was not changed"
        );
    }

    /// Whoever has the only copy pays for no second one.
    #[test]
    fn rows_that_nobody_shares_are_dropped_in_place() {
        let mut table = people();
        let codes: *const Codes = table.column(ColumnId(0)).codes();
        table.columns[0].retain_rows(&[true, false, false, false]);
        assert!(std::ptr::eq(codes, table.column(ColumnId(0)).codes()));
        assert_eq!(cells(table.column(ColumnId(0))), [Some("9")]);
    }
}
