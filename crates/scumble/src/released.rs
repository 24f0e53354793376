//! Released tables as texts: how a file is read back.

use std::path::Path;

use scumble_store::{FileSource, Format};

use crate::certificate::{CertificateBeside, CertifiedCells};
use scumble_policy::{Formulas, Policy};

/// What a policy says of how its release is read.
#[derive(Clone, Copy)]
pub(crate) struct Said {
    /// Whether blanks around a cell are no part of its value.
    trim: bool,
    /// Whether formulas are written as text.
    formulas: Formulas,
}

impl Said {
    /// By a policy.
    pub fn by(policy: &Policy) -> Said {
        Said {
            trim: policy.data.trim,
            formulas: policy.release.formulas,
        }
    }
}

/// A released file, read as it was written.
///
/// Which blanks belong to a value is what the policy means by its values, so the policy goes before the certificate beside
/// the file. How formulas are spelt is what that file did, so there the certificate goes first.
pub(crate) fn source_of_release(path: &Path, said: Option<Said>) -> FileSource {
    let certified = CertificateBeside::of(path).cells();
    let formulas_as_text = match &certified {
        Some(CertifiedCells { formulas, .. }) => formulas.as_deref() == Some(Formulas::Text.word()),
        None => said.is_some_and(|said| said.formulas == Formulas::Text),
    };
    let certified_trim = || certified.as_ref().and_then(|certified| certified.reading);
    FileSource {
        trim: match said {
            Some(said) => said.trim,
            None => certified_trim().is_none_or(|reading| reading.trim),
        },
        formulas_as_text: formulas_as_text && Format::of(path).is_ok_and(Format::is_separated),
        ..FileSource::new(path)
    }
}
