//! The agreement of these tests, and what comes of it.

use std::path::Path;

use scumble_policy::{Agreement, Problems, Taxonomies, TaxonomyText};

/// The tree above the sexes, and its BLAKE3 hash, found by a second implementation.
pub const SEXES: &str = "F;ANY\nM;ANY\n";
pub const SEXES_HASH: &str = "efc65fa31eb241a7e7f70c1ebf8eb9acf23ace7481b9572d86ceaffabeec458e";

/// The bank knows the sex and the illness, the lender the job and the salary, both whether a loan is paid back.
pub const RIGHT: &str = r#"[[party]]
name = "bank"
address = "bank.example:7301"
[[party]]
name = "loans"
address = "[::1]:7301"
[key]
column = "ssn"
[data]
missing = "drop"
[columns]
sex = { role = "quasi", taxonomy = "sex.csv", party = "bank" }
job = { role = "quasi", party = "loans" }
salary = { role = "quasi", type = "continuous", range = [0, 100], party = "loans" }
paid = { role = "class", party = ["bank", "loans"] }
illness = { role = "sensitive", party = "bank" }
[taxonomies]
"sex.csv" = "efc65fa31eb241a7e7f70c1ebf8eb9acf23ace7481b9572d86ceaffabeec458e"
[[require]]
anonymity = 4
[method]
objective = "information-gain"
[release]
format = "csv"
"#;

/// Every kind that parties can ask for, and every way to say what a column is.
pub const EVERYTHING: &str = r#"[[party]]
name = "bank"
address = "bank.example:7301"
[[party]]
name = "loans"
address = "loans.example:7301"
[key]
column = "ssn"
[columns]
sex = { role = "quasi", taxonomy = "sex.csv", party = "bank" }
"zip code" = { role = "quasi", taxonomy = "sex.csv", party = "loans" }
salary = { role = "quasi", type = "continuous", range = [0, 100], party = "loans" }
age = { role = "quasi", type = "continuous", party = "bank" }
paid = { role = "class", party = "bank" }
illness = { role = "sensitive", taxonomy = "sex.csv", sensitive_ranges = 1, party = "bank" }
debt = { role = "sensitive", type = "continuous", sensitive_ranges = ["[0, 4]", "[80, 99.5)"], party = "loans" }
wealth = { role = "sensitive", type = "continuous", sensitive_ranges = 10, party = "loans" }
faith = { role = "sensitive", sensitive_ranges = { "a \"b\"" = "c" }, party = "loans" }
patient = { role = "other", party = "bank" }
guard = { role = "other", party = "bank" }
[taxonomies]
"sex.csv" = "efc65fa31eb241a7e7f70c1ebf8eb9acf23ace7481b9572d86ceaffabeec458e"
[[require]]
anonymity = 4
of = ["zip code", "sex"]
[[require]]
anonymity = 2
per = ["patient", "paid"]
[[require]]
confidence = 0.5
about = { illness = ["F"], debt = "*", faith = { "x.y" = 0.25, z = 0.75 } }
[[require]]
alpha = 0.4
k = 3
about = { paid = "*" }
[[require]]
diversity = 2
about = "illness"
[[require]]
diversity = 2.5
kind = "entropy"
of = ["sex", "age"]
about = "illness"
[[require]]
diversity = 2
kind = "recursive"
c = 2.0
of = ["zip code"]
about = "faith"
[[require]]
p-sensitive = 2
k = 4
about = "illness"
[[require]]
closeness = 0.2
of = ["sex"]
about = "illness"
[[require]]
delta-disclosure = 1.5
of = ["salary"]
about = "debt"
[[require]]
beta-likeness = 2
of = ["salary"]
about = "debt"
[[require]]
personal = 0.5
of = ["sex", "age"]
about = "illness"
guarding = "guard"
[[require]]
range-diversity = 0.75
of = ["salary"]
about = "wealth"
[method]
objective = "gain-only"
steps = 12
seed = 3
[release]
format = "parquet"
by_record = true
"#;

/// The right agreement, with something in place of one of its lines.
#[track_caller]
pub fn with(line: &str, replacement: &str) -> String {
    assert!(RIGHT.contains(line), "{line}");
    RIGHT.replacen(line, replacement, 1)
}

pub fn read(text: &str) -> Result<Agreement, Problems> {
    Agreement::parse(text, "agreement.toml", Path::new("deal"))
}

#[track_caller]
pub fn right(text: &str) -> Agreement {
    read(text).unwrap_or_else(|error| panic!("{error}\nin:\n{text}"))
}

#[track_caller]
pub fn assert_problems(text: &str, expected: &[&str]) {
    let Err(error) = read(text) else {
        panic!("no problem found in:\n{text}");
    };
    crate::keys::assert_resolve(error.list(), "agreement.toml", text);
    let message = error.to_string();
    let expected: Vec<String> = expected.iter().map(|line| format!("agreement.toml{line}")).collect();
    assert_eq!(message.lines().collect::<Vec<_>>(), expected, "in:\n{text}");
}

/// An agreement in the folder `deal`, with the taxonomy of the sexes in it.
pub fn beside_taxonomy(text: &str) -> (Agreement, Result<Taxonomies, Problems>) {
    let agreement = right(text);
    let taxonomies = agreement.taxonomies(&mut |path| Ok(sexes(path)));
    (agreement, taxonomies)
}

/// The only taxonomy of the folder `deal`.
pub fn sexes(path: &Path) -> TaxonomyText {
    if path == Path::new("deal/sex.csv") {
        TaxonomyText::Text(SEXES.to_owned())
    } else {
        TaxonomyText::NotThere
    }
}
