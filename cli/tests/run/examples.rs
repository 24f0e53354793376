//! Every shipped example runs as its page says, and the docs speak of what is there.

use std::fs;
use std::path::PathBuf;

use crate::desk::Desk;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_example_is_published_and_passes_the_audit() {
    let desk = Desk::with(&[]);
    let listed = desk.must(&["sample", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    for example in listed.as_array().unwrap() {
        let name = example["name"].as_str().unwrap();
        desk.must(&["sample", name]);
        let policy = format!("{name}/policy.toml");
        desk.must(&["publish", &policy]);
        desk.must(&["audit", &format!("{name}/out/released.csv"), &policy]);
        assert!(root().join("examples").join(name).join("README.md").exists());
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
    ];
    let mut named = 0;
    for page in pages {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let quoted = text.split('`').skip(1).step_by(2);
        for path in quoted.filter(|word| {
            ["crates/", "cli/", "bench/", "fuzz/"]
                .iter()
                .any(|top| word.starts_with(top))
        }) {
            assert!(root().join(path).exists(), "{page} names {path}");
            named += 1;
        }
    }
    assert!(named > 10, "{named}");
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
    let data = "name,age,job,country,disease,insured,note\n".to_owned() + &"x,30,Janitor,CH,Flu,y,-\n".repeat(5);
    let desk = Desk::with(&[
        ("policy.toml", policy),
        ("patients.csv", &data),
        ("job.csv", "Janitor;ANY\nMover;ANY\n"),
    ]);
    desk.must(&["publish", "policy.toml"]);
}
