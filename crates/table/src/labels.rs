//! [`Labels`]: the different values that a column shows, one of which may be missing.
//!
//! | place | label |
//! |---|---|
//! | 0 | `Professional` |
//! | 1 | (missing) |
//!
//! They are stored end to end: a column of keys has a million of them.

use crate::Texts;

/// What stands for a suppressed value, and for a continuous column of which nothing is shown.
pub const SUPPRESSED: &str = "*";

/// Texts by their place, `None` where a value is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    texts: Texts,
    /// The places without a text, ascending.
    missing: Vec<usize>,
}

impl Labels {
    /// Appends a label and tells its place.
    pub fn push(&mut self, label: Option<&str>) -> usize {
        let place = self.texts.push(label.unwrap_or_default());
        self.missing.extend(label.is_none().then_some(place));
        place
    }

    /// The label at a place.
    #[inline]
    pub fn at(&self, place: usize) -> Option<&str> {
        match self.missing.binary_search(&place) {
            Ok(_) => None,
            Err(_) => Some(self.texts.at(place)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All labels in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&str>> + Clone {
        (0..self.len()).map(|place| self.at(place))
    }
}

impl<S: AsRef<str>> FromIterator<Option<S>> for Labels {
    fn from_iter<I: IntoIterator<Item = Option<S>>>(labels: I) -> Self {
        let mut all = Labels::default();
        for label in labels {
            all.push(label.as_ref().map(S::as_ref));
        }
        all.texts.shrink();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_label_is_not_an_empty_one() {
        let labels: Labels = [Some("a"), None, Some("")].into_iter().collect();
        assert_eq!(labels.iter().collect::<Vec<_>>(), [Some("a"), None, Some("")]);
        assert_eq!((labels.len(), labels.at(1)), (3, None));
    }
}
