//! What is read of earlier releases, what matches, and what is asked of the join.

use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use scumble::errors::ReleasedFilesError;
use scumble::plan::{read_earlier, read_taxonomies};
use scumble::policy::{EarlierPolicy, OnDangling, Spanned};
use scumble::results::PlanWarning;
use scumble::{Error, Fault, Policy, Unwatched};
use scumble_privacy::{Demand, JoinDemand, JoinSecrets, Per, Place, Rule, SecretValues, THIS};
use scumble_table::{ColumnId, Domain, Forms};

use crate::desk::{
    HEADER, POLICY, SURVEY_SECTION, agreements, and, assert_message, assert_problems, assert_unparsed, at, column_name,
    folder, history, history_in, joined, parse, plan, plan_of, requiring, templates, warnings, with,
};
/// Of the clinic only what is matched, named or read by a condition; ids follow the file.
#[test]
fn only_the_columns_that_the_policy_needs_are_read() {
    let names = |text: &str| {
        plan(text, |plan| {
            let columns = plan.earlier[0].columns.iter().map(|column| column.name.clone());
            columns.collect::<Vec<_>>()
        })
    };
    assert_eq!(names(POLICY), ["zip", "sex", "job"]);
    let of = "anonymity = 4\nof = ['job', 'clinic.note']\nper = ['clinic.job']";
    assert_eq!(names(&requiring(of)), ["zip", "sex", "job", "note"]);
    let about = "confidence = 0.5\nof = ['job']\nabout = { 'clinic.condition' = '*' }";
    assert_eq!(names(&requiring(about)), ["zip", "sex", "job", "condition"]);
    let pair = "[[inconsistent]]\nthis = { sex = 'M' }\nclinic = { condition = 'Pregnant' }\n";
    assert_eq!(names(&and(pair)), ["zip", "sex", "job", "condition"]);
    assert_eq!(
        names(&with("join = [\"zip\", \"sex\"]\n", "")),
        ["zip", "sex", "age", "job"],
        "without `join`, all that this table shows too"
    );

    history(POLICY, |_, history| {
        let history = history.unwrap();
        let table = &history.earlier[0].table;
        let names: Vec<&str> = table.columns().iter().map(|column| &column.name[..]).collect();
        assert_eq!((names, table.rows()), (vec!["zip", "sex", "job"], 3));
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
        let tree = plan.history_rules.iter().map(|rule| {
            let [_, Place { release, column }] = rule.places();
            plan.earlier[release - 1].columns[column.0].forms.taxonomy().is_some()
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
        let sex = plan.columns.find("sex").unwrap();
        assert_eq!((a.place, &a.within[..]), (at(THIS, sex.0), "M"));
        assert_eq!((b.place, &b.within[..]), (at(1, 3), "Pregnant"));
        assert_eq!(plan.earlier[0].columns[1].forms, Forms::exact(Domain::Words));
        assert!(matches!(plan.earlier[0].columns[3].forms.domain, Domain::Nodes(_)));
    });
}

/// `zip` and `job` mean the copies of the clinic, too, though jobs are not matched ("X should contain both", section 6.1 of
/// the thesis). `this.job` means that of this table alone.
#[test]
fn a_column_named_once_is_every_copy_of_it_matched_or_not() {
    plan(POLICY, |plan| {
        assert_eq!(joined(&plan).of, [at(1, 0), at(1, 2)]);
        assert_eq!(templates(&plan), ["anonymity 4 of job, zip, clinic.zip, clinic.job"]);
    });
    plan(&requiring("anonymity = 4\nof = ['this.job', 'zip']"), |plan| {
        assert_eq!(joined(&plan).of, [at(1, 0)]);
        assert_eq!(templates(&plan), ["anonymity 4 of this.job, zip, clinic.zip"]);
    });
    plan(
        &requiring("anonymity = 4\nof = ['this.job', 'job', 'this.zip']"),
        |plan| {
            assert_eq!(templates(&plan), ["anonymity 4 of job, this.zip, clinic.job"]);
        },
    );
    plan(
        &requiring("anonymity = 4\nof = ['this.zip', 'clinic.zip']\nper = ['this.name', 'sex']"),
        |plan| {
            assert_eq!(templates(&plan), ["anonymity 4 of zip, clinic.zip per name, sex"]);
        },
    );
    let about = "confidence = 0.5\nof = ['this.job']\nabout = { this.disease = '*' }";
    plan(&requiring(about), |plan| {
        assert_eq!(templates(&plan), ["confidence 0.5 about disease of this.job"]);
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
        assert_eq!(
            templates(&plan),
            ["anonymity 4 of job, zip, age, clinic.zip, clinic.age, clinic.job"]
        );
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
    assert_eq!(known, ["anonymity 4 of job, zip, clinic.zip, clinic.job"]);

    std::fs::write(folder.path().join("clinic/certificate.json"), "{}").unwrap();
    let policy = parse(&text, folder.path());
    let error = plan_of(&policy, |plan| plan.unwrap_err());
    assert!(
        matches!(error, Error::ReleasedFiles(ReleasedFilesError::Certificate { .. })),
        "{error}"
    );
}

/// The zip is recoded by suppression, the job generalized, the age in intervals.
const CERTIFICATE: &str = r#"{
  "version": 1,
  "method": {"name": "refine", "objective": "certainty", "rows_suppressed_at_most": 0.0},
  "rows": {"published": 3, "left_out": 0, "dropped": 0},
  "require": [],
  "columns": [
    {"name": "zip", "role": "quasi", "mask": {"operation": "suppress", "disclosed": ["10115", "10117"]}},
    {"name": "age", "role": "quasi", "mask": {"operation": "discretize", "intervals": ["[20, 40)", "[40, 60]"]}},
    {"name": "job", "role": "quasi", "mask": {"operation": "generalize", "cut": ["Professional", "Janitor"]}},
    {"name": "gone", "role": "quasi", "mask": {"operation": "generalize", "cut": ["x"]}},
    {"name": "condition", "role": "sensitive"}
  ],
  "information_loss": 0.5
}"#;

#[test]
fn suppressed_columns_of_this_table_are_recoded() {
    history(POLICY, |plan, history| {
        assert_eq!(history.unwrap().recoded, [plan.columns.find("zip").unwrap()]);
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
    let taxonomies = read_taxonomies(&policy).unwrap();
    let header: Vec<String> = HEADER.iter().chain(&["clinic.job"]).map(ToString::to_string).collect();
    let plan = scumble::plan::plan_of(&policy, &header, &taxonomies).unwrap();
    let own = plan.columns.find("clinic.job").unwrap();
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
        let template = "anonymity 4 of job, zip, clinic.zip, clinic.job".to_owned();
        let columns = ["sex", "clinic.sex"].map(str::to_owned).to_vec();
        let warning = PlanWarning::JoinColumnOutside { template, columns };
        assert_eq!(
            warning.to_string(),
            "anonymity 4 of job, zip, clinic.zip, clinic.job leaves out columns that decide which records match, so a finer table \
             may meet it again: sex, clinic.sex"
        );
        assert!(plan.warnings.contains(&warning), "{:?}", plan.warnings);
    });
    plan(&with("join = [\"zip\", \"sex\"]", "join = ['zip']"), |plan| {
        let is_outside = |warning: &PlanWarning| matches!(warning, PlanWarning::JoinColumnOutside { .. });
        assert!(!plan.warnings.iter().any(is_outside));
    });
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
        cells: Vec::new(),
        trim: None,
        from_ledger: true,
    };
    policy.earlier.push(survey("survey.csv"));
    plan_of(&policy, |plan| {
        let plan = plan.unwrap();
        assert_eq!(
            templates(&plan),
            ["anonymity 4 of job, zip, age, clinic.zip, clinic.age, clinic.job, survey.job, survey.smoker per survey"]
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
        let taxonomies = read_taxonomies(&policy).unwrap();
        let header: Vec<String> = this.iter().map(ToString::to_string).collect();
        let Ok(plan) = scumble::plan::plan_of(&policy, &header, &taxonomies) else { return Ok(()) };
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
        let bound = plan.with_history(&policy, 1, tables);
        prop_assert!(bound.is_ok());
        prop_assert_eq!(templates(&bound.unwrap().0).len(), 2);
    }
}
