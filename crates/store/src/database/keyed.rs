//! A [`Reference`] in the order of the key that it refers to, whatever order a database tells it in.

use super::schema::Reference;

impl Reference {
    /// Brings the columns into the order of the primary key that they refer to, if they do.
    pub(super) fn in_order_of(mut self, key: &[String]) -> Self {
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
