//! Policies that are wrong, and the message that each gets.

mod keys;

use std::path::Path;

use miette::Diagnostic;
use scumble_policy::{Policy, Problems};

fn error(text: &str) -> Problems {
    match Policy::parse(text, "policy.toml", Path::new("")) {
        Ok(_) => panic!("no problem found in:\n{text}"),
        Err(problems) => {
            keys::assert_resolve(problems.list(), "policy.toml", text);
            problems
        }
    }
}

#[track_caller]
fn assert_problems(text: &str, expected: &[&str]) {
    let message = error(text).to_string();
    assert_eq!(message.lines().collect::<Vec<_>>(), expected, "in:\n{text}");
}

/// A policy that is right but for what is put in place of one of its lines.
#[track_caller]
fn assert_line(line: &str, replacement: &str, expected: &[&str]) {
    assert!(RIGHT.contains(line), "{line}");
    assert_problems(&RIGHT.replace(line, replacement), expected);
}

const RIGHT: &str = r#"[data]
file = "patients.csv"
missing = "value"

[columns]
age = { role = "quasi", type = "continuous" }
job = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive" }
insured = { role = "class" }
name = { role = "identifier" }

[[require]]
anonymity = 4
of = ["age", "job"]

[method]
objective = "information-gain"

[release]
folder = "out"
"#;

#[test]
fn the_policy_of_these_tests_is_right() {
    assert!(Policy::parse(RIGHT, "policy.toml", Path::new("")).is_ok());
}

#[test]
fn an_unknown_key_gets_the_nearest_or_all_valid_ones() {
    assert_line(
        "file =",
        "fil =",
        &[
            "policy.toml:1: [data] names no file; add `file = \"data.csv\"`",
            "policy.toml:2: unknown key `fil` in [data]; did you mean `file`?",
        ],
    );
    assert_line(
        "missing = \"value\"",
        "encoding = \"utf-8\"",
        &["policy.toml:3: unknown key `encoding` in [data]; \
         valid: file, url, table, query, missing, missing_marks, names, separator, comment, trim, sheet, population"],
    );
    assert_line(
        "role = \"class\"",
        "role = \"class\", kind = \"text\"",
        &[
            "policy.toml:9: unknown key `kind` in column `insured`; valid: role, type, range, taxonomy, \
         form, sensitive_ranges, unique, alike",
        ],
    );
    assert_line(
        "of = [",
        "off = [",
        &["policy.toml:14: unknown key `off` in [[require]]; did you mean `of`?"],
    );
    assert_line(
        "objective =",
        "goal =",
        &["policy.toml:17: unknown key `goal` in [method]; \
         valid: name, objective, weigh, steps, rows_suppressed_at_most, seed"],
    );
    assert_line(
        "folder =",
        "fodler =",
        &["policy.toml:20: unknown key `fodler` in [release]; did you mean `folder`?"],
    );
    assert_line(
        "[release]",
        "[output]",
        &[
            "policy.toml:19: unknown key `output` in the policy; valid: data, columns, require, method, release, earlier, inconsistent",
        ],
    );
}

#[test]
fn what_is_said_of_unlisted_and_unique_columns_is_checked() {
    assert_line(
        "role = \"class\"",
        "role = \"class\", unique = true",
        &["policy.toml:9: `unique` is for other columns; take it out"],
    );
    assert_line(
        "role = \"identifier\"",
        "role = \"other\", unique = \"yes\"",
        &["policy.toml:10: `unique` must be true or false"],
    );
    assert_line(
        "folder = \"out\"",
        "unlisted = \"publsh\"",
        &["policy.toml:20: unknown `unlisted` value `publsh`; did you mean `publish`?"],
    );
}

#[test]
fn an_unknown_word_gets_the_nearest_or_all_valid_ones() {
    assert_line(
        "{ role = \"sensitive\" }",
        "{ role = \"sensitiv\" }",
        &["policy.toml:8: unknown role `sensitiv`; did you mean `sensitive`?"],
    );
    assert_line(
        "{ role = \"sensitive\" }",
        "{ role = \"secret\" }",
        &["policy.toml:8: unknown role `secret`; valid: identifier, quasi, sensitive, class, other"],
    );
    assert_line(
        "type = \"continuous\"",
        "type = \"number\"",
        &["policy.toml:6: unknown type `number`; valid: continuous, categorical"],
    );
    assert_line(
        "missing = \"value\"",
        "missing = \"dorp\"",
        &["policy.toml:3: unknown `missing` value `dorp`; did you mean `drop`?"],
    );
    assert_line(
        "\"information-gain\"",
        "\"information_gain\"",
        &["policy.toml:17: unknown objective `information_gain`; did you mean `information-gain`?"],
    );
    assert_line(
        "objective = \"information-gain\"",
        "name = \"refin\"",
        &["policy.toml:17: unknown method `refin`; did you mean `refine`?"],
    );
    assert_line(
        "folder = \"out\"",
        "format = \"xlsx\"\norder = \"random\"",
        &[
            "policy.toml:20: unknown format `xlsx`; valid: csv, parquet",
            "policy.toml:21: unknown order `random`; valid: sorted, input",
        ],
    );
}

#[test]
fn an_unknown_column_gets_the_nearest_that_fits() {
    assert_line(
        "of = [\"age\", \"job\"]",
        "of = [\"age\", \"jbo\"]",
        &["policy.toml:14: unknown column `jbo` in `of`; did you mean `job`?"],
    );
    assert_line(
        "of = [\"age\", \"job\"]",
        "of = [\"country\"]",
        &["policy.toml:14: unknown column `country` in `of`; valid: age, job"],
    );
    assert_line(
        "of = [\"age\", \"job\"]",
        "per = [\"nam\"]",
        &["policy.toml:14: unknown column `nam` in `per`; did you mean `name`?"],
    );
}

#[test]
fn only_quasi_columns_make_a_quasi_identifier() {
    assert_line(
        "of = [\"age\", \"job\"]",
        "of = [\"age\", \"disease\", \"name\"]",
        &[
            "policy.toml:14: `of` must name a quasi column, and the role of `disease` is sensitive; \
             make it quasi or leave it out of `of`",
            "policy.toml:14: `of` must name a quasi column, and the role of `name` is identifier; \
             make it quasi or leave it out of `of`",
        ],
    );
}

#[test]
fn a_value_of_the_wrong_type_is_told_what_it_must_be() {
    assert_line(
        "\"patients.csv\"",
        "3",
        &["policy.toml:2: `file` must be a text in quotes"],
    );
    assert_line("\"patients.csv\"", "\"\"", &["policy.toml:2: `file` must be a path"]);
    assert_line(
        "{ role = \"class\" }",
        "\"class\"",
        &["policy.toml:9: `insured` must be a table, such as { role = \"quasi\" }"],
    );
    for wrong in ["0", "-3", "2.5", "\"4\"", "99999999999999999999"] {
        assert_line(
            "anonymity = 4",
            &format!("anonymity = {wrong}"),
            &["policy.toml:13: `anonymity` must be a whole number, at least 1"],
        );
    }
    for wrong in ["\"age\"", "[1]", "[[\"age\"]]"] {
        assert_line(
            "of = [\"age\", \"job\"]",
            &format!("of = {wrong}"),
            &["policy.toml:14: `of` must be a list of texts, such as [\"a\", \"b\"]"],
        );
    }
    assert_line(
        "of = [\"age\", \"job\"]",
        "of = []",
        &["policy.toml:14: `of` must be a list of at least one name"],
    );
    assert_line(
        "[\"age\", \"job\"]",
        "[\"job\", \"job\"]",
        &["policy.toml:14: `job` is twice in `of`"],
    );
    assert_line(
        "missing = \"value\"",
        "trim = 1",
        &["policy.toml:3: `trim` must be true or false"],
    );
    for wrong in ["1", "1.0", "-0.1", "nan", "inf", "\"0.1\""] {
        assert_line(
            "objective = \"information-gain\"",
            &format!("rows_suppressed_at_most = {wrong}"),
            &["policy.toml:17: `rows_suppressed_at_most` must be a share: at least 0 and below 1"],
        );
    }
    assert_line(
        "objective = \"information-gain\"",
        "seed = -1\nsteps = 1.5",
        &[
            "policy.toml:17: `seed` must be a whole number, at least 0",
            "policy.toml:18: `steps` must be a whole number, at least 0",
        ],
    );
}

#[test]
fn a_section_of_the_wrong_shape_is_told_its_shape() {
    assert_line(
        "[[require]]",
        "[require]",
        &["policy.toml:12: `require` must be a list of sections; write [[require]], with two brackets"],
    );
    assert_line("[method]", "[[method]]", &["policy.toml:16: `method` must be a table"]);
}

#[test]
fn a_separator_is_one_mark() {
    for wrong in ["", ";;", "a", "\\n", "é", "\\\""] {
        assert_line(
            "missing = \"value\"",
            &format!("separator = \"{wrong}\""),
            &["policy.toml:3: `separator` must be one mark, such as \";\" or \"tab\""],
        );
    }
    assert_line(
        "missing = \"value\"",
        "separator = \"|\"\ncomment = \"|\"",
        &["policy.toml:1: `separator` and `comment` are the same; choose two characters"],
    );
}

#[test]
fn every_column_says_its_role() {
    assert_line(
        "{ role = \"sensitive\" }",
        "{ taxonomy = \"disease.csv\" }",
        &["policy.toml:8: column `disease` has no role; valid: identifier, quasi, sensitive, class, other"],
    );
}

#[test]
fn a_range_is_for_a_continuous_quasi_or_sensitive_column() {
    let not_continuous = "`range` is for continuous columns; add `type = \"continuous\"` or take it out";
    assert_line(
        "taxonomy = \"job.csv\"",
        "range = [0, 1]",
        &[&format!("policy.toml:7: {not_continuous}")],
    );
    assert_line(
        "role = \"class\"",
        "role = \"class\", type = \"continuous\", range = [0, 1]",
        &["policy.toml:9: `range` is for quasi and sensitive columns; take it out"],
    );
    for wrong in [
        "[120, 0]",
        "[0]",
        "[0, 1, 2]",
        "3",
        "[0, \"a\"]",
        "[0, inf]",
        "[nan, 1]",
    ] {
        assert_line(
            "type = \"continuous\"",
            &format!("type = \"continuous\", range = {wrong}"),
            &["policy.toml:6: `range` must be two numbers, the smaller first, such as [0, 120]"],
        );
    }
}

#[test]
fn a_continuous_column_has_no_taxonomy() {
    assert_line(
        "taxonomy = \"job.csv\"",
        "taxonomy = \"job.csv\", type = \"continuous\"",
        &["policy.toml:7: a continuous column cannot have a taxonomy; take out one of them"],
    );
}

#[test]
fn a_column_name_with_a_dot_needs_quotes() {
    assert_line(
        "disease = {",
        "disease.name = {",
        &["policy.toml:8: unknown column `disease.name`; put a column name with a dot in quotes"],
    );
    let quoted = RIGHT.replace("disease = {", "\"disease.name\" = {");
    assert!(Policy::parse(&quoted, "policy.toml", Path::new("")).is_ok());
}

#[test]
fn at_most_one_column_is_the_class() {
    assert_line(
        "role = \"sensitive\"",
        "role = \"class\"",
        &["policy.toml:9: column `insured` is a second class column, after `disease`; at most one column is the class"],
    );
}

#[test]
fn an_objective_on_the_class_needs_one() {
    for objective in ["information-gain", "gain-only"] {
        let text = RIGHT
            .replace("information-gain", objective)
            .replace("\"class\"", "\"other\"");
        assert_problems(
            &text,
            &["policy.toml:17: this objective needs a class column; \
             give one column the role class, or choose distortion, discernibility or certainty"],
        );
    }
}

#[test]
fn a_policy_has_data_columns_a_quasi_column_and_a_requirement() {
    assert_problems(
        "",
        &[
            "policy.toml: there is no [data] section",
            "policy.toml: there is no [columns] section",
            "policy.toml: there is no [[require]] section; add [[require]] with `anonymity = k`",
        ],
    );
    assert_problems(
        "require = []\n[data]\n[columns]\nage = { role = \"other\" }",
        &[
            "policy.toml:1: `require` must be a list of sections; write [[require]], with two brackets",
            "policy.toml:2: [data] names no file; add `file = \"data.csv\"`",
            "policy.toml:3: no column is quasi; give the columns that others may know of a person the role quasi",
        ],
    );
}

const KINDS: &str = "anonymity, confidence, diversity, closeness, alpha, p-sensitive, delta-disclosure, beta-likeness, \
                     k-map, personal, range-diversity";

#[test]
fn a_requirement_is_of_one_kind() {
    assert_line(
        "anonymity = 4\n",
        "",
        &[&format!(
            "policy.toml:12: [[require]] requires nothing; add one of: {KINDS}"
        )],
    );
    assert_line(
        "anonymity = 4",
        "anonimity = 4",
        &["policy.toml:13: unknown key `anonimity` in [[require]]; did you mean `anonymity`?"],
    );
    assert_line(
        "anonymity = 4",
        "k = 4",
        &[&format!(
            "policy.toml:12: [[require]] requires nothing; add one of: {KINDS}"
        )],
    );
    assert_line(
        "anonymity = 4",
        "anonymity = 4\nconfidence = 0.5",
        &["policy.toml:14: [[require]] has both `anonymity` and `confidence`; write one [[require]] for each"],
    );
    assert_line(
        "anonymity = 4",
        "anonymity = 4\nabout = \"disease\"",
        &["policy.toml:14: unknown key `about` in [[require]]; valid: anonymity, of, per"],
    );
}

/// What goes with several tables is known where one is asked for.
#[test]
fn words_for_several_tables_are_told_as_such() {
    for method in ["miracle", "miraclex", "entities", "bitmap"] {
        assert_line(
            "objective = \"information-gain\"",
            &format!("name = \"{method}\""),
            &[&format!(
                "policy.toml:17: the method `{method}` is for several tables; name them in [person] and [[tables]], or choose a \
                 method for one table"
            )],
        );
    }
    for section in ["[person]", "[[tables]]", "[[lookups]]"] {
        let text = RIGHT.replace("[release]", &format!("{section}\nfile = \"a.csv\"\n[release]"));
        let error = Policy::parse_one_table(&text, "policy.toml", Path::new("")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "policy.toml:19: this policy is about several tables, and one is asked for; publish, audit, attack and evaluate take \
             such a policy",
        );
    }
}

/// One table may be in a database, too: a file that a table or query is asked of is a SQLite database.
#[test]
fn a_place_says_which_rows_and_only_one_place() {
    let postgres = "url = \"postgres://host/clinic\"";
    for rows in ["table = \"people\"", "query = \"select * from people\""] {
        for place in [postgres, "file = \"people.sqlite\""] {
            let text = RIGHT.replace("file = \"patients.csv\"", &format!("{place}\n{rows}"));
            assert!(Policy::parse(&text, "policy.toml", Path::new("")).is_ok(), "{text}");
        }
    }
    let file = "file = \"patients.csv\"";
    assert_line(
        file,
        postgres,
        &[
            "policy.toml:1: [data] does not say which rows of the database; add `table = \"people\"` or `query = \"select …\"`",
        ],
    );
    assert_line(
        file,
        &format!("{file}\n{postgres}\ntable = \"people\""),
        &["policy.toml:1: [data] names more than one place; keep one of `file` and `url` (PostgreSQL)"],
    );
    assert_line(
        file,
        &format!("{file}\ntable = \"people\"\nquery = \"select 1\""),
        &["policy.toml:4: a section has both `table` and `query`; keep one of them"],
    );
    assert_line(
        file,
        "table = \"people\"",
        &["policy.toml:1: [data] names no file; add `file = \"data.csv\"`"],
    );
    assert_line(
        file,
        "url = \"mysql://host/clinic\"\ntable = 3",
        &[
            "policy.toml:2: `url` is not that of a PostgreSQL database; write it as \"postgres://user@host/name\"",
            "policy.toml:3: `table` must be a text in quotes",
        ],
    );
    assert_line(
        file,
        &format!("{file}\ntable = \"people\"\nseparator = \";\"\nsheet = \"2024\""),
        &[
            "policy.toml:4: `separator` is for files, and the rows are in a database; take it out",
            "policy.toml:5: `sheet` is for files, and the rows are in a database; take it out",
        ],
    );
}

#[test]
fn text_that_is_not_toml_is_told_line_by_line() {
    assert_problems(
        "[data]\nfile = patients.csv\n[columns\nage = 3\n",
        &[
            "policy.toml:2: not valid TOML: string values must be quoted, expected literal string",
            "policy.toml:3: not valid TOML: unclosed table, expected `]`",
        ],
    );
    assert_line(
        "[release]",
        "[data]",
        &["policy.toml:19: not valid TOML: duplicate key"],
    );
}

/// One run tells everything, in the order of the file, and nothing that only follows from another problem: `of` may
/// name `job`, whose role cannot be read, and there may be a class among the misspelt roles.
#[test]
fn all_problems_are_told_at_once() {
    let text = r#"[dta]
[data]
file = 3
[columns]
age = { role = "quazi", type = "continous", range = [0, 120] }
job = { rol = "quasi" }
zip = { role = "quasi" }
[[require]]
anonymity = 0
of = ["job", "agee", "agee"]
[[require]]
range-diversity = 3
about = "zip"
[method]
objective = "information-gain"
name = "toc"
"#;
    assert_problems(
        text,
        &[
            "policy.toml:1: unknown key `dta` in the policy; did you mean `data`?",
            "policy.toml:3: `file` must be a text in quotes",
            "policy.toml:5: unknown role `quazi`; did you mean `quasi`?",
            "policy.toml:5: unknown type `continous`; did you mean `continuous`?",
            "policy.toml:6: column `job` has no role; valid: identifier, quasi, sensitive, class, other",
            "policy.toml:6: unknown key `rol` in column `job`; did you mean `role`?",
            "policy.toml:9: `anonymity` must be a whole number, at least 1",
            "policy.toml:10: unknown column `agee` in `of`; did you mean `age`?",
            "policy.toml:10: `agee` is twice in `of`",
            "policy.toml:12: `range-diversity` must be a number: at least 0 and at most 1",
            "policy.toml:13: `about` must name a sensitive column, and the role of `zip` is quasi; make it sensitive or \
             leave it out of `about`",
            "policy.toml:15: unknown key `objective` in [method]; valid: name, utility_weight, threshold, subspace, nearest, \
             rows_suppressed_at_most, seed",
        ],
    );
}

#[test]
fn a_problem_stays_on_its_line() {
    assert_line(
        "of = [\"age\", \"job\"]",
        "of = [\"a\\nb\"]",
        &["policy.toml:14: unknown column `a\\nb` in `of`; valid: age, job"],
    );
}

#[test]
fn a_diagnostic_points_at_the_word() {
    let error = error(&RIGHT.replace("\"sensitive\"", "\"sensitiv\""));
    let label = error.labels().unwrap().next().unwrap();
    let source = error.source_code().unwrap().read_span(label.inner(), 0, 0).unwrap();
    assert_eq!((source.name(), source.line()), (Some("policy.toml"), 7));
    assert_eq!(source.data(), b"\"sensitiv\"");
    assert_eq!(label.label(), Some("did you mean `sensitive`?"));
}
