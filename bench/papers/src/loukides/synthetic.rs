//! Figures 6.24 to 6.30: UPC beside k-member, k-member-p and t-closeness, on made-up people with two secrets.

use std::path::Path;

use fastrand::Rng;

use crate::summary::{largest, smallest};
use crate::{Bound, Claim, Result, Sheet};

use super::people::{LEVEL_2, Normal, People, SEED, normal_ranges};
use super::queries::predicate;
use super::recoding::{Asked, Recoding};
use super::release::{Figures, Release};
use super::row;

/// k-member compares all pairs; the thesis has 50,000 rows.
const ROWS: usize = 10_000;

/// How far the made-up integers spread. The thesis calls its data highly dispersed, and gives no number.
pub(super) const DEVIATION: f64 = 5.0;

const KS: [u64; 4] = [2, 5, 10, 25];

/// Queries are answered for these.
const K_WITH_QUERIES: [u64; 2] = [2, 10];
const QUERIES: usize = 2_000;

/// P.
const RANGE_DIVERSITY: f64 = 0.7;

/// "Comparable": we take a tenth of the domain.
const CLOSE: f64 = 0.1;

const NAMES: [&str; 4] = ["UPC", "k-member", "k-member-p", "full-domain, 0.8-closeness"];

struct Point {
    k: u64,
    measured: [Measured; 4],
}

struct Measured {
    figures: Figures,
    /// In percent.
    unprotected: f64,
    /// The median relative error, for some `k`.
    error: Option<f64>,
}

/// One experiment for all of these figures.
pub fn synthetic_benchmarks(_: &Path) -> Result<Sheet> {
    let people = People::normal(&Normal {
        rows: ROWS,
        quasi: 5,
        secrets: 2,
        deviation: DEVIATION,
        ranges: Some(normal_ranges(&LEVEL_2)?),
    })?;
    let queries = intervals_and_secrets(&people);
    let points = KS.into_iter().map(|k| point(&people, k, &queries));
    let points = points.collect::<Result<Vec<Point>>>()?;
    Ok(Sheet {
        title: "Figures 6.24 to 6.30 of Loukides: UPC beside benchmarks, made-up people".to_owned(),
        notes: vec![
            format!("{ROWS} rows of integers, normal, standard deviation {DEVIATION}; the thesis has 50,000."),
            format!("U of UPC is the WGU of k-member, P is {RANGE_DIVERSITY}."),
            format!("{QUERIES} queries; the median of their relative errors, of k = 2 and 10."),
        ],
        unit: "shares of the domain; rows in percent; multiples of the true count",
        header: vec!["k", "method", "WGU", "UM", "WGP", "unprotected", "left out", "error"],
        rows: points.iter().flat_map(rows).collect(),
        claims: claims(&points),
    })
}

fn point(people: &People, k: u64, queries: &str) -> Result<Point> {
    let measure = |release: Release| -> Result<Measured> {
        let error = match K_WITH_QUERIES.contains(&k) {
            true => release.query_error(queries)?.median,
            false => None,
        };
        Ok(Measured {
            figures: release.figures(),
            unprotected: release.unprotected(RANGE_DIVERSITY),
            error,
        })
    };
    let member = measure(Recoding::KMember.release(people, k)?)?;
    let upc = Recoding::Upc {
        loss: member.figures.worst_utility,
        range_diversity: RANGE_DIVERSITY,
    };
    let close = Recoding::FullDomain(Asked::Closeness(0.8));
    Ok(Point {
        k,
        measured: [
            measure(upc.release(people, k)?)?,
            member,
            measure(Recoding::KMemberP.release(people, k)?)?,
            measure(close.release(people, k)?)?,
        ],
    })
}

/// Queries for a fifth of one known column, drawn each time, and one value of each secret.
pub(super) fn intervals_and_secrets(people: &People) -> String {
    let mut rng = Rng::with_seed(SEED);
    let mut query = || {
        let (id, quasi) = rng.choice(people.known())?;
        let column = people.table.column(id);
        let values = column.dictionary().texts().len();
        let asked = (values / 5).max(1);
        let first = rng.usize(..=values - asked);
        let known = predicate(column, &quasi.values, first..first + asked);
        let secrets = people.secret().map(|(id, secret)| {
            let column = people.table.column(id);
            let value = rng.usize(..column.dictionary().texts().len());
            predicate(column, &secret.values, value..value + 1)
        });
        let predicates: Vec<String> = [known].into_iter().chain(secrets).collect();
        Some(predicates.join(" and ") + "\n")
    };
    (0..QUERIES).filter_map(|_| query()).collect()
}

fn rows(point: &Point) -> impl Iterator<Item = Vec<String>> {
    NAMES.iter().zip(&point.measured).map(|(name, measured)| {
        let Figures {
            worst_utility,
            utility,
            worst_protection,
            left_out,
            ..
        } = measured.figures;
        let error = measured.error.unwrap_or(f64::NAN);
        let numbers = [
            worst_utility,
            utility,
            worst_protection,
            measured.unprotected,
            left_out,
            error,
        ];
        row([&point.k, name], &numbers)
    })
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let over = |of: &dyn Fn(&[Measured; 4]) -> f64| largest(points.iter().map(|point| of(&point.measured)));
    let error_to = |other: usize| {
        let of_point = move |point: &Point| Some(point.measured[0].error? / point.measured[other].error?);
        largest(points.iter().filter_map(of_point))
    };
    let of_member_p = smallest(points.iter().map(|point| point.measured[2].figures.worst_protection));
    let at_most = |what: &str, paper: f64, ours: f64| Claim::new(what, Bound::AtMost, paper, ours);
    vec![
        at_most("6.24, 6.25: largest error of UPC / of full-domain", 1.0, error_to(3)),
        at_most(
            "6.24, 6.25: largest error of UPC / of k-member (\"similar\")",
            1.1,
            error_to(1),
        ),
        at_most(
            "6.26: largest WGU of UPC / of k-member",
            1.0,
            over(&|m| m[0].figures.worst_utility / m[1].figures.worst_utility),
        ),
        at_most(
            "6.27: largest UM of UPC − of k-member (\"comparable\")",
            CLOSE,
            over(&|m| m[0].figures.utility - m[1].figures.utility),
        ),
        at_most(
            "6.27: largest UM of UPC / of full-domain",
            1.0,
            over(&|m| m[0].figures.utility / m[3].figures.utility),
        ),
        at_most(
            "6.28, 6.29: most rows that UPC leaves unprotected",
            0.0,
            over(&|m| m[0].unprotected),
        ),
        at_most(
            "6.30: largest WGP of UPC",
            RANGE_DIVERSITY,
            over(&|m| m[0].figures.worst_protection),
        ),
        Claim::new(
            "6.30: smallest WGP of k-member-p (never meets P)",
            Bound::AtLeast,
            RANGE_DIVERSITY,
            of_member_p,
        ),
        at_most("rows that UPC leaves out", 0.0, over(&|m| m[0].figures.left_out)),
    ]
}
