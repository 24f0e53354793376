//! The fast attack finds what nested loops find that follow the definitions word by word.

mod jobs;

use proptest::prelude::*;
use proptest::sample::select;
use scumble_attack::{Attack, AttackReport, Known, Recoding, Secret, SharedColumn, attack};
use scumble_progress::Work;
use scumble_table::{Column, ColumnId, Forms, Label, Table, Taxonomy, ValueOrder};

use jobs::jobs;

/// Values and labels of each shared column; `None` is a missing value. Labels are nested, so the most specific label is the
/// one that covers the fewest values.
const VALUES: [&[Option<&str>]; 3] = [
    &[Some("Engineer"), Some("Lawyer"), Some("Janitor"), None],
    &[Some("1"), Some("3"), Some("3.0"), Some("7"), None],
    &[Some("a"), Some("b"), Some("c"), None],
];
const LABELS: [&[Option<&str>]; 3] = [
    &[Some("ANY"), Some("Engineer"), Some("Professional"), None],
    &[Some("*"), Some("3"), Some("[0, 10)"), Some("[0, 5)")],
    &[Some("*"), Some("a"), Some("c"), Some("{a|b}"), None],
];
const SECRETS: [Option<&str>; 4] = [Some("Flu"), Some("HIV"), Some("Ulcer"), None];

type Row = Vec<Option<&'static str>>;

fn taxonomy(column: usize, jobs: &Taxonomy) -> Option<&Taxonomy> {
    (column == 0).then_some(jobs)
}

/// Up to twelve rows: shared columns from `pools`, then a secret.
fn rows(pools: [&'static [Option<&'static str>]; 3]) -> impl Strategy<Value = Vec<Row>> {
    let row = (pools.map(select), select(&SECRETS[..]));
    let row = row.prop_map(|(cells, secret)| cells.into_iter().chain([secret]).collect());
    prop::collection::vec(row, 1..12)
}

fn table(rows: &[Row]) -> Table {
    let column = |place: usize| {
        Column::from_cells(
            &place.to_string(),
            ValueOrder::Natural,
            rows.iter().map(|row| row[place]),
        )
    };
    Table::new(rows.len(), (0..4).map(column).collect())
}

fn fast(known: &[Row], released: &[Row], columns: usize, recoding: Recoding, k: u64) -> AttackReport {
    let (known, released, jobs) = (table(known), table(released), jobs());
    let shared = |column: usize| SharedColumn {
        known: ColumnId(column),
        released: ColumnId(column),
        forms: Forms::any(taxonomy(column, &jobs)),
    };
    attack(
        &Attack {
            released: &released,
            quasi: (0..columns).map(ColumnId).collect(),
            known: Some(Known {
                table: &known,
                shared: (0..columns).map(shared).collect(),
                secrets: vec![Secret {
                    released: ColumnId(3),
                    known: Some(ColumnId(3)),
                    forms: Forms::any(None),
                }],
                recoding,
                is_population: true,
                k,
                threshold: 0.5,
            }),
        },
        Work::unwatched(),
    )
    .unwrap()
}

/// The definitions, row by row.
struct Slow<'r> {
    known: &'r [Row],
    released: &'r [Row],
    recoding: Recoding,
    jobs: Taxonomy,
}

impl Slow<'_> {
    fn covers(&self, column: usize, label: Option<&str>, value: Option<&str>) -> bool {
        Label::parse(label, Forms::any(taxonomy(column, &self.jobs))).covers(value)
    }

    /// How many values of the pool a label covers.
    fn breadth(&self, column: usize, label: Option<&str>) -> usize {
        let values = VALUES[column].iter();
        values.filter(|value| self.covers(column, label, **value)).count()
    }

    fn may_be_shown_as(&self, column: usize, value: Option<&str>, label: Option<&str>) -> bool {
        let more_specific = |other: &Row| {
            let other = other[column];
            self.covers(column, other, value) && self.breadth(column, other) < self.breadth(column, label)
        };
        let rivals = self.recoding == Recoding::Global && self.released.iter().any(more_specific);
        self.covers(column, label, value) && !rivals
    }

    fn matches(&self, person: &Row, row: &Row, columns: &[usize]) -> bool {
        columns
            .iter()
            .all(|&column| self.may_be_shown_as(column, person[column], row[column]))
    }

    fn matching<'s>(&'s self, person: &Row, columns: &[usize]) -> Vec<&'s Row> {
        let rows = self.released.iter();
        rows.filter(|row| self.matches(person, row, columns)).collect()
    }

    fn narrowed(&self, columns: &[usize], k: u64) -> u64 {
        let few = |person: &&Row| (1..k).contains(&(self.matching(person, columns).len() as u64));
        self.known.iter().filter(few).count() as u64
    }
}

/// The most frequent secret and its share; the first in value order of equals, the missing value last.
fn guess(rows: &[&Row]) -> (Option<&'static str>, f64) {
    let count = |secret: Option<&str>| rows.iter().filter(|row| row[3] == secret).count();
    let most = SECRETS.iter().map(|secret| count(*secret)).max().unwrap();
    let value = SECRETS.into_iter().find(|secret| count(*secret) == most).unwrap();
    (value, most as f64 / rows.len() as f64)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

fn check(known: &[Row], released: &[Row], columns: usize, recoding: Recoding, k: u64) -> Result<(), TestCaseError> {
    let slow = Slow {
        known,
        released,
        recoding,
        jobs: jobs(),
    };
    let report = fast(known, released, columns, recoding, k);
    let found = report.known.unwrap();
    let all: Vec<usize> = (0..columns).collect();

    let mut sizes: Vec<usize> = known.iter().map(|person| slow.matching(person, &all).len()).collect();
    sizes.sort();
    let matched: Vec<usize> = sizes.iter().copied().filter(|&size| size > 0).collect();
    prop_assert_eq!(found.linkage.people, known.len() as u64);
    prop_assert_eq!(found.linkage.without_match as usize, known.len() - matched.len());
    prop_assert_eq!(found.linkage.narrowed, slow.narrowed(&all, k));
    prop_assert_eq!(found.linkage.uniques, slow.narrowed(&all, 2));
    match found.linkage.matching_rows {
        None => prop_assert!(matched.is_empty()),
        Some(spread) => {
            prop_assert_eq!(spread.smallest as usize, matched[0]);
            let at_smallest = matched.iter().filter(|&&size| size == matched[0]).count();
            prop_assert_eq!(spread.people_at_smallest as usize, at_smallest);
            prop_assert_eq!(spread.median as usize, matched[(matched.len() - 1) / 2]);
            prop_assert!(near(
                spread.mean,
                matched.iter().sum::<usize>() as f64 / matched.len() as f64
            ));
        }
    }

    let singles = (0..columns).map(|column| vec![column]);
    let pairs = (0..columns).flat_map(|a| (a + 1..columns).map(move |b| vec![a, b]));
    for set in singles.chain(pairs).filter(|set| set.len() < columns) {
        let names: Vec<String> = set.iter().map(usize::to_string).collect();
        let told = found.linkage.fewer_columns.iter().find(|told| told.columns == names);
        prop_assert_eq!(told.map_or(0, |told| told.people), slow.narrowed(&set, k), "{:?}", set);
    }

    let guesses = known.iter().map(|person| (person, slow.matching(person, &all)));
    let guesses = guesses.filter(|(_, rows)| !rows.is_empty());
    let guesses: Vec<_> = guesses.map(|(person, rows)| (person[3], guess(&rows))).collect();
    let (baseline, share) = guess(&released.iter().collect::<Vec<_>>());
    let inference = &found.inference[0];
    let people = |fits: &dyn Fn(f64) -> bool| guesses.iter().filter(|(_, (_, share))| fits(*share)).count() as u64;
    let part = |hits: usize| (!guesses.is_empty()).then(|| hits as f64 / guesses.len() as f64);
    prop_assert!(near(inference.baseline, share));
    prop_assert!(near(
        inference.highest,
        guesses.iter().map(|guess| guess.1.1).fold(0.0, f64::max)
    ));
    let mean = guesses.iter().map(|guess| guess.1.1).sum::<f64>() / guesses.len().max(1) as f64;
    prop_assert!(near(inference.mean, mean));
    prop_assert_eq!(inference.above_threshold, people(&|share| share > 0.5));
    prop_assert_eq!(inference.nine_tenths, people(&|share| share >= 0.9));
    prop_assert_eq!(inference.certain, people(&|share| share == 1.0));
    let right = guesses.iter().filter(|(truth, (guess, _))| truth == guess);
    prop_assert_eq!(inference.right, part(right.count()));
    let right = guesses.iter().filter(|(truth, _)| *truth == baseline);
    prop_assert_eq!(inference.baseline_right, part(right.count()));

    let group = |row: &Row| {
        released
            .iter()
            .filter(|other| other[..columns] == row[..columns])
            .count()
    };
    let fitting = |row: &Row| known.iter().filter(|person| slow.matches(person, row, &all)).count();
    check_risk(&report.risks.prosecutor, released, group)?;
    prop_assert_eq!(
        report.risks.uniques as usize,
        released.iter().filter(|row| group(row) == 1).count()
    );
    for violating in &report.risks.violating {
        let rows = released.iter().filter(|row| group(row) < violating.k as usize).count();
        prop_assert_eq!(violating.rows as usize, rows);
    }
    let population = found.population.unwrap();
    check_risk(&population.journalist, released, |row| group(row).max(fitting(row)))?;
    let beyond = released.iter().filter(|row| fitting(row) < group(row)).count();
    prop_assert_eq!(population.rows_beyond_population as usize, beyond);
    Ok(())
}

fn check_risk(
    found: &scumble_attack::Risk,
    released: &[Row],
    among: impl Fn(&Row) -> usize,
) -> Result<(), TestCaseError> {
    let risks: Vec<f64> = released.iter().map(|row| 1.0 / among(row) as f64).collect();
    prop_assert!(near(found.highest, risks.iter().copied().fold(0.0, f64::max)));
    prop_assert!(near(found.average, risks.iter().sum::<f64>() / risks.len() as f64));
    prop_assert!(near(found.expected.unwrap(), risks.iter().sum()));
    for above in &found.above {
        let rows = released.iter().filter(|row| among(row) < above.group as usize).count();
        prop_assert_eq!(above.rows as usize, rows);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn against_a_global_recoding(known in rows(VALUES), released in rows(LABELS), columns in 1..=3usize, k in 1..6u64) {
        check(&known, &released, columns, Recoding::Global, k)?;
    }

    #[test]
    fn against_a_local_recoding(known in rows(VALUES), released in rows(LABELS), columns in 1..=3usize, k in 1..6u64) {
        check(&known, &released, columns, Recoding::Local, k)?;
    }
}
