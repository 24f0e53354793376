//! Figures 6.9 and 6.10: how often C4.5 errs on T1 masked so that the join tells its secrets with limited confidence.

use std::path::Path;

use crate::secrets::{Averaged, Counted};
use crate::sheet::POINTS;
use crate::way::Way;
use crate::{Claim, Result, Sheet};

use super::{Sequential, Set, Unmasked, found_by};

const THRESHOLDS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// One figure: Top1 to Top4 as secrets.
pub struct ConfidenceOnJoin<'f> {
    /// The figure and what it shows.
    pub title: &'f str,
    /// T1.
    pub set: &'static Set,
}

/// The errors of one way, in percent.
pub struct ConfidenceErrors {
    unmasked: Unmasked,
    /// Of each TopN; without the secrets is RSE, on the release XYE.
    tops: Vec<Averaged>,
}

impl ConfidenceErrors {
    /// What masking costs, for each TopN (XYE − BLE).
    pub fn costs(&self, counted: Counted) -> impl Iterator<Item = f64> {
        self.tops.iter().map(move |top| top.cost(counted))
    }

    /// What masking saves against leaving out the secrets, for each TopN (RSE − XYE).
    pub fn benefits(&self, counted: Counted) -> impl Iterator<Item = f64> {
        self.tops.iter().map(move |top| top.benefit(counted))
    }

    /// What masking saves against leaving out the common columns, for each TopN (RJE − XYE).
    pub fn benefits_over_common(&self, counted: Counted) -> impl Iterator<Item = f64> {
        self.tops
            .iter()
            .map(move |top| self.unmasked.without_common - top.suppressed(counted))
    }
}

impl ConfidenceOnJoin<'_> {
    /// The sheet: numbers of our way, and claims of both.
    pub fn sheet(&self, data: &Path, claims_of: impl Fn(&ConfidenceErrors, Counted) -> Vec<Claim>) -> Result<Sheet> {
        let ours = self.measure(data, &Way::OURS)?;
        let nearest = self.measure(data, &Way::NEAREST)?;
        let mut claims = self.set.claims(&ours.unmasked);
        for (way, errors) in [(&Way::OURS, &ours), (&Way::NEAREST, &nearest)] {
            for (counted, words) in [
                (Counted::Met, "thresholds that can be met"),
                (Counted::All, "all thresholds"),
            ] {
                let found = format!("{}; {words}", way.words);
                claims.extend(found_by(&found, claims_of(errors, counted)));
            }
        }
        Ok(Sheet {
            title: self.title.to_owned(),
            notes: vec![
                "Top4 of the paper: marital-status, relationship, sex, education.".to_owned(),
                "XYE is the average over the thresholds 10 %, 30 %, 50 %, 70 %, 90 %.".to_owned(),
                "A threshold that cannot be met even if all is masked (*) counts with all masked; the paper does not say \
                 how it counted those."
                    .to_owned(),
                "Confidence is a share of matches. Among women in T2, 11 % of the matches of Top2 are `Unmarried` even if \
                 all is masked."
                    .to_owned(),
                format!("Listed: {}.", Way::OURS.words),
                "The taxonomies are ours; those of the thesis are not available.".to_owned(),
            ],
            unit: POINTS,
            header: vec!["Top", "BLE", "XYE", "RSE", "XYE − BLE", "RSE − XYE", "XYE of each threshold"],
            rows: ours.tops.iter().map(Averaged::row).collect(),
            claims,
        })
    }

    fn measure(&self, data: &Path, way: &'static Way) -> Result<ConfidenceErrors> {
        let sequential = Sequential::adult(data, self.set, way)?;
        let top = |n: usize| -> Result<Averaged> {
            let tried = THRESHOLDS.map(|at_most| sequential.confidence(n, at_most).run());
            Averaged::over(n, &tried.into_iter().collect::<Result<Vec<_>>>()?)
        };
        Ok(ConfidenceErrors {
            unmasked: sequential.unmasked()?,
            tops: (1..=4).map(top).collect::<Result<_>>()?,
        })
    }
}
