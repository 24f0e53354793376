//! Earlier releases in a policy: what is read, what matches, what is asked of the join, and what is wrong.

use std::path::{Path, PathBuf};

use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use scumble_privacy::{Demand, History, JoinDemand, JoinSecrets, Joined, Per, Place, Rule, SecretValues, THIS};
use scumble_publish::{
    EarlierPolicy, Error, Fault, Labels, OnDangling, Plan, Policy, Spanned, Unwatched, Warning, read_earlier,
};
use scumble_table::ColumnId;

const JOBS: &str = "Lawyer;Professional;ANY\nEngineer;Professional;ANY\nJanitor;ANY\n";
const CONDITIONS: &str = "Pregnant;Any\nFlu;Viral;Any\nHIV;Viral;Any\n";

/// The first release: job and age are masked, the zip codes are shown or not.
const CLINIC: &str = r#"zip,sex,age,job,note,condition
10115,F,"[20, 40)",Professional,x,Pregnant
*,M,"[40, 60]",Janitor,y,{Flu|HIV}
10117,M,*,ANY,z,HIV
"#;

const SURVEY: &str = "job,smoker,sex\nProfessional,yes,F\nJanitor,no,M\n";

const HEADER: [&str; 6] = ["name", "job", "zip", "age", "sex", "disease"];

const POLICY: &str = r#"[data]
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
fn folder() -> tempfile::TempDir {
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
fn with(line: &str, replacement: &str) -> String {
    assert!(POLICY.contains(line), "{line}");
    POLICY.replace(line, replacement)
}

/// The policy of these tests with another requirement.
fn requiring(section: &str) -> String {
    with("anonymity = 4\nof = [\"job\", \"zip\"]", section)
}

/// The policy of these tests with further sections.
fn and(sections: &str) -> String {
    format!("{POLICY}{sections}")
}

fn parse(text: &str, folder: &Path) -> Policy {
    Policy::parse(text, "policy.toml", folder).unwrap_or_else(|error| panic!("{error}"))
}

fn plan_of<T>(policy: &Policy, then: impl FnOnce(Result<Plan, Error>) -> T) -> T {
    let taxonomies = policy.taxonomies().unwrap_or_else(|error| panic!("{error}"));
    then(policy.plan(&HEADER.map(str::to_owned), &taxonomies))
}

fn plan<T>(text: &str, then: impl FnOnce(Plan) -> T) -> T {
    let folder = folder();
    let policy = parse(text, folder.path());
    plan_of(&policy, |plan| then(plan.unwrap_or_else(|error| panic!("{error}"))))
}

/// The plan with its earlier releases read, of a table with four rows.
fn history<T>(text: &str, then: impl FnOnce(Plan, Result<History, Error>) -> T) -> T {
    history_in(folder().path(), text, then)
}

fn history_in<T>(folder: &Path, text: &str, then: impl FnOnce(Plan, Result<History, Error>) -> T) -> T {
    let policy = parse(text, folder);
    plan_of(&policy, |plan| {
        let mut plan = plan.unwrap_or_else(|error| panic!("{error}"));
        let tables = read_earlier(&policy, &plan, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
        let history = plan.history(&policy, 4, tables);
        then(plan, history)
    })
}

/// What is wrong with a policy beside its headers; paths are shown without the folder of the test.
#[track_caller]
fn assert_problems(text: &str, expected: &[&str]) {
    let folder = folder();
    let policy = parse(text, folder.path());
    let message = plan_of(&policy, |plan| plan.unwrap_err().to_string());
    assert_message(&message, folder.path(), expected);
}

#[track_caller]
fn assert_message(message: &str, folder: &Path, expected: &[&str]) {
    let message = message.replace(&format!("{}/", folder.display()), "");
    assert_eq!(message.lines().collect::<Vec<_>>(), expected);
}

#[track_caller]
fn assert_unparsed(text: &str, expected: &[&str]) {
    let error = Policy::parse(text, "policy.toml", Path::new("")).unwrap_err();
    assert_eq!(error.to_string().lines().collect::<Vec<_>>(), expected);
}

fn column_name<'p>(plan: &'p Plan, place: Place) -> &'p str {
    match place.release {
        THIS => &plan.columns[place.column.0].name,
        release => &plan.earlier[release - 1].columns[place.column.0].name,
    }
}

/// The columns of rules that must agree, in words.
fn agreements(plan: &Plan) -> Vec<String> {
    let name = |place: Place| match place.release {
        THIS => column_name(plan, place).to_owned(),
        release => format!("{}.{}", plan.earlier[release - 1].name, column_name(plan, place)),
    };
    let rules = plan.history_rules.iter();
    let agree = rules.filter(|rule| matches!(rule, Rule::Agree { .. }));
    agree.map(|rule| rule.places().map(name).join(" = ")).collect()
}

fn templates(plan: &Plan) -> Vec<String> {
    let templates = plan.requirement.templates.iter();
    templates.map(|template| plan.describe(template)).collect()
}

fn warnings(plan: &Plan) -> Vec<String> {
    plan.warnings.iter().map(Warning::to_string).collect()
}

fn joined<'p>(plan: &'p Plan) -> &'p Joined {
    match &plan.requirement.templates[0].demand {
        Demand::Joined(joined) => joined,
        other => panic!("{other:?}"),
    }
}

fn at(release: usize, column: usize) -> Place {
    Place {
        release,
        column: ColumnId(column),
    }
}

const SURVEY_SECTION: &str = "[[earlier]]\nname = \"survey\"\nfile = \"survey.csv\"\n";

#[test]
fn an_earlier_release_has_a_name_a_file_and_defaults() {
    let policy = parse(&and(SURVEY_SECTION), Path::new("folder"));
    let spanned = |text: &str| Spanned::new(0..0, text.to_owned());
    let file = |path: &str| Spanned::new(0..0, PathBuf::from(path));
    let clinic = EarlierPolicy {
        name: spanned("clinic"),
        file: file("folder/clinic/released.csv"),
        join: Some(vec![spanned("zip"), spanned("sex")]),
        on_dangling: OnDangling::Error,
        taxonomies: vec![(spanned("condition"), file("folder/condition.csv"))],
        quasi: None,
        recoded: Vec::new(),
        from_ledger: false,
    };
    let survey = EarlierPolicy {
        name: spanned("survey"),
        file: file("folder/survey.csv"),
        join: None,
        taxonomies: Vec::new(),
        ..clinic.clone()
    };
    assert_eq!(policy.earlier, [clinic, survey]);
    let reporting = parse(&and("on_dangling = 'report'"), Path::new(""));
    assert_eq!(reporting.earlier[0].on_dangling, OnDangling::Report);
}

#[test]
fn the_name_of_a_release_is_a_word_of_its_own() {
    let line = "name = \"clinic\"";
    for (name, problem) in [
        (
            "'this'",
            "no earlier release can be called `this`; the word has a meaning of its own; choose another",
        ),
        (
            "'join'",
            "no earlier release can be called `join`; the word has a meaning of its own; choose another",
        ),
        ("'a.b'", "`name` must be a word of letters, digits, `_` and `-`"),
        ("''", "`name` must be a word of letters, digits, `_` and `-`"),
        ("3", "`name` must be a text in quotes"),
    ] {
        assert_unparsed(
            &with(line, &format!("name = {name}")),
            &[&format!("policy.toml:14: {problem}")],
        );
    }
    assert_problems(
        &and("[[earlier]]\nname = \"clinic\"\nfile = \"survey.csv\"\n"),
        &["policy.toml:19: there are two earlier releases `clinic`; give each its own name"],
    );
}

#[test]
fn what_an_earlier_release_lacks_or_should_not_have_is_told() {
    assert_unparsed(
        &with("name = \"clinic\"\nfile = \"clinic/released.csv\"\n", "fil = 'a.csv'\n"),
        &[
            "policy.toml:13: [[earlier]] has no `name`; add `name = \"clinic2024\"`",
            "policy.toml:13: [[earlier]] has no `file`; add `file = \"clinic2024/released.csv\"`",
            "policy.toml:14: unknown key `fil` in [[earlier]]; did you mean `file`?",
        ],
    );
    assert_unparsed(
        &and("on_dangling = 'drop'"),
        &["policy.toml:18: unknown `on_dangling` value `drop`; valid: error, report"],
    );
    assert_unparsed(
        &with("[[earlier]]", "[earlier]"),
        &["policy.toml:13: `earlier` must be a list of sections; write [[earlier]], with two brackets"],
    );
}

#[test]
fn an_inconsistent_pair_has_one_column_in_each_of_two_releases() {
    let pair = |text: &str| and(&format!("[[inconsistent]]\n{text}\n"));
    let two = "[[inconsistent]] must name two releases";
    let such = "such as `this = { sex = \"Male\" }` and `clinic2024 = { condition = \"Pregnant\" }`";
    assert_unparsed(
        &pair("this = { sex = 'M' }"),
        &[&format!("policy.toml:18: {two}; {such}")],
    );
    assert_unparsed(
        &pair("this = { sex = 'M', age = '3' }\nclinic = 'x'"),
        &[
            "policy.toml:19: `this` must be a table with one column, such as { sex = \"Male\" }",
            "policy.toml:20: `clinic` must be a table",
        ],
    );
    assert_unparsed(
        &pair("this = { sex = 1 }\nclinic = { a.b = 'x' }"),
        &[
            "policy.toml:19: `sex` must be a text in quotes",
            "policy.toml:20: `a` must be a value; put a column name with a dot in quotes",
        ],
    );
}

/// Of the clinic only what is matched, named or read by a condition; ids follow the file.
#[test]
fn only_the_columns_that_the_policy_needs_are_read() {
    let names = |text: &str| {
        plan(text, |plan| {
            let columns = plan.earlier[0].columns.iter().map(|column| column.name.clone());
            columns.collect::<Vec<_>>()
        })
    };
    assert_eq!(names(POLICY), ["zip", "sex"]);
    let of = "anonymity = 4\nof = ['job', 'clinic.note']\nper = ['clinic.job']";
    assert_eq!(names(&requiring(of)), ["zip", "sex", "job", "note"]);
    let about = "confidence = 0.5\nof = ['job']\nabout = { 'clinic.condition' = '*' }";
    assert_eq!(names(&requiring(about)), ["zip", "sex", "condition"]);
    let pair = "[[inconsistent]]\nthis = { sex = 'M' }\nclinic = { condition = 'Pregnant' }\n";
    assert_eq!(names(&and(pair)), ["zip", "sex", "condition"]);
    assert_eq!(
        names(&with("join = [\"zip\", \"sex\"]\n", "")),
        ["zip", "sex", "age", "job"],
        "without `join`, all that this table shows too"
    );

    history(POLICY, |_, history| {
        let history = history.unwrap();
        let table = &history.earlier[0].table;
        let names: Vec<&str> = table.columns().iter().map(|column| &column.name[..]).collect();
        assert_eq!((names, table.rows()), (vec!["zip", "sex"], 3));
    });
}

#[test]
fn records_match_on_the_columns_that_both_releases_offer() {
    plan(&and(SURVEY_SECTION), |plan| {
        assert_eq!(
            agreements(&plan),
            [
                "zip = clinic.zip",
                "sex = clinic.sex",
                "job = survey.job",
                "sex = survey.sex",
                "clinic.sex = survey.sex"
            ]
        );
        let tree = plan.history_rules.iter().map(|rule| match rule {
            Rule::Agree { taxonomy, .. } => taxonomy.is_some(),
            Rule::Never { .. } => panic!("there is none"),
        });
        assert_eq!(tree.collect::<Vec<_>>(), [false, false, true, false, false]);
    });
    // Both have a job, but the clinic does not offer it.
    let all = and("[[earlier]]\nname = 'survey'\nfile = 'survey.csv'\njoin = ['job']\n");
    plan(&all, |plan| {
        assert_eq!(
            agreements(&plan),
            ["zip = clinic.zip", "sex = clinic.sex", "job = survey.job"]
        );
    });
}

/// An identifier is not published, so nobody can match it.
#[test]
fn an_identifier_does_not_take_part_in_a_match() {
    let text =
        with("join = [\"zip\", \"sex\"]\n", "").replace("sex = { role = \"other\" }", "sex = { role = 'identifier' }");
    plan(&text, |plan| {
        assert_eq!(
            agreements(&plan),
            ["job = clinic.job", "zip = clinic.zip", "age = clinic.age"]
        );
    });
}

#[test]
fn nobody_meets_both_conditions_of_an_inconsistent_pair() {
    let text = and("[[inconsistent]]\nthis = { sex = 'M' }\nclinic = { condition = 'Pregnant' }\n");
    plan(&text, |plan| {
        let Some(Rule::Never { a, b }) = plan.history_rules.last() else {
            panic!("{:?}", plan.history_rules);
        };
        let sex = plan.find("sex").unwrap();
        assert_eq!((a.place, &a.within[..]), (at(THIS, sex.0), "M"));
        assert_eq!((b.place, &b.within[..]), (at(1, 2), "Pregnant"));
        assert!(a.taxonomy.is_none() && b.taxonomy.is_some());
        assert_eq!(plan.earlier[0].columns[1].labels, Labels::Any);
        assert!(matches!(plan.earlier[0].columns[2].labels, Labels::Nodes(_)));
    });
}

/// `zip` means the copy of the clinic, too, because it is matched; `job` does not, because it is not.
#[test]
fn a_column_named_once_is_every_matched_copy_of_it() {
    plan(POLICY, |plan| {
        assert_eq!(joined(&plan).of, [at(1, 0)]);
        assert_eq!(templates(&plan), ["anonymity 4 of job, zip, clinic.zip"]);
    });
    plan(
        &requiring("anonymity = 4\nof = ['zip', 'clinic.job', 'clinic.zip']"),
        |plan| {
            assert_eq!(templates(&plan), ["anonymity 4 of zip, clinic.zip, clinic.job"]);
        },
    );
    plan(&requiring("anonymity = 4\nof = ['clinic.job']"), |plan| {
        assert_eq!(templates(&plan), ["anonymity 4 of clinic.job"]);
    });
}

#[test]
fn without_of_the_quasi_columns_of_certified_releases_are_known_too() {
    let text = requiring("anonymity = 4");
    plan(&text, |plan| {
        assert_eq!(templates(&plan), ["anonymity 4 of job, zip, age, clinic.zip"]);
    });
    let folder = folder();
    std::fs::write(folder.path().join("clinic/certificate.json"), CERTIFICATE).unwrap();
    let of_text = |text: &str| {
        history_in(folder.path(), text, |plan, history| {
            (templates(&plan), history.unwrap())
        })
    };
    let (known, history) = of_text(&text);
    assert_eq!(
        known,
        ["anonymity 4 of job, zip, age, clinic.zip, clinic.age, clinic.job"]
    );
    assert_eq!(history.earlier[0].recoded, [ColumnId(0)]);
    // Who says what is known says all of it.
    let (known, _) = of_text(POLICY);
    assert_eq!(known, ["anonymity 4 of job, zip, clinic.zip"]);

    std::fs::write(folder.path().join("clinic/certificate.json"), "{}").unwrap();
    let policy = parse(&text, folder.path());
    let error = plan_of(&policy, |plan| plan.unwrap_err());
    assert!(matches!(error, Error::Certificate { .. }), "{error}");
}

/// The zip is recoded by suppression, the job generalized, the age in no template.
const CERTIFICATE: &str = r#"{
  "version": 1,
  "method": {"name": "refine", "objective": "certainty", "rows_suppressed_at_most": 0.0},
  "rows": {"published": 3, "left_out": 0, "dropped": 0},
  "require": [],
  "columns": [
    {"name": "zip", "role": "quasi", "mask": {"operation": "suppress", "disclosed": ["10115", "10117"]}},
    {"name": "age", "role": "quasi"},
    {"name": "job", "role": "quasi", "mask": {"operation": "generalize", "cut": ["Professional", "Janitor"]}},
    {"name": "gone", "role": "quasi", "mask": {"operation": "generalize", "cut": ["x"]}},
    {"name": "condition", "role": "sensitive"}
  ],
  "information_loss": 0.5
}"#;

#[test]
fn suppressed_columns_of_this_table_are_recoded() {
    history(POLICY, |plan, history| {
        assert_eq!(history.unwrap().recoded, [plan.find("zip").unwrap()]);
    });
}

#[test]
fn what_is_counted_is_of_this_table_of_the_join_of_a_release_or_of_columns() {
    let per = |per: &str| {
        plan(&requiring(&format!("anonymity = 4\nof = ['zip']\n{per}")), |plan| {
            let JoinDemand::Anonymity { k: 4, per } = joined(&plan).demand.clone() else {
                panic!("{:?}", joined(&plan));
            };
            (per, templates(&plan)[0].clone())
        })
    };
    let of = "anonymity 4 of zip, clinic.zip";
    let this = || (Per::Records { release: THIS }, of.to_owned());
    assert_eq!(per(""), this());
    assert_eq!(per("per = 'this'"), this());
    assert_eq!(per("per = 'join'"), (Per::Join, format!("{of} per join")));
    assert_eq!(
        per("per = 'clinic'"),
        (Per::Records { release: 1 }, format!("{of} per clinic"))
    );
    assert_eq!(
        per("per = ['name', 'clinic.note']"),
        (
            Per::Columns(vec![at(THIS, 0), at(1, 2)]),
            format!("{of} per name, clinic.note")
        )
    );
}

#[test]
fn without_earlier_releases_this_is_what_is_counted_anyway() {
    let alone = |per: &str| {
        let (start, _) = POLICY.split_once("[[earlier]]").unwrap();
        format!("{start}{per}")
    };
    let folder = folder();
    let policy = parse(&alone("per = 'this'\n"), folder.path());
    plan_of(&policy, |plan| {
        let anonymity = Demand::Anonymity { k: 4, per: Vec::new() };
        assert_eq!(plan.unwrap().requirement.templates[0].demand, anonymity);
    });
    for (per, line, problem) in [
        (
            "per = 'join'\n",
            11,
            "`per = \"join\"` counts matches with earlier releases, and there are none; \
             name one in [[earlier]], or take `per` out",
        ),
        (
            "per = 'clinic'\n",
            13,
            "unknown release `clinic` in `per`; valid: this, join",
        ),
        (
            "per = 'name'\n",
            13,
            "unknown release `name` in `per`; to count the values of a column, put its name in brackets",
        ),
        (
            "per = ['clinic.job']\n",
            13,
            "unknown column `clinic.job` in `per`: there is no earlier release `clinic`; name one in [[earlier]]",
        ),
    ] {
        assert_problems(&alone(per), &[&format!("policy.toml:{line}: {problem}")]);
    }
}

/// A set or a node under a secret says the secret; one that is wider does not.
#[test]
fn a_secret_of_an_earlier_release_is_each_label_within_it() {
    for about in [
        "{ 'clinic.condition' = ['Viral', 'Pregnant'] }",
        "{ clinic.condition = ['Viral', 'Pregnant'] }",
        "{ clinic = { condition = { Viral = 0.5, Pregnant = 0.5 } } }",
    ] {
        let text = requiring(&format!("confidence = 0.5\nof = ['zip']\nabout = {about}"));
        history(&text, |plan, history| {
            history.unwrap();
            let sets = [vec!["Viral", "HIV", "{Flu|HIV}"], vec!["Pregnant"]];
            let sets = sets.map(|set| set.into_iter().map(str::to_owned).collect());
            let expected = JoinDemand::Confidence {
                at_most: 0.5,
                about: vec![JoinSecrets {
                    place: at(1, 2),
                    values: SecretValues::Sets(sets.to_vec()),
                }],
            };
            assert_eq!(joined(&plan).demand, expected);
            assert_eq!(
                templates(&plan),
                ["confidence 0.5 about clinic.condition (Viral, Pregnant) of zip, clinic.zip"]
            );
        });
    }
}

#[test]
fn bounds_of_their_own_and_secrets_of_this_table_go_with_those_of_others() {
    let about = "{ disease = ['HIV'], clinic = { condition = { Flu = 0.9, HIV = 0.5 } }, 'clinic.note' = '*' }";
    let text = requiring(&format!("alpha = 0.5\nk = 3\nof = ['zip']\nabout = {about}"));
    plan(&text, |plan| {
        assert_eq!(
            templates(&plan),
            [
                "anonymity 3 of zip, clinic.zip",
                "confidence 0.5 about disease (HIV), clinic.condition (HIV), clinic.note of zip, clinic.zip",
                "confidence 0.9 about clinic.condition (Flu) of zip, clinic.zip",
            ]
        );
        let on_the_join = |template: &scumble_privacy::Template| template.joined().is_some();
        assert!(plan.requirement.templates.iter().all(on_the_join));
    });
}

/// A column of this table that has the name of one elsewhere is the one that is meant.
#[test]
fn a_column_of_this_table_with_a_dot_wins() {
    let text = with(
        "zip = { role = \"quasi\" }",
        "zip = { role = \"quasi\" }\n'clinic.job' = { role = 'quasi' }",
    );
    let text = text.replace("of = [\"job\", \"zip\"]", "of = ['clinic.job', 'clinic.note']");
    let folder = folder();
    let policy = parse(&text, folder.path());
    let taxonomies = policy.taxonomies().unwrap();
    let header: Vec<String> = HEADER.iter().chain(&["clinic.job"]).map(ToString::to_string).collect();
    let plan = policy.plan(&header, &taxonomies).unwrap();
    let own = plan.find("clinic.job").unwrap();
    assert_eq!(plan.requirement.templates[0].of.columns, [own]);
    assert_eq!(joined(&plan).of, [at(1, 2)]);
    assert_eq!(plan.earlier[0].columns[2].name, "note");
}

#[test]
fn kinds_that_cannot_be_joined_stay_on_this_table_and_say_so() {
    plan(
        &and("[[require]]\np-sensitive = 2\nk = 3\nabout = 'disease'\nof = ['job']\n"),
        |plan| {
            let plain = |demand: &Demand| !matches!(demand, Demand::Joined(_));
            assert!(
                plan.requirement.templates[1..]
                    .iter()
                    .all(|template| plain(&template.demand))
            );
            let alone = "is asked of this table alone, not of its join with earlier releases";
            let expected = [
                format!("anonymity 3 of job {alone}"),
                format!("diversity 2 (distinct) about disease of job {alone}"),
            ];
            assert_eq!(warnings(&plan)[warnings(&plan).len() - 2..], expected);
        },
    );
    // Only the kinds that can be joined may speak of other releases.
    assert_unparsed(
        &requiring("diversity = 2\nabout = 'disease'\nof = ['clinic.job']"),
        &["policy.toml:13: unknown column `clinic.job` in `of`; valid: job, zip, age"],
    );
}

#[test]
fn a_template_without_a_column_that_decides_matches_is_told() {
    plan(POLICY, |plan| {
        let template = "anonymity 4 of job, zip, clinic.zip".to_owned();
        let columns = ["sex", "clinic.sex"].map(str::to_owned).to_vec();
        let warning = Warning::JoinColumnOutside { template, columns };
        assert_eq!(
            warning.to_string(),
            "anonymity 4 of job, zip, clinic.zip leaves out columns that decide which records match, so a finer table \
             may meet it again: sex, clinic.sex"
        );
        assert!(plan.warnings.contains(&warning), "{:?}", plan.warnings);
    });
    plan(&with("join = [\"zip\", \"sex\"]", "join = ['zip']"), |plan| {
        let is_outside = |warning: &Warning| matches!(warning, Warning::JoinColumnOutside { .. });
        assert!(!plan.warnings.iter().any(is_outside));
    });
}

#[test]
fn a_release_that_is_not_there_is_told_with_its_line() {
    assert_problems(
        &with("clinic/released.csv", "clinic/relased.csv"),
        &["policy.toml:15: there is no file `clinic/relased.csv` of release `clinic`; name one relative to the policy"],
    );
}

/// A ledger knows more releases, and the policy has no line for them.
#[test]
fn a_release_of_a_ledger_is_joined_like_any_other() {
    let folder = folder();
    let mut policy = parse(&requiring("anonymity = 4\nper = 'survey'"), folder.path());
    let survey = |file: &str| EarlierPolicy {
        name: Spanned::new(0..0, "survey".to_owned()),
        file: Spanned::new(0..0, folder.path().join(file)),
        join: None,
        on_dangling: OnDangling::Report,
        taxonomies: Vec::new(),
        quasi: Some(vec!["job".to_owned(), "smoker".to_owned()]),
        recoded: vec!["smoker".to_owned()],
        from_ledger: true,
    };
    policy.earlier.push(survey("survey.csv"));
    plan_of(&policy, |plan| {
        let plan = plan.unwrap();
        assert_eq!(
            templates(&plan),
            ["anonymity 4 of job, zip, age, clinic.zip, survey.job, survey.smoker per survey"]
        );
        assert_eq!(plan.earlier[1].recoded, [ColumnId(1)]);
        assert_eq!(plan.earlier[1].on_dangling, OnDangling::Report);
    });
    policy.earlier[1] = survey("lost.csv");
    let error = plan_of(&policy, |plan| plan.unwrap_err());
    assert_eq!(error.fault(), Fault::Input);
    assert_message(
        &error.to_string(),
        folder.path(),
        &[
            "policy.toml: the ledger lists release `survey`, and there is no file `lost.csv`; \
           put it back, or take it out of the ledger",
        ],
    );
}

#[test]
fn names_that_no_release_has_get_the_nearest() {
    assert_problems(
        &requiring("anonymity = 4\nof = ['clinc.zip', 'clinic.zipp', 'this.zip']\nper = 'clinik'"),
        &[
            "policy.toml:12: unknown column `clinc.zip` in `of`: there is no earlier release `clinc`; \
             did you mean `clinic`?",
            "policy.toml:12: release `clinic` has no column `zipp`; did you mean `zip`?",
            "policy.toml:12: unknown column `this.zip` in `of`: there is no earlier release `this`; valid: clinic",
            "policy.toml:13: unknown release `clinik` in `per`; did you mean `clinic`?",
        ],
    );
    assert_problems(
        &with("join = [\"zip\", \"sex\"]", "join = ['zip', 'sexx', 'note']"),
        &[
            "policy.toml:16: release `clinic` has no column `sexx`; did you mean `sex`?",
            "policy.toml:16: no other release has column `note` to match it with; take it out of `join`",
        ],
    );
    assert_problems(
        &requiring("confidence = 0.5\nabout = { clinic.condition = ['HIV', 'Flue'] }"),
        &["policy.toml:12: column `clinic.condition` has no value `Flue`; did you mean `Flu`?"],
    );
}

#[test]
fn conditions_that_cannot_be_met_are_told() {
    let pair = |text: &str| and(&format!("[[inconsistent]]\n{text}\n"));
    assert_problems(
        &pair("thsi = { sex = 'M' }\nclinic = { condition = 'Pregnent' }"),
        &[
            "policy.toml:19: unknown release `thsi` in [[inconsistent]]; did you mean `this`?",
            "policy.toml:20: column `condition` has no value `Pregnent`; did you mean `Pregnant`?",
        ],
    );
    assert_problems(
        &pair("this = { name = 'M' }\nclinic = { age = 'old' }"),
        &[
            "policy.toml:19: this table publishes no column `name`; valid: job, zip, age, sex, disease",
            "policy.toml:20: column `age` has no value `old`; write a number or an interval, such as \"[20, 40)\"",
        ],
    );
}

#[test]
fn releases_that_share_nothing_cannot_be_joined() {
    let alone = "release `clinic` shares no column with this table; \
                 name a common column alike in both, or take the release out";
    let folder = folder();
    std::fs::write(folder.path().join("clinic/released.csv"), "a,condition\n1,HIV\n").unwrap();
    let text = with("join = [\"zip\", \"sex\"]\n", "");
    let message = |text: &str| {
        let policy = parse(text, folder.path());
        plan_of(&policy, |plan| plan.map(|_| ()).map_err(|error| error.to_string()))
    };
    assert_eq!(message(&text), Err(format!("policy.toml:14: {alone}")));
    let lost = "[[inconsistent]]\nthis = { sex = 'M' }\nclinic = { cndition = 'Pregnant' }\n";
    assert_eq!(
        message(&format!("{text}{lost}")),
        Err("policy.toml:19: release `clinic` has no column `cndition`".to_owned())
    );
    // A pair that nobody can be is something to match by.
    let pair = "[[inconsistent]]\nthis = { sex = 'M' }\nclinic = { condition = 'Pregnant' }\n";
    assert_eq!(message(&format!("{text}{pair}")), Ok(()));
}

#[test]
fn all_releases_read_a_column_with_one_taxonomy() {
    let trees = |trees: &str| with("taxonomies = { condition = \"condition.csv\" }", trees);
    let help = "name the same file for all; for a column of this table, in [columns]";
    let differ = |column: &str| {
        format!(
            "policy.toml:17: release `clinic` and another do not read column `{column}` with the same taxonomy; {help}"
        )
    };
    for column in ["job", "sex", "age"] {
        assert_problems(
            &trees(&format!("taxonomies = {{ {column} = 'condition.csv' }}")),
            &[&differ(column)],
        );
    }
    plan(&trees("taxonomies = { job = 'job.csv' }"), |plan| {
        assert_eq!(plan.earlier.len(), 1)
    });
    assert_problems(
        &trees("taxonomies = { conditon = 'condition.csv' }"),
        &["policy.toml:17: release `clinic` has no column `conditon`; did you mean `condition`?"],
    );
    // Two earlier releases, of a column that this table lacks.
    let other = "[[earlier]]\nname = 'other'\nfile = 'clinic/released.csv'\ntaxonomies = { condition = 'job.csv' }\n";
    assert_problems(
        &and(other),
        &[&format!(
            "policy.toml:21: release `other` and another do not read column `condition` with the same taxonomy; {help}"
        )],
    );
    let missing = parse(&trees("taxonomies = { condition = 'lost.csv' }"), folder().path());
    assert!(missing.taxonomies().is_err());
}

#[test]
fn no_row_may_be_left_out_and_nothing_is_known_in_part() {
    assert_problems(
        &and("[method]\nrows_suppressed_at_most = 0.1\n"),
        &[
            "policy.toml:14: a row that is left out would leave the records of earlier releases that match it without a \
           match, so `rows_suppressed_at_most` does not go with earlier releases; set `rows_suppressed_at_most = 0`",
        ],
    );
    for kind in ["anonymity = 4", "confidence = 0.5\nabout = { disease = '*' }"] {
        assert_problems(
            &requiring(&format!("{kind}\nof = {{ any = 2 }}")),
            &["policy.toml:11: `any` cannot be asked of the join with earlier releases; write a list of columns"],
        );
    }
}

/// The release, the column and the row are told, never the cell.
#[test]
fn labels_that_are_not_understood_are_told_by_their_row() {
    let text = with("join = [\"zip\", \"sex\"]\n", "");
    let folder = folder();
    let released = "zip,sex,age,job\n1,F,37,{Lawyer|Janitor}\n1,F,,*\n1,M,old,Cook\n1,M,older,Chef\n";
    std::fs::write(folder.path().join("clinic/released.csv"), released).unwrap();
    let text = text.replace("taxonomies = { condition = \"condition.csv\" }\n", "");
    let error = history_in(folder.path(), &text, |_, history| history.unwrap_err());
    assert_message(
        &error.to_string(),
        folder.path(),
        &[
            "clinic/released.csv: column `age` of release `clinic` holds something else than numbers and intervals \
             (row 3); correct the taxonomy or the type of the column",
            "clinic/released.csv: column `job` of release `clinic` holds something else than labels of its taxonomy \
             (row 3); correct the taxonomy or the type of the column",
        ],
    );
}

/// A value that `*` may stand for is not called unknown.
#[test]
fn a_secret_that_no_label_can_say_is_told() {
    let about = |value: &str, column: &str| {
        let about = format!("about = {{ 'clinic.{column}' = ['{value}'] }}");
        history(
            &requiring(&format!("confidence = 0.5\nof = ['job']\n{about}")),
            |_, history| history.map(|_| ()).map_err(|error| error.to_string()),
        )
    };
    assert_eq!(
        about("w", "note"),
        Err("policy.toml:13: column `clinic.note` has no value `w`; check the spelling".to_owned())
    );
    assert_eq!(about("x", "note"), Ok(()));
    assert_eq!(about("10119", "zip"), Ok(()));
}

/// 3 rows in each of 81 releases: more than 2^128 matches.
#[test]
fn more_matches_than_can_be_counted_are_refused() {
    let many: String = (0..80)
        .map(|number| format!("[[earlier]]\nname = 'r{number}'\nfile = 'clinic/released.csv'\njoin = ['zip']\n"))
        .collect();
    let counted = |section: &str| {
        let text = requiring(&format!("{section}\nof = ['zip']")) + &many;
        history(&text, |_, history| history.map(|_| ()))
    };
    for section in [
        "anonymity = 4",
        "anonymity = 4\nper = 'join'",
        "confidence = 0.5\nabout = { disease = '*' }",
    ] {
        let error = counted(section).unwrap_err();
        assert!(matches!(error, Error::TooManyMatches(81)), "{error}");
        assert!(error.to_string().contains("name fewer of them"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Whatever the headers and the names, a policy is refused or bound to columns that are read.
    #[test]
    fn what_is_bound_is_read(
        this in subsequence(vec!["a", "b", "c.d"], 2..=3),
        clinic in subsequence(vec!["a", "b", "d", "c.d"], 3..=4),
        c in subsequence(vec!["a", "d", "e"], 2..=3),
        join in option::of(subsequence(vec!["a", "b", "d"], 1..=2)),
        of in subsequence(vec!["a", "b", "c.d", "c.a", "clinic.d", "clinic.c.d"], 1..=2),
        about in select(vec!["clinic.a", "c.e", "c.d"]),
        per in select(vec!["'this'", "'join'", "'c'", "['clinic.b']", "['c.d', 'a']"]),
        pair in option::of(select(vec!["this = { a = 'v' }\nc = { e = 'v' }", "c = { a = 'v' }\nclinic = { d = 'v' }"])),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let cells = |columns: &[&str]| format!("{}\n{}\n", columns.join(","), vec!["v"; columns.len()].join(","));
        std::fs::write(folder.path().join("clinic.csv"), cells(&clinic)).unwrap();
        std::fs::write(folder.path().join("c.csv"), cells(&c)).unwrap();
        let columns: String = this.iter().map(|name| format!("'{name}' = {{ role = 'quasi' }}\n")).collect();
        let join = join.map_or_else(String::new, |join| format!("join = {join:?}\n"));
        let pair = pair.map_or_else(String::new, |pair| format!("[[inconsistent]]\n{pair}\n"));
        let text = format!(
            "[data]\nfile = 'x.csv'\n[columns]\n{columns}\
             [[require]]\nanonymity = 2\nof = {of:?}\nper = {per}\n\
             [[require]]\nconfidence = 0.5\nabout = {{ '{about}' = ['v'] }}\n\
             [[earlier]]\nname = 'clinic'\nfile = 'clinic.csv'\n{join}\
             [[earlier]]\nname = 'c'\nfile = 'c.csv'\n{pair}"
        );
        let Ok(policy) = Policy::parse(&text, "policy.toml", folder.path()) else { return Ok(()) };
        let taxonomies = policy.taxonomies().unwrap();
        let header: Vec<String> = this.iter().map(ToString::to_string).collect();
        let Ok(mut plan) = policy.plan(&header, &taxonomies) else { return Ok(()) };
        for rule in &plan.history_rules {
            let [a, b] = rule.places();
            prop_assert!(a.release != b.release);
            let is_agreement = matches!(rule, Rule::Agree { .. });
            prop_assert!(!is_agreement || column_name(&plan, a) == column_name(&plan, b));
        }
        let tables = read_earlier(&policy, &plan, &Unwatched).unwrap();
        for (planned, table) in plan.earlier.iter().zip(&tables) {
            let planned: Vec<&str> = planned.columns.iter().map(|column| &column.name[..]).collect();
            let read: Vec<&str> = table.columns().iter().map(|column| &column.name[..]).collect();
            prop_assert_eq!(planned, read);
        }
        prop_assert!(plan.history(&policy, 1, tables).is_ok());
        prop_assert_eq!(templates(&plan).len(), 2);
    }
}
