//! Tables 6.3 to 6.5: stricter policies about what must not be learnt.

use std::path::Path;

use crate::summary::{largest, percent, smallest};
use crate::{Bound, Claim, Result, Sheet};

use super::people::{Normal, People, normal_ranges};
use super::recoding::Recoding;
use super::row;
use super::synthetic::{DEVIATION, intervals_and_secrets};

const ROWS: usize = 20_000;

const KS: [u64; 5] = [2, 5, 10, 25, 50];

const UPC: Recoding = Recoding::Upc {
    loss: 0.5,
    range_diversity: 0.5,
};

/// Table 6.2, from lenient to strict: the ranges that values lie in. One that is in none is its own range.
const POLICIES: [(&str, &[(u32, u32)]); 5] = [
    ("P1", &[]),
    ("P2", &[(10, 15)]),
    ("P3", &[(10, 15), (16, 17)]),
    ("P4", &[(0, 9), (16, 19)]),
    ("P5", &[(0, 9), (10, 15), (16, 19)]),
];

/// What the releases of one policy come to, one number for each `k`.
struct OfPolicy {
    name: &'static str,
    errors: Vec<f64>,
    high_errors: Vec<f64>,
    utilities: Vec<f64>,
    left_out: Vec<f64>,
}

/// One experiment for the three tables.
pub fn range_policies(_: &Path) -> Result<Sheet> {
    let policies = POLICIES.map(|(name, ranges)| OfPolicy::measure(name, ranges));
    let policies = policies.into_iter().collect::<Result<Vec<OfPolicy>>>()?;
    Ok(Sheet {
        title: "Tables 6.3 to 6.5 of Loukides: policies P1 to P5, made-up people".to_owned(),
        notes: vec![
            format!("{ROWS} rows of integers, normal, standard deviation {DEVIATION}; the thesis has 50,000."),
            "U = 0.5, P = 0.5. In the place of the largest error, the one that 95 % of the queries do not exceed."
                .to_owned(),
        ],
        unit: "multiples of the true count; shares of the domain; rows in percent",
        header: vec!["k", "policy", "average error", "95 %", "UM", "left out"],
        rows: policies.iter().flat_map(OfPolicy::rows).collect(),
        claims: claims(&policies),
    })
}

impl OfPolicy {
    fn measure(name: &'static str, ranges: &[(u32, u32)]) -> Result<OfPolicy> {
        let people = People::normal(&Normal {
            rows: ROWS,
            quasi: 5,
            secrets: 1,
            deviation: DEVIATION,
            ranges: Some(normal_ranges(ranges)?),
        })?;
        let queries = intervals_and_secrets(&people);
        let mut own = OfPolicy {
            name,
            errors: Vec::new(),
            high_errors: Vec::new(),
            utilities: Vec::new(),
            left_out: Vec::new(),
        };
        for k in KS {
            let release = UPC.release(&people, k)?;
            let error = release.query_error(&queries)?;
            let figures = release.figures();
            own.errors.push(error.average.unwrap_or(f64::NAN));
            own.high_errors.push(error.percentile_95.unwrap_or(f64::NAN));
            own.utilities.push(figures.utility);
            own.left_out.push(figures.left_out);
        }
        Ok(own)
    }

    fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        KS.iter().enumerate().map(|(place, k)| {
            let all = [&self.errors, &self.high_errors, &self.utilities, &self.left_out];
            row([k, &self.name], &all.map(|series| series[place]))
        })
    }
}

fn claims(policies: &[OfPolicy]) -> Vec<Claim> {
    let [lenient, .., before_last, strict] = policies else {
        return Vec::new();
    };
    let spread = |place: usize| {
        let utilities = || policies.iter().map(|policy| policy.utilities[place]);
        largest(utilities()) - smallest(utilities())
    };
    let ratios = |to: &OfPolicy| {
        smallest(
            strict
                .errors
                .iter()
                .zip(&to.errors)
                .map(|(strict, other)| strict / other),
        )
    };
    let left_out = policies.iter().flat_map(|policy| policy.left_out.iter().copied());
    vec![
        Claim::new(
            "6.3: smallest average error of P5 / of P1",
            Bound::AtLeast,
            7.6,
            ratios(lenient),
        ),
        Claim::new(
            "6.3: smallest average error of P5 / of P4",
            Bound::AtLeast,
            7.56,
            ratios(before_last),
        ),
        Claim::new(
            "6.3: the first, if being strict only has to cost something",
            Bound::AtLeast,
            1.0,
            ratios(lenient),
        ),
        Claim::new(
            "6.5: largest difference of UM between policies, in percent of the domain",
            Bound::AtMost,
            0.3,
            percent(largest((0..KS.len()).map(spread))),
        ),
        Claim::new("most rows left out", Bound::AtMost, 0.0, largest(left_out)),
    ]
}
