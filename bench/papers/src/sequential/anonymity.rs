//! Figures 6.5 and 6.7: how often C4.5 errs on T1 masked to anonymity on the join.

use std::ops::RangeInclusive;
use std::path::Path;

use crate::sheet::POINTS;
use crate::summary::{mean, percent};
use crate::trial::Trial;
use crate::way::Way;
use crate::{Claim, Result, Sheet};

use super::{KS, Sequential, Set, Unmasked, found_by};

/// One figure.
pub struct AnonymityOnJoin<'f> {
    /// The figure and what it shows.
    pub title: &'f str,
    /// T1.
    pub set: &'static Set,
    /// The N of the TopN.
    pub tops: RangeInclusive<usize>,
}

/// The errors of one way, in percent.
pub struct ErrorsOnJoin {
    unmasked: Unmasked,
    /// With anonymity of T1 alone, averaged (KAE).
    pub alone: f64,
    tops: Vec<TopErrors>,
}

/// The errors of one TopN for each `k`, in percent.
struct TopErrors {
    n: usize,
    per_record: Vec<f64>,
    per_match: Vec<f64>,
}

impl TopErrors {
    /// With anonymity per record of T1, averaged (XYE).
    fn masked(&self) -> f64 {
        mean(self.per_record.iter().copied())
    }

    /// With anonymity per match, averaged (XYE(row)).
    fn masked_per_match(&self) -> f64 {
        mean(self.per_match.iter().copied())
    }
}

impl ErrorsOnJoin {
    /// What masking costs, for each TopN (XYE − BLE).
    pub fn costs(&self) -> impl Iterator<Item = f64> {
        self.tops.iter().map(|top| top.masked() - self.unmasked.base)
    }

    /// What masking saves against leaving out the common columns, for each TopN (RJE − XYE).
    pub fn benefits(&self) -> impl Iterator<Item = f64> {
        self.tops.iter().map(|top| self.unmasked.without_common - top.masked())
    }

    /// What counting records instead of matches costs, for each TopN (XYE − XYE(row)).
    pub fn costs_of_records(&self) -> impl Iterator<Item = f64> {
        self.tops.iter().map(|top| top.masked() - top.masked_per_match())
    }
}

impl AnonymityOnJoin<'_> {
    /// The sheet: numbers of our way, and claims of both.
    pub fn sheet(&self, data: &Path, claims_of: impl Fn(&ErrorsOnJoin) -> Vec<Claim>) -> Result<Sheet> {
        let ours = self.measure(data, &Way::OURS)?;
        let nearest = self.measure(data, &Way::NEAREST)?;
        let mut claims = self.set.claims(&ours.unmasked);
        for (way, errors) in [(&Way::OURS, &ours), (&Way::NEAREST, &nearest)] {
            claims.extend(found_by(way.words, claims_of(errors)));
        }
        let (first, last) = (self.tops.start(), self.tops.end());
        Ok(Sheet {
            title: self.title.to_owned(),
            notes: vec![
                format!("Ranking of the paper: {}.", self.set.top.join(", ")),
                format!("Top{first} to Top{last}; errors are averages over k = 40, 80, 120, 160, 200."),
                format!("Listed: {}.", Way::OURS.words),
                "The taxonomies are ours; those of the thesis are not available.".to_owned(),
                "For every combination of the common columns there is someone in T2 who is alone with native-country and \
                 race. So the fewest matches are as many as the fewest records, and XYE(row) is XYE. The paper finds a \
                 difference for Set A, and does not say from what."
                    .to_owned(),
            ],
            unit: POINTS,
            header: vec![
                "Top",
                "BLE",
                "RJE",
                "KAE",
                "XYE",
                "XYE(row)",
                "XYE − BLE",
                "XYE of each k",
            ],
            rows: ours.tops.iter().map(|top| row(&ours, top)).collect(),
            claims,
        })
    }

    fn measure(&self, data: &Path, way: &'static Way) -> Result<ErrorsOnJoin> {
        let sequential = Sequential::adult(data, self.set, way)?;
        let top = |n: usize| -> Result<TopErrors> {
            Ok(TopErrors {
                n,
                per_record: errors(|k| sequential.anonymity(n, k, "this"))?,
                per_match: errors(|k| sequential.anonymity(n, k, "join"))?,
            })
        };
        Ok(ErrorsOnJoin {
            unmasked: sequential.unmasked()?,
            alone: mean(errors(|k| sequential.alone(k))?),
            tops: self.tops.clone().map(top).collect::<Result<_>>()?,
        })
    }
}

/// The error for each `k`, in percent.
fn errors<'t>(trial: impl Fn(u64) -> Trial<'t>) -> Result<Vec<f64>> {
    let error = |k: u64| -> Result<f64> { Ok(percent(trial(k).run()?.errors.released.rate)) };
    KS.into_iter().map(error).collect()
}

fn row(errors: &ErrorsOnJoin, top: &TopErrors) -> Vec<String> {
    let each: Vec<String> = top.per_record.iter().map(|error| format!("{error:.2}")).collect();
    let numbers = [
        errors.unmasked.base,
        errors.unmasked.without_common,
        errors.alone,
        top.masked(),
        top.masked_per_match(),
        top.masked() - errors.unmasked.base,
    ];
    let mut cells = vec![top.n.to_string()];
    cells.extend(numbers.map(|number| format!("{number:.2}")));
    cells.push(each.join(", "));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_and_benefits_are_of_averages() {
        let top = TopErrors {
            n: 3,
            per_record: vec![17.0, 19.0],
            per_match: vec![17.0, 18.0],
        };
        let errors = ErrorsOnJoin {
            unmasked: Unmasked {
                base: 17.5,
                without_common: 22.0,
            },
            alone: 18.5,
            tops: vec![top],
        };
        assert_eq!(errors.costs().collect::<Vec<_>>(), [0.5]);
        assert_eq!(errors.benefits().collect::<Vec<_>>(), [4.0]);
        assert_eq!(errors.costs_of_records().collect::<Vec<_>>(), [0.5]);
    }
}
