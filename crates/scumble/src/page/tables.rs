//! What several tables lost, a section for each.

use scumble_report::{Block, Section};

use super::board::safe_harbor;
use super::lost::{TITLE, measured};
use crate::evaluation::DatabaseEvaluation;

/// The sections, and what was measured of no table.
pub(crate) fn sections_of_tables(evaluation: &DatabaseEvaluation) -> Vec<Section> {
    let of_tables = evaluation.tables.iter().map(|table| {
        let loss = &table.measures.information_loss;
        let rows = format!(
            "{} of {} rows are published. A group is the rows of this table that show the same, whosever they are.",
            loss.rows_released, loss.rows_before
        );
        let mut blocks = vec![Block::Text(rows)];
        blocks.extend(measured(&table.measures, &table.not_measured));
        blocks.push(safe_harbor(&table.safe_harbor));
        Section::new(&format!("{TITLE}: {}", table.table), blocks)
    });
    let reasons = Block::List(evaluation.not_measured.clone());
    let of_none = Section::new("Not measured of several tables", vec![reasons]);
    of_tables.chain([of_none]).collect()
}
