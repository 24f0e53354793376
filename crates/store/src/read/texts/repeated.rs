//! Columns whose values are stored once for many rows: the texts of the values, and from there those of the rows.
//!
//! Every value of a dictionary must have a text, also one that no row has. Of runs, only those of the rows that are asked for.

use std::iter::repeat_n;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, StringArray, new_empty_array};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;

use super::bytes;
use super::writer::write_each;

/// How the texts of values are made.
type TextsOf = fn(&dyn Array) -> Option<StringArray>;

/// The texts of rows that say where their value is.
pub(super) fn dictionary(array: &dyn Array, texts_of: TextsOf) -> Option<StringArray> {
    let dictionary = array.as_any_dictionary_opt()?;
    let texts = texts_of(dictionary.values())?;
    if texts.is_empty() {
        return Some(StringArray::new_null(array.len()));
    }
    rows_of(array, &texts, dictionary.normalized_keys())
}

/// The texts of rows that are told by where their value ends.
pub(super) fn runs(array: &dyn Array, texts_of: TextsOf) -> Option<StringArray> {
    let DataType::RunEndEncoded(ends, _) = array.data_type() else {
        return None;
    };
    match ends.data_type() {
        DataType::Int16 => runs_of::<Int16Type>(array, texts_of),
        DataType::Int32 => runs_of::<Int32Type>(array, texts_of),
        DataType::Int64 => runs_of::<Int64Type>(array, texts_of),
        _ => None,
    }
}

fn runs_of<E: RunEndIndexType>(array: &dyn Array, texts_of: TextsOf) -> Option<StringArray> {
    let runs = array.as_run_opt::<E>()?;
    // Of no rows no value is asked, not even those of a dictionary that is all there.
    let values = if runs.is_empty() {
        new_empty_array(runs.values().data_type())
    } else {
        runs.values_slice()
    };
    let texts = match values.data_type() {
        DataType::Binary => bytes::values_alone(values.as_binary::<i32>()),
        DataType::LargeBinary => bytes::values_alone(values.as_binary::<i64>()),
        _ => texts_of(&values),
    }?;
    let mut rows = Vec::with_capacity(array.len());
    for (value, end) in runs.run_ends().sliced_values().enumerate() {
        rows.extend(repeat_n(value, end.as_usize() - rows.len()));
    }
    rows_of(array, &texts, rows)
}

/// The texts of the rows of an array, of which row by row the place among the texts is given.
fn rows_of(array: &dyn Array, texts: &StringArray, places: Vec<usize>) -> Option<StringArray> {
    let nulls = array.logical_nulls();
    write_each(places.into_iter(), nulls.as_ref(), 16, |out, place| {
        out.extend_from_slice(texts.value(place).as_bytes());
        Some(())
    })
}
