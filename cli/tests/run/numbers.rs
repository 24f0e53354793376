//! Numbers at the edge of what a number can hold, as a user publishes them: every level and every loss is a number, and
//! what was published can be used again.

use serde_json::Value;

use crate::desk::{Desk, Ended};

/// Salaries in two groups of three rows, each of one salary.
fn salaries(low: &str, high: &str, width: &str, at_most: &str) -> Desk {
    let row = |salary: &str| format!("a,{salary}\n");
    let rows = row(low).repeat(3) + &row(high).repeat(3);
    let policy = format!(
        "[data]\nfile = \"data.csv\"\n\n[columns]\nzip = {{ role = \"quasi\" }}\nsalary = {{ role = \"sensitive\", type = \
         \"continuous\", sensitive_ranges = {width} }}\n\n[[require]]\nrange-diversity = {at_most}\nabout = \"salary\"\n\n\
         [release]\nfolder = \"out\"\n"
    );
    Desk::with(&[("data.csv", &format!("zip,salary\n{rows}")), ("policy.toml", &policy)])
}

fn certificate(ended: &Ended) -> Value {
    serde_json::from_str::<Value>(&ended.out).unwrap()["certificate"].clone()
}

const FAR_AND_NEAR: [(&str, &str, &str); 4] = [
    ("-1e308", "1.5e308", "1.0"),
    ("10000000000000000", "10000000000000004", "1.0"),
    ("0", "5e-324", "5e-324"),
    ("-1.7976931348623157e308", "1.7976931348623157e308", "1e300"),
];

/// Half of the rows have one salary and half another: 0.5, whatever the salaries are.
#[test]
fn salaries_far_apart_or_close_together_do_not_pass_for_diverse() {
    for (low, high, width) in FAR_AND_NEAR {
        let refused = salaries(low, high, width, "0.1").run(&["publish", "policy.toml"]);
        assert_eq!(refused.code, Some(1), "{low} and {high}: {refused:?}");
        assert!(refused.err.contains("0.5"), "{}", refused.err);
        let desk = salaries(low, high, width, "0.5");
        let published = desk.must(&["publish", "policy.toml", "--json"]);
        let level = certificate(&published)["require"][0]["level"].as_f64();
        assert!((level.unwrap() - 0.5).abs() < 1e-9, "{low} and {high}: {level:?}");
        desk.must(&["audit", "out/released.csv", "policy.toml"]);
    }
}

/// Incomes as a quasi column, under a method.
fn incomes(method: &str, range: &str) -> Desk {
    let incomes = [
        "-1e308",
        "-9e307",
        "-1",
        "0",
        "5e-324",
        "1e16",
        "10000000000000004",
        "1e300",
        "1.4e308",
        "1.5e308",
    ];
    let rows: String = incomes
        .iter()
        .map(|income| format!("{income},x\n{income},y\n"))
        .collect();
    let policy = format!(
        "[data]\nfile = \"data.csv\"\n\n[columns]\nincome = {{ role = \"quasi\", type = \"continuous\"{range} }}\n\
         class = {{ role = \"class\" }}\n\n[[require]]\nanonymity = 4\n\n[method]\n{method}\n\n[release]\nfolder = \"out\"\n"
    );
    Desk::with(&[("data.csv", &format!("income,class\n{rows}")), ("policy.toml", &policy)])
}

const RANGES: [&str; 2] = ["", ", range = [-1.7e308, 1.7e308]"];

#[test]
fn what_is_lost_is_a_number_under_every_method() {
    let methods = [
        "name = \"refine\"\nobjective = \"certainty\"",
        "name = \"full-domain\"",
        "name = \"local\"",
        "name = \"toc\"",
        "name = \"upc\"\nloss_at_most = 0.9\nrows_suppressed_at_most = 0.9",
        "name = \"mondrian\"",
        "name = \"k-member\"",
        "name = \"microaggregation\"",
    ];
    for method in methods {
        for range in RANGES {
            let desk = incomes(method, range);
            let published = desk.must(&["publish", "policy.toml", "--json"]);
            let loss = certificate(&published)["information_loss"].as_f64();
            assert!(
                loss.is_some_and(|loss| (0.0..=1.0).contains(&loss)),
                "{method}{range}: {loss:?}"
            );
            desk.must(&["audit", "out/released.csv", "policy.toml"]);
            for text in ["inf", "NaN"] {
                let released = desk.read("out/released.csv");
                assert!(!released.contains(text), "{method}{range}: {released}");
            }
            let evaluated = desk.must(&["evaluate", "data.csv", "out/released.csv", "policy.toml", "--json"]);
            let evaluated: Value = serde_json::from_str(&evaluated.out).unwrap();
            let penalty = evaluated
                .pointer("/information_loss/certainty_penalty/mean")
                .and_then(Value::as_f64);
            assert!(penalty.is_some(), "{method}{range}");
        }
    }
}

#[test]
fn masks_of_our_own_certificates_can_always_be_used_again() {
    for range in RANGES {
        let desk = incomes("name = \"refine\"\nobjective = \"certainty\"", range);
        desk.must(&["publish", "policy.toml"]);
        let again = [
            "publish",
            "policy.toml",
            "--mask",
            "out/certificate.json",
            "--out",
            "again",
        ];
        desk.must(&again);
        assert_eq!(desk.read("out/released.csv"), desk.read("again/released.csv"));
    }
}

/// 55 of 155 are no less than 0.55 times the other 100.
#[test]
fn recursive_diversity_at_its_bound_is_refused() {
    let rows = "a,HIV\n".repeat(55) + &"a,Flu\n".repeat(50) + &"a,Cold\n".repeat(50);
    let policy = "[data]\nfile = \"data.csv\"\n\n[columns]\nzip = { role = \"quasi\" }\ndisease = { role = \"sensitive\" }\n\n\
                  [[require]]\ndiversity = 2\nkind = \"recursive\"\nc = 0.55\nabout = \"disease\"\n\n[release]\nfolder = \"out\"\n";
    let desk = Desk::with(&[("data.csv", &format!("zip,disease\n{rows}")), ("policy.toml", policy)]);
    let refused = desk.run(&["publish", "policy.toml"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    desk.put("data.csv", format!("zip,disease\n{rows}a,Cold\n").as_bytes());
    desk.must(&["publish", "policy.toml"]);
}
