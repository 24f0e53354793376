//! The canonical form of an agreement, and what two of them differ in.

use std::path::Path;

use proptest::prelude::*;
use scumble_policy::{Agreement, differences};

use crate::desk::{RIGHT, SEXES_HASH, right, with};

#[test]
fn an_agreement_is_one_fact_per_line_with_its_defaults() {
    let expected = format!(
        r#"party.1.name = "bank"
party.1.address = "bank.example:7301"
party.2.name = "loans"
party.2.address = "[::1]:7301"
key.column = "ssn"
data.missing = "drop"
data.missing_marks = []
data.trim = true
columns.sex.role = "quasi"
columns.sex.type = "categorical"
columns.sex.taxonomy = "sex.csv"
columns.sex.party = ["bank"]
columns.job.role = "quasi"
columns.job.type = "categorical"
columns.job.party = ["loans"]
columns.salary.role = "quasi"
columns.salary.type = "continuous"
columns.salary.range = [0.0, 100.0]
columns.salary.party = ["loans"]
columns.paid.role = "class"
columns.paid.type = "categorical"
columns.paid.party = ["bank", "loans"]
columns.illness.role = "sensitive"
columns.illness.type = "categorical"
columns.illness.party = ["bank"]
taxonomies."sex.csv" = "{SEXES_HASH}"
require.1.anonymity = 4
require.1.of = ["sex", "job", "salary"]
method.name = "refine"
method.objective = "information-gain"
method.weigh = "records"
method.rows_suppressed_at_most = 0.0
method.seed = 1
release.format = "csv"
release.by_record = false
"#
    );
    let agreement = right(RIGHT);
    assert_eq!(agreement.canonical(), expected);
    assert_eq!(agreement.hash(), *blake3::hash(expected.as_bytes()).as_bytes());
}

#[test]
fn who_writes_defaults_out_says_the_same() {
    let spelled = with("anonymity = 4", "anonymity = 0x4\nof = [\"sex\", \"job\", \"salary\"]")
        .replace("[data]", "[data]\ntrim = true\nmissing_marks = []")
        .replace("[0, 100]", "[0.0, 1e2]")
        .replace("[\"bank\", \"loans\"]", "[\"loans\", \"bank\"]")
        .replace("[method]", "[method]\nseed = 1\nname = \"refine\"\nweigh = \"records\"")
        .replace("[release]", "[release]\nby_record = false");
    assert_eq!(right(&spelled).hash(), right(RIGHT).hash());
}

/// Whoever says nothing of it agrees with whoever says no, and with nobody who says yes.
#[test]
fn whether_all_have_the_same_records_is_agreed_on() {
    let said = |flag: &str| {
        right(&with(
            "column = \"ssn\"",
            &format!("column = \"ssn\"\nsame_records = {flag}"),
        ))
    };
    let plain = right(RIGHT);
    assert!(!plain.same_records);
    assert_eq!(said("false").hash(), plain.hash());
    let same = said("true");
    assert!(same.same_records);
    assert_eq!(
        differences(&same.canonical(), &plain.canonical()),
        ["key.same_records: only here"]
    );
}

/// The folder is where one party keeps the file.
#[test]
fn the_folder_is_no_part_of_the_agreement() {
    let dotted = RIGHT.replace("taxonomy = \"sex.csv\"", "taxonomy = \"./sex.csv\"");
    for (folder, text) in [("/home/bank", RIGHT), ("", RIGHT), ("", &dotted), ("deal", &dotted)] {
        let elsewhere = Agreement::parse(text, "agreement.toml", Path::new(folder)).unwrap();
        assert_eq!(elsewhere.canonical(), right(RIGHT).canonical());
    }
}

#[test]
fn a_name_cannot_pass_for_other_facts() {
    let odd = "\"a = 1\\n.b\\\"\"";
    let text = RIGHT.replace("job = {", &format!("{odd} = {{"));
    let canonical = right(&text).canonical();
    assert_eq!(canonical.lines().count(), right(RIGHT).canonical().lines().count());
    let unlike = differences(&right(RIGHT).canonical(), &canonical);
    assert_eq!(
        unlike,
        [
            "columns.job: only here",
            r#"require.1.of: ["sex", "job", "salary"] here, ["sex", "a = 1\n.b\"", "salary"] there"#,
            r#"columns."a = 1\n.b\"": only there"#,
        ]
    );
}

#[track_caller]
fn assert_differences(other: &str, expected: &[&str]) {
    let (own, other) = (right(RIGHT), right(other));
    assert_eq!(differences(&own.canonical(), &other.canonical()), expected);
    assert_ne!(own.hash(), other.hash());
}

#[test]
fn differences_are_told_in_plain_words() {
    let own = right(RIGHT).canonical();
    assert_eq!(differences(&own, &own), [""; 0]);
    assert_differences(
        &with("anonymity = 4", "anonymity = 5"),
        &["require.1.anonymity: 4 here, 5 there"],
    );
    assert_differences(
        &with("illness = { role = \"sensitive\", party = \"bank\" }\n", ""),
        &["columns.illness: only here"],
    );
    assert_differences(
        &with(
            "[method]",
            "[[require]]\ndiversity = 2\nabout = \"illness\"\nof = [\"sex\", \"salary\"]\n[method]\nsteps = 3",
        ),
        &["require.2: only there", "method.steps: only there"],
    );
    assert_differences(
        &with("taxonomy = \"sex.csv\", ", "").replace(&format!("\"sex.csv\" = \"{SEXES_HASH}\""), ""),
        &["columns.sex.taxonomy: only here", "taxonomies.\"sex.csv\": only here"],
    );
}

/// The order of columns decides ties, so it is part of what is agreed on.
#[test]
fn another_order_of_columns_is_a_difference() {
    let (paid, illness) = (
        "paid = { role = \"class\", party = [\"bank\", \"loans\"] }\n",
        "illness = { role = \"sensitive\", party = \"bank\" }\n",
    );
    assert_differences(
        &with(&format!("{paid}{illness}"), &format!("{illness}{paid}")),
        &["order: columns.paid here, where columns.illness is there"],
    );
}

#[test]
fn of_long_values_the_part_that_differs_is_told() {
    let marks = |last: &str| format!("data.missing_marks = [{}\"{last}\"]\n", "\"x\", ".repeat(40));
    assert_eq!(
        differences(&marks("a"), &marks("b")),
        [r#"data.missing_marks: …x", "x", "x", "x", "a"] here, …x", "x", "x", "x", "b"] there"#]
    );
}

#[test]
fn at_most_twenty_differences_are_told() {
    let many = |from: u32| {
        (0..30)
            .map(|n| format!("a.b{n}.c = {}\n", from + n))
            .collect::<String>()
    };
    let told = differences(&many(0), &many(1));
    assert_eq!((told.len(), told[0].as_str()), (20, "a.b0.c: 0 here, 1 there"));
    assert_eq!(told[19], "and 11 more");
}

#[test]
fn whatever_another_party_sends_is_told_apart() {
    let own = right(RIGHT).canonical();
    assert_eq!(
        differences(&own, &own.replace('\n', "\r\n")),
        ["the other text is not in canonical form"]
    );
    assert_eq!(
        differences(&own, &format!("{own}{own}")),
        ["the other text is not in canonical form"]
    );
    assert!(!differences(&own, "").is_empty());
}

/// Settings in any order.
fn in_any_order(settings: &[&'static str], between: &'static str) -> impl Strategy<Value = String> + use<> {
    let shuffled = Just(settings.to_vec()).prop_shuffle();
    shuffled.prop_map(|settings| settings.join(between))
}

fn section(header: &'static str, settings: &[&'static str]) -> BoxedStrategy<String> {
    let settings = in_any_order(settings, "\n\n# a comment\n");
    settings
        .prop_map(move |settings| format!("{header}\n{settings}\n"))
        .boxed()
}

fn column(name: &'static str, settings: &[&'static str]) -> BoxedStrategy<String> {
    let settings = in_any_order(settings, ",   ");
    settings
        .prop_map(move |settings| format!("{name} = {{{settings}}}\n"))
        .boxed()
}

/// One agreement in many layouts: sections and settings in any order, but for parties and columns.
fn layouts() -> impl Strategy<Value = String> {
    let parties = vec![
        section("[[party]]", &["name = 'bank'", "address = 'bank:7301'"]),
        section("[[party]]", &["name = 'loans'", "address = 'loans:7301'"]),
    ];
    let columns = vec![
        column("job", &["role = 'quasi'", "taxonomy = 'b.csv'", "party = 'loans'"]),
        column(
            "age",
            &[
                "role = 'quasi'",
                "type = 'continuous'",
                "range = [0, 9]",
                "party = 'bank'",
            ],
        ),
        column(
            "illness",
            &["role = 'sensitive'", "taxonomy = 'a.csv'", "party = 'bank'"],
        ),
    ];
    let hashes = [
        "'a.csv' = '000000000000000000000000000000000000000000000000000000000000000a'",
        "'b.csv' = '000000000000000000000000000000000000000000000000000000000000000b'",
    ];
    let sections = vec![
        parties.prop_map(|parties| parties.concat()).boxed(),
        section("[key]", &["column = 'ssn'"]),
        section("[data]", &["missing = 'drop'", "trim = false", "missing_marks = ['?']"]),
        columns
            .prop_map(|columns| format!("[columns]\n{}", columns.concat()))
            .boxed(),
        section("[taxonomies]", &hashes),
        section(
            "[[require]]",
            &[
                "diversity = 2",
                "kind = 'distinct'",
                "about = 'illness'",
                "of = ['job']",
            ],
        ),
        section("[method]", &["objective = 'certainty'", "seed = 7", "steps = 9"]),
        section("[release]", &["format = 'parquet'", "by_record = true"]),
    ];
    sections.prop_shuffle().prop_map(|sections| sections.concat())
}

proptest! {
    #[test]
    fn layout_says_nothing(one in layouts(), other in layouts()) {
        let (one, other) = (right(&one), right(&other));
        prop_assert_eq!(one.canonical(), other.canonical());
        prop_assert_eq!(one.hash(), other.hash());
    }

    #[test]
    fn any_two_texts_are_told_apart(own in "[a.\"' =\n\\\\]{0,40}", other in "[a.\"' =\n\\\\]{0,40}") {
        let told = differences(&own, &other);
        prop_assert_eq!(told.is_empty(), own == other);
        prop_assert!(told.iter().all(|line| !line.contains('\n')));
    }
}
