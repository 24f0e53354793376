//! Section 5.4.1 of the thesis: the best columns for the class are secrets, and all other columns of words are masked
//! until nobody can infer the rarer half of the secrets with more than some confidence.

use scumble_utility::classify::Learner;

use crate::sheet::POINTS;
use crate::summary::{largest, mean, percent};
use crate::trial::{Masking, THESIS, Trial, Tried};
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

/// The half of the values of each secret that is least frequent, as the `about` of a policy.
pub(crate) fn rarer_half(public: &Public, secrets: &[&str]) -> String {
    let about = secrets
        .iter()
        .map(|name| format!("{name} = {:?}", public.least_frequent(name)));
    format!("{{ {} }}", about.collect::<Vec<_>>().join(", "))
}

impl Averaged {
    /// What came of the thresholds, one trial each.
    pub(crate) fn over(n: usize, tried: &[Tried]) -> Result<Averaged> {
        let each = tried.iter().map(|own| (percent(own.errors.released.rate), own.met));
        let first = tried.first().ok_or("a figure has a threshold")?;
        let removed = first.errors.without_sensitive.ok_or("a figure has a secret")?;
        Ok(Averaged {
            n,
            base: percent(first.errors.base.rate),
            removed: percent(removed.rate),
            each: each.collect(),
        })
    }

    /// The error on the release.
    pub fn suppressed(&self, counted: Counted) -> f64 {
        let is_counted = |(_, met): &&(f64, bool)| *met || counted == Counted::All;
        mean(self.each.iter().filter(is_counted).map(|(error, _)| *error))
    }

    /// What masking costs.
    pub fn cost(&self, counted: Counted) -> f64 {
        self.suppressed(counted) - self.base
    }

    /// What masking saves against leaving out the secrets.
    pub fn benefit(&self, counted: Counted) -> f64 {
        self.removed - self.suppressed(counted)
    }

    /// The cells of a sheet: N, the errors on the data, the release, and without the secrets, cost, benefit, and the error
    /// of each threshold.
    pub(crate) fn row(&self) -> Vec<String> {
        let each = |(error, met): &(f64, bool)| format!("{error:.2}{}", if *met { "" } else { "*" });
        let each: Vec<String> = self.each.iter().map(each).collect();
        let numbers = [
            self.base,
            self.suppressed(Counted::All),
            self.removed,
            self.cost(Counted::All),
            self.benefit(Counted::All),
        ];
        let mut cells = vec![self.n.to_string()];
        cells.extend(numbers.map(|number| format!("{number:.2}")));
        cells.push(each.join(", "));
        cells
    }
}

/// The largest cost, whatever the number of secrets.
pub fn worst_cost(measured: &[Averaged], counted: Counted) -> f64 {
    largest(measured.iter().map(|own| own.cost(counted)))
}

impl Secrets<'_> {
    /// Publishes and measures all releases of the figure.
    pub fn measure(&self) -> Result<Vec<Averaged>> {
        (1..=self.top.len()).map(|n| self.measure_top(n)).collect()
    }

    fn measure_top(&self, n: usize) -> Result<Averaged> {
        let (secrets, _) = self.top.split_at(n);
        let about = rarer_half(self.public, secrets);
        let trial = |threshold: &f64| {
            Trial {
                public: self.public,
                quasi: self.public.words().filter(|name| !secrets.contains(name)).collect(),
                sensitive: secrets.to_vec(),
                others: Vec::new(),
                masking: Masking::Suppress,
                objective: THESIS,
                require: format!("[[require]]\nconfidence = {threshold}\nabout = {about}\n"),
                learner: Learner::C45,
            }
            .run()
        };
        let tried = self.thresholds.iter().map(trial).collect::<Result<Vec<_>>>()?;
        Averaged::over(n, &tried)
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
            unit: POINTS,
            header: vec!["Top", "BE", "SE", "RE", "SE − BE", "RE − SE", "SE of each threshold"],
            rows: measured.iter().map(Averaged::row).collect(),
            claims: Vec::new(),
        }
    }
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
