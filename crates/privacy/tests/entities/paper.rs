//! The students, courses and books of Nergiz and Clifton, as released in table III (see `crates/relational`).

use scumble_privacy::{Diversity, EntityDemand, SecretValues, Secrets};
use scumble_table::ColumnId;

use crate::plain::{Plain, PlainTable, told};

pub const COURSES: &str = "scid sid course grade
    1 1 Science 93
    2 1 Physics 91
    3 1 Social 85
    4 2 Science 78
    5 2 Physics 62
    6 2 Social 42
    7 3 History 85
    8 3 Religion 75
    9 4 History 98
    10 4 Religion 96";

pub fn school(courses: &str, books: &str) -> Plain {
    let students = PlainTable::read("students", "sid gpa\n1 3.72\n2 2.34\n3 3.12\n4 4.00");
    Plain {
        tables: vec![
            PlainTable {
                key: vec![0],
                others: vec![1],
                ..students
            },
            PlainTable {
                key: vec![0],
                parent: Some((0, vec![1])),
                quasi: vec![2],
                others: vec![3],
                ..PlainTable::read("courses", courses)
            },
            PlainTable {
                parent: Some((1, vec![0])),
                quasi: vec![1],
                ..PlainTable::read("books", books)
            },
        ],
        lookups: Vec::new(),
    }
}

pub const BOOKS: &str = "scid book\n1 Discrete\n2 Dyn\n4 Discrete\n5 Dyn";

pub fn anonymity(k: u64) -> EntityDemand {
    EntityDemand::Anonymity { k }
}

#[test]
fn table_iii_has_two_students_of_each_tree() {
    let (findings, faults) = school(COURSES, BOOKS).recount(&[anonymity(2), anonymity(3)], None, None);
    assert_eq!(faults.count(), 0, "{faults}");
    assert_eq!((findings[0].level, findings[0].holds), (2.0, true));
    assert_eq!((findings[1].level, findings[1].holds), (2.0, false));
    let spread = &findings[0].spread;
    assert_eq!((spread.len(), spread[0].groups, spread[0].rows), (1, 2, 4));
}

/// Each course is in two trees, but with another book.
#[test]
fn a_book_alone_tells_two_students_apart() {
    let books = BOOKS.replace("5 Dyn", "5 Calc");
    let (findings, _) = school(COURSES, &books).recount(&[anonymity(2)], None, None);
    assert_eq!(findings[0].level, 1.0);
    assert_eq!(findings[0].spread[0].groups, 2);
}

/// Section II: which book goes with which course matters, though each student has the same courses and the same books.
#[test]
fn the_same_books_at_other_courses_tell_two_students_apart() {
    let books = "scid book\n1 Discrete\n2 Dyn\n4 Dyn\n5 Discrete";
    let (findings, _) = school(COURSES, books).recount(&[anonymity(2)], None, None);
    assert_eq!(findings[0].level, 1.0);
}

/// Two courses of a student that look alike are in one group, with those of all who have the same.
#[test]
fn secrets_are_counted_in_groups_that_cannot_be_told_apart() {
    let courses = "scid sid course grade
        1 1 Science F
        2 1 Science F
        3 2 Science A
        4 2 Science F
        5 3 Science A
        6 3 Science B
        7 4 Science C
        8 4 Science D";
    let school = school(courses, "scid book");
    let about = ColumnId(3);
    let confidence = |values| EntityDemand::Confidence {
        at_most: 0.5,
        table: 1,
        about: Secrets { column: about, values },
    };
    let diversity = EntityDemand::Diversity {
        table: 1,
        about,
        measure: Diversity::Distinct { l: 5 },
    };
    let good = ["A", "B"].map(str::to_owned).to_vec();
    let demands = [
        confidence(SecretValues::Every),
        confidence(SecretValues::Sets(vec![good, vec!["D".to_owned()]])),
        diversity,
    ];
    let (findings, _) = school.recount(&demands, None, None);
    // Two of four students have an F, three rows of eight; two have an A or a B.
    let levels: Vec<f64> = findings.iter().map(|finding| finding.level).collect();
    assert_eq!(levels, [0.5, 0.5, 5.0]);
    assert!(findings.iter().all(|finding| finding.holds));
}

/// A person with two rows of one look, at parents of two looks: their paths differ, so they are two groups.
#[test]
fn rows_of_one_look_at_parents_of_two_are_two_groups() {
    let courses = "scid sid course grade
        1 1 Math A
        2 1 Art A
        3 2 Math A
        4 2 Art A
        5 3 Math A
        6 3 Art A
        7 4 Math A
        8 4 Art A";
    let books = "scid book note
        1 Red x
        2 Red y
        3 Red x
        4 Red y
        5 Red x
        6 Red y
        7 Red x
        8 Red y";
    let diversity = EntityDemand::Diversity {
        table: 2,
        about: ColumnId(2),
        measure: Diversity::Distinct { l: 2 },
    };
    let (findings, faults) = school(courses, books).recount(&[anonymity(4), diversity], None, None);
    assert!(told(&faults).is_empty());
    assert_eq!((findings[0].level, findings[1].level), (4.0, 1.0));
    assert_eq!(findings[1].spread[0].groups, 2);
}
