//! The text of a policy, or of another file in its words, kept so that a problem can point at its line.

use std::sync::Arc;

use miette::{NamedSource, SourceCode};

/// A text as it was written, and what to call it.
#[derive(Clone, Debug)]
pub struct PolicyText {
    source: NamedSource<Arc<str>>,
    /// Where each line ends, ascending. A policy may have a hundred thousand lines, and a problem in each.
    line_ends: Arc<Vec<usize>>,
    /// Whether we wrote it ourselves, from flags: then its lines tell the user nothing.
    generated: bool,
}

impl PolicyText {
    /// The text of a file.
    pub fn of_file(name: &str, text: &str) -> Self {
        PolicyText::new(name, text, false)
    }

    /// A text made from the flags of the command line.
    pub fn of_command_line(text: &str) -> Self {
        PolicyText::new("command line", text, true)
    }

    fn new(name: &str, text: &str, generated: bool) -> Self {
        PolicyText {
            source: NamedSource::new(name, Arc::from(text)),
            line_ends: Arc::new(text.match_indices('\n').map(|(end, _)| end).collect()),
            generated,
        }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The name of its file, if it has one.
    pub fn file_name(&self) -> Option<&str> {
        (!self.generated).then(|| self.name())
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        self.source.inner()
    }

    /// The line of a byte, counted from 1, if the user can look it up.
    pub fn line(&self, byte: usize) -> Option<usize> {
        let before = self.line_ends.partition_point(|&end| end < byte);
        (!self.generated).then_some(1 + before)
    }

    /// The text to quote in a diagnostic, if the user knows it.
    pub fn source(&self) -> Option<&dyn SourceCode> {
        (!self.generated).then_some(&self.source as &dyn SourceCode)
    }
}
