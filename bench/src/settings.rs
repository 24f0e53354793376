//! [`Settings`]: what is measured, and where things are.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

/// What to measure.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Settings {
    /// Which requirements
    #[arg(long, value_enum, default_value_t = Study::Anonymity)]
    pub study: Study,

    /// Sizes of the table, in rows [default: 45222,200000,1000000; of `local`: 10000,100000,295243,1000000; of
    /// `entities`, in students: 1000,10000,100000; of `looks`: 300000]
    #[arg(long, value_delimiter = ',')]
    pub rows: Vec<usize>,

    /// How often each job is measured
    #[arg(long, default_value_t = 3, value_parser = at_least_one)]
    pub repeats: usize,

    /// How many random requirements are averaged
    #[arg(long, default_value_t = 5, value_parser = at_least_one)]
    pub requirements: usize,

    /// Also measure what `evaluate` takes
    #[arg(long)]
    pub evaluate: bool,

    /// Of `looks`, only the tasks whose name has this in it
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,

    /// Fixes the enlarged table and the random requirements
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Where to find `adult/`, `census/` and `taxonomies/` [default: `../shared/data` beside the workspace; if it is
    /// not there, the synthetic census is enlarged]
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip)]
    pub data_dir: Option<PathBuf>,

    /// Keep this run as `bench/runs/NAME/`
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub keep: Option<String>,
}

/// A set of requirements, each on the table that the thesis measures it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Study {
    /// Anonymity on 14 columns, by all operations (Fung 2007, section 4.4.3)
    Anonymity,
    /// Confidence about marital status on the other 7 columns of words, by suppression, beside anonymity on the same
    /// (section 5.4.2)
    Secrets,
    /// Anonymity on the join with an earlier release of other columns of the same people (section 6.4.1, Set A)
    Sequential,
    /// Confidence about marital status on that join (section 6.4.2, Set A)
    SequentialSecrets,
    /// Two parties with 9 and 5 of the 14 columns publish together, beside one who has them all (section 7.4)
    Mashup,
    /// Methods of local recoding beside Mondrian (Loukides 2008, section 6.6), and what they lose on Adult
    Local,
    /// Students with their courses and books in three tables, beside a plain copy (Nergiz and Clifton 2008, section V)
    Entities,
    /// Every method and command, and how long each goes on without a look whether to stop
    Looks,
}

impl Study {
    /// The sizes that are measured unless others are asked for.
    pub fn usual_rows(self) -> Vec<usize> {
        match self {
            // The third is the census as it is.
            Study::Local => vec![10_000, 100_000, 295_243, 1_000_000],
            Study::Entities => vec![1_000, 10_000, 100_000],
            Study::Looks => vec![300_000],
            _ => vec![45_222, 200_000, 1_000_000],
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(error) => Err(format!("{error}")),
    }
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench)
}
