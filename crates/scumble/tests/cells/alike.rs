//! Values that look alike to a reader: warned of, and united if the policy says so.

use crate::desk::Desk;

fn policy(disease: &str, more: &str) -> String {
    format!(
        "[data]\nfile = \"data.csv\"\n[columns]\nzip = {{ role = \"quasi\" }}\ndisease = {{ role = \"sensitive\"{disease} }}\n\
         [[require]]\ndiversity = 2\nabout = \"disease\"\n{more}"
    )
}

/// One number written in three ways, and one word composed in two.
const DATA: &str = "zip,disease\n1,1\n1,1.0\n1,01\n1,caf\u{e9}\n1,cafe\u{301}\n";

#[test]
fn values_that_look_alike_are_warned_of_and_not_shown() {
    let desk = Desk::with(&[("data.csv", DATA)]);
    let publication = desk.must_publish(&policy("", ""));
    let warnings: Vec<String> = publication.warnings.iter().map(ToString::to_string).collect();
    let expected = "column `disease` has 5 values that look like another, and each counts as a value of its own; \
                    `alike = \"unite\"` in its line makes them one, `alike = \"keep\"` says that they are not";
    assert!(warnings.contains(&expected.to_owned()), "{warnings:?}");
    let kept = desk.must_publish(&policy(", alike = \"keep\"", ""));
    assert!(
        kept.warnings
            .iter()
            .all(|warning| !warning.to_string().contains("alike"))
    );
}

#[test]
fn letter_case_is_warned_of_by_its_own_word() {
    let desk = Desk::with(&[("data.csv", "zip,disease\n1,HIV\n1,hiv\n1,Flu\n")]);
    let publication = desk.must_publish(&policy("", ""));
    let warnings: Vec<String> = publication.warnings.iter().map(ToString::to_string).collect();
    assert!(
        warnings.iter().any(
            |told| told.contains("2 values that differ from another in letter case alone")
                && told.contains("`alike = \"unite-case\"`")
        ),
        "{warnings:?}"
    );
    desk.must_publish(&policy(", alike = \"unite-case\"", ""));
    assert_eq!(desk.released("disease"), ["flu", "hiv", "hiv"]);
}

/// United, the rows have two values, and three for whoever takes their looks for values: publish and audit agree.
#[test]
fn united_values_count_as_one_for_publish_and_audit() {
    let desk = Desk::with(&[("data.csv", DATA)]);
    let united = policy(", alike = \"unite\"", "");
    let publication = desk.must_publish(&united);
    assert_eq!(
        publication.levels,
        ["diversity (distinct) about disease of zip: 2 (at least 2)"]
    );
    assert_eq!(desk.released("disease"), ["1", "1", "1", "caf\u{e9}", "caf\u{e9}"]);
    assert!(desk.audit(&united).holds);
    let one = desk.publish(&policy(", alike = \"unite\"", "").replace("diversity = 2", "diversity = 3"));
    assert!(one.is_err());
    // A release of someone who did not unite them has no more diversity for who does.
    desk.put("out/released.csv", "zip,disease\n1,1\n1,1.0\n");
    assert!(!desk.audit(&united).holds);
}

#[test]
fn words_of_the_policy_are_united_too() {
    let desk = Desk::with(&[("data.csv", DATA)]);
    let policy = policy(
        ", alike = \"unite\"",
        "[[require]]\nconfidence = 0.6\nabout = { disease = [\"001\"] }\n",
    );
    let publication = desk.must_publish(&policy);
    assert!(publication.levels[1].contains("0.6"), "{:?}", publication.levels);
}

/// A person of the population is looked up by the united value.
#[test]
fn a_population_is_united_like_the_data() {
    let desk = Desk::with(&[
        ("data.csv", "zip,disease\n01,a\n2,b\n"),
        ("people.csv", "zip\n1\n1.0\n2\n02\n"),
    ]);
    let policy = |zip: &str| {
        format!(
            "[data]\nfile = \"data.csv\"\n[columns]\nzip = {{ role = \"quasi\"{zip} }}\ndisease = {{ role = \"sensitive\" }}\n\
             [[require]]\nk-map = 2\npopulation = \"people.csv\"\n"
        )
    };
    let united = policy(", alike = \"unite\"");
    desk.must_publish(&united);
    assert_eq!(desk.released("zip"), ["1", "2"]);
    assert!(desk.audit(&united).holds);
    desk.must_publish(&policy(""));
    assert_ne!(desk.released("zip"), ["01", "2"]);
}

/// The rows in any order give the same release.
#[test]
fn what_is_united_does_not_depend_on_the_order_of_rows() {
    let mut lines: Vec<&str> = DATA.lines().skip(1).collect();
    let mut first = None;
    for _ in 0..lines.len() {
        lines.rotate_left(1);
        let desk = Desk::with(&[("data.csv", &format!("zip,disease\n{}\n", lines.join("\n")))]);
        desk.must_publish(&policy(", alike = \"unite\"", ""));
        let released = desk.read("out/released.csv");
        assert_eq!(*first.get_or_insert(released.clone()), released);
    }
}

#[test]
fn numbers_and_leaves_have_no_say_in_what_is_alike() {
    let desk = Desk::with(&[("data.csv", DATA), ("tree.csv", "1;ANY\n")]);
    let refused = |setting: &str| {
        let text = policy(setting, "");
        scumble::Policy::parse(&text, "policy.toml", desk.path())
            .unwrap_err()
            .to_string()
    };
    assert!(
        refused(", type = \"continuous\", alike = \"unite\"").contains("numbers of a continuous column are one value")
    );
    assert!(refused(", taxonomy = \"tree.csv\", alike = \"unite\"").contains("are its leaves"));
    assert!(refused(", alike = \"united\"").contains("did you mean `unite`"));
}
