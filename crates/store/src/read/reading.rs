//! [`Reading`]: how one column is read.

use scumble_table::{Range, Taxonomy, ValueOrder};

/// How one column is read.
#[derive(Clone, Copy, Debug)]
pub enum Reading<'t> {
    /// Not at all: nothing of it is stored.
    Skip,
    /// Any text.
    Text,
    /// Any text, hardly ever the same twice: each row has a value of its own, and values have no order.
    Ids,
    /// Numbers, all within the range if there is one.
    Number {
        /// Both ends are inside.
        range: Option<Range>,
    },
    /// Leaves of a taxonomy.
    Leaves(&'t Taxonomy),
}

impl<'t> Reading<'t> {
    /// The order of values that are read so.
    pub fn order(&self) -> ValueOrder<'t> {
        match self {
            Reading::Skip | Reading::Text => ValueOrder::Natural,
            Reading::Ids => ValueOrder::AsMet,
            Reading::Number { .. } => ValueOrder::Number,
            Reading::Leaves(taxonomy) => ValueOrder::Taxonomy(taxonomy),
        }
    }
}
