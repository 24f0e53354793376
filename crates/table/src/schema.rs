//! [`TableSchema`]: what a database says of a table, beside its rows.

/// What a database says of a table or view. A view has neither key nor references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSchema {
    /// The table, as the database writes it.
    pub name: String,
    /// The columns of its primary key, in the order of the key.
    pub key: Vec<String>,
    /// Its foreign keys, in a fixed order.
    pub references: Vec<Reference>,
}

/// A foreign key: columns that hold the values of other columns, mostly of another table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The columns.
    pub columns: Vec<String>,
    /// The table that they refer to, written as its [`TableSchema::name`].
    pub table: String,
    /// The columns there, one for each. Those of the primary key come in its order; others are possible, if their
    /// values are unique.
    pub to: Vec<String>,
}

impl Reference {
    /// Brings the columns into the order of the primary key that they refer to, if they do.
    #[must_use]
    pub fn in_order_of(mut self, key: &[String]) -> Self {
        let place = |column: &String| self.to.iter().position(|to| to == column);
        let places: Option<Vec<usize>> = key.iter().map(place).collect();
        if let Some(places) = places.filter(|places| places.len() == self.to.len()) {
            self.columns = places.iter().map(|&place| self.columns[place].clone()).collect();
            self.to = key.to_vec();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(columns: &[&str], to: &[&str]) -> Reference {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Reference {
            columns: owned(columns),
            table: "t".to_owned(),
            to: owned(to),
        }
    }

    #[test]
    fn a_reference_follows_the_key_it_refers_to_and_no_other_columns() {
        let key = ["x".to_owned(), "y".to_owned()];
        let ordered = |columns: &[&str], to: &[&str]| reference(columns, to).in_order_of(&key);
        assert_eq!(ordered(&["b", "a"], &["y", "x"]), reference(&["a", "b"], &["x", "y"]));
        for to in [&["y", "z"][..], &["y"], &["y", "x", "z"]] {
            let columns = &["a", "b", "c"][..to.len()];
            assert_eq!(ordered(columns, to), reference(columns, to));
        }
    }
}
