//! [`Slots`]: what each code of a column counts as.

/// A small number for each code.
#[derive(Default)]
pub(super) struct Slots {
    /// Missing codes have the slot after all others.
    pub of_code: Vec<u32>,
    /// How many slots there are, the one of the missing aside.
    pub len: usize,
}
