//! Parquet and Arrow files: columns of typed values, read batch by batch as text.

use std::{fs::File, io::BufReader, path::Path};

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, cast::AsArray};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_ipc::reader::FileReader;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::arrow::{
    ProjectionMask,
    arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder},
};

use super::{
    Place, ReadError, Source, TableFile,
    keep::{Keep, Worker},
    open_file,
};
use crate::Watch;

const ROWS_PER_BATCH: usize = 1 << 15;

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
        let metadata = ArrowReaderMetadata::load(&file, Default::default()).map_err(|_| damaged(path, "Parquet"))?;
        let schema = metadata.schema().clone();
        Ok(Columnar::new(path, file, Kind::Parquet(metadata), schema))
    }

    pub fn open_arrow(source: &'s Source) -> Result<Self, ReadError> {
        let path = &source.path;
        let file = open_file(path)?;
        let reader = FileReader::try_new(BufReader::new(&file), None).map_err(|_| damaged(path, "Arrow"))?;
        let schema = reader.schema();
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

    fn batches(&self, columns: Vec<usize>) -> Result<Batches, ReadError> {
        let io = |source| ReadError::Io {
            path: self.path.into(),
            source,
        };
        let file = self.file.try_clone().map_err(io)?;
        match &self.kind {
            Kind::Parquet(metadata) => {
                let rows = metadata.metadata().file_metadata().num_rows() as usize;
                let kept = ProjectionMask::roots(metadata.parquet_schema(), columns);
                let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone())
                    .with_projection(kept)
                    .with_batch_size(ROWS_PER_BATCH)
                    .build()
                    .map_err(|_| self.damaged())?;
                Ok(Batches {
                    batches: Box::new(reader),
                    count: rows.div_ceil(ROWS_PER_BATCH),
                })
            }
            Kind::Arrow => {
                let reader = FileReader::try_new(BufReader::new(file), Some(columns)).map_err(|_| self.damaged())?;
                Ok(Batches {
                    count: reader.num_batches(),
                    batches: Box::new(reader),
                })
            }
        }
    }

    /// The cells of one column as text.
    fn texts(&self, column: usize, array: &ArrayRef) -> Result<StringArray, ReadError> {
        let kind = || ReadError::ColumnType {
            path: self.path.into(),
            column: self.header[column].clone(),
            kind: self.schema.field(column).data_type().to_string(),
        };
        if array.data_type().is_nested() {
            return Err(kind());
        }
        // Not "safe": that would turn a cell that is not text into a missing one.
        let options = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        let texts = cast_with_options(array, &DataType::Utf8, &options).map_err(|_| kind())?;
        Ok(texts.as_string::<i32>().clone())
    }

    fn damaged(&self) -> ReadError {
        damaged(
            self.path,
            match self.kind {
                Kind::Parquet(_) => "Parquet",
                Kind::Arrow => "Arrow",
            },
        )
    }
}

impl TableFile for Columnar<'_> {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let columns: Vec<usize> = keep.kept().map(|(place, ..)| place).collect();
        let Batches { batches, count } = self.batches(columns.clone())?;
        // Batches tell no bytes, so every batch counts as the same share of the file.
        let share = self.file.metadata().map_or(0, |metadata| metadata.len()) / count.max(1) as u64;
        let mut worker = keep.worker();
        for (place, batch) in batches.enumerate() {
            if watch.should_stop() {
                return Err(ReadError::Interrupted {
                    origin: self.path.display().to_string(),
                });
            }
            let batch = batch.map_err(|_| self.damaged())?;
            let texts = columns
                .iter()
                .zip(batch.columns())
                .map(|(&column, array)| self.texts(column, array));
            worker.push_columns(&texts.collect::<Result<Vec<_>, _>>()?);
            worker.end_rows(batch.num_rows());
            worker.end_block(place);
            watch.advanced(share);
        }
        Ok(vec![worker])
    }

    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError> {
        Ok(rows.iter().map(|row| Place::Row(row + 1)).collect())
    }
}

fn damaged(path: &Path, format: &'static str) -> ReadError {
    ReadError::Damaged {
        path: path.into(),
        format,
    }
}
