//! Rows gathered into groups, as a user runs it: every method, every form, what is refused and why.

use serde_json::{Value, json};

use crate::desk::{Desk, Ended};

/// The clinic of the shipped example under a method, with these templates beside 5-anonymity.
fn clinic(method: &str, templates: &str) -> Desk {
    let desk = Desk::sample("clinic");
    let policy = desk.read("local.toml").replace("name = \"local\"", method);
    let policy = policy.replace("diversity = 3\nabout = \"disease\"", templates);
    desk.put("policy.toml", policy.replace("out/local", "out").as_bytes());
    desk
}

fn publish(desk: &Desk) -> Value {
    let ended = desk.must(&["publish", "policy.toml", "--json"]);
    serde_json::from_str::<Value>(&ended.out).unwrap()["certificate"].clone()
}

const DIVERSITY: &str = "diversity = 3\nabout = \"disease\"";

const METHODS: [&str; 10] = [
    "name = \"local\"",
    "name = \"toc\"",
    "name = \"toc\"\nutility_weight = 0.9\nthreshold = 0.3\nsubspace = 40\nnearest = \"seed\"",
    "name = \"upc\"\nloss_at_most = 0.8",
    "name = \"mondrian\"",
    "name = \"mondrian\"\nstrict = false",
    "name = \"k-member\"",
    "name = \"k-member-p\"",
    "name = \"microaggregation\"\ncentre = \"median\"",
    "name = \"full-domain\"\nobjective = \"discernibility\"",
];

/// What the certificate says, `audit` finds in the file, and the same command makes the same bytes.
#[test]
fn every_method_keeps_every_kind_of_template() {
    let templates = [
        DIVERSITY,
        "diversity = 2.5\nkind = \"entropy\"\nabout = \"disease\"",
        "confidence = 0.5\nabout = { disease = \"*\" }",
        "closeness = 0.6\ndistance = \"equal\"\nabout = \"disease\"",
        "beta-likeness = 12\nabout = \"disease\"",
    ];
    for (place, method) in METHODS.iter().enumerate() {
        let template = templates[place % templates.len()];
        let compares = template.starts_with("closeness") || template.starts_with("beta");
        let none_left_out = if compares && method.contains("upc") {
            "\nrows_suppressed_at_most = 0"
        } else {
            ""
        };
        let desk = clinic(&format!("{method}{none_left_out}"), template);
        let certificate = publish(&desk);
        assert!(
            method.contains(certificate["method"]["name"].as_str().unwrap()),
            "{method}"
        );
        let released = desk.read("out/released.csv");
        let audit = desk.must(&["audit", "out/released.csv", "policy.toml", "--json"]);
        let audit: Value = serde_json::from_str(&audit.out).unwrap();
        for (found, certified) in audit["require"]
            .as_array()
            .unwrap()
            .iter()
            .zip(certificate["require"].as_array().unwrap())
        {
            assert_eq!(found["level"], certified["level"], "{method}: {template}");
            assert_eq!(found["holds"], json!(true), "{method}: {template}");
        }
        desk.must(&["publish", "policy.toml", "--force"]);
        assert_eq!(desk.read("out/released.csv"), released, "{method}");
    }
}

#[test]
fn local_loses_less_than_what_users_compare_with() {
    let loss = |method: &str| {
        publish(&clinic(method, DIVERSITY))["information_loss"]
            .as_f64()
            .unwrap()
    };
    let local = loss(METHODS[0]);
    for other in [
        "name = \"refine\"\nobjective = \"certainty\"",
        "name = \"full-domain\"",
        METHODS[4],
        METHODS[6],
    ] {
        assert!(local < loss(other), "{other}");
    }
}

/// The figures of `ranges.toml` are bounds, and both are measured on the release.
#[test]
fn upc_bounds_what_every_group_loses_and_gives_away() {
    let desk = Desk::sample("clinic");
    let ended = desk.must(&["publish", "ranges.toml", "--json", "--out", "out"]);
    let certificate = serde_json::from_str::<Value>(&ended.out).unwrap()["certificate"].clone();
    let loss = &certificate["loss_per_group"];
    assert_eq!(loss["bound"], json!(0.7));
    assert!(loss["level"].as_f64().unwrap() <= 0.7);
    assert!(certificate["require"][1]["level"].as_f64().unwrap() <= 0.4);
    let evaluated = desk.must(&["evaluate", "visits.csv", "out/released.csv", "ranges.toml", "--json"]);
    let evaluated: Value = serde_json::from_str(&evaluated.out).unwrap();
    let worst = evaluated
        .pointer("/information_loss/worst_group_utility")
        .unwrap()
        .as_f64()
        .unwrap();
    assert!((worst - loss["level"].as_f64().unwrap()).abs() < 1e-9);
}

/// The loss of every group is recounted from the file. What the policy does not say of the values of a column is read in the
/// data, and without that cannot be counted.
#[test]
fn what_a_group_loses_is_recounted_from_the_file() {
    let desk = Desk::sample("clinic");
    desk.must(&["publish", "ranges.toml", "--out", "out"]);
    let certified = desk.json("out/certificate.json")["loss_per_group"]["level"]
        .as_f64()
        .unwrap();
    let audit = |desk: &Desk| desk.run(&["audit", "out/released.csv", "ranges.toml", "--json"]);
    let found = |ended: &Ended| serde_json::from_str::<Value>(&ended.out).unwrap()["loss_per_group"].clone();
    let audited = audit(&desk);
    assert_eq!(audited.code, Some(0), "{audited:?}");
    assert_eq!(found(&audited)["level"].as_f64(), Some(certified));
    let told = desk.must(&["audit", "out/released.csv", "ranges.toml"]);
    assert!(
        told.out.contains("holds  loss_at_most 0.7 of every group:"),
        "{}",
        told.out
    );

    // Suppressed once more, groups keep every template and lose too much.
    let policy = desk.read("ranges.toml");
    desk.put(
        "ranges.toml",
        policy.replace("loss_at_most = 0.7", "loss_at_most = 0.01").as_bytes(),
    );
    let audited = audit(&desk);
    assert_eq!(audited.code, Some(1), "{audited:?}");
    assert_eq!(found(&audited)["holds"], json!(false));
    assert_eq!(found(&audited)["level"].as_f64(), Some(certified));

    // Neither sex nor household have a taxonomy or a range.
    desk.put("ranges.toml", policy.as_bytes());
    std::fs::rename(desk.path().join("visits.csv"), desk.path().join("away.csv")).unwrap();
    let audited = audit(&desk);
    assert_eq!(audited.code, Some(1), "{audited:?}");
    assert_eq!(found(&audited)["lacking"], json!(["sex", "household"]));
    assert_eq!(found(&audited)["level"], Value::Null);
}

/// A set of numbers loses its span, in the search and in the audit alike.
#[test]
fn upc_shows_numbers_as_sets_and_keeps_its_bound() {
    let desk = clinic("name = \"upc\"\nloss_at_most = 0.5", DIVERSITY);
    let policy = desk
        .read("policy.toml")
        .replace("range = [0, 100]", "range = [0, 100], form = \"set\"");
    desk.put("policy.toml", policy.as_bytes());
    let certificate = publish(&desk);
    assert!(certificate["loss_per_group"]["level"].as_f64().unwrap() <= 0.5);
    desk.must(&["audit", "out/released.csv", "policy.toml"]);
}

/// A bound that no group can keep leaves everybody out who does not fit, or says so if nobody may be.
#[test]
fn rows_that_fit_nowhere_are_counted_or_refused() {
    let desk = clinic("name = \"upc\"\nloss_at_most = 0.2", DIVERSITY);
    let certificate = publish(&desk);
    assert!(certificate["rows"]["left_out"].as_u64().unwrap() > 0);
    // The policy does not say which values `sex` and `household` have, so the level would tell how far the rows left out reach.
    assert_eq!(certificate["loss_per_group"], json!({ "bound": 0.2 }));
    let audited = desk.must(&["audit", "out/released.csv", "policy.toml", "--json"]);
    let audited = serde_json::from_str::<Value>(&audited.out).unwrap();
    assert!(audited["loss_per_group"]["level"].as_f64().unwrap() <= 0.2);
    let desk = clinic(
        "name = \"upc\"\nloss_at_most = 0.2\nrows_suppressed_at_most = 0.01",
        DIVERSITY,
    );
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.err.contains("find no group within the bounds"),
        "{}",
        refused.err
    );
    assert!(!desk.has("out"));
}

#[test]
fn a_column_is_shown_in_the_form_that_is_asked_for() {
    let desk = clinic(METHODS[0], DIVERSITY);
    let policy = desk
        .read("policy.toml")
        .replace("taxonomy = \"job.csv\"", "taxonomy = \"job.csv\", form = \"set\"");
    let policy = policy.replace("range = [0, 100]", "range = [0, 100], form = \"set\"");
    desk.put("policy.toml", policy.as_bytes());
    let certificate = publish(&desk);
    let form = |place: usize| {
        certificate["columns"][place]["mask"]["form"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!([form(0), form(1), form(2), form(3)], ["set", "set", "ancestor", "set"]);
    let jobs: Vec<String> = desk.read("out/released.csv").lines().map(str::to_owned).collect();
    assert!(jobs.iter().any(|row| row.contains('{') && row.contains('|')));
    assert!(
        !jobs.iter().any(|row| row.contains("Office work")),
        "a node is no value"
    );
}

fn refused(desk: &Desk, arguments: &[&str], words: &[&str]) {
    let Ended { code, err, .. } = desk.run(arguments);
    assert_eq!(code, Some(2), "{err}");
    words
        .iter()
        .for_each(|word| assert!(err.contains(word), "{word}: {err}"));
    assert!(!desk.has("out"));
}

/// Of what earlier releases match, groups of rows know nothing: whether they keep a template on the join is not left to chance.
#[test]
fn groups_of_rows_are_not_published_beside_an_earlier_release() {
    let rows = "y,a\n".repeat(2) + &"y,c\n".repeat(10) + "x,a\nx,\n";
    let asked = [
        "anonymity = 2",
        "confidence = 0.9\nabout = { \"old.ward\" = [\"W\"] }\nof = [\"job\"]",
    ];
    for method in ["local", "toc", "mondrian", "k-member", "microaggregation"] {
        for require in asked {
            let policy = format!(
                "[data]\nfile = 'd.csv'\n[columns]\njob = {{ role = 'quasi' }}\nzip = {{ role = 'quasi' }}\n\
                 [[require]]\nanonymity = 2\n[[require]]\n{require}\n[[earlier]]\nname = 'old'\nfile = 'old.csv'\n\
                 on_dangling = 'report'\n[method]\nname = '{method}'\n"
            );
            let desk = Desk::with(&[
                ("d.csv", &format!("job,zip\n{rows}")),
                ("old.csv", "zip,ward\na,W\nc,V\nd,V\n"),
                ("policy.toml", &policy),
            ]);
            refused(
                &desk,
                &["publish", "policy.toml"],
                &["does not look at the join", "use refine"],
            );
        }
    }
}

/// The zip `a` may be behind the star of one group though another shows it: of the matches of `x`, 1 of 3 is of ward W.
#[test]
fn a_star_of_one_group_may_hide_what_another_group_shows() {
    let policy = "[data]\nfile = 'd.csv'\n[columns]\njob = { role = 'quasi' }\nzip = { role = 'quasi' }\n[[require]]\nanonymity = 1\n[[require]]\n\
                  confidence = 0.3\nabout = { \"old.ward\" = [\"W\"] }\nof = [\"job\"]\n[[earlier]]\nname = 'old'\n\
                  file = 'old.csv'\non_dangling = 'report'\n[method]\nname = 'METHOD'\n";
    let released = format!("job,zip\n{}{}x,*\nx,*\n", "y,a\n".repeat(2), "y,c\n".repeat(10));
    for (method, level) in [("local", "0.333"), ("refine", "0.1667")] {
        let desk = Desk::with(&[
            ("d.csv", "job,zip\n"),
            ("released.csv", &released),
            ("old.csv", "zip,ward\na,W\nc,V\nd,V\n"),
            ("policy.toml", &policy.replace("METHOD", method)),
        ]);
        let audited = desk.run(&["audit", "released.csv", "policy.toml"]);
        assert!(audited.out.contains(level), "{method}: {audited:?}");
    }
}

#[test]
fn what_does_not_go_together_is_said_with_its_line() {
    let wrong = [
        (clinic("name = \"lokal\"", DIVERSITY), vec!["lokal", "local"]),
        (
            clinic("name = \"mondrian\"\nutility_weight = 0.5", DIVERSITY),
            vec!["utility_weight"],
        ),
        (
            clinic("name = \"toc\"\nutility_weight = 2", DIVERSITY),
            vec!["from 0 to 1"],
        ),
        (
            clinic("name = \"local\"", "k-map = 3\npopulation = \"population.csv\""),
            vec!["refine or full-domain"],
        ),
        (
            clinic(
                "name = \"local\"",
                "personal = 0.5\nabout = \"disease\"\nguarding = \"guard\"\nof = [\"age\"]",
            ),
            vec!["every quasi column"],
        ),
    ];
    for (desk, words) in wrong {
        refused(&desk, &["publish", "policy.toml"], &words);
    }
    let forms = [
        (
            "refine",
            "sex       = { role = \"quasi\", form = \"set\" }",
            "`form` has no meaning",
        ),
        (
            "local",
            "sex       = { role = \"quasi\", form = \"ancestor\" }",
            "needs a taxonomy",
        ),
        (
            "local",
            "sex       = { role = \"quasi\", form = \"interval\" }",
            "needs numbers",
        ),
    ];
    for (method, column, words) in forms {
        let desk = clinic(&format!("name = \"{method}\""), DIVERSITY);
        let policy = desk
            .read("policy.toml")
            .replace("sex       = { role = \"quasi\" }", column);
        desk.put("policy.toml", policy.as_bytes());
        refused(&desk, &["publish", "policy.toml"], &[words]);
    }
    let desk = clinic(METHODS[0], DIVERSITY);
    refused(
        &desk,
        &["publish", "policy.toml", "--at-level", "anonymity=9"],
        &["only the method refine"],
    );
}

/// Groups are of these rows; another file has others.
#[test]
fn groups_are_no_mask_for_another_file() {
    let desk = clinic(METHODS[0], DIVERSITY);
    desk.must(&["publish", "policy.toml", "--out", "first"]);
    refused(
        &desk,
        &["publish", "policy.toml", "--mask", "first/certificate.json"],
        &["gathered into groups"],
    );
}

/// Five rows cannot be gathered into a group of six.
#[test]
fn a_requirement_that_the_whole_table_breaks_is_told() {
    let people = "age,job\n30,Cook\n31,Cook\n32,Clerk\n33,Clerk\n34,Judge\n";
    let policy = "[data]\nfile = \"people.csv\"\n[columns]\nage = { role = \"quasi\", type = \"continuous\" }\n\
                  job = { role = \"quasi\" }\n[[require]]\nanonymity = 6\n[method]\nname = \"local\"\n";
    for method in [
        "local",
        "mondrian",
        "k-member",
        "microaggregation",
        "toc",
        "full-domain",
    ] {
        let desk = Desk::with(&[
            ("people.csv", people),
            ("policy.toml", &policy.replace("local", method)),
        ]);
        let ended = desk.run(&["publish", "policy.toml"]);
        assert_eq!(ended.code, Some(1), "{method}: {ended:?}");
        assert!(ended.err.contains("reaches 5"), "{method}: {}", ended.err);
    }
}
