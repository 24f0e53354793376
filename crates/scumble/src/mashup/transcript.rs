//! The [`Transcript`] of a mashup: one party's private record of it, one JSON object per line.
//!
//! The first line says who took part and which columns there are, every other line is an [`Event`] and when it happened. No
//! line holds a value, an id, or a score. Wherever it is, it is open to its owner alone.

use std::fs::File;
use std::io::{LineWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use scumble_mashup::Event;
use scumble_store::{Aside, ReleasePart, create_for_owner};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use scumble_policy::Agreement;
use scumble_policy::Role;

use super::participation::Participation;

/// The version of the format.
pub(super) const TRANSCRIPT: u32 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub transcript: u32,
    pub own: usize,
    pub parties: Vec<String>,
    /// The quasi columns, by place.
    pub columns: Vec<String>,
}

/// Every other line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// Milliseconds since the parties met.
    pub at: u64,
    #[serde(flatten)]
    pub event: Event,
}

/// A transcript that is being written.
pub(super) struct Transcript {
    path: PathBuf,
    is_beside: bool,
    /// Line by line, so that what happened is there also if this party is killed.
    file: LineWriter<File>,
    start: Instant,
}

impl Transcript {
    /// Begins a transcript.
    pub fn create(agreement: &Agreement, party: &Participation, aside: &Aside) -> Result<Self, Error> {
        let (path, file) = match party.transcript {
            Some(path) => {
                let file = create_for_owner(path)?;
                (path.to_owned(), file)
            }
            None => {
                let file = ReleasePart::Transcript;
                (aside.path(file), aside.file(file)?)
            }
        };
        let mut transcript = Transcript {
            path,
            is_beside: party.transcript.is_none(),
            file: LineWriter::new(file),
            start: Instant::now(),
        };
        let quasi = agreement
            .policy
            .columns
            .iter()
            .filter(|column| column.role == Role::Quasi);
        transcript.line(&Head {
            transcript: TRANSCRIPT,
            own: party.own,
            parties: agreement.parties.iter().map(|party| party.name.clone()).collect(),
            columns: quasi.map(|column| column.name.get_ref().clone()).collect(),
        })?;
        Ok(transcript)
    }

    /// Writes down what happened.
    pub fn write(&mut self, event: &Event) -> Result<(), Error> {
        self.line(&Line {
            at: self.start.elapsed().as_millis() as u64,
            event: event.clone(),
        })
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), Error> {
        let text = serde_json::to_string(line).expect("our own types are plain JSON");
        writeln!(self.file, "{text}").map_err(|reason| cannot_write(&self.path, reason))
    }

    /// Ends it, and says where it will be.
    pub fn finish(mut self, party: &Participation) -> Result<PathBuf, Error> {
        let flushed = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        flushed.map_err(|reason| cannot_write(&self.path, reason))?;
        Ok(match self.is_beside {
            true => party.folder.join(ReleasePart::Transcript.path()),
            false => self.path,
        })
    }
}

fn cannot_write(path: &Path, reason: std::io::Error) -> Error {
    Error::Write(scumble_store::WriteError::Io {
        path: path.to_owned(),
        source: reason,
    })
}
