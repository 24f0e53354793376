//! Rows in no group come into one.

use super::state::{NONE, State};
use super::trial::Trial;

impl State<'_, '_> {
    /// Rows in no group join the one where they cost least, if it may have them.
    pub fn take_in_rest(&mut self) {
        let numbered = self.rows.iter().zip(&self.numbers);
        let rest = numbered.filter(|&(_, &number)| number == NONE).map(|(&row, _)| row);
        for row in rest.collect::<Vec<u32>>() {
            if self.work.should_stop() {
                return;
            }
            let Some(home) = self.home(&self.by_loss(), row, f64::INFINITY) else {
                return;
            };
            let mut trial = Trial::new(self);
            trial.put(home.group, row);
            let changes = trial.if_allowed();
            self.accept(changes);
        }
    }
}
