//! The indented format: one node per line, the root first, each node further in than its parent.
//!
//! ```text
//! ANY
//!   White collar
//!     Manager
//!     Professional
//!   Blue collar
//! ```
//!
//! Any depth of indentation will do, in tabs or spaces, as long as siblings share it and children begin with their
//! parent's. Blank lines are skipped.

use super::assemble::Mentions;
use super::problem::{Place, ProblemKind};

/// A node that the next line may be under.
struct Open<'t> {
    indentation: &'t str,
    mention: usize,
}

/// Reads the format.
pub(super) fn read(text: &str) -> Mentions<'_> {
    let mut mentions = Mentions::default();
    let mut open: Vec<Open> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        // Other blanks than these are part of a cell, and so of a label.
        let label = line.trim_ascii();
        let indentation = &line[..line.len() - line.trim_ascii_start().len()];
        let still_open = open.partition_point(|above| above.indentation.len() <= indentation.len());
        let dedented = still_open < open.len();
        open.truncate(still_open);
        let fits = match open.last() {
            Some(sibling) if sibling.indentation == indentation => open.pop().is_some(),
            Some(parent) => indentation.starts_with(parent.indentation) && !dedented,
            None => mentions.is_empty(),
        };
        if !fits {
            mentions.report(Place::Line(number + 1), ProblemKind::Indentation);
            continue;
        }
        let parent = open.last().map(|above| above.mention);
        let mention = mentions.add(label.into(), parent, Some(number + 1));
        open.push(Open { indentation, mention });
    }
    mentions
}
