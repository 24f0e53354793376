//! Which columns of several tables go out, and whom they single out.

use serde_json::{Value, json};

use crate::desk::Desk;

const POLICY: &str = "[person]\nfile = 'students.csv'\nkey = 'sid'\nname = 'students'\n\
    [[tables]]\nname = 'courses'\nfile = 'courses.csv'\nforeign_key = 'sid'\nrefers = { teacher = 'teachers' }\n\
    [[lookups]]\nname = 'teachers'\nfile = 'teachers.csv'\nkey = 'tid'\n\
    [columns]\ncourses.course = { role = 'quasi' }\n";

/// Forty students with a name and a town, one course each with a grade, and two teachers with a subject and a home.
fn school(columns: &str) -> Desk {
    let (mut students, mut courses) = ("sid,nick,town\n".to_owned(), "sid,course,grade,teacher\n".to_owned());
    for student in 0..40 {
        students.push_str(&format!("s{student},nick{student},t{}\n", student % 4));
        let (course, teacher) = (["maths", "physics"][student % 2], student % 2);
        courses.push_str(&format!("s{student},{course},{},{teacher}\n", student % 3));
    }
    let policy = format!("{POLICY}{columns}[[require]]\nanonymity = 2\n");
    Desk::with(&[
        ("students.csv", &students),
        ("courses.csv", &courses),
        ("teachers.csv", "tid,subject,home\n0,Maths,Bern\n1,Physics,Basel\n"),
        ("policy.toml", &policy),
    ])
}

fn header(desk: &Desk, table: &str) -> String {
    let text = desk.read(&format!("out/{table}.csv"));
    text.lines().next().unwrap().to_owned()
}

#[test]
fn columns_of_tables_and_look_ups_that_are_not_listed_are_not_published() {
    let desk = school("teachers.subject = { role = 'other' }\n");
    let told: Value = serde_json::from_str(&desk.must(&["publish", "policy.toml", "--json"]).out).unwrap();
    assert_eq!(header(&desk, "students"), "sid");
    // What `refers` names is listed by that.
    assert_eq!(header(&desk, "courses"), "sid,course,teacher");
    assert_eq!(header(&desk, "teachers"), "tid,subject");
    let left_out = json!(["students.nick", "students.town", "courses.grade", "teachers.home"]);
    assert_eq!(told["columns_left_out"], left_out);
    assert!(desk.read("out/private/report.md").contains("teachers.home"));
    assert!(!desk.read("out/certificate.json").contains("home"));
    desk.must(&["audit", "out", "policy.toml"]);

    // A file with more than that is not what the policy publishes.
    let more = desk.read("out/teachers.csv").replace("tid,subject", "tid,subject,home");
    desk.put(
        "out/teachers.csv",
        more.replace("Maths", "Maths,Bern")
            .replace("Physics", "Physics,Basel")
            .as_bytes(),
    );
    let audit = desk.run(&["audit", "out", "policy.toml"]);
    assert_eq!(audit.code, Some(1), "{audit:?}");
}

#[test]
fn a_column_of_a_look_up_that_is_not_there_is_told() {
    let desk = school("teachers.subjct = { role = 'other' }\n");
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused
            .err
            .contains("look-up `teachers` has no column `subjct`; did you mean `subject`?"),
        "{refused:?}"
    );
}

#[test]
fn a_nearly_unique_column_of_persons_is_published_only_if_its_own_line_says_so() {
    let listed = "students.nick = { role = 'other' }\nstudents.town = { role = 'other' }\n";
    let unlisted = "[release]\nunlisted = 'publish'\n";
    for (columns, release) in [(listed, ""), ("", unlisted)] {
        let desk = school(columns);
        desk.put(
            "policy.toml",
            format!("{}{release}", desk.read("policy.toml")).as_bytes(),
        );
        let refused = desk.run(&["publish", "policy.toml"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused
                .err
                .contains("column `students.nick` cannot be published as other: nearly every row"),
            "{refused:?}"
        );
        assert!(!refused.err.contains("column `students.town`"), "{refused:?}");
        assert!(!desk.has("out"));
    }
    let desk = school(&listed.replacen("'other'", "'other', unique = true", 1));
    desk.must(&["publish", "policy.toml"]);
    assert_eq!(header(&desk, "students"), "sid,nick,town");
}

/// By town and grade, 12 kinds of students: of 40, 3 or 4 each. By nick everybody is alone.
#[test]
fn persons_that_are_alone_on_what_is_published_as_it_is_are_told() {
    let listed = "students.town = { role = 'other' }\ncourses.grade = { role = 'sensitive' }\n";
    let desk = school(listed);
    desk.must(&["publish", "policy.toml"]);
    let certificate = desk.json("out/certificate.json");
    let audit: Value = serde_json::from_str(&desk.must(&["audit", "out", "policy.toml", "--json"]).out).unwrap();
    assert_eq!(audit["singled_out"], certificate["singled_out"]);
    let attack = ["attack", "out", "--policy", "policy.toml"];
    let attacked: Value = serde_json::from_str(&desk.must(&[&attack[..], &["--json"]].concat()).out).unwrap();
    assert_eq!(attacked["singled_out"], certificate["singled_out"]);
    let told = desk.must(&attack);
    assert!(
        told.out.contains("as they are: 0 of 40 persons alone") && told.err.is_empty(),
        "{told:?}"
    );
    let found = &certificate["singled_out"]["as_they_are"];
    assert_eq!(
        found["of"],
        json!(["students.town", "courses.grade", "courses.teacher"])
    );
    assert_eq!(
        (&found["rows"], &found["groups"], &found["uniques"]),
        (&json!(40), &json!(12), &json!(0))
    );
    assert_eq!(
        found["violating"],
        json!([{ "k": 2, "rows": 0 }, { "k": 3, "rows": 0 }, { "k": 5, "rows": 40 }])
    );

    let desk = school(&format!("{listed}students.nick = {{ role = 'sensitive' }}\n"));
    let told = desk.must(&["publish", "policy.toml"]);
    let warning = "alone on the columns published as they are: 40 of 40 persons;";
    assert!(told.err.contains(warning), "{told:?}");
    assert!(
        told.err
            .contains("most values have: students.nick, students.town, courses.grade"),
        "{told:?}"
    );
    assert!(
        told.out
            .contains("on the columns published as they are: 40 of 40 persons alone"),
        "{told:?}"
    );
    assert!(desk.must(&attack).err.contains(warning));
    assert!(desk.read("out/private/report.md").contains("Who stands out"));
    assert_eq!(
        desk.json("out/certificate.json")["singled_out"]["with_masked"]["uniques"],
        40
    );
}
