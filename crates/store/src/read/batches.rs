//! [`BatchSource`]: record batches in memory, as a source of rows like any file.
//!
//! Invariant: the same values give the same table from memory as from a Parquet or Arrow file of them.

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use scumble_progress::{Amount, Event};

use super::cells::Cells;
use super::keep::{Keep, Worker};
use super::opened::{Opened, TableFile};
use super::texts::TextColumns;
use crate::Watch;
use crate::error::{Origin, ReadError};

/// Record batches, and what of their cells is a value.
#[derive(Clone, Debug)]
pub struct BatchSource {
    /// The columns that every batch has.
    pub schema: SchemaRef,
    /// The rows, in their order.
    pub batches: Vec<RecordBatch>,
    /// What of a cell is its value.
    pub cells: Cells,
}

impl BatchSource {
    /// Batches with cells as they usually are.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        BatchSource {
            schema,
            batches,
            cells: Cells::default(),
        }
    }

    /// Checks that all batches have the columns of the schema.
    ///
    /// # Errors
    /// A batch with other columns, or columns that cannot be told apart.
    pub fn open(&self, _watch: &dyn Watch) -> Result<Opened, ReadError> {
        let size = self.batches.iter().map(size_of).sum();
        let misfit = |batch: &RecordBatch| !are_alike(&self.schema, batch.schema_ref());
        if let Some(place) = self.batches.iter().position(misfit) {
            return Err(ReadError::BatchSchema { batch: place + 1 });
        }
        let fields = self.schema.fields().iter();
        let rows = Batches {
            header: fields.map(|field| field.name().clone()).collect(),
            schema: SchemaRef::clone(&self.schema),
            batches: self.batches.clone(),
        };
        // The rows are there already, so there is nothing that they could unpack to.
        Opened::new(
            Box::new(rows),
            Origin::Batches,
            self.cells.clone(),
            u64::MAX,
            Some(size),
        )
    }
}

fn size_of(batch: &RecordBatch) -> u64 {
    batch.get_array_memory_size() as u64
}

/// Whether two schemas have columns of the same names and types; what else they say does not change a cell.
fn are_alike(a: &Schema, b: &Schema) -> bool {
    let columns = |schema: &Schema| {
        let fields = schema.fields().iter();
        fields
            .map(|field| (field.name().clone(), field.data_type().clone()))
            .collect::<Vec<_>>()
    };
    columns(a) == columns(b)
}

struct Batches {
    header: Vec<String>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl TableFile for Batches {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let kept: Vec<usize> = keep.kept().map(|(place, ..)| place).collect();
        let columns = TextColumns {
            origin: &Origin::Batches,
            schema: &self.schema,
            kept: &kept,
        };
        columns.check_types()?;
        let mut worker = keep.worker();
        for (place, batch) in self.batches.iter().enumerate() {
            // Cannot fail: the columns are those of the batch, which has as many rows without any.
            let part = batch
                .project(&kept)
                .map_err(|_| ReadError::BatchSchema { batch: place + 1 })?;
            columns.keep(&part, &mut worker, watch)?;
            worker.end_block(place);
            let by = Amount::Bytes(size_of(batch));
            watch.event(&Event::Advanced { by });
        }
        Ok(vec![worker])
    }
}
