//! Pitman's model: people join groups one by one, and the sample is where the population has got to so far.
//!
//! After `n` people in `u` groups the next one opens a new group with probability (θ + uα) / (θ + n), and joins a group of
//! size `j` with probability (j − α) / (θ + n). The two parameters are those under which the sizes of the sample are
//! most likely; then the model goes on until the population is complete.
//!
//! # Source
//! N. Hoshino: *Applying Pitman's sampling formula to microdata disclosure risk assessment*, Journal of Official Statistics
//! 17(4), 2001. The expectation is taken as it is, not in its limit for a large population.
//!
//! # What is lost
//! The model has groups without end (0 ≤ α < 1). Where the sizes would ask for α below 0, it takes 0, which is Ewens'
//! model, and says too many uniques rather than too few.

use super::bisection::crossing;
use super::sample::Sample;

/// How many people are alone in the population; `None` if nobody in the sample has company, because then nothing tells how
/// fast groups fill up.
pub(super) fn estimate(sample: &Sample) -> Option<f64> {
    let (alpha, theta) = most_likely(sample)?;
    let people = sample.people;
    let gammas = [people - 1.0 + theta + alpha, theta + 1.0, theta + alpha, people + theta].map(libm::lgamma);
    Some(people * (gammas[0] + gammas[1] - gammas[2] - gammas[3]).exp())
}

/// The most likely α and θ.
fn most_likely(sample: &Sample) -> Option<(f64, f64)> {
    let groups = sample.sizes.groups() as f64;
    if groups < 2.0 || groups >= sample.rows {
        return None;
    }
    let slope = |alpha: f64| Some(slope_along_alpha(sample, alpha, most_likely_theta(sample, alpha)?));
    let alpha = match slope(0.0)? > 0.0 {
        // The slope falls without end towards 1. Where θ cannot be found, a step back is right: it has no end there either.
        true => crossing(0.0, 1.0, |alpha| slope(alpha).unwrap_or(-1.0)),
        false => 0.0,
    };
    Some((alpha, most_likely_theta(sample, alpha)?))
}

/// The most likely θ for this α.
///
/// The slope is a sum of `u − 1` terms 1 / (θ + iα) less one of `n − 1` terms 1 / (θ + i). It is positive near −α and
/// negative for large θ. Where both sums are equal, the first, having fewer and larger terms, has the larger sum of
/// squares, so the slope falls there: it is 0 only once.
fn most_likely_theta(sample: &Sample, alpha: f64) -> Option<f64> {
    /// Beyond this, θ is without end for numbers of this size.
    const ENDLESS: f64 = 1e18;
    let groups = sample.sizes.groups() as f64;
    let slope = |above: f64| {
        let theta = above - alpha;
        reciprocals(theta, alpha, groups - 1.0) - reciprocals(theta, 1.0, sample.rows - 1.0)
    };
    let doubled = std::iter::successors(Some(1.0), |above| Some(above * 2.0));
    let beyond = doubled
        .take_while(|&above| above < ENDLESS)
        .find(|&above| slope(above) < 0.0)?;
    // Looked for is how far θ is above −α: that is what must not be lost to rounding.
    Some(crossing(0.0, beyond, slope) - alpha)
}

/// How the logarithm of the likelihood changes with α.
fn slope_along_alpha(sample: &Sample, alpha: f64, theta: f64) -> f64 {
    let opened = sample.sizes.groups() as f64 - 1.0;
    let opening = match alpha > 0.0 {
        true => (opened - theta * reciprocals(theta, alpha, opened)) / alpha,
        false => opened * (opened + 1.0) / 2.0 / theta,
    };
    opening - sample.sum(|size| reciprocals(-alpha, 1.0, size - 1.0))
}

/// The sum of 1 / (start + i · step) for i from 1 to `terms`; all terms are positive.
///
/// The first terms are added up, the rest is the integral with the corrections of Euler and Maclaurin. After 32 terms
/// these are exact to the last digits.
fn reciprocals(start: f64, step: f64, terms: f64) -> f64 {
    const ADDED: f64 = 32.0;
    let term = |i: f64| 1.0 / (start + i * step);
    let added = terms.min(ADDED) as u32;
    let first: f64 = (1..=added).map(|i| term(f64::from(i))).sum();
    if terms <= ADDED {
        return first;
    }
    let (from, to) = (term(ADDED + 1.0), term(terms));
    let between = (terms - ADDED - 1.0) * from;
    let integral = match step > 0.0 {
        true => (between * step).ln_1p() / step,
        false => between,
    };
    let correction = |term: f64| {
        let ratio = (step * term).powi(2);
        step * term * term * (1.0 / 12.0 - ratio * (1.0 / 120.0 - ratio / 252.0))
    };
    first + integral + (from + to) / 2.0 + correction(from) - correction(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_are_summed_as_if_one_by_one() {
        for (start, step, terms) in [
            (0.0, 1.0, 0u32),
            (-0.5, 1.0, 31),
            (-0.999, 1.0, 33),
            (3.5, 0.25, 34),
            (-0.249, 0.25, 100_000),
            (1e9, 1.0, 5_000),
            (7.0, 0.0, 400),
            (2.0, 1e-9, 70_000),
        ] {
            let slow: f64 = (1..=terms).rev().map(|i| 1.0 / (start + f64::from(i) * step)).sum();
            let fast = reciprocals(start, step, f64::from(terms));
            assert!(
                (fast - slow).abs() <= 1e-12 * slow,
                "{start} {step} {terms}: {fast} {slow}"
            );
        }
    }
}
