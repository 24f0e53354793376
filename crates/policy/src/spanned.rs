//! A [`Spanned`] value is one of a policy, with the place of its text.
//!
//! Invariant: values are compared by what they say, never by where it is written. A value that was not read from a text
//! has no place (`0..0`); [`Policy::checked`](crate::Policy::checked) gives it one.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A value, and the bytes of the text that say it.
#[derive(Clone, Debug, Default)]
pub struct Spanned<T> {
    value: T,
    span: Range<usize>,
}

impl<T> Spanned<T> {
    /// A value that these bytes say.
    pub fn new(span: Range<usize>, value: T) -> Self {
        Spanned { value, span }
    }

    /// The bytes of the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// The value, to be changed.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// The value alone.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T> From<T> for Spanned<T> {
    fn from(value: T) -> Self {
        Spanned::new(0..0, value)
    }
}

impl From<&str> for Spanned<String> {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&str> for Spanned<PathBuf> {
    fn from(path: &str) -> Self {
        PathBuf::from(path).into()
    }
}

impl From<&Path> for Spanned<PathBuf> {
    fn from(path: &Path) -> Self {
        path.to_owned().into()
    }
}
