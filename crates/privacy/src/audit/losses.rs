//! What the groups of a release lose, recounted from its labels.

use scumble_table::{ColumnId, Released};

use super::rows::Rows;
use crate::LossPerGroup;
use crate::finding::LossFinding;

/// Recounts what the groups on these columns lose.
pub fn recount_loss(release: &Released, bound: &LossPerGroup) -> LossFinding {
    let rows = Rows::new(release, None, &[]);
    let ids: Vec<ColumnId> = bound.columns.iter().map(|(id, _)| *id).collect();
    let groups = rows.number(&ids);
    let losses_of_row = bound.columns.iter().map(|(id, domain)| {
        let labels = release.columns()[id.0].labels();
        let of_label: Vec<f64> = labels.iter().map(|label| domain.loss(label)).collect();
        let shown = rows.shown(*id);
        move |row: usize| of_label[shown.of_row()[row] as usize]
    });
    let losses_of_row: Vec<_> = losses_of_row.collect();
    // All rows of a group show the same, so one of them tells.
    let mut is_known = vec![false; groups.count()];
    let mut level = 0.0f64;
    for (row, &group) in groups.of_row().iter().enumerate() {
        if !std::mem::replace(&mut is_known[group as usize], true) {
            let sum: f64 = losses_of_row.iter().map(|loss| loss(row)).sum();
            let loss = sum / (losses_of_row.len() as f64).max(1.0);
            level = crate::Sense::AtMost.worse(level, loss);
        }
    }
    LossFinding {
        level,
        holds: bound.is_met_by(level),
    }
}
