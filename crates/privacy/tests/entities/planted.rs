//! Faults planted in the paper's example, as they are told.

use scumble_privacy::{Faults, audit_entities};
use scumble_table::Taxonomy;

use crate::paper::{BOOKS, COURSES, anonymity, school};
use crate::plain::{Plain, PlainOriginals, PlainTable, told};

const ORIGINAL_COURSES: &str = "scid sid course grade
    SC1 S1 Math 93
    SC2 S1 Physics 91
    SC3 S1 History 85
    SC4 S2 CS 78
    SC5 S2 Physics 62
    SC6 S2 Religion 42
    SC7 S3 History 85
    SC8 S3 Religion 75
    SC9 S3 Physics 77
    SC10 S4 History 98
    SC11 S4 Religion 96";

fn courses_tree() -> Taxonomy {
    let nodes = [
        ("*", None),
        ("Science", Some(0)),
        ("Math", Some(1)),
        ("Physics", Some(1)),
        ("CS", Some(1)),
        ("Social", Some(0)),
        ("History", Some(5)),
        ("Religion", Some(5)),
    ];
    Taxonomy::from_parents(&nodes.map(|(label, parent)| (label.to_owned(), parent))).unwrap()
}

fn originals() -> PlainOriginals {
    let mut originals = school(
        ORIGINAL_COURSES,
        "scid book\nSC1 Discrete\nSC2 Calc\nSC2 Dyn\nSC4 Discrete\nSC5 Dyn",
    );
    let sids = ["S1", "S2", "S3", "S4"];
    let students = originals.tables[0].rows.iter_mut().zip(sids);
    students.for_each(|(row, sid)| row[0] = sid.to_owned());
    PlainOriginals {
        tables: originals.tables,
        rows: vec![vec![0, 1, 2, 3], vec![0, 1, 2, 3, 4, 5, 6, 7, 9, 10], vec![0, 2, 3, 4]],
    }
}

fn faults(plain: &Plain) -> Faults {
    plain
        .recount(&[anonymity(2)], Some(&originals()), Some(&courses_tree()))
        .1
}

#[test]
fn the_example_has_no_fault() {
    assert_eq!(told(&faults(&school(COURSES, BOOKS))), [""; 0]);
}

#[test]
fn keys_that_do_not_fit_are_told() {
    let plain = school(&COURSES.replace("10 4 Religion", "10 9 Religion"), BOOKS);
    assert_eq!(
        told(&faults(&plain)),
        ["table `courses`, row 10: `students` has no row with the key in `sid`"]
    );
    let mut plain = school(COURSES, BOOKS);
    plain.tables[0].rows[3][0] = "3".to_owned();
    let found = told(&faults(&plain));
    assert_eq!(found[0], "table `students`, row 4: the key in `sid` is that of row 3");
    let plain = school(&COURSES.replace("5 2 Physics", "- 2 Physics"), BOOKS);
    let found = told(&faults(&plain));
    assert_eq!(
        found,
        [
            "table `courses`, row 5: the key column `scid` is empty",
            "table `books`, row 4: `courses` has no row with the key in `scid`"
        ]
    );
}

#[test]
fn what_is_not_true_of_the_original_is_told() {
    let plain = school(&COURSES.replace("8 3 Religion", "8 4 Religion"), BOOKS);
    assert_eq!(
        told(&faults(&plain)),
        ["table `courses`, row 8: in the original it belongs to another row of `students`"]
    );
    let plain = school(&COURSES.replace("Physics 62", "Physics 63"), BOOKS);
    assert_eq!(
        told(&faults(&plain)),
        ["table `courses`, row 5: column `grade` differs from the original"]
    );
    let plain = school(&COURSES.replace("Physics", "CS"), BOOKS);
    assert_eq!(
        told(&faults(&plain)),
        [2, 5].map(|row| format!(
            "table `courses`, row {row}: what column `course` shows does not cover the original value"
        ))
    );
}

/// A number may be written in another way, as the columns of some formats do. A word may not, even if it looks like one.
#[test]
fn a_number_is_the_same_however_it_is_written() {
    let plain = school(&COURSES.replace("Physics 62", "Physics 62.0"), BOOKS);
    let faults_if = |others_are_numbers| {
        let mut originals = originals();
        originals.tables[1].others_are_numbers = others_are_numbers;
        let (_, faults) = plain.recount(&[anonymity(2)], Some(&originals), Some(&courses_tree()));
        told(&faults)
    };
    assert_eq!(faults_if(true), [""; 0]);
    assert_eq!(
        faults_if(false),
        ["table `courses`, row 5: column `grade` differs from the original"]
    );
}

/// Whichever row is taken away or made finer, its student is singled out.
#[test]
fn whatever_singles_out_a_student_is_found() {
    let sound = school(COURSES, BOOKS);
    for table in 1..3 {
        for row in 0..sound.tables[table].rows.len() {
            let quasi = sound.tables[table].quasi[0];
            let mut finer = sound.clone();
            finer.tables[table].rows[row][quasi] = "Finer".to_owned();
            let mut missing = sound.clone();
            missing.tables[table].rows.remove(row);
            for changed in [finer, missing] {
                let (findings, _) = changed.recount(&[anonymity(2)], None, None);
                assert_eq!((findings[0].level, findings[0].holds), (1.0, false), "{table} {row}");
                assert!(audit_entities(changed.released(), &[anonymity(2)], None).is_err());
            }
        }
    }
}

/// Books refer to titles; titles refer to publishers.
fn with_lookups(book: &str) -> Plain {
    let mut plain = school(COURSES, &BOOKS.replace("1 Discrete", &format!("1 {book}")));
    plain.tables[2].refers = vec![(1, 0)];
    plain.lookups = vec![
        PlainTable {
            key: vec![0],
            refers: vec![(1, 1)],
            ..PlainTable::read("titles", "book publisher\nDiscrete P\nDyn Q\nCalc -")
        },
        PlainTable {
            key: vec![0],
            ..PlainTable::read("publishers", "publisher\nP\nQ")
        },
    ];
    plain
}

#[test]
fn references_lead_to_a_row_unless_they_are_generalized_or_empty() {
    for book in ["Discrete", "*", "{Calc|Dyn}", "[1,2]", "-"] {
        let (_, faults) = with_lookups(book).recount(&[], None, None);
        assert_eq!(told(&faults), [""; 0], "{book}");
    }
    let (_, faults) = with_lookups("Cooking").recount(&[], None, None);
    assert_eq!(
        told(&faults),
        ["table `books`, row 1: the look-up `titles` has no row with the key in `book`"]
    );
    // What is not quasi is shown as it is.
    let mut plain = with_lookups("*");
    plain.tables[2].quasi.clear();
    assert_eq!(plain.recount(&[], None, None).1.count(), 1);
}

#[test]
fn faults_of_look_ups_are_told() {
    let mut plain = with_lookups("Discrete");
    plain.lookups[0].rows[2] = vec!["Dyn".to_owned(), "R".to_owned()];
    let (_, faults) = plain.recount(&[], None, None);
    assert_eq!(
        told(&faults),
        [
            "look-up `titles`, row 3: the key in `book` is that of row 2",
            "look-up `titles`, row 3: the look-up `publishers` has no row with the key in `publisher`"
        ]
    );
}
