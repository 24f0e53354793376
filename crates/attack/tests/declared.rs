//! Attacks on random tables whose values look like labels, beside a plain count that reads no label but looks up in a list
//! what each of them stands for.

use proptest::prelude::*;
use proptest::sample::select;
use scumble_attack::{Attack, Known, KnownReport, Recoding, SharedColumn, attack};
use scumble_progress::Work;
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Domain, Forms, FormsOf, Table, Taxonomy, ValueOrder, Written};

const TEXTS: [&str; 12] = [
    "1-5", "3", "A*", "A+", "*", "{a|b}", "a", "1", "1.0", "[1, 5)", "low", "ANY",
];

/// What is declared of a column.
#[derive(Clone, Copy, Debug)]
enum Kind {
    AsItIs,
    Suppressed,
    Sets,
    Numbers,
    Tree,
}

/// What a label stands for beside itself.
fn listed(kind: Kind, label: &str) -> &'static [&'static str] {
    match (kind, label) {
        (Kind::Suppressed | Kind::Sets | Kind::Numbers | Kind::Tree, "*") | (Kind::Tree, "ANY") => &TEXTS,
        (Kind::Sets, "{a|b}") => &["a", "b"],
        (Kind::Numbers, "[1, 5)") => &["1", "1.0", "3"],
        (Kind::Numbers, "1") => &["1.0"],
        (Kind::Numbers, "1.0") => &["1"],
        (Kind::Tree, "low") => &["1-5", "3"],
        _ => &[],
    }
}

fn may_be(kind: Kind, label: &str, value: &str) -> bool {
    label == value || listed(kind, label).contains(&value)
}

/// The one label of a value where the column was masked as a whole: its own text, else what stands for the fewest.
fn only_label(kind: Kind, shown: &[&'static str], value: &str) -> Option<&'static str> {
    let covering = shown.iter().copied().filter(|label| may_be(kind, label, value));
    covering.min_by_key(|&label| match label {
        _ if label == value => 0,
        // The root of a tree says at least that there is a tree.
        "*" => usize::MAX,
        _ => 1 + listed(kind, label).len(),
    })
}

type Row = [&'static str; 2];

/// For each person, how many rows match.
fn matching(kinds: [Kind; 2], known: &[Row], released: &[Row], recoding: Recoding) -> Vec<u64> {
    let matches = |person: &Row, row: &Row| {
        (0..2).all(|column| match recoding {
            Recoding::Local => may_be(kinds[column], row[column], person[column]),
            Recoding::Global => {
                let shown: Vec<&str> = released.iter().map(|row| row[column]).collect();
                only_label(kinds[column], &shown, person[column]) == Some(row[column])
            }
        })
    };
    let rows = |person: &Row| released.iter().filter(|row| matches(person, row)).count() as u64;
    known.iter().map(rows).collect()
}

fn tree() -> Taxonomy {
    parse("1-5;low;ANY\n3;low;ANY\nA*;high;ANY\n{a|b};high;ANY\n", Format::Levels).unwrap()
}

fn forms(kind: Kind, tree: &Taxonomy) -> FormsOf<'_> {
    let (domain, written) = match kind {
        Kind::AsItIs => (Domain::Words, Written::Exact),
        Kind::Suppressed => (Domain::Words, Written::Suppressed),
        Kind::Sets => (Domain::Words, Written::Sets),
        Kind::Numbers => (Domain::Numbers, Written::Generalized),
        Kind::Tree => (Domain::Nodes(tree), Written::Generalized),
    };
    Forms { domain, written }
}

fn table(rows: &[Row]) -> Table {
    let column = |place: usize| {
        let cells = rows.iter().map(|row| Some(row[place]));
        Column::from_cells(&place.to_string(), ValueOrder::Natural, cells)
    };
    Table::new(rows.len(), (0..2).map(column).collect())
}

fn attacked(kinds: [Kind; 2], known: &[Row], released: &[Row], recoding: Recoding) -> KnownReport {
    let (known, released, tree) = (table(known), table(released), tree());
    let shared = |column: usize| SharedColumn {
        known: ColumnId(column),
        released: ColumnId(column),
        forms: forms(kinds[column], &tree),
    };
    let report = attack(
        &Attack {
            released: &released,
            quasi: vec![ColumnId(0), ColumnId(1)],
            known: Some(Known {
                table: &known,
                shared: (0..2).map(shared).collect(),
                secrets: Vec::new(),
                recoding,
                is_population: false,
                k: 3,
                threshold: 0.5,
            }),
        },
        Work::unwatched(),
    )
    .unwrap();
    report.known.unwrap()
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec([select(TEXTS.to_vec()), select(TEXTS.to_vec())], 1..12)
}

fn kind() -> impl Strategy<Value = Kind> {
    select(vec![
        Kind::AsItIs,
        Kind::Suppressed,
        Kind::Sets,
        Kind::Numbers,
        Kind::Tree,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn people_are_looked_up_by_what_is_declared(
        kinds in [kind(), kind()],
        known in rows(),
        released in rows(),
        recoding in select(vec![Recoding::Global, Recoding::Local]),
    ) {
        let linkage = attacked(kinds, &known, &released, recoding).linkage;
        let rows = matching(kinds, &known, &released, recoding);
        let people = |fits: &dyn Fn(u64) -> bool| rows.iter().filter(|&&rows| fits(rows)).count() as u64;
        prop_assert_eq!(linkage.people, known.len() as u64);
        prop_assert_eq!(linkage.without_match, people(&|rows| rows == 0));
        prop_assert_eq!(linkage.uniques, people(&|rows| rows == 1));
        prop_assert_eq!(linkage.narrowed, people(&|rows| (1..3).contains(&rows)));
        let matched = people(&|rows| rows > 0);
        let mean = linkage.matching_rows.as_ref().map(|spread| spread.mean);
        let expected = (matched > 0).then(|| rows.iter().sum::<u64>() as f64 / matched as f64);
        prop_assert_eq!(mean, expected);
        prop_assert_eq!(linkage.matching_rows.map(|spread| spread.smallest), rows.iter().copied().filter(|&rows| rows > 0).min());
    }
}
