//! Figures 4.12 and 4.13: how far counts are off.

use std::path::Path;

use fastrand::Rng;
use scumble_table::Column;

use crate::summary::largest;
use crate::{Bound, Claim, Result, Sheet};

use super::measures::ADULT_ROWS;
use super::people::{People, SEED, Values};
use super::recoding::{Recoding, Weighed};
use super::row;

const KS: [u64; 4] = [5, 10, 25, 50];

/// Up to this `k` every setting of TOC answers better, says the thesis of the first type.
const K_ALL_BETTER: u64 = 15;

/// Queries of each type, as many as in the thesis.
const QUERIES: usize = 10_000;

/// What the two types ask about.
const TYPE_1: [&str; 3] = ["age", "sex", "class"];
const TYPE_2: [&str; 5] = ["age", "sex", "class", "race", "workclass"];

/// Three settings of TOC first.
const METHODS: [(&str, Recoding); 5] = [
    ("TOC, evenly", Recoding::Toc(Weighed::EVENLY)),
    ("TOC, utility", Recoding::Toc(Weighed::by(1.0))),
    ("TOC, protection", Recoding::Toc(Weighed::by(0.0))),
    ("Mondrian", Recoding::Mondrian),
    ("k-member", Recoding::KMember),
];

/// The average relative errors of the methods, in their order.
struct Point {
    k: u64,
    type_1: [f64; 5],
    type_2: [f64; 5],
}

/// One experiment for the two figures.
pub fn query_answering(data: &Path) -> Result<Sheet> {
    let people = People::adult(data, ADULT_ROWS)?;
    let mut rng = Rng::with_seed(SEED);
    let type_1 = equalities(&people, &TYPE_1, &mut rng)?;
    let type_2 = equalities(&people, &TYPE_2, &mut rng)?;
    let point = |k: u64| -> Result<Point> {
        let mut point = Point {
            k,
            type_1: [f64::NAN; 5],
            type_2: [f64::NAN; 5],
        };
        for (place, (_, method)) in METHODS.iter().enumerate() {
            let release = method.release(&people, k)?;
            point.type_1[place] = release.query_error(&type_1)?.average.unwrap_or(f64::NAN);
            point.type_2[place] = release.query_error(&type_2)?.average.unwrap_or(f64::NAN);
        }
        Ok(point)
    };
    let points = KS.into_iter().map(point).collect::<Result<Vec<_>>>()?;
    Ok(Sheet {
        title: "Figures 4.12 and 4.13 of Loukides: how far counts are off, Adult".to_owned(),
        notes: vec![
            format!("{ADULT_ROWS} rows of Adult; the thesis has 30,162."),
            format!("{QUERIES} queries of each type; those that no row meets are not counted."),
            "The average relative error itself, where the thesis has it between the best and the worst.".to_owned(),
        ],
        unit: "multiples of the true count",
        header: vec!["k", "method", "type 1", "type 2"],
        rows: points.iter().flat_map(rows).collect(),
        claims: claims(&points),
    })
}

fn rows(point: &Point) -> impl Iterator<Item = Vec<String>> {
    let errors = point.type_1.iter().zip(&point.type_2);
    METHODS
        .iter()
        .zip(errors)
        .map(|((name, _), (&type_1, &type_2))| row([&point.k, name], &[type_1, type_2]))
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let over = |is_meant: &dyn Fn(u64) -> bool, of: &dyn Fn(&Point) -> f64| {
        largest(points.iter().filter(|point| is_meant(point.k)).map(of))
    };
    let worst_to_others = |errors: &[f64; 5]| largest(errors[..3].iter().copied()) / errors[3].min(errors[4]);
    let at_most_1 = |what: &str, ours: f64| Claim::new(what, Bound::AtMost, 1.0, ours);
    vec![
        at_most_1(
            "4.12: largest worst of TOC / better of Mondrian and k-member, k ≤ 15",
            over(&|k| k <= K_ALL_BETTER, &|point| worst_to_others(&point.type_1)),
        ),
        at_most_1(
            "4.12: largest TOC, evenly / k-member, k > 15",
            over(&|k| k > K_ALL_BETTER, &|point| point.type_1[0] / point.type_1[4]),
        ),
        at_most_1(
            "4.13: largest worst of TOC / better of Mondrian and k-member",
            over(&|_| true, &|point| worst_to_others(&point.type_2)),
        ),
        at_most_1(
            "4.13: largest TOC, evenly / better of Mondrian and k-member",
            over(&|_| true, &|point| {
                point.type_2[0] / point.type_2[3].min(point.type_2[4])
            }),
        ),
    ]
}

/// Queries that ask of each column for one of its values, any of them as likely.
fn equalities(people: &People, columns: &[&str], rng: &mut Rng) -> Result<String> {
    let meant = columns.iter().map(|name| -> Result<(&Column, &Values)> {
        let found = people.known().find(|(id, _)| people.table.column(*id).name == *name);
        let (id, quasi) = found.ok_or_else(|| format!("no column {name}"))?;
        Ok((people.table.column(id), &quasi.values))
    });
    let meant = meant.collect::<Result<Vec<_>>>()?;
    let mut query = || {
        let predicates = meant.iter().map(|(column, values)| {
            let value = rng.usize(..column.dictionary().texts().len());
            predicate(column, values, value..value + 1)
        });
        predicates.collect::<Vec<_>>().join(" and ") + "\n"
    };
    Ok((0..QUERIES).map(|_| query()).collect())
}

/// What asks for the values at some places of a dictionary. Numbers reach half way to the next integer, so that each
/// integer has its share of an interval.
pub(super) fn predicate(column: &Column, values: &Values, places: std::ops::Range<usize>) -> String {
    let name = &column.name;
    match (values, column.dictionary().numbers()) {
        (Values::Numbers, Some(numbers)) => {
            let (from, to) = (numbers[places.start] - 0.5, numbers[places.end - 1] + 0.5);
            format!("{name} in [{from}, {to})")
        }
        _ => {
            let texts: Vec<&str> = places.map(|place| column.dictionary().texts().at(place)).collect();
            match &texts[..] {
                [one] => format!("{name} = \"{one}\""),
                several => format!("{name} in \"{{{}}}\"", several.join("|")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use scumble_table::ValueOrder;

    use super::*;

    #[test]
    fn predicates_name_values_or_reach_half_way_to_the_next() {
        let ages = Column::from_cells("age", ValueOrder::Number, ["31", "30", "40"].map(Some));
        assert_eq!(predicate(&ages, &Values::Numbers, 0..2), "age in [29.5, 31.5)");
        let jobs = Column::from_cells("job", ValueOrder::Natural, ["Mover", "Lawyer"].map(Some));
        assert_eq!(predicate(&jobs, &Values::Words, 1..2), "job = \"Mover\"");
        assert_eq!(predicate(&jobs, &Values::Words, 0..2), "job in \"{Lawyer|Mover}\"");
    }
}
