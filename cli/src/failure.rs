//! Why a command failed, and how that is shown.

use std::io;
use std::path::PathBuf;

use miette::{Diagnostic, GraphicalReportHandler};
use scumble::{Error, Fault, LinkError, Problems};
use serde_json::{Value, json};

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The library says why.
    Publish(Error),
    /// The flags do not fit together.
    Usage(String),
    /// A file of the command itself could not be written.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Publish(error)
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
        let fault = match self {
            Failure::Publish(error) => error.fault(),
            Failure::Usage(_) => Fault::Input,
            Failure::Io { .. } => Fault::Environment,
        };
        fault.exit_code()
    }

    /// For people: each problem on a line, then the first lines of the policy that they point at.
    pub fn shown(&self) -> String {
        let mut shown = String::new();
        for line in self.message().lines() {
            shown.push_str(&format!("error: {line}\n"));
        }
        if let Failure::Publish(error) = self
            && error.labels().is_some_and(|mut labels| labels.next().is_some())
        {
            let _ = GraphicalReportHandler::new()
                .with_links(false)
                .render_report(&mut shown, &Excerpt(error));
        }
        shown
    }

    fn message(&self) -> String {
        match self {
            Failure::Publish(error) => error.to_string(),
            Failure::Usage(message) => message.clone(),
            Failure::Io { path, reason } => format!("{}: cannot be written: {reason}", path.display()),
        }
    }

    pub fn to_json(&self) -> Value {
        match self {
            Failure::Publish(error) => error.to_json(),
            Failure::Usage(_) => {
                json!({"error": {"fault": Fault::Input, "message": self.message(), "problems": []}})
            }
            Failure::Io { .. } => {
                json!({"error": {"fault": Fault::Environment, "message": self.message(), "problems": []}})
            }
        }
    }
}

/// As many lines of a policy as are quoted. For each the policy is gone through from its beginning, and it may be wrong in
/// every line; each problem says its line anyway.
const MOST_QUOTED: usize = 50;

/// The first lines that an error points at, without its message, which is printed before.
#[derive(Debug)]
struct Excerpt<'e>(&'e Error);

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
