//! [`RowOrder`]: the order in which the rows of a release are written.

/// The order in which the rows of a release are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// By the released values, column by column: an order that tells nothing.
    Sorted,
    /// As in the input, which may itself tell who is who; for experiments.
    Input,
}
