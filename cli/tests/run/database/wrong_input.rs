//! What is wrong with tables or their policy is told with table, column and row, and without a value.

use crate::desk::Desk;

/// The example with changes of files, in words of the program.
fn refused(changes: &[(&str, &str, &str)]) -> String {
    let desk = Desk::sample("university");
    for (file, from, to) in changes {
        let text = desk.read(file);
        assert!(text.contains(from), "{file}: {from}");
        desk.put(file, text.replacen(from, to, 1).as_bytes());
    }
    let ended = desk.run(&["publish", "policy.toml"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(!desk.has("out"), "{ended:?}");
    ended.err
}

#[track_caller]
fn says(told: &str, part: &str) {
    assert!(told.contains(part), "{part}\n{told}");
}

#[test]
fn an_orphan() {
    let told = refused(&[("books.csv", "SC10,AmHist", "SC99,AmHist")]);
    says(
        &told,
        "table `books`, row 6: `courses` has no row with the key in `scid`",
    );
    assert!(!told.contains("SC99"), "{told}");
}

#[test]
fn a_key_twice_or_missing() {
    let told = refused(&[("courses.csv", "SC3,S1", "SC1,S1")]);
    says(&told, "table `courses`, row 3: the key in `scid` is that of row 1");
    let told = refused(&[("students.csv", "S3,", ",")]);
    says(&told, "table `students`, row 3: the key column `sid` is empty");
}

#[test]
fn a_cycle() {
    let told = refused(&[(
        "policy.toml",
        "key = \"scid\"\nforeign_key = \"sid\"",
        "key = \"scid\"\nparent = \"books\"\nforeign_key = \"sid\"",
    )]);
    says(&told, "has no key, and `courses` hangs off it");
    let told = refused(&[
        (
            "policy.toml",
            "key = \"scid\"\nforeign_key = \"sid\"",
            "key = \"scid\"\nparent = \"books\"\nforeign_key = \"sid\"",
        ),
        (
            "policy.toml",
            "parent = \"courses\"",
            "key = \"book\"\nparent = \"courses\"",
        ),
        (
            "policy.toml",
            "books.book     = { role = \"quasi\", taxonomy = \"book-tree.csv\" }\n",
            "",
        ),
    ]);
    says(&told, "hangs off itself");
}

#[test]
fn a_key_that_is_quasi() {
    let told = refused(&[(
        "policy.toml",
        "[columns]",
        "[columns]\ncourses.scid = { role = \"quasi\" }",
    )]);
    says(
        &told,
        "policy.toml:20: column `courses.scid` is both a key and quasi; use another key, or give it another role",
    );
    let told = refused(&[(
        "policy.toml",
        "[columns]",
        "[columns]\nbooks.scid = { role = \"other\" }",
    )]);
    says(
        &told,
        "column `books.scid` is a key, which is replaced by a number that means nothing; take it out of [columns]",
    );
}

#[test]
fn two_parents() {
    let told = refused(&[(
        "policy.toml",
        "parent = \"courses\"",
        "parent = [\"courses\", \"students\"]",
    )]);
    says(
        &told,
        "policy.toml:16: table `books` hangs off both `courses` and `students`; a row belongs to one person",
    );
}

#[test]
fn names_that_are_not_there() {
    let told = refused(&[("policy.toml", "parent = \"courses\"", "parent = \"corses\"")]);
    says(&told, "unknown table `corses`; did you mean `courses`?");
    let told = refused(&[("policy.toml", "courses.grade ", "corses.grade ")]);
    says(&told, "unknown table `corses` in [columns]; did you mean `courses`?");
    let told = refused(&[("policy.toml", "students.gpa ", "students.gp ")]);
    says(&told, "table `students` has no column `gp`; did you mean `gpa`?");
    let told = refused(&[("policy.toml", "foreign_key = \"sid\"", "foreign_key = \"side\"")]);
    says(&told, "table `courses` has no column `side`; did you mean `sid`?");
    let told = refused(&[("policy.toml", "about = \"courses.grade\"", "about = \"courses.grades\"")]);
    says(
        &told,
        "unknown column `courses.grades` in `about`; did you mean `courses.grade`?",
    );
    let told = refused(&[("policy.toml", "name = \"miracle\"", "name = \"miracel\"")]);
    says(
        &told,
        "unknown method for several tables `miracel`; did you mean `miracle`?",
    );
    let told = refused(&[("policy.toml", "name = \"miracle\"", "name = \"toc\"")]);
    says(&told, "unknown method for several tables `toc`");
}

#[test]
fn what_cannot_be_asked_of_persons() {
    let told = refused(&[("policy.toml", "diversity = 2 ", "population = \"town.csv\"\nk-map = 2 ")]);
    says(
        &told,
        "policy.toml:30: `k-map` is not counted over several tables: a person is all rows of theirs",
    );
    let told = refused(&[(
        "policy.toml",
        "anonymity = 2 ",
        "of = [\"courses.course\"]\nanonymity = 2 ",
    )]);
    says(&told, "persons are compared as a whole");
    let told = refused(&[(
        "policy.toml",
        "anonymity = 2 ",
        "confidence = 0.5\nabout = { courses.grade = \"*\" } # ",
    )]);
    says(&told, "nothing says how many persons must look the same");
}

#[test]
fn a_lookup_that_holds_what_tells_a_person() {
    let lookup = "[[lookups]]\nname = \"teachers\"\nfile = \"students.csv\"\nkey = \"sid\"\n\n[columns]\n\
                  teachers.gpa = { role = \"quasi\" }";
    let told = refused(&[("policy.toml", "[columns]", lookup)]);
    says(
        &told,
        "column `gpa` of the look-up `teachers` is quasi, and look-ups are published as they are; join it to the table",
    );
}

#[test]
fn a_reference_that_leads_nowhere() {
    let lookup = "[[lookups]]\nname = \"titles\"\nfile = \"titles.csv\"\nkey = \"title\"\n\n[columns]\n\
                  titles.pages = { role = \"other\" }";
    let desk = Desk::sample("university");
    let policy = desk.read("policy.toml").replace("[columns]", lookup);
    let policy = policy.replacen(
        "foreign_key = \"scid\" ",
        "refers = { book = \"titles\" }\nforeign_key = \"scid\" ",
        1,
    );
    desk.put("policy.toml", policy.as_bytes());
    desk.put("titles.csv", b"title,pages\nDiscrete,100\nCalc,200\nDyn,300\n");
    let ended = desk.run(&["publish", "policy.toml"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    says(
        &ended.err,
        "table `books`, row 6: the look-up `titles` has no row with the key in `book`",
    );
    desk.put(
        "titles.csv",
        b"title,pages\nDiscrete,100\nCalc,200\nDyn,300\nAmHist,400\n",
    );
    desk.must(&["publish", "policy.toml"]);
    assert_eq!(desk.read("out/titles.csv"), desk.read("titles.csv"));
    desk.put(
        "out/titles.csv",
        b"title,pages\nDiscrete,100\nCalc,200\nDyn,300\nAmHist,401\n",
    );
    let audit = desk.run(&["audit", "out", "policy.toml"]);
    assert_eq!(audit.code, Some(1));
    says(&audit.out, "FAILS  look-up `titles` differs from the data");
}

#[test]
fn flags_and_commands_for_one_table() {
    let desk = Desk::sample("university");
    for flags in [
        &["--mask", "certificate.json"][..],
        &["--ledger", "ledger"],
        &["--frontier"],
    ] {
        let told = desk.run(&[&["publish", "policy.toml"], flags].concat());
        assert_eq!(told.code, Some(2));
        let expected = format!(
            "{} goes with a policy for one table, and this one is for several",
            flags[0]
        );
        says(&told.err, &expected);
    }
    desk.must(&["publish", "policy.toml"]);
    desk.put("queries.txt", b"course = Databases\n");
    let refused = [
        (
            &["--queries", "queries.txt"][..],
            "a file of queries is about the columns of one table",
        ),
        (&["--train-rows", "3"], "rows of several tables are split by chance"),
        (
            &["--test-rows", "grade=A"],
            "rows of several tables are split by chance",
        ),
        (&["--cells", "grade=values"], "--cells goes with one table"),
        (&["--population", "100"], "a person is rows of several"),
        (&["--suda"], "a person is rows of several"),
        (&["--query-secret", "grade"], "no table has a column `grade`"),
    ];
    for (flags, why) in refused {
        let told = desk.run(&[&["evaluate", "out", "policy.toml"], flags].concat());
        assert_eq!(told.code, Some(2), "{flags:?}");
        says(&told.err, why);
    }
}

#[test]
fn more_persons_than_there_are() {
    let desk = Desk::sample("university");
    desk.put(
        "policy.toml",
        desk.read("policy.toml")
            .replace("anonymity = 2 ", "anonymity = 5 ")
            .as_bytes(),
    );
    let told = desk.run(&["publish", "policy.toml"]);
    assert_eq!(told.code, Some(1), "{told:?}");
    says(&told.err, "no 5 of the 4 persons can be shown alike");
    assert!(!desk.has("out"));
}
