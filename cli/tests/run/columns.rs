//! Which columns go out: those that the policy lists, and no others; and what they tell beside the masked ones.

use serde_json::{Value, json};

use crate::desk::{Desk, Ended};

fn json_of(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap()
}

/// Sixty people: 3 jobs, 2 diseases, a visit and a phone of their own, a ward of 4, and more columns than a message lists.
fn people() -> String {
    let more: Vec<String> = (0..30).map(|column| format!("extra{column}")).collect();
    let mut text = format!("job,disease,visit,phone,ward,{}\n", more.join(","));
    for row in 0..60 {
        let job = ["clerk", "nurse", "cook"][row % 3];
        let disease = ["flu", "hiv"][row % 2];
        let phone = if row < 25 { format!("+41 {row}") } else { String::new() };
        let cells = vec!["x"; 30].join(",");
        text.push_str(&format!("{job},{disease},V{row},{phone},w{},{cells}\n", row % 4));
    }
    text
}

const LISTED: &str =
    "[data]\nfile = 'people.csv'\n[columns]\njob = { role = 'quasi' }\ndisease = { role = 'sensitive' }\n";
const REQUIRED: &str = "[[require]]\nanonymity = 5\n";

fn desk(columns: &str, release: &str) -> Desk {
    let policy = format!("{LISTED}{columns}{REQUIRED}{release}");
    Desk::with(&[("people.csv", &people()), ("policy.toml", &policy)])
}

fn header(desk: &Desk) -> String {
    desk.read("out/released.csv").lines().next().unwrap().to_owned()
}

#[test]
fn columns_that_are_not_listed_are_not_published_and_all_of_them_are_told() {
    let desk = desk("", "");
    let told = desk.must(&["publish", "policy.toml"]);
    assert_eq!(header(&desk), "job,disease");
    let extras: Vec<String> = (0..30).map(|column| format!("extra{column}")).collect();
    let left_out = format!("visit, phone, ward, {}", extras.join(", "));
    let warning = format!("not published, because [columns] does not list them: {left_out}");
    assert!(told.err.contains(&warning), "{told:?}");
    assert!(desk.read("out/private/report.md").contains("extra29"));
    assert!(desk.read("out/private/report.html").contains("extra29"));
    // What a table has beside what is published is nobody's business.
    assert!(!desk.read("out/certificate.json").contains("extra"));

    let told = json_of(&desk.must(&["publish", "policy.toml", "--force", "--json"]));
    let mut names = vec!["visit".to_owned(), "phone".to_owned(), "ward".to_owned()];
    names.extend(extras);
    assert_eq!(told["columns_left_out"], json!(names));
}

#[test]
fn the_role_other_or_one_word_for_all_brings_columns_back() {
    let desk = desk("ward = { role = 'other' }\n", "");
    desk.must(&["publish", "policy.toml"]);
    assert_eq!(header(&desk), "job,disease,ward");

    let names = "visit = { role = 'identifier' }\nphone = { role = 'identifier' }\n";
    let desk = self::desk(names, "[release]\nunlisted = 'publish'\n");
    let told = desk.must(&["publish", "policy.toml"]);
    assert!(
        header(&desk).starts_with("job,disease,ward,extra0,"),
        "{}",
        header(&desk)
    );
    assert!(
        told.err
            .contains("published as they are, because `unlisted` is \"publish\""),
        "{told:?}"
    );
    assert!(told.err.contains("extra29"), "{told:?}");
    desk.must(&["audit", "out/released.csv", "policy.toml"]);
}

/// Both are told at once, and nothing is written.
#[test]
fn a_nearly_unique_column_is_published_as_other_only_if_its_own_line_says_so() {
    let both = "visit = { role = 'other' }\nphone = { role = 'other' }\n";
    let desk = desk(both, "");
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for (line, name) in [(6, "visit"), (7, "phone")] {
        let told = format!(
            "policy.toml:{line}: column `{name}` cannot be published as other: nearly every row has a value of its own"
        );
        assert!(refused.err.contains(&told), "{refused:?}");
    }
    assert!(refused.err.contains("add `unique = true`"), "{refused:?}");
    assert!(!desk.has("out"));

    desk.put(
        "policy.toml",
        format!("{LISTED}{}{REQUIRED}", both.replace(" }", ", unique = true }")).as_bytes(),
    );
    desk.must(&["publish", "policy.toml"]);
    assert_eq!(header(&desk), "job,disease,visit,phone");
}

/// One word for all columns cannot mean a column that nobody looked at and that names everybody.
#[test]
fn one_word_for_all_does_not_publish_nearly_unique_columns() {
    let desk = desk("", "[release]\nunlisted = 'publish'\n");
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for name in ["visit", "phone"] {
        assert!(
            refused
                .err
                .contains(&format!("column `{name}` cannot be published as other")),
            "{refused:?}"
        );
    }
    assert!(refused.err.contains("list it in [columns]"), "{refused:?}");
}

/// Twenty-one patients with two rows each are not nearly unique in the data. With a row budget one row of each may be left
/// out, and those that stay are.
#[test]
fn rows_left_out_do_not_make_a_column_unique_unseen() {
    let mut text = "job,patient\n".to_owned();
    for patient in 0..21 {
        text.push_str(&format!("clerk,p{patient}\nodd{patient},p{patient}\n"));
    }
    let policy = "[data]\nfile = 'people.csv'\n[columns]\njob = { role = 'quasi' }\npatient = { role = 'other' }\n\
                  [[require]]\nanonymity = 5\n[method]\nobjective = 'certainty'\n";
    let desk = Desk::with(&[("people.csv", &text), ("policy.toml", policy)]);
    desk.must(&["publish", "policy.toml", "--out", "whole"]);
    desk.put(
        "policy.toml",
        format!("{policy}rows_suppressed_at_most = 0.5\n").as_bytes(),
    );
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("column `patient` cannot be published as other"),
        "{refused:?}"
    );
    assert!(!desk.has("out"));
}

#[test]
fn the_quick_form_publishes_what_it_names_and_nothing_else() {
    let quick = |more: &[&str]| {
        let desk = Desk::with(&[("people.csv", &people())]);
        let mut arguments = vec![
            "publish",
            "people.csv",
            "--quasi",
            "job",
            "--sensitive",
            "disease",
            "--anonymity",
            "5",
        ];
        arguments.extend(more);
        let ended = desk.run(&arguments);
        (desk, ended)
    };
    let (desk, ended) = quick(&[]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(header(&desk), "job,disease");
    assert!(ended.err.contains("extra29"), "{ended:?}");

    let (desk, _) = quick(&["--other", "ward,extra3"]);
    assert_eq!(header(&desk), "job,disease,ward,extra3");

    let (_, ended) = quick(&["--other", "visit"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.err.contains("column `visit` cannot be published as other"),
        "{ended:?}"
    );
    assert!(ended.err.contains("--other and --unique"), "{ended:?}");
    let (desk, _) = quick(&["--other", "visit", "--unique", "visit"]);
    assert_eq!(header(&desk), "job,disease,visit");

    let (desk, _) = quick(&["--unlisted", "publish", "--identifier", "visit,phone"]);
    assert!(
        header(&desk).starts_with("job,disease,ward,extra0"),
        "{}",
        header(&desk)
    );
    let (_, ended) = quick(&["--unique", "visit"]);
    assert!(
        ended.err.contains("column `visit` is unique but has no role"),
        "{ended:?}"
    );
    let (_, ended) = quick(&["--unlisted", "all"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
}

/// A file that was published before the policy said so, or by another tool.
#[test]
fn the_audit_fails_on_a_column_that_the_policy_does_not_publish() {
    let desk = desk("", "");
    desk.must(&["publish", "policy.toml"]);
    desk.must(&["audit", "out/released.csv", "policy.toml"]);
    let more: String = desk
        .read("out/released.csv")
        .lines()
        .enumerate()
        .fold(String::new(), |text, (row, line)| {
            let cell = if row == 0 {
                "visit".to_owned()
            } else {
                format!("V{row}")
            };
            format!("{text}{line},{cell}\n")
        });
    desk.put("more.csv", more.as_bytes());
    let audit = desk.run(&["audit", "more.csv", "policy.toml"]);
    assert_eq!(audit.code, Some(1), "{audit:?}");
    assert!(
        audit
            .out
            .contains("FAILS  the column visit is in the release, and the policy does not list it"),
        "{audit:?}"
    );
    // And everybody stands out by it.
    let audit = json_of(&desk.run(&["audit", "more.csv", "policy.toml", "--json"]));
    assert_eq!(
        (&audit["unlisted"], &audit["holds"]),
        (&json!(["visit"]), &json!(false))
    );
    assert_eq!(audit["singled_out"]["as_they_are"]["uniques"], 60);
    let evaluated = json_of(&desk.must(&["evaluate", "people.csv", "more.csv", "policy.toml", "--json"]));
    assert_eq!(evaluated["unlisted"], json!(["visit"]));
}

/// A column that is not published matches nothing, and is no version of what was.
#[test]
fn a_column_that_is_not_published_matches_no_earlier_release() {
    let earlier = "[[earlier]]\nname = 'before'\nfile = 'before.csv'\n";
    let desk = desk("", earlier);
    desk.put("before.csv", b"ward,town\nw0,Bern\nw1,Basel\n");
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused
            .err
            .contains("release `before` shares no column with this table"),
        "{refused:?}"
    );
}

/// 40 rows in groups of at least 10 on the masked column; each of the first 30 has a salary and a rate of its own, both
/// as they are.
fn salaries() -> Desk {
    let mut text = "job,salary,rate,ward\n".to_owned();
    for row in 0..40 {
        let job = ["clerk", "nurse"][row % 2];
        let salary = if row < 30 { 1000 + row } else { 500 };
        text.push_str(&format!("{job},{salary},{},w\n", row % 3));
    }
    let policy = "[data]\nfile = 'people.csv'\n[columns]\njob = { role = 'quasi' }\n\
                  salary = { role = 'sensitive', type = 'continuous' }\nrate = { role = 'other' }\n\
                  ward = { role = 'class' }\n[[require]]\nanonymity = 10\n[method]\nobjective = 'certainty'\n";
    Desk::with(&[("people.csv", &text), ("policy.toml", policy)])
}

#[test]
fn rows_that_are_alone_on_what_is_published_as_it_is_are_told_everywhere() {
    let desk = salaries();
    let told = desk.must(&["publish", "policy.toml"]);
    assert!(
        told.err.contains(
            "alone on the columns published as they are: 30 of 40 rows; whoever knows these of a person finds them, \
             whatever is masked; most values have: salary, rate, ward"
        ),
        "{told:?}"
    );
    // Of the ten others, 4, 3 and 3 have a rate in common; with the job 2, 2, 2, 1, 1 and 2.
    assert!(
        told.out
            .contains("on the columns published as they are: 30 of 40 rows alone, 40 with fewer than 10 alike"),
        "{told:?}"
    );
    let found = &desk.json("out/certificate.json")["singled_out"];
    let expected = json!({
        "of": ["salary", "rate", "ward"], "most_values": ["salary", "rate", "ward"],
        "rows": 40, "groups": 33, "uniques": 30,
        "violating": [{ "k": 2, "rows": 30 }, { "k": 3, "rows": 30 }, { "k": 5, "rows": 40 }, { "k": 10, "rows": 40 }],
    });
    assert_eq!(found["as_they_are"], expected);
    assert_eq!(found["with_masked"]["of"], json!(["salary", "rate", "ward", "job"]));
    assert!(found["with_masked"]["uniques"].as_u64() >= Some(30));
    let page = desk.read("out/private/report.md");
    assert!(page.contains("the columns published as they are"), "{page}");
    assert!(page.contains("they are: 30 of 40 rows;"), "{page}");

    let audit = json_of(&desk.must(&["audit", "out/released.csv", "policy.toml", "--json"]));
    assert_eq!(audit["singled_out"], *found);
    let evaluated = json_of(&desk.must(&["evaluate", "people.csv", "out/released.csv", "policy.toml", "--json"]));
    assert_eq!(evaluated["singled_out"], *found);
}

/// Where secrets are apart, nothing is masked; who is alone among the people is told, and who is among the secrets.
#[test]
fn people_and_secrets_that_are_apart_are_counted_apart() {
    let mut text = "age,job,disease,ward\n".to_owned();
    for row in 0..12 {
        let (age, job) = (20 + row / 2, ["clerk", "nurse"][row % 2]);
        text.push_str(&format!(
            "{age},{job},{},{}\n",
            ["flu", "hiv", "ulcer"][row % 3],
            ["A", "B"][row % 2]
        ));
    }
    let policy = "[data]\nfile = 'people.csv'\n[columns]\nage = { role = 'quasi', type = 'continuous' }\n\
                  job = { role = 'quasi' }\ndisease = { role = 'sensitive' }\nward = { role = 'sensitive' }\n\
                  [[require]]\ndiversity = 3\nabout = 'disease'\n[method]\nname = 'anatomy'\n";
    let desk = Desk::with(&[("people.csv", &text), ("policy.toml", policy)]);
    let told = desk.must(&["publish", "policy.toml"]);
    let found = &desk.json("out/certificate.json")["singled_out"];
    assert_eq!(found["as_they_are"]["of"], json!(["age", "job"]));
    assert_eq!(found["as_they_are"]["uniques"], 12);
    assert_eq!(found.get("with_masked"), None);
    assert_eq!(
        (&found["secrets"]["of"], &found["secrets"]["uniques"]),
        (&json!(["disease", "ward"]), &json!(0))
    );
    assert!(
        told.out.contains("in the table of secrets: 0 of 12 rows alone"),
        "{told:?}"
    );
    let audit = json_of(&desk.must(&["audit", "out/released.csv", "policy.toml", "--json"]));
    assert_eq!(audit["singled_out"], *found);
    assert_eq!(audit["unlisted"], json!([]));
}

/// What a ledger has in common with a table is what both publish.
#[test]
fn a_ledger_passes_over_what_is_shared_but_not_published() {
    let first = "[data]\nfile = 'first.csv'\n[columns]\nward = { role = 'quasi' }\ntown = { role = 'sensitive' }\n\
                 [[require]]\nanonymity = 2\n";
    let desk = desk("", "");
    desk.put("first.csv", b"ward,town\nw0,Bern\nw0,Basel\nw1,Bern\nw1,Chur\n");
    desk.put("first.toml", first.as_bytes());
    desk.must(&["publish", "first.toml", "--out", "first", "--ledger", "ledger"]);
    let told = json_of(&desk.must(&["publish", "policy.toml", "--ledger", "ledger", "--json"]));
    assert_eq!(told["cover"]["releases"], json!([]), "{told}");
    desk.must(&["audit", "out/released.csv", "policy.toml", "--ledger", "ledger"]);
}
