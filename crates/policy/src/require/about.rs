//! What a requirement is about: the columns, and the values, that must not be inferred.

use std::collections::HashMap;

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
    /// Says the listed values as the column has them. Those that are one value then are listed once, with the stricter bound.
    pub fn unite(&mut self, alike: Alike) {
        let AboutValues::Listed(listed) = &mut self.values else {
            return;
        };
        let mut united: Vec<(Spanned<String>, f64)> = Vec::with_capacity(listed.len());
        let mut places: HashMap<String, usize> = HashMap::with_capacity(listed.len());
        for (value, bound) in listed.drain(..) {
            let text = alike.value(value.get_ref());
            if let Some(&place) = places.get(&text) {
                united[place].1 = united[place].1.min(bound);
            } else {
                places.insert(text.clone(), united.len());
                united.push((Spanned::new(value.span(), text), bound));
            }
        }
        *listed = united;
    }
}
