//! Every kind of template that is counted of persons: published by every method, certified, audited.
//!
//! Two towns have eight people each, of all diseases alike; in the third, all four have HIV. The same is told of the visit
//! that each of them made. So a release that looks at numbers alone breaks every bound on secrets below.

use serde_json::{Value, json};

use super::university::json_of;
use crate::desk::Desk;

const METHODS: [&str; 4] = ["entities", "miracle", "miraclex", "bitmap"];

/// Of each kind: the section about a column, and what the certificate says of it beside the column, bound and level.
const KINDS: [(&str, &str); 12] = [
    (
        "confidence = 0.6\nabout = { COLUMN = ['HIV'] }",
        r#"{"kind": "confidence"}"#,
    ),
    (
        "alpha = 0.6\nk = 3\nabout = { COLUMN = '*' }",
        r#"{"kind": "confidence"}"#,
    ),
    (
        "diversity = 2\nabout = 'COLUMN'",
        r#"{"kind": "diversity", "measure": "distinct"}"#,
    ),
    (
        "diversity = 1.5\nkind = 'entropy'\nabout = 'COLUMN'",
        r#"{"kind": "diversity", "measure": "entropy"}"#,
    ),
    (
        "diversity = 2\nkind = 'recursive'\nc = 2.0\nabout = 'COLUMN'",
        r#"{"kind": "diversity", "measure": "recursive", "c": 2.0}"#,
    ),
    (
        "p-sensitive = 2\nk = 3\nabout = 'COLUMN'",
        r#"{"kind": "diversity", "measure": "distinct"}"#,
    ),
    (
        "closeness = 0.35\ndistance = 'equal'\nabout = 'COLUMN'",
        r#"{"kind": "closeness", "distance": "equal"}"#,
    ),
    (
        "closeness = 0.35\ndistance = 'ordered'\nabout = 'COLUMN'",
        r#"{"kind": "closeness", "distance": "ordered"}"#,
    ),
    (
        "closeness = 0.35\nabout = 'COLUMN'",
        r#"{"kind": "closeness", "distance": "taxonomy"}"#,
    ),
    (
        "delta-disclosure = 1.0\nabout = 'COLUMN'",
        r#"{"kind": "delta-disclosure"}"#,
    ),
    (
        "beta-likeness = 1.0\nabout = 'COLUMN'",
        r#"{"kind": "beta-likeness", "measure": "basic"}"#,
    ),
    (
        "beta-likeness = 1.0\nkind = 'enhanced'\nabout = 'COLUMN'",
        r#"{"kind": "beta-likeness", "measure": "enhanced"}"#,
    ),
];

fn policy(require: &str, method: &str, out: &str) -> String {
    format!(
        "[person]\nfile = 'persons.csv'\nkey = 'pid'\n[[tables]]\nname = 'visits'\nfile = 'visits.csv'\n\
         foreign_key = 'pid'\n[columns]\npersons.town = {{ role = 'quasi' }}\n\
         persons.disease = {{ role = 'sensitive', taxonomy = 'disease.csv' }}\nvisits.ward = {{ role = 'quasi' }}\n\
         visits.what = {{ role = 'sensitive', taxonomy = 'disease.csv' }}\n[[require]]\nanonymity = 2\n{require}\n\
         [method]\nname = '{method}'\n[release]\nfolder = '{out}'\n"
    )
}

fn clinic() -> Desk {
    let of_town = ["Flu", "Flu", "Flu", "Cold", "Cold", "Cold", "HIV", "HIV"];
    let of_all = ["x", "y"]
        .into_iter()
        .flat_map(|town| of_town.map(|disease| (town, disease)));
    let all: Vec<(&str, &str)> = of_all.chain([("w", "HIV"); 4]).collect();
    let rows = |header: &str, row: &dyn Fn(usize, &str, &str) -> String| {
        let rows = all
            .iter()
            .enumerate()
            .map(|(person, (town, disease))| row(person, town, disease));
        format!("{header}\n{}", rows.collect::<String>())
    };
    let persons = rows("pid,town,disease", &|person, town, disease| {
        format!("P{person},{town},{disease}\n")
    });
    let visits = rows("pid,ward,what", &|person, _, disease| {
        format!("P{person},A,{disease}\n")
    });
    Desk::with(&[
        ("persons.csv", &persons),
        ("visits.csv", &visits),
        ("disease.csv", "Flu;Cough;*\nCold;Cough;*\nHIV;Virus;*\n"),
    ])
}

/// What the certificate says of the last template, without its level.
fn last(certificate: &Value) -> Value {
    let mut entry = certificate["require"].as_array().unwrap().last().unwrap().clone();
    let level = entry.as_object_mut().unwrap().remove("level");
    assert!(level.is_some_and(|level| level.is_number()), "{certificate}");
    entry
}

#[test]
fn every_kind_is_published_certified_and_audited() {
    for (column, methods) in [("persons.disease", &METHODS[..]), ("visits.what", &METHODS[..1])] {
        for (require, certified) in KINDS {
            let require = format!("[[require]]\n{}", require.replace("COLUMN", column));
            for method in methods {
                let desk = clinic();
                desk.put("policy.toml", policy(&require, method, "out").as_bytes());
                let published = json_of(&desk.must(&["publish", "policy.toml", "--json"]));
                let entry = last(&published["certificate"]);
                let mut certified: Value = serde_json::from_str(certified).unwrap();
                let told = certified.as_object_mut().unwrap();
                let values = if require.contains("['HIV']") {
                    json!(["HIV"])
                } else {
                    json!("*")
                };
                told.insert("about".to_owned(), json!({ column: values }));
                told.insert("of".to_owned(), json!(["persons.town", "visits.ward"]));
                told.insert("holds".to_owned(), json!(true));
                told.insert("bound".to_owned(), entry["bound"].clone());
                assert_eq!(entry, certified, "{require} by {method}");
                let persons = published["certificate"]["persons"]["published"].as_u64().unwrap();
                assert!(persons >= 16, "{require} by {method}: {persons} persons");
                let audit = json_of(&desk.must(&["audit", "out", "policy.toml", "--json"]));
                let levels = |require: &Value| -> Vec<Value> {
                    require
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|entry| entry["level"].clone())
                        .collect()
                };
                assert_eq!(levels(&audit["require"]), levels(&published["certificate"]["require"]));
            }
        }
    }
}

/// Numbers alone leave the town where all have HIV to itself.
#[test]
fn a_release_for_numbers_alone_fails_the_audit_of_every_kind() {
    let desk = clinic();
    desk.put("plain.toml", policy("", "entities", "out").as_bytes());
    desk.must(&["publish", "plain.toml"]);
    for column in ["persons.disease", "visits.what"] {
        for (require, _) in KINDS {
            let require = format!("[[require]]\n{}", require.replace("COLUMN", column));
            desk.put("policy.toml", policy(&require, "entities", "out").as_bytes());
            let audit = desk.run(&["audit", "out", "policy.toml"]);
            assert_eq!(audit.code, Some(1), "{require}: {audit:?}");
            assert!(
                audit.out.contains("  FAILS  ") || audit.out.contains("  fails  "),
                "{audit:?}"
            );
        }
    }
}

#[test]
fn levels_are_told_in_the_words_of_one_table() {
    let desk = clinic();
    let require = "[[require]]\ncloseness = 0.35\ndistance = 'equal'\nabout = 'persons.disease'\n\
                   [[require]]\ndelta-disclosure = 1.0\nabout = 'visits.what'\n\
                   [[require]]\nbeta-likeness = 1.0\nkind = 'enhanced'\nabout = 'visits.what'";
    desk.put("policy.toml", policy(require, "entities", "out").as_bytes());
    let told = desk.must(&["publish", "policy.toml"]).out;
    for (begins, ends) in [
        ("closeness (equal) about persons.disease: ", "(at most 0.35)"),
        ("delta-disclosure about visits.what: ", "(below 1)"),
        ("beta-likeness (enhanced) about visits.what: ", "(at most 1)"),
    ] {
        let line = told.lines().find(|line| line.trim_start().starts_with(begins));
        assert!(line.is_some_and(|line| line.ends_with(ends)), "{begins}{ends}\n{told}");
    }
}

/// The file has no order of its own: the taxonomy has, also where bytes have another.
#[test]
fn an_ordered_distance_is_in_the_order_of_the_taxonomy() {
    let desk = clinic();
    desk.put("disease.csv", b"Flu;Cough;*\nHIV;Virus;*\nCold;Nose;*\n");
    let require = "[[require]]\ncloseness = 0.9\ndistance = 'ordered'\nabout = 'persons.disease'";
    desk.put("policy.toml", policy(require, "entities", "out").as_bytes());
    desk.must(&["publish", "policy.toml"]);
    let level = |told: Value| told["require"][1]["level"].as_f64().unwrap();
    // Of all, 6 have the flu, 8 HIV and 6 a cold: from those who all have HIV 6/20 pass either way, two steps being 1.
    assert!((level(desk.json("out/certificate.json")) - 0.3).abs() < 1e-12);
    let audit = json_of(&desk.must(&["audit", "out", "policy.toml", "--json"]));
    assert!((level(audit) - 0.3).abs() < 1e-12);
}

/// Words are in no order.
#[test]
fn an_ordered_distance_of_words_is_refused_at_its_line() {
    let desk = clinic();
    let require = "[[require]]\ncloseness = 0.35\ndistance = 'ordered'\nabout = 'visits.what'";
    let words = policy(require, "entities", "out").replace(
        "visits.what = { role = 'sensitive', taxonomy = 'disease.csv' }",
        "visits.what = { role = 'sensitive' }",
    );
    desk.put("policy.toml", words.as_bytes());
    let ended = desk.run(&["publish", "policy.toml"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let told = "policy.toml:16: an ordered distance needs values in order, and those of column `visits.what` are neither \
                numbers nor leaves of a taxonomy; choose `distance = \"equal\"`";
    assert!(ended.err.contains(told), "{}", ended.err);
    assert!(!desk.has("out"));
}
