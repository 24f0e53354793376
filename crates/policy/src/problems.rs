//! [`Problems`]: all that is wrong with a policy, or with what it names, each with its place.
//!
//! Invariant: a message names files, lines and columns, and words of the policy or of a taxonomy file; never a cell of the
//! data.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, SourceCode};
use scumble_fault::{Blame, Fault};
use serde::Serialize;

use crate::text::PolicyText;

/// One thing to change: where, what is wrong, what to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// The file it is in.
    pub file: String,
    /// The line, counted from 1, where the problem has one.
    pub line: Option<usize>,
    /// The key of the policy that it is about, such as `require[1].about.disease`, where it is about one.
    pub key: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do, if that is not plain.
    pub help: Option<String>,
    /// The bytes of the policy text to point at.
    #[serde(skip)]
    span: Option<Range<usize>>,
    /// Whether the key is all that tells the place.
    #[serde(skip)]
    told_by_key: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(key) = self.key.as_ref().filter(|_| self.told_by_key) {
            write!(f, ": {key}")?;
        }
        write!(f, ": {}", self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

/// As many problems as come with a guess at what was meant.
const MOST_COMPARED: usize = 100;

/// Problems found in one go, those of the policy in the order of its text.
#[derive(Debug)]
pub struct Problems {
    policy: PolicyText,
    list: Vec<Problem>,
}

impl Problems {
    /// No problem yet with this policy and what it names.
    pub fn new(policy: &PolicyText) -> Self {
        Problems {
            policy: policy.clone(),
            list: Vec::new(),
        }
    }

    /// Whether there are so few that each may be compared with all that is valid. Where nearly everything is wrong, it is not
    /// the spelling, and there may be a hundred thousand names to compare.
    pub fn are_few(&self) -> bool {
        self.list.len() < MOST_COMPARED
    }

    /// All problems.
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Adds a problem at a place in the policy.
    pub fn at(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<String>) {
        self.list.push(Problem {
            file: self.policy.name().to_owned(),
            line: self.policy.line(span.start),
            key: self.policy.key(&span).map(str::to_owned),
            message: message.into(),
            help,
            span: Some(span),
            told_by_key: self.policy.is_told_by_keys(),
        });
    }

    /// Adds a problem of the policy as a whole.
    pub fn overall(&mut self, message: impl Into<String>, help: Option<String>) {
        let file = self.policy.name().to_owned();
        self.in_file(file, None, message, help);
    }

    /// Adds a problem in a file that the policy names.
    pub fn in_file(
        &mut self,
        file: impl Into<String>,
        line: Option<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.list.push(Problem {
            file: file.into(),
            line,
            key: None,
            message: message.into(),
            help,
            span: None,
            told_by_key: false,
        });
    }

    /// The value, if nothing is wrong.
    ///
    /// # Errors
    /// All problems, if there are any.
    pub fn none_or<T>(mut self, value: T) -> Result<T, Problems> {
        if self.list.is_empty() {
            return Ok(value);
        }
        // Stable: what has no place in the policy keeps its order, after what has one.
        self.list
            .sort_by_key(|problem| problem.span.as_ref().map_or(usize::MAX, |span| span.start));
        Err(self)
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.list.iter().enumerate() {
            let newline = if place == 0 { "" } else { "\n" };
            write!(f, "{newline}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Whoever wrote the policy, or what it names.
impl Blame for Problems {
    fn fault(&self) -> Fault {
        Fault::Input
    }
}

/// One excerpt of the policy that points at every problem, each with what to do.
impl Diagnostic for Problems {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.policy.source()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.policy.source()?;
        Some(Box::new(self.list.iter().filter_map(|problem| {
            let span = problem.span.clone()?;
            Some(LabeledSpan::new_with_span(problem.help.clone(), span))
        })))
    }
}
