//! The slide negative binomial model: a group of the population has 1 + a negative binomial number of people.
//!
//! With K groups, the probability that a group has one person is β^α, so K β^α people are alone. K is estimated from the
//! sample; α and β are those under which as many groups of one and of two rows are expected in the sample as there are.
//! With π the sampling fraction, q = (1 − π)(1 − β) and D = 1 − q,
//!
//! ```text
//! groups of one  K π (β/D)^α (1 + αq/D)
//! groups of two  K π²/2 (β/D)^α α (1 − β) (2 + (α − 1)q) / D²
//! ```
//!
//! which are the first and second derivative of the generating function z (β / (1 − (1 − β)z))^α at z = 1 − π.
//!
//! # Source
//! G. Chen and S. Keller-McNulty: *Estimation of identification disclosure risk in microdata*, Journal of Official
//! Statistics 14(1), 1998. K is the third estimator of Shlosser's kind in Haas and Stokes: *Estimating the number of classes
//! in a finite population*, Journal of the American Statistical Association 93, 1998.

use super::bisection::crossing;
use super::sample::Sample;

/// How many people are alone in the population; `None` if no α and β give the groups of one and two that there are.
///
/// If several do, those are taken whose population comes nearest to the true one in size.
pub(super) fn estimate(sample: &Sample) -> Option<f64> {
    let model = Model::new(sample);
    let population = |fit: &Fit| (model.groups * (1.0 + fit.alpha * fit.odds)).ln() - sample.people.ln();
    let nearest = model.fits().into_iter().min_by(|a, b| {
        let [a, b] = [a, b].map(|fit| population(fit).abs());
        a.total_cmp(&b)
    })?;
    Some(model.groups * (-nearest.alpha * nearest.odds.ln_1p()).exp())
}

/// What the parameters have to fit.
struct Model {
    /// The sampling fraction π.
    fraction: f64,
    /// K.
    groups: f64,
    of_one: f64,
    of_two: f64,
}

/// Parameters that fit.
struct Fit {
    alpha: f64,
    /// (1 − β) / β, which tells a β near 1 from 1.
    odds: f64,
}

impl Model {
    fn new(sample: &Sample) -> Self {
        Model {
            fraction: sample.fraction(),
            groups: groups_of_population(sample),
            of_one: sample.groups_of(1),
            of_two: sample.groups_of(2),
        }
    }

    /// All parameters that fit. One equation gives α for each β; what is left is a function of β, whose changes of sign
    /// are looked for on a grid.
    fn fits(&self) -> Vec<Fit> {
        /// β from 1e-15 to 1 − 1e-15 in steps of its log-odds.
        const STEPS: i32 = 1400;
        let log_odds = |step: i32| f64::from(step) / 20.0 - 35.0;
        let excess = |log_odds: f64| self.excess(log_odds.exp());
        let steps = (0..STEPS).map(|step| (log_odds(step), log_odds(step + 1)));
        let crossings = steps.filter_map(|(from, to)| {
            let is_positive = [excess(from), excess(to)].map(|excess| excess > 0.0);
            match is_positive {
                [true, false] => Some(crossing(from, to, excess)),
                [false, true] => Some(crossing(to, from, excess)),
                _ => None,
            }
        });
        let fit = |log_odds: f64| {
            let odds = log_odds.exp();
            let alpha = self.alpha(odds);
            Fit { alpha, odds }
        };
        // Without groups of two α is 0, and everybody would be alone.
        crossings.map(fit).filter(|fit| fit.alpha > 0.0).collect()
    }

    /// How far the logarithm of the expected number of groups of one is above the true one.
    fn excess(&self, odds: f64) -> f64 {
        let (q, d) = self.q_and_d(odds);
        let alpha = self.alpha(odds);
        let expected = (self.groups * self.fraction / self.of_one).ln();
        expected - alpha * (self.fraction * odds).ln_1p() + (alpha * q / d).ln_1p()
    }

    /// The α for which the ratio of groups of two to groups of one is the true one: the positive solution of
    /// qα² + (2 − q − rq)α − rD = 0.
    fn alpha(&self, odds: f64) -> f64 {
        let (q, d) = self.q_and_d(odds);
        let not_beta = odds / (1.0 + odds);
        let r = 2.0 * self.of_two / self.of_one * d / (self.fraction * not_beta);
        let b = 2.0 - q - r * q;
        let root = (b * b + 4.0 * q * r * d).sqrt();
        // Of two forms, the one that does not subtract nearly equal numbers.
        match b > 0.0 {
            true => 2.0 * r * d / (b + root),
            false => (root - b) / (2.0 * q),
        }
    }

    fn q_and_d(&self, odds: f64) -> (f64, f64) {
        let q = (1.0 - self.fraction) * odds / (1.0 + odds);
        (q, 1.0 - q)
    }
}

/// K, the number of groups in the population.
fn groups_of_population(sample: &Sample) -> f64 {
    let fraction = sample.fraction();
    let (left_out, square) = (1.0 - fraction, fraction * fraction);
    let seen_twice = sample.sum(|size| size * square * (1.0 - square).powf(size - 1.0));
    let seen_once_of_two = sample.sum(|size| (1.0 - square).powf(size) - left_out.powf(size));
    let unseen = sample.sum(|size| left_out.powf(size));
    let seen_once = sample.sum(|size| size * fraction * left_out.powf(size - 1.0));
    sample.sizes.groups() as f64 + sample.groups_of(1) * seen_twice / seen_once_of_two * (unseen / seen_once).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::GroupSizes;

    /// Groups of one and two rows that are expected, summed over all sizes that a group of the population may have.
    fn expected(model: &Model, alpha: f64, beta: f64) -> (f64, f64) {
        let (mut of_one, mut of_two) = (0.0, 0.0);
        let left_out = 1.0 - model.fraction;
        let mut groups = model.groups * beta.powf(alpha);
        for size in 1..100_000 {
            let size = f64::from(size);
            of_one += groups * size * model.fraction * left_out.powf(size - 1.0);
            of_two += groups * size * (size - 1.0) / 2.0 * model.fraction.powi(2) * left_out.powf(size - 2.0);
            groups *= (alpha + size - 1.0) / size * (1.0 - beta);
        }
        (of_one, of_two)
    }

    fn with_sample<T>(sizes: &[(u64, usize)], people: f64, ask: impl Fn(&Sample) -> T) -> T {
        let sizes = sizes.iter().flat_map(|&(size, groups)| vec![size; groups]);
        let sizes: GroupSizes = sizes.collect();
        let rows = sizes.rows() as f64;
        ask(&Sample {
            sizes: &sizes,
            rows,
            people,
        })
    }

    #[test]
    fn what_fits_gives_the_groups_of_one_and_two_that_there_are() {
        let samples: [(&[(u64, usize)], f64); 4] = [
            (&[(1, 60), (2, 20), (3, 9), (10, 1), (25, 1)], 400.0),
            (&[(1, 500), (2, 80), (3, 20), (7, 5)], 1_500.0),
            (&[(1, 30), (2, 5), (6, 2)], 80.0),
            (&[(1, 2_000), (2, 900), (3, 500), (4, 300), (80, 20)], 50_000.0),
        ];
        for (sizes, people) in samples {
            let model = with_sample(sizes, people, Model::new);
            let fits = model.fits();
            assert!(!fits.is_empty(), "{sizes:?}");
            for Fit { alpha, odds } in fits {
                let (of_one, of_two) = expected(&model, alpha, 1.0 / (1.0 + odds));
                assert!((of_one / model.of_one - 1.0).abs() < 1e-6, "{sizes:?}: {of_one}");
                assert!((of_two / model.of_two - 1.0).abs() < 1e-6, "{sizes:?}: {of_two}");
            }
        }
    }

    /// Three groups of one and one of two, half of the people:
    /// 4 + 3 · (3/4 + 1/2 · 3/4) / (3 (3/4 − 1/2) + (9/16 − 1/4)) · ((3/2 + 1/4) / (3/2 + 1/2))²
    #[test]
    fn the_groups_of_the_population_are_those_of_the_formula() {
        let found = with_sample(&[(1, 3), (2, 1)], 10.0, groups_of_population);
        let by_hand = 4.0 + 3.0 * (0.75 + 0.375) / (0.75 + 0.3125) * (1.75f64 / 2.0).powi(2);
        assert!((found - by_hand).abs() < 1e-12, "{found} {by_hand}");
    }

    /// No groups of two; groups that differ less in size than any number of this kind does.
    #[test]
    fn there_are_sizes_that_nothing_fits() {
        assert_eq!(with_sample(&[(1, 30), (3, 5)], 1_000.0, estimate), None);
        assert_eq!(with_sample(&[(1, 30), (2, 5)], 60.0, estimate), None);
    }
}
