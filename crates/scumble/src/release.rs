//! Stage 3, [`Release`]: audited and certified, and still in memory.
//!
//! It is the only door to writing: what can be handed out or written is made of this.

use scumble_attack::SingledOut;
use scumble_report::{Certificate, Frontier, TraceFile};

use scumble_progress::Watch;
use scumble_store::ReleaseBatches;

use crate::compared::ComparedVersion;
use crate::cover::Cover;
use crate::error::Error;
use crate::persons::PersonsRelease;
use crate::rows::RowsRelease;
use crate::stops::Stop;
use crate::timings::Timings;
use crate::warning::Warning;

/// A release that passed its audit.
pub struct Release {
    pub(crate) of: Of,
    pub(crate) timings: Timings,
}

pub(crate) enum Of {
    Rows(Box<RowsRelease>),
    Persons(Box<PersonsRelease>),
}

impl Release {
    /// What goes out with it.
    pub fn certificate(&self) -> &Certificate {
        match &self.of {
            Of::Rows(release) => &release.certificate,
            Of::Persons(release) => &release.certificate,
        }
    }

    /// Its tables as record batches with dictionary arrays, by name, in the order in which they would be written: `released`,
    /// and `released-secrets` where secrets are apart; of several tables all of them, look-ups last.
    ///
    /// # Errors
    /// A watcher that asks to stop.
    pub fn batches(&self, watch: &dyn Watch) -> Result<Vec<(String, ReleaseBatches)>, Error> {
        match &self.of {
            Of::Rows(release) => release.batches(watch),
            Of::Persons(release) => release.batches(watch),
        }
    }

    /// Each template with its level, in words: `anonymity of job, sex: 16 (at least 4)`.
    pub fn levels(&self) -> Vec<String> {
        match &self.of {
            Of::Rows(release) => release.levels(),
            Of::Persons(release) => release.levels(),
        }
    }

    /// How far the earlier releases are about the same people.
    pub fn cover(&self) -> Cover {
        match &self.of {
            Of::Rows(release) => release.cover.clone(),
            Of::Persons(_) => Cover::default(),
        }
    }

    /// What comparing it with earlier versions of the same columns tells.
    pub fn versions(&self) -> &[ComparedVersion] {
        match &self.of {
            Of::Rows(release) => &release.versions,
            Of::Persons(_) => &[],
        }
    }

    /// How it was found; `None` if it was not by refining step by step.
    pub fn trace(&self) -> Option<&TraceFile> {
        match &self.of {
            Of::Rows(release) => release.decision.trace.as_ref(),
            Of::Persons(_) => None,
        }
    }

    /// What each level on the way would have cost; `None` if it was not by refining step by step.
    pub fn frontier(&self) -> Option<&Frontier> {
        match &self.of {
            Of::Rows(release) => release.decision.frontier.as_ref(),
            Of::Persons(_) => None,
        }
    }

    /// Why each quasi column is not refined further.
    pub fn stops(&self) -> &[Stop] {
        match &self.of {
            Of::Rows(release) => &release.decision.stops,
            Of::Persons(_) => &[],
        }
    }

    /// What the user should know.
    pub fn warnings(&self) -> Vec<Warning> {
        let planned = match &self.of {
            Of::Rows(release) => &release.plan.warnings,
            Of::Persons(release) => &release.warnings,
        };
        planned.iter().cloned().map(Warning::from).collect()
    }

    /// What the user should know of those who stand out.
    pub(crate) fn alone(&self) -> Option<Warning> {
        let what = match &self.of {
            Of::Rows(_) => "rows",
            Of::Persons(_) => "persons",
        };
        Warning::of_alone(what, self.singled_out())
    }

    fn singled_out(&self) -> Option<&SingledOut> {
        self.certificate().singled_out.as_ref()
    }
}
