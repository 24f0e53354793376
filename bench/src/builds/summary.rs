//! The summary of the study: each program beside the first.

use super::child::Spent;
use super::run::{Build, Run, Size};
use crate::markdown::{ratio, sections, table, thousands, with_ends};
use crate::stats::Spread;

/// The summary as Markdown.
pub fn summary(run: &Run) -> String {
    sections([facts(run), releases(run)])
}

fn facts(run: &Run) -> String {
    let programs = run.settings.builds.iter().enumerate();
    let lines = programs.map(|(number, program)| format!("program {}: `{}`", number + 1, program.display()));
    let input = format!(
        "input: {}, enlarged; one template over all quasi columns; {} repeats in turns; seed {}",
        run.census, run.settings.repeats, run.settings.seed
    );
    let lines: Vec<String> = lines.chain([input]).collect();
    run.facts.heading("The same release by several builds", &lines)
}

fn releases(run: &Run) -> String {
    let rows = run.sizes.iter().flat_map(|size| {
        let builds = size.builds.iter().enumerate();
        builds.map(move |(number, build)| row(size, number, build))
    });
    let header = [
        "rows",
        "program",
        "CPU s",
        "of the first",
        "wall s",
        "of the first",
        "peak MiB",
        "of the first",
        "bytes",
    ];
    table(&header, &rows.collect::<Vec<_>>())
}

fn row(size: &Size, number: usize, build: &Build) -> Vec<String> {
    let first = &size.builds[0];
    let beside = |part: fn(&Spent) -> f64| {
        let (own, first) = (median(build, part), median(first, part));
        ratio(own.zip(first).map(|(own, first)| own / first))
    };
    let told = |part: fn(&Spent) -> f64| spread(build, part).map_or_else(String::new, with_ends);
    vec![
        thousands(size.rows),
        (number + 1).to_string(),
        told(|spent| spent.cpu),
        beside(|spent| spent.cpu),
        told(|spent| spent.wall),
        beside(|spent| spent.wall),
        median(build, mebibytes).map_or_else(String::new, |peak| format!("{peak:.1}")),
        beside(mebibytes),
        if build.same_bytes { "the same" } else { "OTHERS" }.to_owned(),
    ]
}

fn mebibytes(spent: &Spent) -> f64 {
    spent.peak_memory as f64 / f64::from(1 << 20)
}

fn spread(build: &Build, part: fn(&Spent) -> f64) -> Option<Spread> {
    Spread::of(build.spent.iter().map(part))
}

fn median(build: &Build, part: fn(&Spent) -> f64) -> Option<f64> {
    spread(build, part).map(|spread| spread.median)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(cpu: [f64; 3], same_bytes: bool) -> Build {
        let spent = cpu.map(|cpu| Spent {
            cpu,
            wall: cpu / 2.0,
            peak_memory: 3 << 20,
        });
        Build {
            spent: spent.to_vec(),
            same_bytes,
        }
    }

    #[test]
    fn a_program_is_told_beside_the_first_and_other_bytes_are_not_passed_over() {
        let size = Size {
            rows: 1_000_000,
            file_bytes: 100,
            builds: vec![build([2.0, 1.0, 3.0], true), build([1.5, 2.5, 1.0], false)],
        };
        assert_eq!(
            row(&size, 0, &size.builds[0])[..5],
            ["1,000,000", "1", "2.000 (1.000..3.000)", "1.00", "1.000 (0.500..1.500)"]
        );
        let second = row(&size, 1, &size.builds[1]);
        assert_eq!(second[2..4], ["1.500 (1.000..2.500)", "0.75"]);
        assert_eq!(second[6..], ["3.0", "1.00", "OTHERS"]);
    }
}
