//! Keys for a trial: an authority, and a certificate and a private key for each party.
//!
//! In earnest each party makes its own key and shows it to nobody. Whoever makes all of them can pass for any party, so
//! these are for trying things out, on one computer or among friends.
//!
//! Invariant: all files are written or none, none is written over another, and private keys are open to the owner
//! alone.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};

use crate::{LinkError, parties::check_names};

/// The name of the files of the authority, which no party can have.
const AUTHORITY: &str = "ca";

/// Writes `ca.pem` and `ca.key`, and `NAME.pem` and `NAME.key` for each party, valid from now on for so many days.
/// Returns the files.
pub fn make_keys(folder: &Path, names: &[String], days: u32) -> Result<Vec<PathBuf>, LinkError> {
    let with_authority = [AUTHORITY].into_iter().chain(names.iter().map(String::as_str));
    check_names(with_authority)?;
    let validity = Validity::from_now(days)?;
    let files = make_files(names, validity).map_err(|error| LinkError::Keys(error.to_string()))?;
    write_all(folder, &files)
}

/// A file to be.
struct PemFile {
    name: String,
    pem: String,
    is_private: bool,
}

#[derive(Clone, Copy)]
struct Validity {
    begin: OffsetDateTime,
    end: OffsetDateTime,
}

impl Validity {
    fn from_now(days: u32) -> Result<Validity, LinkError> {
        let now = OffsetDateTime::now_utc();
        let end = now.checked_add(Duration::days(days.into()));
        let end = end.ok_or(LinkError::TooManyDays { days })?;
        // The clocks of the parties need not agree to the minute.
        let begin = now - Duration::HOUR;
        Ok(Validity { begin, end })
    }
}

fn make_files(names: &[String], validity: Validity) -> Result<Vec<PemFile>, rcgen::Error> {
    let key = KeyPair::generate()?;
    let params = authority_params(validity);
    let mut files = Vec::from(pem_files(AUTHORITY, params.self_signed(&key)?.pem(), &key));
    let authority = Issuer::new(params, key);
    for name in names {
        let key = KeyPair::generate()?;
        let certificate = party_params(name, validity)?.signed_by(&key, &authority)?;
        files.extend(pem_files(name, certificate.pem(), &key));
    }
    Ok(files)
}

fn authority_params(validity: Validity) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = common_name("scumble trial authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params.not_before = validity.begin;
    params.not_after = validity.end;
    params
}

/// A party calls some of the others and is called by the rest, so its certificate is for both.
fn party_params(name: &str, validity: Validity) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new([name.to_owned()])?;
    params.distinguished_name = common_name(name);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    params.use_authority_key_identifier_extension = true;
    params.not_before = validity.begin;
    params.not_after = validity.end;
    Ok(params)
}

fn common_name(name: &str) -> DistinguishedName {
    let mut distinguished = DistinguishedName::new();
    distinguished.push(DnType::CommonName, name);
    distinguished
}

fn pem_files(name: &str, certificate: String, key: &KeyPair) -> [PemFile; 2] {
    let file = |ending, pem, is_private| PemFile {
        name: format!("{name}.{ending}"),
        pem,
        is_private,
    };
    [file("pem", certificate, false), file("key", key.serialize_pem(), true)]
}

fn write_all(folder: &Path, files: &[PemFile]) -> Result<Vec<PathBuf>, LinkError> {
    fs::create_dir_all(folder).map_err(cannot_write(folder))?;
    let mut written = Vec::new();
    for file in files {
        let path = folder.join(&file.name);
        if let Err(error) = write_new(&path, file) {
            // Half a set of keys would only be in the way of the next try.
            written.iter().for_each(|path| drop(fs::remove_file(path)));
            return Err(error);
        }
        written.push(path);
    }
    Ok(written)
}

fn write_new(path: &Path, file: &PemFile) -> Result<(), LinkError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if file.is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut created = match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(LinkError::Exists { path: path.to_owned() });
        }
        created => created.map_err(cannot_write(path))?,
    };
    created.write_all(file.pem.as_bytes()).map_err(cannot_write(path))
}

fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> LinkError {
    let path = path.to_owned();
    move |source| LinkError::Write {
        path,
        source: Arc::new(source),
    }
}
