//! The text of a policy, or of another file in its words, kept so that a problem can point at its line.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use miette::{NamedSource, SourceCode};

use crate::keys::KeyPaths;

/// A text as it was written, and what to call it.
#[derive(Clone, Debug)]
pub struct PolicyText {
    // Every error about a policy has its text with it, and errors are passed on often.
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    source: NamedSource<Arc<str>>,
    /// Where each line ends, ascending. A policy may have a hundred thousand lines, and a problem in each.
    line_ends: Vec<usize>,
    /// The paths of its keys, found when the first problem asks for one.
    keys: OnceLock<KeyPaths>,
    origin: Origin,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Origin {
    /// A file, whose lines the user can look up.
    File,
    /// We wrote it ourselves, from flags: neither its lines nor its keys tell the user anything.
    Flags,
    /// We wrote it ourselves, from a value: its lines tell the user nothing, its keys do.
    Value,
}

impl PolicyText {
    /// The text of a file.
    pub fn of_file(name: &str, text: &str) -> Self {
        PolicyText::new(name, text, Origin::File)
    }

    /// A text made from the flags of the command line.
    pub fn of_command_line(text: &str) -> Self {
        PolicyText::new("command line", text, Origin::Flags)
    }

    /// A text made from a policy that was put together in code.
    pub(crate) fn of_value(text: &str) -> Self {
        PolicyText::new("policy", text, Origin::Value)
    }

    fn new(name: &str, text: &str, origin: Origin) -> Self {
        PolicyText {
            shared: Arc::new(Shared {
                source: NamedSource::new(name, Arc::from(text)),
                line_ends: text.match_indices('\n').map(|(end, _)| end).collect(),
                keys: OnceLock::new(),
                origin,
            }),
        }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        self.shared.source.name()
    }

    /// The name of its file, if it has one.
    pub fn file_name(&self) -> Option<&str> {
        (self.shared.origin == Origin::File).then(|| self.name())
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        self.shared.source.inner()
    }

    /// The line of a byte, counted from 1, if the user can look it up.
    pub fn line(&self, byte: usize) -> Option<usize> {
        let before = self.shared.line_ends.partition_point(|&end| end < byte);
        (self.shared.origin == Origin::File).then_some(1 + before)
    }

    /// The path of the key or value at a place: `require[1].about.disease`.
    pub fn key(&self, place: &Range<usize>) -> Option<&str> {
        self.shared.keys.get_or_init(|| KeyPaths::of(self.as_str())).find(place)
    }

    /// Whether its keys are all that tells the user a place.
    pub(crate) fn is_told_by_keys(&self) -> bool {
        self.shared.origin == Origin::Value
    }

    /// The text to quote in a diagnostic, if the user knows it and it is a policy by its name: a table that is taken for one
    /// by mistake is not to be shown.
    pub fn source(&self) -> Option<&dyn SourceCode> {
        let extension = Path::new(self.name()).extension();
        let may_be_quoted = extension.is_none_or(|extension| extension.eq_ignore_ascii_case("toml"));
        (self.shared.origin == Origin::File && may_be_quoted).then_some(&self.shared.source as &dyn SourceCode)
    }
}
