//! The summary of the study: what each method takes beside Mondrian, and what is lost.

use super::run::{Run, Size, Turns};
use super::task::{Gathered, Way};
use crate::markdown::{none, ratio, sections, table, thousands, verdict, with_ends};
use crate::stats::{Spread, exponent};

/// The LM of ARX on the same rows, columns and trees, by local recoding and by full-domain generalization.
const ARX: [(u64, f64, f64); 4] = [
    (5, 0.0591, 0.6355),
    (10, 0.0830, 0.6355),
    (50, 0.1549, 0.6355),
    (100, 0.1970, 0.6985),
];

/// The NCP to hold ours against, on eight columns at k = 10: by nodes, and by sets.
const NCP_BY_NODES: f64 = 0.324;
const NCP_BY_SETS: f64 = 0.082;

/// What the thesis reports in section 6.6: UPC takes a minute for so many rows.
const THESIS_ROWS: f64 = 500_000.0;
const THESIS_SECONDS: f64 = 60.0;

/// Time grows with rows by at most this exponent.
const EXPONENT_AT_MOST: f64 = 1.1;

/// TOC and UPC take at most so many times as long as Mondrian.
const TIMES_MONDRIAN: f64 = 5.0;

/// Our own method takes at most so long on Adult.
const LOCAL_SECONDS: f64 = 20.0;

/// It loses at most so much of what ARX does.
const OF_ARX: f64 = 0.9;

/// Two losses that agree on the digits that ARX's is known by.
const SAME_DIGITS: f64 = 5e-5;

/// The summary as Markdown.
pub fn summary(run: &Run) -> String {
    sections([
        facts(run),
        times(run),
        growth(run),
        losses(run),
        penalties(run),
        verdicts(run),
    ])
}

fn facts(run: &Run) -> String {
    let settings = &run.settings;
    let input = format!(
        "input: American Community Survey of 2018, 5 known columns and the income; beyond its rows, enlarged as in Fung 2007, \
         section 4.4.3; seed {}",
        settings.seed
    );
    let methods = "k = 5; UPC with U = 0.7, P = 0.5 for classes of ten incomes; TOC weighs evenly".to_owned();
    let measured = format!(
        "{} repeats; times of the search alone, in seconds: median (smallest..largest)",
        settings.repeats
    );
    run.facts
        .heading("Local recoding beside Mondrian", &[input, methods, measured])
}

impl Turns {
    fn seconds(&self) -> Option<Spread> {
        Spread::of(self.gathered.iter().map(|gathered| gathered.seconds))
    }

    /// What was found, which is the same in every turn.
    fn found(&self) -> Option<&Gathered> {
        self.gathered.first()
    }

    /// The loss, beside that of ARX for this `k`.
    fn loss_beside_arx(&self) -> Option<(f64, f64)> {
        let &(_, local, full_domain) = ARX.iter().find(|(k, ..)| *k == self.k)?;
        let arx = if self.way == Way::FullDomain {
            full_domain
        } else {
            local
        };
        Some((self.found()?.loss, arx))
    }

    /// The penalty, beside the one to hold it against.
    fn penalty_beside(&self) -> Option<(f64, f64)> {
        let other = if self.way == Way::LocalSets {
            NCP_BY_SETS
        } else {
            NCP_BY_NODES
        };
        Some((self.found()?.certainty_penalty?, other))
    }
}

impl Size {
    fn of(&self, way: Way) -> Option<&Turns> {
        self.ways.iter().find(|turns| turns.way == way)
    }

    fn median(&self, way: Way) -> Option<f64> {
        Some(self.of(way)?.seconds()?.median)
    }

    /// How many times as long it takes on one core.
    fn on_one_core(&self, way: Way) -> Option<f64> {
        let alone = self.on_one_core.iter().find(|turns| turns.way == way)?;
        Some(alone.seconds()?.median / self.median(way)?)
    }

    /// How many times as long as Mondrian a method takes.
    fn beside_mondrian(&self, way: Way) -> Option<f64> {
        Some(self.median(way)? / self.median(Way::Mondrian)?)
    }
}

fn times(run: &Run) -> String {
    let cells = |size: &Size, turns: &Turns| {
        let median = size.median(turns.way);
        let beside = size.beside_mondrian(turns.way);
        let found = turns.found();
        let share = |found: &Gathered| 100.0 * found.left_out as f64 / found.rows as f64;
        let peak = turns
            .gathered
            .iter()
            .map(|gathered| gathered.peak_memory)
            .max()
            .flatten();
        vec![
            thousands(size.rows),
            turns.way.word().to_owned(),
            shown(turns.seconds()),
            ratio(beside),
            ratio(size.on_one_core(turns.way)),
            ratio(median.map(|seconds| 1e6 * seconds / size.rows as f64)),
            found.and_then(|found| found.groups).map_or_else(none, thousands),
            found.map_or_else(none, |found| format!("{:.4}", found.loss)),
            ratio(found.map(share)),
            peak.map_or_else(none, |peak| format!("{:.1}", peak as f64 / 1e6)),
        ]
    };
    let measured = run
        .sizes
        .iter()
        .flat_map(|size| size.ways.iter().map(move |turns| (size, turns)));
    let rows: Vec<Vec<String>> = measured.map(|(size, turns)| cells(size, turns)).collect();
    let header = [
        "rows",
        "method",
        "seconds",
        "of Mondrian",
        "one core / all",
        "µs per row",
        "groups",
        "LM",
        "left out, %",
        "peak memory, MB",
    ];
    table(&header, &rows)
}

/// The exponent of a method's time against rows.
fn growth_of(run: &Run, way: Way) -> Option<f64> {
    let points = run
        .sizes
        .iter()
        .filter_map(|size| Some((size.rows as f64, size.median(way)?)));
    exponent(&points.collect::<Vec<_>>())
}

/// The methods that were measured on the census, in order.
fn ways(run: &Run) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for turns in run.sizes.iter().flat_map(|size| &size.ways) {
        if !ways.contains(&turns.way) {
            ways.push(turns.way);
        }
    }
    ways
}

fn growth(run: &Run) -> String {
    let per_row = |size: &Size, way: Way| size.median(way).map(|seconds| seconds / size.rows as f64);
    let cells = |way: Way| {
        let mut measured = run.sizes.iter().filter_map(|size| per_row(size, way));
        let (first, last) = (measured.next(), measured.next_back());
        vec![
            way.word().to_owned(),
            ratio(growth_of(run, way)),
            ratio(first.zip(last).map(|(first, last)| last / first)),
        ]
    };
    let rows: Vec<Vec<String>> = ways(run).into_iter().map(cells).collect();
    table(
        &["method", "exponent against rows", "time per row, last size / first"],
        &rows,
    )
}

fn losses(run: &Run) -> String {
    let header = ["Adult, 9 columns, k", "method", "LM", "LM of ARX", "of ARX", "seconds"];
    beside(&header, &run.losses, Turns::loss_beside_arx)
}

fn penalties(run: &Run) -> String {
    let header = ["Adult, 8 columns, k", "method", "NCP", "to beat", "of that", "seconds"];
    beside(&header, &run.penalties, Turns::penalty_beside)
}

/// A table of figures, each with the one that it is held against.
fn beside(header: &[&str], turns: &[Turns], figures: impl Fn(&Turns) -> Option<(f64, f64)>) -> String {
    let cells = |turns: &Turns| {
        let figures = figures(turns);
        vec![
            turns.k.to_string(),
            turns.way.word().to_owned(),
            figures.map_or_else(none, |(own, _)| format!("{own:.4}")),
            figures.map_or_else(none, |(_, other)| format!("{other:.4}")),
            ratio(figures.map(|(own, other)| own / other)),
            shown(turns.seconds()),
        ]
    };
    table(header, &turns.iter().map(cells).collect::<Vec<_>>())
}

fn verdicts(run: &Run) -> String {
    let lines = verdicts_on_times(run).chain(verdicts_on_losses(run));
    let lines: Vec<String> = lines
        .map(|(target, value, bound)| format!("- {target}: {}", verdict(value, bound)))
        .collect();
    lines.join("\n")
}

/// What is asked for, what came out, and the most that it may be.
type Target = (String, Option<f64>, f64);

fn verdicts_on_times(run: &Run) -> impl Iterator<Item = Target> {
    let ratios = [Way::Toc, Way::Upc].map(|way| {
        let ratios = run.sizes.iter().filter_map(|size| size.beside_mondrian(way));
        let target = format!("{}, largest time / of Mondrian", way.word());
        (target, largest(ratios), TIMES_MONDRIAN)
    });
    let exponents = ways(run).into_iter().map(|way| {
        let target = format!("{}, exponent of the search against rows", way.word());
        (target, growth_of(run, way), EXPONENT_AT_MOST)
    });
    let last = run.sizes.last();
    let seconds = last.and_then(|size| Some(size.median(Way::Upc)? * THESIS_ROWS / size.rows as f64));
    let upc = run.sizes.iter().filter_map(|size| size.of(Way::Upc)?.found());
    let left_out = largest(upc.map(|found| found.left_out as f64));
    let of_local = run.losses.iter().filter(|turns| turns.way != Way::FullDomain);
    let longest = largest(of_local.filter_map(|turns| Some(turns.seconds()?.median)));
    let others = [
        (
            "UPC, seconds for 500,000 rows, by those of the last size",
            seconds,
            THESIS_SECONDS,
        ),
        ("UPC, most rows left out", left_out, 0.0),
        ("Adult, most seconds of local recoding", longest, LOCAL_SECONDS),
    ];
    let others = others.map(|(target, value, bound)| (target.to_owned(), value, bound));
    ratios.into_iter().chain(exponents).chain(others)
}

fn verdicts_on_losses(run: &Run) -> impl Iterator<Item = Target> {
    let beside_arx = |way: Way| {
        let turns = run.losses.iter().filter(move |turns| turns.way == way);
        turns.filter_map(Turns::loss_beside_arx)
    };
    let of_local = [Way::LocalSets, Way::Local].map(|way| {
        let target = format!("Adult, largest LM of {} / of ARX", way.word());
        let ratios = beside_arx(way).map(|(own, arx)| own / arx);
        (target, largest(ratios), OF_ARX)
    });
    let is_other = |(own, arx): (f64, f64)| f64::from(u8::from((own - arx).abs() > SAME_DIGITS));
    let levels = "Adult, whether an LM of full-domain generalization is not that of ARX";
    let penalties = run.penalties.iter().filter_map(Turns::penalty_beside);
    let penalties = largest(penalties.map(|(own, other)| own / other));
    of_local.into_iter().chain([
        (
            levels.to_owned(),
            largest(beside_arx(Way::FullDomain).map(is_other)),
            0.0,
        ),
        ("Adult, largest NCP / the one to beat".to_owned(), penalties, 1.0),
    ])
}

fn largest(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    numbers.reduce(f64::max)
}

fn shown(spread: Option<Spread>) -> String {
    spread.map_or_else(none, with_ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;
    use crate::{Settings, Study};

    fn gathered(seconds: f64, rows: usize, loss: f64) -> Gathered {
        Gathered {
            seconds,
            rows,
            groups: Some(rows / 5),
            left_out: 0,
            loss,
            certainty_penalty: Some(2.0 * loss),
            peak_memory: Some(8_000_000),
        }
    }

    /// A size at which UPC takes three times as long as Mondrian.
    fn size(rows: usize, mondrian: f64) -> Size {
        let turns = |way: Way, seconds: f64| Turns::of(way, 5, vec![gathered(seconds, rows, 0.1)]);
        Size {
            rows,
            ways: vec![turns(Way::Mondrian, mondrian), turns(Way::Upc, 3.0 * mondrian)],
            on_one_core: vec![turns(Way::Upc, 4.5 * mondrian)],
        }
    }

    fn run(sizes: Vec<Size>, losses: Vec<Turns>) -> Run {
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
                study: Study::Local,
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
            sizes,
            losses,
            penalties: Vec::new(),
        }
    }

    /// Ten times the rows in twenty times the seconds: the exponent is log 20 by log 10, and a row takes twice as long.
    #[test]
    fn methods_are_held_against_mondrian_and_their_growth_is_told() {
        let text = summary(&run(vec![size(10_000, 0.1), size(100_000, 2.0)], Vec::new()));
        assert!(
            text.contains("| 100,000 | UPC      | 6.000 (6.000..6.000) | 3.00        | 1.50 "),
            "{text}"
        );
        assert!(text.contains("| UPC      | 1.30                  | 2.00 "), "{text}");
        assert!(
            text.contains("UPC, exponent of the search against rows: 1.30 (at most 1.1): not met"),
            "{text}"
        );
        assert!(
            text.contains("UPC, largest time / of Mondrian: 3.00 (at most 5): met"),
            "{text}"
        );
        assert!(
            text.contains("by those of the last size: 30.00 (at most 60): met"),
            "{text}"
        );
    }

    #[test]
    fn losses_are_held_against_those_of_arx() {
        let turns = |way: Way, loss: f64| Turns::of(way, 10, vec![gathered(1.0, 30_162, loss)]);
        let found = |local: f64, levels: f64| {
            summary(&run(
                Vec::new(),
                vec![turns(Way::Local, local), turns(Way::FullDomain, levels)],
            ))
        };
        let good = found(0.0415, 0.635_52);
        assert!(good.contains("LM of local / of ARX: 0.50 (at most 0.9): met"), "{good}");
        assert!(good.contains("is not that of ARX: 0.00 (at most 0): met"), "{good}");
        let bad = found(0.166, 0.64);
        assert!(
            bad.contains("LM of local / of ARX: 2.00 (at most 0.9): not met"),
            "{bad}"
        );
        assert!(bad.contains("is not that of ARX: 1.00 (at most 0): not met"), "{bad}");
    }

    #[test]
    fn what_was_not_measured_is_said_so() {
        let text = summary(&run(Vec::new(), Vec::new()));
        assert!(text.contains("UPC, most rows left out: not measured"), "{text}");
    }
}
