//! [`OffScale`]: a value that has no place on the scale of its column.

/// A code that is not on the scale, and why.
pub(crate) struct OffScale {
    pub(crate) code: u32,
    pub(crate) what: &'static str,
}
