//! The summary of the study: what a release takes beside a copy of the tables, how that grows, and what is lost.

use super::program::{Parts, Published};
use super::run::{Compared, Run, Size, Turn};
use super::school::{CLIMIT, K, Way};
use crate::markdown::{none, ratio, sections, table, thousands, verdict, with_ends};
use crate::stats::{Spread, exponent};

/// A release of the most students takes at most so many times as long as a copy of the tables.
const TIMES_COPY: f64 = 100.0;

/// Time grows with students by at most this exponent, which counts as linear.
const EXPONENT_AT_MOST: f64 = 1.1;

/// A release takes at most so many times the memory of the tables.
const TIMES_FILES: f64 = 4.0;

/// The summary as Markdown.
pub fn summary(run: &Run) -> String {
    sections([
        facts(run),
        times(run),
        parts(run),
        growth(run),
        losses(run),
        verdicts(run),
    ])
}

fn facts(run: &Run) -> String {
    let settings = &run.settings;
    let input = format!(
        "input: invented students with their courses and books, three CSV files (Nergiz and Clifton 2008, section V); seed {}",
        settings.seed
    );
    let method = format!("k = {K}; timed: MiRaCleX, climit = {CLIMIT}, the threshold found by the program");
    let measured = format!(
        "{} repeats; a time is that of a whole process, in seconds: median (smallest..largest)",
        settings.repeats
    );
    run.facts
        .heading("Several tables beside a plain copy", &[input, method, measured])
}

impl Size {
    fn spread(&self, of: impl Fn(&Turn) -> f64) -> Option<Spread> {
        Spread::of(self.turns.iter().map(of))
    }

    fn median(&self, of: impl Fn(&Turn) -> f64) -> Option<f64> {
        Some(self.spread(of)?.median)
    }

    /// The whole release, in seconds.
    fn whole(&self) -> Option<f64> {
        self.median(|turn| turn.published.whole)
    }

    /// How many times as long as the copy it takes.
    fn beside_copy(&self) -> Option<f64> {
        Some(self.whole()? / self.median(|turn| turn.copy)?)
    }

    /// How many times as long it takes on one thread.
    fn beside_all_threads(&self) -> Option<f64> {
        Some(self.median(|turn| turn.on_one_thread.whole)? / self.whole()?)
    }

    /// The most memory of a release, in bytes.
    fn peak(&self) -> Option<f64> {
        let peaks = self.turns.iter().filter_map(|turn| turn.published.peak_memory);
        peaks.max().map(|peak| peak as f64)
    }

    fn beside_files(&self) -> Option<f64> {
        Some(self.peak()? / self.file_bytes as f64)
    }

    /// What was released, which is the same in every turn.
    fn released(&self) -> Option<&Published> {
        self.turns.first().map(|turn| &turn.published)
    }
}

fn times(run: &Run) -> String {
    let cells = |size: &Size| {
        let spread = |of: fn(&Turn) -> f64| size.spread(of).map_or_else(none, with_ends);
        let released = size.released();
        vec![
            thousands(size.persons),
            megabytes(Some(size.file_bytes as f64)),
            spread(|turn| turn.copy),
            spread(|turn| turn.published.whole),
            ratio(size.beside_copy()),
            spread(|turn| turn.on_one_thread.whole),
            ratio(size.beside_all_threads()),
            if size.same_on_threads { "yes" } else { "NO" }.to_owned(),
            megabytes(size.peak()),
            ratio(size.beside_files()),
            released.map_or_else(none, |released| format!("{:.4}", released.loss)),
            released.map_or_else(none, |released| released.left_out.to_string()),
        ]
    };
    let header = [
        "students",
        "tables, MB",
        "copy",
        "release",
        "of copy",
        "on one thread",
        "one / all",
        "same bytes",
        "peak memory, MB",
        "of tables",
        "LM",
        "left out",
    ];
    table(&header, &run.sizes.iter().map(cells).collect::<Vec<_>>())
}

fn megabytes(bytes: Option<f64>) -> String {
    bytes.map_or_else(none, |bytes| format!("{:.1}", bytes / 1e6))
}

/// A part of a release: its name, and its seconds.
type Part = (&'static str, fn(&Parts) -> f64);

const PARTS: [Part; 5] = [
    ("load", |parts| parts.load),
    ("join", |parts| parts.join),
    ("search", |parts| parts.search),
    ("audit", |parts| parts.audit),
    ("write", |parts| parts.write),
];

/// The parts of a release on all threads, and on one.
fn parts(run: &Run) -> String {
    let cells = |size: &Size, threads: &str, published: fn(&Turn) -> &Published| {
        let part = |(_, of): Part| {
            let spread = size.spread(|turn| of(&published(turn).parts));
            spread.map_or_else(none, |spread| format!("{:.3}", spread.median))
        };
        let settings = [thousands(size.persons), threads.to_owned()];
        settings.into_iter().chain(PARTS.map(part)).collect::<Vec<String>>()
    };
    let rows = run.sizes.iter().flat_map(|size| {
        [
            cells(size, "all", |turn| &turn.published),
            cells(size, "1", |turn| &turn.on_one_thread),
        ]
    });
    let header = ["students", "threads"].into_iter().chain(PARTS.map(|(name, _)| name));
    table(&header.collect::<Vec<_>>(), &rows.collect::<Vec<_>>())
}

/// The exponent of a time against students.
fn growth_of(run: &Run, seconds: impl Fn(&Turn) -> f64) -> Option<f64> {
    let points = run
        .sizes
        .iter()
        .filter_map(|size| Some((size.persons as f64, size.median(&seconds)?)));
    exponent(&points.collect::<Vec<_>>())
}

fn growth(run: &Run) -> String {
    let cells = |name: &str, seconds: &dyn Fn(&Turn) -> f64| {
        let per_person = |size: &Size| Some(size.median(seconds)? / size.persons as f64);
        let mut measured = run.sizes.iter().filter_map(per_person);
        let (first, last) = (measured.next(), measured.next_back());
        vec![
            name.to_owned(),
            ratio(growth_of(run, seconds)),
            ratio(first.zip(last).map(|(first, last)| last / first)),
        ]
    };
    let whole = cells("release", &|turn| turn.published.whole);
    let parts = PARTS.map(|(name, of)| cells(name, &|turn| of(&turn.published.parts)));
    table(
        &["", "exponent against students", "time per student, last size / first"],
        &[whole].into_iter().chain(parts).collect::<Vec<_>>(),
    )
}

fn losses(run: &Run) -> String {
    let cells = |size: &Size, compared: &Compared| {
        let published = &compared.published;
        let of_miraclex = size.compared.iter().find(|other| other.way == Way::MiracleX);
        let beside = |of: fn(&Published) -> f64| {
            let other = of_miraclex.map(|other| of(&other.published));
            ratio(other.map(|other| of(published) / other))
        };
        vec![
            thousands(size.persons),
            compared.way.to_string(),
            format!("{:.4}", published.loss),
            beside(|published| published.loss),
            thousands(published.classes as usize),
            published.left_out.to_string(),
            format!("{:.3}", published.whole),
            beside(|published| published.whole),
        ]
    };
    let measured = run
        .sizes
        .iter()
        .flat_map(|size| size.compared.iter().map(move |compared| cells(size, compared)));
    let header = [
        "students",
        "method",
        "LM",
        "of miraclex",
        "different trees",
        "left out",
        "seconds, once",
        "of miraclex",
    ];
    table(&header, &measured.collect::<Vec<_>>())
}

fn verdicts(run: &Run) -> String {
    let most = run.sizes.iter().max_by_key(|size| size.persons);
    let differ = run.sizes.iter().map(|size| f64::from(u8::from(!size.same_on_threads)));
    let targets = [
        (
            "most students, whole release / copy of the tables",
            most.and_then(Size::beside_copy),
            TIMES_COPY,
        ),
        (
            "exponent of the search against students",
            growth_of(run, |turn| turn.published.parts.search),
            EXPONENT_AT_MOST,
        ),
        (
            "exponent of the whole release against students",
            growth_of(run, |turn| turn.published.whole),
            EXPONENT_AT_MOST,
        ),
        (
            "most students, peak memory / tables",
            most.and_then(Size::beside_files),
            TIMES_FILES,
        ),
        (
            "sizes of which the release on one thread is another",
            differ.reduce(|sum, size| sum + size),
            0.0,
        ),
    ];
    let lines = targets.map(|(target, value, bound)| format!("- {target}: {}", verdict(value, bound)));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Cli;
    use crate::facts::Facts;

    fn published(seconds: f64, loss: f64) -> Published {
        Published {
            whole: seconds,
            parts: Parts {
                load: 0.1 * seconds,
                join: 0.1 * seconds,
                search: 0.5 * seconds,
                audit: 0.2 * seconds,
                write: 0.1 * seconds,
            },
            peak_memory: Some(9_000_000),
            loss,
            left_out: 3,
            classes: 1_900,
        }
    }

    /// A size of which the release takes 50 times as long as the copy, and 1.5 times as long on one thread.
    fn size(persons: usize, copy: f64) -> Size {
        let compared = |way, loss| Compared {
            way,
            published: published(40.0 * copy, loss),
        };
        Size {
            persons,
            file_bytes: 3_000_000,
            turns: vec![Turn {
                published: published(50.0 * copy, 0.25),
                on_one_thread: published(75.0 * copy, 0.25),
                copy,
            }],
            same_on_threads: true,
            compared: vec![compared(Way::MiracleX, 0.2), compared(Way::Entities, 0.15)],
        }
    }

    fn run(sizes: Vec<Size>) -> Run {
        Run {
            facts: Facts {
                command: "bench".to_owned(),
                scumble: String::new(),
                rustc: String::new(),
                python: String::new(),
                system: String::new(),
                processor: String::new(),
                cores: 2,
            },
            settings: Cli::parse_from(["bench", "--study", "entities"]).settings,
            sizes,
        }
    }

    /// Ten times the students in twenty times the seconds: the exponent is log 20 by log 10.
    #[test]
    fn a_release_is_held_against_a_copy_and_its_growth_is_told() {
        let text = summary(&run(vec![size(1_000, 0.01), size(10_000, 0.2)]));
        for expected in [
            "| 10,000   | 3.0        | 0.200 (0.200..0.200) | 10.000 (10.000..10.000) | 50.00   | 15.000 (15.000..15.000) | 1.50 ",
            "| 10,000   | all     | 1.000 | 1.000 | 5.000  | 2.000 | 1.000 |",
            "| search  | 1.30                      | 2.00 ",
            "whole release / copy of the tables: 50.00 (at most 100): met",
            "exponent of the search against students: 1.30 (at most 1.1): not met",
            "peak memory / tables: 3.00 (at most 4): met",
            "on one thread is another: 0.00 (at most 0): met",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn losses_stand_beside_that_of_miraclex() {
        let text = summary(&run(vec![size(1_000, 0.01)]));
        let expected = "| 1,000    | entities | 0.1500 | 0.75 ";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn another_release_on_one_thread_is_told() {
        let mut other = size(1_000, 0.01);
        other.same_on_threads = false;
        let text = summary(&run(vec![other, size(10_000, 0.1)]));
        assert!(text.contains("| NO "), "{text}");
        assert!(
            text.contains("on one thread is another: 1.00 (at most 0): not met"),
            "{text}"
        );
    }

    #[test]
    fn what_was_not_measured_is_said_so() {
        let text = summary(&run(Vec::new()));
        assert!(
            text.contains("copy of the tables: not measured (at most 100)"),
            "{text}"
        );
    }
}
