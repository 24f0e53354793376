//! The example of the crate's own page, and the bounds that offices use.

mod jobs;

use scumble_attack::{Attack, AttackReport, Known, Recoding, Secret, SharedColumn, attack, risks};
use scumble_progress::Work;
use scumble_table::{Column, ColumnId, Domain, Forms, Mask, Released, Table, ValueOrder};

use jobs::jobs;

/// A table from lines of cells between blanks, the first of them the names; `-` is a missing value.
fn table(text: &str) -> Table {
    let mut lines = text
        .lines()
        .map(str::split_whitespace)
        .filter(|line| line.clone().count() > 0);
    let names: Vec<&str> = lines.next().unwrap().collect();
    let rows: Vec<Vec<&str>> = lines.map(Iterator::collect).collect();
    let columns = names.iter().enumerate().map(|(column, name)| {
        let cells = rows.iter().map(|row| Some(row[column]).filter(|cell| *cell != "-"));
        Column::from_cells(name, ValueOrder::Natural, cells)
    });
    Table::new(rows.len(), columns.collect())
}

/// Blanks part the cells of [`table`], so an interval is written without one; it reads the same.
const RELEASED: &str = "
    job           age      disease
    Professional  [30,40)  HIV
    Professional  [30,40)  HIV
    Professional  [30,40)  Flu
    Janitor       [40,60)  Flu";

const KNOWN: &str = "
    who  job       age  disease
    Ann  Lawyer    38   HIV
    Bob  Engineer  31   Flu
    Cid  Janitor   52   Flu
    Dan  Janitor   20   Flu";

fn attacked(is_population: bool) -> AttackReport {
    let (released, known, jobs) = (table(RELEASED), table(KNOWN), jobs());
    let shared = |name: &str, taxonomy| SharedColumn {
        known: known.find(name).unwrap(),
        released: released.find(name).unwrap(),
        forms: Forms::any(taxonomy),
    };
    attack(
        &Attack {
            released: &released,
            quasi: vec![ColumnId(0), ColumnId(1)],
            known: Some(Known {
                table: &known,
                shared: vec![shared("job", Some(&jobs)), shared("age", None)],
                secrets: vec![Secret {
                    released: ColumnId(2),
                    known: known.find("disease"),
                    forms: Forms::exact(Domain::Words),
                }],
                recoding: Recoding::Global,
                is_population,
                k: 3,
                threshold: 0.5,
            }),
        },
        Work::unwatched(),
    )
    .unwrap()
}

#[test]
fn people_are_narrowed_as_the_page_says() {
    let linkage = attacked(false).known.unwrap().linkage;
    assert_eq!((linkage.people, linkage.without_match), (4, 1));
    assert_eq!((linkage.narrowed, linkage.uniques), (1, 1));
    let spread = linkage.matching_rows.unwrap();
    assert_eq!((spread.smallest, spread.people_at_smallest, spread.median), (1, 1, 3));
    assert!((spread.mean - 7.0 / 3.0).abs() < 1e-12);
}

/// The job alone narrows Cid and Dan to the one janitor, the age alone only Cid to the one row above 40.
#[test]
fn fewer_columns_may_do() {
    let linkage = attacked(false).known.unwrap().linkage;
    let found: Vec<(&str, u64)> = linkage
        .fewer_columns
        .iter()
        .map(|set| (&set.columns[0][..], set.people))
        .collect();
    assert_eq!(found, [("job", 2), ("age", 1)]);
}

/// The guess is HIV for Ann and Bob, of whom one has it, and Flu for Cid, who does. Without knowing anything one guesses
/// Flu (first of two equals), right for Bob and Cid.
#[test]
fn secrets_are_guessed_as_the_page_says() {
    let inference = attacked(false).known.unwrap().inference.remove(0);
    assert_eq!((inference.baseline, inference.highest), (0.5, 1.0));
    assert!((inference.mean - 7.0 / 9.0).abs() < 1e-12);
    assert_eq!(
        (inference.above_threshold, inference.nine_tenths, inference.certain),
        (3, 1, 1)
    );
    assert_eq!(inference.right, Some(2.0 / 3.0));
    assert_eq!(inference.baseline_right, Some(2.0 / 3.0));
}

/// Two people of the population are professionals between 30 and 40, but three rows are: for these the size of the group is
/// taken. One person fits the janitor.
#[test]
fn a_group_is_never_smaller_in_the_population() {
    assert_eq!(attacked(false).known.unwrap().population, None);
    let population = attacked(true).known.unwrap().population.unwrap();
    assert_eq!((population.people, population.rows_beyond_population), (4, 3));
    assert_eq!((population.journalist.highest, population.marketer), (1.0, 0.5));
}

#[test]
fn risks_are_counted_from_what_a_reader_sees() {
    let of_file = attacked(false).risks;
    assert_eq!((of_file.rows, of_file.groups, of_file.uniques), (4, 2, 1));
    assert_eq!((of_file.prosecutor.highest, of_file.marketer), (1.0, 0.5));

    // Suppressed, Engineer and Lawyer look alike, and so does a missing job.
    let masked = table("job\nEngineer\nLawyer\nJanitor\n-\nJanitor");
    let mask = Mask::Suppress(vec![Some("Janitor".to_owned())]);
    let risks = risks(&Released::new(masked, &[(mask, None, true)], None), &[ColumnId(0)]);
    assert_eq!((risks.groups, risks.uniques, risks.prosecutor.highest), (2, 0, 0.5));
}

/// 1/11 is above 0.09 and 1/3 above 0.33, yet groups of 11 and 3 are what these marks ask for.
#[test]
fn groups_of_20_11_5_and_3_meet_the_marks_of_the_offices() {
    let shares = |sizes: &[usize]| {
        let cells = sizes
            .iter()
            .enumerate()
            .flat_map(|(group, &size)| vec![group.to_string(); size]);
        let cells: Vec<String> = cells.collect();
        let column = Column::from_cells("c", ValueOrder::Natural, cells.iter().map(|cell| Some(cell.as_str())));
        let released = Released::new(
            Table::new(cells.len(), vec![column]),
            &[(Mask::Exact, None, true)],
            None,
        );
        let above = risks(&released, &[ColumnId(0)]).prosecutor.above;
        above
            .into_iter()
            .map(|above| (above.risk, above.rows))
            .collect::<Vec<_>>()
    };
    assert_eq!(shares(&[20, 21]), [(0.05, 0), (0.09, 0), (0.2, 0), (0.33, 0)]);
    assert_eq!(shares(&[11, 19]), [(0.05, 30), (0.09, 0), (0.2, 0), (0.33, 0)]);
    assert_eq!(shares(&[11, 10]), [(0.05, 21), (0.09, 10), (0.2, 0), (0.33, 0)]);
    assert_eq!(shares(&[5, 4, 3, 2, 1]), [(0.05, 15), (0.09, 15), (0.2, 10), (0.33, 3)]);
    assert_eq!(shares(&[]), [(0.05, 0), (0.09, 0), (0.2, 0), (0.33, 0)]);
}
