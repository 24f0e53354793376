//! A [`Refinement`]: which masked value is shown as which others, by number.

use std::ops::Range;

/// A masked value of a column, numbered in the order in which values came to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ValueId(pub u32);

/// A possible refinement of a column: its number is the value to split, or the code to disclose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CandidateId(pub u32);

/// The slot of codes that no candidate asks about.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// What a code shows that no row of the table can show: a value of a population alone, told apart from all of them.
pub(crate) const NO_VALUE: ValueId = ValueId(u32::MAX);

/// A refinement made: which rows go where.
#[derive(Debug)]
pub(crate) struct Refinement {
    /// The value refined.
    pub value: ValueId,
    /// The codes it covered, or may have covered.
    pub codes: Range<u32>,
    /// For each of those codes, the place of its child in `into`; one past the last if no row of the table is there.
    pub child_of: Vec<u32>,
    /// The values shown instead.
    pub into: Vec<ValueId>,
    /// The code disclosed, where codes are disclosed one by one.
    pub disclosed: Option<u32>,
}

impl Refinement {
    /// Changes what each code shows.
    pub fn show(&self, value_of_code: &mut [ValueId]) {
        for (code, &child) in self.codes.clone().zip(&self.child_of) {
            let shown = &mut value_of_code[code as usize];
            if *shown == self.value {
                *shown = self.into.get(child as usize).copied().unwrap_or(NO_VALUE);
            }
        }
    }
}

/// What every row shows at first.
pub(crate) const ROOT: ValueId = ValueId(0);
