//! Every shipped example runs as its page says, and the docs speak of what is there.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::desk::{Desk, Ended};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What several parties have in place of a policy; they publish in `mashup/sample.rs`.
const AGREEMENT: &str = "agreement.toml";

/// Every policy of every example: the audit of the file finds what the certificate says. Of templates that count by a
/// column which is not published, the file cannot tell, and the audit says which column it lacks.
#[test]
fn every_example_is_published_and_passes_the_audit() {
    let desk = Desk::with(&[]);
    let listed = json(&desk.must(&["sample", "--json"]));
    for example in listed.as_array().unwrap() {
        let name = example["name"].as_str().unwrap();
        desk.must(&["sample", name]);
        let files = fs::read_dir(desk.path().join(name)).unwrap();
        let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let policies: Vec<String> = files.filter(|file| file.ends_with(".toml")).collect();
        if policies == [AGREEMENT] {
            continue;
        }
        assert!(policies.contains(&"policy.toml".to_owned()), "{name}");
        for file in policies {
            publish_and_audit(&desk, &format!("{name}/{file}"));
        }
    }
}

fn publish_and_audit(desk: &Desk, policy: &str) {
    let published = json(&desk.must(&["publish", policy, "--json"]));
    // A rare secret makes a row stand out, whatever is masked; that is counted, and is so of any table with secrets.
    let is_alone = |warning: &Value| {
        warning
            .as_str()
            .unwrap()
            .contains("alone on the columns published as they are")
    };
    let mut warnings = published["warnings"].as_array().unwrap().iter();
    assert_eq!(
        warnings.find(|warning| !is_alone(warning)),
        None,
        "{policy}: an example should not need to be excused"
    );
    assert_eq!(published["columns_left_out"], json!([]), "{policy}");
    let loss = published["certificate"]["information_loss"].as_f64();
    assert!(loss < Some(1.0), "{policy}: a release that says nothing");
    let audit = desk.run(&["audit", published["released"].as_str().unwrap(), policy, "--json"]);
    let (found, certified) = (json(&audit), &published["certificate"]["require"]);
    let certified = certified.as_array().unwrap();
    let mut uncounted = 0;
    for (found, certified) in found["require"].as_array().unwrap().iter().zip(certified) {
        assert_eq!(certified["holds"], true, "{policy}: {certified}");
        let unpublished = certified.get("guarding").or_else(|| certified["per"].get(0));
        match unpublished {
            Some(column) => {
                assert_eq!(found["lacking"], json!([column]), "{policy}");
                uncounted += 1;
            }
            None => assert_eq!(found["level"], certified["level"], "{policy}"),
        }
    }
    assert_eq!(audit.code, Some(i32::from(uncounted > 0)), "{policy}: {audit:?}");
}

/// The figures of `examples/clinic/README.md`.
#[test]
fn the_page_of_the_clinic_says_what_comes_out() {
    let desk = Desk::sample("clinic");
    let certificate = |policy: &str| json(&desk.must(&["publish", policy, "--json"]))["certificate"].clone();
    let mask = |certificate: &Value, column: usize, shown: &str| {
        let shown = &certificate["columns"][column]["mask"][shown];
        shown.as_array().unwrap().len()
    };
    let mixed = certificate("policy.toml");
    assert_eq!((mask(&mixed, 0, "intervals"), mask(&mixed, 4, "disclosed")), (6, 3));
    assert_eq!(certificate("bounded.toml")["risks"]["prosecutor"]["highest"], 0.25);
    let population = certificate("population.toml");
    assert_eq!(population["risks"]["uniques"], 2);
    let anonymity = desk.read("population.toml").replace("k-map", "anonymity");
    let anonymity = anonymity.replace("population = \"population.csv\"\n", "");
    desk.put(
        "anonymity.toml",
        anonymity.replace("out/population", "out/anonymity").as_bytes(),
    );
    let anonymity = certificate("anonymity.toml");
    assert_eq!((mask(&population, 3, "cut"), mask(&anonymity, 3, "cut")), (6, 2));
    let refined = desk
        .read("local.toml")
        .replace("name = \"local\"", "objective = \"certainty\"");
    desk.put("refined.toml", refined.replace("out/local", "out/refined").as_bytes());
    let loss = |policy: &str| (100.0 * certificate(policy)["information_loss"].as_f64().unwrap()).round();
    assert_eq!((loss("local.toml"), loss("refined.toml")), (18.0, 47.0));
    assert_eq!(certificate("ranges.toml")["rows"]["left_out"], 0);
    let apart = certificate("anatomy.toml");
    assert_eq!(apart["secrets"]["groups"], 150);
    assert_eq!(apart["require"][1]["level"], 0.25);
    assert_eq!(apart["risks"]["uniques"], 493);
}

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap()
}

/// A command in a page of an example is one that can be run there.
#[test]
fn every_policy_is_explained_on_its_page() {
    for example in fs::read_dir(root().join("examples")).unwrap() {
        let folder = example.unwrap().path();
        let page = fs::read_to_string(folder.join("README.md")).unwrap();
        let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name());
        for file in files.filter_map(|name| name.into_string().ok()) {
            let command = match file == AGREEMENT {
                true => format!("scumble party {file} --as "),
                false => format!("scumble publish {file}\n"),
            };
            assert!(
                !file.ends_with(".toml") || page.contains(&command),
                "{folder:?}: {file}"
            );
        }
    }
}

/// What `--help` lists must be in the docs, and every page that the README links to must be there.
#[test]
fn the_docs_name_every_command_and_every_link_leads_somewhere() {
    let desk = Desk::with(&[]);
    let help = desk.must(&["--help"]).out;
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    for line in commands.take_while(|line| !line.is_empty()) {
        let command = line.split_whitespace().next().unwrap_or("help");
        assert!(
            command == "help" || changelog.contains(&format!("scumble {command}")),
            "{command}"
        );
    }
    for link in readme
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(link, _)| link)
    {
        assert!(link.starts_with("http") || root().join(link).exists(), "{link}");
    }
}

/// The two commands that the README begins with: the first is run as it stands, but for where it writes and who compiled it,
/// the second must be there to be run.
#[test]
fn the_first_commands_of_the_readme_work() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks = readme
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().trim());
    let first: Vec<&str> = blocks.take(2).collect();
    let [publish, check] = first[..] else {
        panic!("{first:?}")
    };

    let arguments: Vec<&str> = publish
        .strip_prefix("cargo run --release -- ")
        .unwrap()
        .split(' ')
        .collect();
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(
        workspace.contains("default-members = [\"cli\"]"),
        "`cargo run` would not know what to run"
    );
    assert!(workspace.contains("rust-version = \"1.89\"") && readme.contains("1.89 or later"));
    let desk = Desk::with(&[]);
    let mut command = desk.command();
    command
        .current_dir(root())
        .args(arguments)
        .arg("--out")
        .arg(desk.path().join("out"));
    let ended = Ended::of(command.output().unwrap());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for file in ["released.csv", "certificate.json", "private/report.html"] {
        assert!(readme.contains(file) && desk.has(&format!("out/{file}")), "{file}");
    }

    let script = root().join(check);
    assert!(
        fs::read_to_string(&script).unwrap().starts_with("#!/bin/sh\n"),
        "{script:?}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&script).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{mode:o}");
        let read = std::process::Command::new("sh")
            .arg("-n")
            .arg(&script)
            .status()
            .unwrap();
        assert!(read.success());
    }
}

/// A page that points at a file must point at one that is there.
#[test]
fn every_file_that_the_docs_name_is_there() {
    let pages = [
        "README.md",
        "CHANGELOG.md",
        "docs/architecture.md",
        "docs/guarantees.md",
        "docs/attack.md",
        "docs/formats.md",
        "docs/defaults.md",
        "docs/measures.md",
        "proof/README.md",
    ];
    let mut named = 0;
    for page in pages {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let quoted = text.split('`').skip(1).step_by(2);
        for path in quoted.filter(|word| {
            ["crates/", "cli/", "bench/", "fuzz/", "proof/", "docs/"]
                .iter()
                .any(|top| word.starts_with(top))
        }) {
            assert!(root().join(path).exists(), "{page} names {path}");
            named += 1;
        }
    }
    assert!(named > 10, "{named}");
}

/// Whether a file of Rust, or one in a folder, has something that runs.
fn has_tests(path: &Path) -> bool {
    if path.is_dir() {
        let mut entries = fs::read_dir(path).unwrap();
        return entries.any(|entry| has_tests(&entry.unwrap().path()));
    }
    let is_rust = path.extension().is_some_and(|ending| ending == "rs");
    let runs = |text: String| text.contains("#[test]") || text.contains("fuzz_target!(");
    is_rust && fs::read_to_string(path).is_ok_and(runs)
}

/// Each line of the table of promises says what shows it, and there is a test in each of these places.
#[test]
fn every_promise_of_the_program_is_shown_by_tests() {
    let page = fs::read_to_string(root().join("docs/guarantees.md")).unwrap();
    let (_, section) = page.split_once("## Of the program\n").unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with("|---"));
    let lines: Vec<&str> = lines.skip(1).take_while(|line| line.starts_with('|')).collect();
    assert!(lines.len() > 15, "{} promises", lines.len());
    for line in lines {
        let shown_by = line.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        let paths: Vec<&str> = shown_by.split('`').skip(1).step_by(2).collect();
        assert!(!paths.is_empty(), "nothing shows that {line}");
        for path in paths {
            assert!(
                has_tests(&root().join(path)),
                "{path} has no test, which is to show that {line}"
            );
        }
    }
}

/// The words of a policy, in `docs/formats.md` as in the parser: the page's own policy must parse.
#[test]
fn the_policy_of_the_docs_is_a_policy() {
    let formats = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let policy = formats
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let row = "x,30,Janitor,CH,Flu,10,y,-\n";
    let data = "name,age,job,country,disease,income,insured,note\n".to_owned() + &row.repeat(5);
    let desk = Desk::with(&[
        ("policy.toml", policy),
        ("patients.csv", &data),
        ("job.csv", "Janitor;ANY\nMover;ANY\n"),
    ]);
    desk.must(&["publish", "policy.toml"]);
}
