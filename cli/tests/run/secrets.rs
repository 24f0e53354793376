//! No cell value in an error, a warning, a certificate or an inspection.

use crate::desk::Desk;

/// A value planted in one cell; wherever it turns up, that cell was shown.
const PLANTED: &str = "Qz7Planted";

fn data(cell: &str) -> String {
    let mut rows = String::from("name,job,age,note,class\n");
    for n in 0..20 {
        rows += &format!("n{n},{},{},x,{}\n", ["a", "b"][n % 2], 20 + n, ["y", "n"][n % 2]);
    }
    rows + &format!("last,{cell}\n")
}

fn policy(job: &str, k: u32) -> String {
    format!(
        "[data]\nfile = 'd.csv'\n[columns]\nname = {{ role = 'identifier' }}\njob = {{ role = 'quasi'{job} }}\n\
         age = {{ role = 'quasi', type = 'continuous' }}\nclass = {{ role = 'class' }}\n[[require]]\nanonymity = {k}\n"
    )
}

#[test]
fn a_planted_value_reaches_no_message() {
    let tree = ", taxonomy = 'job.csv'";
    let cases = [
        (
            "a value that the taxonomy lacks",
            format!("{PLANTED},30,x,y"),
            policy(tree, 5),
            2,
        ),
        (
            "text in a continuous column",
            format!("a,{PLANTED},x,y"),
            policy(tree, 5),
            2,
        ),
        ("a ragged row", format!("a,30,x,y,{PLANTED}"), policy(tree, 5), 2),
        (
            "a requirement that cannot be met",
            format!("{PLANTED},30,x,y"),
            policy("", 500),
            1,
        ),
        (
            "a rare value of a suppressed column",
            format!("{PLANTED},30,x,y"),
            policy("", 5),
            0,
        ),
        (
            "a rare value of a published column",
            format!("a,30,{PLANTED},y"),
            policy("", 5),
            0,
        ),
    ];
    for (what, cell, policy, code) in cases {
        let desk = Desk::with(&[
            ("d.csv", &data(&cell)),
            ("job.csv", "a;Any\nb;Any\n"),
            ("p.toml", &policy),
        ]);
        for json in [&[][..], &["--json"]] {
            let ended = desk.run(&[&["publish", "p.toml", "--force"], json].concat());
            assert_eq!(ended.code, Some(code), "{what}: {ended:?}");
            assert!(
                !ended.out.contains(PLANTED) && !ended.err.contains(PLANTED),
                "{what}: {ended:?}"
            );
        }
        if code == 0 {
            assert!(!desk.read("out/certificate.json").contains(PLANTED), "{what}");
        }
        let inspected = desk.run(&["inspect", "d.csv"]);
        assert!(!format!("{inspected:?}").contains(PLANTED), "{what}: {inspected:?}");
    }
}

#[test]
fn a_suppressed_rare_value_is_not_released() {
    let desk = Desk::with(&[
        ("d.csv", &data(&format!("{PLANTED},30,x,y"))),
        ("p.toml", &policy("", 5)),
    ]);
    desk.must(&["publish", "p.toml"]);
    assert!(!desk.read("out/released.csv").contains(PLANTED));
    assert!(!desk.read("out/released.csv").contains("last"));
}

/// A rare job, a rare disease and a person of the population, each planted: whatever is required, neither what is
/// printed nor the certificate names them.
#[test]
fn no_kind_of_template_tells_a_planted_value() {
    let mut rows = String::from("job,sex,disease\n");
    for n in 0..24 {
        rows += &format!(
            "{},{},{}\n",
            ["a", "b"][n % 2],
            ["F", "M"][n / 2 % 2],
            ["Flu", "HIV"][n / 4 % 2]
        );
    }
    rows += &format!("{PLANTED}Job,F,{PLANTED}Disease\n");
    let people = rows.replace(",disease", "").replace(",Flu", "").replace(",HIV", "");
    let people = people.replace(&format!(",{PLANTED}Disease"), "") + &format!("{PLANTED}Person,M\n");
    for require in [
        "anonymity = 3",
        "confidence = 0.9\nabout = { disease = '*' }",
        "confidence = 0.9\nabout = { disease = ['HIV', 'HIVE'] }",
        "alpha = 0.9\nk = 3\nabout = { disease = ['HIV'] }",
        "diversity = 2\nabout = 'disease'",
        "diversity = 9\nabout = 'disease'",
        "p-sensitive = 2\nk = 3\nabout = 'disease'",
        "closeness = 0.3\nabout = 'disease'",
        "closeness = 0.3\ndistance = 'ordered'\nabout = 'disease'",
        "delta-disclosure = 1\nabout = 'disease'",
        "beta-likeness = 1\nabout = 'disease'",
        "range-diversity = 0.9\nabout = 'disease'",
        "k-map = 3\npopulation = 'people.csv'",
        "k-map = 100\npopulation = 'people.csv'",
        "anonymity = 3\nof = { any = 1 }",
    ] {
        let policy = format!(
            "[data]\nfile = 'd.csv'\n[columns]\njob = {{ role = 'quasi' }}\nsex = {{ role = 'quasi' }}\n\
             disease = {{ role = 'sensitive', sensitive_ranges = 1 }}\n[[require]]\n{require}\n"
        );
        let desk = Desk::with(&[("d.csv", &rows), ("people.csv", &people), ("p.toml", &policy)]);
        for json in [&[][..], &["--json"]] {
            let ended = desk.run(&[&["publish", "p.toml", "--force"], json].concat());
            assert!(!format!("{ended:?}").contains(PLANTED), "{require}: {ended:?}");
            if ended.code == Some(0) {
                assert!(!desk.read("out/certificate.json").contains(PLANTED), "{require}");
                let audit = desk.run(&[&["audit", "out/released.csv", "p.toml"], json].concat());
                assert!(!format!("{audit:?}").contains(PLANTED), "{require}: {audit:?}");
            }
        }
    }
}
