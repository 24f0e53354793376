//! What must hold of the entries of a ledger, whatever the bytes.

use scumble_store::{Entry, Ledger, Unwatched};

/// Reads a ledger with these bytes as its entries. It is read or refused; and if it is read, a publisher sees what a
/// reader sees, and can add to it.
pub fn run(data: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let entries = folder.path().join("entries.jsonl");
    std::fs::write(&entries, data).expect("there is room for a file");
    let Ok(read) = Ledger::read(folder.path()) else {
        assert!(Ledger::open(folder.path(), &Unwatched).is_err());
        return;
    };
    let mut open = Ledger::open(folder.path(), &Unwatched).expect("what can be read can be opened");
    assert_eq!(open.entries().as_slice(), read.as_slice());
    let name = read.unused_name("next");
    open.add(Entry {
        name: name.clone(),
        population: "all".to_owned(),
        published_at: "2026-01-31T12:00:00Z".to_owned(),
        file: folder.path().join("released.csv"),
        fingerprint: "blake3:00".to_owned(),
        columns: Vec::new(),
        certificate: serde_json::Value::Null,
    })
    .expect("a new name can be added");
    let again = Ledger::read(folder.path()).expect("what was written can be read");
    assert_eq!(again.as_slice().len(), read.as_slice().len() + 1);
    assert!(again.find(&name).is_ok());
}
