//! Groups beside the whole: examples for a pencil, and each bound with one row either side of it.

use scumble_privacy::{Distance, EntityDemand, Finding};
use scumble_table::ColumnId;

use crate::plain::{Plain, PlainTable};
use crate::random::secret_tree;

/// Students of two trees: some with Science courses, some with History. `courses` has lines `student course grade`.
fn school(students: usize, courses: &[&str]) -> Plain {
    let students: Vec<String> = (1..=students).map(|student| student.to_string()).collect();
    let courses = format!("sid course grade\n{}", courses.join("\n"));
    Plain {
        tables: vec![
            PlainTable {
                key: vec![0],
                ..PlainTable::read("students", &format!("sid\n{}", students.join("\n")))
            },
            PlainTable {
                parent: Some((0, vec![0])),
                quasi: vec![1],
                others: vec![2],
                ..PlainTable::read("courses", &courses)
            },
        ],
        lookups: Vec::new(),
    }
}

fn found(plain: &Plain, demand: EntityDemand) -> Finding {
    let (findings, faults) = plain.recount(&[demand], None, None);
    assert_eq!(faults.count(), 0);
    findings[0].clone()
}

fn beta(at_most: f64, enhanced: bool) -> EntityDemand {
    EntityDemand::BetaLikeness {
        table: 1,
        about: ColumnId(2),
        at_most,
        enhanced,
    }
}

fn delta(below: f64) -> EntityDemand {
    EntityDemand::DeltaDisclosure {
        table: 1,
        about: ColumnId(2),
        below,
    }
}

fn closeness(at_most: f64, distance: Distance) -> EntityDemand {
    EntityDemand::Closeness {
        table: 1,
        about: ColumnId(2),
        at_most,
        distance,
    }
}

/// By rows half of Science is an F, as of all. But everybody there has one, and of all 3 of 4 have.
#[test]
fn what_everybody_has_in_some_row_is_learnt_though_rows_do_not_tell() {
    let courses = [
        "1 Science F",
        "1 Science A",
        "2 Science F",
        "2 Science A",
        "3 History B",
        "4 History F",
    ];
    let plain = school(4, &courses);
    let finding = found(&plain, beta(1.0, false));
    // B: of History half of the rows and persons, of all a sixth of the rows and a quarter of the persons.
    assert!((finding.level - 2.0).abs() < 1e-12, "{finding:?}");
    let rest = [
        "1 Science F",
        "1 Science A",
        "2 Science F",
        "2 Science A",
        "3 History A",
        "4 History F",
    ];
    // By rows every share is that of the whole; by persons A and F are 2 of 2 beside 3 of 4.
    let finding = found(&school(4, &rest), beta(0.34, false));
    assert!(
        (finding.level - 1.0 / 3.0).abs() < 1e-12 && finding.holds,
        "{finding:?}"
    );
    assert!(!found(&school(4, &rest), beta(0.33, false)).holds);
    let finding = found(&school(4, &rest), closeness(0.0, Distance::Equal));
    assert!(finding.holds, "{finding:?}");
    // History has half of each where 3 of 4 have.
    let finding = found(&school(4, &rest), delta(0.41));
    assert!(
        (finding.level - 1.5_f64.ln()).abs() < 1e-12 && finding.holds,
        "{finding:?}"
    );
    assert!(!found(&school(4, &rest), delta(0.40)).holds);
}

/// One row per person: as one table of the same rows.
const FOUR_OF_EACH: [&str; 8] = [
    "1 Science F",
    "2 Science F",
    "3 Science A",
    "4 Science A",
    "5 History F",
    "6 History A",
    "7 History A",
    "8 History A",
];

/// 3 of 8 have an F: 2 of 4 gains (4/8 − 3/8) / (3/8) = 1/3. With one F less in Science it is 1 of 4 of 2 of 8: nothing.
#[test]
fn one_row_decides_of_a_gain() {
    let finding = found(&school(8, &FOUR_OF_EACH), beta(0.3, false));
    assert!(
        (finding.level - 1.0 / 3.0).abs() < 1e-12 && !finding.holds,
        "{finding:?}"
    );
    let mut even = FOUR_OF_EACH;
    even[0] = "1 Science A";
    let finding = found(&school(8, &even), beta(0.3, false));
    assert!((finding.level, finding.holds) == (0.0, true), "{finding:?}");
    // One F more: 3 of 4 beside 4 of 8 gains a half.
    let mut more = FOUR_OF_EACH;
    more[2] = "3 Science F";
    let finding = found(&school(8, &more), beta(0.5, false));
    assert!((finding.level, finding.holds) == (0.5, true), "{finding:?}");
    assert!(!found(&school(8, &more), beta(0.49, false)).holds);
}

/// A: 5 of 8. In History 3 of 4 gain 0.2; enhanced likeness allows −ln(5/8) = 0.47. All four would gain 0.6 of 6 of 8.
#[test]
fn a_frequent_value_may_not_become_a_certain_one() {
    assert!(found(&school(8, &FOUR_OF_EACH), beta(0.4, true)).holds);
    let mut sure = FOUR_OF_EACH;
    sure[4] = "5 History A";
    assert!(found(&school(8, &sure), beta(1.0, false)).holds);
    let finding = found(&school(8, &sure), beta(1.0, true));
    assert!((finding.level, finding.holds) == (f64::INFINITY, false), "{finding:?}");
}

/// History lacks the F that Science has.
#[test]
fn a_value_that_a_group_lacks_discloses_without_end() {
    let mut lacking = FOUR_OF_EACH;
    assert!(found(&school(8, &lacking), delta(0.5)).holds);
    lacking[4] = "5 History A";
    assert_eq!(found(&school(8, &lacking), delta(9.0)).level, f64::INFINITY);
}

/// δ is not reached: ln 2 of 1 in 2 beside 1 in 4.
#[test]
fn a_change_of_exactly_the_bound_is_too_much() {
    let courses = ["1 Science F", "2 Science A", "3 History A", "4 History A"];
    let level = found(&school(4, &courses), beta(1.0, false));
    assert!((level.level, level.holds) == (1.0, true));
    let mut both = FOUR_OF_EACH;
    both[1] = "2 Science A";
    both[2] = "3 Science F";
    // 2 of 4 and 1 of 4 beside 3 of 8: ln(4/3) and ln(3/2).
    let level = 1.5_f64.ln();
    assert!(!found(&school(8, &both), delta(level)).holds);
    assert!(found(&school(8, &both), delta(level + 1e-6)).holds);
}

/// Grades 1, 2 and 3, one of each in History and three 1 in Science: of all 4/6, 1/6 and 1/6.
#[test]
fn distances_follow_their_ground() {
    let courses = [
        "1 Science x",
        "2 Science x",
        "3 Science x",
        "4 History x",
        "5 History y",
        "6 History z",
    ];
    let plain = school(6, &courses);
    let level = |distance: Distance| found(&plain, closeness(1.0, distance)).level;
    // A third must move.
    assert!((level(Distance::Equal) - 1.0 / 3.0).abs() < 1e-12);
    // A third passes from x to y, and a sixth from y to z, two steps being 1.
    assert!((level(Distance::Ordered) - 0.25).abs() < 1e-12);
    // A sixth goes to y at 1/2, a sixth to z at 1.
    assert!((level(Distance::Taxonomy(secret_tree())) - 0.25).abs() < 1e-12);
    for distance in [Distance::Ordered, Distance::Taxonomy(secret_tree())] {
        assert!(found(&plain, closeness(0.25, distance.clone())).holds);
        assert!(!found(&plain, closeness(0.24, distance)).holds);
    }
}

/// Everybody has a book with an F: that is another table, and the courses are compared as before.
#[test]
fn the_whole_is_all_rows_of_the_same_table() {
    let mut plain = school(8, &FOUR_OF_EACH);
    let books: Vec<String> = (1..=8).map(|student| format!("{student} F")).collect();
    plain.tables.push(PlainTable {
        parent: Some((0, vec![0])),
        others: vec![1],
        ..PlainTable::read("books", &format!("sid grade\n{}", books.join("\n")))
    });
    let finding = found(&plain, beta(0.3, false));
    assert!((finding.level - 1.0 / 3.0).abs() < 1e-12, "{finding:?}");
}
