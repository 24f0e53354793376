//! Stage 5, [`ReleaseFolder`]: a release as files, whole or not at all.

use std::path::{Path, PathBuf};

use scumble_progress::Watch;
use scumble_report::{Certificate, Frontier, Page, TraceFile};
use scumble_store::{Aside, ReleasePart};
use serde::{Serialize, Serializer};

use crate::compared::ComparedVersion;
use crate::cover::Cover;
use crate::error::Error;
use crate::errors::PastError;
use crate::files::{path_as_text, path_as_text_if_any, write_json, write_text};
use crate::formulas::FormulaReport;
use crate::ledger::OpenLedger;
use crate::release::{Of, Release};
use crate::rows::RowsStudy;
use crate::stops::Stop;
use crate::study::{Attacked, Measured, Study};
use crate::timings::{Timings, timed};
use crate::warning::{Warning, in_words};

/// A folder that a release can be written to, and that nobody else writes to until this one is done.
#[derive(Debug)]
pub struct Target {
    aside: Aside,
    folder: PathBuf,
}

impl Target {
    /// Makes sure that a release can be put there, so that nobody waits for one that cannot be written.
    ///
    /// # Errors
    /// A folder that cannot be written to, or has a release that may not be replaced.
    pub fn open(folder: &Path, replace: bool) -> Result<Target, Error> {
        Ok(Target {
            aside: Aside::create(folder, replace)?,
            folder: folder.to_owned(),
        })
    }
}

/// A release that was written.
#[derive(Debug, Serialize)]
pub struct ReleaseFolder {
    /// Its folder.
    #[serde(serialize_with = "path_as_text")]
    pub folder: PathBuf,
    /// The released table; of several tables, their folder.
    #[serde(serialize_with = "path_as_text")]
    pub released: PathBuf,
    /// The table with the secrets, if they are published apart.
    #[serde(serialize_with = "path_as_text_if_any")]
    pub secrets: Option<PathBuf>,
    /// What went out with it.
    pub certificate: Certificate,
    /// How far the earlier releases are about the same people.
    pub cover: Cover,
    /// What comparing it with earlier versions of the same columns tells.
    pub versions: Vec<ComparedVersion>,
    /// What the ledger calls it, if there is one.
    pub entry: Option<String>,
    /// How it was found; `None` if it was not by refining step by step.
    #[serde(rename = "refinements", serialize_with = "refinements")]
    pub trace: Option<TraceFile>,
    /// Why each quasi column is not refined further.
    pub stops: Vec<Stop>,
    /// The columns of the data that are not published because the policy does not list them.
    pub columns_left_out: Vec<String>,
    /// What the user should know.
    #[serde(serialize_with = "in_words")]
    pub warnings: Vec<Warning>,
    /// How long it took.
    #[serde(rename = "seconds")]
    pub timings: Timings,
    /// What an adversary makes of it, if that was asked for.
    pub attack: Option<Attacked>,
    /// What was measured of it, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Measured>,
    /// What each level on the way would have cost; `None` if it was not by refining step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frontier: Option<Frontier>,
    /// Each template with its level, in words: `anonymity of job, sex: 16 (at least 4)`.
    #[serde(skip)]
    pub levels: Vec<String>,
}

fn refinements<S: Serializer>(trace: &Option<TraceFile>, serializer: S) -> Result<S::Ok, S::Error> {
    trace.as_ref().map(|trace| trace.steps.len()).serialize(serializer)
}

impl Study {
    /// Writes everything, and puts it in place. The ledger learns of it first: should the release never get there, the
    /// ledger knows too much rather than too little.
    ///
    /// # Errors
    /// What cannot be written; then nothing is.
    pub fn write(self, target: Target, ledger: Option<OpenLedger>, watch: &dyn Watch) -> Result<ReleaseFolder, Error> {
        let Target { aside, folder } = target;
        let mut timings = self.release.timings;
        let mut ledger = ledger;
        let mut writing = std::time::Duration::default();
        let formulas = timed(&mut writing, || self.release.write_tables(&aside, watch))?;
        let mut warnings = self.release.warnings();
        warnings.extend(formulas.warning(self.release.settings()));
        warnings.extend(self.release.alone());
        let page = self.page(&warnings);
        timed(&mut timings.write, || -> Result<(), Error> {
            self.write_private(&aside, &formulas, &page)?;
            let Some(ledger) = &mut ledger else {
                return Ok(aside.commit()?);
            };
            self.release.remember(ledger, &aside)?;
            aside.commit().map_err(|error| match ledger.take_back() {
                Ok(()) => error.into(),
                Err(in_ledger) => in_ledger,
            })
        })?;
        timings.write += writing;
        let entry = ledger.map(|ledger| ledger.name().to_owned());
        Ok(self.written(folder, entry, warnings, timings))
    }

    /// Writes what stays in the house, and the certificate.
    fn write_private(&self, aside: &Aside, formulas: &FormulaReport, page: &Page) -> Result<(), Error> {
        formulas.write(aside)?;
        self.release.write_rows(aside)?;
        write_json(aside, ReleasePart::Certificate, self.release.certificate())?;
        if let Some(trace) = self.release.trace() {
            write_json(aside, ReleasePart::Trace, trace)?;
        }
        if let Some(attack) = &self.attack {
            write_json(aside, ReleasePart::Attack, attack)?;
        }
        if let Some(evaluation) = &self.evaluation {
            write_json(aside, ReleasePart::Evaluation, evaluation)?;
        }
        write_text(aside, ReleasePart::Page, &page.html())?;
        write_text(aside, ReleasePart::PlainPage, &page.markdown())
    }

    /// The page for the person who decides whether it goes out.
    fn page(&self, warnings: &[Warning]) -> Page {
        match (&self.release.of, &self.release.certificate().several) {
            (Of::Persons(release), Some(several)) => {
                let attack = self.attack.as_ref().and_then(Attacked::of_persons);
                let evaluation = self.evaluation.as_ref().and_then(Measured::of_persons);
                release.page(several, attack, evaluation, warnings)
            }
            (Of::Persons(_), None) => unreachable!("several tables are certified as such"),
            (Of::Rows(release), _) => {
                let study = RowsStudy {
                    attack: self.attack.as_ref().and_then(Attacked::of_rows).cloned(),
                    evaluation: self.evaluation.as_ref().and_then(Measured::of_rows).cloned(),
                };
                release.page(&study, warnings)
            }
        }
    }

    fn written(
        self,
        folder: PathBuf,
        entry: Option<String>,
        warnings: Vec<Warning>,
        timings: Timings,
    ) -> ReleaseFolder {
        let release = self.release;
        let certificate = release.certificate();
        ReleaseFolder {
            released: match &release.of {
                Of::Rows(_) => folder.join(release.settings().format.file_name()),
                Of::Persons(_) => folder.clone(),
            },
            secrets: certificate.secrets.as_ref().map(|secrets| folder.join(&secrets.file)),
            certificate: certificate.clone(),
            cover: release.cover(),
            versions: release.versions().to_vec(),
            entry,
            trace: release.trace().cloned(),
            stops: release.stops().to_vec(),
            columns_left_out: Warning::left_out(&warnings),
            warnings,
            timings,
            attack: self.attack,
            evaluation: self.evaluation,
            frontier: release.frontier().cloned(),
            levels: release.levels(),
            folder,
        }
    }
}

impl Release {
    fn settings(&self) -> &scumble_policy::Release {
        match &self.of {
            Of::Rows(release) => &release.policy.release,
            Of::Persons(release) => &release.policy.release,
        }
    }

    fn write_tables(&self, aside: &Aside, watch: &dyn Watch) -> Result<FormulaReport, Error> {
        match &self.of {
            Of::Rows(release) => release.write_tables(aside, watch),
            Of::Persons(release) => release.write_tables(aside, watch),
        }
    }

    /// Writes of which row of the data each released row is, where an audit of the files needs it.
    fn write_rows(&self, aside: &Aside) -> Result<(), Error> {
        match &self.of {
            Of::Rows(_) => Ok(()),
            Of::Persons(release) => release.write_rows(aside),
        }
    }

    fn remember(&self, ledger: &mut OpenLedger, aside: &Aside) -> Result<(), Error> {
        let Of::Rows(release) = &self.of else {
            return Err(PastError::NotForPersons.into());
        };
        // What is in a ledger was made with its past in view.
        if !release.knows_past {
            return Err(PastError::Unknown.into());
        }
        let released = aside.path(ReleasePart::Released(release.policy.release.format));
        ledger.add(
            &released,
            &release.policy,
            &release.taxonomies,
            &release.plan,
            &release.certificate,
        )
    }
}
