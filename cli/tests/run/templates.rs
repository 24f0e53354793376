//! Every kind of template as a user runs it: published, certified, audited, refused, explained.

use serde_json::{Value, json};

use crate::desk::Desk;

/// The bank example is Table 5.1 of the thesis: nobody may be inferred to be discharged from {job, country} with more
/// than 75 % confidence. Of Table 5.2: the traders and clerks, of whom the rules are, lose job and country, and
/// everyone else keeps both.
#[test]
fn confidence_is_bounded_by_suppression_as_in_table_5_2() {
    let desk = Desk::sample("bank");
    let ended = desk.must(&["publish", "policy.toml"]);
    let level = "confidence about bankruptcy (Discharged) of job, country: 0.5 (at most 0.75)";
    assert!(ended.out.contains(level), "{}", ended.out);

    let mut released: Vec<String> = desk
        .read("out/released.csv")
        .lines()
        .skip(1)
        .map(str::to_owned)
        .collect();
    released.sort();
    let table_5_2 = [
        ("*,*,No,Discharged", 5, 0),
        ("*,*,No,Never", 5, 0),
        ("Artist,France,No,Current", 1, 3),
        ("Cook,US,No,Current", 0, 4),
        ("Doctor,US,Yes,Never", 4, 2),
    ];
    let expected = table_5_2.iter().flat_map(|(customer, good, bad)| {
        let bad = vec![format!("{customer},Bad"); *bad];
        bad.into_iter().chain(vec![format!("{customer},Good"); *good])
    });
    assert_eq!(released, expected.collect::<Vec<_>>());
    desk.must(&["audit", "out/released.csv", "policy.toml"]);
    let raw = desk.run(&["audit", "customers.csv", "policy.toml"]);
    assert_eq!(raw.code, Some(1), "{raw:?}");
    assert!(
        raw.out.contains("of job, country: 0.8\n"),
        "4 of 5 British traders: {}",
        raw.out
    );
}

/// Sixteen people, four of each job and sex.
const PEOPLE: [(&str, [&str; 4]); 4] = [
    ("Lawyer,F", ["HIV", "Flu", "Flu", "Asthma"]),
    ("Lawyer,M", ["Flu", "Asthma", "Flu", "Asthma"]),
    ("Cook,F", ["HIV", "HIV", "Flu", "Flu"]),
    ("Cook,M", ["Flu", "Asthma", "HIV", "Flu"]),
];

const DISEASES: &str = "HIV;Viral;ANY\nFlu;Viral;ANY\nAsthma;ANY\n";

/// People of the town: there are few lawyers who are men, and a baker whom the data does not have.
const TOWN: [(&str, usize); 5] = [
    ("F,Lawyer", 30),
    ("M,Lawyer", 4),
    ("F,Cook", 30),
    ("M,Cook", 30),
    ("M,Baker", 9),
];

fn people() -> String {
    let mut rows = String::from("name,job,sex,disease,guard\n");
    for (who, diseases) in PEOPLE {
        for disease in diseases {
            // Who has HIV guards against that being known; nobody else guards anything.
            let guard = if disease == "HIV" { "HIV" } else { "" };
            rows += &format!("somebody,{who},{disease},{guard}\n");
        }
    }
    rows
}

fn town() -> String {
    let rows = TOWN.map(|(who, count)| format!("{who},8001\n").repeat(count));
    format!("sex,job,zip\n{}", rows.concat())
}

fn policy(require: &str) -> String {
    format!(
        "[data]\nfile = 'd.csv'\n[columns]\nname = {{ role = 'identifier' }}\njob = {{ role = 'quasi' }}\n\
         sex = {{ role = 'quasi' }}\ndisease = {{ role = 'sensitive', taxonomy = 'disease.csv', sensitive_ranges = 1 }}\n\
         guard = {{ role = 'identifier' }}\n{require}\n"
    )
}

fn desk(require: &str) -> Desk {
    Desk::with(&[
        ("d.csv", &people()),
        ("disease.csv", DISEASES),
        ("town.csv", &town()),
        ("p.toml", &policy(require)),
    ])
}

/// Of each kind: a section, how the certificate tells it, and the bound that would have let `sex` be shown, too.
/// Anonymity and its like are lost with groups of four; by disease, the women among the cooks are the worst.
fn kinds() -> Vec<(&'static str, Value, &'static str)> {
    let disease = json!({ "disease": "*" });
    vec![
        (
            "anonymity = 5",
            json!([{ "kind": "anonymity", "of": ["job", "sex"], "bound": 5, "level": 8, "holds": true }]),
            "at most 4",
        ),
        (
            "confidence = 0.4\nabout = { disease = ['HIV'] }",
            json!([{ "kind": "confidence", "of": ["job", "sex"], "about": { "disease": ["HIV"] },
                     "bound": 0.4, "level": 0.375, "holds": true }]),
            "at least 0.5",
        ),
        (
            "alpha = 0.9\nk = 4\nabout = { disease = ['Viral'] }",
            json!([
                { "kind": "anonymity", "part_of": "alpha 0.9, k 4", "of": ["job", "sex"],
                  "bound": 4, "level": 8, "holds": true },
                { "kind": "confidence", "part_of": "alpha 0.9, k 4", "of": ["job", "sex"],
                  "about": { "disease": ["Viral"] }, "bound": 0.9, "level": 0.875, "holds": true },
            ]),
            "at least 1",
        ),
        (
            "diversity = 3\nabout = 'disease'",
            json!([{ "kind": "diversity", "of": ["job", "sex"], "about": disease, "measure": "distinct",
                     "bound": 3, "level": 3, "holds": true }]),
            "at most 2",
        ),
        (
            "diversity = 3\nkind = 'recursive'\nc = 5.0\nabout = 'disease'",
            json!([{ "kind": "diversity", "of": ["job", "sex"], "about": disease, "measure": "recursive", "c": 5.0,
                     "bound": 3, "level": 3, "holds": true }]),
            "at most 2",
        ),
        (
            "p-sensitive = 3\nk = 2\nabout = 'disease'",
            json!([
                { "kind": "anonymity", "part_of": "p-sensitive 3, k 2", "of": ["job", "sex"],
                  "bound": 2, "level": 8, "holds": true },
                { "kind": "diversity", "part_of": "p-sensitive 3, k 2", "of": ["job", "sex"],
                  "about": disease, "measure": "distinct", "bound": 3, "level": 3, "holds": true },
            ]),
            "at most 2",
        ),
        (
            "closeness = 0.2\nabout = 'disease'",
            json!([{ "kind": "closeness", "of": ["job", "sex"], "about": disease, "distance": "taxonomy",
                     "bound": 0.2, "level": 0.125, "holds": true }]),
            "at least 0.25",
        ),
        (
            "beta-likeness = 0.5\nabout = 'disease'",
            json!([{ "kind": "beta-likeness", "of": ["job", "sex"], "about": disease, "measure": "basic",
                     "bound": 0.5, "level": 0.5, "holds": true }]),
            "at least 1",
        ),
        (
            "k-map = 8\npopulation = 'town.csv'",
            json!([{ "kind": "k-map", "of": ["job", "sex"], "population": "town.csv",
                     "bound": 8, "level": 34, "holds": true }]),
            "at most 4",
        ),
        (
            "personal = 0.4\nabout = 'disease'\nguarding = 'guard'",
            json!([{ "kind": "personal", "of": ["job", "sex"], "about": disease, "guarding": "guard",
                     "bound": 0.4, "level": 0.375, "holds": true }]),
            "at least 0.5",
        ),
        // HIV and Flu are of one range and half as close as can be; Asthma is close to neither.
        (
            "range-diversity = 0.6\nabout = 'disease'",
            json!([{ "kind": "range-diversity", "of": ["job", "sex"], "about": disease, "measure": "level 1",
                     "bound": 0.6, "level": 38.0 / 64.0, "holds": true }]),
            "at least 0.75",
        ),
    ]
}

/// All these bounds allow to show the job but not the sex: the certificate says so, and the owner is told why.
#[test]
fn every_kind_is_published_certified_and_explained() {
    for (require, certified, bound) in kinds() {
        let desk = desk(&format!("[[require]]\n{require}"));
        let ended = desk.must(&["publish", "p.toml"]);
        assert!(ended.out.contains("  job: shown in full\n"), "{require}: {}", ended.out);
        let stop = ended.out.lines().find(|line| line.starts_with("  sex: ")).unwrap();
        assert!(
            stop.starts_with("  sex: next refinement blocked by ")
                && stop.ends_with(&format!("; a bound of {bound} would let it")),
            "{require}: {stop}"
        );
        let released = desk.read("out/released.csv");
        assert_eq!(released.matches("Cook,*").count(), 8, "{require}: {released}");
        assert!(
            !released.contains("somebody") && !released.contains("guard"),
            "{released}"
        );
        assert_eq!(desk.json("out/certificate.json")["require"], certified, "{require}");
    }
}

/// What the certificate says, the audit of the file finds, as far as a file tells it.
#[test]
fn the_audit_of_the_file_finds_what_the_certificate_says() {
    for (require, certified, _) in kinds() {
        let desk = desk(&format!("[[require]]\n{require}"));
        desk.must(&["publish", "p.toml"]);
        let audit = desk.run(&["audit", "out/released.csv", "p.toml", "--json"]);
        let found: Value = serde_json::from_str(&audit.out).unwrap();
        for (found, certified) in found["require"]
            .as_array()
            .unwrap()
            .iter()
            .zip(certified.as_array().unwrap())
        {
            assert_eq!(found["bound"], certified["bound"], "{require}");
            match certified["kind"].as_str() {
                // The release has no guarding nodes.
                Some("personal") => assert_eq!(found["lacking"], json!(["guard"])),
                _ => assert_eq!(found["level"], certified["level"], "{require}"),
            }
        }
    }
}

/// What is bounded and what is measured are one figure.
#[test]
fn evaluate_measures_the_range_diversity_of_the_certificate() {
    let desk = desk("[[require]]\nrange-diversity = 0.6\nabout = 'disease'");
    desk.must(&["publish", "p.toml"]);
    let evaluated = desk.must(&["evaluate", "d.csv", "out/released.csv", "p.toml", "--json"]);
    let evaluated: Value = serde_json::from_str(&evaluated.out).unwrap();
    let worst = evaluated.pointer("/range_diversity/0/worst_group");
    assert_eq!(worst, Some(&desk.json("out/certificate.json")["require"][0]["level"]));
}

/// δ-disclosure: the men among the lawyers lack HIV, so no bound at all would let `sex` be shown.
#[test]
fn a_level_without_end_is_null_and_no_bound_helps() {
    let desk = desk("[[require]]\ndelta-disclosure = 0.8\nabout = 'disease'");
    let ended = desk.must(&["publish", "p.toml"]);
    assert!(
        ended.out.contains("about disease of job, sex: 0.6932 (below 0.8)"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.contains("of job, sex; no bound would let it"),
        "{}",
        ended.out
    );
    let stops = &desk.json("out/private/trace.json")["stops"];
    assert_eq!(stops[1]["by"], json!([{ "template": 0, "level": null }]));
}

/// Every template holds at once, and the loss is that of the strictest.
#[test]
fn kinds_mix() {
    let require = "[[require]]\nanonymity = 2\n[[require]]\nconfidence = 0.5\nabout = { disease = { HIV = 0.5, Flu = 0.75 } }\n\
                   [[require]]\ncloseness = 0.3\nabout = 'disease'\n[[require]]\nk-map = 4\npopulation = 'town.csv'\n\
                   [[require]]\ndiversity = 2\nabout = 'disease'\nof = { any = 1 }";
    let desk = desk(require);
    let ended = desk.must(&["publish", "p.toml"]);
    for level in [
        "anonymity of job, sex: 4 (at least 2)",
        "confidence about disease (HIV) of job, sex: 0.5 (at most 0.5)",
        "confidence about disease (Flu) of job, sex: 0.5 (at most 0.75)",
        "closeness (taxonomy) about disease of job, sex: 0.25 (at most 0.3)",
        "k-map (town.csv) of job, sex: 4 (at least 4)",
        "diversity (distinct) about disease of any 1 of job, sex: 3 (at least 2)",
        "job: shown in full",
        "sex: shown in full",
    ] {
        assert!(ended.out.contains(&format!("  {level}\n")), "{level}: {}", ended.out);
    }
}

/// Whoever knows one column only meets groups of eight; both together would single out groups of four.
#[test]
fn an_adversary_who_knows_any_one_column() {
    let desk = desk("[[require]]\nanonymity = 8\nof = { any = 1 }");
    desk.must(&["publish", "p.toml"]);
    assert_eq!(desk.read("out/released.csv").matches("Cook,F").count(), 4);
    let entry = &desk.json("out/certificate.json")["require"][0];
    assert_eq!((&entry["any"], &entry["level"]), (&json!(1), &json!(8)));
}

/// The sample is small, the town is not: alone in the data is not alone in the town.
#[test]
fn a_k_map_counts_the_population_not_the_data() {
    let desk = desk("[[require]]\nk-map = 20\npopulation = 'town.csv'");
    desk.put("d.csv", b"name,job,sex,disease,guard\nx,Lawyer,F,Flu,\nx,Cook,M,HIV,\n");
    desk.must(&["publish", "p.toml"]);
    let mut released: Vec<String> = desk.read("out/released.csv").lines().map(str::to_owned).collect();
    released.sort();
    assert_eq!(released, ["Cook,M,HIV", "Lawyer,F,Flu", "job,sex,disease"]);
    // The baker of the town is in no file that may leave the house.
    let written = desk.read("out/released.csv") + &desk.read("out/certificate.json");
    assert!(!written.contains("Baker"), "{written}");
    assert_eq!(desk.json("out/certificate.json")["require"][0]["level"], 30);
}

/// With a row budget the mask is taken over, labels and all.
#[test]
fn a_k_map_goes_with_a_row_budget_and_with_a_mask() {
    let desk = desk("[[require]]\nk-map = 8\npopulation = 'town.csv'\n[method]\nrows_suppressed_at_most = 0.3");
    let ended = desk.must(&["publish", "p.toml"]);
    assert!(
        ended.out.contains("Released 12 rows to out/released.csv (4 left out)"),
        "{}",
        ended.out
    );
    assert!(!desk.read("out/released.csv").contains("Lawyer,M"));
    desk.must(&["publish", "p.toml", "--mask", "out/certificate.json", "--out", "same"]);
    assert_eq!(desk.read("out/released.csv"), desk.read("same/released.csv"));
}

/// What cannot be met: exit code 1, the template, the level it reaches, and the nearest bound that can be met.
#[test]
fn what_cannot_be_met_names_the_nearest_bound() {
    for (require, words) in [
        (
            "anonymity = 17",
            "anonymity 17 of job, sex reaches 16; a bound of at most 16 can be met",
        ),
        (
            "confidence = 0.2\nabout = { disease = ['HIV'] }",
            "confidence 0.2 about disease (HIV) of job, sex reaches 0.25; a bound of at least 0.25 can be met",
        ),
        (
            "diversity = 4\nabout = 'disease'",
            "diversity 4 (distinct) about disease of job, sex reaches 3; a bound of at most 3 can be met",
        ),
        (
            "diversity = 3\nkind = 'entropy'\nabout = 'disease'",
            "diversity 3 (entropy) about disease of job, sex reaches 2.828; a bound of at most 2.828 can be met",
        ),
        (
            "k-map = 1000\npopulation = 'town.csv'",
            "k-map 1000 (town.csv) of job, sex reaches 103; a bound of at most 103 can be met",
        ),
        (
            "personal = 0.2\nabout = 'disease'\nguarding = 'guard'",
            "a bound of at least 0.25 can be met; a finer table might still meet it, which the search does not look for",
        ),
        (
            "range-diversity = 0.4\nabout = 'disease'",
            "range-diversity 0.4 (level 1) about disease of job, sex reaches 0.5; a bound of at least 0.5 can be met; \
             a finer table might still meet it, which the search does not look for",
        ),
    ] {
        let desk = desk(&format!("[[require]]\n{require}"));
        let ended = desk.run(&["publish", "p.toml"]);
        assert_eq!(ended.code, Some(1), "{require}: {ended:?}");
        assert!(ended.err.contains(words), "{require}: {}", ended.err);
        assert!(!desk.has("out"));
    }
}

/// The bound that a message names can indeed be met.
#[test]
fn the_nearest_bound_can_be_met() {
    let desk = desk("[[require]]\ndiversity = 2.828\nkind = 'entropy'\nabout = 'disease'");
    desk.must(&["publish", "p.toml"]);
}

#[test]
fn why_it_stopped_is_told_without_values() {
    let desk = desk("[[require]]\nanonymity = 5");
    let ended = desk.must(&["publish", "p.toml", "--json"]);
    let told: Value = serde_json::from_str(&ended.out).unwrap();
    let by = json!([{ "template": "anonymity 5 of job, sex", "level": 4, "bound": "at most 4" }]);
    let expected = json!([
        { "column": "job", "why": "complete" },
        { "column": "sex", "why": "blocked", "by": by, "rows_left_out": 0 },
    ]);
    assert_eq!(told["stops"], expected);
    // The trace may not leave the house, so it may say which value it was.
    let stop = &desk.json("out/private/trace.json")["stops"][1];
    assert_eq!((&stop["value"], &stop["into"]), (&json!("F"), &json!(["F", "*"])));

    let pair = policy("[[require]]\nalpha = 0.9\nk = 5\nabout = { disease = ['Viral'] }");
    desk.put("pair.toml", pair.as_bytes());
    let pair = desk.must(&["publish", "pair.toml", "--out", "pair"]);
    let both = "  sex: next refinement blocked by\n    anonymity 5 of job, sex; a bound of at most 4 would let it\n    \
                confidence 0.9 about disease (Viral) of job, sex; a bound of at least 1 would let it\n";
    assert!(pair.out.contains(both), "{}", pair.out);

    let stopped = desk.must(&["publish", "p.toml", "--steps", "0", "--out", "none"]);
    assert!(
        stopped.out.contains("  sex: stopped where it was told to\n"),
        "{}",
        stopped.out
    );
}

/// All rows are of one class, so nothing is to be told apart; a row budget says how many rows it would cost.
#[test]
fn a_column_with_nothing_to_gain_and_one_that_costs_rows() {
    let rows = "job,class\n".to_owned() + &"a,y\n".repeat(10) + &"b,n\n".repeat(10) + &"c,n\n".repeat(3);
    let desk = Desk::with(&[("d.csv", &rows)]);
    let flags = [
        "publish",
        "d.csv",
        "--quasi",
        "job",
        "--class",
        "class",
        "--anonymity",
        "11",
    ];
    let budget = desk.must(&[&flags[..], &["--rows-suppressed-at-most", "0.1"]].concat());
    let stop = budget.out.lines().find(|line| line.starts_with("  job: ")).unwrap();
    assert!(
        stop.contains("it would leave out ") && stop.ends_with(" rows"),
        "{stop}"
    );
    let same = Desk::with(&[("d.csv", &rows.replace(",n", ",y"))]);
    let same = same.must(&flags);
    assert!(
        same.out.contains("  job: a finer value would tell no classes apart\n"),
        "{}",
        same.out
    );
}

#[test]
fn the_quick_form_bounds_what_may_be_inferred() {
    let desk = desk("");
    let flags = "publish d.csv --quasi job,sex --sensitive disease --identifier name,guard \
                 --confidence 0.6 --diversity 3 --closeness 0.5";
    let ended = desk.must(&flags.split_whitespace().collect::<Vec<_>>());
    for level in [
        "confidence about disease of job, sex: 0.5 (at most 0.6)",
        "diversity (distinct) about disease of job, sex: 3 (at least 3)",
        "closeness (equal) about disease of job, sex: 0.125 (at most 0.5)",
    ] {
        assert!(ended.out.contains(level), "{level}: {}", ended.out);
    }
}

/// Input that only the data, a population or a guarding column can prove wrong. No message shows a cell.
#[test]
fn what_does_not_fit_the_data_is_refused() {
    let k_map = "[[require]]\nk-map = 8\npopulation = 'town.csv'";
    let personal = "[[require]]\npersonal = 0.5\nabout = 'disease'\nguarding = 'guard'";
    let cases: [(&str, &str, String, &[&str]); 6] = [
        (
            k_map,
            "town.csv",
            "sex,zip\nPlanted,8001\n".to_owned(),
            &["p.toml:11", "the population has no column `job`"],
        ),
        (
            k_map,
            "town.csv",
            "Planted,8001\nF,8002\n".to_owned(),
            &["the population has no column", "give `names`"],
        ),
        (k_map, "town.csv", String::new(), &["town.csv", "empty"]),
        (
            personal,
            "d.csv",
            people() + "x,Cook,F,Flu,Planted\n",
            &["d.csv: column `guard`", "the taxonomy of `disease`", "row 17"],
        ),
        (
            "[[require]]\ncloseness = 0.1\nabout = 'disease'\ndistance = 'ordered'",
            "d.csv",
            people() + "Planted,Cook,F,,\n",
            &["p.toml:10", "column `disease` include missing ones"],
        ),
        (
            "[[require]]\nconfidence = 0.5\nabout = { disease = ['Virals'] }",
            "d.csv",
            people(),
            &["p.toml:11", "did you mean `Viral`?"],
        ),
    ];
    for (require, file, content, words) in cases {
        let desk = desk(require);
        desk.put(file, content.as_bytes());
        let ended = desk.run(&["publish", "p.toml"]);
        assert_eq!(ended.code, Some(2), "{require}: {ended:?}");
        for word in words {
            assert!(ended.err.contains(word), "{word:?} is not in: {}", ended.err);
        }
        assert!(!ended.err.contains("Planted"), "{}", ended.err);
        assert!(!desk.has("out"));
    }
    let lost = desk("[[require]]\nk-map = 8\npopulation = 'nowhere.csv'").run(&["publish", "p.toml"]);
    assert_eq!(lost.code, Some(2), "{lost:?}");
    assert!(
        lost.err
            .contains("p.toml:11: there is no population file `nowhere.csv`"),
        "{lost:?}"
    );
}
