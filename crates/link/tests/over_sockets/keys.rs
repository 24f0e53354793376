//! Trial keys, and identities read from files.

use std::fs;

use scumble_link::{Identity, LinkError, make_keys};

use crate::town::identity_in;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

#[test]
fn each_party_gets_a_certificate_and_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("new").join("keys");
    let files = make_keys(&inside, &names(&["bank", "shop"]), 7).unwrap();
    let expected = ["ca.pem", "ca.key", "bank.pem", "bank.key", "shop.pem", "shop.key"];
    assert_eq!(files, expected.map(|file| inside.join(file)));
    identity_in(&inside, "bank");
    identity_in(&inside, "shop");
}

#[cfg(unix)]
#[test]
fn private_keys_are_open_to_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    for file in make_keys(folder.path(), &names(&["bank"]), 7).unwrap() {
        let open_to_others = fs::metadata(&file).unwrap().permissions().mode() & 0o077;
        let is_key = file.extension().unwrap() == "key";
        assert!(!is_key || open_to_others == 0, "{}", file.display());
    }
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_half_done() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bank.key"), "mine").unwrap();
    let error = make_keys(folder.path(), &names(&["bank"]), 7).unwrap_err();
    assert!(
        matches!(&error, LinkError::Exists { path } if path.ends_with("bank.key")),
        "{error}"
    );
    assert_eq!(fs::read_to_string(folder.path().join("bank.key")).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn names_that_cannot_be_told_apart_or_written_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |list: &[&str]| make_keys(folder.path(), &names(list), 7).unwrap_err();
    assert!(matches!(refused(&["bank", "BANK"]), LinkError::SameName { .. }));
    assert!(matches!(refused(&["ca"]), LinkError::SameName { .. }));
    assert!(matches!(refused(&["../bank"]), LinkError::Name { .. }));
    assert!(matches!(refused(&[""]), LinkError::Name { .. }));
    assert!(matches!(
        make_keys(folder.path(), &names(&["bank"]), u32::MAX),
        Err(LinkError::TooManyDays { .. })
    ));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn files_that_do_not_belong_together_are_named() {
    let folder = tempfile::tempdir().unwrap();
    make_keys(folder.path(), &names(&["bank", "shop"]), 7).unwrap();
    let read = |files: [&str; 3]| {
        let [certificate, key, authority] = files.map(|file| folder.path().join(file));
        Identity::read(&certificate, &key, &authority).unwrap_err().to_string()
    };
    let missing = read(["bank.pem", "none.key", "ca.pem"]);
    assert!(missing.contains("none.key: cannot be read"), "{missing}");
    let swapped = read(["bank.key", "bank.pem", "ca.pem"]);
    assert!(swapped.contains("bank.key: holds no certificate"), "{swapped}");
    let no_key = read(["bank.pem", "bank.pem", "ca.pem"]);
    assert!(no_key.contains("bank.pem: holds no private key"), "{no_key}");
    let other = read(["bank.pem", "shop.key", "ca.pem"]);
    assert!(
        other.contains("shop.key: is not the key of the certificate in"),
        "{other}"
    );
    let no_authority = read(["bank.pem", "bank.key", "ca.key"]);
    assert!(no_authority.contains("ca.key: holds no certificate"), "{no_authority}");
}
