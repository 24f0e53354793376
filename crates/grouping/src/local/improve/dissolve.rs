//! Dissolving: all rows of a group go elsewhere, each where it costs least.

use rayon::prelude::*;

use super::state::State;
use super::trial::Trial;
use super::{BATCH, LEAST_GAIN};

/// A group, and where each of its rows would go.
struct Dissolving {
    group: u32,
    rows: Vec<u32>,
    homes: Vec<u32>,
}

impl State<'_, '_> {
    /// Dissolves groups, those that lose most first.
    pub fn dissolve(&mut self) {
        let mut groups = self.lossy();
        groups.sort_by(|&a, &b| {
            let loss = |group: u32| self.groups[group as usize].loss;
            loss(b).total_cmp(&loss(a)).then(a.cmp(&b))
        });
        for batch in groups.chunks(BATCH / 4) {
            if self.work.should_stop() {
                return;
            }
            let by_loss = self.by_loss();
            let found = batch.par_iter().filter_map(|&group| self.dissolving(&by_loss, group));
            for step in found.collect::<Vec<Dissolving>>() {
                if self.is_as_found(&step) {
                    let mut trial = Trial::new(self);
                    trial.take(&step.rows);
                    let moves = step.rows.iter().zip(&step.homes);
                    moves.for_each(|(&row, &home)| trial.put(home, row));
                    let changes = trial.if_worth_it();
                    self.accept(changes);
                }
            }
        }
    }

    /// Where the rows of a group would go, if they cost less there, each by itself, than the group does.
    fn dissolving(&self, by_loss: &[u32], number: u32) -> Option<Dissolving> {
        let group = &self.groups[number as usize];
        let mut left = group.cost();
        let homes = group.rows.iter().map(|&row| {
            let home = self.home(by_loss, row, left - LEAST_GAIN)?;
            left -= home.cost;
            Some(home.group)
        });
        Some(Dissolving {
            group: number,
            homes: homes.collect::<Option<Vec<u32>>>()?,
            rows: group.rows.clone(),
        })
    }

    /// Whether a group has the same rows as when its step was found, and nobody's home is gone.
    fn is_as_found(&self, step: &Dissolving) -> bool {
        let mut homes = step.homes.iter().map(|&home| &self.groups[home as usize]);
        self.groups[step.group as usize].rows == step.rows && homes.all(|home| !home.rows.is_empty())
    }
}
