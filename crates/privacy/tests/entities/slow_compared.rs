//! What compares a group with the whole, as its definitions read: shares of lists of texts.

use std::collections::{BTreeMap, BTreeSet};

use scumble_privacy::Distance;

/// The rows of a group: a text, and whose it is.
pub type Rows<'r> = Vec<(&'r str, usize)>;

/// The share of rows of a group that have each text.
fn shares_of_rows<'r>(group: &Rows<'r>) -> BTreeMap<&'r str, f64> {
    let mut shares = BTreeMap::new();
    for (text, _) in group {
        *shares.entry(*text).or_insert(0.0) += 1.0 / group.len() as f64;
    }
    shares
}

/// The share of persons of a group that have each text in one of their rows.
fn shares_of_persons<'r>(group: &Rows<'r>) -> BTreeMap<&'r str, f64> {
    let persons: BTreeSet<usize> = group.iter().map(|&(_, person)| person).collect();
    let having: BTreeSet<(&str, usize)> = group.iter().copied().collect();
    let mut shares = BTreeMap::new();
    for (text, _) in having {
        *shares.entry(text).or_insert(0.0) += 1.0 / persons.len() as f64;
    }
    shares
}

/// The average over all groups, each weighed by `size`.
fn whole<'r>(
    groups: &[Rows<'r>],
    shares: impl Fn(&Rows<'r>) -> BTreeMap<&'r str, f64>,
    size: impl Fn(&Rows<'r>) -> usize,
) -> BTreeMap<&'r str, f64> {
    let all: usize = groups.iter().map(&size).sum();
    let mut whole = BTreeMap::new();
    for group in groups {
        for (text, share) in shares(group) {
            *whole.entry(text).or_insert(0.0) += share * size(group) as f64 / all as f64;
        }
    }
    whole
}

/// For each group, the worse of what `level` makes of shares and those of the whole, by rows and by persons.
fn both_ways<'r>(
    groups: &[Rows<'r>],
    level: impl Fn(&BTreeMap<&'r str, f64>, &BTreeMap<&'r str, f64>) -> f64,
) -> Vec<f64> {
    let persons = |group: &Rows| group.iter().map(|row| row.1).collect::<BTreeSet<usize>>().len();
    let all_rows = whole(groups, shares_of_rows, Vec::len);
    let all_persons = whole(groups, shares_of_persons, persons);
    let worse = |group: &Rows<'r>| {
        let by_rows = level(&shares_of_rows(group), &all_rows);
        by_rows.max(level(&shares_of_persons(group), &all_persons))
    };
    groups.iter().map(worse).collect()
}

pub fn disclosures(groups: &[Rows]) -> Vec<f64> {
    both_ways(groups, |own, whole| {
        let change = |(text, q): (&&str, &f64)| own.get(text).map_or(f64::INFINITY, |p| (p / q).ln().abs());
        whole.iter().map(change).fold(0.0, f64::max)
    })
}

pub fn gains(groups: &[Rows], enhanced: bool) -> Vec<f64> {
    both_ways(groups, |own, whole| {
        let gain = |(text, p): (&&str, &f64)| {
            let q = whole[text];
            let gain = (p - q) / q;
            if enhanced && gain > -q.ln() + 1e-9 {
                f64::INFINITY
            } else {
                gain
            }
        };
        own.iter().map(gain).fold(0.0, f64::max)
    })
}

pub fn distances(groups: &[Rows], distance: &Distance) -> Vec<f64> {
    let whole = whole(groups, shares_of_rows, Vec::len);
    // What is missing is after all that is there.
    let mut texts: Vec<&str> = whole.keys().copied().collect();
    texts.sort_by_key(|text| (text.is_empty(), *text));
    let of_group = |group: &Rows| {
        let own = shares_of_rows(group);
        let extra = texts.iter().map(|text| own.get(text).unwrap_or(&0.0) - whole[text]);
        let extra: Vec<f64> = extra.collect();
        match distance {
            Distance::Ordered => {
                let passing = (1..texts.len()).map(|place| extra[..place].iter().sum::<f64>().abs());
                passing.sum::<f64>() / (texts.len() as f64 - 1.0).max(1.0)
            }
            Distance::Equal => moved(extra, &[|_: usize, _: usize| true], &[1.0]),
            // x and y are at half of the way that all others are apart.
            Distance::Taxonomy(_) => {
                let near = |a: usize, b: usize| [texts[a], texts[b]].iter().all(|text| ["x", "y"].contains(text));
                let outside = |a: usize| !["x", "y", "z"].contains(&texts[a]);
                let same = |a: usize, b: usize| outside(a) && outside(b);
                let any = |_: usize, _: usize| true;
                let steps: [&dyn Fn(usize, usize) -> bool; 3] = [&same, &near, &any];
                moved(extra, &steps, &[0.0, 0.5, 1.0])
            }
        }
    };
    groups.iter().map(of_group).collect()
}

/// What moving earth costs where all that is near is nearer to each other than to anything else: the nearest first.
fn moved(mut extra: Vec<f64>, are_near: &[impl Fn(usize, usize) -> bool], cost: &[f64]) -> f64 {
    let mut work = 0.0;
    for (are_near, cost) in are_near.iter().zip(cost) {
        for a in 0..extra.len() {
            for b in 0..extra.len() {
                if extra[a] > 0.0 && extra[b] < 0.0 && are_near(a, b) {
                    let earth = extra[a].min(-extra[b]);
                    extra[a] -= earth;
                    extra[b] += earth;
                    work += earth * cost;
                }
            }
        }
    }
    work
}
