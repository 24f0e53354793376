use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use scumble_store::{Aside, CERTIFICATE, ReleaseFormat, RowOrder, Unwatched, WriteError, write_release};

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
    for name in [CERTIFICATE, format.file_name(), "private/trace.json"] {
        aside.file(name)?.write_all(content.as_bytes()).unwrap();
    }
    Ok(aside)
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

/// Two runs for one folder: the second to finish finds the release of the first.
#[test]
fn a_release_that_came_meanwhile_is_not_replaced() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let late = Aside::create(&folder, false).unwrap();
    late.file("released.parquet").unwrap();
    filled(&folder, false, ReleaseFormat::Csv, "early")
        .unwrap()
        .commit()
        .unwrap();
    assert!(matches!(late.commit(), Err(WriteError::Exists { .. })));
    assert_eq!(files(&folder), release_of("early"));
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
            let out = Full(aside.file(format.file_name()).unwrap(), room);
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
}
