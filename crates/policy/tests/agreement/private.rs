//! The private part of a party.

use std::path::{Path, PathBuf};
use std::time::Duration;

use scumble_policy::{Data, Deadline, Private};

fn read(text: &str) -> Private {
    Private::parse(text, "bank.toml", Path::new("vault")).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_problems(text: &str, expected: &[&str]) {
    let error = Private::parse(text, "bank.toml", Path::new("vault")).unwrap_err();
    crate::keys::assert_resolve(error.list(), "bank.toml", text);
    assert_eq!(error.to_string().lines().collect::<Vec<_>>(), expected, "in:\n{text}");
}

#[test]
fn a_party_says_where_its_own_files_are() {
    let private = read(
        r#"
data = "bank.csv"
cert = "bank.pem"
key = "/keys/bank.key"
ca = "ca.pem"
listen = "0.0.0.0:7301"
out = "out-bank"
deadline = "30m"
"#,
    );
    assert_eq!(
        private,
        Private {
            data: Some(Data::of_file("vault/bank.csv")),
            cert: Some(PathBuf::from("vault/bank.pem")),
            key: Some(PathBuf::from("/keys/bank.key")),
            ca: Some(PathBuf::from("vault/ca.pem")),
            listen: Some("0.0.0.0:7301".to_owned()),
            out: Some(PathBuf::from("vault/out-bank")),
            deadline: Some(Deadline::After(Duration::from_secs(1800))),
        }
    );
    assert_eq!(read(""), Private::default());
}

#[test]
fn data_may_say_how_its_file_is_written() {
    let private =
        read("[data]\nfile = \"bank.xlsx\"\nsheet = \"2024\"\nnames = [\"ssn\", \"sex\"]\nseparator = \";\"\n");
    let data = private.data.unwrap();
    assert_eq!(data.file().unwrap(), Path::new("vault/bank.xlsx"));
    assert_eq!((data.sheet.as_deref(), data.separator), (Some("2024"), Some(b';')));
    assert_eq!(data.names.unwrap(), ["ssn", "sex"]);
}

#[test]
fn what_is_agreed_on_is_not_for_one_party_to_say() {
    for key in ["missing", "missing_marks", "trim"] {
        assert_problems(
            &format!("[data]\nfile = \"bank.csv\"\n{key} = \"x\""),
            &[&format!(
                "bank.toml:3: `{key}` is not for one party to say; all read their cells alike: say it in [data] \
                 of the agreement"
            )],
        );
    }
    assert_problems(
        "[data]\nfile = \"bank.csv\"\npopulation = \"clients\"\nencoding = \"utf-8\"",
        &[
            "bank.toml:3: `population` is for a ledger, and parties keep none together; take it out",
            "bank.toml:4: unknown key `encoding` in [data]; valid: file, names, separator, comment, sheet",
        ],
    );
}

#[test]
fn what_is_wrong_is_told_at_once() {
    assert_problems(
        "data = 3\nlisten = \"7301\"\ncert = \"\"\nca-file = \"ca.pem\"",
        &[
            "bank.toml:1: `data` must be a path, or a table with `file`",
            "bank.toml:2: `listen` must be a host and a port, such as \"bank.example:7301\" or \"[::1]:7301\"",
            "bank.toml:3: `cert` must be a path",
            "bank.toml:4: unknown key `ca-file` in the private part; valid: data, cert, key, ca, listen, out, deadline",
        ],
    );
    assert_problems(
        "[data]\nsheet = \"2024\"",
        &["bank.toml:1: [data] names no file; add `file = \"data.csv\"`"],
    );
}

#[test]
fn a_deadline_has_a_unit() {
    assert_eq!(read("deadline = \"never\"").deadline, Some(Deadline::Never));
    assert_problems(
        "deadline = \"soon\"",
        &[
            "bank.toml:1: `deadline` must be a number with s, m or h for seconds, minutes or hours, such as 30m, or never",
        ],
    );
}
