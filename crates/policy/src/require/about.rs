//! What a requirement is about: the columns, and the values, that must not be inferred.

use scumble_table::Alike;

use crate::spanned::Spanned;

/// The values of one column that must not be inferred.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// A sensitive or class column, or one of an earlier release, named as `clinic2024.disease`.
    pub column: Spanned<String>,
    /// Which of its values.
    pub values: AboutValues,
}

/// Which values of a column must not be inferred.
#[derive(Clone, Debug, PartialEq)]
pub enum AboutValues {
    /// All of them.
    Every,
    /// These, each with its bound; an inner node of the column's taxonomy is all leaves under it. Whether they exist is
    /// known when the data is loaded.
    Listed(Vec<(Spanned<String>, f64)>),
}

impl About {
    /// Says the listed values as the column has them.
    pub fn unite(&mut self, alike: Alike) {
        if let AboutValues::Listed(listed) = &mut self.values {
            for (value, _) in listed {
                *value = Spanned::new(value.span(), alike.value(value.get_ref()));
            }
        }
    }
}
