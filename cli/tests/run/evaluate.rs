//! `scumble evaluate`: what a release lost, for releases of this and of other tools.

use serde_json::{Value, json};

use crate::desk::Desk;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn evaluated(desk: &Desk, arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["evaluate"]
        .iter()
        .chain(arguments)
        .chain(&["--json"])
        .copied()
        .collect();
    serde_json::from_str(&desk.must(&all).out).unwrap()
}

/// The certificate, the trace and the evaluation are made by three parts of the program, and say the same.
#[test]
fn evaluation_and_certificate_agree() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml", "--evaluate"]);
    let certificate = desk.json("out/certificate.json");
    let measured = evaluated(&desk, &["patients.csv", "out/released.csv", "policy.toml"]);
    let penalty = number(&measured["information_loss"]["certainty_penalty"]["mean"]);
    assert!((penalty - number(&certificate["information_loss"])).abs() < 1e-12);
    assert_eq!(measured["group_sizes"]["groups"], certificate["risks"]["groups"]);
    assert_eq!(measured["risks"], certificate["risks"]);
    for (recounted, certified) in measured["require"]
        .as_array()
        .unwrap()
        .iter()
        .zip(certificate["require"].as_array().unwrap())
    {
        assert_eq!(recounted["level"], certified["level"]);
    }
    // What does not depend on the order of the rows is the same from memory as from the file.
    let from_memory = desk.json("out/private/evaluation.json");
    for part in [
        "information_loss",
        "group_sizes",
        "columns",
        "association",
        "suda",
        "safe_harbor",
    ] {
        assert_eq!(measured[part], from_memory[part], "{part}");
    }
}

const DATA: &str = "age,zip,job,salary\n23,13053,clerk,10\n27,13068,clerk,12\n31,13053,nurse,20\n38,13068,nurse,20\n\
                    45,14850,cook,30\n47,14850,cook,31\n52,14853,smith,40\n59,14853,smith,44\n";
const POLICY: &str = "[data]\nfile = 'data.csv'\n[columns]\nage = { role = 'quasi', type = 'continuous' }\n\
                      zip = { role = 'quasi' }\njob = { role = 'quasi' }\n\
                      salary = { role = 'sensitive', type = 'continuous', sensitive_ranges = 10 }\n\
                      [[require]]\nanonymity = 2\n";

fn clerks() -> Desk {
    Desk::with(&[("data.csv", DATA), ("policy.toml", POLICY)])
}

/// As ARX writes it: half-open intervals with turned brackets, masked postcodes, sets with commas.
#[test]
fn a_release_of_another_tool_is_understood() {
    let desk = clerks();
    let young = ["10", "12", "20", "20"].map(|salary| format!("\"[20, 40[\",130**,\"{{clerk, nurse}}\",{salary}\n"));
    let old = ["30", "31", "40", "44"].map(|salary| format!(">=40,1485*,*,{salary}\n"));
    let foreign = format!("age,zip,job,salary\n{}{}", young.concat(), old.concat());
    desk.put("foreign.csv", foreign.as_bytes());
    let measured = evaluated(&desk, &["data.csv", "foreign.csv", "policy.toml"]);
    for column in measured["columns"].as_array().unwrap() {
        assert_eq!(column["unknown_cells"], json!(0), "{column}");
    }
    // age: 17/36 (from 23 on) and 19/36; zip: 2 of 4 values; job: 2 of 4, and anything.
    let expected = (4.0 * (17.0 / 36.0 + 0.5 + 0.5) + 4.0 * (19.0 / 36.0 + 0.5 + 1.0)) / 24.0;
    let penalty = number(&measured["information_loss"]["certainty_penalty"]["mean"]);
    assert!((penalty - expected).abs() < 1e-12, "{penalty} {expected}");
    assert_eq!(measured["group_sizes"]["smallest"], json!(4));

    desk.put("strange.csv", foreign.replace("1485*", "nowhere").as_bytes());
    let measured = evaluated(&desk, &["data.csv", "strange.csv", "policy.toml"]);
    assert_eq!(measured["columns"][1]["unknown_cells"], json!(4));
}

/// A release without a column tells nothing of it.
#[test]
fn a_column_that_the_release_lacks_counts_as_suppressed() {
    let desk = clerks();
    desk.put("lacking.csv", b"age,job,salary\n\"[23, 59]\",*,10\n\"[23, 59]\",*,12\n");
    let measured = evaluated(&desk, &["data.csv", "lacking.csv", "policy.toml"]);
    assert_eq!(measured["information_loss"]["loss_metric"], json!(1.0));
    assert_eq!(measured["information_loss"]["rows_left_out"], json!(6));
    assert_eq!(measured["require"][0]["holds"], json!(false));
}

/// An identifier that is only counted by is not published, so it is no finding; one that another tool left in is told.
#[test]
fn identifiers_are_told_only_if_they_are_in_the_release() {
    let desk = Desk::sample("clinic");
    desk.must(&["publish", "policy.toml", "--evaluate", "--out", "out"]);
    let kinds = desk.json("out/private/evaluation.json")["safe_harbor"]["kinds"].clone();
    let seen = |kind: &&Value| kind["columns"].to_string().contains("patient");
    assert!(!kinds.as_array().unwrap().iter().any(|kind| seen(&kind)), "{kinds}");

    let left_in = evaluated(&desk, &["visits.csv", "visits.csv", "policy.toml"]);
    assert_eq!(left_in["identifiers"], json!(["patient", "guard"]));
}

/// Classes [10, 20) and [20, 30): a group with salaries 10, 12, 20, 20 of the range from 10 to 44. By definition 5.1.3,
/// dc(10) = (1 + 1 - 2/34)/4 = dc(12), dc(20) = 2·2/4 = 1; so rd is their sum by 4.
#[test]
fn range_diversity_follows_the_policy() {
    let desk = clerks();
    let released: String = ["10", "12", "20", "20"]
        .map(|salary| format!("*,*,*,{salary}\n"))
        .concat();
    desk.put("one.csv", format!("age,zip,job,salary\n{released}").as_bytes());
    let measured = evaluated(&desk, &["data.csv", "one.csv", "policy.toml"]);
    let expected = (2.0 * (2.0 - 2.0 / 34.0) / 4.0 + 1.0) / 4.0;
    let worst = number(&measured["range_diversity"][0]["worst_group"]);
    assert!((worst - expected).abs() < 1e-12, "{worst} {expected}");
}

/// "How many clerks under 30" is 2 in the data. The release has 4 rows of clerks or nurses in [23, 40): of each, half are
/// clerks and 7 of 17 years count, so 4/2 · 7/17.
#[test]
fn queries_of_a_file_are_answered() {
    let desk = clerks();
    desk.put("queries.txt", b"# one\nage in [23, 30) and job = clerk\n");
    let row = "\"[23, 40)\",*,{clerk|nurse},10\n";
    desk.put(
        "released.csv",
        format!("age,zip,job,salary\n{}", row.repeat(4)).as_bytes(),
    );
    let measured = evaluated(
        &desk,
        &["data.csv", "released.csv", "policy.toml", "--queries", "queries.txt"],
    );
    let expected = (2.0 - 4.0 / 2.0 * 7.0 / 17.0) / 2.0;
    let error = number(&measured["queries"]["average"]);
    assert!((error - expected).abs() < 1e-12, "{error} {expected}");

    desk.put("wrong.txt", b"age in [23, 30)\nheight > 3\n");
    let ended = desk.run(&[
        "evaluate",
        "data.csv",
        "released.csv",
        "policy.toml",
        "--queries",
        "wrong.txt",
    ]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.contains("wrong.txt: line 2") && ended.err.contains("height"),
        "{}",
        ended.err
    );
}

#[test]
fn rows_are_split_as_asked() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    let files = ["patients.csv", "out/released.csv", "policy.toml"];
    let with = |more: &[&str]| evaluated(&desk, &[&files[..], more].concat());
    let folds = with(&["--folds", "5", "--learner", "c45,naive-bayes"]);
    let learners: Vec<&Value> = folds["classification"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| &e["learner"])
        .collect();
    assert_eq!(learners, [&json!("c45"), &json!("naive-bayes")]);
    assert_eq!(folds["classification"][0]["base"]["tested"], json!(34));
    assert_eq!(folds, with(&["--folds", "5", "--learner", "c45,naive-bayes"]));

    let ended = desk.run(&[&["evaluate"], &files[..], &["--train-rows", "20"]].concat());
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("not in the order of the data"), "{}", ended.err);
    let ended = desk.run(&[&["evaluate"], &files[..], &["--test-rows", "part=test"]].concat());
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("part"), "{}", ended.err);
}

#[test]
fn what_is_not_measured_is_told_with_the_reason() {
    let desk = clerks();
    desk.must(&["publish", "policy.toml"]);
    let ended = desk.must(&["evaluate", "data.csv", "out/released.csv", "policy.toml"]);
    for reason in [
        "not measured: classification error: the policy names no class column",
        "not measured: population uniques: tell how many people there are, with --population",
    ] {
        assert!(ended.out.contains(reason), "{}", ended.out);
    }
    let patients = Desk::patients();
    patients.put("classless.csv", b"job,sex,age,disease\nLawyer,F,44,HIV\n");
    let measured = evaluated(&patients, &["patients.csv", "classless.csv", "policy.toml"]);
    let reasons = measured["not_measured"].to_string();
    assert!(
        reasons.contains("classification error: the release has no column insured"),
        "{reasons}"
    );

    let small = evaluated(
        &desk,
        &["data.csv", "out/released.csv", "policy.toml", "--population", "3"],
    );
    assert!(
        small["not_measured"].to_string().contains("cannot hold"),
        "{}",
        small["not_measured"]
    );
}

#[test]
fn a_page_is_written_and_not_clobbered() {
    let desk = clerks();
    desk.must(&["publish", "policy.toml"]);
    let page = [
        "evaluate",
        "data.csv",
        "out/released.csv",
        "policy.toml",
        "--report",
        "page",
    ];
    desk.must(&page);
    assert!(desk.read("page/report.html").contains("Evaluation of released.csv"));
    assert!(desk.read("page/report.md").contains("## What was lost"));
    assert_eq!(desk.run(&page).code, Some(2));
    desk.must(&[&page[..], &["--force"]].concat());
}

#[test]
fn sensitive_ranges_that_do_not_fit_are_told_with_their_line() {
    let with = |column: &str| {
        let policy = POLICY.replace(
            "salary = { role = 'sensitive', type = 'continuous', sensitive_ranges = 10 }",
            column,
        );
        let desk = Desk::with(&[("data.csv", DATA), ("policy.toml", &policy)]);
        desk.put("released.csv", DATA.as_bytes());
        let ended = desk.run(&["evaluate", "data.csv", "released.csv", "policy.toml"]);
        assert_eq!(ended.code, Some(2), "{column}");
        ended.err
    };
    for (column, reason) in [
        (
            "salary = { role = 'other', sensitive_ranges = 10 }",
            "`sensitive_ranges` is for sensitive columns",
        ),
        (
            "salary = { role = 'sensitive', type = 'continuous', sensitive_ranges = 'wide' }",
            "must be a width such as 10",
        ),
        (
            "salary = { role = 'sensitive', sensitive_ranges = 0.5 }",
            "must be a number of steps up the taxonomy",
        ),
        (
            "salary = { role = 'sensitive', type = 'continuous', sensitive_ranges = { 10 = '[20, 30]' } }",
            "does not hold its value",
        ),
    ] {
        let told = with(column);
        assert!(
            told.contains(reason) && told.contains("policy.toml:7"),
            "{column}: {told}"
        );
    }
}

/// The bytes are those of one of the two searches, and the certificate names it.
#[test]
fn the_objective_classification_publishes_what_a_classifier_learns_best_from() {
    let desk = Desk::sample("census");
    // For 10 both searches find the same.
    let policy = desk.read("policy.toml").replace("anonymity = 10", "anonymity = 50");
    let with = |objective: &str| {
        let method = format!("[method]\nobjective = \"{objective}\"\n");
        desk.put("own.toml", format!("{}\n{method}", without_method(&policy)).as_bytes());
        desk.must(&["publish", "own.toml", "--out", objective]);
        let found = desk.json(&format!("{objective}/certificate.json"))["method"]["objective"].clone();
        (
            found.as_str().unwrap().to_owned(),
            desk.read(&format!("{objective}/released.csv")),
        )
    };
    let (found, released) = with("classification");
    let tried = [with("information-gain"), with("gain-only")];
    assert!(
        tried[0].1 != tried[1].1,
        "the two searches must differ for this to say anything"
    );
    assert!(tried.contains(&(found, released)));
    assert!(
        desk.read("classification/private/report.md")
            .contains("Refined for classification")
    );
}

/// A policy without its `[method]` section.
fn without_method(policy: &str) -> String {
    let (before, after) = policy.split_once("[method]").unwrap_or((policy, ""));
    let rest = after.find("\n[").map_or("", |end| &after[end..]);
    format!("{before}{rest}")
}

#[test]
fn the_objective_classification_needs_a_class() {
    let desk = clerks();
    desk.put(
        "own.toml",
        format!("{POLICY}[method]\nobjective = 'classification'\n").as_bytes(),
    );
    let ended = desk.run(&["publish", "own.toml"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.contains("this objective needs a class column"),
        "{}",
        ended.err
    );
}
