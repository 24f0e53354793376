//! Moves: a row goes to the group where it costs least, if its own can spare it.

use rayon::prelude::*;

use super::state::{Group, State};
use super::trial::Trial;
use super::{BATCH, LEAST_GAIN};
use crate::{Hull, Space};

/// A move that looked worth it.
struct Move {
    row: u32,
    to: u32,
    gain: f64,
}

impl State<'_, '_> {
    /// Makes moves, the best of some groups first.
    pub fn move_rows(&mut self) {
        for batch in self.lossy().chunks(BATCH) {
            if self.work.should_stop() {
                return;
            }
            let by_loss = self.by_loss();
            let found = batch
                .par_iter()
                .flat_map_iter(|&group| self.moves_from(&by_loss, &self.groups[group as usize]));
            let mut found: Vec<Move> = found.collect();
            found.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.row.cmp(&b.row)));
            for step in found {
                let mut trial = Trial::new(self);
                trial.take(&[step.row]);
                trial.put(step.to, step.row);
                let changes = trial.if_worth_it();
                self.accept(changes);
            }
        }
    }

    fn moves_from(&self, by_loss: &[u32], group: &Group) -> Vec<Move> {
        if group.rows.len() <= self.conditions.fewest_rows() {
            return Vec::new();
        }
        let rows = group.rows.iter().zip(gains_of_leaving(self.space, group));
        let moves = rows.filter_map(|(&row, gain)| {
            let home = self.home(by_loss, row, gain - LEAST_GAIN)?;
            Some(Move {
                row,
                to: home.group,
                gain: gain - home.cost,
            })
        });
        moves.collect()
    }
}

/// What the total shrinks by if each row of a group leaves it.
fn gains_of_leaving(space: &Space, group: &Group) -> Vec<f64> {
    let rows = &group.rows;
    // A group without one row is what comes before the row and what comes after it.
    let mut after: Vec<Option<Hull>> = vec![None; rows.len() + 1];
    for (place, &row) in rows.iter().enumerate().skip(1).rev() {
        after[place] = Some(with(space, after[place + 1].clone(), row));
    }
    let mut before: Option<Hull> = None;
    let mut gains = Vec::with_capacity(rows.len());
    for (&row, after) in rows.iter().zip(&after[1..]) {
        let loss = match (&before, after) {
            (Some(before), Some(after)) => space.loss_of_both(before, after),
            (Some(hull), None) | (None, Some(hull)) => space.loss(hull),
            (None, None) => 0.0,
        };
        gains.push(group.cost() - (rows.len() as f64 - 1.0) * loss);
        before = Some(with(space, before, row));
    }
    gains
}

/// A hull, if there is one, with one row more.
fn with(space: &Space, hull: Option<Hull>, row: u32) -> Hull {
    match hull {
        Some(mut hull) => {
            space.add(&mut hull, row);
            hull
        }
        None => space.point(row),
    }
}
