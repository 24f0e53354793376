//! [`Cells`]: what of a cell is its value.

use crate::formula::from_text;

/// What of a cell is its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Whether blanks around a value are not part of it.
    pub trim: bool,
    /// The texts that mean missing, beside the empty one, which always does.
    pub marks: Vec<String>,
    /// Whether formulas were written as text.
    pub formulas_as_text: bool,
}

/// As cells usually are: trimmed, and only the empty one is missing.
impl Default for Cells {
    fn default() -> Self {
        Cells {
            trim: true,
            marks: Vec::new(),
            formulas_as_text: false,
        }
    }
}

impl Cells {
    /// The value that a cell stands for; `None` if it is missing.
    #[inline]
    pub fn value<'c>(&self, cell: &'c str) -> Option<&'c str> {
        let value = self.text(cell);
        (!value.is_empty() && !self.marks.iter().any(|mark| mark == value)).then_some(value)
    }

    /// The text that a cell, or a field of a header, stands for.
    #[inline]
    pub fn text<'c>(&self, cell: &'c str) -> &'c str {
        let written = if self.trim { cell.trim_ascii() } else { cell };
        if self.formulas_as_text {
            from_text(written)
        } else {
            written
        }
    }
}
