//! How the release was found: the frontier that the search passed along, its steps, and why it stopped.

use scumble_report::{Block, Cell, Curve, Frontier, Level, Plot, Section, Table, TraceFile, TraceStep, figure};

use crate::stops::Stop;
use scumble_policy::counted;

/// How many steps are listed; a long trace is in `trace.json`.
const MOST_STEPS: usize = 400;

/// What each level on the way costs.
pub(super) fn frontier_section(frontier: &Frontier) -> Section {
    let curve = |place: usize| {
        let template = &frontier.templates[place];
        let points = frontier.points.iter();
        Block::Figure {
            caption: template.template.clone(),
            plot: Plot::Curve(Curve {
                points: points
                    .map(|point| (point.levels[place].number(), point.information_loss))
                    .collect(),
                chosen: frontier.released,
                x: format!("level of {}", template.kind),
                y: "information loss".to_owned(),
                bound: template.bound.number(),
                counts: matches!(template.bound, Level::Count(_)),
            }),
        }
    };
    let words = "One search passes through every level down to the bound. Each point is a release that could have been \
                 published instead; the ring is the one that was, the line is the bound. Pick another with --at-level. A \
                 policy that asks for a stricter level from the start may find a more useful release at that level.";
    let curves = (0..frontier.templates.len()).map(curve).collect();
    Section::new(
        "What more privacy would cost",
        vec![Block::Text(words.to_owned()), Block::Beside(curves)],
    )
}

/// The steps, and why there are no more.
pub(super) fn trace_section(trace: &TraceFile, stops: &[Stop]) -> Section {
    let head = [
        "#step",
        "column",
        "value",
        "becomes",
        "#gain",
        "#loss",
        "#score",
        "#information loss",
        "levels",
    ];
    let mut table = Table::new(&head);
    for (step, number) in trace.steps.iter().zip(1..).take(MOST_STEPS) {
        table.push(cells(step, number));
    }
    let more = trace.steps.len().saturating_sub(MOST_STEPS);
    let mut steps = vec![Block::Table(table)];
    if more > 0 {
        steps.push(Block::Text(format!("And {more} more, in trace.json.")));
    }
    let blocks = vec![
        Block::Text(format!(
            "{} from the most masked table. Each took the value that gains most for what it costs in privacy.",
            counted(trace.steps.len(), "refinement")
        )),
        Block::Folded {
            summary: "Step by step".to_owned(),
            blocks: steps,
        },
        Block::Text("Why each column is not finer:".to_owned()),
        Block::List(stops.iter().map(ToString::to_string).collect()),
    ];
    Section::new("How it was found", blocks)
}

/// What there is to say of a search without steps.
pub(super) fn notes_section(notes: &[String]) -> Option<Section> {
    let blocks = notes.iter().map(|note| Block::Text(note.clone())).collect();
    (!notes.is_empty()).then(|| Section::new("How it was found", blocks))
}

fn cells(step: &TraceStep, number: usize) -> [Cell; 9] {
    let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "(missing)".to_owned());
    let into: Vec<String> = step.into.iter().map(shown).collect();
    let levels = step.levels.iter().map(|level| figure(level.number()));
    let levels: Vec<String> = levels.collect();
    [
        number.to_string(),
        step.column.clone(),
        shown(&step.value),
        into.join(", "),
        figure(step.gain),
        figure(step.loss),
        figure(step.score),
        format!("{:.1} %", 100.0 * step.information_loss),
        levels.join(", "),
    ]
    .map(Cell::from)
}
