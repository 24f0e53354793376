//! What is wrong with earlier releases is told, with its place.

use scumble::Error;
use scumble::errors::InputError;
use scumble::plan::read_taxonomies;

use crate::desk::{
    and, assert_message, assert_problems, assert_unparsed, folder, history, history_in, parse, plan, plan_of,
    requiring, with,
};
#[test]
fn a_release_that_is_not_there_is_told_with_its_line() {
    assert_problems(
        &with("clinic/released.csv", "clinic/relased.csv"),
        &["policy.toml:15: there is no file `clinic/relased.csv` of release `clinic`; name one relative to the policy"],
    );
}

#[test]
fn names_that_no_release_has_get_the_nearest() {
    assert_problems(
        &requiring("anonymity = 4\nof = ['clinc.zip', 'clinic.zipp']\nper = 'clinik'"),
        &[
            "policy.toml:12: unknown column `clinc.zip` in `of`: there is no earlier release `clinc`; \
             did you mean `clinic`?",
            "policy.toml:12: release `clinic` has no column `zipp`; did you mean `zip`?",
            "policy.toml:13: unknown release `clinik` in `per`; did you mean `clinic`?",
        ],
    );
    assert_unparsed(
        &requiring("anonymity = 4\nof = ['this.zop']"),
        &["policy.toml:12: unknown column `zop` in `of`; did you mean `zip`?"],
    );
    assert_problems(
        &with("join = [\"zip\", \"sex\"]", "join = ['zip', 'sexx', 'note']"),
        &[
            "policy.toml:16: release `clinic` has no column `sexx`; did you mean `sex`?",
            "policy.toml:16: no other release has column `note` to match it with; take it out of `join`",
        ],
    );
    assert_problems(
        &requiring("confidence = 0.5\nabout = { clinic.condition = ['HIV', 'Flue'] }"),
        &["policy.toml:12: column `clinic.condition` has no value `Flue`; did you mean `Flu`?"],
    );
}

#[test]
fn conditions_that_cannot_be_met_are_told() {
    let pair = |text: &str| and(&format!("[[inconsistent]]\n{text}\n"));
    assert_problems(
        &pair("thsi = { sex = 'M' }\nclinic = { condition = 'Pregnent' }"),
        &[
            "policy.toml:19: unknown release `thsi` in [[inconsistent]]; did you mean `this`?",
            "policy.toml:20: column `condition` has no value `Pregnent`; did you mean `Pregnant`?",
        ],
    );
    assert_problems(
        &pair("this = { name = 'M' }\nclinic = { age = 'old' }"),
        &[
            "policy.toml:19: this table publishes no column `name`; valid: job, zip, age, sex, disease",
            "policy.toml:20: column `age` has no value `old`; write a number or an interval, such as \"[20, 40)\"",
        ],
    );
}

#[test]
fn releases_that_share_nothing_cannot_be_joined() {
    let alone = "release `clinic` shares no column with this table; \
                 name a common column alike in both, or take the release out";
    let folder = folder();
    std::fs::write(folder.path().join("clinic/released.csv"), "a,condition\n1,HIV\n").unwrap();
    let text = with("join = [\"zip\", \"sex\"]\n", "");
    let message = |text: &str| {
        let policy = parse(text, folder.path());
        plan_of(&policy, |plan| plan.map(|_| ()).map_err(|error| error.to_string()))
    };
    assert_eq!(message(&text), Err(format!("policy.toml:14: {alone}")));
    let lost = "[[inconsistent]]\nthis = { sex = 'M' }\nclinic = { cndition = 'Pregnant' }\n";
    assert_eq!(
        message(&format!("{text}{lost}")),
        Err("policy.toml:19: release `clinic` has no column `cndition`".to_owned())
    );
    // A pair that nobody can be is something to match by.
    let pair = "[[inconsistent]]\nthis = { sex = 'M' }\nclinic = { condition = 'Pregnant' }\n";
    assert_eq!(message(&format!("{text}{pair}")), Ok(()));
}

#[test]
fn all_releases_read_a_column_with_one_taxonomy() {
    let trees = |trees: &str| with("taxonomies = { condition = \"condition.csv\" }", trees);
    let help = "name the same file for all; for a column of this table, in [columns]";
    let differ = |column: &str| {
        format!(
            "policy.toml:17: release `clinic` and another do not read column `{column}` with the same taxonomy; {help}"
        )
    };
    for column in ["job", "sex", "age"] {
        assert_problems(
            &trees(&format!("taxonomies = {{ {column} = 'condition.csv' }}")),
            &[&differ(column)],
        );
    }
    plan(&trees("taxonomies = { job = 'job.csv' }"), |plan| {
        assert_eq!(plan.earlier.len(), 1)
    });
    assert_problems(
        &trees("taxonomies = { conditon = 'condition.csv' }"),
        &["policy.toml:17: release `clinic` has no column `conditon`; did you mean `condition`?"],
    );
    // Two earlier releases, of a column that this table lacks.
    let other = "[[earlier]]\nname = 'other'\nfile = 'clinic/released.csv'\ntaxonomies = { condition = 'job.csv' }\n";
    assert_problems(
        &and(other),
        &[&format!(
            "policy.toml:21: release `other` and another do not read column `condition` with the same taxonomy; {help}"
        )],
    );
    let missing = parse(&trees("taxonomies = { condition = 'lost.csv' }"), folder().path());
    assert!(read_taxonomies(&missing).is_err());
}

#[test]
fn no_row_may_be_left_out_and_nothing_is_known_in_part() {
    assert_problems(
        &and("[method]\nrows_suppressed_at_most = 0.1\n"),
        &[
            "policy.toml:14: a row that is left out would leave the records of earlier releases that match it without a \
           match, so `rows_suppressed_at_most` does not go with earlier releases; set `rows_suppressed_at_most = 0`",
        ],
    );
    for kind in ["anonymity = 4", "confidence = 0.5\nabout = { disease = '*' }"] {
        assert_problems(
            &requiring(&format!("{kind}\nof = {{ any = 2 }}")),
            &["policy.toml:11: `any` cannot be asked of the join with earlier releases; write a list of columns"],
        );
    }
}

/// The release, the column and the row are told, never the cell.
#[test]
fn labels_that_are_not_understood_are_told_by_their_row() {
    let text = with("join = [\"zip\", \"sex\"]\n", "");
    let folder = folder();
    let released = "zip,sex,age,job\n1,F,37,{Lawyer|Janitor}\n1,F,,*\n1,M,old,Cook\n1,M,older,Chef\n";
    std::fs::write(folder.path().join("clinic/released.csv"), released).unwrap();
    let text = text.replace("taxonomies = { condition = \"condition.csv\" }\n", "");
    let error = history_in(folder.path(), &text, |_, history| history.unwrap_err());
    assert_message(
        &error.to_string(),
        folder.path(),
        &[
            "clinic/released.csv: column `age` of release `clinic` holds something else than numbers and intervals \
             (row 3); correct the taxonomy or the type of the column",
            "clinic/released.csv: column `job` of release `clinic` holds something else than labels of its taxonomy \
             (row 3); correct the taxonomy or the type of the column",
        ],
    );
}

/// A value that `*` may stand for is not called unknown.
#[test]
fn a_secret_that_no_label_can_say_is_told() {
    let about = |value: &str, column: &str| {
        let about = format!("about = {{ 'clinic.{column}' = ['{value}'] }}");
        history(
            &requiring(&format!("confidence = 0.5\nof = ['job']\n{about}")),
            |_, history| history.map(|_| ()).map_err(|error| error.to_string()),
        )
    };
    assert_eq!(
        about("w", "note"),
        Err("policy.toml:13: column `clinic.note` has no value `w`; check the spelling".to_owned())
    );
    assert_eq!(about("x", "note"), Ok(()));
    assert_eq!(about("10119", "zip"), Ok(()));
}

/// 3 rows in each of 81 releases: more than 2^128 matches.
#[test]
fn more_matches_than_can_be_counted_are_refused() {
    let many: String = (0..80)
        .map(|number| format!("[[earlier]]\nname = 'r{number}'\nfile = 'clinic/released.csv'\njoin = ['zip']\n"))
        .collect();
    let counted = |section: &str| {
        let text = requiring(&format!("{section}\nof = ['zip']")) + &many;
        history(&text, |_, history| history.map(|_| ()))
    };
    for section in [
        "anonymity = 4",
        "anonymity = 4\nper = 'join'",
        "confidence = 0.5\nabout = { disease = '*' }",
    ] {
        let error = counted(section).unwrap_err();
        assert!(matches!(error, Error::Input(InputError::Bind(_))), "{error}");
        assert!(error.to_string().contains("name fewer of them"), "{error}");
    }
}
