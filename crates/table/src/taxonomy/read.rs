//! Reading a taxonomy from text, in one of three [`Format`]s.
//!
//! All three say the same tree, so a file may be in the one that its owner has:
//!
//! | levels | indented | JSON |
//! |---|---|---|
//! | `Lawyer;Professional;ANY` | `ANY` | `{"ANY": {` |
//! | `Engineer;Professional;ANY` | `⎵Professional` | `  "Professional": ["Lawyer", "Engineer"],` |
//! | `Janitor;ANY` | `⎵⎵Lawyer` | `  "Janitor": null` |
//! | | `⎵⎵Engineer` | `}}` |
//! | | `⎵Janitor` | |
//!
//! An inner node may be named several times under the same parent; what is under it is joined. Values keep the order in
//! which they are first named.

use super::Taxonomy;
use super::problem::Problems;
use super::{indented, json, levels};

/// How a taxonomy is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One line per leaf, `leaf;parent;…;root`.
    Levels,
    /// One line per node, the root first, children further in than their parent.
    Indented,
    /// `{"label": "root", "children": […]}` or `{"root": {"node": ["leaf", …], …}}`.
    Json,
}

/// Reads a taxonomy; a byte order mark is skipped and lines may end in `\r\n`.
///
/// # Errors
/// Everything that is wrong with it: a leaf in two branches, an inner node under two parents, a label for a leaf and an
/// inner node, a second root, an empty label, a label that contains itself, a `*` that is not the root, indentation
/// that fits nothing, no node at all.
pub fn parse(text: &str, format: Format) -> Result<Taxonomy, Problems> {
    let text = without_mark(text);
    let mentions = match format {
        Format::Levels => levels::read(text),
        Format::Indented => indented::read(text),
        Format::Json => json::read(text),
    };
    mentions.assemble()
}

impl Format {
    /// The format that a text is most likely in.
    ///
    /// JSON if it begins with `{` or `[`, unless it goes on as JSON cannot and has a `;` in that line: then it is an
    /// interval or a set at the start of a levels file. Indented if some line begins with a blank and none has a `;`.
    /// Else levels, so a plain list of values is read as levels and the problems say that a root is lacking.
    pub fn guess(text: &str) -> Format {
        let text = without_mark(text);
        if looks_like_json(text.trim_start()) {
            Format::Json
        } else if !text.contains(';') && text.lines().any(is_indented) {
            Format::Indented
        } else {
            Format::Levels
        }
    }
}

fn looks_like_json(text: &str) -> bool {
    let Some(inside) = text.strip_prefix(['{', '[']) else {
        return false;
    };
    let goes_on = inside.trim_start().starts_with(['"', '{', '[', ']', '}']);
    goes_on || !text.lines().next().is_some_and(|line| line.contains(';'))
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
