//! A [`Sample`] is what every model is given: the groups of a release, and how many people it was drawn from.

use crate::sizes::GroupSizes;

/// The groups of a sample, and the size of the population.
pub(super) struct Sample<'s> {
    pub(super) sizes: &'s GroupSizes,
    pub(super) rows: f64,
    pub(super) people: f64,
}

impl Sample<'_> {
    /// The share of the population that is in the sample; 0 if there are no people.
    pub(super) fn fraction(&self) -> f64 {
        self.rows / self.people.max(1.0)
    }

    /// An estimate, if there are so many people; one that rounding puts just above them is all of them.
    pub(super) fn plausible(&self, uniques: f64) -> Option<f64> {
        const ROUNDING: f64 = 1e-9;
        let is_plausible = (0.0..=self.people * (1.0 + ROUNDING)).contains(&uniques);
        is_plausible.then_some(uniques.min(self.people))
    }

    /// How many groups have this size.
    pub(super) fn groups_of(&self, size: u64) -> f64 {
        self.sizes.groups_of(size) as f64
    }

    /// Sums something over all groups.
    pub(super) fn sum(&self, of_size: impl Fn(f64) -> f64) -> f64 {
        let parts = self
            .sizes
            .iter()
            .map(|(size, groups)| groups as f64 * of_size(size as f64));
        parts.sum()
    }
}
