//! Reading certificates: one that is named, and the one [`CertificateBeside`] a released file.
//!
//! The certificate beside a file is input like any other, and may be of another release. So each thing is taken from it only
//! as far as it can be trusted for that:
//!
//! | what is asked | which certificate is taken |
//! |---|---|
//! | how cells are to be read | any that says so, of one table or of several |
//! | how the columns are masked | one of one table, whole and of this version, with as many rows as the file |
//! | the same, of an earlier release | the same, whatever its rows; one that is wrong is an error |

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use scumble_report::{Certificate, CertifiedReading, VERSION};
use scumble_store::CERTIFICATE;
use serde::Deserialize;

use crate::error::Error;
use crate::errors::{CertificateFault, ReleasedFilesError, TextError};

/// Reads the certificate of an earlier release.
pub fn read_certificate(path: &Path) -> Result<Certificate, Error> {
    parse(path, fs::read(path))
}

/// What lies beside a released file where its certificate would be.
pub(crate) struct CertificateBeside {
    path: PathBuf,
    text: io::Result<Vec<u8>>,
}

/// What a certificate of one or of several tables says of how the release is written.
#[derive(Deserialize)]
pub(crate) struct CertifiedCells {
    /// How cells are to be read, where that is not as usual.
    #[serde(default)]
    pub reading: Option<CertifiedReading>,
    /// `text` if formulas are written as text.
    #[serde(default)]
    pub formulas: Option<String>,
}

impl CertificateBeside {
    /// Reads what is there.
    pub fn of(released: &Path) -> CertificateBeside {
        let path = released.with_file_name(CERTIFICATE);
        let text = fs::read(&path);
        CertificateBeside { path, text }
    }

    /// How the release is written, if a certificate is there.
    pub fn cells(&self) -> Option<CertifiedCells> {
        serde_json::from_slice(self.text.as_ref().ok()?).ok()
    }

    /// The certificate, if there is one that can be of a file with so many rows.
    pub fn of_rows(self, rows: usize) -> Option<Certificate> {
        let certificate = self.certificate().ok()??;
        can_be_of(&certificate, rows).then_some(certificate)
    }

    /// The certificate, if there is any.
    ///
    /// # Errors
    /// What is there and is no certificate of one table.
    pub fn certificate(self) -> Result<Option<Certificate>, Error> {
        match self.text {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            text => parse(&self.path, text).map(Some),
        }
    }
}

/// Whether a certificate can be of a file with so many rows.
pub(crate) fn can_be_of(certificate: &Certificate, rows: usize) -> bool {
    certificate.rows.published == rows as u64
}

fn parse(path: &Path, text: io::Result<Vec<u8>>) -> Result<Certificate, Error> {
    let text = text.map_err(TextError::opening(path))?;
    of_one_table(&text).map_err(|reason| {
        let path = path.to_owned();
        ReleasedFilesError::Certificate { path, reason }.into()
    })
}

fn of_one_table(text: &[u8]) -> Result<Certificate, CertificateFault> {
    let certificate: Certificate =
        serde_json::from_slice(text).map_err(|error| CertificateFault::NotOne(error.into()))?;
    if certificate.version != VERSION {
        let found = certificate.version;
        return Err(CertificateFault::Version { found });
    }
    if certificate.several.is_some() {
        return Err(CertificateFault::SeveralTables);
    }
    Ok(certificate)
}
