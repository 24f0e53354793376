//! The summary of a mashup study: what publishing together takes beside publishing alone, and where it goes.

use super::experiment::PARTIES;
use super::party::TookPart;
use super::run::{Run, Size, Turn};
use crate::markdown::{none, ratio, sections, table, thousands, verdict, with_ends};
use crate::stats::Spread;
use crate::summary::TARGET_ROWS;

/// Both parties together take at most so many times as long as one who has the joined table.
const TOGETHER_AT_MOST: f64 = 3.0;

/// What the thesis reports, section 7.4.2: about so many seconds at so many rows, without loading and writing.
const THESIS_ROWS: usize = 200_000;
const THESIS_SECONDS: f64 = 340.0;

/// The summary as Markdown.
pub fn summary(run: &Run) -> String {
    sections([
        facts(run),
        together(run),
        parts(run),
        traffic(run),
        consent(run),
        verdicts(run),
    ])
}

fn facts(run: &Run) -> String {
    let settings = &run.settings;
    let input = format!(
        "input: {}, enlarged as in Fung 2007, section 4.4.3, and split as in section 7.4; seed {}",
        run.census, settings.seed
    );
    let measured = format!(
        "{} repeats; times in seconds: median (smallest..largest)",
        settings.repeats
    );
    // The run would have failed otherwise.
    let same = "same release: yes, byte for byte, by each party and by `publish` on the joined table, in every repeat";
    run.facts
        .heading("Mashups beside `publish`", &[input, measured, same.to_owned()])
}

impl Size {
    fn spread(&self, measured: impl Fn(&Turn) -> f64) -> Option<Spread> {
        Spread::of(self.turns.iter().map(measured))
    }

    /// The spread over everything that was measured several times in each turn.
    fn spread_of_all(&self, measured: impl Fn(&Turn) -> Vec<f64>) -> Option<Spread> {
        Spread::of(self.turns.iter().flat_map(measured))
    }

    /// How many times as long it takes together as alone.
    fn together_to_alone(&self) -> Option<f64> {
        let medians = self.spread(|turn| turn.together).zip(self.spread(|turn| turn.alone))?;
        Some(medians.0.median / medians.1.median)
    }

    /// What the thesis measures: all but loading and writing, of the party that took longer.
    fn without_files(&self) -> Option<f64> {
        let seconds = |party: &TookPart| party.align + party.search + party.audit;
        let longest = self.spread(|turn| turn.parties.iter().map(seconds).fold(0.0, f64::max));
        longest.map(|spread| spread.median)
    }
}

impl Turn {
    /// What both parties see alike, as one of them saw it.
    fn seen(&self) -> &TookPart {
        &self.parties[0]
    }

    /// How long each of some computations took, for whoever came to it last: waiting for the other is no part of it.
    fn without_waiting(&self, seconds: impl Fn(&TookPart) -> Vec<f64>) -> Vec<f64> {
        let [first, second] = &self.parties;
        let both = seconds(first).into_iter().zip(seconds(second));
        both.map(|(first, second)| first.min(second)).collect()
    }
}

fn together(run: &Run) -> String {
    let cells = |size: &Size| {
        vec![
            thousands(size.rows),
            megabytes(size.file_bytes as f64),
            shown(size.spread(|turn| turn.together)),
            shown(size.spread(|turn| turn.alone)),
            ratio(size.together_to_alone()),
            median(size.spread(|turn| turn.seen().rounds as f64)),
            median(size.spread(|turn| turn.seen().refinements as f64)),
        ]
    };
    let header = [
        "rows",
        "MB",
        "together",
        "publish",
        "together/publish",
        "rounds",
        "refinements",
    ];
    table(&header, &run.together.iter().map(cells).collect::<Vec<_>>())
}

/// One line for each party, and one for `publish`.
fn parts(run: &Run) -> String {
    let of_party = |size: &Size, number: usize| {
        let part = |part: fn(&TookPart) -> f64| seconds(size.spread(|turn| part(&turn.parties[number])));
        vec![
            thousands(size.rows),
            PARTIES[number].to_owned(),
            part(|party| party.load),
            part(|party| party.meet),
            part(|party| party.align),
            part(|party| party.search),
            part(|party| party.audit),
            part(|party| party.write),
            most(size.turns.iter().map(|turn| turn.parties[number].peak_memory)),
        ]
    };
    let alone = |size: &Size| {
        vec![
            thousands(size.rows),
            "`publish`".to_owned(),
            seconds(size.spread(|turn| turn.published.load)),
            none(),
            none(),
            seconds(size.spread(|turn| turn.published.search)),
            seconds(size.spread(|turn| turn.published.audit)),
            seconds(size.spread(|turn| turn.published.write)),
            most(size.turns.iter().map(|turn| turn.published.peak_memory)),
        ]
    };
    let of_size = |size: &Size| [of_party(size, 0), of_party(size, 1), alone(size)];
    let header = [
        "rows",
        "who",
        "load",
        "meet",
        "align",
        "search",
        "audit",
        "write",
        "peak memory, MB",
    ];
    table(&header, &run.together.iter().flat_map(of_size).collect::<Vec<_>>())
}

fn traffic(run: &Run) -> String {
    let cells = |size: &Size| {
        let rounds = |turn: &Turn| in_megabytes(turn.seen().tally.rounds.iter().copied());
        vec![
            thousands(size.rows),
            shown(size.spread_of_all(rounds)),
            shown(size.spread(|turn| turn.seen().bytes as f64 / 1e6)),
            shown(size.spread_of_all(|turn| turn.without_waiting(|party| party.maxima.clone()))),
        ]
    };
    let header = ["rows", "MB per round", "MB in all", "seconds per secure maximum"];
    table(&header, &run.together.iter().map(cells).collect::<Vec<_>>())
}

fn consent(run: &Run) -> String {
    let cells = |size: &Size| {
        let questions = |turn: &Turn| turn.seen().tally.questions.clone();
        let bytes = |turn: &Turn| in_megabytes(questions(turn).iter().map(|question| question.bytes));
        let of_party = |party: &TookPart| party.tally.questions.iter().map(|question| question.seconds).collect();
        vec![
            thousands(size.rows),
            median(size.spread(|turn| turn.seen().refinements as f64)),
            median(size.spread(|turn| questions(turn).len() as f64)),
            shown(size.spread_of_all(|turn| turn.without_waiting(of_party))),
            shown(size.spread_of_all(bytes)),
            shown(size.spread(|turn| turn.together)),
            shown(size.spread(|turn| turn.alone)),
        ]
    };
    let header = [
        "rows, with consent",
        "refinements",
        "questions",
        "seconds per question",
        "MB per question",
        "together",
        "publish",
    ];
    table(&header, &run.consent.iter().map(cells).collect::<Vec<_>>())
}

fn verdicts(run: &Run) -> String {
    let at = |rows: usize| run.together.iter().find(|size| size.rows == rows);
    let target = verdict(at(TARGET_ROWS).and_then(Size::together_to_alone), TOGETHER_AT_MOST);
    let thesis = verdict(at(THESIS_ROWS).and_then(Size::without_files), THESIS_SECONDS);
    format!(
        "- together / publish, at {} rows: {target}\n\
         - seconds without loading and writing, at {} rows: {thesis}",
        thousands(TARGET_ROWS),
        thousands(THESIS_ROWS),
    )
}

fn in_megabytes(bytes: impl Iterator<Item = u64>) -> Vec<f64> {
    bytes.map(|bytes| bytes as f64 / 1e6).collect()
}

fn megabytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1e6)
}

/// The most memory of several turns, in megabytes.
fn most(peaks: impl Iterator<Item = Option<u64>>) -> String {
    peaks.max().flatten().map_or_else(none, |peak| megabytes(peak as f64))
}

fn shown(spread: Option<Spread>) -> String {
    spread.map_or_else(none, with_ends)
}

fn seconds(spread: Option<Spread>) -> String {
    spread.map_or_else(none, |spread| format!("{:.3}", spread.median))
}

/// The median of a count.
fn median(spread: Option<Spread>) -> String {
    spread.map_or_else(none, |spread| format!("{:.0}", spread.median))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;
    use crate::job::Published;
    use crate::mashup::tally::{Question, Tally};
    use crate::{Settings, Study};

    /// A party that waited so long for the other before the second of two maxima.
    fn party(waited: f64) -> TookPart {
        TookPart {
            load: 0.1,
            meet: 0.0,
            align: 0.2,
            search: 0.3 + waited,
            audit: 0.4,
            write: 0.5,
            rounds: 2,
            refinements: 1,
            maxima: vec![0.01, 0.02 + waited],
            tally: Tally {
                rounds: vec![1_000_000, 3_000_000],
                questions: vec![Question {
                    seconds: 0.7 + waited,
                    bytes: 5_000_000,
                }],
            },
            bytes: 9_000_000,
            peak_memory: Some(64_000_000),
        }
    }

    fn size(rows: usize, together: f64, alone: f64) -> Size {
        let published = Published {
            load: 0.1,
            search: 0.2,
            audit: 0.3,
            write: 0.4,
            whole: 1.0,
            refinements: 1,
            peak_memory: None,
            evaluated: None,
        };
        let turn = Turn {
            together,
            parties: [party(0.0), party(1.0)],
            alone,
            published,
        };
        Size {
            rows,
            file_bytes: 100_000_000,
            turns: vec![turn],
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
            settings: Settings {
                study: Study::Mashup,
                rows: Vec::new(),
                repeats: 1,
                requirements: 1,
                evaluate: false,
                only: String::new(),
                seed: 1,
                data_dir: None,
                keep: None,
                builds: Vec::new(),
            },
            census: "test",
            together: sizes,
            consent: vec![size(2_000, 2.0, 1.0)],
        }
    }

    #[test]
    fn the_target_is_for_a_million_rows() {
        let met = summary(&run(vec![size(45_222, 9.0, 1.0), size(1_000_000, 3.0, 1.0)]));
        assert!(met.contains("at 1,000,000 rows: 3.00 (at most 3): met"), "{met}");
        let smaller = summary(&run(vec![size(45_222, 3.0, 1.0)]));
        assert!(smaller.contains("at 1,000,000 rows: not measured"), "{smaller}");
    }

    #[test]
    fn the_thesis_is_compared_with_the_slower_party_without_its_files() {
        let text = summary(&run(vec![size(200_000, 3.0, 1.0)]));
        assert!(text.contains("1.90 (at most 340): met"), "{text}");
    }

    #[test]
    fn waiting_is_no_part_of_a_maximum_or_a_question() {
        let turn = &size(1, 1.0, 1.0).turns[0];
        assert_eq!(turn.without_waiting(|party| party.maxima.clone()), [0.01, 0.02]);
        let run = run(Vec::new());
        assert!(consent(&run).contains("| 0.700 (0.700..0.700) | 5.000 (5.000..5.000) |"));
    }

    #[test]
    fn bytes_are_those_of_one_party_who_sees_both_ways() {
        let traffic = traffic(&run(vec![size(45_222, 1.0, 1.0)]));
        assert!(
            traffic.contains("| 45,222 | 2.000 (1.000..3.000) | 9.000 (9.000..9.000) |"),
            "{traffic}"
        );
    }
}
