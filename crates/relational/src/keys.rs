//! Keys become row numbers, once; after that nobody looks at a key again.
//!
//! | courses.scid | | books.scid | row of courses |
//! |---|---|---|---|
//! | SC1 | | SC2 | 2 |
//! | SC2 | | SC1 | 1 |
//!
//! Keys are equal if their texts are, column by column, whatever the columns hold. A key without all its parts is none.

use std::cell::OnceCell;

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_table::{ColumnId, Dictionary, Texts};

use crate::DatabaseError;
use crate::schema::{ForeignKey, Relation};

/// The rows of a relation by their key.
pub(crate) struct Keys<'r, 't> {
    relation: &'r Relation<'t>,
    rows: Rows,
}

/// By the codes of a key.
enum Rows {
    /// Of a key of one column, for each code; `NONE` where there is no row.
    OfCode(Vec<u32>),
    OfCodes(HashMap<Vec<u32>, u32>),
}

/// No row has this number, as rows are counted in 32 bits.
const NONE: u32 = u32::MAX;

impl<'r, 't> Keys<'r, 't> {
    /// Finds rows without a key, and rows with the same.
    pub(crate) fn new(relation: &'r Relation<'t>) -> Result<Self, DatabaseError> {
        let rows = match &relation.key[..] {
            [] => Rows::OfCode(Vec::new()),
            [column] => {
                let column = relation.table.column(*column);
                Rows::OfCode(vec![NONE; column.dictionary().len()])
            }
            _ => Rows::OfCodes(HashMap::with_capacity(relation.table.rows())),
        };
        let mut keys = Keys { relation, rows };
        let count = if relation.key.is_empty() {
            0
        } else {
            relation.table.rows()
        };
        for row in 0..count {
            if let Some(column) = keys.missing(row) {
                return Err(DatabaseError::MissingKey {
                    table: relation.name.clone(),
                    column: relation.column_name(column).to_owned(),
                    row: row + 1,
                });
            }
            if let Some(first) = keys.insert(row) {
                return Err(DatabaseError::DuplicateKey {
                    table: relation.name.clone(),
                    columns: relation.column_names(&relation.key),
                    first: first as usize + 1,
                    row: row + 1,
                });
            }
        }
        Ok(keys)
    }

    /// A column of the key in which a row has nothing.
    fn missing(&self, row: usize) -> Option<ColumnId> {
        let is_missing = |&&column: &&ColumnId| {
            let column = self.relation.table.column(column);
            column.dictionary().missing() == Some(column.codes().at(row))
        };
        self.relation.key.iter().find(is_missing).copied()
    }

    /// Adds a row, and tells the one before it with its key.
    fn insert(&mut self, row: usize) -> Option<u32> {
        let code = |&column: &ColumnId| self.relation.table.column(column).codes().at(row);
        match &mut self.rows {
            Rows::OfCode(rows) => {
                let place = &mut rows[code(&self.relation.key[0]) as usize];
                let before = std::mem::replace(place, row as u32);
                (before != NONE).then_some(before)
            }
            Rows::OfCodes(rows) => rows.insert(self.relation.key.iter().map(code).collect(), row as u32),
        }
    }

    /// For each row of a relation that hangs off this one, the row here that it belongs to.
    pub(crate) fn resolve(&self, child: &Relation, link: &ForeignKey) -> Result<Vec<u32>, DatabaseError> {
        let key = &self.relation.key;
        if link.columns.len() != key.len() || key.is_empty() {
            return Err(DatabaseError::KeyWidth {
                table: child.name.clone(),
                parent: self.relation.name.clone(),
                columns: link.columns.len(),
                key_columns: key.len(),
            });
        }
        let columns: Vec<(ColumnId, ColumnId)> = link.columns.iter().copied().zip(key.iter().copied()).collect();
        let translations: Vec<Vec<Option<u32>>> = columns
            .into_par_iter()
            .map(|(own, theirs)| {
                let (own, theirs) = (child.table.column(own), self.relation.table.column(theirs));
                translate(own.dictionary(), theirs.dictionary())
            })
            .collect();
        let row_of = |row: usize| {
            let parts = link.columns.iter().zip(&translations);
            let mut parts = parts.map(|(&column, codes)| codes[child.table.column(column).codes().at(row) as usize]);
            self.find(&mut parts).ok_or_else(|| DatabaseError::Orphan {
                table: child.name.clone(),
                parent: self.relation.name.clone(),
                columns: child.column_names(&link.columns),
                row: row + 1,
            })
        };
        (0..child.table.rows()).map(row_of).collect()
    }

    /// The row with a key of which all parts are there.
    fn find(&self, parts: &mut impl Iterator<Item = Option<u32>>) -> Option<u32> {
        match &self.rows {
            Rows::OfCode(rows) => parts.next()?.map(|code| rows[code as usize]).filter(|&row| row != NONE),
            Rows::OfCodes(rows) => rows.get(&parts.collect::<Option<Vec<u32>>>()?).copied(),
        }
    }
}

/// For each code of one dictionary, the code of the same text in another.
///
/// Both are nearly always in the same order, and most texts of the one are in the other: the next one is looked for just
/// after the one before it. Only if it is not there, all texts are hashed.
fn translate(from: &Dictionary, to: &Dictionary) -> Vec<Option<u32>> {
    let all: OnceCell<HashMap<&str, u32>> = OnceCell::new();
    let mut next = 0;
    let mut same = |text: &str| {
        let code = find_near(to.texts(), next, text).or_else(|| {
            let all = all.get_or_init(|| to.texts().iter().zip(0..).collect());
            all.get(text).copied()
        });
        next = code.map_or(next, |code| code as usize + 1);
        code
    };
    let mut translate = |code: u32| from.value(code).and_then(&mut same);
    (0..from.len() as u32).map(&mut translate).collect()
}

/// The number of a text, if it is one of the next few.
fn find_near(texts: &Texts, next: usize, text: &str) -> Option<u32> {
    const NEAR: usize = 4;
    let near = next..(next + NEAR).min(texts.len());
    let place = near.into_iter().find(|&number| texts.at(number) == text)?;
    Some(place as u32)
}
