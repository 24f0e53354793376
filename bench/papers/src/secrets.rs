//! Section 5.4.1 of the thesis: the best columns for the class are secrets, and all other columns of words are masked
//! until nobody can infer the rarer half of the secrets with more than some confidence.

use scumble_utility::classify::Learner;

use crate::sheet::percent;
use crate::trial::{Masking, THESIS, Trial};
use crate::{Public, Result, Sheet};

/// One figure: Top1 to TopN as secrets, averaged over thresholds.
pub struct Secrets<'s> {
    /// The figure and what it shows.
    pub title: &'s str,
    /// The table, of which columns of numbers take no part.
    pub public: &'s Public,
    /// The ranking of the paper.
    pub top: &'s [&'s str],
    /// The confidences.
    pub thresholds: &'s [f64],
}

/// Which thresholds an average counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All. One that cannot be met counts with everything suppressed, which is where the search begins.
    All,
    /// Those that can be met. For the others there is no release, and so no error of one.
    Met,
}

/// The errors for some number of secrets, in percent.
pub struct Averaged {
    /// How many of the best columns are secrets.
    pub n: usize,
    /// Error on the data.
    pub base: f64,
    /// Error without the secrets.
    pub removed: f64,
    /// The error on the release for each threshold, and whether it could be met.
    pub each: Vec<(f64, bool)>,
}

impl Averaged {
    /// The error on the release.
    pub fn suppressed(&self, counted: Counted) -> f64 {
        let is_counted = |(_, met): &&(f64, bool)| *met || counted == Counted::All;
        let errors: Vec<f64> = self.each.iter().filter(is_counted).map(|(error, _)| *error).collect();
        errors.iter().sum::<f64>() / errors.len() as f64
    }

    /// What masking costs.
    pub fn cost(&self, counted: Counted) -> f64 {
        self.suppressed(counted) - self.base
    }

    /// What masking saves against leaving out the secrets.
    pub fn benefit(&self, counted: Counted) -> f64 {
        self.removed - self.suppressed(counted)
    }
}

/// The largest cost, whatever the number of secrets.
pub fn worst_cost(measured: &[Averaged], counted: Counted) -> f64 {
    let costs = measured.iter().map(|own| own.cost(counted));
    costs.fold(f64::NEG_INFINITY, f64::max)
}

impl Secrets<'_> {
    /// Publishes and measures all releases of the figure.
    pub fn measure(&self) -> Result<Vec<Averaged>> {
        (1..=self.top.len()).map(|n| self.measure_top(n)).collect()
    }

    fn measure_top(&self, n: usize) -> Result<Averaged> {
        let (secrets, _) = self.top.split_at(n);
        let about = secrets
            .iter()
            .map(|name| format!("{name} = {:?}", self.public.least_frequent(name)));
        let about = about.collect::<Vec<_>>().join(", ");
        let trial = |threshold: &f64| {
            Trial {
                public: self.public,
                quasi: self.public.words().filter(|name| !secrets.contains(name)).collect(),
                sensitive: secrets.to_vec(),
                others: Vec::new(),
                masking: Masking::Suppress,
                objective: THESIS,
                require: format!("[[require]]\nconfidence = {threshold}\nabout = {{ {about} }}\n"),
                learner: Learner::C45,
            }
            .run()
        };
        let tried = self.thresholds.iter().map(trial).collect::<Result<Vec<_>>>()?;
        let each: Vec<(f64, bool)> = tried
            .iter()
            .map(|own| (percent(own.errors.released.rate), own.met))
            .collect();
        let first = tried.first().ok_or("a figure has a threshold")?;
        let removed = first.errors.without_sensitive.ok_or("a figure has a secret")?;
        Ok(Averaged {
            n,
            base: percent(first.errors.base.rate),
            removed: percent(removed.rate),
            each,
        })
    }

    /// The sheet of these measurements, without claims.
    pub fn sheet(&self, measured: &[Averaged]) -> Sheet {
        let words: Vec<&str> = self.public.words().collect();
        let thresholds = self
            .thresholds
            .iter()
            .map(|threshold| format!("{:.0} %", percent(*threshold)));
        let n = self.top.len();
        Sheet {
            title: self.title.to_owned(),
            notes: vec![
                format!("Top{n} of the paper: {}.", self.top.join(", ")),
                format!("Top{n} by our C4.5 on the training part: {}.", self.public.rank(words, n).join(", ")),
                "A threshold that cannot be met even if everything is suppressed (*) counts with everything suppressed."
                    .to_owned(),
                format!("SE is the average over the thresholds {}.", thresholds.collect::<Vec<_>>().join(", ")),
            ],
            header: vec!["Top", "BE", "SE", "RE", "SE − BE", "RE − SE", "SE of each threshold"],
            rows: measured.iter().map(row).collect(),
            claims: Vec::new(),
        }
    }
}

fn row(averaged: &Averaged) -> Vec<String> {
    let each = |(error, met): &(f64, bool)| format!("{error:.2}{}", if *met { "" } else { "*" });
    let each: Vec<String> = averaged.each.iter().map(each).collect();
    let numbers = [
        averaged.base,
        averaged.suppressed(Counted::All),
        averaged.removed,
        averaged.cost(Counted::All),
        averaged.benefit(Counted::All),
    ];
    let mut cells = vec![averaged.n.to_string()];
    cells.extend(numbers.map(|number| format!("{number:.2}")));
    cells.push(each.join(", "));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of three thresholds cannot be met, at 24 %.
    #[test]
    fn a_threshold_that_cannot_be_met_counts_or_not() {
        let averaged = Averaged {
            n: 1,
            base: 17.0,
            removed: 23.0,
            each: vec![(24.0, false), (18.0, true), (18.0, true)],
        };
        assert_eq!(
            (averaged.suppressed(Counted::All), averaged.suppressed(Counted::Met)),
            (20.0, 18.0)
        );
        assert_eq!(
            (averaged.cost(Counted::Met), averaged.benefit(Counted::All)),
            (1.0, 3.0)
        );
        assert_eq!(worst_cost(&[averaged], Counted::All), 3.0);
    }
}
