//! Wrong input: the message says where and what to change, the exit code whose it is, and nothing is written.

use crate::desk::{Desk, Ended};

const DATA: &str = "name,job,age,disease,class\nAnn,a,30,Flu,y\nBob,b,40,Flu,n\nCyd,a,50,HIV,y\n";

const POLICY: &str = "[data]
file = 'd.csv'
[columns]
name = { role = 'identifier' }
job = { role = 'quasi', taxonomy = 'job.csv' }
age = { role = 'quasi', type = 'continuous', range = [0, 120] }
disease = { role = 'sensitive', taxonomy = 'disease.csv' }
class = { role = 'class' }
[[require]]
anonymity = 2
of = ['job', 'age']
";

fn desk() -> Desk {
    let disease = "HIV;Viral;Any\nFlu;Viral;Any\n";
    Desk::with(&[
        ("d.csv", DATA),
        ("p.toml", POLICY),
        ("job.csv", "a;Any\nb;Any\n"),
        ("disease.csv", disease),
    ])
}

/// Publishes with one file changed; it must fail with this code and these words, and write nothing.
#[track_caller]
fn refuse(file: &str, content: &[u8], code: i32, words: &[&str]) -> Ended {
    let desk = desk();
    desk.put(file, content);
    let ended = desk.run(&["publish", "p.toml"]);
    assert_eq!(ended.code, Some(code), "{ended:?}");
    for word in words {
        assert!(ended.err.contains(word), "{word:?} is not in: {}", ended.err);
    }
    assert!(!desk.has("out"), "nothing is written");
    assert!(
        desk.list().iter().all(|name| !name.starts_with('.')),
        "nothing is left aside: {:?}",
        desk.list()
    );
    ended
}

fn policy(from: &str, to: &str) -> Vec<u8> {
    assert!(POLICY.contains(from));
    POLICY.replace(from, to).into_bytes()
}

#[test]
fn the_right_input_is_published() {
    desk().must(&["publish", "p.toml"]);
}

#[test]
fn an_unknown_key() {
    refuse(
        "p.toml",
        &policy("anonymity", "anonimity"),
        2,
        &["p.toml:10", "anonimity", "did you mean `anonymity`?"],
    );
}

#[test]
fn an_unknown_role() {
    refuse(
        "p.toml",
        &policy("'quasi', taxonomy", "'quazi', taxonomy"),
        2,
        &["p.toml:5", "did you mean `quasi`?"],
    );
}

#[test]
fn an_unknown_column() {
    refuse("p.toml", &policy("age = {", "agee = {").to_vec(), 2, &["agee"]);
    refuse(
        "p.toml",
        &policy("['job', 'age']", "['job', 'aeg']"),
        2,
        &["p.toml:11", "did you mean `age`?"],
    );
    refuse(
        "d.csv",
        DATA.replace("age", "years").as_bytes(),
        2,
        &["p.toml:6", "the data has no column `age`"],
    );
}

#[test]
fn a_misspelt_value_in_about() {
    let text = format!("{POLICY}[[require]]\nconfidence = 0.5\nabout = {{ disease = ['HVI'] }}\n");
    refuse(
        "p.toml",
        text.as_bytes(),
        2,
        &["p.toml:14", "`HVI`", "did you mean `HIV`?"],
    );
}

/// A requirement that cannot be counted must not pass for one that holds.
#[test]
fn an_audit_does_not_pass_over_what_it_cannot_count() {
    let desk = desk();
    let text = format!("{POLICY}[[require]]\nconfidence = 0.9\nabout = {{ disease = ['HIV'] }}\n");
    desk.put("more.toml", text.as_bytes());
    desk.must(&["publish", "more.toml"]);
    desk.must(&["audit", "out/released.csv", "more.toml"]);
    let without_disease: String = desk
        .read("out/released.csv")
        .lines()
        .map(|row| {
            row.split(',')
                .filter(|cell| !["disease", "Flu", "HIV"].contains(cell))
                .collect::<Vec<_>>()
                .join(",")
                + "\n"
        })
        .collect();
    desk.put("less.csv", without_disease.as_bytes());
    let ended = desk.run(&["audit", "less.csv", "more.toml"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let told = "FAILS  confidence 0.9 about disease (HIV) of job, age: cannot be counted, the release has no disease";
    assert!(ended.out.contains(told), "{ended:?}");
}

#[test]
fn several_problems_at_once() {
    let text = POLICY
        .replace("anonymity", "anonimity")
        .replace("'class' }", "'klass' }");
    refuse("p.toml", text.as_bytes(), 2, &["p.toml:8", "p.toml:10"]);
}

#[test]
fn a_k_larger_than_the_table_names_the_largest_possible() {
    refuse(
        "p.toml",
        &policy("anonymity = 2", "anonymity = 7"),
        1,
        &["anonymity 7 of job, age", "at most 3 can be met"],
    );
}

#[test]
fn an_empty_file() {
    refuse("d.csv", b"", 2, &["d.csv", "empty"]);
}

#[test]
fn a_header_and_nothing_else() {
    refuse("d.csv", b"name,job,age,disease,class\n", 2, &["d.csv", "no rows"]);
}

#[test]
fn a_ragged_row() {
    refuse(
        "d.csv",
        format!("{DATA}Dan,a,60\n").as_bytes(),
        2,
        &["d.csv:5", "3", "5"],
    );
}

#[test]
fn a_line_number_counts_embedded_newlines() {
    refuse(
        "d.csv",
        format!("{DATA}\"D\nn\",a,60,Flu,y\nEve,b\n").as_bytes(),
        2,
        &["d.csv:7"],
    );
}

#[test]
fn invalid_utf_8() {
    refuse(
        "d.csv",
        &[DATA.as_bytes(), b"Dan,\xff,60,Flu,y\n"].concat(),
        2,
        &["d.csv:5", "UTF-8"],
    );
}

#[test]
fn text_in_a_continuous_column() {
    refuse(
        "d.csv",
        format!("{DATA}Dan,a,sixty,Flu,y\n").as_bytes(),
        2,
        &["d.csv:5", "age", "number"],
    );
}

#[test]
fn a_number_outside_the_range() {
    refuse(
        "d.csv",
        format!("{DATA}Dan,a,130,Flu,y\n").as_bytes(),
        2,
        &["d.csv:5", "age", "range"],
    );
}

#[test]
fn a_column_twice_in_the_header() {
    // By position: without a header the first row would be a person.
    refuse(
        "d.csv",
        DATA.replacen("class", "age", 1).as_bytes(),
        2,
        &["d.csv", "columns 3 and 5 have the same name"],
    );
}

#[test]
fn taxonomy_problems_are_told_together_with_their_lines() {
    let taxonomy = "a;X;Any\nb;Y;Any\na;Y;Any\nX;Y;Any\nc;Other\n";
    refuse(
        "job.csv",
        taxonomy.as_bytes(),
        2,
        &["job.csv:3", "job.csv:4", "job.csv:5"],
    );
}

#[test]
fn a_value_that_the_taxonomy_lacks() {
    refuse(
        "d.csv",
        format!("{DATA}Dan,c,60,Flu,y\nEve,d,60,Flu,y\n").as_bytes(),
        2,
        &["d.csv:5", "job", "taxonomy"],
    );
}

#[test]
fn files_that_are_not_there() {
    let desk = desk();
    for (arguments, word) in [
        (&["publish", "nowhere.toml"][..], "nowhere.toml"),
        (
            &["publish", "nowhere.csv", "--quasi", "a", "--anonymity", "2"],
            "nowhere.csv",
        ),
        (&["audit", "nowhere.csv", "p.toml"], "nowhere.csv"),
        (&["inspect", "nowhere.csv"], "nowhere.csv"),
        (&["taxonomy", "check", "nowhere.csv"], "nowhere.csv"),
        (&["publish", "p.toml", "--mask", "nowhere.json"], "nowhere.json"),
        (&["sample", "nothing"], "patients"),
        (&["publish", "d.csv"], "--anonymity"),
    ] {
        let ended = desk.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:?}");
        assert!(ended.err.contains(word), "{arguments:?}: {ended:?}");
    }
}

#[test]
fn a_certificate_that_is_none() {
    let desk = desk();
    for text in ["", "{}", "[1, 2]", "{\"version\": 99}"] {
        desk.put("c.json", text.as_bytes());
        let ended = desk.run(&["publish", "p.toml", "--mask", "c.json"]);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains("c.json"), "{ended:?}");
    }
}

#[test]
fn a_place_that_cannot_be_written() {
    let desk = desk();
    desk.put("file", b"");
    let ended = desk.run(&["publish", "p.toml", "--out", "file/out"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.err.contains("file"), "{ended:?}");
}

/// A file that is given in the place of another may be a table about people.
#[test]
fn a_table_in_the_place_of_another_file_is_not_shown() {
    let desk = desk();
    desk.put("quoted.csv", b"\"Ann\",\"HIV\"\n\"Bob\",\"Flu\"\n");
    desk.must(&["publish", "p.toml"]);
    for arguments in [
        &["audit", "out/released.csv", "d.csv"][..],
        &["audit", "out/released.csv", "quoted.csv"],
        &["publish", "p.toml", "--out", "again", "--mask", "d.csv"],
        &["publish", "p.toml", "--out", "again", "--mask", "quoted.csv"],
        &["party", "quoted.csv", "--as", "a", "--data", "d.csv"],
        &["party", "--explain", "quoted.csv"],
        &["evaluate", "out/released.csv", "quoted.csv"],
        &["attack", "out/released.csv", "--policy", "quoted.csv"],
    ] {
        let ended = desk.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:?}");
        for cell in ["Ann", "Bob", "HIV", "Flu"] {
            let told = format!("{}{}", ended.out, ended.err);
            assert!(!told.contains(cell), "{arguments:?} tells {cell}: {told}");
        }
    }
}
