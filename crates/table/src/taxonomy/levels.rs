//! The levels format: one line per leaf, from the leaf up to the root.
//!
//! ```text
//! Engineer;Professional;White collar;ANY
//! Manager;Manager;White collar;ANY
//! "Cook; baker";Service;ANY
//! ```
//!
//! A label next to itself is one node (`Manager` is a leaf right under `White collar`), so lines may be padded to one
//! length or not. Blanks around a label do not count, as around a cell, and blank lines are skipped. A label in quotes is taken as it
//! stands, blanks, `;` and line ends included; a quote in it is doubled.

use std::borrow::Cow;
use std::iter;

use hashbrown::HashSet;

use super::assemble::Mentions;
use super::problem::{Place, ProblemKind};
use super::{NodeId, Taxonomy};

/// Blanks within a line; a line may end in `\r\n`.
const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// Reads the format.
pub(super) fn read(text: &str) -> Mentions<'_> {
    let mut mentions = Mentions::default();
    let (mut rest, mut line) = (text, 1);
    while !rest.is_empty() {
        let (labels, after) = match path(rest) {
            Ok((labels, after)) => (Ok(labels), after),
            Err(kind) => (Err(kind), rest.find('\n').map_or("", |end| &rest[end + 1..])),
        };
        let raw = &rest[..rest.len() - after.len()];
        match labels.and_then(checked) {
            _ if raw.trim().is_empty() => {}
            Ok(labels) => add(&mut mentions, labels, line),
            Err(kind) => mentions.report(Place::Line(line), kind),
        }
        line += raw.matches('\n').count();
        rest = after;
    }
    mentions
}

/// Mentions the labels of one line, the root first.
fn add<'t>(mentions: &mut Mentions<'t>, labels: Vec<Cow<'t, str>>, line: usize) {
    let mut parent = None;
    for label in labels.into_iter().rev() {
        parent = Some(mentions.add(label, parent, Some(line)));
    }
}

/// Joins each label with its repetitions next to it; the labels that are left differ and none is empty.
fn checked(mut labels: Vec<Cow<'_, str>>) -> Result<Vec<Cow<'_, str>>, ProblemKind> {
    if labels.iter().any(|label| label.is_empty()) {
        return Err(ProblemKind::EmptyLabel);
    }
    labels.dedup();
    match repeated(&labels) {
        Some(label) => Err(ProblemKind::Repeated {
            label: label.to_owned(),
        }),
        None => Ok(labels),
    }
}

fn repeated<'l>(labels: &'l [Cow<'_, str>]) -> Option<&'l str> {
    let mut seen = HashSet::new();
    labels.iter().map(|label| &**label).find(|label| !seen.insert(*label))
}

/// The labels of the first line, and the text after its end.
fn path(text: &str) -> Result<(Vec<Cow<'_, str>>, &str), ProblemKind> {
    let mut labels = Vec::new();
    let mut rest = text;
    loop {
        let (label, after) = label(rest)?;
        labels.push(label);
        match after.strip_prefix(';') {
            Some(next) => rest = next,
            None => return Ok((labels, after.strip_prefix('\n').unwrap_or(after))),
        }
    }
}

/// The first label, and the text from the `;` or line end after it.
fn label(text: &str) -> Result<(Cow<'_, str>, &str), ProblemKind> {
    match text.trim_start_matches(BLANKS).strip_prefix('"') {
        Some(quoted) => quoted_label(quoted),
        None => {
            let end = text.find([';', '\n']).unwrap_or(text.len());
            Ok((text[..end].trim_ascii().into(), &text[end..]))
        }
    }
}

/// The same for a label whose opening quote is already gone.
fn quoted_label(text: &str) -> Result<(Cow<'_, str>, &str), ProblemKind> {
    let mut label = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('"').ok_or(ProblemKind::OpenQuote)?;
        label.push_str(part);
        match after.strip_prefix('"') {
            Some(next) => rest = next,
            None => {
                rest = after.trim_start_matches(BLANKS);
                break;
            }
        }
        label.push('"');
    }
    let ended = rest.is_empty() || rest.starts_with([';', '\n']);
    ended.then_some((label.into(), rest)).ok_or(ProblemKind::AfterQuote)
}

impl Taxonomy {
    /// Writes the levels format, all lines of one length: a leaf near the root is repeated, as other tools do.
    pub fn to_levels(&self) -> String {
        let paths: Vec<Vec<NodeId>> = self.leaves.iter().map(|&leaf| self.path(leaf)).collect();
        let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
        let mut text = String::new();
        for path in paths {
            let padding = iter::repeat_n(path[0], longest - path.len());
            let labels: Vec<Cow<str>> = padding
                .chain(path.iter().copied())
                .map(|id| quote(self.label(id)))
                .collect();
            text.push_str(&labels.join(";"));
            text.push('\n');
        }
        text
    }

    /// A node and those above it, the root last.
    fn path(&self, id: NodeId) -> Vec<NodeId> {
        iter::successors(Some(id), |&id| self.parent(id)).collect()
    }
}

/// A label as [`label`] reads it back.
fn quote(label: &str) -> Cow<'_, str> {
    // A byte order mark at the start of a file is dropped on reading.
    let plain = !label.contains([';', '"', '\n', '\r']) && label.trim() == label && !label.starts_with('\u{feff}');
    if plain {
        label.into()
    } else {
        format!("\"{}\"", label.replace('"', "\"\"")).into()
    }
}
