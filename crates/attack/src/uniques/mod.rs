//! [`PopulationUniques`]: how many people of the population are probably alone, judged from a sample of them.
//!
//! A row that is alone in a release need not be alone among all the people from whom the release was drawn. How many
//! people are cannot be counted without a table of them all, but the sizes of the groups say how fast groups fill up. Each
//! model reads that in its own way:
//!
//! | model | takes | good for |
//! |---|---|---|
//! | Pitman | group sizes as a partition of the sample that the population goes on with | small samples |
//! | Zayatz | sizes in the sample as the sizes in the population | large samples |
//! | SNB | sizes in the population as 1 + a negative binomial number | large samples |
//!
//! All take the release for a simple random sample. They estimate: for one table they may be off by a factor, and nothing
//! in the table tells.
//!
//! # Source
//! The rule which of them to believe is that of Dankar, El Emam, Neisa and Roffey: *Estimating the re-identification risk of
//! clinical data sets*, BMC Medical Informatics and Decision Making 12:66, 2012. Up to a sampling fraction of 0.1 it takes
//! Pitman, above it the smaller of Zayatz and SNB. Where the one it takes has no answer, Zayatz stands in here.
//!
//! # Cost
//! None that is felt: it follows the largest group.

mod bisection;
mod pitman;
mod sample;
mod snb;
mod zayatz;

use serde::Serialize;

use crate::sizes::GroupSizes;
use sample::Sample;

/// How many people of the population are probably alone on the columns of a release.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PopulationUniques {
    /// People in the population.
    pub people: u64,
    /// The share of them who are in the release.
    pub sampling_fraction: f64,
    /// Rows of the release that are alone.
    pub sample: u64,
    /// The estimate by Pitman's model; `None` if it does not fit the sizes.
    pub pitman: Option<f64>,
    /// The estimate by Zayatz' model; `None` if it does not fit the sizes.
    pub zayatz: Option<f64>,
    /// The estimate by the slide negative binomial model; `None` if it does not fit the sizes.
    pub snb: Option<f64>,
    /// The estimate to believe at this sampling fraction; `None` if no model has one.
    pub recommended: Option<Recommended>,
}

/// An estimate of the population uniques.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Recommended {
    /// The model that it comes from.
    pub model: UniquesModel,
    /// How many people are alone.
    pub uniques: f64,
}

/// A model of how the groups of a population show in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UniquesModel {
    /// Pitman's sampling formula.
    Pitman,
    /// Zayatz' equivalence classes.
    Zayatz,
    /// The slide negative binomial distribution.
    Snb,
}

/// A population that cannot hold the release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a population of {people} people cannot hold the {rows} rows of the release")]
pub struct PopulationTooSmall {
    /// People in the population.
    pub people: u64,
    /// Rows of the release.
    pub rows: u64,
}

/// Estimates the population uniques from the groups of a release and the number of people whom it was drawn from.
///
/// Where no row is alone all estimates are 0 and no model is asked: whoever is in the release is then in company, and who
/// is not in it is not put at risk by it. Where the release is the whole population, its uniques are counted. An empty
/// release says nothing.
///
/// # Errors
/// If there are fewer people than rows.
pub fn uniques(sizes: &GroupSizes, people: u64) -> Result<PopulationUniques, PopulationTooSmall> {
    let rows = sizes.rows();
    if people < rows {
        return Err(PopulationTooSmall { people, rows });
    }
    let sample = Sample {
        sizes,
        rows: rows as f64,
        people: people as f64,
    };
    let alone = sizes.groups_of(1);
    let counted = (rows > 0 && (alone == 0 || rows == people)).then_some(alone as f64);
    let estimate = |model: fn(&Sample) -> Option<f64>| match rows {
        0 => None,
        _ => counted.or_else(|| model(&sample).and_then(|uniques| sample.plausible(uniques))),
    };
    let mut found = PopulationUniques {
        people,
        sampling_fraction: sample.fraction(),
        sample: alone,
        pitman: estimate(pitman::estimate),
        zayatz: estimate(zayatz::estimate),
        snb: estimate(snb::estimate),
        recommended: None,
    };
    found.recommended = found.recommend();
    Ok(found)
}

impl PopulationUniques {
    fn recommend(&self) -> Option<Recommended> {
        /// Up to this sampling fraction Pitman's model is the most accurate (Dankar et al.).
        const SMALL_SAMPLE: f64 = 0.1;
        let by = |model, uniques: Option<f64>| uniques.map(|uniques| Recommended { model, uniques });
        let zayatz = by(UniquesModel::Zayatz, self.zayatz);
        if self.sampling_fraction <= SMALL_SAMPLE {
            return by(UniquesModel::Pitman, self.pitman).or(zayatz);
        }
        let candidates = [zayatz, by(UniquesModel::Snb, self.snb)];
        let candidates = candidates.into_iter().flatten();
        candidates.min_by(|a, b| a.uniques.total_cmp(&b.uniques))
    }
}
