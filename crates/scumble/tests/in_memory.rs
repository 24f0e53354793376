//! A release in memory: from record batches to record batches, with nothing on disk, and the same cells as by way of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, DictionaryArray, RecordBatch, StringArray, types::UInt32Type};
use scumble::errors::{InputError, PastError, TextError};
use scumble::results::{Measured, ReleaseBatches};
use scumble::{
    BatchSource, DataKept, Error, Evaluate, Fault, Inputs, Newcomers, OpenLedger, Options, Policy, Questions, Remember,
    Search, Sources, Target, Unwatched, attack_database, attack_join, audit_database, audit_file, evaluate_database,
    evaluate_file, publish, read_any_policy,
};
use tempfile::TempDir;

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path)
}

/// A file of plain cells as one batch of texts.
fn batch(file: &Path) -> RecordBatch {
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let columns = header.iter().enumerate().map(|(place, name)| {
        let cells = rows.iter().map(|row| row[place]);
        let cells: ArrayRef = Arc::new(StringArray::from_iter_values(cells));
        (*name, cells)
    });
    RecordBatch::try_from_iter(columns).unwrap()
}

fn source(file: &Path) -> BatchSource {
    let batch = batch(file);
    BatchSource::new(batch.schema(), vec![batch])
}

/// Batches as the lines of a CSV file without its quotes.
fn lines(released: &ReleaseBatches) -> String {
    let names: Vec<&str> = released.schema.fields().iter().map(|field| &field.name()[..]).collect();
    let mut text = names.join(",") + "\n";
    for batch in &released.batches {
        let columns: Vec<Vec<&str>> = batch.columns().iter().map(texts).collect();
        for row in 0..batch.num_rows() {
            let cells: Vec<&str> = columns.iter().map(|column| column[row]).collect();
            text += &(cells.join(",") + "\n");
        }
    }
    text
}

fn texts(column: &ArrayRef) -> Vec<&str> {
    let column = column.as_any().downcast_ref::<DictionaryArray<UInt32Type>>().unwrap();
    let values = column.values().as_any().downcast_ref::<StringArray>().unwrap();
    let cell = |row| column.key(row).map_or("", |key| values.value(key));
    (0..column.len()).map(cell).collect()
}

fn policy(path: &str) -> Policy {
    read_any_policy(&example(path)).unwrap()
}

/// What a policy releases by way of files, by the name of the file.
fn written(policy: &Policy) -> BTreeMap<String, String> {
    let desk = TempDir::new().unwrap();
    let out = desk.path().join("out");
    let options = Options {
        folder: Some(&out),
        ..Options::default()
    };
    publish(policy, &options, &Unwatched).unwrap();
    let files = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|path| path.extension().is_some_and(|extension| extension == "csv"));
    let table = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (
            name,
            fs::read_to_string(&path)
                .unwrap()
                .replace("\r\n", "\n")
                .replace('"', ""),
        )
    };
    tables.map(table).collect()
}

fn by_name(inputs: Inputs) -> BTreeMap<String, String> {
    let found = inputs.search(&Search::default(), &Unwatched).unwrap();
    let release = found.release(DataKept::LetGo, &Unwatched).unwrap();
    let tables = release.batches(&Unwatched).unwrap();
    tables
        .iter()
        .map(|(name, table)| (name.clone(), lines(table)))
        .collect()
}

#[test]
fn one_table_comes_out_of_batches_as_out_of_files() {
    let policy = policy("patients/policy.toml");
    let sources = Sources::of_data(source(policy.data.file().unwrap()));
    let inputs = Inputs::read(&policy, &sources, None, &Unwatched).unwrap();
    assert_eq!(by_name(inputs), written(&policy));
}

#[test]
fn several_tables_come_out_of_batches_as_out_of_files() {
    let policy = policy("university/policy.toml");
    let tables = fs::read_dir(example("university"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let csv = tables.filter(|path| path.extension().is_some_and(|extension| extension == "csv"));
    let named = csv.map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), path));
    let names: Vec<String> = policy
        .tables()
        .iter()
        .map(|table| table.name.get_ref().clone())
        .collect();
    let given = named.filter(|(name, _)| names.contains(name));
    let sources = Sources {
        tables: given.map(|(name, path)| (name, source(&path).into())).collect(),
        ..Sources::default()
    };
    assert_eq!(sources.tables.len(), names.len());
    let inputs = Inputs::read(&policy, &sources, None, &Unwatched).unwrap();
    assert_eq!(by_name(inputs), written(&policy));
}

/// The data is gone before the second search, so it cannot be read again.
#[test]
fn loaded_inputs_are_searched_again_without_reading() {
    let desk = TempDir::new().unwrap();
    for entry in fs::read_dir(example("patients")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, desk.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let text = fs::read_to_string(desk.path().join("policy.toml")).unwrap();
    let first = Policy::parse(&text, "policy.toml", desk.path()).unwrap();
    let inputs = Inputs::read(&first, &Sources::default(), None, &Unwatched).unwrap();
    let expected = {
        let other = with_bound(&text, 16);
        let other = Policy::parse(&other, "policy.toml", &example("patients")).unwrap();
        written(&other)
    };
    for entry in fs::read_dir(desk.path()).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let other = Policy::parse(&with_bound(&text, 16), "policy.toml", desk.path()).unwrap();
    let again = inputs.asking(&other).unwrap();
    assert_eq!(by_name(again), expected);
    assert_ne!(by_name(inputs), expected);
}

/// The first bound on anonymity of a policy, replaced.
fn with_bound(text: &str, k: u64) -> String {
    let bound = text.find("anonymity = ").unwrap();
    let end = bound + text[bound..].find('\n').unwrap();
    format!("{}anonymity = {k}{}", &text[..bound], &text[end..])
}

#[test]
fn inputs_are_not_taken_for_other_columns() {
    let first = policy("patients/policy.toml");
    let inputs = Inputs::read(&first, &Sources::default(), None, &Unwatched).unwrap();
    let mut other = first.clone();
    other.data.trim = !other.data.trim;
    assert!(matches!(
        inputs.asking(&other),
        Err(Error::Input(InputError::OtherInputs))
    ));
    assert!(matches!(
        inputs.asking(&policy("university/policy.toml")),
        Err(Error::Input(InputError::OtherInputs) | Error::Text(TextError::Problems(_)))
    ));
}

/// A release that was looked at in memory can still be written, and is what would have been written at once.
#[test]
fn a_release_is_written_later() {
    let policy = policy("clinic/anatomy.toml");
    let inputs = Inputs::read(&policy, &Sources::default(), None, &Unwatched).unwrap();
    let found = inputs.search(&Search::default(), &Unwatched).unwrap();
    let release = found.release(DataKept::Kept, &Unwatched).unwrap();
    let in_memory: Vec<(String, String)> = release
        .batches(&Unwatched)
        .unwrap()
        .iter()
        .map(|(name, table)| (name.clone(), lines(table)))
        .collect();
    let desk = TempDir::new().unwrap();
    let folder = desk.path().join("later");
    let target = Target::open(&folder, false).unwrap();
    let study = release.study(&Questions::default(), &Unwatched).unwrap();
    let written = study.write(target, None, &Unwatched).unwrap();
    for (name, text) in in_memory {
        let file = fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
        assert_eq!(file.replace("\r\n", "\n").replace('"', ""), text);
    }
    let json = serde_json::to_value(&written).unwrap();
    let certificate: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("certificate.json")).unwrap()).unwrap();
    assert_eq!(json["certificate"], certificate);
}

/// A ledger that was not asked for the past must not learn of a release that was made without it.
#[test]
fn a_ledger_learns_only_of_what_was_made_with_it() {
    let desk = TempDir::new().unwrap();
    let ledger = |name: &str| {
        let remember = Remember {
            folder: &desk.path().join("ledger"),
            name: Some(name),
            newcomers: Newcomers::Protect,
        };
        OpenLedger::open(&remember, desk.path().join(name).join("released.csv"), &Unwatched).unwrap()
    };
    let one = policy("patients/policy.toml");
    let inputs = Inputs::read(&one, &Sources::default(), None, &Unwatched).unwrap();
    let found = inputs.search(&Search::default(), &Unwatched).unwrap();
    let release = found.release(DataKept::LetGo, &Unwatched).unwrap();
    let study = release.study(&Questions::default(), &Unwatched).unwrap();
    let target = Target::open(&desk.path().join("late"), false).unwrap();
    let written = study.write(target, Some(ledger("late")), &Unwatched);
    assert!(matches!(written, Err(Error::Past(PastError::Unknown))));
    assert!(!desk.path().join("late/released.csv").exists());

    let several = policy("university/policy.toml");
    let read = Inputs::read(&several, &Sources::default(), Some(&ledger("several")), &Unwatched);
    assert!(matches!(read, Err(Error::Past(PastError::NotForPersons))));
}

/// Each table is measured; what cannot be measured of several is not left out in silence.
#[test]
fn several_tables_are_measured_and_what_cannot_be_is_told() {
    let several = policy("university/policy.toml");
    let study = |kept: DataKept, evaluate: Evaluate| {
        let inputs = Inputs::read(&several, &Sources::default(), None, &Unwatched).unwrap();
        let found = inputs.search(&Search::default(), &Unwatched).unwrap();
        let release = found.release(kept, &Unwatched).unwrap();
        let questions = Questions {
            attack: false,
            evaluate: Some(evaluate),
        };
        release.study(&questions, &Unwatched)
    };
    let studied = study(DataKept::Kept, Evaluate::default()).unwrap();
    let measured = studied.evaluation.as_ref().and_then(Measured::of_persons).unwrap();
    let tables: Vec<&str> = measured.tables.iter().map(|table| &table.table[..]).collect();
    assert_eq!(tables, ["students", "courses", "books"]);
    assert_eq!(measured.not_measured.len(), 1);
    let of_people = Evaluate {
        population: Some(100),
        ..Evaluate::default()
    };
    let refused = study(DataKept::Kept, of_people);
    assert!(matches!(refused, Err(Error::Evaluate(_))));
    let let_go = study(DataKept::LetGo, Evaluate::default());
    assert!(matches!(let_go, Err(Error::Evaluate(_))));
}

/// A caller may have either policy in hand; the command line asks first, the library must not fall over.
#[test]
fn a_policy_for_the_other_number_of_tables_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let several = read_any_policy(&folder.join("university/policy.toml")).unwrap();
    let one = read_any_policy(&folder.join("patients/policy.toml")).unwrap();
    let file = folder.join("university/students.csv");
    let wrong = [
        audit_file(&file, &several, None, &Unwatched).map(|_| ()),
        evaluate_file(&file, &several, &Evaluate::default(), &Unwatched).map(|_| ()),
        attack_join(&file, &several, None, &Unwatched).map(|_| ()),
        audit_database(&folder, &one, &Unwatched).map(|_| ()),
        evaluate_database(&folder, &one, &Evaluate::default(), &Unwatched).map(|_| ()),
        attack_database(&folder, &one, &Unwatched).map(|_| ()),
    ];
    for (place, refused) in wrong.into_iter().enumerate() {
        let error = refused.unwrap_err();
        assert_eq!(error.fault(), Fault::Input, "{place}: {error}");
    }
}
