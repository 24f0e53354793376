//! The summary of a run: what each part took, how that compares with a copy, and whether the targets are met.

use std::fmt::Write;

use crate::job::Published;
use crate::markdown::{none, ratio, sections, table, thousands, verdict, with_ends};
use crate::requirements::Kind;
use crate::run::{Copies, Release, Run, Size};
use crate::stats::{Spread, exponent, mean};

/// The size that the targets are set for.
pub const TARGET_ROWS: usize = 1_000_000;

/// The whole run takes at most so many times the fastest copy.
const WHOLE_AT_MOST: f64 = 3.0;

/// The same on the join with an earlier release, which is read beside the table; and the memory, per byte of both.
const WHOLE_ON_JOIN_AT_MOST: f64 = 6.0;
const MEMORY_ON_JOIN_AT_MOST: f64 = 2.0;

/// The search alone.
const SEARCH_AT_MOST: f64 = 1.0;

/// The search for confidence, beside a copy, and beside the search for anonymity on the same columns.
const CONFIDENCE_SEARCH_AT_MOST: f64 = 1.5;
const CONFIDENCE_TO_ANONYMITY_AT_MOST: f64 = 2.0;

/// Measuring a release, beside making it.
const EVALUATE_AT_MOST: f64 = 2.0;

/// Peak memory is at most so many times the file.
const MEMORY_AT_MOST: f64 = 1.5;

/// Time grows with rows by at most this exponent. A little above 1, because one size may miss a cache that another hits.
const EXPONENT_AT_MOST: f64 = 1.1;

/// The summary as Markdown.
pub fn summary(run: &Run) -> String {
    sections([facts(run), releases(run), copies(run), verdicts(run)])
}

fn facts(run: &Run) -> String {
    let settings = &run.settings;
    let input = format!(
        "input: {}, enlarged as in Fung 2007, sections 4.4.3, 5.4.2 and 6.4.1; seed {}",
        run.census, settings.seed
    );
    let measured = format!(
        "{} repeats; {} random requirements, averaged; times in seconds: median (smallest..largest)",
        settings.repeats, settings.requirements
    );
    run.facts.heading("Releases beside copies", &[input, measured])
}

/// The releases of one size and kind of requirement, beside the fastest copy.
struct Line<'r> {
    size: &'r Size,
    kind: Kind,
    word: &'static str,
    releases: Vec<&'r Release>,
    fastest: Option<(&'r Copies, Spread)>,
}

impl<'r> Line<'r> {
    fn all(run: &'r Run) -> Vec<Line<'r>> {
        let of_size = |size: &'r Size| {
            Kind::ALL.map(|(kind, word)| Line {
                size,
                kind,
                word,
                releases: size
                    .releases
                    .iter()
                    .filter(|release| release.requirement.kind == kind)
                    .collect(),
                fastest: fastest(size),
            })
        };
        let lines = run.sizes.iter().flat_map(of_size);
        lines.filter(|line| !line.releases.is_empty()).collect()
    }

    /// The spread over the repeats of the average over the requirements.
    fn spread(&self, part: impl Fn(&Published) -> f64) -> Spread {
        let repeats = self
            .releases
            .iter()
            .map(|release| release.published.len())
            .min()
            .unwrap_or(0);
        let average = |repeat: usize| {
            let measured: Vec<f64> = self
                .releases
                .iter()
                .map(|release| part(&release.published[repeat]))
                .collect();
            mean(&measured)
        };
        Spread::of((0..repeats).map(average)).unwrap_or(Spread {
            median: f64::NAN,
            min: f64::NAN,
            max: f64::NAN,
        })
    }

    /// The most memory that any of the releases took, per byte of the file, with that of the earlier release.
    fn memory(&self) -> Option<f64> {
        let published = self.releases.iter().flat_map(|release| &release.published);
        let most = published.map(|published| published.peak_memory).max().flatten()?;
        Some(most as f64 / (self.size.file_bytes + self.size.earlier_bytes) as f64)
    }

    /// How many times the whole run it takes to measure the release, if that was asked for.
    fn evaluate_to_whole(&self) -> Option<f64> {
        let seconds = |published: &Published| published.evaluated.as_ref().map_or(f64::NAN, |once| once.seconds);
        let ratio = self.spread(seconds).median / self.spread(|published| published.whole).median;
        ratio.is_finite().then_some(ratio)
    }

    /// How many times the fastest copy some part takes.
    fn against_copy(&self, part: impl Fn(&Published) -> f64) -> Option<f64> {
        self.fastest.map(|(_, copy)| self.spread(part).median / copy.median)
    }

    fn cells(&self) -> Vec<String> {
        let median = |part: fn(&Published) -> f64| format!("{:.3}", self.spread(part).median);
        let same = self.releases.iter().all(|release| release.same_on_threads);
        vec![
            thousands(self.size.rows),
            self.word.to_owned(),
            median(|published| published.load),
            with_ends(self.spread(|published| published.search)),
            median(|published| published.audit),
            median(|published| published.write),
            with_ends(self.spread(|published| published.whole)),
            self.fastest.map_or_else(none, |(copies, copy)| {
                format!("{} {}", with_ends(copy), copies.contender.name)
            }),
            ratio(self.against_copy(|published| published.whole)),
            ratio(self.against_copy(|published| published.search)),
            ratio(self.memory()),
            ratio(self.evaluate_to_whole()),
            format!("{:.0}", self.spread(|published| published.refinements as f64).median),
            if same { "yes" } else { "NO" }.to_owned(),
        ]
    }
}

/// Who copies a table the fastest: the smallest median of those that make a true copy.
fn fastest(size: &Size) -> Option<(&Copies, Spread)> {
    let true_copies = size.copies.iter().filter(|copies| copies.are_copies());
    let measured = true_copies.filter_map(|copies| Some((copies, Spread::of(copies.seconds.iter().copied())?)));
    measured.min_by(|(_, a), (_, b)| a.median.total_cmp(&b.median))
}

fn releases(run: &Run) -> String {
    const HEADER: [&str; 14] = [
        "rows",
        "requirement",
        "load",
        "search",
        "audit",
        "write",
        "whole",
        "fastest copy",
        "whole/copy",
        "search/copy",
        "memory/file",
        "evaluate/whole",
        "refinements",
        "threads agree",
    ];
    table(&HEADER, &Line::all(run).iter().map(Line::cells).collect::<Vec<_>>())
}

fn copies(run: &Run) -> String {
    let of_size = |size: &Size| -> Vec<Vec<String>> {
        let best = fastest(size).map(|(_, spread)| spread.median);
        let cells = |copies: &Copies| {
            let spread = Spread::of(copies.seconds.iter().copied());
            vec![
                thousands(size.rows),
                format!("{:.1}", size.file_bytes as f64 / 1e6),
                copies.contender.name.clone(),
                copies.contender.version.clone(),
                spread.map_or_else(none, with_ends),
                ratio(spread.zip(best).map(|(spread, best)| spread.median / best)),
                if copies.are_copies() {
                    "yes"
                } else {
                    "no: not compared with"
                }
                .to_owned(),
            ]
        };
        size.copies.iter().map(cells).collect()
    };
    let rows: Vec<Vec<String>> = run.sizes.iter().flat_map(of_size).collect();
    table(
        &[
            "rows",
            "MB",
            "copy",
            "version",
            "seconds",
            "of the fastest",
            "same bytes",
        ],
        &rows,
    )
}

fn verdicts(run: &Run) -> String {
    let lines = Line::all(run);
    let mut text = format!("At {} rows, and over all sizes:\n\n", thousands(TARGET_ROWS));
    for (kind, word) in Kind::ALL {
        let line = lines
            .iter()
            .find(|line| line.kind == kind && line.size.rows == TARGET_ROWS);
        let growth = |part: fn(&Published) -> f64| {
            let of_kind = lines.iter().filter(|line| line.kind == kind);
            let points: Vec<_> = of_kind
                .map(|line| (line.size.rows as f64, line.spread(part).median))
                .collect();
            exponent(&points)
        };
        let whole = |published: &Published| published.whole;
        let search = |published: &Published| published.search;
        let is_measured = lines.iter().any(|line| line.kind == kind);
        let beside = kind.counting_records();
        let records = lines
            .iter()
            .find(|line| Some(line.kind) == beside && line.size.rows == TARGET_ROWS);
        let search_at_most = beside.map_or(SEARCH_AT_MOST, |_| CONFIDENCE_SEARCH_AT_MOST);
        let to_records = line
            .zip(records)
            .map(|(line, records)| line.spread(search).median / records.spread(search).median);
        let targets = [
            (
                "whole run / fastest copy",
                line.and_then(|line| line.against_copy(whole)),
                if kind.is_on_join() {
                    WHOLE_ON_JOIN_AT_MOST
                } else {
                    WHOLE_AT_MOST
                },
            ),
            (
                "peak memory / file",
                line.and_then(Line::memory),
                if kind.is_on_join() {
                    MEMORY_ON_JOIN_AT_MOST
                } else {
                    MEMORY_AT_MOST
                },
            ),
            (
                "exponent of the whole run against rows",
                growth(whole),
                EXPONENT_AT_MOST,
            ),
            ("exponent of the search against rows", growth(search), EXPONENT_AT_MOST),
        ];
        // On the join only the whole run is bounded: most of it is reading two tables.
        let search_to_copy = (!kind.is_on_join()).then(|| {
            (
                "search / fastest copy",
                line.and_then(|line| line.against_copy(search)),
                search_at_most,
            )
        });
        let beside_records = beside.map(|_| {
            (
                "search / search for anonymity on the same columns",
                to_records,
                CONFIDENCE_TO_ANONYMITY_AT_MOST,
            )
        });
        let evaluate = line.and_then(Line::evaluate_to_whole);
        let evaluate = evaluate.map(|ratio| ("evaluate / whole run", Some(ratio), EVALUATE_AT_MOST));
        let targets = targets
            .into_iter()
            .chain(search_to_copy)
            .chain(beside_records)
            .chain(evaluate);
        for (target, value, bound) in targets.filter(|_| is_measured) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {word}, {target}: {}", verdict(value, bound));
        }
    }
    text
}
