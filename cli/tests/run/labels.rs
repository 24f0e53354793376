//! Values that look like labels: what a cell means is declared, by the certificate or the policy, and never by its looks.

use serde_json::{Value, json};

use crate::desk::{Desk, Ended};

fn json_of(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap()
}

/// A word, and one that it would stand for if it were a label.
const WORDS: [(&str, &str); 7] = [
    ("1-5", "3"),
    ("A*", "A+"),
    ("{a, b}", "a"),
    ("[1, 5]", "3"),
    ("<9", "7"),
    ("1.0", "1"),
    ("01", "1"),
];

/// Forms in which we write labels ourselves.
const MORE_WORDS: [(&str, &str); 2] = [("{a|b}", "a"), ("*", "z")];

fn policy(house: &str, of: &str, method: &str) -> String {
    format!(
        "[data]\nfile = 'data.csv'\n[columns]\nhouse = {{ role = 'quasi'{house} }}\njob = {{ role = 'quasi' }}\n\
         s = {{ role = 'sensitive' }}\n[[require]]\nanonymity = 2\nof = [{of}]\n[method]\nname = '{method}'\n"
    )
}

/// Four people in one house, published; and somebody in another house, who is not among them.
fn houses(word: &str, like: &str, policy: &str) -> Desk {
    let rows = ["x,a", "x,b", "y,a", "y,b"].map(|rest| format!("\"{word}\",{rest}\n"));
    Desk::with(&[
        ("data.csv", &format!("house,job,s\n{}", rows.concat())),
        ("known.csv", &format!("house,job\n\"{like}\",x\n\"{word}\",x\n")),
        ("policy.toml", policy),
    ])
}

/// Attacks with the known people by what the certificate and the policy say, by the certificate alone, and by the policy
/// alone: each time one of them is in the release, and the other is not.
#[track_caller]
fn finds_only_who_is_there(desk: &Desk, case: &str) {
    desk.must(&["publish", "policy.toml"]);
    assert!(desk.read("out/released.csv").lines().count() > 1, "{case}");
    let attack = ["attack", "out/released.csv", "--known", "known.csv", "--json"];
    let ways = [
        (&["--policy", "policy.toml"][..], true),
        (&["--quasi", "house,job"], true),
        (&["--policy", "policy.toml"], false),
    ];
    for (flags, certified) in ways {
        if !certified {
            std::fs::remove_file(desk.path().join("out/certificate.json")).unwrap();
        }
        let report = json_of(&desk.must(&[&attack[..], flags].concat()));
        let case = format!("{case}, {flags:?}, certified: {certified}: {report}");
        assert_eq!(report["linkage"]["without_match"], 1, "{case}");
        assert_eq!(report["linkage"]["matching_rows"]["smallest"], 2, "{case}");
        assert!(report.get("read_by_looks").is_none(), "{case}");
    }
}

#[test]
fn nobody_is_looked_up_behind_a_word_of_a_column_published_as_it_is() {
    for (word, like) in WORDS.into_iter().chain(MORE_WORDS) {
        let desk = houses(word, like, &policy("", "'job'", "refine"));
        finds_only_who_is_there(&desk, word);
    }
}

#[test]
fn nobody_is_looked_up_behind_a_word_that_a_suppressed_column_shows() {
    for (word, like) in WORDS.into_iter().chain([MORE_WORDS[0]]) {
        let desk = houses(word, like, &policy("", "'house', 'job'", "refine"));
        finds_only_who_is_there(&desk, word);
    }
}

#[test]
fn nobody_is_looked_up_behind_a_word_that_a_group_shows() {
    let words = WORDS.into_iter().filter(|(word, _)| !word.starts_with('{'));
    for (word, like) in words {
        let desk = houses(word, like, &policy("", "'house', 'job'", "mondrian"));
        finds_only_who_is_there(&desk, word);
    }
}

#[test]
fn nobody_is_looked_up_behind_a_word_that_a_taxonomy_has() {
    for (word, like) in WORDS {
        let tree = format!("{word};low;ANY\n{like};low;ANY\nother;high;ANY\n");
        for method in ["refine", "mondrian"] {
            let desk = houses(
                word,
                like,
                &policy(", taxonomy = 'house-tree.csv'", "'house', 'job'", method),
            );
            desk.put("house-tree.csv", tree.as_bytes());
            desk.must(&["publish", "policy.toml"]);
            let report = attacked(&desk);
            assert_eq!(report["linkage"]["without_match"], 1, "{word}, {method}: {report}");
        }
    }
}

/// What an attack by the known people finds, where the policy is at hand.
fn attacked(desk: &Desk) -> Value {
    let attack = ["attack", "out/released.csv", "--known", "known.csv", "--json"];
    json_of(&desk.must(&[&attack[..], &["--policy", "policy.toml"]].concat()))
}

/// Numbers are one value however they are written, if the column is declared to hold them.
#[test]
fn numbers_are_compared_as_numbers_in_a_continuous_column() {
    for method in ["refine", "mondrian"] {
        let desk = houses("37", "37.0", &policy(", type = 'continuous'", "'house', 'job'", method));
        desk.must(&["publish", "policy.toml"]);
        let report = attacked(&desk);
        assert_eq!(report["linkage"]["without_match"], 0, "{method}: {report}");
    }
}

/// Two live in `3` and two in `1-5`, and each house is a group of its own: two rows match each of them.
#[test]
fn a_word_that_looks_like_an_interval_is_no_cover_for_others() {
    let desk = Desk::with(&[
        ("data.csv", "house,job,s\n3,x,a\n3,x,b\n1-5,x,a\n1-5,x,b\n"),
        ("policy.toml", &policy("", "'house', 'job'", "mondrian")),
    ]);
    desk.must(&["publish", "policy.toml"]);
    let report = json_of(&desk.must(&["attack", "out/released.csv", "--policy", "policy.toml", "--json"]));
    assert_eq!(report["linkage"]["matching_rows"]["mean"], 2.0, "{report}");
}

/// Whoever guesses `{a|b}` of somebody who has `a` is wrong, if that is a value of its own.
#[test]
fn a_guess_that_only_looks_like_the_truth_is_wrong() {
    for (word, like) in WORDS.into_iter().chain(MORE_WORDS) {
        let rows = format!("job,s\nx,\"{word}\"\nx,\"{word}\"\n");
        let policy = "[data]\nfile = 'data.csv'\n[columns]\njob = { role = 'quasi' }\ns = { role = 'sensitive' }\n\
                      [[require]]\nanonymity = 2\n";
        let desk = Desk::with(&[
            ("data.csv", &rows),
            ("known.csv", &format!("job,s\nx,\"{like}\"\nx,\"{word}\"\n")),
            ("policy.toml", policy),
        ]);
        desk.must(&["publish", "policy.toml"]);
        let report = attacked(&desk);
        assert_eq!(report["inference"][0]["right"], 0.5, "{word}: {report}");
    }
}

/// A file of another tool, of which nobody says anything, is read by its looks, and the report says so. Who knows better
/// can say it.
#[test]
fn labels_that_nobody_declares_are_read_by_their_looks_and_that_is_told() {
    let desk = Desk::with(&[
        ("r.csv", "house,zip,s\n1-5,130**,a\n1-5,130**,b\n"),
        ("known.csv", "house,zip\n3,13053\n"),
    ]);
    let attack = ["attack", "r.csv", "--known", "known.csv", "--sensitive", "s"];
    let report = json_of(&desk.must(&[&attack[..], &["--json"]].concat()));
    assert_eq!(report["linkage"]["without_match"], 0);
    assert_eq!(report["read_by_looks"], json!(["house", "zip"]));
    let told = desk.must(&attack).out;
    assert!(told.contains("read by what they look like: house, zip"), "{told}");

    let cells = ["--cells", "house=values,zip=labels"];
    let declared = [&attack[..], &cells, &["--json"]].concat();
    let report = json_of(&desk.must(&declared));
    assert_eq!(report["linkage"]["without_match"], 1);
    assert!(report.get("read_by_looks").is_none(), "{report}");
    let numbers = json_of(&desk.must(&[&attack[..], &["--cells", "house=numbers,zip=labels", "--json"]].concat()));
    assert_eq!(numbers["linkage"]["without_match"], 0);

    for (cells, message) in [
        ("hous=values", "did you mean `house`?"),
        ("house=words", "expected COLUMN=values, COLUMN=labels or COLUMN=numbers"),
    ] {
        let ended = desk.run(&[&attack[..], &["--cells", cells]].concat());
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(message), "{ended:?}");
    }
}

/// By the policy a zip code is a word. In a release of another tool `130**` may be a label, which only the user can say.
#[test]
fn cells_that_look_like_labels_where_the_policy_has_words_are_a_warning() {
    let desk = houses("13053", "13068", &policy("", "'house', 'job'", "refine"));
    desk.put("r.csv", b"house,job,s\n130**,x,a\n130**,x,a\n");
    let attack = ["attack", "r.csv", "--known", "known.csv", "--policy", "policy.toml"];
    let ended = desk.must(&attack);
    assert!(ended.out.contains("matched by no row: 2"), "{ended:?}");
    assert!(
        ended.err.contains("column `house`") && ended.err.contains("--cells house=labels"),
        "{ended:?}"
    );
    assert!(!ended.err.contains("130"), "no cell is told: {ended:?}");
    let ended = desk.must(&[&attack[..], &["--cells", "house=labels"]].concat());
    assert!(
        ended.out.contains("matched by no row: 0") && ended.err.is_empty(),
        "{ended:?}"
    );
}

/// What a release lost, as the evaluation reads it from the file, and as the certificate has it from the masks.
#[track_caller]
fn losses(desk: &Desk) -> [f64; 2] {
    desk.must(&["publish", "policy.toml", "--evaluate"]);
    let evaluate = [
        "evaluate",
        "data.csv",
        "out/released.csv",
        "policy.toml",
        "--json",
        "--query-count",
        "0",
    ];
    let measured = json_of(&desk.must(&evaluate));
    assert_eq!(
        measured["information_loss"],
        desk.json("out/private/evaluation.json")["information_loss"]
    );
    assert!(measured.get("read_by_looks").is_none(), "{measured}");
    [
        &measured["information_loss"]["certainty_penalty"]["mean"],
        &desk.json("out/certificate.json")["information_loss"],
    ]
    .map(|loss| loss.as_f64().unwrap())
}

/// Somebody has the job `*`, and the jobs of others are hidden behind it: all of these cells count as hidden.
#[test]
fn a_star_of_the_data_does_not_make_hidden_cells_exact() {
    let desk = Desk::with(&[
        ("data.csv", "house,job,s\nh,*,a\nh,q,b\nh,x,a\nh,x,b\nh,w,a\nh,v,b\n"),
        ("policy.toml", &policy("", "'house', 'job'", "refine")),
    ]);
    let [measured, certified] = losses(&desk);
    assert!(certified > 0.0);
    assert!((measured - certified).abs() < 1e-12, "{measured} {certified}");
}

/// `{01|1}` stands for two of the four values, not for `1.0`, too.
#[test]
fn a_set_of_words_stands_for_these_words_alone() {
    let desk = Desk::with(&[
        ("data.csv", "house,job,s\n1,x,a\na,x,b\n1.0,x,a\n01,x,b\n"),
        ("policy.toml", &policy("", "'house', 'job'", "mondrian")),
    ]);
    let [measured, _] = losses(&desk);
    let released = desk.read("out/released.csv");
    assert!(released.contains("{01|1},x"), "{released}");
    // House: 2 of 4 values. Job: shown as it is.
    assert_eq!(measured, 0.25);
}

/// A file of another tool has no certificate: its quasi cells that are no values of the data are taken for labels, and the
/// evaluation says so.
#[test]
fn an_evaluation_says_which_columns_it_read_by_their_looks() {
    let desk = houses("13053", "13068", &policy("", "'house', 'job'", "refine"));
    desk.put("r.csv", b"house,job,s\n130**,x,a\n130**,x,a\n");
    let evaluate = ["evaluate", "data.csv", "r.csv", "policy.toml", "--query-count", "0"];
    let measured = json_of(&desk.must(&[&evaluate[..], &["--json"]].concat()));
    assert_eq!(measured["read_by_looks"], json!(["house", "job"]));
    assert_eq!(measured["columns"][0]["unknown_cells"], 0);
    let told = desk.must(&evaluate).out;
    assert!(told.contains("read by what they look like: house, job"), "{told}");
    let cells = [&evaluate[..], &["--json", "--cells", "house=values,job=values"]].concat();
    let measured = json_of(&desk.must(&cells));
    assert!(measured.get("read_by_looks").is_none(), "{measured}");
    assert_eq!(measured["columns"][0]["unknown_cells"], 2);
}

/// Students with a house each, which is in a table of its own, and refers to the list of houses.
fn students(houses: &[&str], house: &str) -> Desk {
    let (mut students, mut rows, mut listed) = ("sid\n".to_owned(), "sid,house\n".to_owned(), "hid\n".to_owned());
    for (place, own) in houses.iter().enumerate() {
        students.push_str(&format!("s{place}\n"));
        rows.push_str(&format!("s{place},\"{own}\"\n"));
        if !houses[..place].contains(own) {
            listed.push_str(&format!("\"{own}\"\n"));
        }
    }
    let policy = format!(
        "[person]\nfile = 'students.csv'\nkey = 'sid'\n[[tables]]\nname = 'homes'\nfile = 'homes.csv'\n\
         foreign_key = 'sid'\nrefers = {{ house = 'houses' }}\n[[lookups]]\nname = 'houses'\nfile = 'houses.csv'\n\
         key = 'hid'\n[columns]\nhomes.house = {{ role = 'quasi'{house} }}\n[[require]]\nanonymity = 2\n"
    );
    Desk::with(&[
        ("students.csv", &students),
        ("homes.csv", &rows),
        ("houses.csv", &listed),
        ("policy.toml", &policy),
    ])
}

/// Both who live in `3` are shown in `1-5` instead: nobody is singled out, and what is shown is not true.
#[test]
fn a_word_in_place_of_another_is_found_by_the_audit_of_several_tables() {
    for (word, like) in WORDS.into_iter().filter(|(word, _)| !word.starts_with('{')) {
        let desk = students(&[word, word, like, like], "");
        desk.must(&["publish", "policy.toml"]);
        desk.must(&["audit", "out", "policy.toml"]);
        let homes = desk.read("out/homes.csv");
        let changed: Vec<String> = homes
            .lines()
            .map(|line| match line.split_once(',') {
                Some((key, shown)) if shown == like => format!("{key},\"{word}\"\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        assert_ne!(homes, changed.concat(), "{word}");
        desk.put("out/homes.csv", changed.concat().as_bytes());
        let audit = desk.run(&["audit", "out", "policy.toml", "--json"]);
        let found = json_of(&audit);
        assert_eq!(
            (audit.code, &found["faults_found"]),
            (Some(1), &json!(2)),
            "{word}: {found}"
        );
        let fault = found["faults"][0].as_str().unwrap();
        assert!(
            fault.contains("column `house` shows does not cover the original value"),
            "{fault}"
        );
    }
}

/// A cell that leads to no house may be a set of houses, and in a column of words no interval.
#[test]
fn a_word_that_looks_like_an_interval_refers_to_no_look_up() {
    let desk = students(&["a", "a", "b", "b"], "");
    desk.must(&["publish", "policy.toml"]);
    std::fs::remove_dir_all(desk.path().join("out/private")).unwrap();
    let homes = desk.read("out/homes.csv");
    for (cell, faults) in [("{a|b}", 0), ("*", 0), ("[1, 5]", 2), ("{c}", 2), ("{a|c}", 2)] {
        let changed: Vec<String> = homes
            .lines()
            .map(|line| match line.split_once(',') {
                Some((key, "a")) => format!("{key},\"{cell}\"\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        desk.put("out/homes.csv", changed.concat().as_bytes());
        let found = json_of(&desk.run(&["audit", "out", "policy.toml", "--json"]));
        assert_eq!(found["faults_found"], faults, "{cell}: {found}");
    }
}

/// Two of the four can have the one house that is known, and nobody else.
#[test]
fn a_word_that_looks_like_a_label_is_no_candidate_in_several_tables() {
    for (word, like) in WORDS.into_iter().filter(|(word, _)| !word.starts_with('{')) {
        let desk = students(&[word, word, like, like], "");
        desk.must(&["publish", "policy.toml"]);
        let report = json_of(&desk.must(&["attack", "out", "--policy", "policy.toml", "--json"]));
        let known = &report["known"][0];
        assert_eq!(
            (&known["worst"], &known["average"]),
            (&json!(2), &json!(2.0)),
            "{word}: {report}"
        );
    }
}
