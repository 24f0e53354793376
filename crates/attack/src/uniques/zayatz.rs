//! Zayatz' model: the sizes of groups in the sample are distributed as those in the population.
//!
//! A group of `j` people leaves exactly one of them in the sample with a probability that chance alone decides (it is
//! hypergeometric). By Bayes' rule that tells how many of those who are alone in the sample came from groups of one.
//!
//! # Source
//! L. V. Zayatz: *Estimation of the percent of unique population elements on a microdata file using the sample*, Statistical
//! Research Division Report 91/08, U.S. Bureau of the Census, 1991.
//!
//! # What is lost
//! Groups in the sample are smaller than those they came from, so the estimate is too high for small samples.

use super::sample::Sample;

/// How many people are alone in the population.
pub(super) fn estimate(sample: &Sample) -> Option<f64> {
    let fraction = sample.fraction();
    let from_groups_of_one = sample.groups_of(1) * fraction;
    let share = from_groups_of_one / groups_leaving_one(sample);
    Some(sample.groups_of(1) * share / fraction)
}

/// How many groups of the sizes of the sample would leave exactly one of their people in another such sample.
fn groups_leaving_one(sample: &Sample) -> f64 {
    let Sample { rows, people, .. } = *sample;
    // That one person is in the sample and all the others of the group are not. Sizes ascend, so what was multiplied
    // for the smaller group is the beginning of the larger one.
    let (mut others_left_out, mut others) = (1.0, 0u64);
    let mut sum = 0.0;
    for (size, groups) in sample.sizes.iter() {
        while others + 1 < size && others_left_out > 0.0 {
            let drawn = others as f64;
            others_left_out *= (people - rows - drawn).max(0.0) / (people - 1.0 - drawn);
            others += 1;
        }
        sum += groups as f64 * size as f64 * sample.fraction() * others_left_out;
    }
    sum
}
