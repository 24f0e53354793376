//! Figures 6.14 to 6.22: UPC beside full-domain generalization with (c, l)-diversity and with t-closeness.

use std::path::Path;

use fastrand::Rng;

use crate::summary::{largest, smallest};
use crate::{Bound, Claim, Result, Sheet};

use super::people::{People, SEED};
use super::queries::predicate;
use super::recoding::{Asked, Recoding};
use super::release::Figures;
use super::row;
use super::with_guarantees::{CENSUS_ROWS, LOSS, RANGE_DIVERSITY, UPC};

const KS: [u64; 5] = [2, 5, 10, 25, 50];

/// Up to this `k`, says the thesis, diversity protects poorly.
const POOR_UP_TO: u64 = 10;

/// The thresholds that queries are answered for.
const K_WITH_QUERIES: [u64; 2] = [2, 10];

/// Fewer than the 10,000 of the thesis: an average of so many moves little.
const QUERIES: usize = 2_000;

/// Values that a query asks for: 15 ages, and 11 incomes in the first type.
const AGES: usize = 15;
const INCOMES: usize = 11;

/// Values of a word that a query asks for stand side by side in its tree, as those of one parent do.
const WORDS: usize = 3;

const METHODS: [(&str, Recoding); 3] = [
    ("UPC", UPC),
    ("full-domain, (2, 2)-diversity", Recoding::FullDomain(Asked::Diversity)),
    (
        "full-domain, 0.9-closeness",
        Recoding::FullDomain(Asked::Closeness(0.9)),
    ),
];

struct Point {
    k: u64,
    measured: [Measured; 3],
}

/// What one method comes to.
struct Measured {
    figures: Figures,
    /// In percent.
    unprotected: f64,
    /// The median relative errors of both types, for some `k`.
    errors: Option<[f64; 2]>,
}

/// One experiment for all of these figures.
pub fn protection_constrained(data: &Path) -> Result<Sheet> {
    let people = People::census(data, CENSUS_ROWS)?;
    let types = [queries(&people, INCOMES)?, queries(&people, 1)?];
    let point = |k: u64| -> Result<Point> {
        let measure = |(_, method): (&str, Recoding)| measure(&people, method, k, &types);
        let [upc, diverse, close] = METHODS.map(measure);
        Ok(Point {
            k,
            measured: [upc?, diverse?, close?],
        })
    };
    let points = KS.into_iter().map(point).collect::<Result<Vec<Point>>>()?;
    Ok(Sheet {
        title: "Figures 6.14 to 6.22 of Loukides: UPC beside full-domain generalization, census".to_owned(),
        notes: vec![
            format!(
                "{CENSUS_ROWS} rows of the American Community Survey of 2018, where the thesis has 100,000 of IPUMS."
            ),
            "Full-domain: the best node of the lattice, where the thesis has Incognito. No personalised method."
                .to_owned(),
            format!("{QUERIES} queries of each type; the median of their relative errors, of k = 2 and 10."),
        ],
        unit: "shares of the domain; unprotected rows in percent; multiples of the true count",
        header: vec!["k", "method", "WGU", "UM", "WGP", "unprotected", "type 1", "type 2"],
        rows: points.iter().flat_map(rows).collect(),
        claims: claims(&points),
    })
}

fn measure(people: &People, method: Recoding, k: u64, types: &[String; 2]) -> Result<Measured> {
    let release = method.release(people, k)?;
    let median = |queries: &str| -> Result<f64> { Ok(release.query_error(queries)?.median.unwrap_or(f64::NAN)) };
    let errors = match K_WITH_QUERIES.contains(&k) {
        true => Some([median(&types[0])?, median(&types[1])?]),
        false => None,
    };
    Ok(Measured {
        figures: release.figures(),
        unprotected: release.unprotected(RANGE_DIVERSITY),
        errors,
    })
}

/// Queries about one known column, drawn each time, and so many incomes in a row.
fn queries(people: &People, incomes: usize) -> Result<String> {
    let mut rng = Rng::with_seed(SEED);
    let (income, secret) = people.secret().next().ok_or("no secret column")?;
    let mut query = || {
        let (id, quasi) = rng.choice(people.known())?;
        let column = people.table.column(id);
        let asked = match &column.name[..] {
            "Age" => AGES,
            "Gender" => 1,
            _ => WORDS,
        };
        let mut run = |values: usize, asked: usize| {
            let first = rng.usize(..=values.saturating_sub(asked));
            first..(first + asked).min(values)
        };
        let known = predicate(column, &quasi.values, run(column.dictionary().texts().len(), asked));
        let column = people.table.column(income);
        let secret = predicate(column, &secret.values, run(column.dictionary().texts().len(), incomes));
        Some(format!("{known} and {secret}\n"))
    };
    Ok((0..QUERIES).filter_map(|_| query()).collect())
}

fn rows(point: &Point) -> impl Iterator<Item = Vec<String>> {
    METHODS.iter().zip(&point.measured).map(|((name, _), measured)| {
        let Figures {
            worst_utility,
            utility,
            worst_protection,
            ..
        } = measured.figures;
        let [type_1, type_2] = measured.errors.unwrap_or([f64::NAN; 2]);
        let numbers = [
            worst_utility,
            utility,
            worst_protection,
            measured.unprotected,
            type_1,
            type_2,
        ];
        row([&point.k, name], &numbers)
    })
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let figures = |place: usize| points.iter().map(move |point| &point.measured[place].figures);
    let of_upc = |of: &dyn Fn(&Figures) -> f64| largest(figures(0).map(of));
    let utility_to_others = points.iter().map(|point| {
        let [upc, diverse, close] = point.measured.each_ref().map(|measured| measured.figures.utility);
        upc / diverse.min(close)
    });
    let errors_to_others = |kind: usize| {
        let of_point = move |point: &Point| {
            let [upc, diverse, close] = point.measured.each_ref().map(|measured| Some(measured.errors?[kind]));
            Some(upc? / diverse?.min(close?))
        };
        largest(points.iter().filter_map(of_point))
    };
    let poor = points.iter().filter(|point| point.k <= POOR_UP_TO);
    let poor = smallest(poor.map(|point| point.measured[1].figures.worst_protection));
    let unprotected = |place: usize| largest(points.iter().map(|point| point.measured[place].unprotected));
    let at_most = |what: &str, paper: f64, ours: f64| Claim::new(what, Bound::AtMost, paper, ours);
    vec![
        at_most(
            "6.14, 6.15: error of UPC / of the better full-domain, type 1 (\"an order of magnitude\")",
            0.1,
            errors_to_others(0),
        ),
        at_most("6.16, 6.17: the same, type 2", 1.0, errors_to_others(1)),
        at_most(
            "6.18: largest WGU of UPC",
            LOSS,
            of_upc(&|figures| figures.worst_utility),
        ),
        at_most(
            "6.19: largest UM of UPC / of the better full-domain",
            1.0,
            largest(utility_to_others),
        ),
        at_most("6.20, 6.21: most rows that UPC leaves unprotected", 0.0, unprotected(0)),
        at_most(
            "6.20, 6.21: most rows that closeness leaves unprotected",
            0.0,
            unprotected(2),
        ),
        at_most(
            "6.22: largest WGP of UPC",
            RANGE_DIVERSITY,
            of_upc(&|figures| figures.worst_protection),
        ),
        Claim::new(
            "6.22: smallest WGP of diversity, k ≤ 10 (\"poorly\")",
            Bound::AtLeast,
            RANGE_DIVERSITY,
            poor,
        ),
        at_most("rows that UPC leaves out", 0.0, of_upc(&|figures| figures.left_out)),
    ]
}
