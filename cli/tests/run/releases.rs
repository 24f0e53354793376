//! Releases after releases: what was published before is taken into account.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::desk::{Desk, Ended};

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

/// The figures of `examples/releases/README.md`.
#[test]
fn the_page_of_the_releases_says_what_comes_out() {
    let desk = Desk::sample("releases");
    let published = json(&desk.must(&["publish", "policy.toml", "--json"]));
    let release = &published["cover"]["releases"][0];
    assert_eq!(
        (&release["name"], &release["records"]),
        (&json!("clinic2024"), &json!(240))
    );
    assert_eq!(published["cover"]["without_match"], 0);
    let certificate = &published["certificate"];
    assert_eq!(certificate["earlier"], json!([{ "name": "clinic2024", "rows": 240 }]));
    assert_eq!(
        (&certificate["require"][0]["level"], &certificate["require"][1]["level"]),
        (&json!(8), &json!(0.5))
    );
    assert_eq!(certificate["columns"][1]["mask"]["cut"], json!(["Anywhere"]));
    let raw = desk.run(&["audit", "tests.csv", "policy.toml", "--json"]);
    assert_eq!((raw.code, &json(&raw)["require"][1]["level"]), (Some(1), &json!(1.0)));

    let attack = json(&desk.must(&[
        "attack",
        "out/released.csv",
        "--policy",
        "policy.toml",
        "--join",
        "--json",
    ]));
    let exposed = |when: &str| {
        let joined = &attack[when]["joined"];
        (
            joined["violating"][0]["rows"].clone(),
            joined["certain"][0]["records"].clone(),
        )
    };
    assert_eq!(exposed("before"), (json!(41), json!(5)));
    assert_eq!(exposed("after"), (json!(0), json!(0)));
    let page = desk.read("out/private/report.md");
    assert!(
        page.contains("## Earlier releases") && page.contains("clinic2024"),
        "{page}"
    );
}

/// Table 6.1: alone, each name and each disease has two rows; joined, {Bob, HIV} is one person.
#[test]
fn a_join_that_sharpens_is_found_and_masked_away() {
    let policy = "[data]\nfile = \"now.csv\"\n[columns]\nname = { role = \"quasi\" }\njob = { role = \"quasi\" }\n\
                  class = { role = \"class\" }\n[[earlier]]\nname = \"before\"\nfile = \"before.csv\"\n\
                  [[require]]\nanonymity = 2\nof = [\"name\", \"before.disease\"]\n";
    let desk = Desk::with(&[
        (
            "now.csv",
            "name,job,class\nAlice,Banker,c1\nAlice,Banker,c1\nBob,Clerk,c2\nBob,Driver,c3\nCathy,Engineer,c4\n",
        ),
        (
            "before.csv",
            "job,disease\nBanker,Cancer\nBanker,Cancer\nClerk,HIV\nDriver,Cancer\nEngineer,HIV\n",
        ),
        ("policy.toml", policy),
    ]);
    let raw = json(&desk.run(&["audit", "now.csv", "policy.toml", "--json"]));
    assert_eq!(raw["require"][0]["level"], 1);
    let published = desk.must(&["publish", "policy.toml"]);
    assert!(
        published.err.contains("`job`") || published.err.contains("job"),
        "{published:?}"
    );
    let audit = json(&desk.must(&["audit", "out/released.csv", "policy.toml", "--json"]));
    assert_eq!(audit["holds"], true);
}

/// A mask that was found for a looser bound is no fault of the program, but breaks this one.
#[test]
fn a_mask_of_another_release_is_counted_on_the_join_too() {
    let desk = Desk::sample("releases");
    let strict = desk.read("policy.toml");
    let loose = strict.replace("anonymity = 5", "anonymity = 1").replace("0.6", "1.0");
    desk.put("loose.toml", loose.as_bytes());
    desk.must(&["publish", "loose.toml", "--out", "loose"]);
    let ended = desk.run(&["publish", "policy.toml", "--mask", "loose/certificate.json"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended.err.contains("anonymity 5 of") && !desk.has("out"),
        "{}",
        ended.err
    );
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
    assert_eq!(desk.read("again/released.csv"), desk.read("out/released.csv"));
}

/// Somebody was tested who is not among the patients.
#[test]
fn a_record_without_a_match_is_an_error_unless_told_otherwise() {
    let desk = Desk::sample("releases");
    let tests = desk.read("tests.csv");
    let (kept, dropped): (Vec<&str>, Vec<&str>) = tests.lines().partition(|line| !line.contains(",China,M,"));
    assert!(!dropped.is_empty());
    desk.put("tests.csv", (kept.join("\n") + "\n").as_bytes());
    let ended = desk.run(&["publish", "policy.toml"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let said = format!("{} of them match none of this table", dropped.len());
    assert!(
        ended.err.contains(&said) && ended.err.contains("on_dangling"),
        "{}",
        ended.err
    );
    assert!(!desk.has("out"));

    let policy = desk
        .read("policy.toml")
        .replace("\n\n# Nobody", "\non_dangling = \"report\"\n\n# Nobody");
    desk.put("policy.toml", policy.as_bytes());
    let told = desk.must(&["publish", "policy.toml"]).out;
    assert!(told.contains(&said), "{told}");
    assert!(!desk.read("out/certificate.json").contains("without_match"));
}

/// Errors of earlier releases name the release, the column and the row, and nothing is written.
#[test]
fn an_earlier_release_that_cannot_be_understood_is_an_error() {
    let says = |change: &dyn Fn(&Desk), expected: &[&str]| {
        let desk = Desk::sample("releases");
        change(&desk);
        let ended = desk.run(&["publish", "policy.toml"]);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        let all = expected.iter().all(|words| ended.err.contains(words));
        assert!(all, "{expected:?}: {}", ended.err);
        assert!(!ended.err.contains("Atlantis"), "{}", ended.err);
        assert!(!desk.has("out"));
    };
    let earlier = |desk: &Desk, from: &str, to: &str| {
        let text = desk.read("clinic2024/released.csv").replacen(from, to, 1);
        desk.put("clinic2024/released.csv", text.as_bytes());
    };
    says(
        &|desk| earlier(desk, "Brazil", "Atlantis"),
        &["`birth`", "`clinic2024`", "row 1"],
    );
    says(
        &|desk| {
            earlier(desk, "birth,sex", "born,gender");
            let policy = desk.read("policy.toml");
            let (before, after) = policy.split_once("[[inconsistent]]").unwrap();
            let (_, after) = after.split_once("\n\n").unwrap();
            desk.put("policy.toml", (before.to_owned() + after).as_bytes());
        },
        &["`clinic2024`", "shares no column"],
    );
    says(
        &|desk| fs::remove_file(desk.path().join("clinic2024/released.csv")).unwrap(),
        &["policy.toml", "clinic2024/released.csv"],
    );
    says(
        &|desk| {
            desk.put("other.csv", b"Brazil;South;World\nFrance;North;World\n");
            let policy = desk.read("policy.toml");
            let named = "file = \"clinic2024/released.csv\"\n";
            let other = format!("{named}taxonomies = {{ birth = \"other.csv\" }}\n");
            desk.put("policy.toml", policy.replace(named, &other).as_bytes());
        },
        &["`birth`", "taxonom"],
    );
}

const FIRST: &str = "[data]\nfile = \"clinic.csv\"\n[columns]\nbirth = { role = \"quasi\", taxonomy = \"birth.csv\" }\n\
                     sex = { role = \"quasi\" }\nzip = { role = \"quasi\" }\nward = { role = \"sensitive\" }\n\
                     [[require]]\nanonymity = 3\n[release]\nfolder = \"first\"\n";

const SECOND: &str = "[data]\nfile = \"tests.csv\"\n[columns]\npatient = { role = \"identifier\" }\n\
                      job = { role = \"quasi\", taxonomy = \"job.csv\" }\nbirth = { role = \"quasi\", taxonomy = \"birth.csv\" }\n\
                      sex = { role = \"quasi\" }\ntest = { role = \"sensitive\" }\ninsured = { role = \"class\" }\n\
                      [[require]]\nanonymity = 5\n[release]\nfolder = \"second\"\n";

/// The clinic of the example, which has not published anything yet, with two policies that know nothing of each other.
fn clinic() -> Desk {
    let desk = Desk::sample("releases");
    desk.put("clinic.csv", desk.read("clinic2024/released.csv").as_bytes());
    desk.put("first.toml", FIRST.as_bytes());
    desk.put("second.toml", SECOND.as_bytes());
    desk
}

#[test]
fn a_ledger_joins_what_was_published_before_without_being_told() {
    let desk = clinic();
    let first = json(&desk.must(&["publish", "first.toml", "--ledger", "ledger", "--json"]));
    assert_eq!(
        (&first["entry"], &first["cover"]["releases"]),
        (&json!("first"), &json!([]))
    );
    let second = json(&desk.must(&["publish", "second.toml", "--ledger", "ledger", "--json"]));
    assert_eq!(second["entry"], "second");
    assert_eq!(second["cover"]["releases"][0]["name"], "first");
    // The quasi columns of the first are known, too, and those of both count twice.
    let of = &second["certificate"]["require"][0]["of"];
    let expected = json!(["job", "birth", "sex", "first.birth", "first.sex", "first.zip"]);
    assert_eq!(of, &expected);
    let audit = json(&desk.must(&[
        "audit",
        "second/released.csv",
        "second.toml",
        "--ledger",
        "ledger",
        "--json",
    ]));
    assert_eq!(
        audit["require"][0]["level"],
        second["certificate"]["require"][0]["level"]
    );
    let alone = json(&desk.must(&[
        "audit",
        "first/released.csv",
        "first.toml",
        "--ledger",
        "ledger",
        "--json",
    ]));
    assert_eq!(
        alone["require"][0]["level"],
        first["certificate"]["require"][0]["level"]
    );

    let listed = desk.must(&["ledger", "list", "--ledger", "ledger"]).out;
    assert!(listed.contains("first") && listed.contains("second"), "{listed}");
    // Another population has another past.
    let other = SECOND.replace("file = \"tests.csv\"", "file = \"tests.csv\"\npopulation = \"others\"");
    desk.put("other.toml", other.replace("second", "third").as_bytes());
    let third = json(&desk.must(&["publish", "other.toml", "--ledger", "ledger", "--json"]));
    assert_eq!(third["cover"]["releases"], json!([]));
}

#[test]
fn a_past_that_cannot_be_read_stops_the_release() {
    let desk = clinic();
    desk.must(&["publish", "first.toml", "--ledger", "ledger"]);
    let second = ["publish", "second.toml", "--ledger", "ledger"];
    let refused = |expected: &str| {
        let ended = desk.run(&second);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(
            ended.err.contains("first") && ended.err.contains(expected),
            "{}",
            ended.err
        );
        assert!(!desk.has("second"));
    };
    let released = desk.read("first/released.csv");
    fs::remove_file(desk.path().join("first/released.csv")).unwrap();
    refused("ledger forget first");
    desk.put("first/released.csv", (released.clone() + "*,*,*,Surgery\n").as_bytes());
    refused("changed");
    desk.put("first/released.csv", released.as_bytes());
    let birth = desk.read("birth.csv");
    desk.put("birth.csv", birth.replace("Europe", "Old_World").as_bytes());
    refused("taxonomy");
    desk.put("birth.csv", birth.as_bytes());
    // A release that is called alike does not hide the one of the ledger.
    let alike = format!("{SECOND}[[earlier]]\nname = \"first\"\nfile = \"clinic2024/released.csv\"\n");
    desk.put("alike.toml", alike.as_bytes());
    let alike = desk.run(&["publish", "alike.toml", "--ledger", "ledger"]);
    assert!(alike.code == Some(2) && alike.err.contains("`first`"), "{alike:?}");
    // What is out cannot be replaced, and a name is given once.
    let again = desk.run(&["publish", "first.toml", "--ledger", "ledger", "--force"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert_eq!(desk.read("first/released.csv"), released);
    let taken = desk.run(&["publish", "second.toml", "--ledger", "ledger", "--name", "first"]);
    assert!(taken.code == Some(2) && taken.err.contains("first-2"), "{taken:?}");
    desk.must(&["ledger", "forget", "first", "--ledger", "ledger"]);
    desk.must(&second);
}

/// Two at once: one waits for the other, and knows of it.
#[test]
fn publishing_twice_at_once_misses_nothing() {
    let desk = clinic();
    let start = |policy: &str| {
        let mut command = desk.command();
        command.args(["publish", policy, "--ledger", "ledger", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let both = [start("first.toml"), start("second.toml")].map(|child| child.wait_with_output().unwrap());
    assert!(both.iter().all(|output| output.status.success()), "{both:?}");
    let joined = both.iter().map(|output| {
        let published: Value = serde_json::from_slice(&output.stdout).unwrap();
        published["cover"]["releases"].as_array().unwrap().len()
    });
    assert_eq!(joined.sum::<usize>(), 1);
    let listed = desk.must(&["ledger", "list", "--ledger", "ledger", "--json"]).out;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["releases"].as_array().unwrap().len(), 2);
}

const VERSION: &str = "[data]\nfile = \"people.csv\"\n[columns]\njob = { role = \"quasi\" }\ndisease = { role = \"sensitive\" }\n\
                       [[require]]\nanonymity = 2\n[[require]]\nconfidence = 0.6\nabout = { disease = \"*\" }\n";

fn people(rows: &[(&str, &str, usize)]) -> String {
    let rows = rows
        .iter()
        .map(|(job, disease, count)| format!("{job},{disease}\n").repeat(*count));
    "job,disease\n".to_owned() + &rows.collect::<String>()
}

/// A desk with a first version in its ledger: cooks have HIV or the flu, clerks the flu or a cold.
fn first_version() -> (Desk, String) {
    let people = people(&[
        ("Cook", "HIV", 2),
        ("Cook", "Flu", 2),
        ("Clerk", "Flu", 3),
        ("Clerk", "Cold", 3),
    ]);
    let desk = Desk::with(&[("policy.toml", VERSION), ("people.csv", &people)]);
    desk.must(&["publish", "policy.toml", "--ledger", "ledger", "--out", "one"]);
    (desk, people)
}

/// Cooks had HIV or the flu. All with the flu left, others came: whoever stayed has HIV.
#[test]
fn a_version_that_exposes_who_stayed_is_refused() {
    let (desk, _) = first_version();
    let second = people(&[
        ("Cook", "HIV", 2),
        ("Cook", "Cold", 2),
        ("Clerk", "Flu", 3),
        ("Clerk", "Cold", 3),
    ]);
    desk.put("people.csv", second.as_bytes());
    for flags in [&[][..], &["--like", "one"], &["--newcomers", "report"]] {
        let command = [&["publish", "policy.toml", "--ledger", "ledger", "--out", "two"], flags].concat();
        let ended = desk.run(&command);
        assert_eq!(ended.code, Some(1), "{flags:?}: {ended:?}");
        assert!(ended.err.contains("of people in both versions"), "{}", ended.err);
        assert!(!ended.err.contains("HIV") && !desk.has("two"), "{}", ended.err);
    }
    // Nothing of it is in the ledger.
    let listed = desk.must(&["ledger", "list", "--ledger", "ledger", "--json"]).out;
    assert!(!listed.contains("two"), "{listed}");
}

/// Enough came, and nobody left: masked as before, everybody is where they were.
#[test]
fn a_version_masked_as_before_protects_who_stays_and_who_comes() {
    let (desk, first) = first_version();
    let grown = first.clone() + &people(&[("Cook", "HIV", 1), ("Cook", "Cold", 1)])["job,disease\n".len()..];
    desk.put("people.csv", grown.as_bytes());
    let like = [
        "publish",
        "policy.toml",
        "--ledger",
        "ledger",
        "--like",
        "one",
        "--out",
        "two",
        "--json",
    ];
    let published = json(&desk.must(&like));
    let compared = &published["versions"][0];
    assert_eq!(
        (&compared["name"], &compared["templates"][0]["came"]),
        (&json!("one"), &json!(0))
    );
    assert_eq!(
        published["certificate"]["columns"][0]["mask"],
        desk.json("one/certificate.json")["columns"][0]["mask"]
    );

    // One more, alone in what came.
    let alone = grown.clone() + "Clerk,Ulcer\n";
    desk.put("people.csv", alone.as_bytes());
    let third = [
        "publish",
        "policy.toml",
        "--ledger",
        "ledger",
        "--like",
        "two",
        "--out",
        "three",
    ];
    let ended = desk.run(&third);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("1 record of people who came"), "{}", ended.err);
    let told = desk.must(&[&third[..], &["--newcomers", "report"]].concat()).out;
    assert!(told.contains("who came"), "{told}");
}

const ZIPS: &str = "8001;80;CH\n8002;80;CH\n9001;90;CH\n";

/// Whoever lives in 8001 and is in both has HIV: 8001 was {HIV, Flu}, and 80 is now {HIV, Cough}.
const VISITS: [&str; 2] = [
    "zip,disease\n8001,HIV\n8001,Flu\n8002,Cough\n8002,Ulcer\n9001,Cold\n9001,Asthma\n",
    "zip,disease\n8001,HIV\n8002,Cough\n9001,Cold\n9001,Asthma\n",
];

/// A desk with a first version of the visits in its ledger, made by a method, and the second version as its data.
fn visits(method: &str, require: &str) -> Desk {
    let policy = format!(
        "[data]\nfile = \"visits.csv\"\n[columns]\nzip = {{ role = \"quasi\", taxonomy = \"zip.csv\" }}\n\
         disease = {{ role = \"sensitive\" }}\n{require}[method]\n{method}\n"
    );
    let desk = Desk::with(&[("policy.toml", &policy), ("zip.csv", ZIPS), ("visits.csv", VISITS[0])]);
    desk.must(&["publish", "policy.toml", "--ledger", "ledger", "--out", "one"]);
    desk.put("visits.csv", VISITS[1].as_bytes());
    desk
}

const AT_MOST_HALF: &str = "[[require]]\nconfidence = 0.5\nabout = { disease = \"*\" }\n";

const SECOND_VERSION: [&str; 6] = ["publish", "policy.toml", "--ledger", "ledger", "--out", "two"];

/// Certificates of methods that gather rows look alike; the groups need not be.
#[test]
fn two_local_recodings_are_never_alike() {
    for method in ["mondrian", "local", "k-member", "toc"] {
        let desk = visits(&format!("name = \"{method}\""), AT_MOST_HALF);
        for newcomers in ["protect", "report"] {
            let ended = desk.run(&[&SECOND_VERSION[..], &["--newcomers", newcomers]].concat());
            assert_eq!(ended.code, Some(1), "{method}: {ended:?}");
            assert!(
                ended.err.contains("of people in both versions"),
                "{method}: {}",
                ended.err
            );
            assert!(
                !ended.err.contains("HIV") && !desk.has("two"),
                "{method}: {}",
                ended.err
            );
        }
    }
}

/// The same table again tells nothing new, by groups that do not overlap.
#[test]
fn groups_that_are_as_they_were_may_be_published_again() {
    let desk = visits("name = \"mondrian\"", AT_MOST_HALF);
    desk.put("visits.csv", VISITS[0].as_bytes());
    let told = desk.must(&SECOND_VERSION).out;
    assert!(told.contains("nobody is exposed by what changed"), "{told}");
}

/// Nobody's value is behind the mode of a group, so nobody can tell who is where: that is no reason to say that nobody is
/// exposed.
#[test]
fn versions_that_show_centres_are_refused() {
    let desk = visits("name = \"microaggregation\"", "[[require]]\nanonymity = 2\n");
    let ended = desk.run(&SECOND_VERSION);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("cannot be compared by anonymity"), "{}", ended.err);
    assert!(!desk.has("two"));
}

#[test]
fn an_audit_with_the_ledger_fails_where_publishing_is_refused() {
    for method in ["mondrian", "refine"] {
        let desk = visits(&format!("name = \"{method}\""), AT_MOST_HALF);
        assert_eq!(desk.run(&SECOND_VERSION).code, Some(1), "{method}");
        // Whoever leaves the ledger aside can publish it; the audit with the ledger sees what is wrong.
        desk.must(&["publish", "policy.toml", "--out", "two"]);
        let audit = ["audit", "two/released.csv", "policy.toml"];
        desk.must(&audit);
        let with_ledger = [&audit[..], &["--ledger", "ledger"]].concat();
        let ended = desk.run(&with_ledger);
        assert_eq!(ended.code, Some(1), "{method}: {ended:?}");
        assert!(
            ended.out.contains("FAILS  compared with release `one`"),
            "{method}: {}",
            ended.out
        );
        let report: Value = serde_json::from_str(&desk.run(&[&with_ledger[..], &["--json"]].concat()).out).unwrap();
        assert_eq!(
            (&report["holds"], &report["versions"][0]["holds"]),
            (&json!(false), &json!(false))
        );
        assert_eq!(report["versions"][0]["templates"][0]["stayed"], 2, "{method}: {report}");
        // The first version is in the ledger itself, and nothing is before it.
        desk.must(&["audit", "one/released.csv", "policy.toml", "--ledger", "ledger"]);
    }
}

/// One more row came. That is told to whoever says that nobody outside knows, by both in the same words.
#[test]
fn an_audit_reports_newcomers_as_publishing_does() {
    let (desk, first) = first_version();
    desk.put("people.csv", (first + "Clerk,Ulcer\n").as_bytes());
    let like = [
        "publish",
        "policy.toml",
        "--ledger",
        "ledger",
        "--like",
        "one",
        "--out",
        "two",
    ];
    assert_eq!(desk.run(&like).code, Some(1));
    let told = desk.must(&[&like[..], &["--newcomers", "report"]].concat()).out;
    let line = told.lines().find(|line| line.contains("compared with")).unwrap().trim();
    let audit = ["audit", "two/released.csv", "policy.toml", "--ledger", "ledger"];
    let ended = desk.run(&audit);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let reported = desk.must(&[&audit[..], &["--newcomers", "report"]].concat()).out;
    assert!(
        ended.out.contains(line) && reported.contains(line),
        "{line}\n{}\n{reported}",
        ended.out
    );
}

/// Versions are not compared by beta-likeness, so nothing is said about who is exposed.
#[test]
fn what_was_not_compared_is_not_called_safe() {
    let likeness = "[[require]]\nbeta-likeness = 5.0\nabout = \"disease\"\n";
    let desk = visits("name = \"refine\"", likeness);
    let published = desk.must(&SECOND_VERSION).out;
    assert!(
        published.contains("compared with release `one` by no template"),
        "{published}"
    );
    assert!(
        published.contains("beta-likeness") && !published.contains("nobody is exposed"),
        "{published}"
    );
    let page = desk.read("two/private/report.md");
    assert!(
        page.contains("by no template") && !page.contains("nobody is exposed"),
        "{page}"
    );

    let desk = visits("name = \"refine\"", &format!("{likeness}[[require]]\nanonymity = 1\n"));
    let published = json(&desk.must(&[&SECOND_VERSION[..], &["--newcomers", "report", "--json"]].concat()));
    let version = &published["versions"][0];
    assert_eq!(version["templates"].as_array().unwrap().len(), 1, "{version}");
    assert!(
        version["not_compared"][0].as_str().unwrap().contains("beta-likeness"),
        "{version}"
    );
    let audited = desk.must(&[
        "audit",
        "two/released.csv",
        "policy.toml",
        "--ledger",
        "ledger",
        "--newcomers",
        "report",
    ]);
    assert!(audited.out.contains("not compared"), "{audited:?}");
    assert!(!audited.out.contains("nobody is exposed"), "{audited:?}");
}
