//! What can be required when nobody sees all columns, and who counts it.

use crate::desk::{RIGHT, assert_problems, right, with};

/// A further section after the first. Jobs have a tree: word by word, nobody can be asked about them.
fn requiring(section: &str) -> String {
    with("[method]", &format!("[[require]]\n{section}\n[method]")).replace(
        "job = { role = \"quasi\"",
        "job = { role = \"quasi\", taxonomy = \"sex.csv\"",
    )
}

#[test]
fn what_owners_can_count_apart_goes_across_parties() {
    for section in [
        "confidence = 0.5\nabout = { illness = \"*\" }",
        "alpha = 0.5\nk = 3\nabout = { illness = \"*\" }",
        "diversity = 2\nabout = \"illness\"",
        "p-sensitive = 2\nk = 3\nabout = \"illness\"",
        "anonymity = 2\nper = [\"job\", \"salary\"]",
        "anonymity = 2\nper = [\"paid\", \"sex\"]",
    ] {
        right(&requiring(section));
    }
}

#[test]
fn per_counts_columns_of_one_party() {
    assert_problems(
        &requiring("anonymity = 2\nper = [\"job\", \"sex\"]"),
        &[
            ":22: nobody has all columns of `per`: they are of bank, loans; write one [[require]] for each \
             party, with its columns in `per`",
        ],
    );
}

#[test]
fn what_compares_values_is_for_one_party() {
    let one_party = ":22: no one party has all columns of `of` and what they must not tell: they are of bank, loans";
    for (section, instead) in [
        ("diversity = 2\nkind = \"entropy\"", "use `kind = \"distinct\"`"),
        (
            "diversity = 2\nkind = \"recursive\"\nc = 2",
            "use `kind = \"distinct\"`",
        ),
        (
            "closeness = 0.2",
            "use `diversity`, whose kind is then distinct, or `confidence`",
        ),
        (
            "delta-disclosure = 1.0",
            "use `diversity`, whose kind is then distinct, or `confidence`",
        ),
        (
            "beta-likeness = 1.0",
            "use `diversity`, whose kind is then distinct, or `confidence`",
        ),
    ] {
        let across = requiring(&format!("{section}\nabout = \"illness\""));
        let help = format!("{instead}, or name columns of one party in `of`");
        assert_problems(&across, &[&format!("{one_party}; {help}")]);
        right(&requiring(&format!("{section}\nof = [\"sex\"]\nabout = \"illness\"")));
        // The class is everybody's.
        right(&requiring(&format!(
            "{section}\nof = [\"job\", \"salary\"]\nabout = \"paid\""
        )));
    }
}

/// The groups and the ranges must be with one party.
#[test]
fn sensitive_ranges_are_with_the_columns_of_their_groups() {
    let ranges = |of: &str| {
        let text = requiring(&format!("range-diversity = 0.5\nof = [\"{of}\"]\nabout = \"illness\""));
        let column = "illness = { role = \"sensitive\", sensitive_ranges = 1, party = \"bank\" }";
        text.replace("illness = { role = \"sensitive\", party = \"bank\" }", column)
    };
    right(&ranges("sex"));
    assert_problems(
        &ranges("job"),
        &[
            ":22: no one party has all columns of `of` and what they must not tell: they are of \
             bank, loans; \
           use `diversity`, whose kind is then distinct, or `confidence`, or name columns of one party in `of`",
        ],
    );
}

/// The guarding nodes must be with the party that has the rest.
#[test]
fn guarding_nodes_are_with_the_secret() {
    let personal = |owner: &str| {
        let text = requiring("personal = 0.5\nof = [\"sex\"]\nabout = \"illness\"\nguarding = \"guard\"");
        let columns = format!(
            "guard = {{ role = \"other\", party = \"{owner}\" }}\n\
             illness = {{ role = \"sensitive\", taxonomy = \"sex.csv\", party = \"bank\" }}"
        );
        text.replace("illness = { role = \"sensitive\", party = \"bank\" }", &columns)
            .replace("[release]", "[release]\nby_record = true")
    };
    right(&personal("bank"));
    assert_problems(
        &personal("loans"),
        &[
            ":23: no one party has all columns of `of` and what they must not tell: they are of \
             bank, loans; \
           use `diversity`, whose kind is then distinct, or `confidence`, or name columns of one party in `of`",
        ],
    );
}

#[test]
fn what_would_tell_more_than_the_release_is_refused() {
    assert_problems(
        &requiring("anonymity = 2\nof = { any = 2 }"),
        &[
            ":22: `any` makes groups of many sets of columns, and each refinement would tell parties \
           about all of them; write one [[require]] for each set of columns that an adversary may know",
        ],
    );
    assert_problems(
        &requiring("k-map = 2\npopulation = \"people.csv\""),
        &[
            ":22: `k-map` compares with a population, in which somebody would have to look up columns of all parties; \
           require `anonymity`: it makes `k-map` hold for every population that these people are part of",
        ],
    );
    assert_problems(
        &with("[release]", "rows_suppressed_at_most = 0.1\n[release]"),
        &[
            ":23: leaving out rows would tell each party which of its records stand out by what others have; \
           set `rows_suppressed_at_most = 0`: the search then masks further instead",
        ],
    );
    right(&with("[release]", "rows_suppressed_at_most = 0.0\n[release]"));
    assert_problems(
        &with("\"information-gain\"", "\"classification\""),
        &[
            ":22: this objective makes two releases and compares them, and parties would see both; \
           choose information-gain or gain-only",
        ],
    );
}

#[test]
fn only_records_are_weighed() {
    let secrets = requiring("confidence = 0.5\nabout = { illness = \"*\" }");
    right(&secrets.replace("[release]", "weigh = \"records\"\n[release]"));
    assert_problems(
        &secrets.replace("[release]", "weigh = \"all\"\n[release]"),
        &[
            ":26: who refines a column cannot weigh what that does to secrets of others; \
           set `weigh = \"records\"`, which is what parties always do",
        ],
    );
    // Where every template counts records, both mean the same.
    let all = right(&with("[release]", "weigh = \"all\"\n[release]"));
    assert_eq!(all.canonical(), right(RIGHT).canonical());
}

#[test]
fn there_are_no_earlier_releases_to_speak_of() {
    for per in ["\"join\"", "\"clinic\""] {
        assert_problems(
            &requiring(&format!("anonymity = 2\nper = {per}")),
            &[":23: `per` must be a list of columns, such as [\"patient\"]"],
        );
    }
    right(&requiring("anonymity = 2\nper = \"this\""));
    assert_problems(
        &requiring("confidence = 0.5\nof = [\"clinic.job\"]\nabout = { clinic = { illness = [\"HIV\"] } }"),
        &[
            ":23: unknown column `clinic.job` in `of`; valid: sex, job, salary",
            ":24: unknown column `clinic` in `about`; valid: paid, illness",
            ":24: `illness` must be a share: above 0 and at most 1",
        ],
    );
}

/// A question about a single record would tell its secret, and one for every word would tell it piece by piece.
#[test]
fn questions_are_about_many_records_and_are_asked_once() {
    let listed = "confidence = 0.5\nabout = { illness = [\"flu\"] }";
    // The first section is an anonymity of all columns.
    right(&requiring(listed));
    let single = ":21: whoever refines `job` asks bank about its secret, and a question could be about a single record; \
                  add a [[require]] with `anonymity = 2` or more `of` these columns; questions are then about at least \
                  so many records";
    for of in ["anonymity = 1", "anonymity = 4\nof = [\"sex\", \"salary\"]"] {
        let lines = of.lines().count() - 1;
        let line = format!(":{}", 22 + lines);
        assert_problems(
            &requiring(listed).replace("anonymity = 4", of),
            &[&single.replacen(":21", &line, 1)],
        );
    }
    for section in [
        "confidence = 0.5\nabout = { illness = \"*\" }",
        "alpha = 0.5\nk = 2\nabout = { illness = [\"flu\"] }",
        "diversity = 2\nabout = \"illness\"",
        "confidence = 0.5\nof = [\"sex\"]\nabout = { illness = [\"flu\"] }",
    ] {
        right(&requiring(section).replace("anonymity = 4", "anonymity = 1"));
    }
    let words = requiring(listed).replace(
        "role = \"quasi\", taxonomy = \"sex.csv\", party = \"loans\"",
        "role = \"quasi\", party = \"loans\"",
    );
    assert_problems(
        &words,
        &[
            ":22: column `job` has no taxonomy, so bank would be asked about its secret once for every word; give the \
             column a taxonomy, or leave it out of `of`",
        ],
    );
}
