//! The worked examples of chapter 6 of the thesis: medical tests that are released after patient data.

use std::sync::Arc;

use scumble_privacy::{
    Demand, Earlier, History, JoinDemand, JoinSecrets, Joined, Per, Place, QuasiIdentifier, Requirement, Rule,
    SecretValues, THIS, Template,
};
use scumble_progress::Work;
use scumble_refine::{
    Dangling, DanglingIn, Objective, Operation, Outcome, Problem, QuasiColumn, Weigh, dangling, refine,
};
use scumble_table::{Column, ColumnId, Domain, Mask, Table, Taxonomy, ValueOrder};

/// Table 6.2, the medical test data.
const TESTS: [[&str; 5]; 8] = [
    ["HIV", "Banker", "UK", "M", "Yes"],
    ["HIV", "Banker", "UK", "M", "Yes"],
    ["Eye", "Banker", "UK", "F", "Yes"],
    ["Eye", "Clerk", "FR", "F", "Yes"],
    ["Allergy", "Driver", "US", "M", "No"],
    ["Allergy", "Engineer", "US", "M", "No"],
    ["Allergy", "Engineer", "FR", "M", "Yes"],
    ["Allergy", "Engineer", "FR", "M", "Yes"],
];

/// Table 6.2, the patient data.
const PATIENTS: [[&str; 3]; 8] = [
    ["UK", "M", "Z3"],
    ["UK", "M", "Z3"],
    ["UK", "F", "Z5"],
    ["FR", "F", "Z5"],
    ["FR", "M", "Z3"],
    ["FR", "M", "Z3"],
    ["FR", "M", "Z3"],
    ["US", "M", "Z3"],
];

const TEST: ColumnId = ColumnId(0);
const JOB: ColumnId = ColumnId(1);
const POB: ColumnId = ColumnId(2);
const SEX: ColumnId = ColumnId(3);
const CLASS: ColumnId = ColumnId(4);

fn table<const N: usize>(rows: &[[&str; N]], names: [&str; N]) -> Table {
    let column = |at: usize| Column::from_cells(names[at], ValueOrder::Natural, rows.iter().map(|row| Some(row[at])));
    Table::new(rows.len(), (0..N).map(column).collect())
}

fn tree(nodes: &[(&str, Option<usize>)]) -> Arc<Taxonomy> {
    let nodes: Vec<(String, Option<usize>)> = nodes
        .iter()
        .map(|&(label, parent)| (label.to_owned(), parent))
        .collect();
    Arc::new(Taxonomy::from_parents(&nodes).unwrap())
}

fn jobs() -> Arc<Taxonomy> {
    tree(&[
        ("ANY_Job", None),
        ("Admin", Some(0)),
        ("Banker", Some(1)),
        ("Clerk", Some(1)),
        ("Tech", Some(0)),
        ("Driver", Some(4)),
        ("Engineer", Some(4)),
    ])
}

fn places() -> Arc<Taxonomy> {
    tree(&[
        ("ANY_PoB", None),
        ("Europe", Some(0)),
        ("FR", Some(1)),
        ("UK", Some(1)),
        ("US", Some(0)),
    ])
}

fn of_patients(column: usize) -> Place {
    Place {
        release: 1,
        column: ColumnId(column),
    }
}

/// The patient data was released before; both have the place of birth and the sex.
fn history() -> History {
    let agree = |column: ColumnId, other: usize| Rule::Agree {
        a: Place { release: THIS, column },
        b: of_patients(other),
    };
    let born = || Domain::Nodes(places()).in_words();
    let words = || Domain::Words.in_words();
    let mut forms = vec![words(); 4];
    forms[POB.0] = born();
    History {
        earlier: vec![Earlier {
            name: "patients".to_owned(),
            table: table(&PATIENTS, ["PoB", "Sex", "Zip"]),
            recoded: Vec::new(),
            forms: vec![born(), words(), words()],
        }],
        rules: vec![agree(POB, 0), agree(SEX, 1)],
        recoded: Vec::new(),
        forms,
    }
}

/// At most so much confidence in HIV from {Job, PoB, Zip}; PoB is of both releases.
fn hiv(at_most: f64) -> Requirement {
    let about = JoinSecrets {
        place: Place {
            release: THIS,
            column: TEST,
        },
        values: SecretValues::Sets(vec![vec!["HIV".to_owned()]]),
    };
    let demand = JoinDemand::Confidence {
        at_most,
        about: vec![about],
    };
    on_join(vec![JOB, POB], vec![of_patients(0), of_patients(2)], demand)
}

fn on_join(columns: Vec<ColumnId>, of: Vec<Place>, demand: JoinDemand) -> Requirement {
    Requirement {
        templates: vec![Template {
            of: QuasiIdentifier::all(columns),
            demand: Demand::Joined(Joined { of, demand }),
        }],
    }
}

fn search(requirement: &Requirement, columns: &[ColumnId], steps: Option<usize>) -> Outcome {
    let (jobs, places) = (jobs(), places());
    let quasi = |&id: &ColumnId| QuasiColumn {
        id,
        operation: match id {
            JOB => Operation::Generalize(&jobs),
            POB => Operation::Generalize(&places),
            _ => Operation::Suppress,
        },
    };
    let table = table_of_tests(&jobs, &places);
    let problem = Problem {
        table: &table,
        populations: &[],
        history: &history(),
        quasi: columns.iter().map(quasi).collect(),
        class: Some(CLASS),
        requirement,
        objective: Objective::InformationGain,
        elsewhere: Vec::new(),
        weigh: Weigh::All,
        rows_left_out_at_most: 0,
        steps,
    };
    refine(&problem, Work::unwatched())
}

fn table_of_tests(jobs: &Taxonomy, places: &Taxonomy) -> Table {
    let names = ["Test", "Job", "PoB", "Sex", "Class"];
    let order = |at: usize| match ColumnId(at) {
        JOB => ValueOrder::Taxonomy(jobs),
        POB => ValueOrder::Taxonomy(places),
        _ => ValueOrder::Natural,
    };
    let column = |at: usize| Column::from_cells(names[at], order(at), TESTS.iter().map(|row| Some(row[at])));
    Table::new(TESTS.len(), (0..5).map(column).collect())
}

/// Example 6.3.1: 4/12 at the most masked, 4/8 after the place of birth is refined.
#[test]
fn example_6_3_1() {
    let Outcome::Refined(refined) = search(&hiv(0.9), &[POB, JOB], Some(1)) else {
        panic!("the most masked table has confidence 33 %")
    };
    assert_eq!(refined.trace.start, [4.0 / 12.0]);
    let step = &refined.trace.steps[0];
    let shown = |label: &str| Some(label.to_owned());
    assert_eq!(
        (step.value.clone(), &step.into[..]),
        (shown("ANY_PoB"), &[shown("Europe"), shown("US")][..])
    );
    assert_eq!(step.levels, [4.0 / 8.0]);
}

/// Example 6.1.2: not masked at all, {Banker, UK, Z3} tells HIV with certainty, so the search stops before.
#[test]
fn example_6_1_2() {
    let Outcome::Refined(refined) = search(&hiv(0.9), &[POB, JOB], None) else {
        panic!("the most masked table has confidence 33 %")
    };
    let level = refined.trace.steps.last().unwrap().levels[0];
    assert!((0.5..=0.9).contains(&level), "{level}");
    assert!(
        refined
            .masks
            .iter()
            .any(|mask| matches!(mask, Mask::Generalize(cut) if cut.nodes().len() < 4))
    );
    let Outcome::Refined(all) = search(&hiv(1.0), &[POB, JOB], None) else {
        panic!("certainty is allowed")
    };
    assert_eq!(all.trace.steps.last().unwrap().levels, [1.0]);
}

/// The tests know two men from the US and the patient data one; still nobody is without a match.
#[test]
fn nobody_dangles_in_table_6_2() {
    let table = table_of_tests(&jobs(), &places());
    assert_eq!(
        dangling(&table, &history()),
        Dangling {
            of_this: 0,
            earlier: vec![DanglingIn::default()]
        }
    );
}

/// The counter-example of section 6.2.2: a record that dangles vanishes from the join when it is refined, and the level
/// gets better. A candidate that is invalid now may be valid later, so the search must not drop it.
#[test]
fn a_level_on_the_join_can_get_better() {
    let domains = tree(&[
        ("d_any", None),
        ("d3", Some(0)),
        ("d", Some(0)),
        ("d1", Some(2)),
        ("d2", Some(2)),
    ]);
    let rows = [["c1", "d3"], ["c2", "d2"]];
    let column = |at: usize, order| Column::from_cells(["C", "D"][at], order, rows.iter().map(|row| Some(row[at])));
    let this = Table::new(
        2,
        vec![
            column(0, ValueOrder::Natural),
            column(1, ValueOrder::Taxonomy(&domains)),
        ],
    );
    let (c, d) = (ColumnId(0), ColumnId(1));
    let history = History {
        earlier: vec![Earlier {
            name: "earlier".to_owned(),
            table: table(&[["d3", "y3"], ["d3", "y2"], ["d1", "y1"]], ["D", "Y"]),
            recoded: Vec::new(),
            forms: vec![Domain::Nodes(domains.clone()).in_words()],
        }],
        rules: vec![Rule::Agree {
            a: Place {
                release: THIS,
                column: d,
            },
            b: of_patients(0),
        }],
        recoded: Vec::new(),
        forms: vec![Domain::Words.in_words(), Domain::Nodes(domains.clone()).in_words()],
    };
    let demand = JoinDemand::Anonymity {
        k: 1,
        per: Per::Columns(vec![of_patients(1)]),
    };
    let requirement = on_join(vec![c, d], vec![of_patients(0)], demand);
    let quasi = [(c, Operation::Suppress), (d, Operation::Generalize(&domains))];
    let problem = Problem {
        table: &this,
        populations: &[],
        history: &history,
        quasi: quasi.map(|(id, operation)| QuasiColumn { id, operation }).to_vec(),
        class: None,
        requirement: &requirement,
        objective: Objective::Distortion,
        elsewhere: Vec::new(),
        weigh: Weigh::All,
        rows_left_out_at_most: 0,
        steps: None,
    };
    assert_eq!(dangling(&this, &history).of_this, 1);
    let Outcome::Refined(refined) = refine(&problem, Work::unwatched()) else {
        panic!("one is always met")
    };
    let levels: Vec<f64> = refined.trace.steps.iter().map(|step| step.levels[0]).collect();
    assert_eq!(levels.last(), Some(&2.0));
    assert!(levels.contains(&1.0), "{levels:?}");
}
