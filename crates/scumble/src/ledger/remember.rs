//! Publishing with a ledger: it is open from before the entries are read until the new one is in.

use std::path::{Path, PathBuf};

use scumble_report::Certificate;
use scumble_store::{Entry, Ledger, LedgerColumn, Watch, fingerprint_of_file, fingerprint_of_taxonomy, utc_now};

use super::past::{Past, population};
use crate::compared::Newcomers;
use crate::error::Error;
use crate::errors::{EntryFault, PastError};
use scumble_bind::Plan;
use scumble_policy::{JOIN_WORD, Policy, THIS_WORD, Taxonomies, is_release_name};

/// Which ledger, and how to use it.
#[derive(Clone, Copy, Debug)]
pub struct Remember<'o> {
    /// The folder of the ledger.
    pub folder: &'o Path,
    /// What to call the release; without it, as its folder.
    pub name: Option<&'o str>,
    /// What to do about people who came or left.
    pub newcomers: Newcomers,
}

/// A ledger that is open for one release: nobody else publishes with it until this one is in, or let go.
pub struct OpenLedger {
    ledger: Ledger,
    name: String,
    file: PathBuf,
    newcomers: Newcomers,
}

impl OpenLedger {
    /// Opens a ledger for the release that is going to be `file`.
    ///
    /// # Errors
    /// A ledger that cannot be opened, a name that is taken, a release that lies where this one would be.
    pub fn open(remember: &Remember, file: PathBuf, watch: &dyn Watch) -> Result<OpenLedger, Error> {
        let ledger = Ledger::open(remember.folder, watch)?;
        let name = new_name(&ledger, remember, &file)?;
        let is_there = |entry: &&Entry| std::path::absolute(&file).is_ok_and(|file| file == entry.file);
        if let Some(entry) = ledger.entries().as_slice().iter().find(is_there) {
            return Err(PastError::entry(&entry.name, EntryFault::InTheWay).into());
        }
        Ok(OpenLedger {
            ledger,
            name,
            file,
            newcomers: remember.newcomers,
        })
    }

    /// What it tells of the past of a table with this header.
    pub(crate) fn past(&self, policy: &Policy, header: &[String], taxonomies: &Taxonomies) -> Result<Past, Error> {
        let entries = self.ledger.entries();
        Past::of(policy, header, taxonomies, entries, entries.as_slice())
    }

    /// What to do about people who came or left.
    pub(crate) fn newcomers(&self) -> Newcomers {
        self.newcomers
    }

    /// Adds the release, which lies at `written` and is not in its place yet: should it never get there, the ledger knows
    /// too much rather than too little.
    pub(crate) fn add(
        &mut self,
        written: &Path,
        policy: &Policy,
        taxonomies: &Taxonomies,
        plan: &Plan,
        certificate: &Certificate,
    ) -> Result<(), Error> {
        let published = plan.columns.iter().filter(|column| column.is_published());
        let columns = published.map(|column| LedgerColumn {
            name: column.name.clone(),
            role: column.role.word().to_owned(),
            taxonomy: policy
                .column(&column.name)
                .and_then(|column| taxonomies.of(column))
                .map(fingerprint_of_taxonomy),
        });
        Ok(self.ledger.add(Entry {
            name: self.name.clone(),
            population: population(policy).to_owned(),
            published_at: utc_now(),
            file: self.file.clone(),
            fingerprint: fingerprint_of_file(written)?,
            columns: columns.collect(),
            certificate: serde_json::to_value(certificate).expect("our own types are plain JSON"),
        })?)
    }

    /// Takes the release out again, because it could not be put in its place.
    pub(crate) fn take_back(&mut self) -> Result<(), Error> {
        self.ledger.forget(&self.name)?;
        Ok(())
    }

    /// What the release is called.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The name that was asked for, which must be new, or one made from the folder of the release.
fn new_name(ledger: &Ledger, remember: &Remember, file: &Path) -> Result<String, PastError> {
    if let Some(name) = remember.name {
        let reason = match (is_name(name), ledger.entries().find(name)) {
            (false, _) => EntryFault::NoName,
            (true, Ok(_)) => EntryFault::Taken {
                free: ledger.entries().unused_name(name),
            },
            (true, Err(_)) => return Ok(name.to_owned()),
        };
        return Err(PastError::entry(name, reason));
    }
    let folder = file
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default()
        .to_string_lossy();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let name: String = folder
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '-' })
        .collect();
    let name = if is_name(&name) { name } else { "release".to_owned() };
    Ok(ledger.entries().unused_name(&name))
}

/// Whether policies can call a release so.
fn is_name(name: &str) -> bool {
    is_release_name(name) && ![THIS_WORD, JOIN_WORD].contains(&name)
}
