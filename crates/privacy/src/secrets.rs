//! [`Secrets`]: which values of a column must not be inferred.

use scumble_table::ColumnId;

/// Values of one column that must not be inferred.
#[derive(Clone, Debug, PartialEq)]
pub struct Secrets {
    /// The column.
    pub column: ColumnId,
    /// Which of its values.
    pub values: SecretValues,
}

/// Which values of a column are secrets.
#[derive(Clone, Debug, PartialEq)]
pub enum SecretValues {
    /// Each value that occurs, the missing one included.
    Every,
    /// Each of these sets of values: one value, or all leaves under a node of the taxonomy.
    Sets(Vec<Vec<String>>),
}
