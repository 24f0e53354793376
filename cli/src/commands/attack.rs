//! `scumble attack`: what an adversary would get out of a release.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use scumble::policy::{Approach, Cells};
use scumble::results::{
    Exposure, Inference, KnownReport, Linkage, LookedUp, PopulationRisks, Recoding, Risk, Risks, SaidBy, Violating,
};
use scumble::{
    Adversary, CONFIDENT_ABOVE, FileAttack, JoinAttack, NARROWED_BELOW, Policy, Warning, attack_file, attack_join,
    read_any_policy,
};

use super::database;
use super::source::{SourceFlags, column_and_file};
use super::told::singled_out_told;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// The released table; of several tables, the folder of the release
    released: PathBuf,

    /// The policy of the release: its roles and taxonomies and, without --known, its data as what is known
    #[arg(long, value_name = "POLICY")]
    policy: Option<PathBuf>,

    /// The data of the policy, if not where that says
    #[arg(long, value_name = "FILE", requires = "policy", conflicts_with = "known")]
    data: Option<PathBuf>,

    /// A table of people whom the adversary knows something of
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,

    /// The known people are the whole population from which those of the release come
    #[arg(long, requires = "known")]
    population: bool,

    /// A person who is narrowed to fewer rows than this counts as narrowed
    #[arg(long, value_name = "K", default_value_t = NARROWED_BELOW)]
    k: u64,

    /// A guess with more confidence than this counts as confident
    #[arg(long, value_name = "SHARE", default_value_t = CONFIDENT_ABOVE, value_parser = share)]
    threshold: f64,

    /// The rows were masked one by one, so that a value may hide behind several labels [default: what the certificate beside
    /// the release says, else the policy, else the labels]
    #[arg(long)]
    local: bool,

    /// Join the release with the earlier ones of the policy, as someone would who has them all: before masking and after
    #[arg(long, requires = "policy", conflicts_with_all = ["known", "quasi", "sensitive", "taxonomy", "cells", "local"])]
    join: bool,

    /// With --join: a ledger of earlier releases
    #[arg(long, value_name = "FOLDER", requires = "join")]
    ledger: Option<PathBuf>,

    /// Columns by which people are looked up [default: those of the policy, else those that both tables have]
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    quasi: Vec<String>,

    /// Columns to guess [default: those of the policy]
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    sensitive: Vec<String>,

    /// The taxonomy of a column
    #[arg(long, value_parser = column_and_file, value_name = "COLUMN=FILE")]
    taxonomy: Vec<(String, PathBuf)>,

    /// What the cells of a column of the release are: values, labels or numbers [default: what the certificate beside the
    /// release says, else the policy, else what they look like]
    #[arg(long, value_delimiter = ',', value_parser = column_and_cells, value_name = "COLUMN=CELLS")]
    cells: Vec<(String, Cells)>,

    #[command(flatten, next_help_heading = "How to read the known table")]
    source: SourceFlags,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A column and what its cells are.
pub(super) fn column_and_cells(text: &str) -> Result<(String, Cells), String> {
    let said = text
        .rsplit_once('=')
        .and_then(|(column, word)| Some((column.to_owned(), Cells::of_word(word)?)));
    said.ok_or_else(|| "expected COLUMN=values, COLUMN=labels or COLUMN=numbers".to_owned())
}

/// The columns whose cells nothing declares, on a line.
pub(super) fn read_by_looks_told(columns: &[String]) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let columns = columns.join(", ");
    format!("  read by what they look like: {columns} (nothing says what their cells are; --cells does)\n")
}

/// Why flags are not for several tables.
const ATTACKED_AS_PERSONS: &str = "several tables are attacked as someone would who knows some rows of a person, taken from the \
                                   data of the policy";

impl Arguments {
    fn attack_database(&self, policy: &Policy, progress: &Progress) -> Result<Answer, Failure> {
        let given = [
            ("--known", self.known.is_some()),
            ("--local", self.local),
            ("--join", self.join),
            ("--quasi", !self.quasi.is_empty()),
            ("--sensitive", !self.sensitive.is_empty()),
            ("--taxonomy", !self.taxonomy.is_empty()),
            ("--cells", !self.cells.is_empty()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(database::not_for_several(flag, ATTACKED_AS_PERSONS)),
            None => database::attack(&self.released, policy, progress),
        }
    }
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    let mut policy = arguments.policy.as_deref().map(read_any_policy).transpose()?;
    if let (Some(policy), Some(data)) = (&mut policy, &arguments.data) {
        policy.move_data_to(data);
    }
    if let Some(policy) = policy.as_ref().filter(|policy| policy.persons.is_some()) {
        return arguments.attack_database(policy, progress);
    }
    if let Some(policy) = policy.as_ref().filter(|_| arguments.join) {
        let ledger = arguments.ledger.as_deref();
        let report = attack_join(&arguments.released, policy, ledger, progress)?;
        progress.finish();
        let alone = Warning::of_alone("rows", report.singled_out.as_ref());
        alone
            .into_iter()
            .for_each(|warning| progress.warn(&warning.to_string()));
        return Ok(Answer::done(join_told(&report), &report));
    }
    let known = arguments.known.clone().map(|path| arguments.source.source(path));
    let adversary = Adversary {
        policy: policy.as_ref(),
        known: known.transpose()?.map(Into::into),
        is_population: arguments.population,
        quasi: arguments.quasi.clone(),
        sensitive: arguments.sensitive.clone(),
        taxonomies: arguments.taxonomy.clone(),
        cells: arguments.cells.clone(),
        recoding: arguments.local.then_some(Recoding::Local),
        k: arguments.k,
        threshold: arguments.threshold,
    };
    let attacked = attack_file(&arguments.released, &adversary, progress)?;
    progress.finish();
    for warning in warnings(&attacked) {
        progress.warn(&warning);
    }
    Ok(Answer::done(told(&attacked, &adversary), &attacked))
}

/// What the user should know of how the release was taken.
fn warnings(attacked: &FileAttack) -> Vec<String> {
    let centres = attacked.centres.iter().map(|column| {
        format!("column `{column}` shows the centre of each group, behind which nobody's value is; nobody is looked up by it")
    });
    let looked_up = attacked.looked_up.iter();
    let is_guess = |how: &&LookedUp| how.said_by == SaidBy::Labels && how.recoding == Recoding::Local;
    let guessed = looked_up.clone().filter(is_guess).map(|_| {
        "labels overlap, and there is no certificate or policy, so the rows were taken to be masked one by one"
            .to_owned()
    });
    let known = looked_up.zip(&attacked.report.known);
    let overlapping = known.flat_map(|(how, known)| {
        let said_by = said_by_word(how.said_by);
        known.overlapping.iter().map(move |column| {
            format!(
                "labels of column `{column}` overlap, though the {said_by} says that it was masked as a whole; try --local"
            )
        })
    });
    let doubtful = attacked.doubtful.iter().map(|column| {
        format!(
            "column `{column}` has cells that look like labels, and by the policy they are values; if they are labels, say so \
             with --cells {column}=labels"
        )
    });
    let alone = Warning::of_alone("rows", attacked.report.singled_out.as_ref());
    let alone = alone.map(|warning| warning.to_string());
    let all = centres.chain(guessed).chain(overlapping);
    all.chain(doubtful).chain(alone).collect()
}

fn said_by_word(said_by: SaidBy) -> &'static str {
    match said_by {
        SaidBy::User => "user",
        SaidBy::Certificate => "certificate",
        SaidBy::Policy => "policy",
        SaidBy::Labels => "labels",
    }
}

/// What the join gives away, before and after, beside the release alone.
fn join_told(report: &JoinAttack) -> String {
    let mut text = format!(
        "{} records, joined with {}, by one who knows {}\n",
        report.after.records,
        report.releases.join(", "),
        report.known.join(", ")
    );
    let mut line = |cells: [&str; 5]| {
        let [what, a, b, c, d] = cells;
        let _ = writeln!(text, "  {what:<34} {a:>12} {b:>12} {c:>12} {d:>12}");
    };
    line(["", "before", "before", "after", "after"]);
    line(["", "alone", "joined", "alone", "joined"]);
    let exposures = [
        &report.before.alone,
        &report.before.joined,
        &report.after.alone,
        &report.after.joined,
    ];
    let mut told = |what: &str, figure: &dyn Fn(&Exposure) -> String| {
        let [a, b, c, d] = exposures.map(figure);
        line([what, &a, &b, &c, &d]);
    };
    told("groups", &|exposure| exposure.groups.to_string());
    told("fewest candidates of a record", &|exposure| {
        exposure.smallest.to_string()
    });
    for (place, violating) in report.after.alone.violating.iter().enumerate() {
        let what = format!("records with fewer than {}", violating.k);
        told(&what, &|exposure| exposure.violating[place].rows.to_string());
    }
    told("hit on average, in 100", &|exposure| {
        format!("{:.1}", 100.0 * exposure.average)
    });
    for (place, certain) in report.after.joined.certain.iter().enumerate() {
        let release = certain
            .release
            .as_ref()
            .map_or_else(String::new, |release| format!("{release}."));
        let what = format!("{release}{} known for certain", certain.column);
        told(&what, &|exposure| exposure.certain[place].records.to_string());
    }
    text.push_str(&singled_out_told(report.singled_out.as_ref(), "rows"));
    text
}

/// Writing to a string cannot fail, so the results of `writeln!` are let go.
fn told(attacked: &FileAttack, adversary: &Adversary) -> String {
    let report = &attacked.report;
    let mut text = String::new();
    tell_risks(&mut text, &report.risks, report.known.as_ref());
    text.push_str(&singled_out_told(report.singled_out.as_ref(), "rows"));
    if let Some((known, how)) = report.known.as_ref().zip(attacked.looked_up) {
        tell_linkage(&mut text, &known.linkage, &known.shared, how.simulated);
        text.push_str(&read_by_looks_told(&attacked.read_by_looks));
        if how.recoding == Recoding::Local {
            let _ = writeln!(
                text,
                "  rows were masked one by one ({}): a person may be behind every label that covers their value",
                said_by_word(how.said_by)
            );
        }
        // Where secrets are apart, they are guessed from the group of every row.
        let guessed = match adversary.policy.map(|policy| policy.method.approach) {
            Some(Approach::Anatomy) => report.risks.rows,
            _ => known.linkage.people - known.linkage.without_match,
        };
        for inference in &known.inference {
            tell_inference(&mut text, inference, guessed);
        }
    }
    text
}

fn tell_risks(text: &mut String, risks: &Risks, known: Option<&KnownReport>) {
    let (rows, groups, of) = (risks.rows, risks.groups, risks.of.join(", "));
    let _ = writeln!(text, "Risks of the release: {rows} rows in {groups} groups on {of}");
    let _ = writeln!(text, "  rows alone in their group: {}", with_share(risks.uniques, rows));
    for Violating { k, rows: few } in &risks.violating {
        let _ = writeln!(text, "  rows that violate k = {k}: {}", with_share(*few, rows));
    }
    tell_risk(text, "prosecutor", &risks.prosecutor);
    match known.and_then(|known| known.population.as_ref()) {
        Some(population) => tell_population(text, population, rows),
        None => {
            let _ = writeln!(
                text,
                "  journalist risk: at most the prosecutor risk (--population counts it)"
            );
            let _ = writeln!(text, "  marketer risk: {:.3}", risks.marketer);
        }
    }
}

fn tell_population(text: &mut String, population: &PopulationRisks, rows: u64) {
    tell_risk(text, "journalist", &population.journalist);
    let (people, of) = (population.people, population.of.join(", "));
    let _ = writeln!(text, "    in a population of {people} people, on {of}");
    if population.rows_beyond_population > 0 {
        let beyond = with_share(population.rows_beyond_population, rows);
        let _ = writeln!(text, "    rows in groups that outnumber the population: {beyond}");
    }
    let _ = writeln!(text, "  marketer risk: {:.3}", population.marketer);
}

fn tell_risk(text: &mut String, name: &str, risk: &Risk) {
    let Risk {
        highest,
        average,
        expected,
        above,
    } = risk;
    let _ = writeln!(text, "  {name} risk: highest {highest:.3}, average {average:.3}");
    if let Some(expected) = expected {
        let _ = writeln!(text, "    rows expected to be re-identified: {expected:.1}");
    }
    for above in above {
        let (mark, group, rows, share) = (above.risk, above.group, above.rows, percent(above.share));
        let _ = writeln!(text, "    rows above {mark} (groups under {group}): {rows} ({share})");
    }
}

fn tell_linkage(text: &mut String, linkage: &Linkage, shared: &[String], simulated: bool) {
    let (people, of) = (linkage.people, shared.join(", "));
    let source = if simulated { ", simulated from the original" } else { "" };
    let _ = writeln!(text, "Record linkage: {people} people known by {of}{source}");
    let _ = writeln!(
        text,
        "  matched by no row: {}",
        with_share(linkage.without_match, people)
    );
    let Some(spread) = &linkage.matching_rows else { return };
    let (median, mean) = (spread.median, spread.mean);
    let _ = writeln!(text, "  matching rows per person: median {median}, average {mean:.1}");
    let _ = writeln!(
        text,
        "  narrowed to a single row: {}",
        with_share(linkage.uniques, people)
    );
    let few = with_share(linkage.narrowed, people);
    let _ = writeln!(text, "  narrowed to fewer than {} rows: {few}", linkage.k);
    tell_fewer_columns(text, linkage);
    let smallest = counted(spread.smallest, "matching row", "matching rows");
    let at_smallest = counted(spread.people_at_smallest, "person", "people");
    let _ = writeln!(
        text,
        "  worst case: {smallest}, for {at_smallest}, by knowing all of these columns"
    );
}

fn tell_fewer_columns(text: &mut String, linkage: &Linkage) {
    /// The rest is in the JSON.
    const MOST_TOLD: usize = 5;
    for set in linkage.fewer_columns.iter().take(MOST_TOLD) {
        let (columns, few) = (set.columns.join(", "), with_share(set.people, linkage.people));
        let _ = writeln!(text, "    by knowing only {columns}: {few}");
    }
    if let Some(more @ 1..) = linkage.fewer_columns.len().checked_sub(MOST_TOLD) {
        let _ = writeln!(
            text,
            "    and by {more} more sets of one or two columns (--json lists them)"
        );
    }
}

fn tell_inference(text: &mut String, inference: &Inference, people: u64) {
    let _ = writeln!(text, "Attribute inference: {}", inference.column);
    let (highest, mean, baseline) = (inference.highest, inference.mean, inference.baseline);
    let _ = writeln!(
        text,
        "  confidence of the guess: highest {highest:.3}, average {mean:.3}; knowing nothing {baseline:.3}"
    );
    let levels = [
        (format!("above {}", inference.threshold), inference.above_threshold),
        ("0.9 or more".to_owned(), inference.nine_tenths),
        ("certain".to_owned(), inference.certain),
    ];
    for (level, guessed) in levels {
        let _ = writeln!(text, "    {level}: {}", with_share(guessed, people));
    }
    if let (Some(right), Some(baseline)) = (inference.right, inference.baseline_right) {
        let (right, baseline) = (percent(right), percent(baseline));
        let _ = writeln!(
            text,
            "  the guess is right for {right}; knowing nothing, for {baseline}"
        );
    }
}

fn with_share(part: u64, whole: u64) -> String {
    format!("{part} ({})", percent(part as f64 / whole.max(1) as f64))
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
