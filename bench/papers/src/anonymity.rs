//! Section 4.4.1 of the thesis: the best columns for the class are masked to anonymity `k`, the others stay as they
//! are.

use scumble_utility::classify::{Errors, Learner};

use crate::sheet::POINTS;
use crate::summary::{largest, percent};
use crate::trial::{Masking, Trial};
use crate::{Bound, Claim, Public, Result, Sheet};

/// The thresholds of the figures. (The texts give their range; the steps are ours.)
const KS: [u64; 12] = [20, 60, 100, 140, 180, 200, 300, 400, 500, 600, 800, 1000];

/// One figure: Top5, Top7 and Top9 over a range of `k`.
pub struct Anonymity<'a> {
    /// The figure and what it shows.
    pub title: &'a str,
    /// The table.
    pub public: &'a Public,
    /// The ranking of the paper.
    pub top: [&'a str; 9],
    /// How columns are masked.
    pub masking: Masking,
    /// What the search is for.
    pub objective: &'a str,
    /// What learns.
    pub learner: Learner,
    /// The largest `k` that the table has rows for.
    pub k_at_most: u64,
}

/// The errors of one release.
pub struct Measured {
    /// How many of the best columns are masked.
    pub n: usize,
    /// The anonymity that was asked for.
    pub k: u64,
    /// The errors.
    pub errors: Errors,
    /// Whether it could be met.
    pub met: bool,
}

impl Measured {
    /// What masking costs, in points.
    pub fn cost(&self) -> f64 {
        percent(self.errors.released.rate - self.errors.base.rate)
    }
}

impl Anonymity<'_> {
    /// Publishes and measures all releases of the figure.
    pub fn measure(&self) -> Result<Vec<Measured>> {
        let ks = || KS.into_iter().filter(|&k| k <= self.k_at_most);
        let settings = [5, 7, 9].into_iter().flat_map(|n| ks().map(move |k| (n, k)));
        settings.map(|(n, k)| self.measure_one(n, k)).collect()
    }

    fn measure_one(&self, n: usize, k: u64) -> Result<Measured> {
        let names = self.public.columns.iter().map(|column| &column.name[..]);
        let tried = Trial {
            public: self.public,
            quasi: self.top[..n].to_vec(),
            sensitive: Vec::new(),
            others: names.filter(|name| !self.top[..n].contains(name)).collect(),
            masking: self.masking,
            objective: self.objective,
            require: format!("[[require]]\nanonymity = {k}\n"),
            learner: self.learner,
        }
        .run()?;
        Ok(Measured {
            n,
            k,
            errors: tried.errors,
            met: tried.met,
        })
    }

    /// The sheet of these measurements, without the claim that is the point of the figure.
    pub fn sheet(&self, measured: &[Measured], base: f64) -> Sheet {
        let ours = measured.first().map_or(f64::NAN, |own| percent(own.errors.base.rate));
        let names = self.public.columns.iter().map(|column| &column.name[..]);
        let ranking = self.public.rank(names, 9).join(", ");
        Sheet {
            title: self.title.to_owned(),
            notes: vec![
                format!("Top9 of the paper: {}.", self.top.join(", ")),
                format!("Top9 by our C4.5 on the training part: {ranking}."),
                "The paper gives the range of k; the steps are ours.".to_owned(),
            ],
            unit: POINTS,
            header: vec!["Top", "k", "BE", "AE", "UE", "AE − BE", "majority"],
            rows: measured.iter().map(row).collect(),
            claims: vec![Claim::new("BE", Bound::Is, base, ours)],
        }
    }

    /// What masking Top7 costs at worst, beside the paper's bound.
    pub fn worst_cost(measured: &[Measured], paper: f64, k_at_most: u64) -> Claim {
        let is_meant = |own: &&Measured| own.n == 7 && own.k <= k_at_most;
        let costs = measured.iter().filter(is_meant).map(Measured::cost);
        let what = format!("largest AE − BE of Top7, 20 ≤ k ≤ {k_at_most}");
        Claim::new(&what, Bound::AtMost, paper, largest(costs))
    }

    /// The error of Top7 without the masked columns, beside the paper's.
    pub fn upper(measured: &[Measured], paper: f64) -> Claim {
        let top7 = measured.iter().find(|own| own.n == 7);
        let ours = top7.map_or(f64::NAN, |own| percent(own.errors.without_quasi.rate));
        Claim::new("UE of Top7", Bound::Is, paper, ours)
    }
}

fn row(measured: &Measured) -> Vec<String> {
    let errors = &measured.errors;
    let mark = if measured.met {
        ""
    } else {
        " (cannot be met: all masked)"
    };
    vec![
        measured.n.to_string(),
        format!("{}{mark}", measured.k),
        format!("{:.2}", percent(errors.base.rate)),
        format!("{:.2}", percent(errors.released.rate)),
        format!("{:.2}", percent(errors.without_quasi.rate)),
        format!("{:.2}", measured.cost()),
        format!("{:.2}", percent(errors.majority.rate)),
    ]
}
