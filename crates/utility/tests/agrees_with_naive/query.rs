//! Query error.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use scumble_progress::Work;
use scumble_utility::{QueryError, Workload, query_error};

use crate::tables::*;

/// Predicates about each column: as they are written, and what they mean.
const ASKED: [&[(&str, Means)]; 3] = [
    &[
        ("age in [0, 5)", Means::Numbers(0.0, 5.0)),
        ("age in [2, 7)", Means::Numbers(2.0, 7.0)),
        ("age in <3", Means::Numbers(0.0, 3.0)),
        ("age = 3", Means::Numbers(3.0, 3.0)),
    ],
    &[
        ("job = Engineer", Means::Values(&["Engineer"])),
        ("job=Professional", Means::Values(&["Engineer", "Lawyer"])),
        ("job in {Engineer|Janitor}", Means::Values(&["Engineer", "Janitor"])),
        ("job = ANY", Means::Values(&JOBS)),
    ],
    &[
        ("country = a1", Means::Values(&["a1"])),
        ("country in {a2|b}", Means::Values(&["a2", "b"])),
        ("country = \"b\"", Means::Values(&["b"])),
    ],
];

/// The ages that a label may stand for: ages are whole numbers from 0 to 10.
fn ages(cell: Cell) -> Vec<f64> {
    let ages = match cell {
        Some("[0, 5)") => 0..=4,
        Some("[5, 10]") => 5..=10,
        Some("2-4") => 2..=4,
        Some("7+") => 7..=10,
        Some("*" | "old") => 0..=10,
        Some(number) => return vec![number.parse().unwrap()],
        None => return Vec::new(),
    };
    ages.map(f64::from).collect()
}

/// The chance that a cell is what is asked for; intervals asked for are open at their upper end.
fn share(column: usize, cell: Cell, asked: Means) -> f64 {
    match (means(column, cell), asked) {
        (Means::Missing, _) => 0.0,
        (_, Means::Numbers(from, to)) => {
            let ages = ages(cell);
            let is_asked = |age: &&f64| (from <= **age && **age < to) || **age == from;
            ages.iter().filter(is_asked).count() as f64 / ages.len() as f64
        }
        (Means::Values(values), Means::Values(asked)) => {
            values.iter().filter(|value| asked.contains(value)).count() as f64 / values.len() as f64
        }
        (Means::Everything, Means::Values(asked)) => asked.len() as f64 / domain(column).len() as f64,
        _ => unreachable!("a column has numbers or values"),
    }
}

type Asked = Vec<(usize, &'static str, Means)>;

fn query() -> impl Strategy<Value = Asked> {
    let predicates = ASKED.map(select);
    (subsequence(vec![AGE, JOB, COUNTRY], 1..=3), predicates).prop_map(|(columns, predicates)| {
        columns
            .into_iter()
            .map(|column| (column, predicates[column].0, predicates[column].1))
            .collect()
    })
}

fn naive(tables: &Tables, queries: &[Asked]) -> QueryError {
    let count = |rows: &[Row], query: &Asked| {
        let of_row = |row: &Row| -> f64 {
            query
                .iter()
                .map(|&(column, _, asked)| share(column, row[column], asked))
                .product()
        };
        rows.iter().map(of_row).sum::<f64>()
    };
    let counts = queries
        .iter()
        .map(|query| (count(&tables.before, query), count(&tables.after, query)));
    let mut errors: Vec<f64> = counts
        .filter(|(act, _)| *act > 0.0)
        .map(|(act, est)| (est - act).abs() / act)
        .collect();
    errors.sort_by(f64::total_cmp);
    let n = errors.len();
    // The smallest error such that `hundredths` of the errors are at most as large.
    let quantile = |hundredths: usize| {
        errors
            .iter()
            .enumerate()
            .find(|(place, _)| (place + 1) * 100 >= hundredths * n)
            .map(|(_, error)| *error)
    };
    QueryError {
        queries: queries.len() as u64,
        answered: n as u64,
        without_rows: (queries.len() - n) as u64,
        average: (n > 0).then(|| errors.iter().sum::<f64>() / n as f64),
        median: quantile(50),
        percentile_95: quantile(95),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Few queries about few rows are counted row by row, many by cubes; both are right.
    #[test]
    fn query_error_is_what_its_definition_says(tables in tables(), queries in vec(query(), 0..40)) {
        let lines = queries.iter().map(|query| {
            let predicates: Vec<&str> = query.iter().map(|(_, text, _)| *text).collect();
            predicates.join(" and ") + "\n"
        });
        let built = tables.build();
        let comparison = built.comparison();
        let workload = Workload::parse(&lines.collect::<String>(), &comparison).unwrap();
        let fast = query_error(&workload, &comparison, &built.before, Work::unwatched()).unwrap();
        let naive = naive(&tables, &queries);
        let counts = |error: &QueryError| [error.queries, error.answered, error.without_rows];
        prop_assert_eq!(counts(&fast), counts(&naive));
        let errors = |error: &QueryError| [error.average, error.median, error.percentile_95];
        for (fast, naive) in errors(&fast).into_iter().zip(errors(&naive)) {
            let same = fast.zip(naive).map_or(fast == naive, |(fast, naive)| close(fast, naive));
            prop_assert!(same, "{fast:?} {naive:?}");
        }
    }
}
