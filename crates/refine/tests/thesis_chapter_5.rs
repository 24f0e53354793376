//! The worked examples of chapter 5 of the thesis (and of Wang, Fung and Yu 2005, examples 1 to 4): bank customers
//! whose bankruptcy must not be inferred.

use std::collections::BTreeMap;

use scumble_privacy::{Demand, History, QuasiIdentifier, Requirement, SecretValues, Secrets, Template, recount};
use scumble_progress::Work;
use scumble_refine::{Objective, Operation, Outcome, Problem, QuasiColumn, Refined, Weigh, Why, refine};
use scumble_table::{Column, ColumnId, Mask, Released, Table, ValueOrder};

const JOB: usize = 0;
const COUNTRY: usize = 1;
const CHILD: usize = 2;
const BANKRUPTCY: usize = 3;
const CLASS: usize = 4;

/// Table 5.1: job, country, child, bankruptcy, good and bad ratings.
const CUSTOMERS: [(&str, &str, &str, &str, usize, usize); 8] = [
    ("Cook", "US", "No", "Current", 0, 4),
    ("Artist", "France", "No", "Current", 1, 3),
    ("Doctor", "US", "Yes", "Never", 4, 2),
    ("Trader", "UK", "No", "Discharged", 4, 0),
    ("Trader", "UK", "No", "Never", 1, 0),
    ("Trader", "Canada", "No", "Never", 1, 0),
    ("Clerk", "Canada", "No", "Never", 3, 0),
    ("Clerk", "Canada", "No", "Discharged", 1, 0),
];

fn customers() -> Table {
    let mut rows: Vec<[&str; 5]> = Vec::new();
    for (job, country, child, bankruptcy, good, bad) in CUSTOMERS {
        rows.extend(std::iter::repeat_n([job, country, child, bankruptcy, "G"], good));
        rows.extend(std::iter::repeat_n([job, country, child, bankruptcy, "B"], bad));
    }
    let names = ["Job", "Country", "Child", "Bankruptcy", "Class"];
    let column = |at: usize| Column::from_cells(names[at], ValueOrder::Natural, rows.iter().map(|row| Some(row[at])));
    Table::new(rows.len(), (0..5).map(column).collect())
}

fn discharged(at_most: f64, of: &[usize]) -> Template {
    Template {
        of: QuasiIdentifier::all(of.iter().copied().map(ColumnId).collect()),
        demand: Demand::Confidence {
            at_most,
            about: vec![Secrets {
                column: ColumnId(BANKRUPTCY),
                values: SecretValues::Sets(vec![vec!["Discharged".to_owned()]]),
            }],
        },
    }
}

fn require(templates: &[Template]) -> Requirement {
    Requirement {
        templates: templates.to_vec(),
    }
}

fn suppress_all_but(values: &[&str]) -> Mask {
    Mask::Suppress(values.iter().map(|&value| Some(value.to_owned())).collect())
}

/// The customers with these masks on job, country and child.
fn release(masks: [Mask; 3]) -> Released {
    let [job, country, child] = masks.map(|mask| (mask, None, true));
    let as_it_is = (Mask::Exact, None, true);
    Released::new(customers(), &[job, country, child, as_it_is.clone(), as_it_is], None)
}

fn levels(release: &Released, requirement: &Requirement) -> Vec<f64> {
    recount(release, requirement, &[], &History::default())
        .into_iter()
        .map(|finding| finding.level)
        .collect()
}

fn search(requirement: &Requirement, objective: Objective) -> Outcome {
    let quasi = [JOB, COUNTRY, CHILD].map(|id| QuasiColumn {
        id: ColumnId(id),
        operation: Operation::Suppress,
    });
    let table = customers();
    let problem = Problem {
        table: &table,
        populations: &[],
        history: &History::default(),
        quasi: quasi.to_vec(),
        class: Some(ColumnId(CLASS)),
        requirement,
        objective,
        elsewhere: Vec::new(),
        weigh: Weigh::All,
        rows_left_out_at_most: 0,
        steps: None,
    };
    refine(&problem, Work::unwatched())
}

fn refined(requirement: &Requirement) -> Refined {
    match search(requirement, Objective::InformationGain) {
        Outcome::Refined(refined) => refined,
        other => panic!("{other:?}"),
    }
}

/// Example 5.0.1: four of the five traders of the UK are discharged.
#[test]
fn example_5_0_1_traders_of_the_uk_are_inferred_with_80_percent() {
    let raw = release([Mask::Exact, Mask::Exact, Mask::Exact]);
    let requirement = require(&[discharged(0.75, &[JOB, COUNTRY])]);
    assert_eq!(levels(&raw, &requirement), [0.8]);
}

/// Example 5.0.2, Table 5.2: with traders and clerks, UK and Canada suppressed, five of ten are discharged.
#[test]
fn table_5_2_has_a_confidence_of_one_half() {
    let masks = [
        suppress_all_but(&["Cook", "Artist", "Doctor"]),
        suppress_all_but(&["US", "France"]),
        Mask::Exact,
    ];
    let requirement = require(&[discharged(0.75, &[JOB, COUNTRY])]);
    assert_eq!(levels(&release(masks), &requirement), [0.5]);
}

/// Table 5.1 to 5.2, by the search: for a bound of 75 % it hides the jobs and the countries that Table 5.2 hides, where
/// nothing is lost, because all who show `*` are rated well.
#[test]
fn the_search_finds_table_5_2() {
    let refined = refined(&require(&[discharged(0.75, &[JOB, COUNTRY])]));
    assert_eq!(refined.masks[JOB], suppress_all_but(&["Artist", "Cook", "Doctor"]));
    assert_eq!(refined.masks[COUNTRY], suppress_all_but(&["France", "US"]));
    assert_eq!(refined.masks[CHILD], Mask::Exact);
    let why = refined.stops.iter().map(|stop| &stop.why);
    assert!(why.into_iter().all(|why| *why == Why::NothingToGain));
}

/// After Theorem 5.1.3: most suppressed, 5 of 24 are discharged, so no bound below 5/24 can be met.
#[test]
fn a_bound_below_5_in_24_cannot_be_met() {
    let outcome = search(
        &require(&[discharged(0.2, &[JOB, COUNTRY])]),
        Objective::InformationGain,
    );
    match outcome {
        Outcome::CannotBeMet(levels) => assert_eq!(levels, [5.0 / 24.0]),
        other => panic!("{other:?}"),
    }
    let just = require(&[discharged(5.0 / 24.0, &[JOB, COUNTRY])]);
    assert!(matches!(search(&just, Objective::InformationGain), Outcome::Refined(_)));
}

/// Examples 5.3.1 to 5.3.3: the confidence goes from 20.83 % to 25 % when Clerk is disclosed, and stays there when Canada
/// is; figure 5.2 has 4 clerks of Canada, 1 of them discharged, 1 and 0 other Canadians, 19 and 4 others.
#[test]
fn examples_5_3_1_to_5_3_3_clerk_then_canada() {
    let requirement = require(&[discharged(0.5, &[JOB, COUNTRY]), discharged(0.5, &[JOB, CHILD])]);
    let states = [(&[][..], &[][..]), (&["Clerk"], &[]), (&["Clerk"], &["Canada"])];
    let [start, clerk, canada] = states.map(|(jobs, countries)| release([jobs, countries, &[]].map(suppress_all_but)));
    assert_eq!(levels(&start, &requirement), [5.0 / 24.0; 2]);
    assert_eq!(levels(&clerk, &requirement), [0.25; 2]);
    assert_eq!(levels(&canada, &requirement), [0.25; 2]);

    let mut counts: BTreeMap<[String; 2], (usize, usize)> = BTreeMap::new();
    for row in 0..canada.rows() {
        let label = |column: usize| {
            let column = &canada.columns()[column];
            column
                .labels()
                .at(column.label_of_code()[column.codes().at(row) as usize] as usize)
                .map(str::to_owned)
        };
        let (all, discharged) = counts.entry([JOB, COUNTRY].map(|at| label(at).unwrap())).or_default();
        *all += 1;
        *discharged += usize::from(label(BANKRUPTCY).as_deref() == Some("Discharged"));
    }
    let printed = [
        (["*", "*"], (19, 4)),
        (["*", "Canada"], (1, 0)),
        (["Clerk", "Canada"], (4, 1)),
    ];
    let printed = printed.map(|(labels, counts)| (labels.map(str::to_owned), counts));
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), printed);
}
