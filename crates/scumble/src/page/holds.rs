//! What holds: each template with its level, and how the levels of its groups are spread.

use scumble_privacy::{Finding, GroupsAt, Sense, Template, TemplateKind};
use scumble_report::{Bin, Block, Cell, Histogram, Level, Plot, Section, Table, Tone};

use scumble_bind::Plan;

/// A template in words, and what the audit found.
pub(crate) struct Held<'f> {
    /// `anonymity 4 of job, sex`.
    pub words: String,
    /// The template.
    pub template: Template,
    /// `None` if it cannot be counted.
    pub finding: Option<&'f Finding>,
}

/// The section, from what the audit found for each template of a plan.
pub(super) fn section<'f>(plan: &Plan, findings: impl IntoIterator<Item = Option<&'f Finding>>) -> Section {
    let templates = plan.requirement.templates.iter().zip(findings);
    held(templates.map(|(template, finding)| Held {
        words: plan.describe(template),
        template: template.clone(),
        finding,
    }))
}

/// The section.
pub(crate) fn held<'f>(templates: impl IntoIterator<Item = Held<'f>>) -> Section {
    let mut table = Table::new(&["template", "#level", "", "#bound"]);
    let mut pictures = Vec::new();
    for Held {
        words,
        template,
        finding,
    } in templates
    {
        let Some(finding) = finding else {
            let level = Cell {
                text: "cannot be counted".to_owned(),
                tone: Tone::Watch,
            };
            table.push([Cell::from(words), level]);
            continue;
        };
        let written = |level: f64| Level::of(&template, level).written(template.sense());
        let tone = if finding.holds { Tone::Good } else { Tone::Watch };
        let side = match template.sense() {
            Sense::AtLeast => "at least",
            Sense::AtMost => "at most",
        };
        let level = Cell {
            text: written(finding.level),
            tone,
        };
        table.push([
            Cell::from(words.clone()),
            level,
            Cell::from(side),
            Cell::from(written(template.bound())),
        ]);
        if finding.spread.is_empty() && template.of.known() < template.of.columns.len() {
            pictures.push(Block::Text(format!(
                "{words}: an adversary may know any of several sets of columns, each with groups of its own, so there is \
                 no one picture; the level is that of the worst group of all of them."
            )));
            continue;
        }
        pictures.push(Block::Figure {
            caption: format!("{words}: rows by the {} of their group", measured(&template)),
            plot: Plot::Histogram(histogram(&template, &finding.spread)),
        });
    }
    let recounted = "Recounted from the released labels by an audit that shares no counting code with the search. A level \
                     is that of the worst group.";
    let blocks = vec![
        Block::Text(recounted.to_owned()),
        Block::Table(table),
        Block::Beside(pictures),
    ];
    Section::new("What holds", blocks)
}

/// What the level of a group is.
fn measured(template: &Template) -> &'static str {
    match template.template_kind() {
        TemplateKind::Anonymity => "size",
        TemplateKind::KMap => "number of people who look like it",
        TemplateKind::Confidence | TemplateKind::Personal => "largest confidence",
        TemplateKind::Diversity => "diversity",
        TemplateKind::Closeness => "distance from the whole",
        TemplateKind::RangeDiversity => "range diversity",
        TemplateKind::DeltaDisclosure | TemplateKind::BetaLikeness => "level",
    }
}

/// Edges of bins for counts: each about twice the last.
const COUNTS: [u64; 19] = [
    1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000, 10_000_000,
];

fn histogram(template: &Template, spread: &[GroupsAt]) -> Histogram {
    let (bins, at) = if template.counts() {
        of_counts(spread, template.bound() as u64)
    } else {
        of_measures(spread, template.bound())
    };
    let bound = Level::of(template, template.bound()).written(template.sense());
    let words = match template.sense() {
        Sense::AtLeast => format!("at least {bound} →"),
        Sense::AtMost => format!("← at most {bound}"),
    };
    Histogram {
        bins,
        x: measured(template).to_owned(),
        y: "rows".to_owned(),
        bound: Some((at, words)),
    }
}

/// Bins that double, with an edge at the bound, from the first to the last that has rows or the bound.
fn of_counts(spread: &[GroupsAt], bound: u64) -> (Vec<Bin>, f64) {
    let mut edges: Vec<u64> = COUNTS.iter().copied().chain([bound.max(1)]).collect();
    edges.sort_unstable();
    edges.dedup();
    let bin_of = |level: f64| edges.partition_point(|&edge| edge as f64 <= level).saturating_sub(1);
    let mut rows = vec![0; edges.len()];
    spread.iter().for_each(|at| rows[bin_of(at.level)] += at.rows);
    let of_bound = bin_of(bound as f64);
    let used = || (0..edges.len()).filter(|&bin| rows[bin] > 0).chain([of_bound]);
    let (first, last) = (used().min().unwrap_or(0), used().max().unwrap_or(0));
    let label = |bin: usize| match edges.get(bin + 1) {
        Some(&next) if next == edges[bin] + 1 => compact(edges[bin]),
        Some(&next) if next > 9_999 => format!("{}+", compact(edges[bin])),
        Some(&next) => format!("{}–{}", edges[bin], next - 1),
        None => format!("{}+", compact(edges[bin])),
    };
    let bins = (first..=last).map(|bin| Bin {
        label: label(bin),
        rows: rows[bin],
    });
    (bins.collect(), (of_bound - first) as f64)
}

fn compact(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        _ => format!("{}M", number / 1_000_000),
    }
}

const MEASURES: usize = 10;

/// Ten equal bins from 0 to 1, or further where the levels go further, and one for levels without end.
fn of_measures(spread: &[GroupsAt], bound: f64) -> (Vec<Bin>, f64) {
    let finite = spread.iter().map(|at| at.level).filter(|level| level.is_finite());
    let most = finite.fold(bound, f64::max);
    let most = if most <= 1.0 { 1.0 } else { most.ceil() };
    let width = most / MEASURES as f64;
    let mut rows = [0; MEASURES];
    let mut endless = 0;
    for at in spread {
        if at.level.is_finite() {
            // A level on the edge is in the bin that ends there: it is what a bound of this figure still allows.
            let bin = (at.level / width - 1e-9).ceil().max(1.0) as usize - 1;
            rows[bin.min(MEASURES - 1)] += at.rows;
        } else {
            endless += at.rows;
        }
    }
    let label = |bin: usize| {
        let end = width * (bin + 1) as f64;
        format!("≤ {}", (end * 100.0).round() / 100.0)
    };
    let mut bins: Vec<Bin> = rows
        .iter()
        .enumerate()
        .map(|(bin, &rows)| Bin {
            label: label(bin),
            rows,
        })
        .collect();
    if endless > 0 {
        bins.push(Bin {
            label: "∞".to_owned(),
            rows: endless,
        });
    }
    (bins, bound / width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(level: f64, rows: u64) -> GroupsAt {
        GroupsAt { level, groups: 1, rows }
    }

    fn shown(bins: &[Bin]) -> Vec<(&str, u64)> {
        bins.iter().map(|bin| (&bin.label[..], bin.rows)).collect()
    }

    #[test]
    fn the_bound_is_an_edge_of_the_sizes() {
        let (bins, bound) = of_counts(&[at(4.0, 4), at(6.0, 6), at(12.0, 12)], 4);
        assert_eq!(shown(&bins), [("4", 4), ("5–9", 6), ("10–19", 12)]);
        assert_eq!(bound, 0.0);
        let (bins, bound) = of_counts(&[at(3.0, 3), at(20_000.0, 20_000)], 5);
        assert_eq!(shown(&bins)[..2], [("3–4", 3), ("5–9", 0)]);
        assert_eq!((bins.last().unwrap().label.as_str(), bound), ("20k+", 1.0));
    }

    /// Confidence 0.5 is what a bound of 0.5 allows: left of the line.
    #[test]
    fn shares_have_ten_bins_and_the_bound_stands_between_them() {
        let (bins, bound) = of_measures(&[at(0.0, 1), at(0.5, 7), at(0.51, 2)], 0.5);
        let rows: Vec<u64> = bins.iter().map(|bin| bin.rows).collect();
        assert_eq!(rows, [1, 0, 0, 0, 7, 2, 0, 0, 0, 0]);
        assert_eq!((bound, &bins[4].label[..]), (5.0, "≤ 0.5"));
        let (bins, _) = of_measures(&[at(f64::INFINITY, 3), at(2.5, 1)], 1.0);
        assert_eq!(shown(&bins).last(), Some(&("∞", 3)));
        assert_eq!(bins[9].label, "≤ 3");
    }
}
