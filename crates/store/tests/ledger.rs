//! The ledger: nobody misses another's entry, and no crash loses one.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use scumble_progress::{Event, Stage};
use scumble_store::{
    Entry, Ledger, LedgerColumn, LedgerError, Unwatched, Watch, fingerprint_of_file, fingerprint_of_taxonomy, utc_now,
};
use scumble_table::{Taxonomy, taxonomy};
use serde_json::json;
use tempfile::TempDir;

/// A folder for a ledger and a released file.
struct Desk {
    home: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("released.csv"), "job,disease\nCook,Flu\n").unwrap();
        Desk { home }
    }

    fn folder(&self) -> std::path::PathBuf {
        self.home.path().join("ledger")
    }

    fn lines(&self) -> std::path::PathBuf {
        self.folder().join("entries.jsonl")
    }

    fn open(&self) -> Ledger {
        Ledger::open(&self.folder(), &Unwatched).unwrap()
    }

    fn entry(&self, name: &str) -> Entry {
        let file = self.home.path().join("released.csv");
        let column = |name: &str, role: &str, taxonomy: Option<&str>| LedgerColumn {
            name: name.to_owned(),
            role: role.to_owned(),
            taxonomy: taxonomy.map(str::to_owned),
        };
        Entry {
            name: name.to_owned(),
            population: "patients of the north".to_owned(),
            published_at: "2026-11-16T08:00:00Z".to_owned(),
            fingerprint: fingerprint_of_file(&file).unwrap(),
            file,
            columns: vec![
                column("job", "quasi", Some("blake3:12")),
                column("disease", "sensitive", None),
            ],
            certificate: json!({"rows": {"published": 1}, "information_loss": 0.1, "note": "a\nb"}),
        }
    }

    /// A ledger with these entries.
    fn with(names: &[&str]) -> Desk {
        let desk = Desk::new();
        let mut ledger = desk.open();
        names.iter().for_each(|name| ledger.add(desk.entry(name)).unwrap());
        desk
    }
}

/// The names in a ledger, for a reader.
fn names(folder: &Path) -> Vec<String> {
    let entries = Ledger::read(folder).unwrap();
    entries.as_slice().iter().map(|entry| entry.name.clone()).collect()
}

#[test]
fn entries_are_read_back_in_the_order_they_came() {
    let desk = Desk::with(&["b", "a"]);
    let expected = [desk.entry("b"), desk.entry("a")];
    assert_eq!(Ledger::read(&desk.folder()).unwrap().as_slice(), expected);
    assert_eq!(desk.open().entries().as_slice(), expected);
    assert_eq!(desk.open().entries().find("a").unwrap(), &expected[1]);
}

/// What is on disk, to the byte: later versions must read it.
#[test]
fn an_entry_is_one_line_with_its_version() {
    let desk = Desk::new();
    let mut entry = desk.entry("spring");
    (entry.file, entry.fingerprint) = ("/out/released.csv".into(), "blake3:34".to_owned());
    desk.open().add(entry).unwrap();
    let expected = r#"{"version":1,"name":"spring","population":"patients of the north","published_at":"2026-11-16T08:00:00Z","file":"/out/released.csv","fingerprint":"blake3:34","columns":[{"name":"job","role":"quasi","taxonomy":"blake3:12"},{"name":"disease","role":"sensitive"}],"certificate":{"rows":{"published":1},"information_loss":0.1,"note":"a\nb"}}"#;
    assert_eq!(fs::read_to_string(desk.lines()).unwrap(), format!("{expected}\n"));
}

#[test]
fn a_relative_path_becomes_absolute() {
    let desk = Desk::new();
    let mut entry = desk.entry("spring");
    entry.file = "out/released.csv".into();
    desk.open().add(entry).unwrap();
    let expected = std::env::current_dir().unwrap().join("out/released.csv");
    assert_eq!(Ledger::read(&desk.folder()).unwrap().as_slice()[0].file, expected);
}

#[test]
fn a_name_is_used_once_and_a_free_one_is_offered() {
    let desk = Desk::with(&["out", "out-2"]);
    let mut ledger = desk.open();
    let refused = ledger.add(desk.entry("out")).unwrap_err();
    assert!(matches!(&refused, LedgerError::NameTaken { free, .. } if free == "out-3"));
    assert!(refused.to_string().ends_with("`out-3` is free"), "{refused}");
    assert_eq!(ledger.entries().unused_name("out"), "out-3");
    assert_eq!(ledger.entries().unused_name("new"), "new");
    drop(ledger);
    assert_eq!(names(&desk.folder()), ["out", "out-2"]);
}

#[test]
fn a_forgotten_entry_is_gone_and_its_name_is_free() {
    let desk = Desk::with(&["a", "b", "c"]);
    let mut ledger = desk.open();
    assert_eq!(ledger.forget("b").unwrap(), desk.entry("b"));
    assert_eq!(names(&desk.folder()), ["a", "c"]);
    ledger.add(desk.entry("b")).unwrap();
    assert_eq!(names(&desk.folder()), ["a", "c", "b"]);
    let left = fs::read_dir(desk.folder()).unwrap().count();
    assert_eq!(left, 2, "nothing is left aside");
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
    let desk = Desk::with(&["a", "b"]);
    let unknown = desk.open().forget("c").unwrap_err().to_string();
    assert!(
        unknown.ends_with("the ledger has no release `c`; it has: a, b"),
        "{unknown}"
    );
    assert_eq!(names(&desk.folder()), ["a", "b"]);
}

#[test]
fn a_folder_without_a_ledger_is_not_read_as_an_empty_one() {
    let desk = Desk::new();
    assert!(matches!(
        Ledger::read(&desk.folder()),
        Err(LedgerError::NoLedger { .. })
    ));
    assert!(!desk.folder().exists());
    let file = desk.home.path().join("released.csv");
    assert!(matches!(Ledger::read(&file), Err(LedgerError::NoLedger { .. })));
    drop(desk.open());
    assert!(Ledger::read(&desk.folder()).unwrap().as_slice().is_empty());
}

#[test]
fn the_released_file_must_be_there_as_it_was() {
    let desk = Desk::with(&["spring"]);
    let check = || {
        let entries = Ledger::read(&desk.folder()).unwrap();
        entries.check_file(entries.find("spring").unwrap())
    };
    check().unwrap();

    let file = desk.home.path().join("released.csv");
    fs::write(&file, "job,disease\nCook,HIV\n").unwrap();
    let changed = check().unwrap_err();
    assert!(matches!(changed, LedgerError::FileChanged { .. }));
    fs::remove_file(&file).unwrap();
    let gone = check().unwrap_err();
    assert!(matches!(gone, LedgerError::FileGone { .. }));

    let what_to_do = format!("scumble ledger forget spring --ledger {}", desk.folder().display());
    for error in [changed, gone] {
        let told = error.to_string();
        assert!(told.contains("put it back") && told.ends_with(&what_to_do), "{told}");
    }
}

/// A folder stands where the entries belong.
#[test]
fn an_entry_that_could_not_be_written_is_not_there() {
    let desk = Desk::new();
    let mut ledger = desk.open();
    fs::remove_file(desk.lines()).unwrap();
    fs::create_dir(desk.lines()).unwrap();
    let refused = ledger.add(desk.entry("a")).unwrap_err();
    assert!(matches!(&refused, LedgerError::Io { path, .. } if *path == desk.lines()));
    assert!(ledger.entries().as_slice().is_empty());
    fs::remove_dir(desk.lines()).unwrap();
    ledger.add(desk.entry("a")).unwrap();
    assert_eq!(names(&desk.folder()), ["a"]);
}

mod at_once {
    use super::*;

    /// Every thread opens the ledger by itself, as a process would, and looks before it adds.
    #[test]
    fn no_publisher_misses_the_entry_of_another() {
        const PUBLISHERS: usize = 8;
        const EACH: usize = 5;
        let desk = Desk::new();
        let publish = || {
            for _ in 0..EACH {
                let mut ledger = desk.open();
                let seen = ledger.entries().as_slice().len();
                let name = ledger.entries().unused_name("out");
                // Long enough for another to come in between, if nothing kept it out.
                thread::sleep(Duration::from_millis(2));
                assert_eq!(names(&desk.folder()).len(), seen, "nobody else adds");
                ledger.add(desk.entry(&name)).unwrap();
            }
        };
        thread::scope(|scope| {
            for _ in 0..PUBLISHERS {
                scope.spawn(publish);
            }
        });
        let found = names(&desk.folder());
        let expected: Vec<String> = std::iter::once("out".to_owned())
            .chain((2..=PUBLISHERS * EACH).map(|number| format!("out-{number}")))
            .collect();
        assert_eq!(found, expected);
    }

    /// A reader comes in the middle of a publication, and an entry is forgotten and added over and over.
    #[test]
    fn a_reader_waits_for_nobody_and_sees_whole_entries() {
        let desk = Desk::with(&["stays", "goes"]);
        let mut ledger = desk.open();
        thread::scope(|scope| {
            let reader = scope.spawn(|| {
                (0..300).for_each(|_| assert_eq!(names(&desk.folder())[0], "stays"));
            });
            while !reader.is_finished() {
                ledger.forget("goes").unwrap();
                ledger.add(desk.entry("goes")).unwrap();
            }
        });
    }

    /// Asks to stop when it has been told to wait, and looked at a few times.
    struct Impatient(AtomicUsize);

    impl Watch for Impatient {
        fn event(&self, event: &Event) {
            let stage = Stage::WaitingForLedger;
            if *event != (Event::Ended { stage }) {
                assert_eq!(*event, Event::Begun { stage, total: None });
                self.0.store(1, Ordering::Relaxed);
            }
        }

        fn should_stop(&self) -> bool {
            self.0.load(Ordering::Relaxed) > 0 && self.0.fetch_add(1, Ordering::Relaxed) > 2
        }
    }

    #[test]
    fn waiting_can_be_interrupted() {
        let desk = Desk::new();
        let _held = desk.open();
        let refused = Ledger::open(&desk.folder(), &Impatient(AtomicUsize::new(0)));
        assert!(matches!(refused, Err(LedgerError::Interrupted)));
    }
}

mod after_a_crash {
    use super::*;

    /// The power fails after each byte of the last line.
    #[test]
    fn a_line_cut_anywhere_costs_no_earlier_entry() {
        let desk = Desk::with(&["a", "b"]);
        let before = fs::read(desk.lines()).unwrap().len();
        desk.open().add(desk.entry("c")).unwrap();
        let whole = fs::read(desk.lines()).unwrap();
        for end in before..whole.len() {
            fs::write(desk.lines(), &whole[..end]).unwrap();
            // Without its line end alone, the entry is whole, and better kept than lost.
            let mut expected = vec!["a", "b"];
            if end == whole.len() - 1 {
                expected.push("c");
            }
            assert_eq!(names(&desk.folder()), expected, "a reader, cut at byte {end}");
            assert_eq!(fs::read(desk.lines()).unwrap().len(), end, "a reader writes nothing");
            desk.open().add(desk.entry("d")).unwrap();
            expected.push("d");
            assert_eq!(names(&desk.folder()), expected, "a publisher, cut at byte {end}");
        }
    }

    /// Some file systems make a file longer before they write what is in it.
    #[test]
    fn a_tail_of_zeros_is_cut_off() {
        let desk = Desk::with(&["a"]);
        let mut bytes = fs::read(desk.lines()).unwrap();
        bytes.extend([0; 100]);
        fs::write(desk.lines(), bytes).unwrap();
        assert_eq!(names(&desk.folder()), ["a"]);
        desk.open().add(desk.entry("b")).unwrap();
        assert_eq!(names(&desk.folder()), ["a", "b"]);
    }
}

mod broken {
    use super::*;

    /// The error of a ledger whose second of three lines is this, for readers and publishers.
    fn refused(second: &str) -> String {
        let desk = Desk::with(&["a", "b", "c"]);
        let text = fs::read_to_string(desk.lines()).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1] = second;
        let broken = lines.join("\n") + "\n";
        fs::write(desk.lines(), &broken).unwrap();
        let read = Ledger::read(&desk.folder()).unwrap_err().to_string();
        let open = Ledger::open(&desk.folder(), &Unwatched).unwrap_err().to_string();
        assert_eq!(read, open);
        assert_eq!(fs::read_to_string(desk.lines()).unwrap(), broken, "nothing is cut off");
        assert!(read.starts_with(&format!("{}:2: ", desk.lines().display())), "{read}");
        read
    }

    #[test]
    fn a_broken_line_in_the_middle_is_an_error_with_its_number() {
        let desk = Desk::with(&["a"]);
        let twice = fs::read_to_string(desk.lines()).unwrap();
        let of_no_entry = r#"{"version":1,"name":"Qz7Planted"}"#;
        for line in [
            "",
            r#"{"version":1,"na"#,
            "[]",
            r#"{"name":"b"}"#,
            of_no_entry,
            twice.trim_end(),
        ] {
            let told = refused(line);
            assert!(told.contains("not an entry with a name of its own"), "{told}");
            assert!(!told.contains("Qz7Planted"), "{told}");
        }
    }

    /// The last line, too: it is no remainder of a crash.
    #[test]
    fn an_entry_of_a_later_version_is_an_error_and_not_a_crash() {
        let later = r#"{"version":2,"name":"b","shape":"unknown"}"#;
        assert!(refused(later).contains("of version 2; this program reads version 1"));
        let desk = Desk::with(&[]);
        fs::write(desk.lines(), format!("{later}\n")).unwrap();
        let refused = Ledger::open(&desk.folder(), &Unwatched).unwrap_err();
        assert!(matches!(refused, LedgerError::Version { line: 1, found: 2, .. }));
        assert_eq!(fs::read_to_string(desk.lines()).unwrap(), format!("{later}\n"));
    }
}

#[cfg(unix)]
mod permissions {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_ledger_is_closed_to_others() {
        let desk = Desk::with(&["a", "b"]);
        let closed = || {
            assert_eq!(mode(&desk.folder()), 0o700);
            assert_eq!(mode(&desk.lines()), 0o600);
            assert_eq!(mode(&desk.folder().join("lock")), 0o600);
        };
        closed();
        desk.open().forget("a").unwrap();
        closed();
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_ledger_that_others_may_read_is_closed_when_it_is_opened() {
        let desk = Desk::with(&["a"]);
        set_mode(&desk.folder(), 0o755);
        set_mode(&desk.lines(), 0o644);
        set_mode(&desk.folder().join("lock"), 0o666);
        drop(desk.open());
        assert_eq!(mode(&desk.folder()), 0o700);
        assert_eq!(mode(&desk.lines()), 0o600);
        assert_eq!(mode(&desk.folder().join("lock")), 0o600);
    }

    /// Whoever keeps the ledger among other things may want others to see those.
    #[test]
    fn a_folder_that_holds_other_things_too_stays_as_it_is() {
        let desk = Desk::with(&["a"]);
        fs::write(desk.folder().join("notes.txt"), "mine").unwrap();
        set_mode(&desk.folder(), 0o755);
        set_mode(&desk.lines(), 0o644);
        drop(desk.open());
        assert_eq!(mode(&desk.folder()), 0o755);
        assert_eq!(mode(&desk.lines()), 0o600);
    }

    #[test]
    fn a_linked_file_of_a_ledger_is_refused() {
        for name in ["entries.jsonl", "lock"] {
            let desk = Desk::with(&["a"]);
            let (path, moved) = (desk.folder().join(name), desk.home.path().join("moved"));
            fs::rename(&path, &moved).unwrap();
            std::os::unix::fs::symlink(&moved, &path).unwrap();
            let refused = Ledger::open(&desk.folder(), &Unwatched).unwrap_err();
            assert!(refused.to_string().contains("is a link"), "{refused}");
        }
    }

    /// It was killed while an entry was forgotten.
    #[test]
    fn what_a_killed_run_left_of_a_new_file_of_entries_is_removed() {
        let desk = Desk::with(&["a"]);
        let left = desk.folder().join(".entries.jsonl.next");
        fs::write(&left, "{\"version\":1,\"na").unwrap();
        drop(desk.open());
        assert!(!left.exists());
        assert_eq!(names(&desk.folder()), ["a"]);
    }

    #[test]
    fn a_path_that_is_not_unicode_is_refused() {
        let desk = Desk::with(&["a"]);
        let mut entry = desk.entry("b");
        entry.file = std::ffi::OsStr::from_bytes(b"/out/\xff.csv").into();
        let refused = desk.open().add(entry).unwrap_err();
        assert!(matches!(refused, LedgerError::NotUnicode { .. }));
        assert_eq!(names(&desk.folder()), ["a"]);
    }
}

mod fingerprints {
    use super::*;

    fn tree(levels: &str) -> Taxonomy {
        taxonomy::parse(levels, taxonomy::Format::Levels).unwrap()
    }

    /// The digest of no bytes, as `b3sum` prints it.
    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let expected = "blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(fingerprint_of_file(file.path()).unwrap(), expected);
    }

    #[test]
    fn a_taxonomy_is_known_by_its_paths_in_any_order() {
        let jobs = fingerprint_of_taxonomy(&tree("Cook;Any\nEngineer;Professional;Any\n"));
        let same = fingerprint_of_taxonomy(&tree("Engineer;Professional;Any\nCook;Cook;Any\n"));
        assert_eq!(jobs, same);
        for other in [
            "Cook;Any\nEngineer;Any\n",
            "Cook;Any\nEngineer;Professionals;Any\n",
            "Cook;Any\nEngineer;Professional;Any\nLawyer;Professional;Any\n",
            "Cook;Professional;Any\nEngineer;Professional;Any\n",
        ] {
            assert_ne!(jobs, fingerprint_of_taxonomy(&tree(other)), "{other}");
        }
    }

    #[test]
    fn the_time_is_utc_to_the_second() {
        let now = utc_now();
        let shape: String = now.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(shape, "0000-00-00T00:00:00Z", "{now}");
    }
}
