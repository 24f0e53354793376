//! A [`Run`] of the study: the program on all threads and on one, and a plain copy, in turns, at every size.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::program::{Program, Published};
use super::school::{FILES, School, Way};
use crate::facts::Facts;
use crate::measure::{self, same_bytes};
use crate::{Result, Settings};

/// Loss is compared up to so many students.
const COMPARED_AT_MOST: usize = 10_000;

/// All that was measured.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Where it was made.
    pub facts: Facts,
    /// What was asked for.
    pub settings: Settings,
    /// One per number of students, in the order asked for.
    pub sizes: Vec<Size>,
}

/// What was measured on so many students.
#[derive(Debug, Serialize)]
pub struct Size {
    /// How many they are.
    pub persons: usize,
    /// The bytes of the three tables.
    pub file_bytes: u64,
    /// One per repeat.
    pub turns: Vec<Turn>,
    /// Whether a release on one thread was always that on all, to the last byte.
    pub same_on_threads: bool,
    /// Every way to gather the students, once each; none where they are too many.
    pub compared: Vec<Compared>,
}

/// The release on all threads and on one, and the copy.
#[derive(Debug, Serialize)]
pub struct Turn {
    /// On all threads.
    pub published: Published,
    /// On one thread.
    pub on_one_thread: Published,
    /// The plain copy of the three tables, in seconds.
    pub copy: f64,
}

/// One way to gather students.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// How.
    pub way: Way,
    /// What came of it.
    pub published: Published,
}

/// Measures everything that the settings ask for.
pub fn run(settings: &Settings) -> Result<Run> {
    let facts = Facts::gather();
    let program = Program::build()?;
    let scratch = tempfile::tempdir()?;
    let sizes = settings.rows.iter();
    let sizes = sizes.map(|&persons| size(&program, persons, settings, scratch.path()));
    Ok(Run {
        sizes: sizes.collect::<Result<_>>()?,
        facts,
        settings: settings.clone(),
    })
}

/// Measures one size, and leaves nothing behind.
fn size(program: &Program, persons: usize, settings: &Settings, scratch: &Path) -> Result<Size> {
    eprintln!("{persons} students: building the input");
    let school = School::build(persons, settings.seed, scratch.join("school"))?;
    let mut same_on_threads = true;
    let turns = (1..=settings.repeats).map(|repeat| {
        eprintln!("{persons} students: measuring, {repeat} of {}", settings.repeats);
        let (turn, same) = turn(program, &school, scratch)?;
        same_on_threads &= same;
        Ok(turn)
    });
    let turns = turns.collect::<Result<_>>()?;
    let ways = Way::ALL.into_iter().filter(|_| persons <= COMPARED_AT_MOST);
    let compared = ways.map(|way| {
        eprintln!("{persons} students: {way}");
        let out = scratch.join("out");
        let published = program.publish(&school.policy(way), &out, None)?;
        fs::remove_dir_all(&out)?;
        Ok(Compared { way, published })
    });
    let compared = compared.collect::<Result<_>>()?;
    fs::remove_dir_all(school.folder())?;
    Ok(Size {
        persons,
        file_bytes: school.bytes,
        turns,
        same_on_threads,
        compared,
    })
}

/// Everything once, and whether both releases have the same bytes.
fn turn(program: &Program, school: &School, scratch: &Path) -> Result<(Turn, bool)> {
    let [on_all, on_one, copy] = ["out-all", "out-one", "copy"].map(|name| scratch.join(name));
    let policy = school.policy(Way::MiracleX);
    let turn = Turn {
        published: program.publish(&policy, &on_all, None)?,
        on_one_thread: program.publish(&policy, &on_one, Some(1))?,
        copy: measure::copy_files(school.folder(), &copy)?.seconds,
    };
    let mut same = true;
    for name in FILES.into_iter().chain(["certificate.json"]) {
        same &= same_bytes(&on_all.join(name), &on_one.join(name))?;
    }
    for folder in [on_all, on_one, copy] {
        fs::remove_dir_all(folder)?;
    }
    Ok((turn, same))
}
