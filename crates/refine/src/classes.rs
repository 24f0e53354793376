//! [`ClassCounts`]: how many rows of each class every value of a column has.
//!
//! Kept sparse, because neither the values nor the classes need be few.

use std::ops::Range;

use scumble_table::{Codes, Column, with_codes};

/// Rows per value and class of one column.
#[derive(Debug)]
pub(crate) struct ClassCounts {
    classes: usize,
    /// For each code, where its entries end.
    ends: Vec<usize>,
    /// (class, rows), ascending by class within a code.
    entries: Vec<(u32, u32)>,
    /// Rows with a smaller code, per code, and in all at the end.
    rows_before: Vec<u64>,
}

impl ClassCounts {
    /// Counts a column against the class column; without one, every row is of the same class.
    pub fn new(column: &Column, class: Option<&Column>) -> Self {
        let values = column.dictionary().len();
        let classes = class.map_or(1, |class| class.dictionary().len());
        let mut counts = ClassCounts {
            classes,
            ends: Vec::with_capacity(values),
            entries: Vec::new(),
            rows_before: vec![0],
        };
        let places = values as u64 * classes as u64;
        if places <= 4 * column.codes().len() as u64 + (1 << 16) {
            counts.fill_from_table(&count_dense(
                column.codes(),
                class.map(Column::codes),
                places as usize,
                classes,
            ));
        } else {
            counts.fill_from_sorted(&sorted_pairs(column.codes(), class.map(Column::codes), classes), values);
        }
        counts
    }

    fn fill_from_table(&mut self, table: &[u32]) {
        for of_value in table.chunks_exact(self.classes) {
            let present = of_value.iter().enumerate().filter(|(_, rows)| **rows > 0);
            self.entries.extend(present.map(|(class, &rows)| (class as u32, rows)));
            self.end_value();
        }
    }

    fn fill_from_sorted(&mut self, pairs: &[u64], values: usize) {
        let mut pairs = pairs.chunk_by(|a, b| a == b).peekable();
        for value in 0..values as u64 {
            let classes = self.classes as u64;
            while let Some(equal) = pairs.next_if(|equal| equal[0] / classes == value) {
                self.entries.push(((equal[0] % classes) as u32, equal.len() as u32));
            }
            self.end_value();
        }
    }

    fn end_value(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        let rows: u64 = self.entries[start..].iter().map(|&(_, rows)| u64::from(rows)).sum();
        self.rows_before
            .push(self.rows_before.last().expect("starts with one") + rows);
        self.ends.push(self.entries.len());
    }

    /// The rows of each class that one value has.
    pub fn of(&self, code: u32) -> &[(u32, u32)] {
        self.entries_in(code..code + 1)
    }

    fn entries_in(&self, codes: Range<u32>) -> &[(u32, u32)] {
        let end = |code: u32| if code == 0 { 0 } else { self.ends[code as usize - 1] };
        &self.entries[end(codes.start)..end(codes.end)]
    }

    /// How many rows have one of these values.
    pub fn rows(&self, codes: Range<u32>) -> u64 {
        self.rows_before[codes.end as usize] - self.rows_before[codes.start as usize]
    }

    /// Those of some codes that a row has; a dictionary may hold values of a population too.
    pub fn present(&self, codes: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        codes.filter(|&code| !self.of(code).is_empty())
    }

    /// The rows of each class that have one of these values.
    pub fn in_range(&self, codes: Range<u32>) -> Vec<u64> {
        let mut counts = vec![0; self.classes];
        for &(class, rows) in self.entries_in(codes) {
            counts[class as usize] += u64::from(rows);
        }
        counts
    }
}

fn count_dense(codes: &Codes, class: Option<&Codes>, places: usize, classes: usize) -> Vec<u32> {
    let mut table = vec![0u32; places];
    with_codes!(codes, |codes| match class {
        None => codes.iter().for_each(|&code| table[code as usize] += 1),
        Some(class) => with_codes!(class, |class| for (&code, &class) in codes.iter().zip(class) {
            table[code as usize * classes + class as usize] += 1;
        }),
    });
    table
}

fn sorted_pairs(codes: &Codes, class: Option<&Codes>, classes: usize) -> Vec<u64> {
    let pair =
        |row: usize| u64::from(codes.at(row)) * classes as u64 + class.map_or(0, |class| u64::from(class.at(row)));
    let mut pairs: Vec<u64> = (0..codes.len()).map(pair).collect();
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::ValueOrder;

    #[test]
    fn sparse_and_dense_counting_agree() {
        let cell = |n: u32| Some(if n.is_multiple_of(3) { "a" } else { "b" });
        let cells = |shift: u32| (0..50).map(move |n| cell(n / shift));
        let column = Column::from_cells("v", ValueOrder::Natural, cells(2));
        let class = Column::from_cells("c", ValueOrder::Natural, cells(5));
        let dense = ClassCounts::new(&column, Some(&class));
        let mut sparse = ClassCounts {
            classes: 2,
            ends: vec![],
            entries: vec![],
            rows_before: vec![0],
        };
        sparse.fill_from_sorted(&sorted_pairs(column.codes(), Some(class.codes()), 2), 2);
        assert_eq!(dense.entries, sparse.entries);
        assert_eq!(dense.ends, sparse.ends);
        assert_eq!(dense.in_range(0..2).iter().sum::<u64>(), 50);
        assert_eq!(dense.rows(0..1), sparse.rows(0..1));
    }
}
