//! What may be asked of persons in several tables: the words of one table, and a sentence for what is not counted.

use std::path::Path;

use scumble_policy::{DistanceKind, Policy, Problems, SecretDemand};
use scumble_privacy::Diversity;

const TABLES: &str = r#"[person]
file = "students.csv"
key = "sid"
[[tables]]
name = "courses"
file = "courses.csv"
foreign_key = "sid"
[columns]
students.town = { role = "quasi" }
students.gpa = { role = "sensitive", type = "continuous", sensitive_ranges = 1 }
students.guard = { role = "identifier" }
courses.course = { role = "quasi" }
courses.grade = { role = "sensitive", taxonomy = "grades.csv" }
courses.teacher = { role = "sensitive" }
[[require]]
anonymity = 3
[[require]]
"#;

fn parse(require: &str) -> Result<Policy, Problems> {
    Policy::parse(&format!("{TABLES}{require}\n"), "policy.toml", Path::new(""))
}

/// The number of persons, and the only secret, with its table and column.
fn asked(require: &str) -> (u64, usize, String, SecretDemand) {
    let policy = parse(require).unwrap_or_else(|error| panic!("{error}"));
    let secrets = policy.secrets_of_persons();
    let [secret] = &secrets[..] else {
        panic!("{secrets:?}");
    };
    let column = secret.column.get_ref().clone();
    (policy.persons_alike(), secret.table, column, secret.demand.clone())
}

#[test]
fn the_words_are_those_of_one_table() {
    let grade = |k: u64, demand: SecretDemand| (k, 1, "grade".to_owned(), demand);
    let about = "about = 'courses.grade'";
    for (section, demand) in [
        ("diversity = 2\n", SecretDemand::Diversity(Diversity::Distinct { l: 2 })),
        (
            "diversity = 2.5\nkind = 'entropy'\n",
            SecretDemand::Diversity(Diversity::Entropy { l: 2.5 }),
        ),
        (
            "diversity = 2\nkind = 'recursive'\nc = 1.5\n",
            SecretDemand::Diversity(Diversity::Recursive { c: 1.5, l: 2 }),
        ),
        (
            "closeness = 0.2\n",
            SecretDemand::Closeness {
                at_most: 0.2,
                distance: DistanceKind::Taxonomy,
            },
        ),
        (
            "closeness = 0.2\ndistance = 'equal'\n",
            SecretDemand::Closeness {
                at_most: 0.2,
                distance: DistanceKind::Equal,
            },
        ),
        ("delta-disclosure = 1.5\n", SecretDemand::DeltaDisclosure { below: 1.5 }),
        (
            "beta-likeness = 2\n",
            SecretDemand::BetaLikeness {
                at_most: 2.0,
                enhanced: false,
            },
        ),
        (
            "beta-likeness = 2\nkind = 'enhanced'\n",
            SecretDemand::BetaLikeness {
                at_most: 2.0,
                enhanced: true,
            },
        ),
    ] {
        assert_eq!(asked(&format!("{section}{about}")), grade(3, demand), "{section}");
    }
    let distinct = SecretDemand::Diversity(Diversity::Distinct { l: 2 });
    assert_eq!(asked(&format!("p-sensitive = 2\nk = 5\n{about}")), grade(5, distinct));
    let confidence = SecretDemand::Confidence {
        at_most: 0.5,
        values: None,
    };
    assert_eq!(
        asked("alpha = 0.5\nk = 4\nabout = { courses.grade = '*' }"),
        grade(4, confidence)
    );
}

/// Numbers are in an order, and words are not.
#[test]
fn a_distance_that_is_not_named_follows_the_column() {
    let distance = |about: &str| match asked(&format!("closeness = 0.2\nabout = '{about}'")).3 {
        SecretDemand::Closeness { distance, .. } => distance,
        other => panic!("{other:?}"),
    };
    assert_eq!(distance("students.gpa"), DistanceKind::Ordered);
    assert_eq!(distance("courses.grade"), DistanceKind::Taxonomy);
    assert_eq!(distance("courses.teacher"), DistanceKind::Equal);
}

#[track_caller]
fn refused(require: &str, expected: &str) {
    match parse(require) {
        Ok(_) => panic!("no problem found in {require}"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn what_is_not_counted_of_persons_is_refused_with_the_reason() {
    refused(
        "k-map = 5\npopulation = 'town.csv'",
        "policy.toml:18: `k-map` is not counted over several tables: a person is all rows of theirs, and a population has \
         one row for each; ask for `anonymity`",
    );
    refused(
        "personal = 0.5\nabout = 'courses.grade'\nguarding = 'students.guard'",
        "policy.toml:18: `personal` is not counted over several tables: two groups that keep it may break it together, and \
         persons who look alike are put together; ask for `confidence`",
    );
    refused(
        "range-diversity = 0.5\nabout = 'students.gpa'",
        "policy.toml:18: `range-diversity` is not counted over several tables: two groups that keep it may break it \
         together, and persons who look alike are put together; ask for `closeness`",
    );
    refused(
        "anonymity = 5\nper = ['students.guard']",
        "policy.toml:18: over several tables persons are counted, who have one row each in their own table; take out `per`",
    );
    refused(
        "closeness = 0.2\nabout = 'courses.grade'\nof = ['students.town']",
        "policy.toml:18: over several tables, persons are compared as a whole: in every quasi column of every table; take \
         out `of`",
    );
}

/// Bounds and columns are checked as for one table.
#[test]
fn what_is_wrong_for_one_table_is_wrong_for_several() {
    refused(
        "closeness = 1.5\nabout = 'courses.grade'",
        "policy.toml:18: `closeness` must be a distance: at least 0 and at most 1",
    );
    refused(
        "closeness = 0.5\ndistance = 'taxonomy'\nabout = 'courses.teacher'",
        "policy.toml:19: column `courses.teacher` has no taxonomy, and this needs one; name its `taxonomy` in [columns]",
    );
    refused(
        "beta-likeness = 0\nabout = 'courses.grade'",
        "policy.toml:18: `beta-likeness` must be a number above 0",
    );
    refused(
        "delta-disclosure = 1",
        "policy.toml:17: [[require]] does not say what `delta-disclosure` is about; add `about = \"column\"`",
    );
}
