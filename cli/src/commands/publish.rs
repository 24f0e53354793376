//! `scumble publish`: the main job.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use scumble::results::{Attacked, Frontier, KnownReport, Measured, Risks};
use scumble::{
    AtLevel, Evaluate, Newcomers, Options, Policy, Questions, Quick, ReleaseFolder, Remember, Search, Sources, publish,
    read_any_policy, read_certificate,
};
use serde::Serialize;

use super::database;
use super::evaluate::{evaluation_told, tables_told};
use super::source::column_and_file;
use super::told::singled_out_told;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Args)]
pub struct Arguments {
    /// A policy (`.toml`), or a table together with the flags below
    input: PathBuf,

    /// Where to put the release [default: what the policy says, else `out`]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Replace a release that is there already
    #[arg(long)]
    force: bool,

    /// Mask as this certificate does, instead of searching
    #[arg(long, value_name = "CERTIFICATE")]
    mask: Option<PathBuf>,

    /// Attack the release, as someone would who knows every quasi column or, of several tables, some rows of a person:
    /// private/attack.json
    #[arg(long)]
    attack: bool,

    /// Show what each level on the way to the bounds would have cost
    #[arg(long, conflicts_with = "mask")]
    frontier: bool,

    /// Stop before a template of this kind gets worse than this level, such as anonymity=50
    #[arg(long, value_name = "KIND=LEVEL", conflicts_with = "mask")]
    at_level: Vec<AtLevel>,

    /// Measure what was lost, in counts, classification and association, and what boards ask for: private/evaluation.json
    #[arg(long)]
    evaluate: bool,

    /// Take the releases of this ledger into account, and add this one to it
    #[arg(long, value_name = "FOLDER")]
    ledger: Option<PathBuf>,

    /// What the ledger calls this release [default: the name of its folder]
    #[arg(long, value_name = "NAME", requires = "ledger")]
    name: Option<String>,

    /// Mask exactly as this release of the ledger, which has the same columns
    #[arg(long, value_name = "NAME", requires = "ledger", conflicts_with_all = ["mask", "frontier", "at_level"])]
    like: Option<String>,

    /// People who came or left since an earlier version, too few to hide among each other: protect (publish nothing) or report
    #[arg(long, value_name = "WHAT", requires = "ledger", value_parser = newcomers, default_value = "protect")]
    newcomers: Newcomers,

    /// Stop after so many refinements
    #[arg(long, value_name = "N")]
    steps: Option<usize>,

    /// Publish this file instead of the one that the policy names
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// Write the policy that these flags make, and publish nothing
    #[arg(long, value_name = "FILE")]
    save_policy: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Quick form, without a policy file")]
    quick: QuickFlags,
}

#[derive(Args)]
struct QuickFlags {
    /// Columns that others may know of a person
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    quasi: Vec<String>,

    /// Columns that must not be inferred
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    sensitive: Vec<String>,

    /// The column that the data is to predict
    #[arg(long, value_name = "COLUMN")]
    class: Option<String>,

    /// Columns that are published as they are, and are none of these; what is not named is not published
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    other: Vec<String>,

    /// Which of the other columns to publish though nearly every row has a value of its own
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    unique: Vec<String>,

    /// What becomes of columns that are not named: leave-out (the default) or publish
    #[arg(long, value_name = "WHAT")]
    unlisted: Option<String>,

    /// Columns that name a person; never published
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    identifier: Vec<String>,

    /// Which of the columns hold numbers, to be published as ranges
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    continuous: Vec<String>,

    /// The taxonomy of a column
    #[arg(long, value_parser = column_and_file, value_name = "COLUMN=FILE")]
    taxonomy: Vec<(String, PathBuf)>,

    /// How many rows must share every combination of quasi values
    #[arg(long, value_name = "K")]
    anonymity: Option<u64>,

    /// The confidence with which no sensitive value may be inferred, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    confidence: Option<f64>,

    /// How many different values of each sensitive column every group of rows must have
    #[arg(long, value_name = "L")]
    diversity: Option<f64>,

    /// How far the sensitive values of a group may be distributed from those of the whole, from 0 to 1
    #[arg(long, value_name = "DISTANCE")]
    closeness: Option<f64>,

    /// What the release is for: information-gain, gain-only, classification, distortion, discernibility, certainty
    #[arg(long)]
    objective: Option<String>,

    /// The share of rows that may be left out
    #[arg(long, value_name = "SHARE")]
    rows_suppressed_at_most: Option<f64>,

    /// csv or parquet
    #[arg(long)]
    format: Option<String>,
}

pub(super) fn newcomers(text: &str) -> Result<Newcomers, String> {
    match text {
        "protect" => Ok(Newcomers::Protect),
        "report" => Ok(Newcomers::Report),
        _ => Err("expected protect or report".to_owned()),
    }
}

impl Arguments {
    fn policy(&self) -> Result<Policy, Failure> {
        let is_policy = self.input.extension().is_some_and(|extension| extension == "toml");
        if !is_policy {
            return self.quick_policy();
        }
        if self.quick.is_used() {
            let message = "the flags of the quick form go with a table, not with a policy; change the policy instead";
            return Err(Failure::Usage(message.to_owned()));
        }
        let mut policy = read_any_policy(&self.input)?;
        if let Some(data) = &self.data {
            policy.move_data_to(data);
        }
        policy.method.steps = self.steps.or(policy.method.steps);
        Ok(policy)
    }

    /// The policy as a file of the current folder: as it was written if that says the same there, else written anew.
    fn text_of(&self, policy: &Policy) -> String {
        let is_here = self.input.parent().is_none_or(|folder| folder == Path::new(""));
        let is_quick = policy.source().file_name().is_none();
        let is_as_written = self.data.is_none() && self.steps.is_none();
        if is_quick || (is_here && is_as_written) {
            policy.text().to_owned()
        } else {
            policy.to_toml(Path::new(""))
        }
    }

    /// The first flag that says nothing about several tables, and why.
    fn not_for_several(&self) -> Option<(&'static str, &'static str)> {
        let given = [
            ("--mask", self.mask.is_some(), NO_MASKS),
            ("--frontier", self.frontier, NO_STEPS),
            ("--at-level", !self.at_level.is_empty(), NO_STEPS),
            ("--steps", self.steps.is_some(), NO_STEPS),
            ("--ledger", self.ledger.is_some(), database::NO_JOIN),
        ];
        let first = given.into_iter().find(|(_, given, _)| *given);
        first.map(|(flag, _, why)| (flag, why))
    }

    fn quick_policy(&self) -> Result<Policy, Failure> {
        let flags = &self.quick;
        if flags.anonymity.is_none() && flags.about_secrets().iter().all(Option::is_none) {
            let message = "a table needs at least --quasi and what must hold, such as --anonymity; or write a first \
                           policy for it with `scumble inspect --policy`";
            return Err(Failure::Usage(message.to_owned()));
        }
        Ok(Policy::quick(&Quick {
            data: self.input.clone(),
            quasi: flags.quasi.clone(),
            sensitive: flags.sensitive.clone(),
            class: flags.class.clone(),
            identifier: flags.identifier.clone(),
            other: flags.other.clone(),
            unique: flags.unique.clone(),
            unlisted: flags.unlisted.clone(),
            continuous: flags.continuous.clone(),
            taxonomies: flags.taxonomy.clone(),
            anonymity: flags.anonymity,
            confidence: flags.confidence,
            diversity: flags.diversity,
            closeness: flags.closeness,
            objective: flags.objective.clone(),
            rows_suppressed_at_most: flags.rows_suppressed_at_most,
            steps: self.steps,
            folder: self.out.clone(),
            format: flags.format.clone(),
        })?)
    }
}

/// Why flags are not for several tables.
const NO_MASKS: &str = "persons are gathered into clusters, each of which shows its own cells, so there is no mask of a column \
                        that could be taken over";
const NO_STEPS: &str = "persons are gathered, and not refined step by step";

impl QuickFlags {
    /// The bounds on what may be inferred of sensitive columns.
    fn about_secrets(&self) -> [Option<f64>; 3] {
        [self.confidence, self.diversity, self.closeness]
    }

    fn is_used(&self) -> bool {
        let lists = [
            &self.quasi,
            &self.sensitive,
            &self.identifier,
            &self.other,
            &self.unique,
            &self.continuous,
        ];
        let words = [&self.class, &self.objective, &self.format, &self.unlisted];
        lists.iter().any(|list| !list.is_empty())
            || words.iter().any(|word| word.is_some())
            || !self.taxonomy.is_empty()
            || self.anonymity.is_some()
            || self.about_secrets().iter().any(Option::is_some)
            || self.rows_suppressed_at_most.is_some()
    }
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    let policy = arguments.policy()?;
    if let (Some(_), Some((flag, why))) = (&policy.persons, arguments.not_for_several()) {
        return Err(database::not_for_several(flag, why));
    }
    if let Some(path) = &arguments.save_policy {
        return save(&arguments.text_of(&policy), path);
    }
    let options = Options {
        folder: arguments.out.as_deref(),
        replace: arguments.force,
        sources: Sources::default(),
        search: Search {
            mask: arguments.mask.as_deref().map(read_certificate).transpose()?,
            at_level: arguments.at_level.clone(),
        },
        ledger: arguments.ledger.as_deref().map(|folder| Remember {
            folder,
            name: arguments.name.as_deref(),
            newcomers: arguments.newcomers,
        }),
        like: arguments.like.as_deref(),
        questions: Questions {
            attack: arguments.attack,
            evaluate: arguments.evaluate.then(Evaluate::default),
        },
    };
    let mut release = publish(&policy, &options, progress)?;
    progress.finish();
    release.warnings.iter().for_each(|warning| progress.warn(warning));
    let mut text = match &release.certificate.several {
        None => told(&release),
        Some(several) => database::told(&release, several),
    };
    if let Some(evaluation) = &release.evaluation {
        text.push_str("Measured against the data:\n");
        text.push_str(&match evaluation {
            Measured::Rows(evaluation) => evaluation_told(evaluation),
            Measured::Persons(evaluation) => tables_told(evaluation),
        });
    }
    release.frontier = release.frontier.filter(|_| arguments.frontier);
    if let Some(frontier) = &release.frontier {
        text.push_str(&frontier_told(frontier));
    }
    Ok(Answer::done(text, &release))
}

/// How many levels of a template are shown: what fits beside each other in the mind.
const LEVELS_SHOWN: usize = 12;

/// For each template, the levels that the search passed through and what they cost.
fn frontier_told(frontier: &Frontier) -> String {
    let mut text = String::new();
    for (place, template) in frontier.templates.iter().enumerate() {
        let _ = writeln!(text, "{}: what each level costs", template.template);
        let _ = writeln!(
            text,
            "  {:>12}  {:>6}  {:>16}  {:>8}",
            "level", "step", "information loss", "left out"
        );
        for point in frontier.best_at_each_level(place, LEVELS_SHOWN) {
            let _ = writeln!(
                text,
                "  {:>12}  {:>6}  {:>14.1} %  {:>8}",
                template.written(point.levels[place]),
                point.step,
                100.0 * point.information_loss,
                point.rows_left_out
            );
        }
    }
    let _ = writeln!(
        text,
        "Released: step {} of {}",
        frontier.released,
        frontier.points.len() - 1
    );
    text
}

fn save(text: &str, path: &Path) -> Result<Answer, Failure> {
    super::write_policy(path, text)?;
    let policy = path.display().to_string();
    let text = format!("Wrote {policy}. Publish with: scumble publish {policy}\n");
    Ok(Answer::done(text, &Saved { policy }))
}

/// Where a policy was written.
#[derive(Serialize)]
struct Saved {
    policy: String,
}

/// What a person wants to know of a release.
fn told(publication: &ReleaseFolder) -> String {
    let certificate = &publication.certificate;
    let rows = &certificate.rows;
    let mut text = format!("Released {} rows to {}", rows.published, publication.released.display());
    match (rows.left_out, rows.dropped) {
        (0, 0) => text.push('\n'),
        (left_out, 0) => text.push_str(&format!(" ({left_out} left out)\n")),
        (left_out, dropped) => text.push_str(&format!(
            " ({left_out} left out, {dropped} with missing values dropped)\n"
        )),
    }
    if let (Some(file), Some(secrets)) = (&publication.secrets, &certificate.secrets) {
        let (by, groups) = (&secrets.by, secrets.groups);
        let _ = writeln!(
            text,
            "  secrets in {}, by {by}, of which there are {groups}",
            file.display()
        );
    }
    for release in &publication.cover.releases {
        let _ = writeln!(text, "  joined with {release}");
    }
    for version in &publication.versions {
        let _ = writeln!(text, "  {version}");
    }
    for level in &publication.levels {
        let _ = writeln!(text, "  {level}");
    }
    if let Some(trace) = &publication.trace {
        let _ = writeln!(text, "  {} refinements", trace.steps.len());
    }
    for stop in &publication.stops {
        let _ = writeln!(text, "  {stop}");
    }
    let _ = writeln!(
        text,
        "  information loss {:.1} % of the quasi cells",
        100.0 * certificate.information_loss
    );
    if let Some(risks) = &certificate.risks {
        let _ = writeln!(text, "  {}", risks_told(risks));
    }
    text.push_str(&singled_out_told(certificate.singled_out.as_ref(), "rows"));
    if let Some(known) = publication.attack.as_ref().and_then(known) {
        let secrets = known.inference.iter().map(|secret| {
            let percent = 100.0 * secret.highest;
            format!("; {} guessed with at most {percent:.1} % confidence", secret.column)
        });
        let secrets: String = secrets.collect();
        let _ = writeln!(
            text,
            "  attacked: {} people narrowed to fewer than {} rows{secrets}",
            known.linkage.narrowed, known.linkage.k
        );
    }
    if let Some(entry) = &publication.entry {
        let _ = writeln!(text, "  in the ledger as {entry}");
    }
    let _ = writeln!(
        text,
        "May leave the house: {}, certificate.json. May not: private/",
        tables(publication).join(", ")
    );
    text
}

/// The risk of one row, and the rows above the marks that offices use.
fn risks_told(risks: &Risks) -> String {
    let above = risks.prosecutor.above.iter().map(|above| {
        let percent = 100.0 * above.share;
        format!("{percent:.1} % of rows above {}", above.risk)
    });
    let above: Vec<String> = above.collect();
    let highest = risks.prosecutor.highest;
    format!(
        "prosecutor risk on all quasi columns at most {highest:.4}; {}",
        above.join(", ")
    )
}

/// The file names of the released tables.
fn tables(publication: &ReleaseFolder) -> Vec<String> {
    let tables = std::iter::once(&publication.released).chain(&publication.secrets);
    let names = tables.map(|table| table.file_name().unwrap_or_default());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// What becomes of people who are known.
fn known(attack: &Attacked) -> Option<&KnownReport> {
    match attack {
        Attacked::Rows(report) => report.known.as_ref(),
        Attacked::Persons(_) => None,
    }
}
