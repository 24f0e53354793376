//! The audit of the join against the definitions, on random releases.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use scumble_privacy::{
    Condition, Demand, Earlier, History, JoinDemand, JoinSecrets, Joined, Per, Place, QuasiIdentifier, Rule,
    SecretValues, THIS, Template,
};
use scumble_table::{ColumnId, Domain, SharedForms, Taxonomy, Written};

use crate::example::{Cells, from_cells, table_of_cells, tree};
use crate::join_definitions::Records;

/// The columns of every release. The first three may be shared; each release has secrets of its own.
const HEADER: [&str; 4] = ["job", "age", "tag", "secret"];
const SHARED: usize = 3;
const SECRET: ColumnId = ColumnId(3);

/// The labels of each column; an empty one is a missing value.
const LABELS: [&[&str]; 4] = [
    &["ANY", "Professional", "Engineer", "Lawyer", "Janitor", ""],
    &["1", "1.0", "2", "1-2", "2+", "[0, 2)", "[1, 3]", "*"],
    &["a", "b", "a*", "{a|b}", "{b|}", "{a, b}", "*", ""],
    &["s", "t", "u", "*", ""],
];

/// What may be declared of a column: its cells then mean what is declared, whatever they look like.
fn forms(column: usize) -> impl Strategy<Value = SharedForms> {
    let tree = || tree("ANY\n Professional\n  Engineer\n  Lawyer\n Janitor");
    let declared: Vec<(Domain<Arc<Taxonomy>>, &[Written])> = match column {
        0 => vec![
            (
                Domain::Nodes(tree()),
                &[Written::Exact, Written::Suppressed, Written::Generalized],
            ),
            (Domain::Words, &[Written::Exact, Written::Suppressed]),
        ],
        1 => vec![
            (
                Domain::Numbers,
                &[Written::Exact, Written::Suppressed, Written::Generalized],
            ),
            (Domain::Words, &[Written::Exact, Written::Suppressed]),
        ],
        _ => vec![(Domain::Words, &[Written::Exact, Written::Suppressed, Written::Sets])],
    };
    let all = declared.into_iter().flat_map(|(domain, written)| {
        let forms = move |&written: &Written| SharedForms {
            domain: domain.clone(),
            written,
        };
        written.iter().map(forms)
    });
    select(all.collect::<Vec<_>>())
}

/// What is declared of the columns of four releases.
fn declared() -> impl Strategy<Value = [Vec<SharedForms>; 4]> {
    let of_release = || [forms(0), forms(1), forms(2), forms(3)].prop_map(Vec::from);
    [of_release(), of_release(), of_release(), of_release()]
}

fn record() -> impl Strategy<Value = Cells> {
    let cell = |label: &str| Some(label.to_owned()).filter(|label| !label.is_empty());
    let cells = LABELS.map(|labels| select(labels).prop_map(cell));
    cells.prop_map(Vec::from)
}

/// Two to four releases, this one first.
fn releases() -> impl Strategy<Value = Vec<Vec<Cells>>> {
    prop::collection::vec(prop::collection::vec(record(), 1..8), 2..=4)
}

/// Rules between any two releases, of which those of releases that there are not are left out.
fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let pair = || (0..3usize, 1..4usize).prop_map(|(a, ahead)| (a, (a + ahead).min(3)));
    let agree = (pair(), 0..SHARED).prop_map(|((a, b), column)| Rule::Agree {
        a: place(a, column),
        b: place(b, column),
    });
    let condition = move |release, (column, within): (usize, &str)| Condition {
        place: place(release, column),
        within: within.to_owned(),
    };
    let conditions = || (0..HEADER.len()).prop_flat_map(|column| (Just(column), select(LABELS[column])));
    let never = (pair(), conditions(), conditions(), any::<bool>()).prop_map(move |((a, b), left, right, turned)| {
        let (a, b) = if turned { (b, a) } else { (a, b) };
        Rule::Never {
            a: condition(a, left),
            b: condition(b, right),
        }
    });
    let rule = prop_oneof![3 => agree.boxed(), 1 => never.boxed()];
    prop::collection::vec(rule, 0..7)
}

fn place(release: usize, column: usize) -> Place {
    let column = ColumnId(column);
    Place { release, column }
}

/// Some places of any release.
fn places(at_most: usize) -> impl Strategy<Value = Vec<Place>> {
    let all = (0..4).flat_map(|release| (0..HEADER.len()).map(move |column| place(release, column)));
    subsequence(all.collect::<Vec<_>>(), 0..=at_most)
}

fn history(releases: &[Vec<Cells>], rules: Vec<Rule>, recoded: &[Place], declared: &[Vec<SharedForms>; 4]) -> History {
    let recoded = |release: usize| {
        let places = recoded.iter().filter(|place| place.release == release);
        places.map(|place| place.column).collect::<Vec<_>>()
    };
    let exists = |rule: &Rule| rule.places().iter().all(|place| place.release < releases.len());
    let earlier = (1..).zip(&releases[1..]).map(|(release, records)| Earlier {
        name: format!("release {release}"),
        table: table_of_cells(&HEADER, records),
        recoded: recoded(release),
        forms: declared[release].clone(),
    });
    History {
        earlier: earlier.collect(),
        rules: rules.into_iter().filter(exists).collect(),
        recoded: recoded(THIS),
        forms: declared[THIS].clone(),
    }
}

/// Every kind of demand, about every release.
fn demands(releases: usize, columns: Vec<Place>) -> Vec<JoinDemand> {
    let anonymity = |per| JoinDemand::Anonymity { k: 2, per };
    let confidence = |about| JoinDemand::Confidence { at_most: 0.6, about };
    let every = |release| JoinSecrets {
        place: place(release, SECRET.0),
        values: SecretValues::Every,
    };
    let sets = |release| JoinSecrets {
        values: SecretValues::Sets(vec![vec!["s".into()], vec!["t".into(), "u".into()]]),
        ..every(release)
    };
    let per_release = (0..releases).flat_map(|release| {
        [
            anonymity(Per::Records { release }),
            anonymity(Per::Columns(vec![place(release, SECRET.0)])),
            confidence(vec![every(release)]),
            confidence(vec![sets(release)]),
        ]
    });
    let on_all = [
        anonymity(Per::Join),
        anonymity(Per::Columns(columns)),
        confidence(vec![sets(THIS), every(releases - 1)]),
    ];
    per_release.chain(on_all).collect()
}

fn assert_as_defined(records: &Records, of: &[Place], columns: Vec<Place>) -> Result<(), TestCaseError> {
    let example = from_cells(&HEADER, &records.releases()[THIS]);
    let (of_this, of_earlier): (Vec<Place>, Vec<Place>) = of.iter().partition(|place| place.release == THIS);
    for demand in demands(records.releases().len(), columns) {
        let of = of_earlier.clone();
        let template = Template {
            of: QuasiIdentifier::all(of_this.iter().map(|place| place.column).collect()),
            demand: Demand::Joined(Joined { of, demand }),
        };
        let found = example.recount_joined(&template, records.history());
        let mut expected = records.levels(&template);
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));

        let best = template.sense().best().max(0.0);
        let level = expected
            .iter()
            .fold(best, |worst, group| template.sense().worse(worst, group.0));
        prop_assert_eq!(found.level, level, "{:?}", template);
        prop_assert_eq!(found.holds, template.is_met_by(level));
        let told: Vec<(f64, u64, u64)> = found.spread.iter().map(|at| (at.level, at.groups, at.rows)).collect();
        let equals = expected.chunk_by(|a, b| a.0 == b.0);
        let expected = equals.map(|same| (same[0].0, same.len() as u64, same.iter().map(|group| group.1).sum()));
        prop_assert_eq!(told, expected.collect::<Vec<_>>(), "{:?}", template);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is in the quasi-identifier.
    #[test]
    fn the_join_is_counted_as_defined(
        releases in releases(),
        rules in rules(),
        recoded in places(6),
        declared in declared(),
        of in places(6),
        columns in places(3),
    ) {
        let history = history(&releases, rules, &recoded, &declared);
        let exists = |place: &Place| place.release < releases.len();
        let [of, columns] = [of, columns].map(|places| places.into_iter().filter(exists).collect::<Vec<_>>());
        let records = Records::new(&releases, &history);
        assert_as_defined(&records, &of, columns)?;
    }

    /// All join columns are in the quasi-identifier, so that all rows of a group match the same.
    #[test]
    fn the_join_on_all_join_columns_is_counted_as_defined(
        releases in releases(),
        rules in rules(),
        recoded in places(6),
        declared in declared(),
        of in places(2),
        columns in places(3),
    ) {
        let history = history(&releases, rules, &recoded, &declared);
        let exists = |place: &Place| place.release < releases.len();
        let [mut of, columns] = [of, columns].map(|places| places.into_iter().filter(exists).collect::<Vec<_>>());
        of.extend(history.rules.iter().flat_map(Rule::places));
        of.sort();
        of.dedup();
        let records = Records::new(&releases, &history);
        assert_as_defined(&records, &of, columns)?;
    }
}
