//! A policy bound to the header of its data.

use std::path::Path;

use scumble_bind::{Plan, bind};
use scumble_policy::{Policy, Problems, Role, Taxonomies, TaxonomyText};
use scumble_privacy::{Demand, QuasiIdentifier, Template};
use scumble_refine::Operation;
use scumble_table::Reading;
use scumble_table::{ColumnId, Range};

const JOBS: &str = "Lawyer;Professional;ANY\nEngineer;Professional;ANY\nJanitor;ANY\n";
const DISEASES: &str = "HIV;Viral;ANY\nFlu;Viral;ANY\nAsthma;ANY\n";

/// A policy in a folder with the two taxonomies, and what it names read.
fn with_taxonomies<T>(text: &str, then: impl FnOnce(&Policy, &Taxonomies) -> T) -> T {
    let policy = Policy::parse(text, "policy.toml", Path::new("")).unwrap_or_else(|error| panic!("{error}"));
    let taxonomies = policy.taxonomies::<Problems>(&mut |path| {
        Ok(match path.to_str() {
            Some("job.csv") => TaxonomyText::Text(JOBS.to_owned()),
            Some("disease.csv") => TaxonomyText::Text(DISEASES.to_owned()),
            _ => TaxonomyText::NotThere,
        })
    });
    then(&policy, &taxonomies.unwrap_or_else(|error| panic!("{error}")))
}

fn plan<T>(text: &str, header: &[&str], then: impl FnOnce(Result<Plan, Problems>) -> T) -> T {
    let header: Vec<String> = header.iter().map(|name| name.to_string()).collect();
    with_taxonomies(text, |policy, taxonomies| then(bind(policy, &header, &[], taxonomies)))
}

#[track_caller]
fn assert_problems(text: &str, header: &[&str], expected: &[&str]) {
    let message = plan(text, header, |plan| plan.unwrap_err().to_string());
    assert_eq!(message.lines().collect::<Vec<_>>(), expected);
}

const PATIENTS: &str = r#"
[data]
file = "patients.csv"
[columns]
job = { role = "quasi", taxonomy = "job.csv" }
age = { role = "quasi", type = "continuous", range = [0, 120] }
zip = { role = "quasi" }
weight = { role = "quasi", type = "continuous" }
disease = { role = "sensitive", taxonomy = "disease.csv" }
insured = { role = "class" }
name = { role = "identifier" }
patient = { role = "identifier" }
[[require]]
anonymity = 4
of = ["zip", "job"]
per = ["patient"]
[[require]]
anonymity = 2
"#;

const HEADER: [&str; 9] = [
    "name", "patient", "age", "note", "zip", "job", "weight", "insured", "disease",
];

#[test]
fn each_column_is_read_as_the_policy_says() {
    plan(PATIENTS, &HEADER, |plan| {
        let plan = plan.unwrap();
        let range = Range::new(0.0, 120.0).unwrap();
        let readings = plan.columns.reading().into_iter().map(|reading| match reading {
            Reading::Skip => "skip",
            Reading::Text => "text",
            Reading::Number { range: Some(r) } if r == range => "number in range",
            Reading::Number { range: None } => "number",
            Reading::Leaves(taxonomy) if taxonomy.leaf("HIV").is_some() => "disease",
            Reading::Leaves(taxonomy) if taxonomy.leaf("Lawyer").is_some() => "job",
            other => panic!("{other:?}"),
        });
        // Of the identifiers only the patient is read, to count; the note is not listed.
        let expected = [
            "skip",
            "text",
            "number in range",
            "skip",
            "text",
            "job",
            "number",
            "text",
            "disease",
        ];
        assert_eq!(readings.collect::<Vec<_>>(), expected);

        let columns = plan
            .columns
            .iter()
            .map(|column| (column.name.as_str(), column.role, column.is_published()));
        let expected = [
            ("patient", Role::Identifier, false),
            ("age", Role::Quasi, true),
            ("zip", Role::Quasi, true),
            ("job", Role::Quasi, true),
            ("weight", Role::Quasi, true),
            ("insured", Role::Class, true),
            ("disease", Role::Sensitive, true),
        ];
        assert_eq!(columns.collect::<Vec<_>>(), expected);
        assert_eq!(plan.class, Some(ColumnId(5)));
        assert_eq!(
            (plan.columns.find("zip"), plan.columns.find("name")),
            (Some(ColumnId(2)), None)
        );
        assert_eq!(plan.columns.find("note"), None);
    });
}

/// Ties go by the order of the policy, ids by the order of the file.
#[test]
fn quasi_columns_keep_the_order_of_the_policy() {
    plan(PATIENTS, &HEADER, |plan| {
        let plan = plan.unwrap();
        let quasi = plan.quasi_columns().into_iter().map(|quasi| match quasi.operation {
            Operation::Generalize(taxonomy) => {
                (quasi.id.0, format!("generalize to {}", taxonomy.label(taxonomy.root())))
            }
            Operation::Suppress | Operation::Foreign => (quasi.id.0, "suppress".to_owned()),
            Operation::Discretize(Some(range)) => (quasi.id.0, format!("discretize {}", range.whole())),
            Operation::Discretize(None) => (quasi.id.0, "discretize".to_owned()),
        });
        let expected = [
            (3, "generalize to ANY"),
            (1, "discretize [0, 120]"),
            (2, "suppress"),
            (4, "discretize"),
        ];
        assert_eq!(
            quasi.collect::<Vec<_>>(),
            expected.map(|(id, what)| (id, what.to_owned()))
        );
    });
}

#[test]
fn templates_speak_of_the_columns_by_id() {
    plan(PATIENTS, &HEADER, |plan| {
        let plan = plan.unwrap();
        let ids = |ids: &[usize]| ids.iter().copied().map(ColumnId).collect();
        let anonymity = |k, of: &[usize], per: &[usize]| Template {
            of: QuasiIdentifier::all(ids(of)),
            demand: Demand::Anonymity { k, per: ids(per) },
        };
        let expected = [anonymity(4, &[2, 3], &[0]), anonymity(2, &[3, 1, 2, 4], &[])];
        assert_eq!(plan.requirement.templates, expected);
        let described = expected.each_ref().map(|template| plan.describe(template));
        assert_eq!(
            described,
            [
                "anonymity 4 of zip, job per patient",
                "anonymity 2 of job, age, zip, weight"
            ]
        );
    });
}

#[test]
fn what_will_show_is_told_beforehand() {
    plan(PATIENTS, &HEADER, |plan| {
        let warnings: Vec<String> = plan.unwrap().warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [
                "not published, because [columns] does not list them: note",
                "column `weight` has no `range`, so its smallest and its largest value will show in the release",
            ]
        );
    });
}

#[test]
fn a_column_that_is_not_listed_is_read_as_other_if_the_policy_says_so_of_all() {
    let policy = format!("{PATIENTS}[release]\nunlisted = \"publish\"\n");
    plan(&policy, &HEADER, |plan| {
        let plan = plan.unwrap();
        let note = &plan.columns[plan.columns.find("note").unwrap().0];
        assert_eq!((note.role, note.is_published()), (Role::Other, true));
        let warning = plan.warnings.first().map(ToString::to_string);
        let expected =
            "published as they are, because `unlisted` is \"publish\" and [columns] does not list them: note";
        assert_eq!(warning.as_deref(), Some(expected));
    });
}

/// More names than a message about wrong ones would list.
#[test]
fn every_column_that_is_left_out_is_named() {
    let extras: Vec<String> = (0..100).map(|number| format!("extra{number}")).collect();
    let header: Vec<&str> = HEADER.into_iter().chain(extras.iter().map(String::as_str)).collect();
    plan(PATIENTS, &header, |plan| {
        let warning = plan.unwrap().warnings[0].to_string();
        assert!(extras.iter().all(|name| warning.contains(name.as_str())), "{warning}");
    });
}

/// Theorem 4.1.1: k on fewer columns follows from k on more. Of two equal templates the second is told.
#[test]
fn an_implied_template_is_told_and_kept() {
    let policy = |require: &str| {
        let columns = "[columns]\nzip = { role = 'quasi' }\njob = { role = 'quasi' }\n";
        format!("[data]\nfile = 'a.csv'\n{columns}{require}")
    };
    let implied = |require: &str| {
        plan(&policy(require), &["zip", "job"], |plan| {
            let plan = plan.unwrap();
            assert_eq!(plan.requirement.templates.len(), 2);
            plan.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
        })
    };
    assert_eq!(
        implied("[[require]]\nanonymity = 3\nof = ['zip']\n[[require]]\nanonymity = 4"),
        ["anonymity 3 of zip adds nothing to anonymity 4 of zip, job, which is at least as strict"]
    );
    assert_eq!(
        implied("[[require]]\nanonymity = 4\nof = ['job', 'zip']\n[[require]]\nanonymity = 4"),
        ["anonymity 4 of zip, job adds nothing to anonymity 4 of job, zip, which is at least as strict"]
    );
    assert_eq!(
        implied("[[require]]\nanonymity = 5\nof = ['zip']\n[[require]]\nanonymity = 4"),
        [""; 0]
    );
}

#[test]
fn all_columns_that_the_data_lacks_are_told_at_once() {
    let header = ["nme", "patient", "age", "zip", "job", "waist", "insured", "disease"];
    assert_problems(
        PATIENTS,
        &header,
        &[
            "policy.toml:8: the data has no column `weight`; \
         valid: nme, patient, age, zip, job, waist, insured, disease",
            "policy.toml:11: the data has no column `name`; did you mean `nme`?",
        ],
    );
}

/// Without a header, the first row would pass for one: its cells must not be listed.
#[test]
fn if_no_column_fits_the_first_row_is_not_shown() {
    let text = "[data]\nfile = 'a.csv'\n[columns]\nage = { role = 'quasi' }\n[[require]]\nanonymity = 2";
    assert_problems(
        text,
        &["37", "Lawyer", "HIV"],
        &["policy.toml:4: the data has no column `age`; if the file has no header, give `names` in [data]"],
    );
}
