//! A [`Released`] table: what a reader of the release would see, before it is audited and written.

use crate::{Codes, Column, Mask, Table, Taxonomy};

/// A masked table. Rows left out are gone; identifiers are still at hand for counting but are never written.
#[derive(Debug)]
pub struct Released {
    columns: Vec<ReleasedColumn>,
    rows: usize,
}

/// One masked column.
#[derive(Debug)]
pub struct ReleasedColumn {
    /// Its name in the header.
    pub name: String,
    /// Whether it is written; an identifier is only counted (`per`).
    pub published: bool,
    codes: Codes,
    of_code: Vec<u32>,
    labels: Vec<Option<String>>,
}

impl ReleasedColumn {
    /// A column and its mask.
    pub fn new(column: Column, mask: &Mask, taxonomy: Option<&Taxonomy>, published: bool) -> Self {
        let (of_code, labels) = mask.labels(&column, taxonomy);
        let (name, codes) = column.into_codes();
        ReleasedColumn {
            name,
            published,
            codes,
            of_code,
            labels,
        }
    }

    /// The distinct released values, `None` for missing.
    pub fn labels(&self) -> &[Option<String>] {
        &self.labels
    }

    /// For each code of [`codes`](Self::codes), the number of its label.
    pub fn label_of_code(&self) -> &[u32] {
        &self.of_code
    }

    /// One code per row.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The number of the label that a row shows.
    #[inline]
    pub fn label_at(&self, row: usize) -> u32 {
        self.of_code[self.codes.at(row) as usize]
    }
}

impl Released {
    /// Masks a table: one `(mask, taxonomy, published)` per column. `left_out`, if given, marks rows to leave out whole.
    pub fn new(mut table: Table, masks: &[(Mask, Option<&Taxonomy>, bool)], left_out: Option<&[bool]>) -> Released {
        if let Some(left_out) = left_out {
            let keep: Vec<bool> = left_out.iter().map(|out| !out).collect();
            table.retain_rows(&keep);
        }
        let rows = table.rows();
        let columns = table
            .into_columns()
            .into_iter()
            .zip(masks)
            .map(|(column, (mask, taxonomy, published))| ReleasedColumn::new(column, mask, *taxonomy, *published))
            .collect();
        Released { columns, rows }
    }

    /// How many rows are released.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All columns, in file order.
    pub fn columns(&self) -> &[ReleasedColumn] {
        &self.columns
    }
}
