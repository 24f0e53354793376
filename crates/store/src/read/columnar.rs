//! Parquet and Arrow files: columns of typed values, read batch by batch as text.

use std::{collections::HashSet, fs::File, io::BufReader, path::Path};

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, cast::AsArray, make_array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_ipc::reader::FileReader;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::arrow::{
    ProjectionMask,
    arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder},
};

use scumble_progress::{Amount, Event};

use super::{
    Place, ReadError, Source, TableFile, batches,
    guard::{damaged, guarded},
    keep::{Keep, Worker},
    limits::{self, TEXT_AT_A_TIME},
    open_file,
    pages::{self, Refusal},
};
use crate::Watch;

const ROWS_PER_BATCH: usize = 1 << 15;

/// The formats in messages.
const PARQUET: &str = "Parquet";
const ARROW: &str = "Arrow";

/// A file of columns whose schema is known.
pub(super) struct Columnar<'s> {
    path: &'s Path,
    file: File,
    kind: Kind,
    schema: SchemaRef,
    header: Vec<String>,
}

enum Kind {
    Parquet(ArrowReaderMetadata),
    Arrow,
}

/// The batches of the kept columns, and how many there are.
struct Batches {
    batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>,
    count: usize,
}

impl<'s> Columnar<'s> {
    pub fn open_parquet(source: &'s Source) -> Result<Self, ReadError> {
        let path = &source.path;
        let file = open_file(path)?;
        let load = || ArrowReaderMetadata::load(&file, Default::default()).map_err(|_| damaged(path, PARQUET));
        let metadata = guarded(path, PARQUET, load)?;
        let schema = metadata.schema().clone();
        Ok(Columnar::new(path, file, Kind::Parquet(metadata), schema))
    }

    pub fn open_arrow(source: &'s Source) -> Result<Self, ReadError> {
        let path = &source.path;
        let file = open_file(path)?;
        let load = || {
            batches::check(&path.display().to_string(), &file, 1).map_err(|refusal| match refusal {
                Refusal::Damaged => damaged(path, ARROW),
                Refusal::TooLarge(error) => error,
            })?;
            let reader = FileReader::try_new(BufReader::new(&file), None).map_err(|_| damaged(path, ARROW))?;
            Ok(reader.schema())
        };
        let schema = guarded(path, ARROW, load)?;
        Ok(Columnar::new(path, file, Kind::Arrow, schema))
    }

    fn new(path: &'s Path, file: File, kind: Kind, schema: SchemaRef) -> Self {
        let header = schema.fields().iter().map(|field| field.name().clone()).collect();
        Columnar {
            path,
            file,
            kind,
            schema,
            header,
        }
    }

    /// The batches of some columns, after a look at what they come to.
    fn batches(&self, columns: Vec<usize>) -> Result<Batches, ReadError> {
        let io = |source| ReadError::Io {
            path: self.path.into(),
            source,
        };
        let refused = |refusal| match refusal {
            Refusal::Damaged => self.damaged(),
            Refusal::TooLarge(error) => error,
        };
        let origin = self.path.display().to_string();
        let file = self.file.try_clone().map_err(io)?;
        match &self.kind {
            Kind::Parquet(metadata) => {
                let rows = metadata.metadata().file_metadata().num_rows() as usize;
                let schema = metadata.parquet_schema();
                let roots: HashSet<usize> = columns.iter().copied().collect();
                let leaves: Vec<usize> = (0..schema.num_columns())
                    .filter(|&leaf| roots.contains(&schema.get_column_root_idx(leaf)))
                    .collect();
                let rows_per_batch =
                    pages::check(&origin, &file, metadata.metadata(), &leaves, ROWS_PER_BATCH).map_err(refused)?;
                let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone())
                    .with_projection(ProjectionMask::roots(schema, columns))
                    .with_batch_size(rows_per_batch)
                    .build()
                    .map_err(|_| self.damaged())?;
                Ok(Batches {
                    batches: Box::new(reader),
                    count: rows.div_ceil(rows_per_batch),
                })
            }
            Kind::Arrow => {
                batches::check(&origin, &file, columns.len()).map_err(refused)?;
                let reader = FileReader::try_new(BufReader::new(file), Some(columns)).map_err(|_| self.damaged())?;
                Ok(Batches {
                    count: reader.num_batches(),
                    batches: Box::new(reader),
                })
            }
        }
    }

    /// Refuses columns that are lists or structures before anything of them is read.
    fn check_types(&self, columns: &[usize]) -> Result<(), ReadError> {
        let nested = |column: &&usize| self.schema.field(**column).data_type().is_nested();
        match columns.iter().find(nested) {
            Some(&column) => Err(self.column_type(column)),
            None => Ok(()),
        }
    }

    fn column_type(&self, column: usize) -> ReadError {
        ReadError::ColumnType {
            path: self.path.into(),
            column: self.header[column].clone(),
            kind: self.schema.field(column).data_type().to_string(),
        }
    }

    /// Keeps the rows of a batch, so many at a time that their texts fit the memory.
    fn keep_batch(&self, columns: &[usize], batch: &RecordBatch, worker: &mut Worker) -> Result<(), ReadError> {
        let row: u64 = batch.columns().iter().map(|array| longest_text(array)).sum();
        limits::check(&self.path.display().to_string(), "bytes in a row", row, TEXT_AT_A_TIME)?;
        let at_a_time = usize::try_from(TEXT_AT_A_TIME / row.max(1))
            .unwrap_or(usize::MAX)
            .max(1);
        let mut start = 0;
        while start < batch.num_rows() {
            let part = batch.slice(start, at_a_time.min(batch.num_rows() - start));
            let texts = columns
                .iter()
                .zip(part.columns())
                .map(|(&column, array)| self.texts(column, array));
            worker.push_columns(&texts.collect::<Result<Vec<_>, _>>()?);
            worker.end_rows(part.num_rows())?;
            start += part.num_rows();
        }
        Ok(())
    }

    /// The cells of one column as text.
    fn texts(&self, column: usize, array: &ArrayRef) -> Result<StringArray, ReadError> {
        // Not "safe": that would turn a cell that is not text into a missing one.
        let options = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        let texts = cast_with_options(array, &DataType::Utf8, &options).map_err(|_| self.column_type(column))?;
        texts
            .as_string_opt::<i32>()
            .filter(|texts| texts.len() == array.len())
            .cloned()
            .ok_or_else(|| self.column_type(column))
    }

    fn format(&self) -> &'static str {
        match self.kind {
            Kind::Parquet(_) => PARQUET,
            Kind::Arrow => ARROW,
        }
    }

    fn damaged(&self) -> ReadError {
        damaged(self.path, self.format())
    }
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

impl TableFile for Columnar<'_> {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let columns: Vec<usize> = keep.kept().map(|(place, ..)| place).collect();
        self.check_types(&columns)?;
        let format = self.format();
        let batches = guarded(self.path, format, || self.batches(columns.clone()))?;
        let Batches { mut batches, count } = batches;
        // Batches tell no bytes, so every batch counts as the same share of the file.
        let share = self.file.metadata().map_or(0, |metadata| metadata.len()) / count.max(1) as u64;
        let mut worker = keep.worker();
        for place in 0.. {
            if watch.should_stop() {
                return Err(ReadError::Interrupted {
                    origin: self.path.display().to_string(),
                });
            }
            let kept = guarded(self.path, format, || match batches.next() {
                None => Ok(false),
                Some(batch) => {
                    let batch = batch.map_err(|_| self.damaged())?;
                    self.keep_batch(&columns, &batch, &mut worker)?;
                    Ok(true)
                }
            })?;
            if !kept {
                break;
            }
            worker.end_block(place);
            let by = Amount::Bytes(share);
            watch.event(&Event::Advanced { by });
        }
        Ok(vec![worker])
    }

    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError> {
        Ok(rows.iter().map(|row| Place::Row(row + 1)).collect())
    }
}
