//! Policies, agreements and taxonomies in files: where they are read from, and whose fault it is if they cannot be.

use std::path::Path;

use scumble::plan::read_taxonomies;
use scumble::{Error, ErrorReport, Fault, Policy, read_agreement, read_policy};

/// A policy that is right.
const RIGHT: &str = "[data]
file = 'patients.csv'
[columns]
age = { role = 'quasi' }
disease = { role = 'sensitive' }
[[require]]
anonymity = 4
";

#[test]
fn a_policy_file_is_read_from_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    std::fs::write(&path, RIGHT).unwrap();
    let policy = read_policy(&path).unwrap();
    assert_eq!(policy.data.file().unwrap(), folder.path().join("patients.csv"));

    let error = read_policy(&folder.path().join("polcy.toml")).unwrap_err();
    assert_eq!(error.fault(), Fault::Input);
    assert!(error.to_string().contains("polcy.toml: cannot be read: "), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = read_agreement(Path::new("nowhere/agreement.toml")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("nowhere/agreement.toml: cannot be read: "),
        "{error}"
    );
}

#[test]
fn problems_of_all_taxonomy_files_are_told_together() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("job.csv"), "Lawyer;ANY\nLawyer;ANY\nEngineer;ALL\n").unwrap();
    std::fs::write(folder.path().join("zip.csv"), b"\xff;ANY\n").unwrap();
    let text = r#"[data]
file = "a.csv"
[columns]
job = { role = "quasi", taxonomy = "job.csv" }
last_job = { role = "quasi", taxonomy = "job.csv" }
city = { role = "quasi", taxonomy = "citty.csv" }
zip = { role = "quasi", taxonomy = "zip.csv" }
[[require]]
anonymity = 2
"#;
    let policy = Policy::parse(text, "policy.toml", folder.path()).unwrap();
    let error = read_taxonomies(&policy).unwrap_err();
    let shown = error.to_string().replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(
        shown.lines().collect::<Vec<_>>(),
        [
            "policy.toml:6: there is no taxonomy file `citty.csv`",
            "job.csv:2: the leaf \"Lawyer\" is already on line 1; keep one of them",
            "job.csv:3: \"ALL\" is a second root, the first is \"ANY\" (on line 1); lead every value to one root",
            "zip.csv: is not UTF-8 text",
        ]
    );
    assert_eq!(error.problems()[1].line, Some(2));
}

#[test]
fn an_error_says_whose_it_is_in_json_too() {
    let wrong = RIGHT.replace("sensitive", "sensitiv");
    let error = Error::from(Policy::parse(&wrong, "policy.toml", Path::new("")).unwrap_err());
    assert_eq!((error.fault(), error.fault().exit_code()), (Fault::Input, 2));
    assert_eq!(
        ErrorReport::from(&error).to_json(),
        serde_json::json!({"error": {
            "fault": "input",
            "message": "policy.toml:5: unknown role `sensitiv`; did you mean `sensitive`?",
            "problems": [{
                "file": "policy.toml",
                "line": 5,
                "key": "columns.disease.role",
                "message": "unknown role `sensitiv`",
                "help": "did you mean `sensitive`?",
            }],
        }})
    );
}
