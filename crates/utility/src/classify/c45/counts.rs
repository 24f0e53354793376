//! [`ClassCounts`]: how many cases there are of each class, as weights, because a case with a missing value goes down
//! several branches in parts.

use super::weighted::{SMALL, Weighted};
use crate::classify::Cases;

/// A weight for each class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassCounts(Vec<f64>);

impl ClassCounts {
    /// No case at all.
    pub fn none(classes: usize) -> Self {
        ClassCounts(vec![0.0; classes])
    }

    /// The classes of these cases.
    pub fn of(cases: &Cases, rows: &[Weighted]) -> Self {
        let mut counts = ClassCounts::none(cases.class_count());
        for row in rows {
            counts.add(cases.class(row.case), row.weight);
        }
        counts
    }

    /// Adds a case.
    #[inline]
    pub fn add(&mut self, class: u32, weight: f64) {
        self.0[class as usize] += weight;
    }

    /// Takes a case away.
    #[inline]
    pub fn take(&mut self, class: u32, weight: f64) {
        self.0[class as usize] -= weight;
    }

    /// Makes it no case at all.
    pub fn clear(&mut self) {
        self.0.fill(0.0);
    }

    /// The weight of each class.
    pub fn per_class(&self) -> &[f64] {
        &self.0
    }

    /// The weight of all cases.
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The weight of the cases that are not of the most frequent class.
    pub fn wrong(&self) -> f64 {
        self.total() - self.0.iter().fold(0.0, |most: f64, &weight| most.max(weight))
    }

    /// Whether all cases are of one class.
    pub fn is_pure(&self) -> bool {
        self.wrong() < SMALL
    }

    /// Total times entropy, in bits.
    pub fn entropy(&self) -> f64 {
        n_log_n(self.total()) - self.0.iter().map(|&weight| n_log_n(weight)).sum::<f64>()
    }
}

/// `n log2 n`, which is 0 for no case.
#[inline]
pub fn n_log_n(n: f64) -> f64 {
    if n < SMALL { 0.0 } else { n * n.log2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_the_weather() {
        // Nine days to play and five not to: 0.940 bits (Quinlan 1986, Induction of Decision Trees).
        let days = ClassCounts(vec![9.0, 5.0]);
        assert!((days.entropy() / days.total() - 0.940).abs() < 5e-4);
        assert_eq!(days.wrong(), 5.0);
        assert!(!days.is_pure() && ClassCounts(vec![0.0, 5.0]).is_pure());
    }
}
