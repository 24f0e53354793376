//! The policy of these tests, the releases that it names, and what comes of both.

use std::path::Path;

use scumble::plan::{Plan, read_earlier, read_taxonomies};
use scumble::{Error, Policy, Unwatched};
use scumble_privacy::{Demand, History, Joined, Place, Rule, THIS};
use scumble_table::ColumnId;
pub const JOBS: &str = "Lawyer;Professional;ANY\nEngineer;Professional;ANY\nJanitor;ANY\n";
pub const CONDITIONS: &str = "Pregnant;Any\nFlu;Viral;Any\nHIV;Viral;Any\n";

/// The first release: job and age are masked, the zip codes are shown or not.
pub const CLINIC: &str = r#"zip,sex,age,job,note,condition
10115,F,"[20, 40)",Professional,x,Pregnant
*,M,"[40, 60]",Janitor,y,{Flu|HIV}
10117,M,*,ANY,z,HIV
"#;

pub const SURVEY: &str = "job,smoker,sex\nProfessional,yes,F\nJanitor,no,M\n";

pub const HEADER: [&str; 6] = ["name", "job", "zip", "age", "sex", "disease"];

pub const POLICY: &str = r#"[data]
file = "patients.csv"
[columns]
name = { role = "identifier" }
job = { role = "quasi", taxonomy = "job.csv" }
zip = { role = "quasi" }
age = { role = "quasi", type = "continuous", range = [0, 120] }
sex = { role = "other" }
disease = { role = "sensitive" }
[[require]]
anonymity = 4
of = ["job", "zip"]
[[earlier]]
name = "clinic"
file = "clinic/released.csv"
join = ["zip", "sex"]
taxonomies = { condition = "condition.csv" }
"#;

/// A folder with the files that the policies of these tests name.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("clinic")).unwrap();
    write("job.csv", JOBS);
    write("condition.csv", CONDITIONS);
    write("clinic/released.csv", CLINIC);
    write("survey.csv", SURVEY);
    folder
}

/// The policy of these tests with one of its lines replaced.
pub fn with(line: &str, replacement: &str) -> String {
    assert!(POLICY.contains(line), "{line}");
    POLICY.replace(line, replacement)
}

/// The policy of these tests with another requirement.
pub fn requiring(section: &str) -> String {
    with("anonymity = 4\nof = [\"job\", \"zip\"]", section)
}

/// The policy of these tests with further sections.
pub fn and(sections: &str) -> String {
    format!("{POLICY}{sections}")
}

pub fn parse(text: &str, folder: &Path) -> Policy {
    Policy::parse(text, "policy.toml", folder).unwrap_or_else(|error| panic!("{error}"))
}

pub fn plan_of<T>(policy: &Policy, then: impl FnOnce(Result<Plan, Error>) -> T) -> T {
    let taxonomies = read_taxonomies(policy).unwrap_or_else(|error| panic!("{error}"));
    then(scumble::plan::plan_of(policy, &HEADER.map(str::to_owned), &taxonomies))
}

pub fn plan<T>(text: &str, then: impl FnOnce(Plan) -> T) -> T {
    let folder = folder();
    let policy = parse(text, folder.path());
    plan_of(&policy, |plan| then(plan.unwrap_or_else(|error| panic!("{error}"))))
}

/// The plan with its earlier releases read, of a table with four rows.
pub fn history<T>(text: &str, then: impl FnOnce(Plan, Result<History, Error>) -> T) -> T {
    history_in(folder().path(), text, then)
}

pub fn history_in<T>(folder: &Path, text: &str, then: impl FnOnce(Plan, Result<History, Error>) -> T) -> T {
    let policy = parse(text, folder);
    plan_of(&policy, |plan| {
        let plan = plan.unwrap_or_else(|error| panic!("{error}"));
        let tables = read_earlier(&policy, &plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
        match plan.clone().with_history(&policy, 4, tables) {
            Ok((plan, history)) => then(plan, Ok(history)),
            Err(error) => then(plan, Err(error.into())),
        }
    })
}

/// What is wrong with a policy beside its headers; paths are shown without the folder of the test.
#[track_caller]
pub fn assert_problems(text: &str, expected: &[&str]) {
    let folder = folder();
    let policy = parse(text, folder.path());
    let error = plan_of(&policy, |plan| plan.unwrap_err());
    crate::keys::assert_resolve(error.problems(), "policy.toml", text);
    assert_message(&error.to_string(), folder.path(), expected);
}

#[track_caller]
pub fn assert_message(message: &str, folder: &Path, expected: &[&str]) {
    let message = message.replace(&format!("{}/", folder.display()), "");
    assert_eq!(message.lines().collect::<Vec<_>>(), expected);
}

#[track_caller]
pub fn assert_unparsed(text: &str, expected: &[&str]) {
    let error = Policy::parse(text, "policy.toml", Path::new("")).unwrap_err();
    crate::keys::assert_resolve(error.list(), "policy.toml", text);
    assert_eq!(error.to_string().lines().collect::<Vec<_>>(), expected);
}

pub fn column_name(plan: &Plan, place: Place) -> &str {
    match place.release {
        THIS => &plan.columns[place.column.0].name,
        release => &plan.earlier[release - 1].columns[place.column.0].name,
    }
}

/// The columns of rules that must agree, in words.
pub fn agreements(plan: &Plan) -> Vec<String> {
    let name = |place: Place| match place.release {
        THIS => column_name(plan, place).to_owned(),
        release => format!("{}.{}", plan.earlier[release - 1].name, column_name(plan, place)),
    };
    let rules = plan.history_rules.iter();
    let agree = rules.filter(|rule| matches!(rule, Rule::Agree { .. }));
    agree.map(|rule| rule.places().map(name).join(" = ")).collect()
}

pub fn templates(plan: &Plan) -> Vec<String> {
    let templates = plan.requirement.templates.iter();
    templates.map(|template| plan.describe(template)).collect()
}

pub fn warnings(plan: &Plan) -> Vec<String> {
    plan.warnings.iter().map(ToString::to_string).collect()
}

pub fn joined(plan: &Plan) -> &Joined {
    match &plan.requirement.templates[0].demand {
        Demand::Joined(joined) => joined,
        other => panic!("{other:?}"),
    }
}

pub fn at(release: usize, column: usize) -> Place {
    Place {
        release,
        column: ColumnId(column),
    }
}

pub const SURVEY_SECTION: &str = "[[earlier]]\nname = \"survey\"\nfile = \"survey.csv\"\n";
