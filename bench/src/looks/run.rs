//! A [`Run`] of the study: every task once, at every size.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::probe::{Probe, Seen};
use super::tasks::Desk;
use crate::facts::Facts;
use crate::{Result, Settings};

/// A task is stopped after so long: what it does then, it has done often before.
const PATIENCE: Duration = Duration::from_secs(30);

/// All that was measured.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Where it was made.
    pub facts: Facts,
    /// What was asked for.
    pub settings: Settings,
    /// One per task and size.
    pub tasks: Vec<Task>,
}

/// What was measured of one task.
#[derive(Debug, Serialize)]
pub struct Task {
    /// What was done.
    pub name: String,
    /// How many rows the table has.
    pub rows: usize,
    /// From beginning to end, in seconds.
    pub seconds: f64,
    /// How long it went on after it was asked to stop, in seconds; `None` if it came to its end.
    pub late: Option<f64>,
    /// Of each stage.
    pub stages: Vec<Seen>,
}

/// Measures everything that the settings ask for.
pub fn run(settings: &Settings) -> Result<Run> {
    let facts = Facts::gather();
    let mut tasks = Vec::new();
    for &rows in &settings.rows {
        let scratch = tempfile::tempdir()?;
        eprintln!("{rows} rows: building the input");
        let desk = Desk::build(rows, settings.seed, scratch.path())?;
        for (name, task) in desk.tasks() {
            if !name.contains(&settings.only) {
                continue;
            }
            eprintln!("{rows} rows: {name}");
            let probe = Probe::new(PATIENCE);
            let start = Instant::now();
            let done = task(&probe);
            let (seconds, late) = (start.elapsed().as_secs_f64(), probe.late());
            if let (Err(error), None) = (done, late) {
                return Err(format!("{name}: {error}").into());
            }
            tasks.push(Task {
                name,
                rows,
                seconds,
                late,
                stages: probe.seen(),
            });
        }
    }
    Ok(Run {
        facts,
        settings: settings.clone(),
        tasks,
    })
}
