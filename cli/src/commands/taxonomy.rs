//! `scumble taxonomy`: check a taxonomy, or build one from a column.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use scumble::results::BuiltTaxonomy;
use scumble::{Builder, DateLevel, Ranges, build_taxonomy, check_taxonomy};
use serde::Serialize;

use super::source::SourceFlags;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Subcommand)]
pub enum Arguments {
    /// Check a taxonomy file and, with --data and --column, that it has every value of the column
    Check {
        /// The taxonomy
        taxonomy: PathBuf,
        /// A table
        #[arg(long, requires = "column")]
        data: Option<PathBuf>,
        /// Its column
        #[arg(long, requires = "data")]
        column: Option<String>,
        #[command(flatten)]
        source: SourceFlags,
    },
    /// Keep the first characters, for postcodes: 94107, 9410*, 94***, *
    Prefixes {
        #[command(flatten)]
        from: From,
        /// How many characters each level keeps
        #[arg(long, value_delimiter = ',', default_value = "3,2,1")]
        lengths: Vec<usize>,
    },
    /// Dates: day, month, year, decade
    Dates {
        #[command(flatten)]
        from: From,
        /// The levels above the dates
        #[arg(long, value_delimiter = ',', default_value = "month,year,decade")]
        levels: Vec<Level>,
    },
    /// Ranges of equal width above numbers
    EqualWidth(RangeFlags),
    /// Ranges with about equally many rows above numbers
    EqualFrequency(RangeFlags),
}

/// Which column to build from, and where to write.
#[derive(Args)]
pub struct From {
    /// The table
    data: PathBuf,
    /// Its column
    #[arg(long)]
    column: String,
    /// Where to write the taxonomy [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    source: SourceFlags,
}

#[derive(Args)]
pub struct RangeFlags {
    #[command(flatten)]
    from: From,
    /// How many ranges the finest level has
    #[arg(long, default_value_t = 16)]
    ranges: usize,
    /// How many neighbours the next level joins
    #[arg(long, default_value_t = 2)]
    fanout: usize,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Level {
    Month,
    Quarter,
    Year,
    Decade,
}

pub fn run(arguments: &Arguments, progress: &Progress) -> Result<Answer, Failure> {
    match arguments {
        Arguments::Check {
            taxonomy,
            data,
            column,
            source,
        } => {
            let source = data.clone().map(|data| source.source(data)).transpose()?;
            let data = source.as_ref().zip(column.as_deref());
            let summary = check_taxonomy(taxonomy, data, progress)?;
            let text = format!(
                "{}: {} leaves, {} nodes, {} levels, root {}\n",
                taxonomy.display(),
                summary.leaves,
                summary.nodes,
                summary.levels,
                summary.root
            );
            Ok(Answer::done(text, &summary))
        }
        Arguments::Prefixes { from, lengths } => build(from, &Builder::Prefixes(lengths.clone()), progress),
        Arguments::Dates { from, levels } => {
            let level = |level: &Level| match level {
                Level::Month => DateLevel::Month,
                Level::Quarter => DateLevel::Quarter,
                Level::Year => DateLevel::Year,
                Level::Decade => DateLevel::Decade,
            };
            build(from, &Builder::Dates(levels.iter().map(level).collect()), progress)
        }
        Arguments::EqualWidth(flags) => build(&flags.from, &Builder::EqualWidth(flags.ranges()?), progress),
        Arguments::EqualFrequency(flags) => build(&flags.from, &Builder::EqualFrequency(flags.ranges()?), progress),
    }
}

impl RangeFlags {
    fn ranges(&self) -> Result<Ranges, Failure> {
        let ranges = Ranges::new(self.ranges).and_then(|ranges| ranges.with_fanout(self.fanout));
        ranges.map_err(|error| Failure::Usage(error.to_string()))
    }
}

fn build(from: &From, builder: &Builder, progress: &Progress) -> Result<Answer, Failure> {
    let source = from.source.source(from.data.clone())?;
    let built = build_taxonomy(&source, &from.column, builder, progress)?;
    let Some(path) = &from.out else {
        return Ok(Answer::done(built.taxonomy.clone(), &built));
    };
    super::write_new(path, &built.taxonomy)?;
    let BuiltTaxonomy { leaves, nodes, .. } = built;
    let file = path.display().to_string();
    let text = format!("Wrote {file}: {leaves} leaves, {nodes} nodes\n");
    Ok(Answer::done(text, &WrittenTaxonomy { leaves, nodes, file }))
}

/// Where a taxonomy was written.
#[derive(Serialize)]
struct WrittenTaxonomy {
    leaves: usize,
    nodes: usize,
    file: String,
}
