//! Two tables instead of one, as a user runs it: what is in which, what the audit finds, what is refused and why.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::desk::Desk;

/// The clinic of the shipped example, published into `out`.
fn clinic() -> Desk {
    let desk = Desk::sample("clinic");
    let policy = desk.read("anatomy.toml").replace("out/anatomy", "out");
    desk.put("policy.toml", policy.as_bytes());
    desk
}

fn published() -> Desk {
    let desk = clinic();
    desk.must(&["publish", "policy.toml"]);
    desk
}

fn json(desk: &Desk, arguments: &[&str]) -> Value {
    serde_json::from_str(&desk.must(arguments).out).unwrap()
}

const PEOPLE: &str = "out/released.csv";
const SECRETS: &str = "out/released-secrets.csv";
const AUDIT: [&str; 3] = ["audit", PEOPLE, "policy.toml"];

/// The rows of a file after its header, each as its cells.
fn rows(desk: &Desk, file: &str) -> Vec<Vec<String>> {
    let text = desk.read(file);
    let rows = text.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect()).collect()
}

fn header(desk: &Desk, file: &str) -> String {
    desk.read(file).lines().next().unwrap().to_owned()
}

#[test]
fn people_are_in_one_table_and_secrets_in_the_other() {
    let desk = clinic();
    let told = json(&desk, &["publish", "policy.toml", "--json"]);
    assert_eq!(header(&desk, PEOPLE), "age,sex,postcode,job,household,overnight,group");
    assert_eq!(header(&desk, SECRETS), "group,disease");
    assert!(told["secrets"].as_str().unwrap().ends_with("released-secrets.csv"));

    // The people are those of the data, value by value.
    let cells = |rows: Vec<Vec<String>>, of: std::ops::Range<usize>| {
        let mut cells: Vec<Vec<String>> = rows.into_iter().map(|row| row[of.clone()].to_vec()).collect();
        cells.sort();
        cells
    };
    assert_eq!(cells(rows(&desk, PEOPLE), 0..5), cells(rows(&desk, "visits.csv"), 1..6));

    // Every group has as many secrets as people, sorted, and four different ones.
    let mut people: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows(&desk, PEOPLE) {
        *people.entry(row[6].clone()).or_default() += 1;
    }
    let secrets = rows(&desk, SECRETS);
    let groups: Vec<&[Vec<String>]> = secrets.chunk_by(|a, b| a[0] == b[0]).collect();
    for (number, group) in groups.iter().enumerate() {
        assert_eq!(group[0][0], (number + 1).to_string());
        assert_eq!(people[&group[0][0]], group.len());
        assert!(group.is_sorted());
        let mut different = group.to_vec();
        different.dedup();
        assert!(different.len() >= 4, "{group:?}");
    }
    let certified = &told["certificate"]["secrets"];
    let expected = json!({
        "file": "released-secrets.csv", "rows": secrets.len(), "by": "group", "groups": groups.len(),
    });
    assert_eq!(*certified, expected);
    assert_eq!(people.len(), groups.len());
}

/// What the certificate says, `audit` finds in the files, in both formats, and the same command makes the same bytes.
#[test]
fn the_audit_counts_by_group() {
    for format in ["csv", "parquet"] {
        let desk = clinic();
        let policy = desk.read("policy.toml") + &format!("format = \"{format}\"\n");
        desk.put("policy.toml", policy.as_bytes());
        let told = json(&desk, &["publish", "policy.toml", "--json"]);
        let file = format!("out/released.{format}");
        let audit = json(&desk, &["audit", &file, "policy.toml", "--json"]);
        assert_eq!(audit["rows"], told["certificate"]["rows"]["published"]);
        for (place, level) in [json!(4), json!(0.25)].into_iter().enumerate() {
            assert_eq!(audit["require"][place]["level"], level, "{format}");
            assert_eq!(told["certificate"]["require"][place]["level"], level, "{format}");
        }
    }
}

/// Every kind of template that is about secrets alone.
#[test]
fn every_template_about_secrets_holds_by_group() {
    let templates = [
        "diversity = 2.5\nkind = \"entropy\"\nabout = \"disease\"",
        "diversity = 3\nkind = \"recursive\"\nc = 2.0\nabout = \"disease\"\nof = [\"age\", \"job\"]",
        "confidence = 0.3\nabout = { disease = [\"Flu\", \"Mental illness\"] }",
        "closeness = 0.3\nabout = \"disease\"",
        "delta-disclosure = 2.0\nabout = \"disease\"",
        "beta-likeness = 1.5\nabout = \"disease\"\nof = { any = 2 }",
    ];
    for template in templates {
        let desk = clinic();
        let policy = desk.read("policy.toml");
        let policy = policy.replace("diversity = 4\nabout = \"disease\"", template);
        desk.put("policy.toml", policy.as_bytes());
        let told = json(&desk, &["publish", "policy.toml", "--json"]);
        let audit = json(&desk, &["audit", PEOPLE, "policy.toml", "--json"]);
        assert_eq!(audit["holds"], true, "{template}");
        assert_eq!(
            audit["require"][0]["level"], told["certificate"]["require"][0]["level"],
            "{template}"
        );
    }
}

#[test]
fn the_same_command_makes_the_same_bytes_and_another_method_leaves_no_secrets_behind() {
    let desk = published();
    let before = [desk.read(PEOPLE), desk.read(SECRETS)];
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    desk.must(&["publish", "policy.toml", "--force"]);
    assert_eq!([desk.read(PEOPLE), desk.read(SECRETS)], before);
    let policy = desk.read("policy.toml").replace("\"anatomy\"", "\"local\"");
    desk.put("local.toml", policy.as_bytes());
    desk.must(&["publish", "local.toml", "--force"]);
    assert!(desk.has(PEOPLE) && !desk.has(SECRETS));
}

/// Makes a line of a file another one.
fn change(desk: &Desk, file: &str, line: usize, change: impl Fn(&str) -> String) {
    let text = desk.read(file);
    let lines = text.lines().enumerate();
    let lines = lines.map(|(number, text)| if number == line { change(text) } else { text.to_owned() });
    let lines: Vec<String> = lines.collect();
    desk.put(file, (lines.join("\n") + "\n").as_bytes());
}

#[test]
fn the_audit_finds_what_was_changed() {
    let other_group = |line: &str| line.rsplit_once(',').unwrap().0.to_owned() + ",77";
    let new_group = |line: &str| line.rsplit_once(',').unwrap().0.to_owned() + ",9999";
    let without_one = |text: String| {
        text.lines()
            .filter(|line| !line.starts_with("3,"))
            .collect::<Vec<_>>()
            .join("\n")
    };

    let desk = published();
    change(&desk, PEOPLE, 1, other_group);
    fails(&desk, "2 groups have another number of rows");

    let desk = published();
    change(&desk, PEOPLE, 1, new_group);
    fails(&desk, "2 groups have another number of rows");

    let desk = published();
    desk.put(SECRETS, without_one(desk.read(SECRETS)).as_bytes());
    fails(&desk, "1 group has another number of rows");

    // The first group gets a disease twice.
    let desk = published();
    let twice = desk.read(SECRETS).lines().nth(2).unwrap().to_owned();
    change(&desk, SECRETS, 1, |_| twice.clone());
    let audit = fails(&desk, "");
    assert!(audit.contains("FAILS  diversity 4 (distinct)"), "{audit}");
    assert!(audit.contains("FAILS  confidence 0.34"), "{audit}");

    // Two people of two groups change places: as many rows in each, and nobody can tell.
    let desk = published();
    let group = |line: usize| {
        desk.read(PEOPLE)
            .lines()
            .nth(line)
            .unwrap()
            .rsplit_once(',')
            .unwrap()
            .1
            .to_owned()
    };
    let (a, b) = (group(1), group(2));
    assert_ne!(a, b);
    let with = |group: &str| {
        let group = group.to_owned();
        move |line: &str| format!("{},{group}", line.rsplit_once(',').unwrap().0)
    };
    change(&desk, PEOPLE, 1, with(&b));
    change(&desk, PEOPLE, 2, with(&a));
    desk.must(&AUDIT);
}

/// The audit ends with 1; what it said.
fn fails(desk: &Desk, words: &str) -> String {
    let audit = desk.run(&AUDIT);
    assert_eq!(audit.code, Some(1), "{audit:?}");
    assert!(audit.err.contains(words), "{words}: {}", audit.err);
    audit.out
}

/// A secret beside the person it is about is found wherever it stands; so is a file that is not there.
#[test]
fn the_audit_finds_columns_in_the_wrong_table() {
    let beside = |desk: &Desk, file: &str, name: &str| {
        let lines: Vec<String> = desk.read(file).lines().map(|line| format!("x,{line}")).collect();
        let text = lines.join("\n").replacen("x,", &format!("{name},"), 1);
        desk.put(file, text.as_bytes());
    };
    let desk = published();
    beside(&desk, PEOPLE, "disease");
    fails(&desk, "the sensitive column `disease` stands beside the people");

    let desk = published();
    beside(&desk, SECRETS, "age");
    fails(&desk, "a column that is not sensitive stands beside the secrets");

    let desk = published();
    change(&desk, SECRETS, 0, |_| "number,disease".to_owned());
    fails(&desk, "there is no column `group`");

    let desk = published();
    std::fs::remove_file(desk.path().join(SECRETS)).unwrap();
    let audit = desk.run(&AUDIT);
    assert_eq!(audit.code, Some(2), "{audit:?}");
    assert!(audit.err.contains("released-secrets.csv"), "{}", audit.err);
}

/// Quasi columns lose nothing and everybody can be found; no disease is guessed with more than a quarter.
#[test]
fn it_is_measured_and_attacked_on_both_tables() {
    let desk = clinic();
    let told = json(&desk, &["publish", "policy.toml", "--attack", "--evaluate", "--json"]);
    let evaluated = json(&desk, &["evaluate", "visits.csv", PEOPLE, "policy.toml", "--json"]);
    assert_eq!(evaluated["information_loss"]["loss_metric"], 0.0);
    assert_eq!(evaluated["require"][1]["level"], 0.25);
    // A reader deals the secrets as the program does.
    assert_eq!(evaluated["association"], told["evaluation"]["association"]);
    let attacked = json(&desk, &["attack", PEOPLE, "--policy", "policy.toml", "--json"]);
    assert_eq!(attacked["linkage"]["without_match"], 0);
    assert_eq!(attacked["inference"][0]["column"], "disease");
    assert_eq!(attacked["inference"][0]["highest"], 0.25);
    assert_eq!(attacked["inference"][0]["right"], Value::Null);
    assert_eq!(attacked["inference"], desk.json("out/private/attack.json")["inference"]);
    let page = desk.read("out/private/report.md");
    assert!(page.contains("as it is, in the other table, by group"));
}

/// Six people, whose wards go with their diseases; the wards of the second table are those of its diseases.
const PEOPLE_WITH_WARDS: &str = "age,job,disease,ward\n30,Cook,Flu,A\n31,Cook,HIV,B\n32,Clerk,Ulcer,C\n33,Clerk,Flu,A\n\
                                 34,Judge,HIV,B\n35,Judge,Ulcer,C\n";

fn with_wards(require: &str) -> Desk {
    let policy = "[data]\nfile = \"people.csv\"\n[columns]\nage = { role = \"quasi\", type = \"continuous\" }\n\
                  job = { role = \"quasi\" }\ndisease = { role = \"sensitive\" }\nward = { role = \"sensitive\" }\n";
    let policy = format!("{policy}{require}\n[method]\nname = \"anatomy\"\n");
    Desk::with(&[("people.csv", PEOPLE_WITH_WARDS), ("policy.toml", &policy)])
}

#[test]
fn all_secrets_of_a_person_stay_together() {
    let desk =
        with_wards("[[require]]\ndiversity = 3\nabout = \"disease\"\n[[require]]\ndiversity = 2\nabout = \"ward\"");
    desk.must(&["publish", "policy.toml"]);
    assert_eq!(
        desk.read(SECRETS),
        "group,disease,ward\n1,Flu,A\n1,HIV,B\n1,Ulcer,C\n2,Flu,A\n2,HIV,B\n2,Ulcer,C\n"
    );
    desk.must(&AUDIT);
}

/// Two of six have the flu, more than a quarter: no group can do better than the whole table.
#[test]
fn a_requirement_that_the_whole_table_breaks_is_told() {
    let desk = with_wards("[[require]]\nconfidence = 0.25\nabout = { disease = \"*\" }");
    let ended = desk.run(&["publish", "policy.toml"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("cannot be met"), "{}", ended.err);
    assert!(!desk.has("out"));
}

#[test]
fn what_does_not_go_with_it_is_said_with_its_line() {
    let about_disease = "diversity = 4\nabout = \"disease\"";
    let policy = clinic().read("policy.toml");
    let wrong = [
        (policy.replace(about_disease, "anonymity = 5"), "finds the record"),
        (
            policy.replace(about_disease, "alpha = 0.3\nk = 4\nabout = { disease = \"*\" }"),
            "finds the record",
        ),
        (
            policy.replace(about_disease, "p-sensitive = 2\nk = 4\nabout = \"disease\""),
            "finds the record",
        ),
        (
            policy.replace(about_disease, "k-map = 3\npopulation = \"population.csv\""),
            "finds the record",
        ),
        (
            policy.replace(
                about_disease,
                "personal = 0.5\nabout = \"disease\"\nguarding = \"guard\"",
            ),
            "which may break this together",
        ),
        (
            policy.replace(about_disease, "diversity = 2\nabout = \"overnight\""),
            "shows `overnight` beside the quasi columns",
        ),
        (
            policy.replace(
                "job       = { role = \"quasi\"",
                "job       = { role = \"quasi\", form = \"set\"",
            ),
            "`form` has no meaning",
        ),
        (
            policy.replace("\"anatomy\"", "\"anatomy\"\nrows_suppressed_at_most = 0.1"),
            "leaves no row out",
        ),
        (
            policy.replace("\"anatomy\"", "\"anatomy\"\nobjective = \"classification\""),
            "objective",
        ),
        (
            policy.clone() + "[[earlier]]\nname = \"before\"\nfile = \"before.csv\"\n",
            "does not look at the join",
        ),
        (
            policy.replace("[[require]]\ndiv", "group = { role = \"other\" }\n[[require]]\ndiv"),
            "numbers its groups in a column of this name",
        ),
    ];
    for (policy, words) in wrong {
        let desk = clinic();
        desk.put("policy.toml", policy.as_bytes());
        let refused = desk.run(&["publish", "policy.toml"]);
        assert_eq!(refused.code, Some(2), "{words}: {refused:?}");
        assert!(refused.err.contains(words), "{words}: {}", refused.err);
        assert!(refused.err.contains("policy.toml:"), "{words}: {}", refused.err);
        assert!(!desk.has("out"));
    }
}

#[test]
fn a_column_of_the_data_is_not_overwritten() {
    let desk = with_wards("[[require]]\ndiversity = 2\nabout = \"disease\"");
    desk.put(
        "people.csv",
        PEOPLE_WITH_WARDS.replace("age,job", "age,group").as_bytes(),
    );
    let policy = desk.read("policy.toml").replace("job = { role = \"quasi\" }\n", "");
    desk.put("policy.toml", policy.as_bytes());
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("the data has a column `group`"), "{}", refused.err);
}

/// A policy that knows nothing of the second table finds no secrets in the first, and what cannot be counted does not hold.
#[test]
fn a_policy_with_another_method_does_not_pass() {
    let desk = published();
    desk.put(
        "other.toml",
        desk.read("policy.toml").replace("\"anatomy\"", "\"local\"").as_bytes(),
    );
    let audit = desk.run(&["audit", PEOPLE, "other.toml"]);
    assert_eq!(audit.code, Some(1), "{audit:?}");
    assert_eq!(
        audit.out.matches("the release has no disease").count(),
        2,
        "{}",
        audit.out
    );
}

/// Two tables are no mask, no earlier release, and no entry of a ledger.
#[test]
fn two_tables_are_not_taken_for_one() {
    let desk = published();
    let refused = |arguments: &[&str], words: &str| {
        let refused = desk.run(arguments);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(words), "{words}: {}", refused.err);
    };
    let certificate = "out/certificate.json";
    desk.put(
        "local.toml",
        desk.read("policy.toml").replace("\"anatomy\"", "\"refine\"").as_bytes(),
    );
    refused(
        &["publish", "local.toml", "--mask", certificate, "--out", "b"],
        "has no masks",
    );
    refused(
        &["publish", "policy.toml", "--mask", certificate, "--out", "b"],
        "has no masks",
    );
    refused(
        &["publish", "policy.toml", "--ledger", "ledger", "--out", "b"],
        "does not go with a ledger",
    );
    let after = desk.read("local.toml") + "[[earlier]]\nname = \"before\"\nfile = \"out/released.csv\"\n";
    desk.put("after.toml", after.as_bytes());
    refused(
        &["publish", "after.toml", "--out", "b"],
        "the secrets of this release are in another file",
    );
    assert!(!desk.has("b"));
}
