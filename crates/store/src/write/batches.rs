//! [`ReleaseBatches`]: a release as record batches in memory, every column as a dictionary of texts.
//!
//! | released CSV | | record batch | |
//! |---|---|---|---|
//! | job | sex | job: `[Engineer, Lawyer]` | sex: `[F]` |
//! | Engineer | F | 0 | 0 |
//! | Lawyer | | 1 | null |
//!
//! Every column has the same type, whatever it shows and however far it is masked, so that the type tells nothing.
//!
//! Invariant: cell for cell the batches are what the CSV file would hold, a missing value being null; and a dictionary has no
//! value that no row shows, so what rows left out would have shown is not there either.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, DictionaryArray, LargeStringArray, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use rayon::prelude::*;

use super::error::WriteError;
use super::formulas::FormulaCells;
use super::rows::{PublishedColumn, Rows};
use crate::Watch;
use crate::formula::as_text;

/// Rows in a batch.
const BATCH: usize = 1 << 16;

/// A table of an audited release, as record batches.
#[derive(Clone, Debug)]
pub struct ReleaseBatches {
    /// The columns, which every batch has: dictionaries of texts, all of which may be null.
    pub schema: SchemaRef,
    /// The rows, in the order in which they would be written; none if there are no rows.
    pub batches: Vec<RecordBatch>,
    /// The cells that a spreadsheet would take for formulas, were the batches written to CSV; none if the release has them
    /// as text.
    pub formulas: Vec<FormulaCells>,
}

pub(super) fn batches(
    rows: &Rows,
    formulas_as_text: bool,
    watch: &dyn Watch,
) -> Result<(SchemaRef, Vec<RecordBatch>), WriteError> {
    let columns = rows.columns().par_iter();
    let columns: Vec<Texts> = columns.map(|column| Texts::new(column, formulas_as_text)).collect();
    let fields: Vec<Field> = columns.iter().map(|column| column.field.clone()).collect();
    let schema = SchemaRef::new(Schema::new(fields));
    let mut batches = Vec::with_capacity(rows.count().div_ceil(BATCH));
    for start in (0..rows.count()).step_by(BATCH) {
        if watch.should_stop() {
            return Err(WriteError::Interrupted);
        }
        let range = start..rows.count().min(start + BATCH);
        let arrays = columns.par_iter().enumerate();
        let arrays = arrays
            .map(|(place, column)| column.array(rows, place, range.clone()))
            .collect();
        let batch = RecordBatch::try_new(SchemaRef::clone(&schema), arrays);
        batches.push(batch.expect("columns are of the schema, and have a value per row"));
    }
    Ok((schema, batches))
}

/// The values of a column, by rank.
struct Texts {
    field: Field,
    values: ArrayRef,
}

impl Texts {
    fn new(column: &PublishedColumn, formulas_as_text: bool) -> Self {
        let text = |text| if formulas_as_text { as_text(text) } else { text.into() };
        let texts = column.values.texts().iter().map(text);
        // An apostrophe may come before each.
        let bytes: usize = column.values.texts().iter().map(|text| text.len() + 1).sum();
        let values: ArrayRef = match i32::try_from(bytes) {
            Ok(_) => Arc::new(StringArray::from_iter_values(texts)),
            Err(_) => Arc::new(LargeStringArray::from_iter_values(texts)),
        };
        let kind = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(values.data_type().clone()));
        Texts {
            field: Field::new(text(column.name), kind, true),
            values,
        }
    }

    /// The values that a range of the rows shows; the missing value has the rank after the last.
    fn array(&self, rows: &Rows, place: usize, range: Range<usize>) -> ArrayRef {
        let mut ranks = Vec::with_capacity(range.len());
        rows.ranks(place, range, |_, rank| {
            ranks.push(((rank as usize) < self.values.len()).then_some(rank));
        });
        let array = DictionaryArray::try_new(UInt32Array::from(ranks), ArrayRef::clone(&self.values));
        Arc::new(array.expect("ranks are below the number of values"))
    }
}
