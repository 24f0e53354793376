//! Choosing the test of a node: the best gain ratio among the tests that gain at least as much as the average one.
//!
//! | outlook | windy | class |
//! |---|---|---|
//! | sunny | no | stay |
//! | sunny | yes | stay |
//! | rain | no | play |
//! | rain | yes | play |
//!
//! `outlook` gains one bit and also splits one bit, so its ratio is 1; `windy` gains nothing and is never chosen.
//!
//! # Source
//! Quinlan 1993, *C4.5: Programs for Machine Learning*, chapter 2; Quinlan 1996, *Improved use of continuous attributes
//! in C4.5* (the correction for thresholds). Where these leave room we do as J48 of Weka does, so that the trees are
//! the same; but J48 takes numbers closer than 0.00001 for equal, and we do not.
//!
//! # Cost
//! Per node and feature, linear in the cases where they can be sorted by counting, else that of sorting them.

use rayon::prelude::*;
use scumble_progress::Work;

use super::counts::{ClassCounts, n_log_n};
use super::test::Test;
use super::weighted::{SMALL, Weighted};
use crate::classify::Cases;
use crate::classify::cases::Feature;

/// At least two outcomes of a test hold this many cases.
const MIN_CASES: f64 = 2.0;

/// With fewer cases, sharing the work between threads costs more than it brings.
pub(super) const PARALLEL_FROM: usize = 1000;

/// A gain this much below the average still counts as average.
const NEARLY_AVERAGE: f64 = 1e-3;

/// A feature with as many categories as this share of all cases is left out of the average gain: it gains much by
/// telling everybody apart.
const MANY_CATEGORIES: f64 = 0.3;

/// Each side of a threshold holds this share of the average class, but not fewer than [`MIN_CASES`] and not more than
/// [`ENOUGH_CASES`].
const SHARE_OF_CLASS: f64 = 0.1;

/// See [`SHARE_OF_CLASS`].
const ENOUGH_CASES: f64 = 25.0;

/// A test that a node could ask, and what it is worth.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub test: Test,
    /// Information gain in bits; for a threshold, less what choosing among the thresholds costs.
    pub gain: f64,
    /// The gain by the information of the split itself.
    pub ratio: f64,
}

/// What all nodes of a tree share: the cases that it is grown from.
pub struct Training<'c> {
    pub cases: &'c Cases,
    rows: usize,
    /// For each feature of numbers, the ranks that occur in training, in order.
    ranks: Vec<Vec<u32>>,
    pub work: Work<'c>,
}

impl<'c> Training<'c> {
    pub fn new(cases: &'c Cases, rows: &[u32], work: Work<'c>) -> Self {
        let ranks = |feature: &Feature| match feature.numbers {
            None => Vec::new(),
            Some(_) => {
                let mut ranks: Vec<u32> = rows.iter().filter_map(|&case| feature.code(case)).collect();
                ranks.sort_unstable();
                ranks.dedup();
                ranks
            }
        };
        Training {
            cases,
            rows: rows.len(),
            ranks: cases.features.iter().map(ranks).collect(),
            work,
        }
    }
}

/// The test of a node with these cases, if one is worth asking.
pub fn choose(training: &Training, rows: &[Weighted], counts: &ClassCounts) -> Option<Test> {
    if counts.total() < 2.0 * MIN_CASES - SMALL || counts.is_pure() {
        return None;
    }
    let candidates = candidates(training, rows, counts.total());
    let average = average_gain(training, &candidates)?;
    let mut best: Option<&Candidate> = None;
    for candidate in candidates.iter().filter(|own| own.gain >= average - NEARLY_AVERAGE) {
        if candidate.ratio > best.map_or(0.0, |best| best.ratio) + SMALL {
            best = Some(candidate);
        }
    }
    best.map(|best| best.test.clone())
}

/// The best test of each feature that has one, in the order of the features.
pub fn candidates(training: &Training, rows: &[Weighted], total: f64) -> Vec<Candidate> {
    let features = 0..training.cases.features.len();
    let weigh = |feature: usize| weigh(training, feature, rows, total);
    if rows.len() >= PARALLEL_FROM {
        let features = features.into_par_iter().filter(|_| !training.work.should_stop());
        features.filter_map(weigh).collect()
    } else {
        features.filter_map(weigh).collect()
    }
}

fn average_gain(training: &Training, candidates: &[Candidate]) -> Option<f64> {
    let cases = training.cases;
    let many = MANY_CATEGORIES * training.rows as f64;
    let has_few = |feature: &Feature| feature.numbers.is_some() || (feature.distinct as f64) < many - SMALL;
    let none_has_few = !cases.features.iter().any(has_few);
    let gains: Vec<f64> = candidates
        .iter()
        .filter(|candidate| none_has_few || has_few(&cases.features[candidate.test.feature()]))
        .map(|candidate| candidate.gain)
        .collect();
    (!gains.is_empty()).then(|| gains.iter().sum::<f64>() / gains.len() as f64)
}

fn weigh(training: &Training, feature: usize, rows: &[Weighted], total: f64) -> Option<Candidate> {
    let cases = training.cases;
    let known = in_order(cases, &cases.features[feature], rows);
    let node = Node {
        feature,
        classes: cases.class_count(),
        known: &known,
        total,
    };
    match &cases.features[feature].numbers {
        None => node.by_category(cases.features[feature].distinct),
        Some(numbers) => node.by_threshold(numbers, &training.ranks[feature]),
    }
}

/// A case with a known value.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    code: u32,
    class: u32,
    weight: f64,
}

/// The cases whose value is known, in the order of their codes.
fn in_order(cases: &Cases, feature: &Feature, rows: &[Weighted]) -> Vec<Known> {
    let known = rows.iter().filter_map(|row| {
        Some(Known {
            code: feature.code(row.case)?,
            class: cases.class(row.case),
            weight: row.weight,
        })
    });
    // Counting takes time by the codes, which in a small node may be far more than the cases.
    if feature.distinct <= 4 * rows.len() {
        sorted_by_counting(known, feature.distinct)
    } else {
        let mut known: Vec<Known> = known.collect();
        known.sort_by_key(|own| own.code);
        known
    }
}

fn sorted_by_counting(known: impl Iterator<Item = Known> + Clone, distinct: usize) -> Vec<Known> {
    let mut next = vec![0usize; distinct + 1];
    for own in known.clone() {
        next[own.code as usize + 1] += 1;
    }
    for code in 1..=distinct {
        next[code] += next[code - 1];
    }
    let mut sorted = vec![Known::default(); next[distinct]];
    for own in known {
        sorted[next[own.code as usize]] = own;
        next[own.code as usize] += 1;
    }
    sorted
}

/// The cases of a node as one feature orders them.
struct Node<'n> {
    feature: usize,
    classes: usize,
    known: &'n [Known],
    /// The weight of all cases of the node, those with a missing value too.
    total: f64,
}

impl Node<'_> {
    fn groups(&self) -> impl Iterator<Item = &[Known]> {
        self.known.chunk_by(|a, b| a.code == b.code)
    }

    fn counts(&self) -> ClassCounts {
        let mut counts = ClassCounts::none(self.classes);
        self.known.iter().for_each(|own| counts.add(own.class, own.weight));
        counts
    }

    /// At least two categories must hold [`MIN_CASES`].
    fn by_category(&self, categories: usize) -> Option<Candidate> {
        let mut left = 0.0;
        let mut sizes = Vec::new();
        let mut counts = ClassCounts::none(self.classes);
        for group in self.groups() {
            counts.clear();
            group.iter().for_each(|own| counts.add(own.class, own.weight));
            left += counts.entropy();
            sizes.push(counts.total());
        }
        let large = sizes.iter().filter(|&&size| size > MIN_CASES - SMALL).count();
        (large >= 2).then(|| {
            let gain = self.gain(self.counts().entropy(), left);
            Candidate {
                test: Test::Category {
                    feature: self.feature,
                    categories,
                },
                gain,
                ratio: self.ratio(gain, &sizes),
            }
        })
    }

    fn by_threshold(&self, numbers: &[f64], ranks: &[u32]) -> Option<Candidate> {
        let mut above = self.counts();
        let mut below = ClassCounts::none(self.classes);
        let before = above.entropy();
        let smallest_side = (SHARE_OF_CLASS * above.total() / self.classes as f64).clamp(MIN_CASES, ENOUGH_CASES);
        let mut thresholds = 0u32;
        let mut best: Option<(f64, [u32; 2], [f64; 2])> = None;

        let mut groups = self.groups().peekable();
        while let (Some(group), Some(next)) = (groups.next(), groups.peek()) {
            for own in group {
                below.add(own.class, own.weight);
                above.take(own.class, own.weight);
            }
            let sides = [below.total(), above.total()];
            if sides.iter().any(|&side| side <= smallest_side - SMALL) {
                continue;
            }
            thresholds += 1;
            let gain = self.gain(before, below.entropy() + above.entropy());
            if gain > best.map_or(0.0, |(gain, ..)| gain) + SMALL {
                best = Some((gain, [group[0].code, next[0].code], sides));
            }
        }

        let (gain, between, sides) = best?;
        let gain = gain - f64::from(thresholds).log2() / self.total;
        (gain >= SMALL).then(|| Candidate {
            test: Test::AtMost {
                feature: self.feature,
                rank: threshold(numbers, ranks, between),
            },
            gain,
            ratio: self.ratio(gain, &sides),
        })
    }

    /// Cases with a missing value gain nothing.
    fn gain(&self, before: f64, left: f64) -> f64 {
        let gained = before - left;
        if gained < SMALL { 0.0 } else { gained / self.total }
    }

    /// Cases with a missing value are a group of their own here.
    fn ratio(&self, gain: f64, sizes: &[f64]) -> f64 {
        let missing = self.total - sizes.iter().sum::<f64>();
        let groups = sizes.iter().chain([&missing]).map(|&size| n_log_n(size)).sum::<f64>();
        let split = n_log_n(self.total) - groups;
        if split < SMALL { 0.0 } else { gain * self.total / split }
    }
}

/// The largest number of all training cases that is not above the middle, as a rank: every threshold is a number that
/// the data holds.
fn threshold(numbers: &[f64], ranks: &[u32], between: [u32; 2]) -> u32 {
    let [low, high] = between;
    let middle = numbers[low as usize].midpoint(numbers[high as usize]);
    // Neighbours among the floating-point numbers have no middle of their own, so the upper one is left out by rank.
    let not_above = ranks.partition_point(|&rank| rank < high && numbers[rank as usize] <= middle);
    not_above.checked_sub(1).map_or(low, |place| ranks[place])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::classify::cases::tests::cases;

    /// The information of a list of classes and weights, by its definition.
    fn information(weights: impl Iterator<Item = (u32, f64)>) -> f64 {
        let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
        weights.for_each(|(key, weight)| *counts.entry(key).or_default() += weight);
        let total: f64 = counts.values().sum();
        let bits = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
        counts.values().map(|weight| bits(weight / total)).sum()
    }

    /// Gain and information of the split of cases into groups; `None` is the group of missing values.
    fn slow_gain(cases: &Cases, rows: &[Weighted], group: impl Fn(u32) -> Option<u32>) -> (f64, f64) {
        let total: f64 = rows.iter().map(|row| row.weight).sum();
        let classes = |part: &[Weighted]| information(part.iter().map(|row| (cases.class(row.case), row.weight)));
        let known: Vec<Weighted> = rows.iter().filter(|row| group(row.case).is_some()).copied().collect();
        let weight = |part: &[Weighted]| part.iter().map(|row| row.weight).sum::<f64>();
        let mut groups: BTreeMap<u32, Vec<Weighted>> = BTreeMap::new();
        for row in &known {
            groups.entry(group(row.case).unwrap()).or_default().push(*row);
        }
        let left: f64 = groups
            .values()
            .map(|part| weight(part) / weight(&known) * classes(part))
            .sum();
        let gain = weight(&known) / total * (classes(&known) - left);
        let split = information(
            rows.iter()
                .map(|row| (group(row.case).map_or(u32::MAX, |own| own), row.weight)),
        );
        (gain, split)
    }

    /// The weight of the cases in a group.
    fn size(rows: &[Weighted], is_in: impl Fn(u32) -> bool) -> f64 {
        rows.iter().filter(|row| is_in(row.case)).map(|row| row.weight).sum()
    }

    fn slow_category(cases: &Cases, feature: &Feature, rows: &[Weighted]) -> Option<(f64, f64)> {
        let large = |code: &u32| size(rows, |case| feature.code(case) == Some(*code)) >= MIN_CASES;
        if (0..feature.distinct as u32).filter(large).count() < 2 {
            return None;
        }
        let (gain, split) = slow_gain(cases, rows, |case| feature.code(case));
        Some((gain, gain / split))
    }

    fn slow_threshold(cases: &Cases, feature: &Feature, rows: &[Weighted]) -> Option<(f64, f64)> {
        let known = size(rows, |case| feature.code(case).is_some());
        let least = (known / 10.0 / cases.class_count() as f64).clamp(2.0, 25.0);
        let mut codes: Vec<u32> = rows.iter().filter_map(|row| feature.code(row.case)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.pop();
        let side = |case, threshold| feature.code(case).map(|code| u32::from(code > threshold));
        let is_large = |code: &u32| (0..2).all(|own| size(rows, |case| side(case, *code) == Some(own)) >= least);
        let thresholds: Vec<u32> = codes.into_iter().filter(is_large).collect();
        let mut best = (0.0, 1.0);
        for &threshold in &thresholds {
            let own = slow_gain(cases, rows, |case| side(case, threshold));
            if own.0 > best.0 + SMALL {
                best = own;
            }
        }
        let gain = best.0 - (thresholds.len() as f64).log2() / size(rows, |_| true);
        (best.0 > 0.0 && gain >= SMALL).then(|| (gain, gain / best.1))
    }

    /// Rows of a small table: two features of words, two of numbers, a class, and a weight in quarters.
    fn rows() -> impl Strategy<Value = Vec<([u32; 5], u32)>> {
        let row = ([0..4u32, 0..9, 0..6, 0..40, 0..3], 1..=4u32);
        proptest::collection::vec(row, 1..50)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// Gains and ratios are those of the definitions, with missing values and with parts of cases.
        #[test]
        fn agrees_with_the_definitions(rows in rows()) {
            let cell = |value: u32, word: &str| if value == 0 { "?".to_owned() } else { format!("{word}{value}") };
            let line = |([a, b, c, d, class], _): &([u32; 5], u32)| {
                let cells = [cell(*a, "a"), cell(*b, "b"), cell(*c, ""), cell(*d, ""), format!("c{class}")];
                cells.join(" ") + "\n"
            };
            let table: String = rows.iter().map(line).collect();
            let cases = cases(&format!("a b c d class\n{table}"));
            let weighted: Vec<Weighted> = rows
                .iter()
                .zip(0..)
                .map(|((_, quarters), case)| Weighted { case, weight: f64::from(*quarters) / 4.0 })
                .collect();
            let total = size(&weighted, |_| true);
            let found = candidates(&Training::new(&cases, &cases.all(), Work::unwatched()), &weighted, total);
            for (place, feature) in cases.features.iter().enumerate() {
                let fast = found.iter().find(|candidate| candidate.test.feature() == place);
                let slow = match feature.numbers {
                    None => slow_category(&cases, feature, &weighted),
                    Some(_) => slow_threshold(&cases, feature, &weighted),
                };
                prop_assert_eq!(fast.is_some(), slow.is_some(), "{}", feature.name);
                if let (Some(fast), Some((gain, ratio))) = (fast, slow) {
                    prop_assert!((fast.gain - gain).abs() < 1e-6, "{}: {} {}", feature.name, fast.gain, gain);
                    prop_assert!((fast.ratio - ratio).abs() < 1e-5, "{}: {} {}", feature.name, fast.ratio, ratio);
                }
            }
        }
    }

    /// In the second, as if the whole column had far more numbers than the node has cases.
    #[test]
    fn the_two_ways_of_sorting_agree() {
        let people = cases(
            "
            age  class
            30   a
            10   b
            20   a
            10   c",
        );
        let feature = &people.features[0];
        let rows: Vec<Weighted> = (0..4).map(|case| Weighted { case, weight: 1.0 }).collect();
        let by_counting = in_order(&people, feature, &rows);
        let mut many = feature.clone();
        many.distinct = 1000;
        let by_comparing = in_order(&people, &many, &rows);
        let pairs = |known: &[Known]| known.iter().map(|own| (own.code, own.class)).collect::<Vec<_>>();
        assert_eq!(pairs(&by_counting), [(0, 1), (0, 2), (1, 0), (2, 0)]);
        assert_eq!(pairs(&by_counting), pairs(&by_comparing));
    }
}
