//! Parquet and Arrow files: columns of typed values, read batch by batch as text.

use scumble_progress::{Amount, Event};
use std::{collections::HashSet, fs::File, io::BufReader, path::PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::{
    ProjectionMask,
    arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder},
};

use super::blocks_of_arrow;
use super::file::{FileSource, cannot_be_read, open_file};
use super::guard::{damaged, guarded};
use super::keep::{Keep, Worker};
use super::opened::TableFile;
use super::pages;
use super::refusal::Refusal;
use super::texts::{ROWS_AT_A_TIME, TextColumns};
use crate::Watch;
use crate::error::{Origin, ReadError};

/// The formats in messages.
const PARQUET: &str = "Parquet";
const ARROW: &str = "Arrow";

/// A file of columns whose schema is known.
pub(super) struct Columnar {
    path: PathBuf,
    origin: Origin,
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

impl Columnar {
    pub fn open_parquet(source: &FileSource) -> Result<Self, ReadError> {
        let path = &source.path;
        let file = open_file(path)?;
        let load = || ArrowReaderMetadata::load(&file, Default::default()).map_err(|_| damaged(path, PARQUET));
        let metadata = guarded(path, PARQUET, load)?;
        let schema = metadata.schema().clone();
        Ok(Columnar::new(source, file, Kind::Parquet(metadata), schema))
    }

    pub fn open_arrow(source: &FileSource) -> Result<Self, ReadError> {
        let path = &source.path;
        let file = open_file(path)?;
        let load = || blocks_of_arrow::schema(&file).map_err(|_| damaged(path, ARROW));
        let schema = guarded(path, ARROW, load)?;
        Ok(Columnar::new(source, file, Kind::Arrow, SchemaRef::new(schema)))
    }

    fn new(source: &FileSource, file: File, kind: Kind, schema: SchemaRef) -> Self {
        let header = schema.fields().iter().map(|field| field.name().clone()).collect();
        Columnar {
            path: source.path.clone(),
            origin: source.origin(),
            file,
            kind,
            schema,
            header,
        }
    }

    /// The batches of some columns, after a look at what they come to.
    fn batches(&self, columns: Vec<usize>) -> Result<Batches, ReadError> {
        let refused = |refusal| match refusal {
            Refusal::Damaged => self.damaged(),
            Refusal::TooLarge(error) => error,
        };
        let origin = &self.origin;
        let file = self.file.try_clone().map_err(cannot_be_read(&self.path))?;
        match &self.kind {
            Kind::Parquet(metadata) => {
                let rows = metadata.metadata().file_metadata().num_rows() as usize;
                let schema = metadata.parquet_schema();
                let roots: HashSet<usize> = columns.iter().copied().collect();
                let leaves: Vec<usize> = (0..schema.num_columns())
                    .filter(|&leaf| roots.contains(&schema.get_column_root_idx(leaf)))
                    .collect();
                let rows_per_batch =
                    pages::check(origin, &file, metadata.metadata(), &leaves, ROWS_AT_A_TIME).map_err(refused)?;
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
                blocks_of_arrow::check(origin, &file, columns.len()).map_err(refused)?;
                let reader = FileReader::try_new(BufReader::new(file), Some(columns)).map_err(|_| self.damaged())?;
                Ok(Batches {
                    count: reader.num_batches(),
                    batches: Box::new(reader),
                })
            }
        }
    }

    fn format(&self) -> &'static str {
        match self.kind {
            Kind::Parquet(_) => PARQUET,
            Kind::Arrow => ARROW,
        }
    }

    fn damaged(&self) -> ReadError {
        damaged(&self.path, self.format())
    }
}

impl TableFile for Columnar {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let kept: Vec<usize> = keep.kept().map(|(place, ..)| place).collect();
        let columns = TextColumns {
            origin: &self.origin,
            schema: &self.schema,
            kept: &kept,
        };
        columns.check_types()?;
        let format = self.format();
        let batches = guarded(&self.path, format, || self.batches(kept.clone()))?;
        let Batches { mut batches, count } = batches;
        // Batches tell no bytes, so every batch counts as the same share of the file.
        let share = self.file.metadata().map_or(0, |metadata| metadata.len()) / count.max(1) as u64;
        let mut worker = keep.worker();
        for place in 0.. {
            if watch.should_stop() {
                return Err(ReadError::Interrupted {
                    origin: self.origin.clone(),
                });
            }
            let kept = guarded(&self.path, format, || match batches.next() {
                None => Ok(false),
                Some(batch) => {
                    let batch = batch.map_err(|_| self.damaged())?;
                    columns.keep(&batch, &mut worker, watch)?;
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
}
