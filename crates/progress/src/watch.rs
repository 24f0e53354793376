//! A [`Watch`] is whoever listens to a run, and may ask it to stop.

use scumble_fault::{Blame, Fault};

use crate::Event;

/// Someone who watches a run: hears what it tells, may ask it to stop.
///
/// Both are called from any thread, `should_stop` very often: it should do no more than look.
#[expect(
    unused_variables,
    reason = "the names of the arguments document a method that does nothing by default"
)]
pub trait Watch: Sync {
    /// Something happened.
    fn event(&self, event: &Event) {}

    /// Whether the run should stop at the next good moment. Once it should, it should for good.
    fn should_stop(&self) -> bool {
        false
    }
}

/// A closure that says whether to stop is a watch that hears nothing.
impl<F: Fn() -> bool + Sync> Watch for F {
    fn should_stop(&self) -> bool {
        self()
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {}

/// The run was asked to stop, and did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

impl Blame for Interrupted {
    fn fault(&self) -> Fault {
        Fault::Interrupted
    }
}
