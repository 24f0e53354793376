//! Parquet: text columns with a dictionary, columns of plain numbers as numbers, a missing value as null.
//!
//! A masked column is always text, so that its type does not depend on how far it was masked. Columns are encoded on
//! all threads, each by one, so the bytes do not depend on how many there are.

use std::{io, ops::Range, sync::Arc};

use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int64Array, LargeStringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowWriterOptions, compute_leaves},
    },
    basic::{Compression, ZstdLevel},
    errors::ParquetError,
    file::properties::WriterProperties,
};
use rayon::prelude::*;
use scumble_progress::{Amount, Counter, Running};
use scumble_table::parse_number;

use super::error::WriteError;
use super::rows::{PublishedColumn, Rows};

/// Rows that are encoded before they are written.
const ROW_GROUP: usize = 1 << 20;

/// Rows handed to the encoder at a time.
const BATCH: usize = 1 << 16;

pub(super) fn write(rows: &Rows, out: impl io::Write + Send, writing: &Running) -> Result<(), WriteError> {
    let columns: Vec<TypedColumn> = rows.columns().par_iter().map(TypedColumn::new).collect();
    let fields: Vec<Field> = columns.iter().map(|column| column.field.clone()).collect();
    let writer = ArrowWriter::try_new_with_options(out, Arc::new(Schema::new(fields)), options())?;
    let (mut file, encoders) = writer.into_serialized_writer()?;
    let cells = rows.count() * columns.len();
    let encoded_cells = writing.work().phase("encoding columns", 0.0..1.0).count(cells);
    for (number, start) in (0..rows.count()).step_by(ROW_GROUP).enumerate() {
        let group = start..rows.count().min(start + ROW_GROUP);
        let encoded = encoders
            .create_column_writers(number)?
            .into_par_iter()
            .zip(&columns)
            .enumerate()
            .map(|(column, (encoder, typed))| encode(rows, column, typed, encoder, group.clone(), &encoded_cells))
            .collect::<Result<Vec<ArrowColumnChunk>, WriteError>>()?;
        let mut row_group = file.next_row_group()?;
        for chunk in encoded {
            chunk.append_to_row_group(&mut row_group)?;
        }
        row_group.close()?;
        writing.advance(Amount::Rows(group.len() as u64));
    }
    file.close()?;
    Ok(())
}

impl From<ParquetError> for WriteError {
    fn from(error: ParquetError) -> Self {
        // What the output itself answered, without the wrapping, so that a full disk reads as one.
        let answer = match error {
            ParquetError::External(inner) => inner.downcast().map_or_else(io::Error::other, |answer| *answer),
            other => io::Error::other(other),
        };
        WriteError::Output(answer)
    }
}

/// Nothing that differs between two runs goes into the file, and no type that only Arrow readers would follow.
fn options() -> ArrowWriterOptions {
    let properties = WriterProperties::builder()
        .set_created_by("scumble".into())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true)
}

/// Encodes a range of the rows of one column.
fn encode(
    rows: &Rows,
    column: usize,
    typed: &TypedColumn,
    mut encoder: ArrowColumnWriter,
    group: Range<usize>,
    encoded: &Counter,
) -> Result<ArrowColumnChunk, WriteError> {
    for start in group.clone().step_by(BATCH) {
        let batch = start..group.end.min(start + BATCH);
        encoded.go_on(batch.len())?;
        let mut ranks = Vec::with_capacity(BATCH);
        rows.ranks(column, batch, |_, rank| ranks.push(rank));
        for leaf in compute_leaves(&typed.field, &typed.array(&ranks)?)? {
            encoder.write(&leaf)?;
        }
    }
    Ok(encoder.close()?)
}

/// A column with the type in which it is written.
struct TypedColumn {
    field: Field,
    values: Values,
}

/// The values of a column by rank; the missing value has the rank after the last.
enum Values {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    /// Long offsets, because a column may show more than 2 GiB of different texts.
    Texts(ArrayRef),
}

impl TypedColumn {
    fn new(column: &PublishedColumn) -> Self {
        let values = numbers(column).unwrap_or_else(|| {
            let texts = LargeStringArray::from_iter_values(column.values.texts().iter());
            Values::Texts(Arc::new(texts))
        });
        let kind = match &values {
            Values::Integers(_) => DataType::Int64,
            Values::Floats(_) => DataType::Float64,
            Values::Texts(_) => DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::LargeUtf8)),
        };
        TypedColumn {
            field: Field::new(column.name, kind, true),
            values,
        }
    }

    /// The values with these ranks.
    fn array(&self, ranks: &[u32]) -> Result<ArrayRef, ParquetError> {
        let ranks = ranks.iter().map(|&rank| rank as usize);
        Ok(match &self.values {
            Values::Integers(values) => Arc::new(Int64Array::from_iter(ranks.map(|rank| values.get(rank).copied()))),
            Values::Floats(values) => Arc::new(Float64Array::from_iter(ranks.map(|rank| values.get(rank).copied()))),
            Values::Texts(values) => {
                let present = |rank| (rank < values.len()).then_some(rank as u32);
                let keys = UInt32Array::from_iter(ranks.map(present));
                Arc::new(DictionaryArray::try_new(keys, values.clone())?)
            }
        })
    }
}

/// The values as numbers, if the column is not masked and the numbers are written as the values are: `01234` and
/// `1.50` stay text.
fn numbers(column: &PublishedColumn) -> Option<Values> {
    let texts = column.values.texts();
    if column.masked || texts.is_empty() {
        return None;
    }
    let integer = |text: &str| text.parse::<i64>().ok().filter(|number| number.to_string() == text);
    let float = |text: &str| parse_number(text).filter(|number| number.to_string() == text);
    let integers = texts
        .iter()
        .map(integer)
        .collect::<Option<Vec<i64>>>()
        .map(Values::Integers);
    integers.or_else(|| {
        texts
            .iter()
            .map(float)
            .collect::<Option<Vec<f64>>>()
            .map(Values::Floats)
    })
}
