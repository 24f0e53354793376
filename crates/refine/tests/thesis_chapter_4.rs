//! The worked examples of chapter 4 of Fung's thesis, each under its number.

use scumble_privacy::{Demand, History, QuasiIdentifier, Requirement, Template, recount};
use scumble_progress::Work;
use scumble_refine::{Objective, Operation, Outcome, Problem, QuasiColumn, Refined, Step, Weigh, refine};
use scumble_table::{Column, ColumnId, Cut, Mask, Range, Released, Table, Taxonomy, ValueOrder};

/// Table 4.1(a); the class column tells how many of the records have class Y and N.
const PATIENTS: &str = "
    Janitor      M  30  0Y3N
    Mover        M  32  0Y4N
    Carpenter    M  35  2Y3N
    Electrician  F  37  3Y1N
    Manager      F  42  4Y2N
    Manager      F  44  4Y0N
    Engineer     M  44  4Y0N
    Engineer     F  44  3Y0N
    Lawyer       F  44  1Y0N";

/// Table 4.3(a).
const STUDENTS: &str = "
    10th  M  40  20Y0N
    10th  M  30  0Y4N
    9th   M  30  0Y2N
    9th   F  30  0Y4N
    9th   F  40  0Y6N
    8th   F  30  0Y2N
    8th   F  40  0Y2N";

/// Figure 4.1.
fn job() -> Taxonomy {
    tree(&[
        ("ANY_Job", None),
        ("Blue_Collar", Some(0)),
        ("Non_Technical", Some(1)),
        ("Janitor", Some(2)),
        ("Mover", Some(2)),
        ("Technical", Some(1)),
        ("Carpenter", Some(5)),
        ("Electrician", Some(5)),
        ("White_Collar", Some(0)),
        ("Manager", Some(8)),
        ("Professional", Some(8)),
        ("Engineer", Some(10)),
        ("Lawyer", Some(10)),
    ])
}

fn sex() -> Taxonomy {
    tree(&[("ANY_Sex", None), ("M", Some(0)), ("F", Some(0))])
}

fn education() -> Taxonomy {
    tree(&[("ANY_Edu", None), ("8th", Some(0)), ("9th", Some(0)), ("10th", Some(0))])
}

fn tree(nodes: &[(&str, Option<usize>)]) -> Taxonomy {
    let nodes: Vec<_> = nodes
        .iter()
        .map(|&(label, parent)| (label.to_owned(), parent))
        .collect();
    Taxonomy::from_parents(&nodes).unwrap()
}

/// One of the chapter's tables: a column with a tree, the sex, a number, and the class.
struct Example {
    first: Taxonomy,
    sex: Taxonomy,
    table: Table,
}

const FIRST: usize = 0;
const SEX: usize = 1;
const NUMBER: usize = 2;

impl Example {
    fn new(first: Taxonomy, compressed: &str) -> Self {
        let mut rows: Vec<[String; 4]> = Vec::new();
        for line in compressed.lines().filter(|line| !line.trim().is_empty()) {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let (yes, no) = cells[3].trim_end_matches('N').split_once('Y').unwrap();
            for (class, count) in [("Y", yes), ("N", no)] {
                let row = [cells[0], cells[1], cells[2], class].map(str::to_owned);
                rows.extend(std::iter::repeat_n(row, count.parse().unwrap()));
            }
        }
        let sex = sex();
        let column = |name: &str, order: ValueOrder, at: usize| {
            Column::from_cells(name, order, rows.iter().map(|row| Some(&row[at][..])))
        };
        let columns = vec![
            column("first", ValueOrder::Taxonomy(&first), FIRST),
            column("sex", ValueOrder::Taxonomy(&sex), SEX),
            column("number", ValueOrder::Number, NUMBER),
            column("class", ValueOrder::Natural, 3),
        ];
        let table = Table::new(rows.len(), columns);
        Example { first, sex, table }
    }

    fn refine(&self, requirement: &Requirement, objective: Objective, steps: Option<usize>) -> Refined {
        let range = Range::new(1.0, 99.0).unwrap();
        let quasi = [
            Operation::Generalize(&self.first),
            Operation::Generalize(&self.sex),
            Operation::Discretize(Some(range)),
        ];
        let quasi = quasi.into_iter().enumerate().map(|(at, operation)| QuasiColumn {
            id: ColumnId(at),
            operation,
        });
        let problem = Problem {
            table: &self.table,
            populations: &[],
            history: &History::default(),
            quasi: quasi.collect(),
            class: Some(ColumnId(3)),
            requirement,
            objective,
            elsewhere: Vec::new(),
            weigh: Weigh::All,
            rows_left_out_at_most: 0,
            steps,
        };
        match refine(&problem, Work::unwatched()) {
            Outcome::Refined(refined) => refined,
            other => panic!("{other:?}"),
        }
    }

    /// The levels of a requirement on the table masked so.
    fn levels(&self, masks: [Mask; 3], requirement: &Requirement) -> Vec<f64> {
        let [first, sex, number] = masks;
        let masks = [
            (first, Some(&self.first), true),
            (sex, Some(&self.sex), true),
            (number, None, true),
            (Mask::Exact, None, true),
        ];
        let released = Released::new(self.table.clone(), &masks, None);
        recount(&released, requirement, &[], &History::default())
            .into_iter()
            .map(|finding| finding.level)
            .collect()
    }

    fn cut(&self, refined: &Refined, column: usize) -> Vec<&str> {
        let taxonomy = if column == FIRST { &self.first } else { &self.sex };
        match &refined.masks[column] {
            Mask::Generalize(cut) => cut.nodes().iter().map(|&node| taxonomy.label(node)).collect(),
            other => panic!("{other:?}"),
        }
    }
}

fn anonymity(k: u64, of: &[usize]) -> Template {
    Template {
        of: QuasiIdentifier::all(of.iter().copied().map(ColumnId).collect()),
        demand: Demand::Anonymity { k, per: vec![] },
    }
}

fn require(templates: &[Template]) -> Requirement {
    Requirement {
        templates: templates.to_vec(),
    }
}

fn value(step: &Step) -> &str {
    step.value.as_deref().unwrap()
}

fn near(figure: f64, printed: f64) -> bool {
    (figure - printed).abs() < 5e-5
}

/// Example 4.1.1: as it is, the table has one female lawyer, so {Job, Sex} is 1-anonymous, and <M, 30> has 3 records.
#[test]
fn example_4_1_1_the_raw_table_violates_both_templates() {
    let patients = Example::new(job(), PATIENTS);
    let requirement = require(&[anonymity(4, &[FIRST, SEX]), anonymity(11, &[SEX, NUMBER])]);
    let raw = [Mask::Exact, Mask::Exact, Mask::Exact];
    assert_eq!(patients.levels(raw, &requirement), [1.0, 3.0]);
}

/// Table 4.2 and example 4.2.1: its cut is 4-anonymous on {Job, Sex}, and is the one that the search finds.
#[test]
fn table_4_2_is_the_release_for_4_anonymity_on_job_and_sex() {
    let patients = Example::new(job(), PATIENTS);
    let requirement = require(&[anonymity(4, &[FIRST, SEX])]);
    let labels = ["Non_Technical", "Carpenter", "Electrician", "Manager", "Professional"];
    let printed = Mask::Generalize(Cut::parse(&patients.first, labels).unwrap());
    assert_eq!(
        patients.levels([printed, Mask::Exact, Mask::Exact], &requirement),
        [4.0]
    );

    let refined = patients.refine(&requirement, Objective::InformationGain, None);
    assert_eq!(patients.cut(&refined, FIRST), labels);
    assert_eq!(patients.cut(&refined, SEX), ["M", "F"]);
}

/// Example 4.2.2: refining ANY_Job gains 0.2716, loses 34 − 16 = 18 and scores 0.0143.
#[test]
fn example_4_2_2_the_score_of_any_job() {
    let patients = Example::new(job(), PATIENTS);
    let refined = patients.refine(&require(&[anonymity(4, &[FIRST])]), Objective::InformationGain, Some(1));
    let step = &refined.trace.steps[0];
    assert_eq!((value(step), step.loss), ("ANY_Job", 18.0));
    assert!(near(step.gain, 0.2716) && near(step.score, 0.0143), "{step:?}");
}

/// Example 4.2.3: the age is split at 37, which gains 0.3584.
#[test]
fn example_4_2_3_the_age_is_split_at_37() {
    let patients = Example::new(job(), PATIENTS);
    let refined = patients.refine(
        &require(&[anonymity(4, &[NUMBER])]),
        Objective::InformationGain,
        Some(1),
    );
    let step = &refined.trace.steps[0];
    assert_eq!(step.into, [Some("[1, 37)".to_owned()), Some("[37, 99]".to_owned())]);
    assert!(near(step.gain, 0.3584), "{step:?}");
}

/// Table 4.3(b): gain, loss and score of the three candidates of the most masked table.
#[test]
fn table_4_3_the_first_candidates() {
    let students = Example::new(education(), STUDENTS);
    for (column, label, gain, loss, score) in [
        (FIRST, "ANY_Edu", 0.6100, 36.0, 0.0165),
        (SEX, "ANY_Sex", 0.4934, 26.0, 0.0183),
        (NUMBER, "[1, 99]", 0.3958, 28.0, 0.0136),
    ] {
        let alone = require(&[anonymity(4, &[column])]);
        let step = &students.refine(&alone, Objective::InformationGain, Some(1)).trace.steps[0];
        assert_eq!((value(step), step.loss), (label, loss));
        assert!(near(step.gain, gain) && near(step.score, score), "{step:?}");
    }
}

/// Example 4.2.4, Table 4.4(a): by gain alone the education is refined first, and nothing is valid after it.
#[test]
fn table_4_4_a_by_gain_alone() {
    let students = Example::new(education(), STUDENTS);
    let requirement = require(&[anonymity(4, &[FIRST, SEX, NUMBER])]);
    let refined = students.refine(&requirement, Objective::GainOnly, None);
    let steps: Vec<&str> = refined.trace.steps.iter().map(value).collect();
    assert_eq!(steps, ["ANY_Edu"]);
    assert_eq!(refined.trace.steps[0].levels, [4.0]);
}

/// Example 4.2.4, Table 4.4(b) and (c): by score the sex is refined first (A = 14), then the hours (A = 6).
#[test]
fn table_4_4_c_by_score() {
    let students = Example::new(education(), STUDENTS);
    let requirement = require(&[anonymity(4, &[FIRST, SEX, NUMBER])]);
    let refined = students.refine(&requirement, Objective::InformationGain, None);
    let steps: Vec<(&str, f64)> = refined
        .trace
        .steps
        .iter()
        .map(|step| (value(step), step.levels[0]))
        .collect();
    assert_eq!(steps, [("ANY_Sex", 14.0), ("[1, 99]", 6.0)]);
    assert_eq!(
        refined.trace.steps[1].into,
        [Some("[1, 40)".to_owned()), Some("[40, 99]".to_owned())]
    );
    assert_eq!(students.cut(&refined, FIRST), ["ANY_Edu"]);
}

/// Examples 4.3.1 to 4.3.3, figures 4.3 and 4.4: with {Job, Sex} at 4 and {Sex, Age} at 11, the age is refined first
/// (levels 34 and 12), then the job (levels 16 and 12).
#[test]
fn examples_4_3_1_to_4_3_3_two_templates() {
    let patients = Example::new(job(), PATIENTS);
    let requirement = require(&[anonymity(4, &[FIRST, SEX]), anonymity(11, &[SEX, NUMBER])]);
    let refined = patients.refine(&requirement, Objective::InformationGain, Some(2));
    assert_eq!(refined.trace.start, [34.0, 34.0]);
    let steps: Vec<(&str, &[f64])> = refined
        .trace
        .steps
        .iter()
        .map(|step| (value(step), &step.levels[..]))
        .collect();
    assert_eq!(steps, [("[1, 99]", &[34.0, 12.0][..]), ("ANY_Job", &[16.0, 12.0])]);
}
