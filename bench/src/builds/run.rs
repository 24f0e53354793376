//! A [`Run`] of the study: every program at every size, in turns.

use std::fs;
use std::path::Path;

use scumble_table::ReleaseFormat;
use serde::Serialize;

use super::child::Spent;
use crate::census::Census;
use crate::enlarge::build;
use crate::facts::Facts;
use crate::measure::{answer, same_bytes, this_program};
use crate::requirements::Requirement;
use crate::{Result, Settings};

/// All that was measured.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Where it was made.
    pub facts: Facts,
    /// What was asked for.
    pub settings: Settings,
    /// The table that was enlarged.
    pub census: &'static str,
    /// One per size, in the order asked for.
    pub sizes: Vec<Size>,
}

/// What was measured on one enlarged table.
#[derive(Debug, Serialize)]
pub struct Size {
    /// Its rows.
    pub rows: usize,
    /// The bytes of its file.
    pub file_bytes: u64,
    /// One per program, in the order asked for.
    pub builds: Vec<Build>,
}

/// What was measured of one program.
#[derive(Debug, Serialize)]
pub struct Build {
    /// One per repeat.
    pub spent: Vec<Spent>,
    /// Whether its release had the bytes of the first program's.
    pub same_bytes: bool,
}

/// Measures everything that the settings ask for.
pub fn run(settings: &Settings) -> Result<Run> {
    if settings.builds.len() < 2 {
        return Err("name the programs to compare: --builds OLD,NEW".into());
    }
    let facts = Facts::gather();
    let scratch = tempfile::tempdir()?;
    let census = Census::load(settings, scratch.path())?;
    let sizes = settings.rows.iter().map(|&rows| {
        let folder = scratch.path().join(rows.to_string());
        size(settings, &census, rows, &folder)
    });
    Ok(Run {
        facts,
        settings: settings.clone(),
        census: census.name,
        sizes: sizes.collect::<Result<_>>()?,
    })
}

fn size(settings: &Settings, census: &Census, rows: usize, folder: &Path) -> Result<Size> {
    fs::create_dir(folder)?;
    eprintln!("{rows} rows: building the input");
    let input = folder.join("input.csv");
    let file_bytes = build(census, rows, settings.seed, &input)?;
    let (policy, out, first) = (folder.join("policy.toml"), folder.join("out"), folder.join("first.csv"));
    let requirement = Requirement::single(census.quasi());
    fs::write(&policy, requirement.policy(census, &input, None, &out)?)?;
    let mut builds: Vec<Build> = settings.builds.iter().map(|_| Build::default()).collect();
    for repeat in 0..settings.repeats {
        eprintln!("{rows} rows: measuring, {} of {}", repeat + 1, settings.repeats);
        for (program, build) in settings.builds.iter().zip(&mut builds) {
            let mut command = this_program()?;
            build
                .spent
                .push(answer(command.arg("build").arg(program).arg(&policy).arg(&out))?);
            let released = out.join(ReleaseFormat::Csv.file_name());
            if first.exists() {
                build.same_bytes &= same_bytes(&first, &released)?;
            } else {
                fs::rename(released, &first)?;
            }
            fs::remove_dir_all(&out)?;
        }
    }
    fs::remove_dir_all(folder)?;
    Ok(Size {
        rows,
        file_bytes,
        builds,
    })
}

impl Default for Build {
    fn default() -> Self {
        Build {
            spent: Vec::new(),
            same_bytes: true,
        }
    }
}
