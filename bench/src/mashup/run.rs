//! A [`Run`] of the study: the parties and one who has the joined table, in turns, at every size.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::experiment::{Experiment, JOINED, PARTIES};
use super::files::Files;
use super::party::TookPart;
use crate::census::Census;
use crate::facts::Facts;
use crate::job::Published;
use crate::measure::{self, same_bytes};
use crate::{Result, Settings};

/// The sizes at which consent is asked for. A question is about every row, and a row costs kilobytes.
const ROWS_WITH_CONSENT: [usize; 2] = [2_000, 10_000];

/// All that was measured.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Where it was made.
    pub facts: Facts,
    /// What was asked for.
    pub settings: Settings,
    /// The table that was enlarged.
    pub census: &'static str,
    /// All columns in one template, one per size asked for.
    pub together: Vec<Size>,
    /// With a secret of the second party, one per size.
    pub consent: Vec<Size>,
}

/// What was measured on one enlarged table.
#[derive(Debug, Serialize)]
pub struct Size {
    /// Its rows.
    pub rows: usize,
    /// The bytes of the joined table.
    pub file_bytes: u64,
    /// One per repeat.
    pub turns: Vec<Turn>,
}

/// One release by the parties, and the same one by who has the joined table; whole times in seconds.
#[derive(Debug, Serialize)]
pub struct Turn {
    /// From the start of both parties to the end of both.
    pub together: f64,
    /// What each party took.
    pub parties: [TookPart; 2],
    /// From the start of the one who has the joined table to its end.
    pub alone: f64,
    /// The parts of that.
    pub published: Published,
}

/// Measures everything that the settings ask for.
pub fn run(settings: &Settings) -> Result<Run> {
    let facts = Facts::gather();
    let scratch = tempfile::tempdir()?;
    let census = Census::load(settings, scratch.path())?;
    let name = census.name;
    let consent = Experiment::consent(&census)?;
    let together = Experiment::together(census);
    let measure = |experiment: &Experiment, rows: &[usize]| -> Result<Vec<Size>> {
        let sizes = rows.iter();
        sizes
            .map(|&rows| size(experiment, rows, settings, scratch.path()))
            .collect()
    };
    Ok(Run {
        together: measure(&together, &settings.rows)?,
        consent: measure(&consent, &ROWS_WITH_CONSENT)?,
        facts,
        settings: settings.clone(),
        census: name,
    })
}

/// Measures one size, and leaves nothing behind.
fn size(experiment: &Experiment, rows: usize, settings: &Settings, scratch: &Path) -> Result<Size> {
    let folder = scratch.join("mashup");
    fs::create_dir(&folder)?;
    let files = Files::of(&folder);
    eprintln!("{rows} rows: building the input");
    let file_bytes = experiment.prepare(rows, settings.seed, &files)?;
    let turns = (1..=settings.repeats).map(|repeat| {
        eprintln!("{rows} rows: measuring, {repeat} of {}", settings.repeats);
        turn(&files)
    });
    let turns = turns.collect::<Result<_>>()?;
    fs::remove_dir_all(&folder)?;
    Ok(Size {
        rows,
        file_bytes,
        turns,
    })
}

/// Publishes once in both ways, and compares the releases.
fn turn(files: &Files) -> Result<Turn> {
    let (alone, published) = timed(|| measure::publish(&files.policy(), None))?;
    let (together, parties) = timed(|| take_part(files.folder(), PARTIES))?;
    for name in PARTIES {
        if !same_bytes(&files.released(JOINED), &files.released(name))? {
            return Err(format!("{name} released something else than `publish` does with the joined table").into());
        }
    }
    for name in PARTIES.into_iter().chain([JOINED]) {
        fs::remove_dir_all(files.out(name))?;
    }
    Ok(Turn {
        together,
        parties,
        alone,
        published,
    })
}

/// Takes part in the mashup of a folder as each of two parties, both started before either is waited for.
fn take_part(folder: &Path, names: [&str; 2]) -> Result<[TookPart; 2]> {
    let start = |name: &str| measure::started(measure::this_program()?.arg("party").arg(folder).arg(name));
    let (first, second) = (start(names[0])?, start(names[1])?);
    // Both are waited for even if one fails: the other then ends, too.
    let (first, second) = (measure::answer_of(first), measure::answer_of(second));
    Ok([first?, second?])
}

/// The seconds that something took, and what came of it.
fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let start = Instant::now();
    let done = work()?;
    Ok((start.elapsed().as_secs_f64(), done))
}
