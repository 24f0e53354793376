//! Formulas: cells of a CSV file that a spreadsheet would compute instead of show.
//!
//! Whoever typed `=HYPERLINK(…)` into a comment can make it run on the machine of whoever opens the release. Such a cell is
//! told by its row, or written as text: with an apostrophe before it, as spreadsheets do themselves.
//!
//! | cell | | written as text |
//! |---|---|---|
//! | `=1+1`, `@x`, `+41 44`, `-x`, a tab before anything | a formula | `'=1+1` … |
//! | `-5`, `+2.5e3` | a number | as it is |
//! | `-`, `+` | nothing to compute | as it is |
//! | `'=1+1` | text that begins so | `''=1+1` |
//!
//! Invariant: [`from_text`] gives back what [`as_text`] was given, so two different cells are never written alike.

use std::borrow::Cow;

use scumble_table::parse_number;

/// What a formula begins with. Tab and line ends are cut off by some programs, and what follows is computed; the last four
/// are the wide forms of the first, which some programs take for them.
const MARKS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// What makes a cell text.
const APOSTROPHE: char = '\'';

/// Whether a spreadsheet may take a cell for a formula. A number is none, nor is a mark alone.
pub(crate) fn is_formula(cell: &str) -> bool {
    let mut characters = cell.chars();
    let is_marked = characters.next().is_some_and(|first| MARKS.contains(&first));
    is_marked && characters.next().is_some() && parse_number(cell).is_none()
}

/// A cell that no spreadsheet takes for a formula.
pub(crate) fn as_text(cell: &str) -> Cow<'_, str> {
    if is_formula(cell.trim_start_matches(APOSTROPHE)) {
        Cow::Owned(format!("{APOSTROPHE}{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// The cell that was written as text.
pub(crate) fn from_text(cell: &str) -> &str {
    let stripped = cell.strip_prefix(APOSTROPHE);
    stripped
        .filter(|_| is_formula(cell.trim_start_matches(APOSTROPHE)))
        .unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_and_lone_marks_are_no_formulas() {
        for cell in [
            "-5", "+2.5e3", "-0.1", "-", "+", "=", "@", "", "a=b", " =1", "[1, 5)", "'=1", "*",
        ] {
            assert!(!is_formula(cell), "{cell:?}");
        }
        for cell in [
            "=1", "+41 44", "-x", "@SUM(1)", "\tx", "\rx", "\n=1", "＝1", "--1", "-1-1", "+1e999",
        ] {
            assert!(is_formula(cell), "{cell:?}");
        }
    }

    #[test]
    fn two_cells_are_never_written_alike() {
        assert_eq!(as_text("=1"), "'=1");
        assert_eq!(as_text("'=1"), "''=1");
        assert_eq!(as_text("''=1"), "'''=1");
        assert_eq!(as_text("'a"), "'a");
        assert_eq!(from_text("'a"), "'a");
    }

    proptest! {
        #[test]
        fn what_is_written_as_text_is_no_formula_and_comes_back(cell in "['=+@\\-\t1-3a ＝]{0,6}") {
            let written = as_text(&cell);
            prop_assert!(!is_formula(&written));
            prop_assert_eq!(from_text(&written), &cell);
        }
    }
}
