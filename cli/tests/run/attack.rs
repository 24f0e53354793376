//! `scumble attack`: an adversary with a file of their own, and one simulated from the original.

use serde_json::Value;

use crate::desk::{Desk, Ended};

/// Masked by hand: two groups on job and age.
const RELEASED: &str = "\
job,age,disease
Professional,\"[30, 40)\",HIV
Professional,\"[30, 40)\",HIV
Professional,\"[30, 40)\",Flu
Janitor,\"[40, 60)\",Flu
";

const KNOWN: &str = "\
who,job,age
Ann,Lawyer,38
Bob,Engineer,31
Cid,Janitor,52
Dan,Janitor,20
";

const JOBS: &str = "Engineer;Professional;ANY\nLawyer;Professional;ANY\nJanitor;ANY\n";

fn desk() -> Desk {
    Desk::with(&[("r.csv", RELEASED), ("known.csv", KNOWN), ("job.csv", JOBS)])
}

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap()
}

#[test]
fn an_external_file_is_looked_up_in_the_release() {
    let ended = desk().must(&[
        "attack",
        "r.csv",
        "--known",
        "known.csv",
        "--sensitive",
        "disease",
        "--taxonomy",
        "job=job.csv",
    ]);
    let expected = "\
Risks of the release: 4 rows in 2 groups on job, age
  rows alone in their group: 1 (25.0 %)
  rows that violate k = 2: 1 (25.0 %)
  rows that violate k = 3: 1 (25.0 %)
  rows that violate k = 5: 4 (100.0 %)
  prosecutor risk: highest 1.000, average 0.500
    rows expected to be re-identified: 2.0
    rows above 0.05 (groups under 20): 4 (100.0 %)
    rows above 0.09 (groups under 11): 4 (100.0 %)
    rows above 0.2 (groups under 5): 4 (100.0 %)
    rows above 0.33 (groups under 3): 1 (25.0 %)
  journalist risk: at most the prosecutor risk (--population counts it)
  marketer risk: 0.500
  on the columns published as they are: 0 of 4 rows alone, 4 with fewer than 5 alike
  on these and the masked ones: 2 of 4 rows alone, 4 with fewer than 5 alike
Record linkage: 4 people known by job, age
  matched by no row: 1 (25.0 %)
  matching rows per person: median 3, average 2.3
  narrowed to a single row: 1 (25.0 %)
  narrowed to fewer than 5 rows: 3 (75.0 %)
    by knowing only job: 4 (100.0 %)
    by knowing only age: 3 (75.0 %)
  worst case: 1 matching row, for 1 person, by knowing all of these columns
  read by what they look like: age (nothing says what their cells are; --cells does)
Attribute inference: disease
  confidence of the guess: highest 1.000, average 0.778; knowing nothing 0.500
    above 0.5: 3 (100.0 %)
    0.9 or more: 1 (33.3 %)
    certain: 1 (33.3 %)
";
    assert_eq!(ended.out, expected);
    assert_eq!(ended.err, "");
}

/// Without its tree, `Professional` is a word like any other and covers nobody.
#[test]
fn without_the_taxonomy_fewer_people_are_found() {
    let report = json(&desk().must(&["attack", "r.csv", "--known", "known.csv", "--json"]));
    assert_eq!(report["linkage"]["without_match"], 3);
    assert_eq!(report["simulated"], false);
}

#[test]
fn a_population_lowers_the_journalist_risk() {
    let desk = desk();
    let people = "job,age\n".to_owned() + &"Lawyer,35\n".repeat(12) + &"Janitor,50\n".repeat(4);
    desk.put("all.csv", people.as_bytes());
    let population = ["--known", "all.csv", "--population", "--taxonomy", "job=job.csv"];
    let report = json(&desk.must(&[&["attack", "r.csv", "--json"], &population[..]].concat()));
    let found = &report["population"];
    assert_eq!(found["people"], 16);
    assert_eq!(found["rows_beyond_population"], 0);
    assert_eq!(found["journalist"]["highest"], 0.25);
    // Groups of 12 and 4 people: all rows are above 0.05, one is above 0.09.
    let above = |mark: usize| &found["journalist"]["above"][mark]["rows"];
    assert_eq!((above(0), above(1)), (&4.into(), &1.into()));
    assert_eq!(found["marketer"], (3.0 / 12.0 + 1.0 / 4.0) / 4.0);
    let told = desk.must(&[&["attack", "r.csv"], &population[..]].concat()).out;
    assert!(told.contains("in a population of 16 people, on job, age"), "{told}");
}

/// The policy says what is quasi and sensitive, and its own data is what the adversary knows.
#[test]
fn the_adversary_is_simulated_from_the_original() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    let report = json(&desk.must(&["attack", "out/released.csv", "--policy", "policy.toml", "--json"]));
    assert_eq!(report["simulated"], true);
    assert_eq!(report["shared"], serde_json::json!(["job", "sex", "age"]));
    let linkage = &report["linkage"];
    assert_eq!(linkage["people"], 34);
    assert_eq!(linkage["without_match"], 0);
    // Everybody finds their own group, so the people who are worst off are the rows of the smallest groups.
    let (risks, spread) = (&report["risks"], &linkage["matching_rows"]);
    let smallest = spread["smallest"].as_f64().unwrap();
    assert_eq!(risks["prosecutor"]["highest"], 1.0 / smallest);
    assert_eq!(linkage["uniques"], risks["uniques"]);
    assert_eq!(linkage["narrowed"], risks["prosecutor"]["above"][2]["rows"]);
    let inference = &report["inference"][0];
    assert_eq!(inference["column"], "disease");
    assert!(inference["right"].as_f64() >= inference["baseline_right"].as_f64());
    let told = desk
        .must(&["attack", "out/released.csv", "--policy", "policy.toml"])
        .out;
    assert!(
        told.contains("34 people known by job, sex, age, simulated from the original"),
        "{told}"
    );
}

/// The requirement speaks of {job, sex} and {sex, age}; who knows only these finds what it promises.
#[test]
fn what_a_template_promises_an_attack_confirms() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    for (quasi, promised) in [("job,sex", 4), ("sex,age", 11)] {
        let attack = [
            "attack",
            "out/released.csv",
            "--policy",
            "policy.toml",
            "--json",
            "--quasi",
            quasi,
        ];
        let report = json(&desk.must(&attack));
        let smallest = report["linkage"]["matching_rows"]["smallest"].as_u64().unwrap();
        assert!(smallest >= promised, "{quasi}: {smallest}");
    }
}

#[test]
fn the_release_alone_has_risks_too() {
    let report = json(&desk().must(&["attack", "r.csv", "--quasi", "job,age", "--json"]));
    assert_eq!(report["risks"]["groups"], 2);
    assert!(report.get("linkage").is_none());
}

/// A lawyer may be behind any of three labels, which no global recoding shows side by side.
#[test]
fn a_local_recoding_is_noticed_and_attacked_as_one() {
    let desk = desk();
    desk.put("local.csv", b"job\nProfessional\nLawyer\nANY\n*\n");
    desk.put("one.csv", b"job\nLawyer\n");
    let attack = ["attack", "local.csv", "--known", "one.csv", "--taxonomy", "job=job.csv"];
    let noticed = desk.must(&attack);
    assert!(noticed.err.contains("labels overlap"), "{noticed:?}");
    assert!(noticed.out.contains("worst case: 4 matching rows"), "{noticed:?}");
    let local = desk.must(&[&attack[..], &["--local"]].concat());
    assert_eq!(local.err, "");
    assert!(local.out.contains("worst case: 4 matching rows"), "{local:?}");
}

#[test]
fn wrong_columns_are_named_with_what_was_meant() {
    let desk = desk();
    desk.put("others.csv", b"city\nUlm\n");
    let known = ["--known", "known.csv"];
    for (flags, message) in [
        (
            &["--quasi", "jop"][..],
            "r.csv: there is no column `jop`; did you mean `job`?",
        ),
        (
            &["--known", "known.csv", "--quasi", "agee"],
            "known.csv: there is no column `agee`; did you mean `age`?",
        ),
        (
            &["--known", "known.csv", "--sensitive", "diseas"],
            "r.csv: there is no column `diseas`; did you mean `disease`?",
        ),
        (
            &["--known", "others.csv"],
            "r.csv: there is no column that the known people have too",
        ),
        (&[], "r.csv: nothing says by which columns people could be found"),
        (
            &["--quasi", "job", "--sensitive", "job"],
            "column `job` is both quasi and sensitive",
        ),
        (
            &[known[0], known[1], "--taxonomy", "jop=job.csv"],
            "column `jop` has a taxonomy but no part in the attack",
        ),
        (
            &[known[0], known[1], "--taxonomy", "job=none.csv"],
            "there is no taxonomy file `none.csv`",
        ),
        (&["--population"], "--known"),
        (&["--threshold", "2"], "expected a number from 0 to 1"),
    ] {
        let ended = desk.run(&[&["attack", "r.csv"], flags].concat());
        assert_eq!(ended.code, Some(2), "{flags:?}: {ended:?}");
        assert!(ended.err.contains(message), "{flags:?}: {ended:?}");
    }
}

/// Neither what is known nor what is released is ever repeated, even of the person who is worst off.
#[test]
fn no_cell_of_either_file_is_told() {
    let desk = Desk::with(&[
        ("r.csv", "job,zip,disease\nQz7job,Qz7zip,Qz7secret\nx,y,z\n"),
        ("known.csv", "job,zip,disease\nQz7job,Qz7zip,Qz7secret\nx,w,z\n"),
    ]);
    let attack = [
        "attack",
        "r.csv",
        "--known",
        "known.csv",
        "--sensitive",
        "disease",
        "--population",
    ];
    for more in [&[][..], &["--json"], &["--local"], &["--quasi", "jobs"]] {
        let ended = desk.run(&[&attack[..], more].concat());
        assert!(!format!("{ended:?}").contains("Qz7"), "{more:?}: {ended:?}");
    }
}

/// `publish --attack` knows the release in memory; `attack` reads both files and looks every person up. Both find the same.
#[test]
fn the_attack_at_publishing_is_the_attack_on_the_file() {
    let desk = Desk::sample("clinic");
    let told = desk.must(&["publish", "bounded.toml", "--attack"]);
    assert!(
        told.out.contains("  attacked: 4 people narrowed to fewer than 5 rows"),
        "{}",
        told.out
    );
    let private = desk.json("out/bounded/private/attack.json");
    let released = "out/bounded/released.csv";
    let attacked = json(&desk.must(&["attack", released, "--policy", "bounded.toml", "--json"]));
    for figures in ["risks", "singled_out", "shared", "linkage", "inference"] {
        assert!(!private[figures].is_null(), "{figures}");
        assert_eq!(private[figures], attacked[figures], "{figures}");
    }
    assert_eq!(desk.json("out/bounded/certificate.json")["risks"], private["risks"]);
}

const AGES: &str = "age,disease\n20,Flu\n21,HIV\n22,Flu\n23,HIV\n24,Flu\n25,HIV\n26,Cold\n40,Flu\n41,Cold\n60,HIV\n";

/// A policy on ages with some method.
fn gathered(method: &str) -> String {
    format!(
        "[data]\nfile = \"ages.csv\"\n[columns]\nage = {{ role = \"quasi\", type = \"continuous\" }}\n\
         disease = {{ role = \"sensitive\" }}\n[[require]]\nanonymity = 2\n[method]\nname = \"{method}\"\n"
    )
}

/// Everybody is in the release, so somebody who knows everybody finds a row for each of them.
#[test]
fn everybody_in_a_release_of_groups_is_matched() {
    for method in ["local", "mondrian", "k-member", "toc", "refine"] {
        let desk = Desk::with(&[("ages.csv", AGES), ("policy.toml", &gathered(method))]);
        desk.must(&["publish", "policy.toml"]);
        let expected = if method == "refine" { "global" } else { "local" };
        for said_by in ["certificate", "policy"] {
            let attack = ["attack", "out/released.csv", "--policy", "policy.toml", "--json"];
            let report = json(&desk.must(&attack));
            assert_eq!(report["linkage"]["without_match"], 0, "{method}: {report}");
            assert_eq!(report["recoding"], expected, "{method}");
            assert_eq!(report["recoding_said_by"], said_by, "{method}");
            let smallest = report["linkage"]["matching_rows"]["smallest"].as_u64().unwrap();
            assert!(smallest >= 2, "{method}: {report}");
            std::fs::remove_file(desk.path().join("out/certificate.json")).ok();
        }
    }
}

/// A mean is nobody's age. What cannot be looked up is said, not counted as people who are not there.
#[test]
fn nobody_is_looked_up_by_means() {
    let desk = Desk::with(&[("ages.csv", AGES), ("policy.toml", &gathered("microaggregation"))]);
    desk.must(&["publish", "policy.toml"]);
    let attack = ["attack", "out/released.csv", "--policy", "policy.toml"];
    let ended = desk.must(&attack);
    assert!(ended.err.contains("nobody is looked up by it"), "{ended:?}");
    assert!(!ended.out.contains("matched by no row"), "{ended:?}");
    let report = json(&desk.must(&[&attack[..], &["--json"]].concat()));
    assert_eq!(report["not_looked_up_by"][0], "age");
    assert!(report.get("linkage").is_none(), "{report}");
}

/// Everybody has a salary of their own: no quasi column is needed to find a row.
const SALARIES: &str = "job,salary,s\nx,4711,a\nx,5000,a\ny,5000,a\ny,5000,a\n";
const SALARY_POLICY: &str = "[data]\nfile = 'data.csv'\n[columns]\njob = { role = 'quasi' }\nsalary = { role = 'other' }\n\
                             s = { role = 'sensitive' }\n[[require]]\nanonymity = 2\n";

/// By the policy, by the certificate alone, and by what people are looked up by: all find who is alone on the salary.
#[test]
fn rows_that_are_alone_on_what_is_published_as_it_is_are_told_by_an_attack() {
    let desk = Desk::with(&[("data.csv", SALARIES), ("policy.toml", SALARY_POLICY)]);
    desk.must(&["publish", "policy.toml", "--attack"]);
    let certified = desk.json("out/certificate.json")["singled_out"].clone();
    assert_eq!(certified["as_they_are"]["uniques"], 1);
    assert_eq!(certified["with_masked"]["uniques"], 2);
    assert_eq!(desk.json("out/private/attack.json")["singled_out"], certified);
    let attack = |file: &str, flags: &[&str]| desk.must(&[&["attack", file], flags].concat());
    for flags in [["--policy", "policy.toml"], ["--quasi", "job"]] {
        let found = json(&attack("out/released.csv", &[&flags[..], &["--json"]].concat()));
        assert_eq!(found["singled_out"], certified, "{flags:?}");
    }
    desk.put("alone.csv", desk.read("out/released.csv").as_bytes());
    let found = json(&attack("alone.csv", &["--quasi", "job", "--json"]));
    assert_eq!(found["singled_out"], certified);

    let told = attack("out/released.csv", &["--policy", "policy.toml"]);
    let lines = "  on the columns published as they are: 1 of 4 rows alone, 4 with fewer than 5 alike\n  on these and the masked \
                 ones: 2 of 4 rows alone, 4 with fewer than 5 alike\n";
    assert!(told.out.contains(lines), "{told:?}");
    let warning = "alone on the columns published as they are: 1 of 4 rows;";
    assert!(
        told.err.contains(warning) && told.err.contains("most values have: salary"),
        "{told:?}"
    );
}

/// Where secrets are apart nothing is masked, and secrets are counted in their own table.
#[test]
fn an_attack_counts_secrets_that_are_apart_in_their_own_table() {
    let policy = "[data]\nfile = 'data.csv'\n[columns]\njob = { role = 'quasi' }\ns = { role = 'sensitive' }\n\
                  [[require]]\ndiversity = 2\nabout = 's'\n[method]\nname = 'anatomy'\n";
    let desk = Desk::with(&[("data.csv", "job,s\nx,a\ny,b\nx,c\nz,a\n"), ("policy.toml", policy)]);
    desk.must(&["publish", "policy.toml"]);
    let certified = desk.json("out/certificate.json")["singled_out"].clone();
    assert!(certified["secrets"].is_object(), "{certified}");
    let attack = ["attack", "out/released.csv", "--policy", "policy.toml", "--json"];
    assert_eq!(json(&desk.must(&attack))["singled_out"], certified);
}

#[test]
fn an_attack_by_joining_tells_who_is_alone_on_what_is_published_as_it_is() {
    let policy = SALARY_POLICY.replace("anonymity = 2\n", "anonymity = 1\nof = ['job', 'old.ward']\n")
        + "[[earlier]]\nname = 'old'\nfile = 'old.csv'\n";
    let desk = Desk::with(&[
        ("data.csv", SALARIES),
        ("old.csv", "job,ward\nx,V\ny,W\n"),
        ("policy.toml", &policy),
    ]);
    desk.must(&["publish", "policy.toml"]);
    let attack = ["attack", "out/released.csv", "--policy", "policy.toml", "--join"];
    let found = json(&desk.must(&[&attack[..], &["--json"]].concat()));
    assert_eq!(found["singled_out"], desk.json("out/certificate.json")["singled_out"]);
    assert_eq!(found["singled_out"]["as_they_are"]["uniques"], 1);
    let told = desk.must(&attack);
    assert!(
        told.out
            .contains("on the columns published as they are: 1 of 4 rows alone"),
        "{told:?}"
    );
    assert!(
        told.err
            .contains("alone on the columns published as they are: 1 of 4 rows;"),
        "{told:?}"
    );
}
