//! Policies that are right: what they say, what they leave to defaults, and the quick form.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use scumble_policy::{
    ColumnKind, Counting, Kind, Missing, Of, OfEarlier, Policy, Quick, Require, Role, Spanned, Unlisted,
};
use scumble_refine::Objective;
use scumble_table::{Range, ReleaseFormat, RowOrder};

fn parse(text: &str) -> Policy {
    Policy::parse(text, "policy.toml", Path::new("clinic")).unwrap_or_else(|error| panic!("{error}"))
}

fn anonymity(k: u64, of: &[&str], earlier: OfEarlier, per: Counting) -> Require {
    Require {
        of: Of {
            columns: names(of),
            this_alone: Vec::new(),
            earlier,
            any: None,
        },
        kind: Kind::Anonymity { k, per },
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

const PATIENTS: &str = r#"
[data]
file = "patients.csv"            # csv, tsv, parquet, arrow, jsonl, xlsx by extension (gz/zst too)
missing = "drop"
names = ["name", "age", "job", "country", "disease", "insured"]
separator = ";"
comment = "|"
trim = false
missing_marks = ["", "?"]
sheet = "2024"

[columns]
name    = { role = "identifier" }                                        # never published
job     = { role = "quasi", taxonomy = "trees/job.csv" }                 # generalize
age     = { role = "quasi", type = "continuous", range = [0, 120.5] }    # discretize
country = { role = "quasi" }                                             # suppress
disease = { role = "sensitive", taxonomy = "/trees/disease.csv" }
insured = { role = "class" }

[[require]]
anonymity = 4
of = ["job", "country"]

[[require]]
anonymity = 1_000
per = ["name"]

[method]
name = "refine"
objective = "distortion"
rows_suppressed_at_most = 0.05
seed = 7
steps = 12

[release]
folder = "published"
format = "parquet"
order = "input"
"#;

#[test]
fn a_policy_says_what_each_column_is_what_must_hold_and_what_to_write() {
    let policy = parse(PATIENTS);

    let data = &policy.data;
    assert_eq!(data.file().unwrap(), Path::new("clinic/patients.csv"));
    assert_eq!(data.missing, Missing::Drop);
    assert_eq!(data.missing_marks, ["", "?"]);
    assert_eq!(data.names.as_ref().unwrap().len(), 6);
    assert_eq!(
        (data.separator, data.comment, data.trim),
        (Some(b';'), Some(b'|'), false)
    );
    assert_eq!(data.sheet.as_deref(), Some("2024"));

    let columns: Vec<(&str, Role)> = policy
        .columns
        .iter()
        .map(|c| (c.name.get_ref().as_str(), c.role))
        .collect();
    let policy_order = [
        ("name", Role::Identifier),
        ("job", Role::Quasi),
        ("age", Role::Quasi),
        ("country", Role::Quasi),
        ("disease", Role::Sensitive),
        ("insured", Role::Class),
    ];
    assert_eq!(columns, policy_order);
    let kind = |name| &policy.column(name).unwrap().kind;
    let range = Range::new(0.0, 120.5).unwrap();
    assert_eq!(*kind("age"), ColumnKind::Continuous { range: Some(range) });
    assert_eq!(*kind("country"), ColumnKind::Categorical { taxonomy: None });
    let taxonomy = |name| match kind(name) {
        ColumnKind::Categorical { taxonomy: Some(path) } => path.get_ref().as_path(),
        other => panic!("{other:?}"),
    };
    assert_eq!(taxonomy("job"), Path::new("clinic/trees/job.csv"));
    assert_eq!(taxonomy("disease"), Path::new("/trees/disease.csv"));

    let require: Vec<&Require> = policy.require.iter().map(|require| require.get_ref()).collect();
    let first = anonymity(4, &["job", "country"], OfEarlier::Listed(Vec::new()), Counting::Records);
    let name = Spanned::new(0..0, "name".to_owned());
    let second = anonymity(
        1000,
        &["job", "age", "country"],
        OfEarlier::Quasi,
        Counting::Columns(vec![name]),
    );
    assert_eq!(require, [&first, &second]);

    assert_eq!(policy.method.objective, Objective::Distortion);
    assert_eq!(policy.method.objective_word(), "distortion");
    assert_eq!(policy.method.rows_suppressed_at_most, 0.05);
    assert_eq!((policy.method.seed, policy.method.steps), (7, Some(12)));

    assert_eq!(policy.release.folder, Path::new("clinic/published"));
    assert_eq!(
        (policy.release.format, policy.release.order),
        (ReleaseFormat::Parquet, RowOrder::Input)
    );
    assert_eq!(policy.text(), PATIENTS);
}

#[test]
fn what_is_left_out_has_a_default() {
    let policy = parse("[data]\nfile = 'a.csv'\n[columns.age]\nrole = 'quasi'\n[[require]]\nanonymity = 2");
    assert_eq!(policy.data.missing, Missing::Value);
    assert!(policy.data.missing_marks.is_empty());
    assert_eq!(
        (policy.data.separator, policy.data.comment, policy.data.trim),
        (None, None, true)
    );
    assert_eq!((&policy.data.names, &policy.data.sheet), (&None, &None));
    assert_eq!(policy.columns[0].kind, ColumnKind::Categorical { taxonomy: None });
    assert_eq!(
        *policy.require[0].get_ref(),
        anonymity(2, &["age"], OfEarlier::Quasi, Counting::Records)
    );
    assert_eq!(policy.method.rows_suppressed_at_most, 0.0);
    assert_eq!((policy.method.seed, policy.method.steps), (1, None));
    assert_eq!(policy.release.folder, Path::new("clinic/out"));
    assert_eq!(
        (policy.release.format, policy.release.order),
        (ReleaseFormat::Csv, RowOrder::Sorted)
    );
}

#[test]
fn the_objective_follows_from_the_class_column() {
    let with = |role: &str| {
        let columns = format!("[columns]\nage = {{ role = 'quasi' }}\ngood = {{ role = '{role}' }}");
        parse(&format!(
            "[data]\nfile = 'a.csv'\n{columns}\n[[require]]\nanonymity = 2"
        ))
        .method
        .objective
    };
    assert_eq!(with("class"), Objective::InformationGain);
    assert_eq!(with("sensitive"), Objective::Certainty);
}

#[test]
fn a_tab_can_be_said_in_words() {
    let data = "[data]\nfile = 'a.txt'\nseparator = 'tab'\ncomment = '#'";
    let policy = parse(&format!(
        "{data}\n[columns]\nage = {{ role = 'quasi' }}\n[[require]]\nanonymity = 2"
    ));
    assert_eq!((policy.data.separator, policy.data.comment), (Some(b'\t'), Some(b'#')));
}

fn flags() -> Quick {
    Quick {
        data: PathBuf::from("patients.csv"),
        quasi: names(&["job", "age"]),
        sensitive: names(&["disease"]),
        class: Some("insured".to_owned()),
        identifier: names(&["name"]),
        continuous: names(&["age"]),
        taxonomies: vec![("job".to_owned(), PathBuf::from("job.csv"))],
        anonymity: Some(10),
        ..Quick::default()
    }
}

#[test]
fn the_quick_form_is_the_policy_that_says_the_same() {
    let quick = Policy::quick(&flags()).unwrap();
    let file = r#"[data]
file = "patients.csv"

[columns]
job = { role = "quasi", taxonomy = "job.csv" }
age = { role = "quasi", type = "continuous" }
disease = { role = "sensitive" }
insured = { role = "class" }
name = { role = "identifier" }

[[require]]
anonymity = 10
"#;
    assert_eq!(quick.text(), file);
    let file = Policy::parse(file, "policy.toml", Path::new("")).unwrap();
    assert_eq!(
        (
            &quick.data,
            &quick.columns,
            &quick.require,
            &quick.method,
            &quick.release
        ),
        (&file.data, &file.columns, &file.require, &file.method, &file.release)
    );
}

#[test]
fn the_quick_form_takes_the_settings_of_method_and_release() {
    let quick = Quick {
        objective: Some("certainty".to_owned()),
        rows_suppressed_at_most: Some(0.0),
        steps: Some(3),
        folder: Some(PathBuf::from("published")),
        format: Some("parquet".to_owned()),
        other: names(&["ward", "visit"]),
        unique: names(&["visit"]),
        unlisted: Some("publish".to_owned()),
        ..flags()
    };
    let policy = Policy::quick(&quick).unwrap();
    let others = policy.columns.iter().filter(|column| column.role == Role::Other);
    let others: Vec<(&str, bool)> = others
        .map(|column| (&column.name.get_ref()[..], column.unique))
        .collect();
    assert_eq!(others, [("ward", false), ("visit", true)]);
    assert_eq!(policy.release.unlisted, Unlisted::Publish);
    assert_eq!(
        (policy.method.objective, policy.method.steps),
        (Objective::Certainty, Some(3))
    );
    assert_eq!(policy.release.folder, Path::new("published"));
    assert_eq!(policy.release.format, ReleaseFormat::Parquet);
}

/// Every sensitive column must keep every bound that is given.
#[test]
fn the_quick_form_takes_bounds_on_what_may_be_inferred() {
    let quick = Quick {
        sensitive: names(&["disease", "last stay"]),
        anonymity: None,
        confidence: Some(0.5),
        diversity: Some(3.0),
        closeness: Some(0.2),
        ..flags()
    };
    let policy = Policy::quick(&quick).unwrap();
    let (_, require) = policy.text().split_once("[[require]]\n").unwrap();
    let expected = "confidence = 0.5
about = { disease = \"*\", \"last stay\" = \"*\" }

[[require]]
diversity = 3.0
about = \"disease\"

[[require]]
diversity = 3.0
about = \"last stay\"

[[require]]
closeness = 0.2
about = \"disease\"

[[require]]
closeness = 0.2
about = \"last stay\"
";
    assert_eq!(require, expected);
    let nothing_sensitive = Quick {
        sensitive: vec![],
        confidence: Some(0.5),
        ..flags()
    };
    assert_eq!(
        Policy::quick(&nothing_sensitive).unwrap_err().to_string(),
        "command line: confidence, diversity and closeness are about sensitive columns, and there are none; \
         name the columns that must not be inferred as sensitive"
    );
}

proptest! {
    /// Any text can be the name of a column or a file.
    #[test]
    fn the_quick_form_quotes_what_toml_would_not_take_plainly(column: String, file in "[^/]+") {
        let quick = Quick {
            data: PathBuf::from(&file),
            quasi: vec![column.clone()],
            taxonomies: vec![(column.clone(), PathBuf::from(&file))],
            anonymity: Some(2),
            ..Quick::default()
        };
        let policy = Policy::quick(&quick).unwrap();
        prop_assert_eq!(policy.data.file().unwrap(), Path::new(&file));
        prop_assert_eq!(policy.columns[0].name.get_ref(), &column);
    }
}

#[test]
fn a_wrong_flag_is_told_without_a_line() {
    let wrong = |quick: Quick| Policy::quick(&quick).unwrap_err().to_string();
    assert_eq!(
        wrong(Quick {
            anonymity: Some(0),
            objective: Some("certain".to_owned()),
            ..flags()
        }),
        "command line: `anonymity` must be a whole number, at least 1\n\
         command line: unknown objective `certain`; did you mean `certainty`?"
    );
    assert_eq!(
        wrong(Quick {
            sensitive: names(&["age", "disease"]),
            ..flags()
        }),
        "command line: column `age` is given twice, as quasi and as sensitive; give each column one role"
    );
    assert_eq!(
        wrong(Quick {
            quasi: vec![],
            ..flags()
        }),
        "command line: column `age` is continuous but has no role; name it among the quasi columns, too\n\
         command line: column `job` has a taxonomy but has no role; name it among the quasi columns, too"
    );
    assert_eq!(
        wrong(Quick {
            quasi: vec![],
            continuous: vec![],
            taxonomies: vec![],
            ..flags()
        }),
        "command line: no column is quasi; give the columns that others may know of a person the role quasi"
    );
}

#[test]
fn the_data_section_tells_how_to_read_the_file() {
    let text = r#"
data = { file = "a.txt", names = ["zip"], separator = "tab", comment = '#', trim = false, missing_marks = ["?"], sheet = "s" }
columns = { zip = { role = "quasi" } }
require = [{ anonymity = 2 }]
"#;
    let data = Policy::parse(text, "policy.toml", Path::new("clinic")).unwrap().data;
    assert_eq!(data.file().unwrap(), Path::new("clinic/a.txt"));
    assert_eq!(data.names.unwrap(), ["zip"]);
    assert_eq!(
        (data.separator, data.comment, data.trim),
        (Some(b'\t'), Some(b'#'), false)
    );
    assert_eq!(
        (data.missing_marks, data.sheet),
        (vec!["?".to_owned()], Some("s".to_owned()))
    );
}
