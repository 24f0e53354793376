//! Keys become row numbers, once; after that nobody looks at a key again.
//!
//! | courses.scid | | books.scid | row of courses |
//! |---|---|---|---|
//! | SC1 | | SC2 | 2 |
//! | SC2 | | SC1 | 1 |
//!
//! Keys are equal if their texts are, column by column, whatever the columns hold. A key without all its parts is none.

use hashbrown::HashMap;
use scumble_table::{ColumnId, Dictionary};

use crate::DatabaseError;
use crate::schema::{ForeignKey, Relation};

/// The rows of a relation by their key, as codes.
pub(crate) struct Keys<'r, 't> {
    relation: &'r Relation<'t>,
    row_of: HashMap<Vec<u32>, u32>,
}

impl<'r, 't> Keys<'r, 't> {
    /// Finds rows without a key, and rows with the same.
    pub(crate) fn new(relation: &'r Relation<'t>) -> Result<Self, DatabaseError> {
        let mut row_of = HashMap::new();
        let rows = if relation.key.is_empty() {
            0
        } else {
            relation.table.rows()
        };
        for row in 0..rows {
            if let Some(&column) = relation.key.iter().find(|&&column| is_missing(relation, column, row)) {
                return Err(DatabaseError::MissingKey {
                    table: relation.name.clone(),
                    column: relation.column_name(column).to_owned(),
                    row: row + 1,
                });
            }
            let code = |&column: &ColumnId| relation.table.column(column).codes().at(row);
            if let Some(first) = row_of.insert(relation.key.iter().map(code).collect(), row as u32) {
                return Err(DatabaseError::DuplicateKey {
                    table: relation.name.clone(),
                    columns: relation.column_names(&relation.key),
                    first: first as usize + 1,
                    row: row + 1,
                });
            }
        }
        Ok(Keys { relation, row_of })
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
        let translations: Vec<Vec<Option<u32>>> = link
            .columns
            .iter()
            .zip(key)
            .map(|(&own, &theirs)| {
                let (own, theirs) = (child.table.column(own), self.relation.table.column(theirs));
                translate(own.dictionary(), theirs.dictionary())
            })
            .collect();
        let row_of = |row: usize| {
            let parts = link.columns.iter().zip(&translations);
            let parts = parts.map(|(&column, codes)| codes[child.table.column(column).codes().at(row) as usize]);
            let key: Option<Vec<u32>> = parts.collect();
            key.and_then(|key| self.row_of.get(&key).copied())
                .ok_or_else(|| DatabaseError::Orphan {
                    table: child.name.clone(),
                    parent: self.relation.name.clone(),
                    columns: child.column_names(&link.columns),
                    row: row + 1,
                })
        };
        (0..child.table.rows()).map(row_of).collect()
    }
}

fn is_missing(relation: &Relation, column: ColumnId, row: usize) -> bool {
    let column = relation.table.column(column);
    column.dictionary().missing() == Some(column.codes().at(row))
}

/// For each code of one dictionary, the code of the same text in another.
fn translate(from: &Dictionary, to: &Dictionary) -> Vec<Option<u32>> {
    let code_of: HashMap<&str, u32> = to.texts().iter().zip(0..).collect();
    let same = |code: u32| from.value(code).and_then(|text| code_of.get(text).copied());
    (0..from.len() as u32).map(same).collect()
}
