//! Public tables that this field measures itself on, where they are at hand beside the project. Whatever is required of
//! them, the audit of the file finds the levels of the certificate, and an attack gets exactly as far as they say.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::adult;
use crate::desk::Desk;

/// A public table on a desk, with taxonomies in files that are named for their columns.
struct Public {
    desk: Desk,
    /// The `[data]` section.
    data: String,
    names: Vec<String>,
    continuous: &'static [&'static str],
}

/// What columns are; all others are neither read nor published.
struct Roles<'r> {
    quasi: &'r [&'r str],
    sensitive: &'r [&'r str],
    class: &'r str,
}

fn shared() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data")
}

/// What is not here cannot be tested; that is told, and is no failure.
fn or_say_so(name: &str, table: Option<Public>) -> Option<Public> {
    if table.is_none() {
        eprintln!("the {name} data is not here; nothing to do");
    }
    table
}

/// The 45,222 complete rows.
fn adult() -> Option<Public> {
    let names: Vec<String> = adult::NAMES.split(',').map(str::to_owned).collect();
    let table = adult::adult().map(|desk| Public {
        desk,
        data: format!("file = 'adult.data'\nnames = {names:?}\ncomment = '|'\nmissing = 'drop'\nmissing_marks = ['?']"),
        names,
        continuous: &["age", "hours-per-week"],
    });
    or_say_so("Adult", table)
}

/// Columns that their owner has numbered, and the class.
fn numbered(columns: usize) -> Vec<String> {
    let names = (1..=columns).map(|number| format!("A{number}"));
    names.chain(["class".to_owned()]).collect()
}

/// The Japanese credit screening. A row is dropped if it lacks something in the columns that are read.
fn crx() -> Option<Public> {
    let names = numbered(15);
    let table = fs::read_to_string(shared().join("credit/crx.data"))
        .ok()
        .map(|rows| Public {
            desk: Desk::with(&[("crx.data", &rows)]),
            data: format!("file = 'crx.data'\nnames = {names:?}\nmissing = 'drop'\nmissing_marks = ['?']"),
            names,
            continuous: &["A2", "A3", "A8", "A11", "A14", "A15"],
        });
    or_say_so("CRX", table)
}

/// The 1,000 rows of the German credit data, which are separated by blanks.
fn german() -> Option<Public> {
    let names = numbered(20);
    let table = fs::read_to_string(shared().join("credit/german.data"))
        .ok()
        .map(|rows| Public {
            desk: Desk::with(&[("german.data", &rows)]),
            data: format!("file = 'german.data'\nnames = {names:?}\nseparator = ' '"),
            names,
            continuous: &["A2", "A5", "A13"],
        });
    or_say_so("German credit", table)
}

/// The first rows of the American Community Survey: unpacking all of them takes an unoptimised build too long.
fn acs(rows: usize) -> Option<Public> {
    let packed = fs::File::open(shared().join("census/acs2018_person.csv.gz")).ok();
    let table = packed.map(|packed| {
        let lines = BufReader::new(GzDecoder::new(packed)).lines().take(rows + 1);
        let lines: Vec<String> = lines.map(Result::unwrap).collect();
        let desk = Desk::with(&[("acs.csv", &(lines.join("\n") + "\n"))]);
        for column in ["Education", "Race", "State"] {
            let tree = fs::read(shared().join(format!("taxonomies/acs2018-own/{column}.csv"))).unwrap();
            desk.put(&format!("{column}.csv"), &tree);
        }
        Public {
            desk,
            data: "file = 'acs.csv'".to_owned(),
            names: lines[0].split(',').map(str::to_owned).collect(),
            continuous: &["Age", "Income"],
        }
    });
    or_say_so("ACS", table)
}

impl Public {
    fn policy(&self, roles: &Roles, rest: &str) -> String {
        let columns = self.names.iter().map(|name| {
            let role = match name.as_str() {
                name if roles.quasi.contains(&name) => "quasi",
                name if roles.sensitive.contains(&name) => "sensitive",
                name if roles.class == name => "class",
                _ => "identifier",
            };
            let values = match name.as_str() {
                _ if role == "identifier" => String::new(),
                name if self.continuous.contains(&name) => ", type = 'continuous'".to_owned(),
                name if self.desk.has(&format!("{name}.csv")) => format!(", taxonomy = '{name}.csv'"),
                _ => String::new(),
            };
            format!("{name} = {{ role = '{role}'{values} }}\n")
        });
        let columns: String = columns.collect();
        format!("[data]\n{}\n[columns]\n{columns}{rest}\n", self.data)
    }

    /// Publishes, and looks at the release from outside: the audit of the file, and an attack by someone who knows the
    /// quasi columns of everybody. Returns what was published.
    fn publish_and_look(&self, roles: &Roles, rest: &str) -> Value {
        self.desk.put("policy.toml", self.policy(roles, rest).as_bytes());
        let run = |arguments: &[&str]| -> Value {
            let ended = self.desk.must(&[arguments, &["--json"]].concat());
            serde_json::from_str(&ended.out).unwrap()
        };
        let published = run(&["publish", "policy.toml", "--force"]);
        let released = published["released"].as_str().unwrap();
        let audit = run(&["audit", released, "policy.toml"]);
        for (found, certified) in both(&audit["require"], &published["certificate"]["require"]) {
            assert_eq!(found["level"], certified["level"], "{rest}: {certified}");
        }
        let attack = run(&["attack", released, "--policy", "policy.toml"]);
        agrees(&attack, &published["certificate"]);
        assert!(
            published["refinements"].as_u64() > Some(0),
            "{rest}: a release that says nothing"
        );
        published
    }

    /// How many of the people whom someone finds by these columns share the smallest group.
    fn smallest_group(&self, released: &str, columns: &str) -> Value {
        let attack = [
            "attack",
            released,
            "--policy",
            "policy.toml",
            "--quasi",
            columns,
            "--json",
        ];
        let report: Value = serde_json::from_str(&self.desk.must(&attack).out).unwrap();
        report["linkage"]["matching_rows"]["smallest"].clone()
    }

    /// Section 5.4.1 of the thesis: of each column the 50 % least frequent values, as `about` lists them.
    fn least_frequent(&self, file: &str, columns: &[&str]) -> String {
        let rows = self.desk.read(file);
        let rows: Vec<Vec<&str>> = rows
            .lines()
            .map(|row| row.split(',').map(str::trim).collect::<Vec<_>>())
            .filter(|cells| cells.len() == self.names.len() && !cells.contains(&"?"))
            .collect();
        let listed = columns.iter().map(|column| {
            let place = self.names.iter().position(|name| name == column).unwrap();
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            rows.iter()
                .for_each(|cells| *counts.entry(cells[place]).or_default() += 1);
            let mut values: Vec<&str> = counts.keys().copied().collect();
            values.sort_by_key(|value| counts[value]);
            format!("{column} = {:?}", &values[..values.len() / 2])
        });
        listed.collect::<Vec<_>>().join(", ")
    }
}

fn both<'v>(left: &'v Value, right: &'v Value) -> impl Iterator<Item = (&'v Value, &'v Value)> {
    let (left, right) = (left.as_array().unwrap(), right.as_array().unwrap());
    assert_eq!(left.len(), right.len());
    left.iter().zip(right)
}

/// Everybody who was not left out finds their own group, so whoever is worst off is where the templates on all quasi
/// columns have their levels. Who was left out may find a group, too: no interval and no value tells of them.
fn agrees(attack: &Value, certificate: &Value) {
    let smallest = attack["linkage"]["matching_rows"]["smallest"].as_f64().unwrap();
    assert_eq!(attack["risks"]["prosecutor"]["highest"], 1.0 / smallest);
    let count = |value: &Value| value.as_u64().unwrap();
    assert!(count(&attack["linkage"]["without_match"]) <= count(&certificate["rows"]["left_out"]));
    let on_all = |template: &&Value| template["of"] == attack["shared"] && template.get("any").is_none();
    for template in certificate["require"].as_array().unwrap().iter().filter(on_all) {
        match template["kind"].as_str() {
            Some("anonymity") => assert_eq!(template["level"].as_f64(), Some(smallest), "{template}"),
            Some("confidence") => {
                let mut about = template["about"].as_object().unwrap().iter();
                if let Some((column, _)) = about.find(|(_, values)| **values == "*") {
                    assert_eq!(template["level"], best_guess(attack, column), "{template}");
                }
            }
            _ => {}
        }
    }
}

/// The highest confidence with which a value of the column is guessed.
fn best_guess(attack: &Value, column: &str) -> Value {
    let mut secrets = attack["inference"].as_array().unwrap().iter();
    let secret = secrets.find(|secret| secret["column"] == column).unwrap();
    secret["highest"].clone()
}

const ADULT: Roles = Roles {
    quasi: &["age", "education", "marital-status", "race", "sex", "native-country"],
    sensitive: &["occupation"],
    class: "class",
};

/// Every release has a template about each value of the secret, so that the attack has a level to agree with.
const EVERY_OCCUPATION: &str = "[[require]]\nconfidence = 0.9\nabout = { occupation = '*' }";

#[test]
fn adult_with_diversity_and_anonymity() {
    let Some(adult) = adult() else { return };
    let require = "[[require]]\nanonymity = 20\n[[require]]\ndiversity = 4\nkind = 'entropy'\nabout = 'occupation'\n\
                   [[require]]\ndiversity = 5\nkind = 'recursive'\nc = 4.0\nabout = 'occupation'";
    let published = adult.publish_and_look(&ADULT, &format!("{require}\n{EVERY_OCCUPATION}"));
    assert_eq!(published["certificate"]["rows"]["published"], 45_222);
}

#[test]
fn adult_with_closeness() {
    let Some(adult) = adult() else { return };
    let require = "[[require]]\ncloseness = 0.35\nabout = 'occupation'\n\
                   [[require]]\ncloseness = 0.45\ndistance = 'equal'\nabout = 'occupation'\n\
                   [[require]]\nanonymity = 5\nof = ['age', 'sex']";
    let published = adult.publish_and_look(&ADULT, &format!("{require}\n{EVERY_OCCUPATION}"));
    assert_eq!(published["certificate"]["require"][0]["distance"], "taxonomy");
}

#[test]
fn adult_with_alpha_k_and_likeness() {
    let Some(adult) = adult() else { return };
    let require = "[[require]]\nalpha = 0.5\nk = 25\nabout = { occupation = '*' }\n\
                   [[require]]\nbeta-likeness = 4\nkind = 'enhanced'\nabout = 'occupation'";
    adult.publish_and_look(&ADULT, require);
}

/// Section 5.4.1: the best predictors are the secrets, the other columns of words are known.
#[test]
fn adult_with_the_top_4_as_secrets() {
    let Some(adult) = adult() else { return };
    let top4 = ["marital-status", "relationship", "education", "sex"];
    let roles = Roles {
        quasi: &["workclass", "occupation", "race", "native-country"],
        sensitive: &top4,
        class: "class",
    };
    let about = adult.least_frequent("adult.data", &top4);
    let require = format!("[[require]]\nconfidence = 0.5\nabout = {{ {about} }}");
    let published = adult.publish_and_look(&roles, &require);
    let listed = &published["certificate"]["require"][0]["about"];
    assert_eq!(listed["sex"], json!(["Female"]), "the fewer in this table");
}

/// The same on CRX by suppression, for the thresholds of section 5.4.2.
#[test]
fn crx_with_the_top_4_as_secrets() {
    let Some(crx) = crx() else { return };
    let top4 = ["A9", "A10", "A7", "A6"];
    let roles = Roles {
        quasi: &["A1", "A4", "A5", "A12", "A13"],
        sensitive: &top4,
        class: "class",
    };
    let about = crx.least_frequent("crx.data", &top4);
    for k in [0.5, 0.7, 0.9] {
        let require = format!("[[require]]\nconfidence = {k}\nabout = {{ {about} }}");
        let published = crx.publish_and_look(&roles, &require);
        assert_eq!(
            published["certificate"]["rows"],
            json!({ "published": 671, "left_out": 0, "dropped": 19 })
        );
    }
}

/// Whoever knows any two columns: every pair is attacked, and the worst one has the level of the certificate.
#[test]
fn crx_with_any_two_columns() {
    let Some(crx) = crx() else { return };
    let roles = Roles {
        quasi: &["A1", "A2", "A4", "A7", "A14"],
        sensitive: &["A6", "A9"],
        class: "class",
    };
    let require = "[[require]]\nanonymity = 8\nof = { any = 2 }\n\
                   [[require]]\nconfidence = 0.8\nof = { any = 2 }\nabout = { A9 = '*' }\n\
                   [[require]]\ndiversity = 3\nof = { any = 1 }\nabout = 'A6'";
    let published = crx.publish_and_look(&roles, require);
    let pairs = roles.quasi.iter().enumerate();
    let pairs = pairs.flat_map(|(place, first)| roles.quasi[place + 1..].iter().map(move |other| (first, other)));
    let groups = pairs.map(|(first, other)| crx.smallest_group("out/released.csv", &format!("{first},{other}")));
    let worst = groups.map(|group| group.as_u64().unwrap()).min();
    assert_eq!(published["certificate"]["require"][0]["level"].as_u64(), worst);
}

#[test]
fn german_with_mixed_kinds() {
    let Some(german) = german() else { return };
    let roles = Roles {
        quasi: &["A2", "A7", "A9", "A13", "A15", "A17", "A20"],
        sensitive: &["A1", "A4", "A5"],
        class: "class",
    };
    let every = "[[require]]\nconfidence = 0.9\nabout = { A4 = '*' }";
    for require in [
        "[[require]]\np-sensitive = 3\nk = 6\nabout = 'A4'\n[[require]]\ndelta-disclosure = 1.5\nabout = 'A1'",
        "[[require]]\nanonymity = 10\n[[require]]\ncloseness = 0.2\nabout = 'A5'",
        "[[require]]\nanonymity = 10\n[method]\nrows_suppressed_at_most = 0.05",
    ] {
        german.publish_and_look(&roles, &format!("{every}\n{require}"));
    }
}

/// As Parquet, without a class.
#[test]
fn acs_as_parquet() {
    let Some(acs) = acs(20_000) else { return };
    let roles = Roles {
        quasi: &["Age", "Gender", "Education", "MaritalStatus", "Race", "State"],
        sensitive: &["OccGroup", "Income"],
        class: "",
    };
    let require = "[[require]]\nanonymity = 30\n[[require]]\nconfidence = 0.5\nabout = { OccGroup = '*' }\n\
                   [[require]]\ndiversity = 8\nabout = 'OccGroup'\n[[require]]\ncloseness = 0.3\nabout = 'Income'\n\
                   [release]\nformat = 'parquet'";
    let published = acs.publish_and_look(&roles, require);
    assert_eq!(published["certificate"]["require"][3]["distance"], "ordered");
    assert!(acs.desk.has("out/released.parquet"));
}
