//! [`Rows`]: what one guard needs of the table, with equal rows collapsed to one weighted row.

use std::borrow::Cow;

use scumble_table::{Codes, Collapsed, Column, ColumnId, Table, collapse, collapse_if_worth};

/// The rows that a guard groups.
#[derive(Debug)]
pub(crate) struct Rows<'t> {
    /// The codes of each of the guard's columns.
    pub codes: Vec<Cow<'t, Codes>>,
    /// How many rows of the table each row stands for; `None` if one each.
    pub weights: Option<Vec<u32>>,
    /// Whom each row is about, where different people are counted (`per`).
    pub people: Option<Vec<u32>>,
    /// How many rows there are.
    pub count: usize,
}

/// Which rows of the table became which row of a projection; `None` if each stayed its own.
pub(crate) type KindOf = Option<Vec<u32>>;

impl<'t> Rows<'t> {
    /// The rows of a table on `columns`, collapsed where they also agree on `keep` and on `people`.
    ///
    /// Guards that must speak of the same rows (a row budget with several templates) pass the same `keep`.
    pub fn project(
        table: &'t Table,
        columns: &[ColumnId],
        keep: &[ColumnId],
        people: &[Option<Codes>],
        own_people: Option<&Codes>,
    ) -> (Rows<'t>, KindOf) {
        let key: Vec<&Codes> = keep
            .iter()
            .map(|&id| table.column(id).codes())
            .chain(people.iter().flatten())
            .collect();
        match collapse_if_worth(table.rows(), &key) {
            None => {
                let codes = columns
                    .iter()
                    .map(|&id| Cow::Borrowed(table.column(id).codes()))
                    .collect();
                let people = own_people.map(|people| people.iter().collect());
                (
                    Rows {
                        codes,
                        weights: None,
                        people,
                        count: table.rows(),
                    },
                    None,
                )
            }
            Some(Collapsed { rows, weights, kind_of }) => {
                let pick = |codes: &Codes| rows.iter().map(|&row| codes.at(row as usize)).collect::<Vec<u32>>();
                let narrow = |column: &Column| Codes::collect(column.dictionary().len(), pick(column.codes()));
                let codes = columns.iter().map(|&id| Cow::Owned(narrow(table.column(id)))).collect();
                let people = own_people.map(pick);
                (
                    Rows {
                        codes,
                        weights: Some(weights),
                        people,
                        count: rows.len(),
                    },
                    Some(kind_of),
                )
            }
        }
    }

    /// How many rows of the table one row stands for.
    #[inline]
    pub fn weight(&self, row: u32) -> u32 {
        self.weights.as_ref().map_or(1, |weights| weights[row as usize])
    }

    /// All rows; those about one person stand together.
    pub fn all(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..self.count as u32).collect();
        if let Some(people) = &self.people {
            rows.sort_by_key(|&row| people[row as usize]);
        }
        rows
    }
}

/// A number for each different combination on `per`; `None` if records are counted.
pub(crate) fn people(table: &Table, per: &[ColumnId]) -> Option<Codes> {
    let codes: Vec<&Codes> = per.iter().map(|&id| table.column(id).codes()).collect();
    (!per.is_empty()).then(|| {
        let collapsed = collapse(table.rows(), &codes);
        Codes::collect(collapsed.rows.len(), collapsed.kind_of)
    })
}
