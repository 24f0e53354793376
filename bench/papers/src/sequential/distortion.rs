//! Figures 6.4 and 6.6: how far T1 is distorted by anonymity on the join, and by anonymity of T1 alone.

use std::ops::RangeInclusive;
use std::path::Path;

use crate::summary::mean;
use crate::trial::{Distortion, Trial};
use crate::way::Way;
use crate::{Claim, Result, Sheet, Trees};

use super::{KS, Sequential, Set};

const WAY: Way = Way {
    trees: Trees::Own,
    objective: "distortion",
    words: "trees of the data folder, objective distortion",
};

/// One figure.
pub struct DistortionOnJoin<'f> {
    /// The figure and what it shows.
    pub title: &'f str,
    /// T1.
    pub set: &'static Set,
    /// The N of the TopN.
    pub tops: RangeInclusive<usize>,
}

/// The distortions of a record, averaged over `k`.
pub struct Distortions {
    /// By anonymity of T1 alone (KAD).
    pub alone: Distortion,
    /// By anonymity on the join, of each TopN (XYD).
    tops: Vec<(usize, Distortion)>,
}

impl Distortions {
    /// What is saved of the distortion of words, for each TopN (KAD − XYD).
    pub fn categorical_benefits(&self) -> impl Iterator<Item = f64> {
        let tops = self.tops.iter();
        tops.map(|(_, own)| self.alone.categorical - own.categorical)
    }

    /// The same of numbers.
    pub fn continuous_benefits(&self) -> impl Iterator<Item = f64> {
        let tops = self.tops.iter();
        tops.map(|(_, own)| self.alone.continuous - own.continuous)
    }
}

impl DistortionOnJoin<'_> {
    /// The sheet.
    pub fn sheet(&self, data: &Path, claims: impl Fn(&Distortions) -> Vec<Claim>) -> Result<Sheet> {
        let found = self.measure(data)?;
        Ok(Sheet {
            title: self.title.to_owned(),
            notes: vec![
                format!("Ranking of the paper: {}.", self.set.top.join(", ")),
                "Averages over k = 40, 80, 120, 160, 200.".to_owned(),
                format!("By {}.", WAY.words),
                "The taxonomies are ours; those of the thesis are not available.".to_owned(),
            ],
            unit: "steps up the taxonomies and shares of the range, per record",
            header: vec![
                "Top",
                "KAD of words",
                "XYD of words",
                "KAD − XYD",
                "KAD of numbers",
                "XYD of numbers",
                "KAD − XYD",
            ],
            rows: found.tops.iter().map(|(n, own)| row(*n, &found.alone, own)).collect(),
            claims: claims(&found),
        })
    }

    fn measure(&self, data: &Path) -> Result<Distortions> {
        let sequential = Sequential::adult(data, self.set, &WAY)?;
        let top =
            |n: usize| -> Result<(usize, Distortion)> { Ok((n, averaged(|k| sequential.anonymity(n, k, "this"))?)) };
        Ok(Distortions {
            alone: averaged(|k| sequential.alone(k))?,
            tops: self.tops.clone().map(top).collect::<Result<_>>()?,
        })
    }
}

/// The distortion, averaged over `k`.
fn averaged<'t>(trial: impl Fn(u64) -> Trial<'t>) -> Result<Distortion> {
    let one = |k: u64| -> Result<Distortion> {
        let distortion = trial(k).distortion()?;
        distortion.ok_or_else(|| format!("anonymity {k} cannot be met").into())
    };
    let each = KS.into_iter().map(one).collect::<Result<Vec<_>>>()?;
    Ok(Distortion {
        categorical: mean(each.iter().map(|own| own.categorical)),
        continuous: mean(each.iter().map(|own| own.continuous)),
    })
}

fn row(n: usize, alone: &Distortion, own: &Distortion) -> Vec<String> {
    let numbers = [
        alone.categorical,
        own.categorical,
        alone.categorical - own.categorical,
        alone.continuous,
        own.continuous,
        alone.continuous - own.continuous,
    ];
    let mut cells = vec![n.to_string()];
    cells.extend(numbers.map(|number| format!("{number:.2}")));
    cells
}
