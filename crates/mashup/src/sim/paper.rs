//! The examples of Mohammed, Fung, Wang and Hung 2009, each under its number.

use scumble_privacy::{QuasiIdentifier, Requirement, Template};
use scumble_refine::{Objective, Refined};
use scumble_table::{ColumnId, Range, Taxonomy};

use crate::{Event, Message};

use super::drive::{Side, run};
use super::equal::{check, secure};
use super::judges::Open;
use super::world::{Form, World, counting};

/// Table 1; the last column tells how many of the records have class Y and N.
const LOANS: &str = "
    Male    Janitor     30  0Y3N
    Male    Mover       32  0Y4N
    Male    Carpenter   35  2Y3N
    Female  Technician  37  3Y1N
    Female  Manager     42  4Y2N
    Female  Manager     44  3Y0N
    Male    Accountant  44  3Y0N
    Female  Accountant  44  3Y0N
    Male    Lawyer      44  2Y0N
    Female  Lawyer      44  1Y0N";

/// Table 2.
const STUDENTS: &str = "
    10th  M  40  20Y0N
    10th  M  30  0Y4N
    9th   M  30  0Y2N
    9th   F  30  0Y4N
    9th   F  40  0Y6N
    8th   F  30  0Y2N
    8th   F  40  0Y2N";

/// Party A has the sex, party B has the job and the salary; both have the class.
const A: usize = 0;
const B: usize = 1;
const SEX: usize = 0;
const JOB: usize = 1;
const SALARY: usize = 2;

/// Figure 2.
fn job() -> Taxonomy {
    tree(&[
        ("ANY_Job", None),
        ("Blue-collar", Some(0)),
        ("Non-Technical", Some(1)),
        ("Janitor", Some(2)),
        ("Mover", Some(2)),
        ("Technical", Some(1)),
        ("Carpenter", Some(5)),
        ("Technician", Some(5)),
        ("White-collar", Some(0)),
        ("Manager", Some(8)),
        ("Professional", Some(8)),
        ("Accountant", Some(10)),
        ("Lawyer", Some(10)),
    ])
}

fn tree(nodes: &[(&str, Option<usize>)]) -> Taxonomy {
    let nodes: Vec<_> = nodes
        .iter()
        .map(|&(label, parent)| (label.to_owned(), parent))
        .collect();
    Taxonomy::from_parents(&nodes).unwrap()
}

fn numbers() -> Form {
    Form::Numbers(Range::new(1.0, 99.0).ok())
}

/// A world of three masked columns and a class that all have.
fn world(compressed: &str, forms: [Form; 3], owners: [usize; 3], templates: Vec<Template>) -> World {
    let mut cells = vec![Vec::new(); 4];
    for line in compressed.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (yes, no) = words[3].trim_end_matches('N').split_once('Y').unwrap();
        for (class, count) in [("Y", yes), ("N", no)] {
            for (column, cell) in cells.iter_mut().zip([words[0], words[1], words[2], class]) {
                column.extend(std::iter::repeat_n(cell.to_owned(), count.parse().unwrap()));
            }
        }
    }
    let parties = owners.iter().max().unwrap() + 1;
    World {
        parties,
        forms: forms.into(),
        owner_of: owners.into_iter().map(Some).chain([None]).collect(),
        has_class: true,
        class_holders: (0..parties).collect(),
        cells,
        strays: Vec::new(),
        requirement: Requirement { templates },
        objective: Objective::InformationGain,
        steps: None,
    }
}

fn anonymity(k: u64, of: &[usize]) -> Template {
    Template {
        of: QuasiIdentifier::all(of.iter().copied().map(ColumnId).collect()),
        demand: counting(k, &[]),
    }
}

/// Table 1 with the requirement of Example 6.
fn loans() -> World {
    let sex = tree(&[("ANY_Sex", None), ("Male", Some(0)), ("Female", Some(0))]);
    let forms = [Form::Tree(sex), Form::Tree(job()), numbers()];
    let templates = vec![anonymity(4, &[SEX, JOB]), anonymity(11, &[SEX, SALARY])];
    world(LOANS, forms, [A, B, B], templates)
}

fn one_machine(world: &World) -> Refined {
    world.refined().expect("the requirement can be met")
}

fn near(figure: f64, printed: f64) -> bool {
    (figure - printed).abs() < 5e-5
}

/// How many people show these labels.
fn people_with(side: &Side, labels: &[(usize, &str)]) -> usize {
    let known = side.known().expect("the run ended well");
    let shows = |person: usize| {
        labels
            .iter()
            .all(|&(column, label)| known.cells[&column][person].as_deref() == Some(label))
    };
    (0..known.order.len()).filter(|&person| shows(person)).count()
}

/// Example 3: refining ANY_Job gains 0.2716 and loses 34 − 16 = 18. The score is 0.0143: the paper divides by 18, while
/// its own definition adds 1 to the loss.
#[test]
fn example_3_the_score_of_any_job() {
    let mut world = loans();
    world.requirement.templates = vec![anonymity(4, &[JOB])];
    let step = &one_machine(&world).trace.steps[0];
    assert_eq!((step.value.as_deref(), step.loss), (Some("ANY_Job"), 18.0));
    assert!(near(step.gain, 0.2716) && near(step.score, 0.0143), "{step:?}");
}

/// Examples 4, 7 and 8: the salary is split at 37, which gains 0.3584; then the job is refined.
#[test]
fn example_7_party_b_wins_twice_and_tells_a_who_goes_where() {
    let mut world = loans();
    world.steps = Some(2);
    let refined = one_machine(&world);
    let [salary, job] = &refined.trace.steps[..] else {
        panic!("{:?}", refined.trace.steps)
    };
    assert_eq!(salary.into, [Some("[1, 37)".to_owned()), Some("[37, 99]".to_owned())]);
    assert!(near(salary.gain, 0.3584), "{salary:?}");
    assert_eq!(job.value.as_deref(), Some("ANY_Job"));
    // Example 8: A(QID2) = 12 after the first step, A(QID1) = 16 after the second.
    assert_eq!((salary.levels[1], job.levels[0]), (12.0, 16.0));

    let sides = run(&world, 1, || Open);
    check(&world, &sides, "two steps");
    for side in &sides {
        let won = side.events.iter().filter_map(|event| match event {
            Event::Won { by, .. } => Some(*by),
            _ => None,
        });
        assert_eq!(won.collect::<Vec<_>>(), [B, B]);
    }
    let instruction = sides[A]
        .received
        .iter()
        .find_map(|(from, bytes)| match Message::decode(*from, bytes) {
            Ok((_, Message::Refine(refine))) => Some(refine),
            _ => None,
        });
    let instruction = instruction.expect("A follows the salary");
    assert_eq!((instruction.column as usize, instruction.children), (SALARY, 2));
    let mut goes_to = vec![0; 34];
    let child_of = instruction.child_of.unpack(34, 2).expect("one of two for each record");
    let order = &sides[A].known().expect("the run ended well").order;
    order
        .iter()
        .zip(child_of)
        .for_each(|(&person, child)| goes_to[person] = child);
    // IDs 1-12 go to the node for [1-37), IDs 13-34 go to the node for [37-99].
    assert_eq!(goes_to, [vec![0; 12], vec![1; 22]].concat());
}

/// Example 8 and Figure 5: the sizes of the partitions after both steps.
#[test]
fn example_8_the_groups_after_two_steps() {
    let mut world = loans();
    world.steps = Some(2);
    for side in run(&world, 1, || Open) {
        let size = |job: &str, salary: &str| people_with(&side, &[(SEX, "ANY_Sex"), (JOB, job), (SALARY, salary)]);
        assert_eq!(size("Blue-collar", "[1, 37)"), 12);
        assert_eq!(size("Blue-collar", "[37, 99]"), 4);
        assert_eq!(size("White-collar", "[37, 99]"), 18);
    }
}

/// Example 6: the whole run, by secure computation.
#[test]
fn example_6_the_release_is_that_of_one_machine() {
    let world = loans();
    let steps = check(&world, &run(&world, 2, || secure(2)), "Table 1");
    assert!(steps > 2, "{steps}");
}

/// Example 5: the sex first, then the hours, then nothing is left: Table 3.
#[test]
fn example_5_the_release_is_table_3() {
    let education = tree(&[("ANY_Edu", None), ("8th", Some(0)), ("9th", Some(0)), ("10th", Some(0))]);
    let sex = tree(&[("ANY_Sex", None), ("M", Some(0)), ("F", Some(0))]);
    let forms = [Form::Tree(education), Form::Tree(sex), numbers()];
    let world = world(STUDENTS, forms, [0, 1, 2], vec![anonymity(4, &[0, 1, 2])]);
    let sides = run(&world, 1, || Open);
    assert_eq!(check(&world, &sides, "Table 2"), 2);
    for side in &sides {
        let size = |sex: &str, hours: &str| people_with(side, &[(0, "ANY_Edu"), (1, sex), (2, hours)]);
        assert_eq!([size("M", "[40, 99]"), size("M", "[1, 40)")], [20, 6]);
        assert_eq!([size("F", "[40, 99]"), size("F", "[1, 40)")], [8, 6]);
    }
}
