//! Tables with more columns than anybody looks at. Whatever goes through all columns for each of them would take many minutes
//! here; nothing is timed, because a machine may be slow.

use std::fmt::Write;

use serde_json::Value;

use crate::desk::Desk;

const COLUMNS: usize = 20_000;

/// Six people who share what fills the table, but for every second column, by which some of them can be told apart.
fn wide() -> String {
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("c{column}")).collect();
    let mut table = names.join(",");
    for row in 0..6 {
        table.push('\n');
        for column in 0..COLUMNS {
            let cell = if column % 2 == 0 {
                row * (column + 3) % 5
            } else {
                column % 7
            };
            let separator = if column == 0 { "" } else { "," };
            write!(table, "{separator}v{cell}").unwrap();
        }
    }
    table + "\n"
}

/// `inspect` lists all of them, those that differ as quasi columns of one template; what it writes is published and
/// audited, and published once more, as a version of the first release.
#[test]
fn a_policy_may_list_twenty_thousand_columns() {
    let desk = Desk::with(&[("data.csv", &wide())]);
    desk.must(&["inspect", "data.csv", "--policy"]);
    let policy = desk.read("policy.toml");
    let listed = |role: &str| policy.matches(&format!("{{ role = \"{role}\" }}")).count();
    assert_eq!(listed("quasi") + listed("other"), COLUMNS);
    assert!(listed("quasi") > COLUMNS / 3, "{}", listed("quasi"));

    desk.must(&["publish", "policy.toml", "--ledger", "ledger"]);
    let certificate = desk.json("out/certificate.json");
    assert_eq!(certificate["columns"].as_array().map(Vec::len), Some(COLUMNS));
    assert_eq!(
        certificate["require"][0]["of"].as_array().map(Vec::len),
        Some(listed("quasi"))
    );
    let audited = desk.must(&["audit", "out/released.csv", "policy.toml", "--json"]).out;
    let audited: Value = serde_json::from_str(&audited).unwrap();
    assert_eq!(audited["require"][0]["level"], certificate["require"][0]["level"]);

    let again = desk
        .must(&["publish", "policy.toml", "--ledger", "ledger", "--out", "again"])
        .out;
    assert!(
        again.contains("compared with release `out`: nobody is exposed"),
        "{}",
        &again[..1000]
    );
}

/// The file of another table: nothing that the policy lists is there.
#[test]
fn twenty_thousand_columns_that_are_not_there_are_all_told() {
    let desk = Desk::with(&[("data.csv", "a,b\n1,2\n3,4\n")]);
    let mut text = "[data]\nfile = 'data.csv'\n[columns]\n".to_owned();
    for column in 0..COLUMNS {
        writeln!(text, "c{column} = {{ role = 'quasi' }}").unwrap();
    }
    text += "[[require]]\nanonymity = 2\n";
    desk.put("policy.toml", text.as_bytes());
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(refused.err.matches("has no column `c").count(), COLUMNS);
}
