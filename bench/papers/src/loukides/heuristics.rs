//! Tables 4.3 to 4.7: what is lost by finding δ and `s` on a sample.
//!
//! Relative quality loss: by how much the sum of UM and MPM is above that of the best setting on all rows.

use std::path::Path;

use crate::summary::{largest, percent, smallest};
use crate::{Bound, Claim, Result, Sheet};

use super::people::{Normal, People};
use super::recoding::{Recoding, Weighed};
use super::row;
use super::weights::NORMAL;

/// Of the whole table; the thesis has 100,000.
const ROWS: usize = 10_000;

/// The defaults of section 4.2.
const K: u64 = 5;
const SHARE: f64 = 0.02;
const ROUNDS: u32 = 3;

/// The best of all thresholds is taken from so many rounds of halving [0, 1].
const ALL_ROUNDS: u32 = 4;

/// What is varied: the share of rows in the sample (0 for the square root of their number), the standard deviation, `k`.
const SHARES: [f64; 4] = [0.0, 0.02, 0.05, 0.1];
const DEVIATIONS: [f64; 4] = [0.5, 1.0, 2.5, 5.0];
const KS: [u64; 4] = [2, 5, 10, 50];

/// How often `s` is doubled.
const DOUBLINGS: u32 = 5;

/// Thresholds with the score of each.
type Scores = Vec<(f64, f64)>;

/// Tables 4.3 to 4.6: δ.
pub fn threshold_heuristic(_: &Path) -> Result<Sheet> {
    let people = made(2.5)?;
    let default = scores(&people, K, ALL_ROUNDS)?;
    let sizes = SHARES.map(|share| {
        let name = match share {
            0.0 => "√n".to_owned(),
            share => format!("{} %", percent(share)),
        };
        Ok((name, loss(&people, &default, K, share, ROUNDS)?))
    });
    let deviations = DEVIATIONS.map(|deviation| {
        let people = made(deviation)?;
        let scores = scores(&people, K, ALL_ROUNDS)?;
        Ok((deviation.to_string(), loss(&people, &scores, K, SHARE, ROUNDS)?))
    });
    let ks = KS.map(|k| {
        let scores = scores(&people, k, ALL_ROUNDS)?;
        Ok((k.to_string(), loss(&people, &scores, k, SHARE, ROUNDS)?))
    });
    let rounds = [2, 3, ALL_ROUNDS].map(|rounds| {
        let found = loss(&people, &default, K, SHARE, rounds)?;
        Ok((rounds.to_string(), found))
    });
    let tables = [
        Varied::new("4.3: sample size", 4.0, sizes)?,
        Varied::new("4.4: standard deviation", 4.1, deviations)?,
        Varied::new("4.5: k", 0.75, ks)?,
        Varied::new("4.6: rounds", 4.1, rounds)?,
    ];
    Ok(sheet("Tables 4.3 to 4.6 of Loukides: δ found on a sample", &tables))
}

/// Table 4.7: `s`.
pub fn subspace_heuristic(_: &Path) -> Result<Sheet> {
    let people = made(2.5)?;
    let sample = people.sample((SHARE * ROWS as f64) as usize);
    let of_k = |k: u64| -> Result<Vec<(String, f64)>> {
        let sizes: Vec<usize> = (0..DOUBLINGS).map(|doubling| (k as usize) << doubling).collect();
        let score_of = |people: &People| -> Result<Vec<f64>> {
            let scores = sizes.iter().map(|&size| score(people, k, None, Some(size)));
            scores.collect()
        };
        let (on_all, on_sample) = (score_of(&people)?, score_of(&sample)?);
        let best = smallest(on_all.iter().copied());
        let after = |doublings: usize| {
            let place = least(&on_sample[..doublings]);
            let setting = format!("k = {k}, {doublings} sizes");
            (setting, percent((on_all[place] - best) / best))
        };
        Ok((1..=sizes.len()).map(after).collect())
    };
    // A sample of 2 % has few groups of 50.
    let found = [2, 5, 10].map(of_k).into_iter().collect::<Result<Vec<_>>>()?;
    let last = found.iter().filter_map(|of_k| of_k.last().cloned()).collect();
    let all = Varied {
        name: "4.7: any number of sizes",
        paper: 5.56,
        found: found.into_iter().flatten().collect(),
    };
    let last = Varied {
        name: "4.7: all sizes",
        paper: 2.21,
        found: last,
    };
    let mut sheet = sheet("Table 4.7 of Loukides: s found on a sample", &[all]);
    sheet.claims.push(last.claim());
    Ok(sheet)
}

/// One table: a setting that is varied, and the loss for each of its values.
struct Varied {
    name: &'static str,
    /// The largest loss of the thesis, in percent.
    paper: f64,
    found: Vec<(String, f64)>,
}

impl Varied {
    fn new<const N: usize>(name: &'static str, paper: f64, found: [Result<(String, f64)>; N]) -> Result<Varied> {
        let found = found.into_iter().collect::<Result<_>>()?;
        Ok(Varied { name, paper, found })
    }

    fn claim(&self) -> Claim {
        let ours = largest(self.found.iter().map(|&(_, loss)| loss));
        Claim::new(&format!("largest loss, {}", self.name), Bound::AtMost, self.paper, ours)
    }
}

fn sheet(title: &str, tables: &[Varied]) -> Sheet {
    let rows = tables.iter().flat_map(|table| {
        let found = table.found.iter();
        found.map(|(setting, loss)| row([&table.name, setting], &[*loss]))
    });
    Sheet {
        title: title.to_owned(),
        notes: vec![
            format!("{ROWS} made-up rows, normal, standard deviation 2.5; the thesis has 100,000."),
            format!(
                "Unless varied: a sample of {} %, k = {K}, {ROUNDS} rounds; {ALL_ROUNDS} for the best δ of all rows.",
                percent(SHARE)
            ),
        ],
        unit: "percent of the sum of UM and MPM",
        header: vec!["varied", "", "loss"],
        rows: rows.collect(),
        claims: tables.iter().map(Varied::claim).collect(),
    }
}

fn made(deviation: f64) -> Result<People> {
    People::normal(&Normal {
        rows: ROWS,
        deviation,
        ..NORMAL
    })
}

/// What is lost by the threshold that is best on a sample, in percent of the best on all rows.
fn loss(people: &People, on_all: &Scores, k: u64, share: f64, rounds: u32) -> Result<f64> {
    let rows = people.table.rows() as f64;
    let size = if share == 0.0 { rows.sqrt() } else { share * rows };
    let on_sample = scores(&people.sample(size as usize), k, rounds)?;
    let found = on_sample[least(&on_sample.iter().map(|&(_, score)| score).collect::<Vec<_>>())].0;
    let best = smallest(on_all.iter().map(|&(_, score)| score));
    // The rounds of the sample are the first of those on all rows.
    let scored = on_all.iter().find(|&&(threshold, _)| threshold == found);
    Ok(scored.map_or(f64::NAN, |&(_, score)| percent((score - best) / best)))
}

/// The middles of 2, 4, 8 … intervals of [0, 1], each with its score.
fn scores(people: &People, k: u64, rounds: u32) -> Result<Scores> {
    let middles = |round: u32| (0..1u32 << round).map(move |at| (f64::from(at) + 0.5) / f64::from(1u32 << round));
    let thresholds = (1..=rounds).flat_map(middles);
    let scored = thresholds.map(|threshold| Ok((threshold, score(people, k, Some(threshold), None)?)));
    scored.collect()
}

/// The sum of UM and MPM.
fn score(people: &People, k: u64, threshold: Option<f64>, subspace: Option<usize>) -> Result<f64> {
    let weighed = Weighed {
        threshold,
        subspace,
        ..Weighed::EVENLY
    };
    let figures = Recoding::Toc(weighed).release(people, k)?.figures();
    Ok(figures.utility + figures.protection)
}

/// The place of the smallest number; the first of equals.
fn least(numbers: &[f64]) -> usize {
    let mut best = 0;
    for (place, number) in numbers.iter().enumerate() {
        if *number < numbers[best] {
            best = place;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equals_is_least() {
        assert_eq!(least(&[0.5, 0.3, 0.3]), 1);
    }

    /// On the whole table as its own sample nothing is lost.
    #[test]
    fn a_sample_of_all_rows_loses_nothing() {
        let people = made(2.5).unwrap().sample(300);
        let on_all = scores(&people, 5, 2).unwrap();
        assert_eq!(loss(&people, &on_all, 5, 1.0, 2).unwrap(), 0.0);
    }
}
