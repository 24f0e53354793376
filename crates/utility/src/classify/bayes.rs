//! Naive Bayes: the class is guessed as if, given the class, no feature told anything of another.
//!
//! A category is as likely as in the training cases of the class, with one case more of each category (Laplace), so
//! that nothing is impossible. Numbers of a class are taken as normal. A missing value says nothing.
//!
//! # Source
//! John and Langley 1995, *Estimating Continuous Distributions in Bayesian Classifiers*; the details are those of
//! NaiveBayes in Weka, so that the guesses are the same. The papers used the one of Orange, which differs in details.
//!
//! # Cost
//! One pass over the cases, and memory for the categories times the classes.

use super::cases::{Cases, Feature, most_likely};

/// No value is less likely, so that one odd number does not decide alone.
const LEAST_LIKELY: f64 = 1e-75;

/// The distance of neighbouring numbers if there is only one.
const DEFAULT_PRECISION: f64 = 0.01;

/// A deviation below this is none.
const NO_DEVIATION: f64 = 1e-10;

/// What was learnt: logarithms of likelihoods.
#[derive(Clone, Debug)]
pub struct NaiveBayes {
    prior: Vec<f64>,
    features: Vec<Likelihood>,
}

#[derive(Clone, Debug)]
enum Likelihood {
    /// For each category, its logarithm in each class.
    Category(Vec<Vec<f64>>),
    Number {
        precision: f64,
        classes: Vec<Normal>,
    },
}

/// A normal distribution of numbers that are known up to a precision.
#[derive(Clone, Copy, Debug)]
struct Normal {
    mean: f64,
    deviation: f64,
}

impl NaiveBayes {
    /// Learns from these cases.
    pub fn learn(cases: &Cases, rows: &[u32]) -> Self {
        let mut counts = vec![1.0; cases.class_count()];
        rows.iter().for_each(|&case| counts[cases.class(case) as usize] += 1.0);
        let total: f64 = counts.iter().sum();
        NaiveBayes {
            prior: counts.iter().map(|count| (count / total).ln()).collect(),
            features: cases
                .features
                .iter()
                .map(|feature| Likelihood::learn(cases, feature, rows))
                .collect(),
        }
    }

    /// The most likely class of a case; the first one of equally likely ones.
    pub fn guess(&self, cases: &Cases, case: u32) -> u32 {
        let mut chances = self.prior.clone();
        for (likelihood, feature) in self.features.iter().zip(&cases.features) {
            if let Some(code) = feature.code(case) {
                likelihood.add_to(&mut chances, feature, code);
            }
        }
        most_likely(&chances)
    }
}

impl Likelihood {
    fn learn(cases: &Cases, feature: &Feature, rows: &[u32]) -> Self {
        let known = rows
            .iter()
            .filter_map(|&case| Some((feature.code(case)?, cases.class(case) as usize)));
        match &feature.numbers {
            None => Likelihood::of_categories(known, feature.distinct, cases.class_count()),
            Some(numbers) => Likelihood::of_numbers(known, numbers, cases.class_count()),
        }
    }

    fn of_categories(known: impl Iterator<Item = (u32, usize)>, distinct: usize, classes: usize) -> Self {
        let mut likelihood = vec![vec![1.0; classes]; distinct];
        let mut totals = vec![distinct as f64; classes];
        for (code, class) in known {
            likelihood[code as usize][class] += 1.0;
            totals[class] += 1.0;
        }
        for (count, total) in likelihood.iter_mut().flat_map(|counts| counts.iter_mut().zip(&totals)) {
            *count = (*count / total).ln();
        }
        Likelihood::Category(likelihood)
    }

    fn of_numbers(known: impl Iterator<Item = (u32, usize)> + Clone, numbers: &[f64], classes: usize) -> Self {
        let precision = precision(known.clone().map(|(code, _)| code), numbers);
        let mut of_class = vec![Vec::new(); classes];
        for (code, class) in known {
            of_class[class].push(rounded(numbers[code as usize], precision));
        }
        Likelihood::Number {
            precision,
            classes: of_class.iter().map(|numbers| Normal::fit(numbers, precision)).collect(),
        }
    }

    fn add_to(&self, chances: &mut [f64], feature: &Feature, code: u32) {
        match (self, &feature.numbers) {
            (Likelihood::Number { precision, classes }, Some(numbers)) => {
                let number = rounded(numbers[code as usize], *precision);
                for (chance, normal) in chances.iter_mut().zip(classes) {
                    *chance += normal.around(number, *precision).max(LEAST_LIKELY).ln();
                }
            }
            (Likelihood::Category(likelihood), _) => {
                for (chance, own) in chances.iter_mut().zip(&likelihood[code as usize]) {
                    *chance += own;
                }
            }
            (Likelihood::Number { .. }, None) => {}
        }
    }
}

/// The average distance of neighbouring distinct numbers: as exact as the numbers are taken to be.
fn precision(known: impl Iterator<Item = u32>, numbers: &[f64]) -> f64 {
    let mut seen = vec![false; numbers.len()];
    known.for_each(|code| seen[code as usize] = true);
    let mut seen = numbers
        .iter()
        .zip(&seen)
        .filter(|(_, seen)| **seen)
        .map(|(number, _)| number);
    let Some(smallest) = seen.next() else {
        return DEFAULT_PRECISION;
    };
    let (steps, largest) = seen.fold((0u32, smallest), |(steps, _), number| (steps + 1, number));
    if steps == 0 {
        DEFAULT_PRECISION
    } else {
        (largest - smallest) / f64::from(steps)
    }
}

fn rounded(number: f64, precision: f64) -> f64 {
    (number / precision).round_ties_even() * precision
}

impl Normal {
    fn fit(numbers: &[f64], precision: f64) -> Self {
        let least = precision / 6.0;
        let count = (numbers.len() as f64).max(1.0);
        let mean = numbers.iter().sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let deviation = (squares / count).sqrt();
        Normal {
            mean,
            deviation: if deviation > NO_DEVIATION {
                deviation.max(least)
            } else {
                least
            },
        }
    }

    /// The chance of a number within half a precision of this one.
    fn around(&self, number: f64, precision: f64) -> f64 {
        // By symmetry on the lower side, where the distribution function keeps its digits.
        let distance = (number - self.mean).abs();
        let below = |distance: f64| 0.5 * libm::erfc(distance / self.deviation / std::f64::consts::SQRT_2);
        below(distance - precision / 2.0) - below(distance + precision / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::cases::tests::cases;

    /// Of four people who play, two play on sunny days; with one more of each of the three outlooks, 3 of 7.
    #[test]
    fn one_more_of_each_category() {
        let days = cases(
            "
            outlook   class
            sunny     play
            sunny     play
            rain      play
            rain      play
            overcast  stay",
        );
        let learnt = NaiveBayes::learn(&days, &days.all());
        let Likelihood::Category(likelihood) = &learnt.features[0] else {
            panic!("words")
        };
        let chance = |code: usize, class: usize| likelihood[code][class].exp();
        assert!((chance(2, 0) - 3.0 / 7.0).abs() < 1e-12);
        assert!((chance(2, 1) - 1.0 / 4.0).abs() < 1e-12);
        assert!((learnt.prior[0].exp() - 5.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn numbers_are_guessed_by_the_nearer_mean() {
        let people = cases(
            "
            age  class
            20   student
            22   student
            24   student
            60   retired
            70   retired
            ?    retired
            23   student
            66   retired",
        );
        let learnt = NaiveBayes::learn(&people, &[0, 1, 2, 3, 4, 5]);
        let guess = |case| learnt.guess(&people, case);
        assert_eq!((guess(6), guess(7)), (people.class(6), people.class(7)));
        // Nothing is known of the age, so the more frequent class is guessed; both are equally frequent.
        assert_eq!(guess(5), 0);
    }

    #[test]
    fn chances_of_all_numbers_are_one_together() {
        let normal = Normal {
            mean: 3.0,
            deviation: 2.0,
        };
        let sum: f64 = (-40..40).map(|number| normal.around(f64::from(number), 1.0)).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
}
