//! What a table shows about itself, and the policy to begin with.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use scumble::errors::SearchError;
use scumble::policy::Role;
use scumble::results::{GuessedType, InspectedColumn};
use scumble::{
    Error, Event, Fault, FileSource, Inspection, Options, Policy, Stage, Unwatched, Watch, inspect, publish,
};
use tempfile::TempDir;

/// A folder with one file of these lines, and its inspection.
fn inspected(text: &str) -> (TempDir, Inspection) {
    inspected_as(text, FileSource::new)
}

fn inspected_as(text: &str, source: impl FnOnce(PathBuf) -> FileSource) -> (TempDir, Inspection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    fs::write(&path, text).unwrap();
    let inspection = inspect(&source(path), &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    (folder, inspection)
}

/// A table of `rows` lines, each made from its number.
fn lines(header: &str, rows: usize, line: impl Fn(usize) -> String) -> String {
    let lines: Vec<String> = (0..rows).map(line).collect();
    format!("{header}\n{}\n", lines.join("\n"))
}

fn column<'i>(inspection: &'i Inspection, name: &str) -> &'i InspectedColumn {
    inspection.columns.iter().find(|column| column.name == name).unwrap()
}

#[track_caller]
fn assert_roles(text: &str, expected: &[(&str, Role)]) {
    let (_folder, inspection) = inspected(text);
    let roles: Vec<(&str, Role)> = inspection.columns.iter().map(|c| (c.name.as_str(), c.role)).collect();
    assert_eq!(roles, expected);
    assert!(inspection.columns.iter().all(|column| !column.reason.is_empty()));
}

/// Parses the first policy and publishes with it, as it stands.
#[track_caller]
fn published(folder: &TempDir, inspection: &Inspection) -> String {
    let text = inspection.policy();
    let policy = Policy::parse(&text, "policy.toml", folder.path()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(
        policy.columns.len(),
        inspection.columns.len(),
        "every column is listed\n{text}"
    );
    let publication =
        publish(&policy.clone(), &Options::default(), &Unwatched).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(publication.certificate.require.iter().all(|template| template.holds));
    fs::read_to_string(publication.released).unwrap()
}

/// 60 people of whom everything is known: each kind of column once.
fn people() -> String {
    lines("patientId,fullName,Age,zip,born,disease,outcome,note,unit", 60, |row| {
        format!(
            "{},Person {row},{},{:05},19{}-05-17,{},{},n{},cm",
            1_000 + row * 7,
            20 + row % 45,
            1_067 + row % 30,
            40 + row % 50,
            ["flu", "asthma", "none"][row % 3],
            ["yes", "no"][row % 2],
            row % 4,
        )
    })
}

#[test]
fn the_name_of_a_column_suggests_its_role() {
    assert_roles(
        &people(),
        &[
            ("patientId", Role::Identifier),
            ("fullName", Role::Identifier),
            ("Age", Role::Quasi),
            ("zip", Role::Quasi),
            ("born", Role::Quasi),
            ("disease", Role::Sensitive),
            ("outcome", Role::Class),
            ("note", Role::Quasi),
            ("unit", Role::Other),
        ],
    );
}

#[test]
fn a_name_that_says_identifier_does_not_hide_a_few_groups() {
    let text = lines("region_id,customer_id", 100, |row| format!("{},{}", row % 5, row / 3));
    assert_roles(&text, &[("region_id", Role::Quasi), ("customer_id", Role::Identifier)]);
}

#[test]
fn one_column_is_the_class_and_it_has_few_values() {
    let text = lines("label,target,class", 100, |row| {
        format!("{},{},{row}", row % 2, row % 3)
    });
    assert_roles(
        &text,
        &[
            ("label", Role::Quasi),
            ("target", Role::Class),
            ("class", Role::Identifier),
        ],
    );
}

#[test]
fn text_of_ones_own_identifies_and_a_measurement_does_not() {
    let text = lines("remark,level,serial,day", 60, |row| {
        format!("r{},{}.5,{row},2020-01-{:02}", row * row, row * row, row % 28 + 1)
    });
    assert_roles(
        &text,
        &[
            ("remark", Role::Identifier),
            ("level", Role::Quasi),
            ("serial", Role::Identifier),
            ("day", Role::Quasi),
        ],
    );
}

#[test]
fn types_follow_the_values_and_look_past_missing_ones() {
    let (_folder, inspection) = inspected(&people());
    let type_of = |name| column(&inspection, name).guessed;
    assert_eq!(type_of("Age"), GuessedType::Continuous);
    assert_eq!(type_of("zip"), GuessedType::Categorical);
    assert_eq!(type_of("born"), GuessedType::Date);
    assert_eq!(type_of("disease"), GuessedType::Categorical);

    let (_folder, inspection) = inspected("age,job\n30,Cook\n?,NA\n,Cook\nN/A,\n?,-\n");
    let age = column(&inspection, "age");
    assert_eq!(age.guessed, GuessedType::Continuous);
    assert_eq!((age.distinct, age.missing), (3, 1));
    let marks = |name| {
        let suspected = &column(&inspection, name).suspected_missing;
        suspected.iter().map(|mark| (mark.mark, mark.rows)).collect::<Vec<_>>()
    };
    assert_eq!(marks("age"), [("?", 2), ("N/A", 1)]);
    assert_eq!(marks("job"), [("-", 1), ("NA", 1)]);
}

#[test]
fn marks_that_were_declared_are_missing_and_not_suspected() {
    let (folder, inspection) = inspected_as("age,sex\n30,?\n31,f\n,f\n?,m\n32,m\n", |path| FileSource {
        marks: vec!["?".to_owned()],
        ..FileSource::new(path)
    });
    let age = column(&inspection, "age");
    assert_eq!((age.distinct, age.missing, age.suspected_missing.len()), (3, 2, 0));
    published(&folder, &inspection);
}

/// Groups of `zip`: {a a a}, {b}, and {missing}; the missing value is one like the others.
#[test]
fn groups_are_counted_by_value() {
    let (_folder, inspection) = inspected("zip,sex\na,f\na,f\na,m\nb,m\n,m\n");
    let groups = column(&inspection, "zip").groups;
    assert_eq!((groups.count, groups.smallest, groups.unique_rows), (3, 1, 2));
    assert_eq!((groups.average, groups.unique_share), (5.0 / 3.0, 0.4));
    // (a, f) twice, (a, m), (b, m), (missing, m).
    let [pair] = &inspection.sets.pairs[..] else {
        panic!("two columns make one pair")
    };
    assert_eq!(
        (pair.groups.count, pair.groups.smallest, pair.groups.unique_rows),
        (4, 1, 3)
    );
    assert!(inspection.sets.triples.is_empty());
}

/// The groups of rows that agree on some columns, counted the plain way: how many, the smallest, rows alone.
fn count_plainly(rows: &[Vec<u8>], columns: &[usize]) -> (usize, usize, usize) {
    let mut groups: HashMap<Vec<u8>, usize> = HashMap::new();
    for row in rows {
        *groups
            .entry(columns.iter().map(|&column| row[column]).collect())
            .or_default() += 1;
    }
    let alone = groups.values().filter(|&&size| size == 1).count();
    (groups.len(), *groups.values().min().unwrap(), alone)
}

/// All sets of so many of the columns 0, 1, ….
fn subsets(columns: usize, size: usize) -> Vec<Vec<usize>> {
    let all = (0..1usize << columns).filter(|set| set.count_ones() as usize == size);
    all.map(|set| (0..columns).filter(|column| set >> column & 1 == 1).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_best_pairs_and_triples_are_those_of_a_plain_count(
        rows in prop::collection::vec(prop::collection::vec(0u8..6, 6), 1..60)
    ) {
        // Named so that all are quasi, and told apart by their first letter.
        let header = "a age,b age,c age,d age,e age,f age";
        let text = lines(header, rows.len(), |row| {
            rows[row].iter().map(u8::to_string).collect::<Vec<_>>().join(",")
        });
        let (_folder, inspection) = inspected(&text);
        for (size, found) in [(2, &inspection.sets.pairs), (3, &inspection.sets.triples)] {
            let place = |name: &String| usize::from(name.as_bytes()[0] - b'a');
            for set in found {
                let columns: Vec<usize> = set.columns.iter().map(place).collect();
                let groups = (set.groups.count, set.groups.smallest, set.groups.unique_rows);
                prop_assert_eq!(groups, count_plainly(&rows, &columns));
            }
            let all = subsets(6, size);
            let mut best: Vec<_> = all.iter().map(|set| count_plainly(&rows, set)).map(|(n, _, alone)| (alone, n)).collect();
            best.sort_unstable_by(|a, b| b.cmp(a));
            let found: Vec<_> = found.iter().map(|set| (set.groups.unique_rows, set.groups.count)).collect();
            prop_assert_eq!(&found[..], &best[..5]);
        }
    }
}

#[test]
fn of_many_quasi_columns_the_twelve_that_tell_most_apart_are_tried() {
    let header: Vec<String> = (0..15).map(|column| format!("age {column}")).collect();
    let text = lines(&header.join(","), 200, |row| {
        (0..15)
            .map(|column| (row % (column + 2)).to_string())
            .collect::<Vec<_>>()
            .join(",")
    });
    let (_folder, inspection) = inspected(&text);
    assert_eq!(inspection.sets.tried.len(), 12);
    assert_eq!(inspection.sets.not_tried, ["age 2", "age 1", "age 0"]);
    assert!(inspection.to_string().contains("Tried together: the 12 quasi columns"));
}

/// Values that occur nowhere else are in every kind of column; none comes out again.
#[test]
fn no_cell_is_shown() {
    let planted = ["Zaphod", "8675309", "1977-05-25", "Xanadu", "Scurvy", "4711.25"];
    let text = lines("id,name,age,born,city,disease,level", 40, |row| match row {
        7 => format!(
            "7,{},{},{},{},{},{}",
            planted[0], planted[1], planted[2], planted[3], planted[4], planted[5]
        ),
        _ => format!("{row},n{row},{},1980-01-{:02},Ulm,flu,{row}.5", 20 + row, row % 28 + 1),
    });
    let (_folder, inspection) = inspected(&text);
    let json = serde_json::to_string(&inspection).unwrap();
    for shown in [
        json,
        inspection.to_string(),
        inspection.policy(),
        format!("{inspection:?}"),
    ] {
        for value in planted {
            assert!(!shown.contains(value), "{value} in\n{shown}");
        }
    }
}

#[test]
fn json_has_the_words_of_the_policy() {
    let (_folder, inspection) = inspected("age,sex\n30,f\n30,?\n31,f\n");
    let json = serde_json::to_value(&inspection).unwrap();
    assert_eq!(json["rows"], 3);
    assert_eq!(json["columns"][0]["type"], "continuous");
    assert_eq!(json["columns"][0]["role"], "quasi");
    assert_eq!(json["columns"][0]["groups"]["unique_rows"], 1);
    assert_eq!(json["columns"][1]["suspected_missing"][0]["mark"], "?");
    assert_eq!(json["sets"]["pairs"][0]["columns"][0], "age");
    assert!(json["file"].as_str().unwrap().ends_with("data.csv"));
}

#[test]
fn the_text_fits_in_100_columns() {
    let long = "a very long title of a column that says too much";
    let text = lines(&format!("{long},job,sex"), 30, |row| {
        format!("{row}.25,j{row},{}", ["f", "?"][row % 2])
    });
    let (_folder, inspection) = inspected(&text);
    let shown = inspection.to_string();
    let below_the_path = shown.lines().skip(1);
    assert_eq!(
        below_the_path
            .filter(|line| line.chars().count() > 100)
            .collect::<Vec<_>>(),
        [""; 0]
    );
    let policy = inspection.policy();
    assert_eq!(
        policy
            .lines()
            .filter(|line| line.chars().count() > 120 && !line.starts_with("file"))
            .count(),
        0
    );
    assert!(shown.contains("a very long title of a colu…"), "{shown}");
    assert!(shown.contains("  `?` in 15 rows of sex\n"), "{shown}");
}

#[test]
fn the_first_policy_publishes_as_it_stands() {
    let (folder, inspection) = inspected(&people());
    let released = published(&folder, &inspection);
    let header = released.lines().next().unwrap();
    assert_eq!(
        header, "Age,zip,born,disease,outcome,note,unit",
        "identifiers are left out"
    );
    assert_eq!(released.lines().count(), 61);

    let policy = Policy::parse(&inspection.policy(), "policy.toml", folder.path()).unwrap();
    assert_eq!(policy.method.objective_word(), "information-gain");
    let comments = [
        "# 45 different values, ",
        "range = [0, 120]",
        "taxonomy = \"zip.csv\"",
        "taxonomy = \"born.csv\"",
        "usually ask for 5 to 11",
        "# rows_suppressed_at_most = ",
    ];
    for comment in comments {
        assert!(inspection.policy().contains(comment), "{comment}");
    }
}

#[test]
fn the_first_policy_names_the_marks_that_it_relies_on() {
    let text = lines("age,job", 30, |row| match row % 10 {
        0 => "?,cook".to_owned(),
        1 => ",null".to_owned(),
        _ => format!("{},cook", 20 + row),
    });
    let (folder, inspection) = inspected(&text);
    assert!(inspection.policy().contains("missing_marks = [\"?\", \"null\"]"));
    published(&folder, &inspection);
}

#[test]
fn the_first_policy_reads_the_file_as_the_inspection_did() {
    let text = "# made up\n30;\"a \"\"b\"\"\";x\n31; c ;x\n32;c;y\n33;d;y\n";
    let (folder, inspection) = inspected_as(text, |path| FileSource {
        names: Some(vec![
            "age".to_owned(),
            "the \"job\" [of]\t1".to_owned(),
            "größe.x".to_owned(),
        ]),
        separator: Some(b';'),
        comment: Some(b'#'),
        trim: false,
        ..FileSource::new(path)
    });
    let released = published(&folder, &inspection);
    assert_eq!(released.lines().count(), 5);
}

#[test]
fn every_table_has_a_first_policy() {
    // Nothing but identifiers, nothing but secrets, nothing but one value, a column without any value.
    for text in [
        "ssn\n1\n2\n3\n",
        "disease\nflu\nflu\n",
        "x,y\n1,\n1,\n",
        "name,class\na,y\nb,n\nc,n\n",
    ] {
        let (folder, inspection) = inspected(text);
        published(&folder, &inspection);
    }
}

#[test]
fn the_only_row_cannot_be_published() {
    let (folder, inspection) = inspected("age,sex\n30,f\n");
    let policy = Policy::parse(&inspection.policy(), "policy.toml", folder.path()).unwrap();
    assert!(matches!(
        publish(&policy.clone(), &Options::default(), &Unwatched),
        Err(Error::Search(SearchError::CannotBeMet(_)))
    ));
}

#[test]
fn a_header_that_looks_like_a_person_is_told() {
    let (_folder, inspection) = inspected("31,Ann,1980-02-03\n32,Bob,1981-02-03\n");
    assert_eq!(inspection.names_like_values, 2);
    assert!(inspection.to_string().contains("if the file has no header"));
}

#[test]
fn what_is_wrong_with_the_file_is_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, text: Option<&str>| {
        let path = folder.path().join(name);
        if let Some(text) = text {
            fs::write(&path, text).unwrap();
        }
        let error = inspect(&FileSource::new(&path), &Unwatched).unwrap_err();
        assert_eq!(error.fault(), Fault::Input);
        error.to_string().replace(&folder.path().display().to_string(), "")
    };
    assert_eq!(
        message("/empty.csv", Some("")),
        "/empty.csv: the file is empty; it needs a header and at least one row"
    );
    let no_rows = "/header.csv: the file has no rows; add at least one below the header";
    assert_eq!(message("/header.csv", Some("a,b\n")), no_rows);
    assert!(message("/none.csv", None).starts_with("/none.csv: "));
}

#[test]
fn counting_stops_when_asked() {
    struct AfterReading(std::sync::atomic::AtomicBool);
    impl Watch for AfterReading {
        fn event(&self, event: &Event) {
            if let Event::Begun { stage, .. } = event {
                let is_counting = *stage == Stage::Counting;
                self.0.store(is_counting, std::sync::atomic::Ordering::Relaxed);
            }
        }
        fn should_stop(&self) -> bool {
            self.0.load(std::sync::atomic::Ordering::Relaxed)
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = &folder.path().join("data.csv");
    fs::write(path, people()).unwrap();
    let stopped = inspect(&FileSource::new(path), &AfterReading(Default::default()));
    assert!(matches!(stopped, Err(Error::Interrupted)));
}
