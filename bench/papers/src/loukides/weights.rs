//! Figures 4.5 to 4.8: weights lead TOC to utility or to protection.

use std::path::Path;

use crate::{Bound, Claim, Result, Sheet};

use super::people::{Normal, People};
use super::recoding::{Recoding, Weighed};
use super::{rises, row};

const WEIGHTS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];

const K: u64 = 10;

/// The made-up table of section 4.1, with fewer rows than its 100,000.
pub(super) const NORMAL: Normal = Normal {
    rows: 20_000,
    quasi: 6,
    secrets: 2,
    deviation: 2.5,
    ranges: None,
};

/// What weights come to on one table, by ascending weight of utility.
struct Series {
    table: &'static str,
    utility: Vec<f64>,
    protection: Vec<f64>,
}

/// One experiment for the four figures.
pub fn weights_varied(data: &Path) -> Result<Sheet> {
    let both = [
        Series::of("Adult", &People::adult(data, usize::MAX)?)?,
        Series::of("synthetic", &People::normal(&NORMAL)?)?,
    ];
    Ok(Sheet {
        title: format!("Figures 4.5 to 4.8 of Loukides: what weights do, k = {K}"),
        notes: vec![
            "All 30,162 rows of Adult.".to_owned(),
            format!(
                "{} made-up rows of integers, normal, standard deviation {}; the thesis has 100,000.",
                NORMAL.rows, NORMAL.deviation
            ),
        ],
        unit: "shares of the domain",
        header: vec!["table", "w_u", "UM", "MPM"],
        rows: both.iter().flat_map(Series::rows).collect(),
        claims: both.iter().flat_map(Series::claims).collect(),
    })
}

impl Series {
    fn of(table: &'static str, people: &People) -> Result<Series> {
        let mut series = Series {
            table,
            utility: Vec::new(),
            protection: Vec::new(),
        };
        for weight in WEIGHTS {
            let figures = Recoding::Toc(Weighed::by(weight)).release(people, K)?.figures();
            series.utility.push(figures.utility);
            series.protection.push(figures.protection);
        }
        Ok(series)
    }

    fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        let numbers = self.utility.iter().zip(&self.protection);
        let points = WEIGHTS.iter().zip(numbers);
        points.map(|(weight, (&utility, &protection))| row([&self.table, weight], &[utility, protection]))
    }

    fn claims(&self) -> [Claim; 4] {
        let claim = |what: &str, paper: f64, ours: f64| {
            Claim::new(&format!("{}: {what}", self.table), Bound::AtMost, paper, ours)
        };
        let falling: Vec<f64> = self.protection.iter().rev().copied().collect();
        let last = WEIGHTS.len() - 1;
        [
            claim("UM at w_u = 1 / at w_u = 0", 1.0, self.utility[last] / self.utility[0]),
            claim(
                "MPM at w_u = 0 / at w_u = 1",
                1.0,
                self.protection[0] / self.protection[last],
            ),
            claim("steps to a larger w_u at which UM rises", 0.0, rises(&self.utility)),
            claim("steps to a larger w_u at which MPM falls", 0.0, rises(&falling)),
        ]
    }
}
