//! `scumble evaluate`: what a release lost, and what it is still good for.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use scumble::policy::Cells;
use scumble::results::{ClassificationErrors, DatabaseEvaluation, Evaluation, Generated, TableMeasures};
use scumble::{
    Evaluate, Evaluated, Learner, Policy, Queries, Split, SudaSetting, evaluate_database, evaluate_file,
    read_any_policy,
};

use super::attack::{column_and_cells, read_by_looks_told};
use super::told::singled_out_told;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Args)]
#[command(override_usage = "scumble evaluate [OPTIONS] [DATA] <RELEASED> <POLICY>")]
pub struct Arguments {
    /// The data that the release was made from, if not where the policy says; the released table, of this or any other tool, or
    /// of several tables the folder of the release; and the policy: roles, taxonomies, what should hold
    #[arg(value_name = "FILES", num_args = 2..=3, required = true)]
    files: Vec<PathBuf>,

    /// The data that the release was made from, if not where the policy says
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// Write a page about it, report.html and report.md, into this folder. It is private
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,

    /// Replace a page that is there already
    #[arg(long, requires = "report")]
    force: bool,

    /// How many people the rows are a sample of, to estimate how many are unique among them
    #[arg(long, value_name = "PEOPLE")]
    population: Option<u64>,

    /// Look for special uniques (SUDA) however large the table is
    #[arg(long)]
    suda: bool,

    /// What the cells of a column are, if the certificate beside the release does not say: values, labels or numbers
    #[arg(long, value_delimiter = ',', value_parser = column_and_cells, value_name = "COLUMN=CELLS")]
    cells: Vec<(String, Cells)>,

    /// What chance decides is decided by this
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    #[command(flatten, next_help_heading = "Query error")]
    queries: QueryFlags,

    #[command(flatten, next_help_heading = "Classification error")]
    classifiers: ClassifierFlags,
}

#[derive(Args)]
struct QueryFlags {
    /// A file of queries, one per line: age in [20, 35) and job = Lawyer
    #[arg(long, value_name = "FILE", conflicts_with_all = ["query_count", "dimensions", "selectivity", "query_secret"])]
    queries: Option<PathBuf>,

    /// How many queries to draw; 0 for none [default: 1000]
    #[arg(long, value_name = "N")]
    query_count: Option<usize>,

    /// How many columns a drawn query asks about [default: 2]
    #[arg(long, value_name = "N")]
    dimensions: Option<usize>,

    /// Which share of the rows a drawn query counts, if they were spread evenly [default: 0.1]
    #[arg(long, value_name = "SHARE")]
    selectivity: Option<f64>,

    /// A sensitive column that every drawn query asks about, too; of several tables, TABLE.COLUMN
    #[arg(long, value_name = "COLUMN")]
    query_secret: Option<String>,
}

#[derive(Args)]
struct ClassifierFlags {
    /// Which classifiers learn
    #[arg(long, value_delimiter = ',', default_value = "c45")]
    learner: Vec<LearnerWord>,

    /// The rows with this value in this column are the test part; the others are learnt from
    #[arg(long, value_parser = column_and_value, value_name = "COLUMN=VALUE", conflicts_with_all = ["train_rows", "folds"])]
    test_rows: Option<(String, String)>,

    /// The first rows, this many, are learnt from; the release must be in the order of the data
    #[arg(long, value_name = "N", conflicts_with = "folds")]
    train_rows: Option<usize>,

    /// Cross-validation with so many folds [default: a third of at most 30,000 rows is held out]
    #[arg(long, value_name = "N")]
    folds: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum LearnerWord {
    C45,
    NaiveBayes,
}

fn column_and_value(text: &str) -> Result<(String, String), String> {
    let (column, value) = text.split_once('=').ok_or("expected COLUMN=VALUE")?;
    Ok((column.to_owned(), value.to_owned()))
}

/// The files of an evaluation.
struct Files<'a> {
    data: Option<&'a PathBuf>,
    released: &'a PathBuf,
    policy: &'a PathBuf,
}

impl Arguments {
    /// Measures the folder of several tables.
    fn evaluate_database(&self, folder: &Path, policy: &Policy, progress: &Progress) -> Result<Answer, Failure> {
        let evaluated = evaluate_database(folder, policy, &self.settings()?, progress)?;
        progress.finish();
        if let Some(folder) = &self.report {
            evaluated.write_page(folder, self.force)?;
        }
        let mut text = tables_told(&evaluated.evaluation);
        for fault in &evaluated.faults {
            let _ = writeln!(text, "  wrong: {fault}");
        }
        Ok(Answer::done(text, &evaluated))
    }

    fn files(&self) -> Result<Files<'_>, Failure> {
        let (data, released, policy) = match (&self.files[..], &self.data) {
            ([released, policy], data) => (data.as_ref(), released, policy),
            ([data, released, policy], None) => (Some(data), released, policy),
            ([_, _, _], Some(_)) => {
                let message = "the data is named twice: give it before the release, or with --data";
                return Err(Failure::Usage(message.to_owned()));
            }
            _ => unreachable!("there are two or three files"),
        };
        Ok(Files { data, released, policy })
    }

    fn settings(&self) -> Result<Evaluate, Failure> {
        let defaults = Evaluate::default();
        Ok(Evaluate {
            queries: self.queries.queries(self.seed)?,
            split: self.classifiers.split(self.seed).unwrap_or(defaults.split),
            learners: self.classifiers.learners(),
            population: self.population,
            suda: if self.suda { SudaSetting::Always } else { defaults.suda },
            cells: self.cells.clone(),
        })
    }
}

impl QueryFlags {
    fn queries(&self, seed: u64) -> Result<Queries, Failure> {
        let drawn = Generated::default();
        Ok(match (&self.queries, self.query_count) {
            (Some(file), _) => Queries::read(file)?,
            (None, Some(0)) => Queries::None,
            (None, count) => Queries::Drawn {
                // Said or not: a table with fewer quasi columns must not fail for a figure that nobody gave.
                as_wide_as_fits: self.dimensions.is_none(),
                settings: Generated {
                    dimensions: self.dimensions.unwrap_or(drawn.dimensions),
                    selectivity: self.selectivity.unwrap_or(drawn.selectivity),
                    queries: count.unwrap_or(drawn.queries),
                    seed,
                    sensitive: self.query_secret.clone(),
                },
            },
        })
    }
}

impl ClassifierFlags {
    fn split(&self, seed: u64) -> Option<Split> {
        let by_column = self.test_rows.as_ref().map(|(name, test)| Split::Column {
            name: name.clone(),
            test: test.clone(),
        });
        let by_folds = self.folds.map(|folds| Split::Folds {
            folds,
            seed,
            rows_at_most: None,
        });
        by_column.or(self.train_rows.map(Split::Rows)).or(by_folds)
    }

    fn learners(&self) -> Vec<Learner> {
        let learner = |word: &LearnerWord| match word {
            LearnerWord::C45 => Learner::C45,
            LearnerWord::NaiveBayes => Learner::NaiveBayes,
        };
        self.learner.iter().map(learner).collect()
    }
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    let Files { data, released, policy } = arguments.files()?;
    let mut policy = read_any_policy(policy)?;
    if let Some(data) = data {
        policy.move_data_to(data);
    }
    if policy.persons.is_some() {
        return arguments.evaluate_database(released, &policy, progress);
    }
    let evaluated = evaluate_file(released, &policy, &arguments.settings()?, progress)?;
    progress.finish();
    if let Some(folder) = &arguments.report {
        evaluated.write_page(folder, arguments.force)?;
    }
    Ok(Answer::done(told(&evaluated), &evaluated))
}

fn told(evaluated: &Evaluated) -> String {
    let mut text = evaluation_told(&evaluated.evaluation);
    for identifier in &evaluated.identifiers {
        let _ = writeln!(text, "  the identifier {identifier} is in the release");
    }
    for column in &evaluated.unlisted {
        let _ = writeln!(
            text,
            "  the column {column} is in the release, and the policy does not list it"
        );
    }
    text
}

/// The figures that fit on a screen; all of them are in the JSON and on the page.
pub(super) fn evaluation_told(evaluation: &Evaluation) -> String {
    let mut text = measures_told(&evaluation.measures);
    let highest = format!("{:.4}", evaluation.risks.prosecutor.highest);
    tell_line(&mut text, "highest prosecutor risk", &highest);
    text.push_str(&singled_out_told(evaluation.singled_out.as_ref(), "rows"));
    text.push_str(&read_by_looks_told(&evaluation.read_by_looks));
    text.push_str(&not_measured_told(&evaluation.not_measured));
    text
}

/// The same of several tables, one after the other.
pub(super) fn tables_told(evaluation: &DatabaseEvaluation) -> String {
    let mut text = String::new();
    for table in &evaluation.tables {
        let _ = writeln!(text, "{}:", table.table);
        text.push_str(&measures_told(&table.measures));
        text.push_str(&not_measured_told(&table.not_measured));
    }
    text.push_str("All tables together:\n");
    text.push_str(&singled_out_told(evaluation.singled_out.as_ref(), "persons"));
    text.push_str(&not_measured_told(&evaluation.not_measured));
    text
}

fn not_measured_told(reasons: &[String]) -> String {
    let line = |reason: &String| format!("  not measured: {reason}\n");
    reasons.iter().map(line).collect()
}

/// Writing to a string cannot fail, so the result of `writeln!` is let go.
fn tell_line(text: &mut String, label: &str, value: &str) {
    let _ = writeln!(text, "  {label:<44}{value:>14}");
}

fn measures_told(measures: &TableMeasures) -> String {
    let mut text = String::new();
    let loss = &measures.information_loss;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut line = |label: &str, value: String| tell_line(&mut text, label, &value);
    let rows = format!("{} of {}", loss.rows_released, loss.rows_before);
    line("rows released", rows);
    let sizes = &measures.group_sizes;
    line("groups on all quasi columns", sizes.groups.to_string());
    line(
        "  smallest, median, largest",
        format!("{}, {}, {}", sizes.smallest, sizes.median, sizes.largest),
    );
    line("certainty penalty (NCP)", percent(loss.certainty_penalty.mean));
    line("loss metric (LM)", percent(loss.loss_metric));
    for (label, measure) in [
        ("utility measure (UM)", loss.utility_measure),
        ("worst group (WGU)", loss.worst_group_utility),
        ("class of the group (CM)", loss.classification_metric),
        ("range of secrets (MPM)", loss.max_range_protection),
        (
            "association changed, on average",
            measures.association.mean_absolute_change,
        ),
    ] {
        measure.into_iter().for_each(|measure| line(label, percent(measure)));
    }
    line("discernibility (DM)", loss.discernibility.to_string());
    if let Some(queries) = &measures.queries {
        let shares =
            [queries.average, queries.median, queries.percentile_95].map(|share| share.map_or("–".into(), percent));
        line("query error: average, median, 95 %", shares.join(", "));
    }
    for errors in &measures.classification {
        told_of_classifier(errors, &mut line);
    }
    for column in &measures.range_diversity {
        let worst = column.worst_group.unwrap_or(0.0);
        line(
            &format!("range diversity of {} (WGP)", column.column),
            format!("{worst:.3}"),
        );
    }
    text
}

fn told_of_classifier(errors: &ClassificationErrors, line: &mut impl FnMut(&str, String)) {
    let learner = match errors.learner {
        Learner::C45 => "C4.5",
        Learner::NaiveBayes => "naive Bayes",
    };
    let rate = |rate: f64| format!("{:.2} %", 100.0 * rate);
    line(&format!("{learner} error on the data (BE)"), rate(errors.base.rate));
    line("  on the release (AE)", rate(errors.released.rate));
    line("  without quasi columns (UE)", rate(errors.without_quasi.rate));
    if let Some(error) = &errors.without_sensitive {
        line("  without sensitive columns (RE)", rate(error.rate));
    }
}
