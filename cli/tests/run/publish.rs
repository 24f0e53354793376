//! `publish`, `audit` and `sample` as a user runs them.

use crate::desk::Desk;

/// Table 4.1 of the thesis with both templates of example 4.1.1: the levels are those of figures 4.3 and 4.4.
#[test]
fn the_shipped_patients_are_published_and_pass_the_audit() {
    let desk = Desk::patients();
    let ended = desk.must(&["publish", "policy.toml"]);
    assert!(
        ended.out.contains("Released 34 rows to out/released.csv"),
        "{}",
        ended.out
    );

    let certificate = desk.json("out/certificate.json");
    assert_eq!(certificate["rows"]["published"], 34);
    let levels: Vec<_> = certificate["require"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["level"].clone())
        .collect();
    assert_eq!(levels, [4, 12]);
    assert_eq!(certificate["columns"][0]["name"], "job");

    let released = desk.read("out/released.csv");
    assert_eq!(released.lines().next(), Some("job,sex,age,disease,insured"));
    assert_eq!(released.lines().count(), 35);
    assert!(desk.has("out/private/trace.json"));

    let audit = desk.must(&["audit", "out/released.csv", "policy.toml"]);
    assert!(audit.out.contains("holds  anonymity 4 of job, sex: 4"), "{}", audit.out);
}

#[test]
fn the_raw_table_fails_the_audit_with_exit_code_1() {
    let desk = Desk::patients();
    let ended = desk.run(&["audit", "patients.csv", "policy.toml"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.out.contains("FAILS  anonymity 4 of job, sex: 1"), "{}", ended.out);
    assert!(
        ended.out.contains("FAILS  the identifier name is in the release"),
        "{}",
        ended.out
    );
}

#[test]
fn the_same_bytes_come_out_on_one_thread_and_on_many() {
    let desk = Desk::with(&[]);
    desk.must(&["sample", "census", "--out", "."]);
    for threads in ["1", "2", "5"] {
        let out = format!("out{threads}");
        let command = desk
            .command()
            .args(["publish", "policy.toml", "--out", &out])
            .env("RAYON_NUM_THREADS", threads)
            .output();
        assert!(command.unwrap().status.success());
        for file in ["released.csv", "certificate.json", "private/trace.json"] {
            assert_eq!(
                desk.read(&format!("out1/{file}")),
                desk.read(&format!("{out}/{file}")),
                "{file}"
            );
        }
    }
}

/// The order of the input must not show in the release.
#[test]
fn the_order_of_the_rows_does_not_show() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    let data = desk.read("patients.csv");
    let (header, rows) = data.split_once('\n').unwrap();
    let reversed: Vec<&str> = rows.lines().rev().collect();
    desk.put(
        "patients.csv",
        format!("{header}\n{}\n", reversed.join("\n")).as_bytes(),
    );
    desk.must(&["publish", "policy.toml", "--out", "again"]);
    assert_eq!(desk.read("out/released.csv"), desk.read("again/released.csv"));
    assert_eq!(desk.read("out/certificate.json"), desk.read("again/certificate.json"));
}

#[test]
fn a_release_is_not_replaced_unless_told_to() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml", "--steps", "1"]);
    let first = desk.read("out/released.csv");
    let second = desk.run(&["publish", "policy.toml"]);
    assert_eq!(second.code, Some(2), "{second:?}");
    assert!(
        second.err.contains("already exists") && second.err.contains("--force"),
        "{}",
        second.err
    );
    assert_eq!(desk.read("out/released.csv"), first);
    desk.must(&["publish", "policy.toml", "--force"]);
    assert_ne!(desk.read("out/released.csv"), first);
}

/// Every step leaves a valid release; step n of the trace is what `--steps n` gives.
#[test]
fn stopping_early_gives_the_release_of_that_step() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    let trace = desk.json("out/private/trace.json");
    for (number, step) in trace["steps"].as_array().unwrap().iter().enumerate() {
        let (steps, out) = ((number + 1).to_string(), format!("out{number}"));
        desk.must(&["publish", "policy.toml", "--steps", &steps, "--out", &out]);
        let certificate = desk.json(&format!("{out}/certificate.json"));
        for (template, level) in certificate["require"]
            .as_array()
            .unwrap()
            .iter()
            .zip(step["levels"].as_array().unwrap())
        {
            assert_eq!(&template["level"], level);
        }
    }
}

/// The mask of a certificate gives the same release on the same file, and masks another file alike.
#[test]
fn a_certificate_masks_another_file_alike() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    desk.must(&[
        "publish",
        "policy.toml",
        "--mask",
        "out/certificate.json",
        "--out",
        "same",
    ]);
    assert_eq!(desk.read("out/released.csv"), desk.read("same/released.csv"));

    // Next month there are twice as many people.
    let data = desk.read("patients.csv");
    let (header, rows) = data.split_once('\n').unwrap();
    desk.put("next.csv", format!("{header}\n{rows}{rows}").as_bytes());
    desk.must(&[
        "publish",
        "policy.toml",
        "--data",
        "next.csv",
        "--mask",
        "out/certificate.json",
        "--out",
        "next",
    ]);
    assert_eq!(desk.json("next/certificate.json")["require"][0]["level"], 8);
    assert_eq!(desk.json("next/certificate.json")["method"]["name"], "mask");
}

/// Too few rows for the requirement under a given mask: nothing is written, unless the budget allows to leave them out.
#[test]
fn a_mask_that_breaks_the_requirement_is_refused() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    let data = desk.read("patients.csv");
    let few: Vec<&str> = data.lines().take(20).collect();
    desk.put("few.csv", (few.join("\n") + "\n").as_bytes());
    let arguments = [
        "publish",
        "policy.toml",
        "--data",
        "few.csv",
        "--mask",
        "out/certificate.json",
        "--out",
        "few",
    ];
    let ended = desk.run(&arguments);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("rows are left out"), "{}", ended.err);
    assert!(!desk.has("few"));

    let lenient = desk.read("policy.toml") + "[method]\nrows_suppressed_at_most = 0.9\n";
    desk.put("policy.toml", lenient.as_bytes());
    desk.must(&arguments);
    assert!(desk.json("few/certificate.json")["rows"]["left_out"].as_u64().unwrap() > 0);
}

/// A lone outlier blocks a refinement; with a budget it is left out, whole.
#[test]
fn a_row_budget_leaves_outliers_out() {
    let mut rows = String::from("city,job,class\n");
    for n in 0..40 {
        rows += &format!(
            "{},{},{}\n",
            ["Bern", "Basel"][n % 2],
            ["a", "b"][n / 20],
            ["y", "n"][n % 2]
        );
    }
    rows += "Visp,zzz,y\n";
    let desk = Desk::with(&[("d.csv", &rows)]);
    let flags = [
        "publish",
        "d.csv",
        "--quasi",
        "city,job",
        "--class",
        "class",
        "--anonymity",
        "5",
    ];
    desk.must(&[&flags[..], &["--out", "strict"]].concat());
    desk.must(&[&flags[..], &["--out", "budget", "--rows-suppressed-at-most", "0.03"]].concat());
    let strict = desk.json("strict/certificate.json");
    let budget = desk.json("budget/certificate.json");
    assert_eq!(budget["rows"]["published"], 40);
    assert_eq!(budget["rows"]["left_out"], 1);
    assert!(budget["information_loss"].as_f64() < strict["information_loss"].as_f64());
    let everything = desk.read("budget/released.csv") + &desk.read("budget/certificate.json");
    assert!(
        !everything.contains("Visp") && !everything.contains("zzz"),
        "{everything}"
    );
}

/// One person has many rows: rows are plenty, people are few.
#[test]
fn per_counts_different_people() {
    let mut rows = String::from("patient,sex,town\n");
    for n in 0..30 {
        rows += &format!("p{},{},{}\n", n % 3, ["F", "M"][(n % 3) / 2], ["a", "b"][(n % 3) / 2]);
    }
    let policy = |per: &str| {
        format!(
            "[data]\nfile = 'd.csv'\n[columns]\npatient = {{ role = 'identifier' }}\nsex = {{ role = 'quasi' }}\n\
             town = {{ role = 'quasi' }}\n[[require]]\nanonymity = 2\n{per}\n"
        )
    };
    let desk = Desk::with(&[
        ("d.csv", &rows),
        ("rows.toml", &policy("")),
        ("people.toml", &policy("per = ['patient']")),
    ]);
    desk.must(&["publish", "rows.toml", "--out", "rows"]);
    desk.must(&["publish", "people.toml", "--out", "people"]);
    assert!(desk.read("rows/released.csv").contains("M,b"));
    assert!(
        !desk.read("people/released.csv").contains('M'),
        "{}",
        desk.read("people/released.csv")
    );
    let audit = desk.run(&["audit", "people/released.csv", "people.toml"]);
    assert_eq!(audit.code, Some(1));
    assert!(
        audit.out.contains("cannot be counted, the release has no patient"),
        "{}",
        audit.out
    );
}

#[test]
fn parquet_in_and_out() {
    let desk = Desk::patients();
    let policy = desk
        .read("policy.toml")
        .replace("[release]", "[release]\nformat = \"parquet\"");
    desk.put("parquet.toml", policy.as_bytes());
    desk.must(&["publish", "parquet.toml"]);
    let audit = desk.must(&["audit", "out/released.parquet", "policy.toml"]);
    assert!(audit.out.starts_with("34 rows"), "{}", audit.out);
}

#[test]
fn json_everywhere() {
    let desk = Desk::patients();
    for arguments in [
        &["publish", "policy.toml"][..],
        &["audit", "out/released.csv", "policy.toml"],
        &["inspect", "patients.csv"],
        &["taxonomy", "check", "job.csv"],
        &["sample"],
        &["publish", "nowhere.toml"],
    ] {
        let ended = desk.run(&[arguments, &["--json"]].concat());
        let value: serde_json::Value =
            serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{arguments:?}: {ended:?}"));
        assert_eq!(value.get("error").is_some(), ended.code == Some(2), "{value}");
        assert_eq!(ended.err, "");
    }
}

#[test]
fn inspect_writes_a_policy_that_publishes() {
    let desk = Desk::patients();
    desk.must(&["inspect", "patients.csv", "--policy=first.toml"]);
    desk.must(&["publish", "first.toml", "--out", "first"]);
    desk.must(&["audit", "first/released.csv", "first.toml"]);
    let again = desk.run(&["inspect", "patients.csv", "--policy=first.toml"]);
    assert_eq!(
        again.code,
        Some(3),
        "a file that is there is not overwritten: {again:?}"
    );
}

#[test]
fn taxonomies_are_built_and_checked() {
    let desk = Desk::with(&[("d.csv", "zip,age\n94107,30\n94110,41\n10001,77\n")]);
    desk.must(&[
        "taxonomy",
        "prefixes",
        "d.csv",
        "--column",
        "zip",
        "--lengths",
        "3,1",
        "--out",
        "zip.csv",
    ]);
    assert!(
        desk.read("zip.csv").contains("94107;941**;9****;*"),
        "{}",
        desk.read("zip.csv")
    );
    desk.must(&["taxonomy", "check", "zip.csv", "--data", "d.csv", "--column", "zip"]);
    let built = desk.must(&["taxonomy", "equal-width", "d.csv", "--column", "age", "--ranges", "4"]);
    assert_eq!(built.out.lines().count(), 3);
    let lacking = desk.run(&["taxonomy", "check", "zip.csv", "--data", "d.csv", "--column", "age"]);
    assert_eq!(lacking.code, Some(2), "{lacking:?}");
}
