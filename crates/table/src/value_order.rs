//! [`ValueOrder`]: what fixes the order of a column's values, and so of its codes.

use crate::{Taxonomy, Texts};

/// What fixes the order of a column's values, and so of its codes.
#[derive(Clone, Copy, Debug)]
pub enum ValueOrder<'a> {
    /// Numeric order if every value is a number, else byte order.
    Natural,
    /// The values are numbers, and texts of one number (`1`, `1.0`) are one value.
    Number,
    /// The order of the leaves of a taxonomy.
    Taxonomy(&'a Taxonomy),
    /// None: values are numbered as they were met, and equal texts stay apart.
    AsMet,
}

impl ValueOrder<'_> {
    /// The order of two values that this order knows (numbers, leaves); bytes decide between equals.
    pub(crate) fn sort(&self, texts: &Texts) -> Vec<usize> {
        match self {
            ValueOrder::Natural | ValueOrder::Number => texts.in_natural_order(),
            ValueOrder::AsMet => (0..texts.len()).collect(),
            ValueOrder::Taxonomy(taxonomy) => {
                // Values that the tree lacks sort last; loading reports them.
                let leaf = |text| taxonomy.leaf(text).unwrap_or(usize::MAX);
                let leaves: Vec<usize> = texts.iter().map(leaf).collect();
                let mut order: Vec<usize> = (0..texts.len()).collect();
                order.sort_by_key(|&number| (leaves[number], texts.at(number)));
                order
            }
        }
    }
}
