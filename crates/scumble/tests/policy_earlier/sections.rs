//! What is written of earlier releases in a policy.

use std::path::{Path, PathBuf};

use scumble::policy::{EarlierPolicy, OnDangling, Spanned};

use crate::desk::{SURVEY_SECTION, and, assert_problems, assert_unparsed, parse, with};
#[test]
fn an_earlier_release_has_a_name_a_file_and_defaults() {
    let policy = parse(&and(SURVEY_SECTION), Path::new("folder"));
    let spanned = |text: &str| Spanned::new(0..0, text.to_owned());
    let file = |path: &str| Spanned::new(0..0, PathBuf::from(path));
    let clinic = EarlierPolicy {
        name: spanned("clinic"),
        file: file("folder/clinic/released.csv"),
        join: Some(vec![spanned("zip"), spanned("sex")]),
        on_dangling: OnDangling::Error,
        taxonomies: vec![(spanned("condition"), file("folder/condition.csv"))],
        quasi: None,
        recoded: Vec::new(),
        cells: Vec::new(),
        trim: None,
        from_ledger: false,
    };
    let survey = EarlierPolicy {
        name: spanned("survey"),
        file: file("folder/survey.csv"),
        join: None,
        taxonomies: Vec::new(),
        ..clinic.clone()
    };
    assert_eq!(policy.earlier, [clinic, survey]);
    let reporting = parse(&and("on_dangling = 'report'"), Path::new(""));
    assert_eq!(reporting.earlier[0].on_dangling, OnDangling::Report);
}

#[test]
fn the_name_of_a_release_is_a_word_of_its_own() {
    let line = "name = \"clinic\"";
    for (name, problem) in [
        (
            "'this'",
            "no earlier release can be called `this`; the word has a meaning of its own; choose another",
        ),
        (
            "'join'",
            "no earlier release can be called `join`; the word has a meaning of its own; choose another",
        ),
        ("'a.b'", "`name` must be a word of letters, digits, `_` and `-`"),
        ("''", "`name` must be a word of letters, digits, `_` and `-`"),
        ("3", "`name` must be a text in quotes"),
    ] {
        assert_unparsed(
            &with(line, &format!("name = {name}")),
            &[&format!("policy.toml:14: {problem}")],
        );
    }
    assert_problems(
        &and("[[earlier]]\nname = \"clinic\"\nfile = \"survey.csv\"\n"),
        &["policy.toml:19: there are two earlier releases `clinic`; give each its own name"],
    );
}

#[test]
fn what_an_earlier_release_lacks_or_should_not_have_is_told() {
    assert_unparsed(
        &with("name = \"clinic\"\nfile = \"clinic/released.csv\"\n", "fil = 'a.csv'\n"),
        &[
            "policy.toml:13: [[earlier]] has no `name`; add `name = \"clinic2024\"`",
            "policy.toml:13: [[earlier]] has no `file`; add `file = \"clinic2024/released.csv\"`",
            "policy.toml:14: unknown key `fil` in [[earlier]]; did you mean `file`?",
        ],
    );
    assert_unparsed(
        &and("on_dangling = 'drop'"),
        &["policy.toml:18: unknown `on_dangling` value `drop`; valid: error, report"],
    );
    assert_unparsed(
        &with("[[earlier]]", "[earlier]"),
        &["policy.toml:13: `earlier` must be a list of sections; write [[earlier]], with two brackets"],
    );
}

#[test]
fn an_inconsistent_pair_has_one_column_in_each_of_two_releases() {
    let pair = |text: &str| and(&format!("[[inconsistent]]\n{text}\n"));
    let two = "[[inconsistent]] must name two releases";
    let such = "such as `this = { sex = \"Male\" }` and `clinic2024 = { condition = \"Pregnant\" }`";
    assert_unparsed(
        &pair("this = { sex = 'M' }"),
        &[&format!("policy.toml:18: {two}; {such}")],
    );
    assert_unparsed(
        &pair("this = { sex = 'M', age = '3' }\nclinic = 'x'"),
        &[
            "policy.toml:19: `this` must be a table with one column, such as { sex = \"Male\" }",
            "policy.toml:20: `clinic` must be a table",
        ],
    );
    assert_unparsed(
        &pair("this = { sex = 1 }\nclinic = { a.b = 'x' }"),
        &[
            "policy.toml:19: `sex` must be a text in quotes",
            "policy.toml:20: `a` must be a value; put a column name with a dot in quotes",
        ],
    );
}
