//! [`TextColumns`]: columns of typed values, read as text batch by batch.
//!
//! A file of columns and batches in memory come this way alike, so that the same values are the same cells wherever they
//! were.

mod bytes;
mod decimals;
mod numbers;
mod repeated;
mod spans;
#[cfg(test)]
mod tests;
mod times;
mod typed;
mod writer;

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, cast::AsArray, make_array};
use arrow_schema::{DataType, SchemaRef};

use super::keep::Worker;
use super::limits::{self, TEXT_AT_A_TIME};
use crate::Watch;
use crate::error::{Origin, ReadError};

/// How many rows become text at a time: enough that nothing is lost by it, few enough that texts of numbers stay small.
pub(super) const ROWS_AT_A_TIME: usize = 1 << 15;

/// The kept ones of some columns whose types are known.
pub(super) struct TextColumns<'c> {
    pub origin: &'c Origin,
    pub schema: &'c SchemaRef,
    /// Places in the schema, ascending.
    pub kept: &'c [usize],
}

impl TextColumns<'_> {
    /// Refuses columns that are lists or structures before anything of them is read.
    pub fn check_types(&self) -> Result<(), ReadError> {
        let nested = |column: &&usize| self.schema.field(**column).data_type().is_nested();
        match self.kept.iter().find(nested) {
            Some(&column) => Err(self.column_type(column)),
            None => Ok(()),
        }
    }

    fn column_type(&self, column: usize) -> ReadError {
        let field = self.schema.field(column);
        ReadError::ColumnType {
            origin: self.origin.clone(),
            column: field.name().clone(),
            kind: field.data_type().to_string(),
        }
    }

    /// Keeps the rows of a batch, which has the kept columns alone, so many at a time that their texts fit the memory and
    /// can be numbered.
    pub fn keep(&self, batch: &RecordBatch, worker: &mut Worker, watch: &dyn Watch) -> Result<(), ReadError> {
        let row: u64 = batch.columns().iter().map(|array| longest_text(array)).sum();
        limits::check(self.origin, "bytes in a row", row, TEXT_AT_A_TIME)?;
        let fitting = usize::try_from(TEXT_AT_A_TIME / row.max(1)).unwrap_or(usize::MAX);
        let at_a_time = fitting.clamp(1, ROWS_AT_A_TIME);
        let mut start = 0;
        while start < batch.num_rows() {
            if watch.should_stop() {
                let origin = self.origin.clone();
                return Err(ReadError::Interrupted { origin });
            }
            let mut part = batch.slice(start, at_a_time.min(batch.num_rows() - start));
            while part.num_rows() > 1 && long_bytes(&part) > TEXT_AT_A_TIME {
                part = part.slice(0, part.num_rows() / 2);
            }
            let columns = self.kept.iter().zip(part.columns());
            let texts = columns.map(|(&column, array)| self.texts(column, array));
            worker.push_columns(&texts.collect::<Result<Vec<_>, _>>()?);
            worker.end_rows(part.num_rows())?;
            start += part.num_rows();
        }
        Ok(())
    }

    /// The cells of one column as text.
    fn texts(&self, column: usize, array: &ArrayRef) -> Result<StringArray, ReadError> {
        typed::texts_of(array).ok_or_else(|| self.column_type(column))
    }
}

/// The bytes of the columns that may have more of them than a column of short texts can hold.
fn long_bytes(batch: &RecordBatch) -> u64 {
    let of_column = |array: &ArrayRef| {
        let offsets = match array.data_type() {
            DataType::LargeUtf8 => array.as_string::<i64>().value_offsets(),
            DataType::LargeBinary => array.as_binary::<i64>().value_offsets(),
            _ => return 0,
        };
        let ends = offsets.last().zip(offsets.first());
        ends.map_or(0, |(last, first)| u64::try_from(last - first).unwrap_or(0))
    };
    batch.columns().iter().map(of_column).sum()
}

/// The longest text of an array whose values may each stand in many rows; nothing of one whose bytes are all there.
fn longest_text(array: &dyn Array) -> u64 {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return longest_value(dictionary.values());
    }
    match array.data_type() {
        DataType::RunEndEncoded(..) => {
            let data = array.to_data();
            let values = data.child_data().get(1).map(|values| make_array(values.clone()));
            values.map_or(0, |values| longest_value(&values))
        }
        DataType::Utf8View | DataType::BinaryView => longest_value(array),
        _ => 0,
    }
}

/// The longest value of an array.
fn longest_value(array: &dyn Array) -> u64 {
    fn longest(lengths: impl Iterator<Item = usize>) -> u64 {
        lengths.max().unwrap_or(0) as u64
    }
    match array.data_type() {
        DataType::Utf8 => longest(array.as_string::<i32>().iter().flatten().map(str::len)),
        DataType::LargeUtf8 => longest(array.as_string::<i64>().iter().flatten().map(str::len)),
        DataType::Utf8View => longest(array.as_string_view().iter().flatten().map(str::len)),
        DataType::Binary => longest(array.as_binary::<i32>().iter().flatten().map(<[u8]>::len)),
        DataType::LargeBinary => longest(array.as_binary::<i64>().iter().flatten().map(<[u8]>::len)),
        DataType::BinaryView => longest(array.as_binary_view().iter().flatten().map(<[u8]>::len)),
        DataType::FixedSizeBinary(length) => u64::try_from(*length).unwrap_or(0),
        // Numbers, dates and truth values are short.
        _ => 0,
    }
}
