//! Whatever is done to the files of a release, the audit finds it.

use super::university::json_of;
use crate::desk::Desk;

/// Publishes the example, changes a file, and returns what the audit prints; it must fail.
fn audited_after(file: &str, from: &str, to: &str) -> String {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    let text = desk.read(&format!("out/{file}"));
    assert!(text.contains(from), "{text}");
    desk.put(&format!("out/{file}"), text.replacen(from, to, 1).as_bytes());
    let ended = desk.run(&["audit", "out", "policy.toml"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.out
}

#[test]
fn a_finer_label_singles_out_a_student() {
    let told = audited_after("courses.csv", "2,1,Science,78", "2,1,CS,78");
    assert!(told.contains("FAILS  anonymity 2 of students: 1"), "{told}");
}

/// Each course is shown by two students, but one of them has it without the book.
#[test]
fn a_missing_row_singles_out_a_student() {
    let told = audited_after("books.csv", "1,Dyn\n", "");
    assert!(told.contains("FAILS  anonymity 2 of students: 1"), "{told}");
    let rows = "FAILS  out/private/rows/books.csv: it has 4 rows, and the released table 3";
    assert!(told.contains(rows), "{told}");
}

#[test]
fn a_value_that_does_not_cover_the_original_is_found() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    // Both members change alike, so nobody is singled out.
    let courses = desk.read("out/courses.csv").replace("Physics", "Law");
    desk.put("out/courses.csv", courses.as_bytes());
    let audit = desk.run(&["audit", "out", "policy.toml", "--json"]);
    let found = json_of(&audit);
    assert_eq!(
        (audit.code, &found["require"][0]["holds"]),
        (Some(1), &true.into()),
        "{found}"
    );
    assert_eq!(
        found["faults"][0],
        "table `courses`, row 1: what column `course` shows does not cover the original value"
    );
    assert_eq!(found["faults_found"], 2);
}

#[test]
fn keys_that_do_not_fit_are_found() {
    let told = audited_after("courses.csv", "10,4,Religion", "10,9,Religion");
    assert!(
        told.contains("table `courses`, row 10: `students` has no row with the key in `sid`"),
        "{told}"
    );
    let told = audited_after("students.csv", "4,4.00", "3,4.00");
    assert!(
        told.contains("table `students`, row 4: the key in `sid` is that of row 3"),
        "{told}"
    );
    let told = audited_after("courses.csv", "5,2,Religion", ",2,Religion");
    assert!(
        told.contains("table `courses`, row 5: the key column `scid` is empty"),
        "{told}"
    );
    let told = audited_after("courses.csv", "5,2,Religion", "5,4,Religion");
    assert!(
        told.contains("table `courses`, row 5: in the original it belongs to another row of `students`"),
        "{told}"
    );
}

#[test]
fn a_changed_secret_is_found() {
    let told = audited_after("courses.csv", "Physics,62", "Physics,63");
    assert!(
        told.contains("table `courses`, row 1: column `grade` differs from the original"),
        "{told}"
    );
}

#[test]
fn grades_that_are_all_the_same_are_found() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    let courses = desk.read("out/courses.csv").replace("Physics,62", "Physics,91");
    desk.put("out/courses.csv", courses.as_bytes());
    std::fs::remove_dir_all(desk.path().join("out/private")).unwrap();
    let told = desk.run(&["audit", "out", "policy.toml"]);
    assert_eq!(told.code, Some(1));
    assert!(
        told.out
            .contains("FAILS  diversity 2 (distinct) about courses.grade: 1"),
        "{told:?}"
    );
}

#[test]
fn other_columns_are_found() {
    let told = audited_after("students.csv", "sid,gpa", "sid,name");
    assert!(told.contains("FAILS  table `students` has no column `gpa`"), "{told}");
    assert!(
        told.contains("FAILS  table `students` has a column `name` too many"),
        "{told}"
    );
}
