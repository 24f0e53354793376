//! [`Company`]: the rows that are not alone on some columns, group by group.
//!
//! A row that is alone stays alone whatever column is added, so only rows in company are split further, and the cost of one
//! more column follows them.
//!
//! | rows by `zip` | split by `age` | alone | in company |
//! |---|---|---|---|
//! | a b c | a b, c | c | a b |

use scumble_table::{Column, with_codes};

/// Groups of rows that agree on some columns.
pub(super) struct Company {
    /// The rows, those of one group next to each other.
    rows: Vec<u32>,
    /// Where each group ends.
    ends: Vec<usize>,
}

impl Company {
    /// The whole table as one group, be it of one row: on no column at all nobody is called alone.
    pub(super) fn whole(rows: usize) -> Self {
        Company {
            rows: (0..rows as u32).collect(),
            ends: if rows > 0 { vec![rows] } else { Vec::new() },
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows that are still in company when the values of a column are told apart, too.
    pub(super) fn split(&self, column: &Column) -> Company {
        with_codes!(column.codes(), |codes| self.split_by(codes, column.dictionary().len()))
    }

    /// Calls `found` for each row that is alone as soon as the values of a column are told apart, too.
    pub(super) fn each_alone(&self, column: &Column, found: impl FnMut(u32)) {
        with_codes!(column.codes(), |codes| {
            self.each_alone_by(codes, column.dictionary().len(), found);
        });
    }

    fn split_by<C: Copy + Into<u32>>(&self, codes: &[C], distinct: usize) -> Company {
        let code = |row: u32| codes[row as usize].into() as usize;
        let mut parts = Company {
            rows: Vec::with_capacity(self.rows.len()),
            ends: Vec::new(),
        };
        let mut sizes = vec![0u32; distinct];
        // For each code with a part of its own, where the next row of the part goes.
        let mut next = vec![usize::MAX; distinct];
        for group in self.groups() {
            group.iter().for_each(|&row| sizes[code(row)] += 1);
            for &row in group.iter().filter(|&&row| sizes[code(row)] > 1) {
                let place = &mut next[code(row)];
                if *place == usize::MAX {
                    *place = parts.rows.len();
                    parts.rows.resize(*place + sizes[code(row)] as usize, 0);
                    parts.ends.push(parts.rows.len());
                }
                parts.rows[*place] = row;
                *place += 1;
            }
            // Only what was met is cleared, so a group costs its rows and not the values of the column.
            for &row in group {
                (sizes[code(row)], next[code(row)]) = (0, usize::MAX);
            }
        }
        parts
    }

    fn each_alone_by<C: Copy + Into<u32>>(&self, codes: &[C], distinct: usize, mut found: impl FnMut(u32)) {
        let code = |row: u32| codes[row as usize].into() as usize;
        let mut sizes = vec![0u32; distinct];
        for group in self.groups() {
            group.iter().for_each(|&row| sizes[code(row)] += 1);
            group
                .iter()
                .filter(|&&row| sizes[code(row)] == 1)
                .for_each(|&row| found(row));
            group.iter().for_each(|&row| sizes[code(row)] = 0);
        }
    }

    fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }
}
