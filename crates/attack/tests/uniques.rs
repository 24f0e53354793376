//! Estimates of the population uniques, against populations whose uniques are known and against slow versions of the
//! models; that of the negative binomial one is beside its code.

use fastrand::Rng;
use proptest::prelude::*;
use scumble_attack::{GroupSizes, PopulationTooSmall, PopulationUniques, UniquesModel, uniques};

/// A population of so many people.
const PEOPLE: usize = 100_000;

fn groups(sizes: &[u64]) -> GroupSizes {
    sizes.iter().copied().collect()
}

/// The groups of people who are of one kind.
fn groups_of_kinds(kinds: &[usize]) -> GroupSizes {
    let mut kinds = kinds.to_vec();
    kinds.sort_unstable();
    kinds.chunk_by(|a, b| a == b).map(|equal| equal.len() as u64).collect()
}

/// Draws values whose frequency falls with their rank, the faster the larger the skew; without skew all are alike.
struct Zipf {
    /// For each value the probability that it or one before it is drawn.
    up_to: Vec<f64>,
}

impl Zipf {
    fn new(values: usize, skew: f64) -> Self {
        let weights = (1..=values).map(|rank| (rank as f64).powf(-skew));
        let all: f64 = weights.clone().sum();
        let up_to = weights.scan(0.0, |sum, weight| {
            *sum += weight / all;
            Some(*sum)
        });
        Zipf { up_to: up_to.collect() }
    }

    fn draw(&self, random: &mut Rng) -> usize {
        let drawn = random.f64();
        self.up_to
            .partition_point(|&up_to| up_to < drawn)
            .min(self.up_to.len() - 1)
    }
}

/// A population in random order: each column has so many values with such a skew, and a kind is one value of each.
fn population(columns: &[(usize, f64)]) -> Vec<usize> {
    let mut random = Rng::with_seed(7);
    let columns: Vec<Zipf> = columns.iter().map(|&(values, skew)| Zipf::new(values, skew)).collect();
    let mut kind = || {
        columns
            .iter()
            .fold(0, |kind, column| kind * column.up_to.len() + column.draw(&mut random))
    };
    (0..PEOPLE).map(|_| kind()).collect()
}

/// Age, sex, a skewed place and job; fewer of them; one very skewed column; one that is less so.
const SKEWED: [&[(usize, f64)]; 4] = [
    &[(80, 0.0), (2, 0.0), (300, 1.0), (30, 1.0)],
    &[(80, 0.0), (50, 1.2), (16, 0.5)],
    &[(100_000, 1.0)],
    &[(1_000_000, 0.7)],
];

fn recommended(kinds: &[usize], rows: usize) -> (UniquesModel, f64) {
    let found = uniques(&groups_of_kinds(&kinds[..rows]), kinds.len() as u64).unwrap();
    let recommended = found.recommended.unwrap();
    (recommended.model, recommended.uniques)
}

/// The more of the population is in the release, the nearer: this is what the page on the figures promises.
#[test]
fn the_recommended_estimate_is_near_the_uniques_of_skewed_populations() {
    for columns in SKEWED {
        let kinds = population(columns);
        let truth = groups_of_kinds(&kinds).groups_of(1) as f64;
        for (percent, tolerance) in [(5, 0.6), (10, 0.4), (20, 0.25), (50, 0.1), (90, 0.02)] {
            let (model, estimate) = recommended(&kinds, PEOPLE / 100 * percent);
            let off = (estimate / truth - 1.0).abs();
            assert!(off < tolerance, "{columns:?} {percent} %: {estimate} of {truth}");
            assert_eq!(percent <= 10, model == UniquesModel::Pitman);
        }
    }
}

/// All kinds are equally frequent and hold five people on average, but a small sample of them looks like one of people
/// who are nearly all alone. No model sees through that before half of the population is there.
#[test]
fn estimates_are_far_too_high_where_many_kinds_are_equally_frequent() {
    let kinds = population(&[(20_000, 0.0)]);
    let truth = groups_of_kinds(&kinds).groups_of(1) as f64;
    assert!(recommended(&kinds, PEOPLE / 10).1 > 10.0 * truth);
    assert!((recommended(&kinds, PEOPLE / 2).1 / truth - 1.0).abs() < 0.2);
}

/// People join groups as Pitman's model has it, so the sample is the beginning of the population.
#[test]
fn pitman_finds_the_uniques_of_a_population_that_follows_it() {
    let mut random = Rng::with_seed(3);
    for (alpha, theta) in [(0.0, 300.0), (0.4, 20.0), (0.8, 5.0)] {
        let mut sizes: Vec<u64> = Vec::new();
        let mut sample = GroupSizes::default();
        // Whom the next person joins: a person drawn from those before, whose group then is drawn by its size.
        let mut group_of: Vec<usize> = Vec::new();
        for people in 0..PEOPLE {
            let opens = random.f64() * (people as f64 + theta) < theta + alpha * sizes.len() as f64;
            let group = if opens {
                sizes.len()
            } else {
                join(&mut random, &group_of, &sizes, alpha)
            };
            if opens {
                sizes.push(0);
            }
            sizes[group] += 1;
            group_of.push(group);
            if people + 1 == PEOPLE / 20 {
                sample = groups(&sizes);
            }
        }
        let truth = groups(&sizes).groups_of(1) as f64;
        let estimate = uniques(&sample, PEOPLE as u64).unwrap().pitman.unwrap();
        assert!(
            (estimate / truth - 1.0).abs() < 0.15,
            "{alpha} {theta}: {estimate} of {truth}"
        );
    }
}

/// A group drawn with a weight of its size less α: one of its size, which is then refused with probability α / size.
fn join(random: &mut Rng, group_of: &[usize], sizes: &[u64], alpha: f64) -> usize {
    loop {
        let group = group_of[random.usize(..group_of.len())];
        if random.f64() * sizes[group] as f64 >= alpha {
            return group;
        }
    }
}

/// The logarithm of the likelihood of the sizes under Pitman's model, the parts without α and θ left away.
fn log_likelihood(sizes: &[u64], alpha: f64, theta: f64) -> f64 {
    let rows: u64 = sizes.iter().sum();
    let opened: f64 = (1..sizes.len()).map(|i| (theta + i as f64 * alpha).ln()).sum();
    let joined: f64 = (1..rows).map(|i| (theta + i as f64).ln()).sum();
    let filled = sizes.iter().flat_map(|&size| 1..size);
    opened - joined + filled.map(|i| (i as f64 - alpha).ln()).sum::<f64>()
}

/// Goes uphill on an ever finer grid of α and of ln(θ + α).
fn slow_pitman(sizes: &[u64], people: u64) -> f64 {
    let (mut alpha, mut log): (f64, f64) = (0.5, 0.0);
    let mut step = 0.5;
    while step > 1e-7 {
        let around = [-1.0, 0.0, 1.0].map(|up| up * step);
        let near = around.iter().flat_map(|a| around.map(|l| (alpha + a, log + 8.0 * l)));
        let near = near.filter(|(alpha, _)| (0.0..1.0).contains(alpha));
        let height = |(alpha, log): &(f64, f64)| log_likelihood(sizes, *alpha, log.exp() - alpha);
        let best = near.max_by(|a, b| height(a).total_cmp(&height(b))).unwrap();
        if best == (alpha, log) {
            step /= 2.0;
        }
        (alpha, log) = best;
    }
    let theta = log.exp() - alpha;
    (1..people).fold(people as f64, |uniques, others| {
        uniques * (others as f64 - 1.0 + theta + alpha) / (others as f64 + theta)
    })
}

#[test]
fn pitman_is_the_most_likely_of_all() {
    for sizes in [
        vec![1, 1, 1, 2, 3, 5],
        vec![1, 2],
        vec![1, 1, 1, 1, 1, 1, 1, 1, 2],
        vec![1, 40, 40, 40],
        [vec![1; 60], vec![2; 20], vec![3; 9], vec![10, 25]].concat(),
    ] {
        let fast = uniques(&groups(&sizes), 5_000).unwrap().pitman.unwrap();
        let slow = slow_pitman(&sizes, 5_000);
        assert!((fast / slow - 1.0).abs() < 1e-3, "{sizes:?}: {fast} {slow}");
    }
}

/// Four rows of ten people, in groups of 1, 1 and 2. A group of one leaves one person in such a sample with probability 4/10,
/// a group of two with 2 · 4 · 6 / (10 · 9) = 48/90. So 2 · 4/10 of 2 · 4/10 + 48/90 groups that leave one had one, 3/5,
/// and 2 · 3/5 rows alone are 3 people alone out of ten.
#[test]
fn zayatz_reasons_backwards_from_who_is_alone() {
    let found = uniques(&groups(&[1, 1, 2]), 10).unwrap();
    assert!((found.zayatz.unwrap() - 3.0).abs() < 1e-12);
}

fn estimates(found: &PopulationUniques) -> [Option<f64>; 4] {
    let recommended = found.recommended.map(|recommended| recommended.uniques);
    [found.pitman, found.zayatz, found.snb, recommended]
}

#[test]
fn a_population_smaller_than_the_release_is_an_error() {
    let error = uniques(&groups(&[1, 2]), 2).unwrap_err();
    assert_eq!(error, PopulationTooSmall { people: 2, rows: 3 });
    assert_eq!(
        error.to_string(),
        "a population of 2 people cannot hold the 3 rows of the release"
    );
}

#[test]
fn an_empty_release_says_nothing() {
    for people in [0, 1_000] {
        assert_eq!(estimates(&uniques(&groups(&[]), people).unwrap()), [None; 4]);
    }
}

#[test]
fn where_no_row_is_alone_no_row_is_unique_in_the_population() {
    let found = uniques(&groups(&[2, 2, 7]), 1_000).unwrap();
    assert_eq!((found.sample, estimates(&found)), (0, [Some(0.0); 4]));
}

#[test]
fn the_whole_population_is_counted() {
    let found = uniques(&groups(&[1, 1, 2, 5]), 9).unwrap();
    assert_eq!((found.sampling_fraction, estimates(&found)), (1.0, [Some(2.0); 4]));
}

/// Nothing tells how fast groups fill up: Zayatz takes everybody for alone, and the others do not fit.
#[test]
fn where_every_row_is_alone_only_zayatz_answers() {
    for rows in [1, 3, 50, 77] {
        let found = uniques(&groups(&vec![1; rows]), 501).unwrap();
        assert_eq!(found.sample, rows as u64);
        assert_eq!((found.pitman, found.snb), (None, None));
        assert!((found.zayatz.unwrap() - 501.0).abs() < 1e-9, "{rows} rows");
        assert_eq!(found.recommended.unwrap().model, UniquesModel::Zayatz);
    }
}

proptest! {
    /// Sizes that no sample would have, too.
    #[test]
    fn no_more_people_are_alone_than_there_are(
        sizes in prop::collection::vec(prop_oneof![Just(1), 1..4u64, 1..1_000_000u64], 1..40),
        others in prop_oneof![Just(0), 0..50u64, 0..1_000_000_000_000u64],
    ) {
        let sizes = groups(&sizes);
        let people = sizes.rows() + others;
        let found = uniques(&sizes, people).unwrap();
        prop_assert!(found.zayatz.is_some() && found.recommended.is_some());
        for estimate in estimates(&found).into_iter().flatten() {
            prop_assert!((0.0..=people as f64).contains(&estimate), "{found:?}");
        }
    }
}
