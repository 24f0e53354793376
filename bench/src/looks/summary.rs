//! The summary of the study: the longest time without a look, of every task and stage.

use super::probe::Seen;
use super::run::{Run, Task};
use crate::markdown::{none, sections, table, thousands, verdict};

/// A run stops within a second.
const SECONDS_AT_MOST: f64 = 1.0;

/// The summary as Markdown.
pub fn summary(run: &Run) -> String {
    sections([facts(run), tasks(run), verdicts(run)])
}

fn facts(run: &Run) -> String {
    let input = format!(
        "input: the synthetic census, and students of which each has about 19 rows; seed {}",
        run.settings.seed
    );
    run.facts.heading("How long a run goes on without a look", &[input])
}

fn tasks(run: &Run) -> String {
    let row = |task: &Task, seen: &Seen| {
        vec![
            thousands(task.rows),
            task.name.clone(),
            seen.stage
                .map_or_else(|| "between stages".to_owned(), |stage| stage.to_string()),
            thousands(seen.looks as usize),
            format!("{:.3}", seen.longest),
            format!("{:.1}", task.seconds),
            task.late.map_or_else(none, |late| format!("{late:.3}")),
        ]
    };
    let rows = run
        .tasks
        .iter()
        .flat_map(|task| task.stages.iter().map(move |seen| row(task, seen)));
    let header = [
        "rows",
        "task",
        "stage",
        "looks",
        "longest gap",
        "whole task",
        "stopped after",
    ];
    table(&header, &rows.collect::<Vec<_>>())
}

fn verdicts(run: &Run) -> String {
    let gaps = run.tasks.iter().flat_map(|task| &task.stages).map(|seen| seen.longest);
    let late = run.tasks.iter().filter_map(|task| task.late);
    [
        format!("- longest gap: {}", verdict(gaps.reduce(f64::max), SECONDS_AT_MOST)),
        format!(
            "- longest way to a stop: {}",
            verdict(late.reduce(f64::max), SECONDS_AT_MOST)
        ),
    ]
    .join("\n")
}
