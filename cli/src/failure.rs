//! Why a command failed, and how that is shown.

use std::io;
use std::path::PathBuf;

use miette::{Diagnostic, GraphicalReportHandler};
use scumble::{Blame, Error, ErrorReport, Fault, LinkError, Problems};
use serde_json::Value;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The library says why.
    #[error(transparent)]
    Publish(#[from] Error),
    /// The flags do not fit together.
    #[error("{0}")]
    Usage(String),
    /// A file of the command itself could not be written.
    #[error("{}: cannot be written: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

impl Blame for Failure {
    fn fault(&self) -> Fault {
        match self {
            Failure::Publish(error) => error.fault(),
            Failure::Usage(_) => Fault::Input,
            Failure::Io { .. } => Fault::Environment,
        }
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Failure::Publish(problems.into())
    }
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        Failure::Publish(error.into())
    }
}

impl Failure {
    pub fn exit_code(&self) -> u8 {
        self.report().exit_code()
    }

    /// For people: each problem on a line, then the first lines of the policy that they point at.
    pub fn shown(&self) -> String {
        let report = self.report();
        let mut shown = String::new();
        for line in report.message.lines() {
            shown.push_str(&format!("error: {line}\n"));
        }
        if let Some(excerpt) = report.excerpt {
            let _ = GraphicalReportHandler::new()
                .with_links(false)
                .render_report(&mut shown, &Excerpt(excerpt));
        }
        shown
    }

    pub fn to_json(&self) -> Value {
        self.report().to_json()
    }

    fn report(&self) -> ErrorReport<'_> {
        match self {
            Failure::Publish(error) => error.into(),
            Failure::Usage(_) | Failure::Io { .. } => ErrorReport::of_edge(self),
        }
    }
}

/// As many lines of a policy as are quoted. For each the policy is gone through from its beginning, and it may be wrong in
/// every line; each problem says its line anyway.
const MOST_QUOTED: usize = 50;

/// The first lines that an error points at, without its message, which is printed before.
#[derive(Debug)]
struct Excerpt<'e>(&'e dyn Diagnostic);

impl std::fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("in the policy:")
    }
}

impl std::error::Error for Excerpt<'_> {}

impl Diagnostic for Excerpt<'_> {
    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let labels = self.0.labels()?;
        Some(Box::new(labels.take(MOST_QUOTED)))
    }
}
