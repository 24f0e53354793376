use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use scumble_store::{Aside, CERTIFICATE, ReleasePart, Unwatched, WriteError, write_release};
use scumble_table::{ReleaseFormat, RowOrder};

use crate::tables::Plain;

/// Every file under a folder, by relative name, with its content.
fn files(folder: &Path) -> Vec<(String, String)> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                found.push((format!("{name}/"), String::new()));
                walk(root, &path, found);
            } else {
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|&(name, content)| (name.into(), content.into()))
        .collect()
}

/// A whole release, every file holding `content`.
fn filled(folder: &Path, replace: bool, format: ReleaseFormat, content: &str) -> Result<Aside, WriteError> {
    let aside = Aside::create(folder, replace)?;
    write(
        &aside,
        &[
            ReleasePart::Certificate,
            ReleasePart::Released(format),
            ReleasePart::Trace,
        ],
        content,
    );
    Ok(aside)
}

/// Writes parts of a release, every file holding `content`.
fn write(aside: &Aside, parts: &[ReleasePart], content: &str) {
    for &part in parts {
        aside.file(part).unwrap().write_all(content.as_bytes()).unwrap();
    }
}

fn release_of(content: &str) -> Vec<(String, String)> {
    named(&[
        (CERTIFICATE, content),
        ("private/", ""),
        ("private/trace.json", content),
        ("released.csv", content),
    ])
}

#[test]
fn files_appear_together_in_a_folder_that_did_not_exist() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("deep/out");
    let aside = filled(&folder, false, ReleaseFormat::Csv, "1").unwrap();
    assert!(!home.path().join("deep").exists());
    aside.commit().unwrap();
    assert_eq!(files(&folder), release_of("1"));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn files_join_the_unrelated_files_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let aside = filled(folder.path(), false, ReleaseFormat::Csv, "1").unwrap();
    let visible = |name: &str| folder.path().join(name).exists();
    assert!(!visible("released.csv") && !visible(CERTIFICATE) && !visible("private"));
    aside.commit().unwrap();
    let mut expected = release_of("1");
    expected.insert(1, ("notes.txt".into(), "mine".into()));
    assert_eq!(files(folder.path()), expected);
}

#[test]
fn dropped_files_leave_nothing() {
    let home = tempfile::tempdir().unwrap();
    drop(filled(&home.path().join("deep/out"), false, ReleaseFormat::Csv, "1").unwrap());
    drop(filled(home.path(), false, ReleaseFormat::Csv, "1").unwrap());
    assert_eq!(files(home.path()), named(&[]));
}

#[test]
fn a_release_is_not_replaced_unasked() {
    for name in [CERTIFICATE, "released.csv", "released.parquet", "released-secrets.csv"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), "old").unwrap();
        let refused = Aside::create(folder.path(), false).unwrap_err();
        assert!(matches!(refused, WriteError::Exists { .. }));
        assert!(refused.to_string().contains("--force"), "{refused}");
        assert_eq!(files(folder.path()), named(&[(name, "old")]));
    }
}

/// Somebody copies a release to where ours will be.
#[test]
fn a_release_that_came_meanwhile_is_not_replaced() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let late = Aside::create(&folder, false).unwrap();
    late.file(ReleasePart::Released(ReleaseFormat::Parquet)).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("released.csv"), "early").unwrap();
    assert!(matches!(late.commit(), Err(WriteError::Exists { .. })));
    assert_eq!(
        files(home.path()),
        named(&[("out/", ""), ("out/released.csv", "early")])
    );
}

#[test]
fn a_second_run_for_a_folder_fails_at_once_and_names_it() {
    let home = tempfile::tempdir().unwrap();
    let there = home.path().join("there");
    fs::create_dir(&there).unwrap();
    for folder in [there, home.path().join("deep/out")] {
        for replace in [false, true] {
            let first = filled(&folder, replace, ReleaseFormat::Csv, "1").unwrap();
            let second = Aside::create(&folder, replace).unwrap_err();
            assert!(
                matches!(&second, WriteError::Busy { folder: busy } if *busy == folder),
                "{second:?}"
            );
            first.commit().unwrap();
            assert_eq!(files(&folder), release_of("1"));
        }
    }
    let beside = filled(&home.path().join("beside"), false, ReleaseFormat::Csv, "1").unwrap();
    let other = filled(&home.path().join("other"), false, ReleaseFormat::Csv, "1").unwrap();
    beside.commit().unwrap();
    other.commit().unwrap();
}

/// The folder is made after the first run began, so the second does not see the lock above it.
#[test]
fn a_folder_that_was_made_meanwhile_is_locked_before_anything_moves_in() {
    for replace in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        let first = filled(&folder, replace, ReleaseFormat::Csv, "1").unwrap();
        fs::create_dir(&folder).unwrap();
        let second = filled(&folder, replace, ReleaseFormat::Csv, "2").unwrap();
        assert!(matches!(first.commit(), Err(WriteError::Busy { .. })));
        second.commit().unwrap();
        assert_eq!(files(&folder), release_of("2"));
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "nothing else is left");
    }
}

#[test]
fn an_unrelated_file_of_the_same_name_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("private")).unwrap();
    fs::write(folder.path().join("private/trace.json"), "mine").unwrap();
    let aside = filled(folder.path(), false, ReleaseFormat::Csv, "1").unwrap();
    assert!(matches!(aside.commit(), Err(WriteError::Exists { .. })));
    assert_eq!(
        files(folder.path()),
        named(&[("private/", ""), ("private/trace.json", "mine")])
    );
}

#[test]
fn replacing_leaves_no_file_of_the_old_release() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    filled(&folder, false, ReleaseFormat::Parquet, "old")
        .unwrap()
        .commit()
        .unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("released-secrets.parquet"), "old").unwrap();
    let aside = filled(&folder, true, ReleaseFormat::Csv, "new").unwrap();
    assert_eq!(fs::read_to_string(folder.join("released.parquet")).unwrap(), "old");
    aside.commit().unwrap();
    let mut expected = release_of("new");
    expected.insert(1, ("notes.txt".into(), "mine".into()));
    assert_eq!(files(&folder), expected);
}

/// A release of three tables and a look-up, with everything that may be beside it.
fn several_tables(folder: &Path) {
    let aside = Aside::create(folder, false).unwrap();
    let certificate = r#"{
        "version": 1,
        "tables": [{"name": "students", "file": "students.csv"}, {"name": "courses", "file": "courses.csv"}],
        "lookups": [{"name": "teachers", "file": "teachers.csv"}]
    }"#;
    write(&aside, &[ReleasePart::Certificate], certificate);
    let tables = ["students", "courses", "teachers"].map(|name| ReleasePart::Table(name, ReleaseFormat::Csv));
    write(&aside, &tables, "old");
    write(
        &aside,
        &[ReleasePart::Rows("students"), ReleasePart::Rows("courses")],
        "old",
    );
    write(&aside, &[ReleasePart::Attack, ReleasePart::Page], "old");
    aside.commit().unwrap();
}

#[test]
fn replacing_removes_every_file_of_several_tables_and_no_other() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    several_tables(&folder);
    let mine = ["notes.csv", "private/notes.txt", "private/rows/notes.csv"];
    mine.iter()
        .for_each(|name| fs::write(folder.join(name), "mine").unwrap());
    filled(&folder, true, ReleaseFormat::Csv, "new")
        .unwrap()
        .commit()
        .unwrap();
    let mut expected = release_of("new");
    expected.extend(named(&mine.map(|name| (name, "mine"))));
    expected.push(("private/rows/".into(), String::new()));
    expected.sort();
    assert_eq!(files(&folder), expected);
}

#[test]
fn replacing_leaves_no_measure_of_the_old_release() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let old = filled(&folder, false, ReleaseFormat::Csv, "old").unwrap();
    let parts = [
        ReleasePart::Attack,
        ReleasePart::Evaluation,
        ReleasePart::Page,
        ReleasePart::PlainPage,
        ReleasePart::Transcript,
        ReleasePart::Rows("students"),
    ];
    write(&old, &parts, "old");
    old.commit().unwrap();
    // The certificate does not name it, so it is not known to be of the release.
    let kept = ("private/rows/students.csv", "old");
    filled(&folder, true, ReleaseFormat::Csv, "new")
        .unwrap()
        .commit()
        .unwrap();
    let mut expected = release_of("new");
    expected.extend(named(&[("private/rows/", ""), kept]));
    expected.sort();
    assert_eq!(files(&folder), expected);
}

/// A table has a name of the data's choosing, and data may lie in the folder.
#[test]
fn a_table_that_no_certificate_names_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("students.csv"), "mine").unwrap();
    let aside = Aside::create(folder.path(), true).unwrap();
    write(
        &aside,
        &[
            ReleasePart::Table("students", ReleaseFormat::Csv),
            ReleasePart::Certificate,
        ],
        "new",
    );
    assert!(matches!(aside.commit(), Err(WriteError::NotOfRelease { .. })));
    assert_eq!(files(folder.path()), named(&[("students.csv", "mine")]));
}

#[test]
fn a_certificate_cannot_name_what_is_not_of_a_release() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    fs::create_dir_all(folder.join("inner")).unwrap();
    let mine = ["up.csv", "out/policy.toml", "out/inner/deep.csv"];
    mine.iter()
        .for_each(|name| fs::write(home.path().join(name), "mine").unwrap());
    let absolute = home.path().join("up.csv");
    let named_files = ["../up.csv", "policy.toml", "inner/deep.csv", absolute.to_str().unwrap()];
    let tables = named_files.map(|file| format!(r#"{{"name": "../../../up", "file": "{file}"}}"#));
    let certificate = format!(r#"{{"tables": [{}]}}"#, tables.join(", "));
    fs::write(folder.join(CERTIFICATE), certificate).unwrap();
    filled(&folder, true, ReleaseFormat::Csv, "new")
        .unwrap()
        .commit()
        .unwrap();
    for name in mine {
        assert_eq!(fs::read_to_string(home.path().join(name)).unwrap(), "mine", "{name}");
    }
}

/// What a run leaves that was killed after it had moved two of its files in.
#[test]
fn the_next_run_clears_what_a_killed_one_put_in_place() {
    for replace in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("notes.csv"), "mine").unwrap();
        fs::write(folder.path().join("courses.csv"), "half").unwrap();
        fs::write(folder.path().join("released.parquet"), "old").unwrap();
        let written_down = r#"["courses.csv", "released.parquet", "../up.csv", "certificate.json"]"#;
        fs::write(folder.path().join(".scumble-unfinished"), written_down).unwrap();
        filled(folder.path(), replace, ReleaseFormat::Csv, "new")
            .unwrap()
            .commit()
            .unwrap();
        let mut expected = release_of("new");
        expected.insert(1, ("notes.csv".into(), "mine".into()));
        assert_eq!(files(folder.path()), expected);
    }
}

/// It was killed before it took anything away: what it wrote down is about nothing, and a release is never replaced unasked.
#[test]
fn what_a_killed_run_wrote_down_is_not_believed_beside_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), false, ReleaseFormat::Csv, "old")
        .unwrap()
        .commit()
        .unwrap();
    fs::write(folder.path().join("mine.csv"), "mine").unwrap();
    fs::write(folder.path().join(".scumble-unfinished"), r#"["mine.csv"]"#).unwrap();
    assert!(matches!(
        Aside::create(folder.path(), false),
        Err(WriteError::Exists { .. })
    ));
    filled(folder.path(), true, ReleaseFormat::Csv, "new")
        .unwrap()
        .commit()
        .unwrap();
    let mut expected = release_of("new");
    expected.insert(1, ("mine.csv".into(), "mine".into()));
    assert_eq!(files(folder.path()), expected);
}

#[test]
fn a_staging_folder_that_nobody_has_is_removed_and_one_that_somebody_has_is_not() {
    let home = tempfile::tempdir().unwrap();
    let left = home.path().join(".scumble-0123456789abcdef");
    fs::create_dir_all(left.join("set/private")).unwrap();
    fs::write(left.join("set/released.csv"), "half").unwrap();
    fs::write(left.with_extension("lock"), "").unwrap();
    // No lock of ours goes with these.
    fs::create_dir(home.path().join(".scumble-mine")).unwrap();
    fs::write(home.path().join(".scumble-mine.lock"), "mine").unwrap();
    let used = filled(&home.path().join("used"), false, ReleaseFormat::Csv, "1").unwrap();
    let other = filled(&home.path().join("other"), false, ReleaseFormat::Csv, "2").unwrap();
    assert!(!left.exists() && !left.with_extension("lock").exists());
    other.commit().unwrap();
    used.commit().unwrap();
    let names: Vec<String> = files(home.path()).into_iter().map(|(name, _)| name).collect();
    let hidden: Vec<&String> = names.iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(hidden, [".scumble-mine.lock", ".scumble-mine/"]);
    assert_eq!(files(&home.path().join("used")), release_of("1"));
}

/// A page is private, and a release is not: the one is never put beside the other, nor in its place.
#[test]
fn a_private_page_neither_joins_a_release_nor_replaces_it() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    filled(&folder, false, ReleaseFormat::Csv, "1")
        .unwrap()
        .commit()
        .unwrap();
    for replace in [false, true] {
        let refused = Aside::create_private(&folder, replace).unwrap_err();
        assert!(matches!(refused, WriteError::HoldsRelease { .. }));
    }
    let page = |replace: bool, content: &str| {
        let aside = Aside::create_private(&folder.join("private"), replace).unwrap();
        aside
            .private_file("report.html")
            .unwrap()
            .write_all(content.as_bytes())
            .unwrap();
        assert!(matches!(Aside::create(&folder, true), Err(WriteError::Busy { .. })));
        aside.commit()
    };
    page(false, "page").unwrap();
    assert!(matches!(page(false, "again"), Err(WriteError::Exists { .. })));
    page(true, "again").unwrap();
    let mut expected = release_of("1");
    expected.push(("private/report.html".into(), "again".into()));
    expected.sort();
    assert_eq!(files(&folder), expected);
}

/// Here a folder stands where the released file belongs, so the replacement fails half way.
#[test]
fn a_failed_replacement_leaves_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("released.csv/full")).unwrap();
    fs::write(folder.path().join(CERTIFICATE), "old").unwrap();
    let aside = filled(folder.path(), true, ReleaseFormat::Csv, "new").unwrap();
    assert!(matches!(aside.commit(), Err(WriteError::Io { .. })));
    assert!(!folder.path().join(CERTIFICATE).exists());
}

/// A disk with so many bytes left.
struct Full<W>(W, usize);

impl<W: Write> Write for Full<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.1 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let fits = bytes.len().min(self.1);
        self.1 -= fits;
        self.0.write(&bytes[..fits])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[test]
fn a_full_disk_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let row = |row: usize| vec![Some(format!("{row:x}")), Some("a".repeat(row % 9))];
    let audited = Plain {
        width: 2,
        rows: (0..9_000).map(row).collect(),
    }
    .release();
    for format in ReleaseFormat::ALL {
        for room in [0, 1, 20_000] {
            let aside = Aside::create(&home.path().join("out"), false).unwrap();
            let out = Full(aside.file(ReleasePart::Released(format)).unwrap(), room);
            let failed = write_release(&audited, RowOrder::Sorted, format, out, &Unwatched).unwrap_err();
            let WriteError::Output(error) = &failed else {
                panic!("{failed:?}")
            };
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{format:?} {room}");
            drop(aside);
            assert_eq!(files(home.path()), named(&[]));
        }
    }
}

#[test]
fn a_file_in_place_of_the_folder_is_an_error_with_its_path() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("out");
    fs::write(&file, "mine").unwrap();
    let refused = Aside::create(&file, true).unwrap_err();
    assert!(
        matches!(&refused, WriteError::Io { path, .. } if *path == file),
        "{refused:?}"
    );
}

#[cfg(unix)]
mod permissions {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_release_is_as_open_as_any_new_folder_and_the_private_part_is_closed() {
        let home = tempfile::tempdir().unwrap();
        let usual = home.path().join("usual");
        fs::create_dir(&usual).unwrap();
        for folder in [home.path().join("new"), usual.clone()] {
            filled(&folder, false, ReleaseFormat::Csv, "1")
                .unwrap()
                .commit()
                .unwrap();
            assert_eq!(mode(&folder), mode(&usual));
            assert_eq!(mode(&folder.join("private")), 0o700);
        }
    }

    /// The owner of a closed folder closed it for a reason.
    #[test]
    fn an_existing_folder_keeps_its_permissions() {
        let home = tempfile::tempdir().unwrap();
        let closed = home.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        filled(&closed, false, ReleaseFormat::Csv, "1")
            .unwrap()
            .commit()
            .unwrap();
        assert_eq!(mode(&closed), 0o700);
    }

    #[test]
    fn staged_and_private_files_are_open_to_the_owner_alone() {
        let home = tempfile::tempdir().unwrap();
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let folder = home.path().join("out");
        let aside = filled(&folder, false, ReleaseFormat::Csv, "1").unwrap();
        write(&aside, &[ReleasePart::Rows("students"), ReleasePart::Transcript], "1");
        let hidden = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path());
        for path in hidden {
            assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
        }
        aside.commit().unwrap();
        for file in ["trace.json", "transcript.jsonl", "rows/students.csv"] {
            assert_eq!(mode(&folder.join("private").join(file)), 0o600, "{file}");
        }
        assert_eq!(mode(&folder.join("private/rows")), 0o700);
        let usual = home.path().join("usual.csv");
        fs::write(&usual, "").unwrap();
        assert_eq!(mode(&folder.join("released.csv")), mode(&usual));
    }

    #[test]
    fn a_private_folder_that_others_may_read_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let private = folder.path().join("private");
        fs::create_dir(&private).unwrap();
        fs::set_permissions(&private, fs::Permissions::from_mode(0o775)).unwrap();
        filled(folder.path(), false, ReleaseFormat::Csv, "1")
            .unwrap()
            .commit()
            .unwrap();
        assert_eq!(mode(&private), 0o700);
    }

    #[test]
    fn a_link_in_the_place_of_a_file_or_folder_is_refused() {
        for name in [
            "private",
            "private/trace.json",
            "released.csv",
            "released-secrets.csv",
            CERTIFICATE,
        ] {
            for target in ["elsewhere", "nowhere"] {
                let home = tempfile::tempdir().unwrap();
                let (folder, elsewhere) = (home.path().join("out"), home.path().join("elsewhere"));
                fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
                fs::create_dir(&elsewhere).unwrap();
                std::os::unix::fs::symlink(home.path().join(target), folder.join(name)).unwrap();
                let refused = filled(&folder, true, ReleaseFormat::Csv, "1").unwrap_err();
                assert!(
                    matches!(&refused, WriteError::Linked { path } if *path == folder.join(name)),
                    "{name}: {refused:?}"
                );
                assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
                assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2, "no lock is left");
            }
        }
    }

    /// It is put there after the run began.
    #[test]
    fn a_link_that_came_meanwhile_is_refused_and_the_old_release_stays() {
        let home = tempfile::tempdir().unwrap();
        let (folder, elsewhere) = (home.path().join("out"), home.path().join("elsewhere"));
        fs::create_dir(&elsewhere).unwrap();
        filled(&folder, false, ReleaseFormat::Csv, "old")
            .unwrap()
            .commit()
            .unwrap();
        let aside = filled(&folder, true, ReleaseFormat::Csv, "new").unwrap();
        fs::rename(folder.join("private"), home.path().join("moved")).unwrap();
        std::os::unix::fs::symlink(&elsewhere, folder.join("private")).unwrap();
        assert!(matches!(aside.commit(), Err(WriteError::Linked { .. })));
        assert_eq!(fs::read_to_string(folder.join(CERTIFICATE)).unwrap(), "old");
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    }

    #[test]
    fn a_link_in_the_place_of_the_lock_or_of_what_was_written_down_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let (folder, mine) = (home.path().join("out"), home.path().join("mine"));
        fs::create_dir(&folder).unwrap();
        fs::write(&mine, r#"["notes.csv"]"#).unwrap();
        fs::write(folder.join("notes.csv"), "mine").unwrap();
        std::os::unix::fs::symlink(&mine, folder.join(".scumble-unfinished")).unwrap();
        filled(&folder, true, ReleaseFormat::Csv, "1")
            .unwrap()
            .commit()
            .unwrap();
        assert_eq!(fs::read_to_string(&mine).unwrap(), r#"["notes.csv"]"#);
        assert_eq!(fs::read_to_string(folder.join("notes.csv")).unwrap(), "mine");

        let aside = Aside::create(&folder, true).unwrap();
        let mut names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let lock = names.find(|path| path.extension().is_some_and(|end| end == "lock"));
        let lock = lock.unwrap();
        drop(aside);
        std::os::unix::fs::symlink(&mine, &lock).unwrap();
        assert!(matches!(Aside::create(&folder, true), Err(WriteError::Linked { .. })));
        assert_eq!(fs::read_to_string(&mine).unwrap(), r#"["notes.csv"]"#);
    }

    #[test]
    fn a_page_apart_from_a_release_is_open_to_the_owner_alone() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("page");
        let aside = Aside::create_private(&folder, false).unwrap();
        aside.private_file("report.html").unwrap();
        aside.commit().unwrap();
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&folder.join("report.html")), 0o600);
    }
}
