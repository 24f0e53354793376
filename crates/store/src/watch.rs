//! A [`Watch`] is how long work shows its progress and learns that it should stop.

/// Someone who watches long work: sees progress, may ask to stop.
#[expect(
    unused_variables,
    reason = "the names of the arguments document a method that does nothing by default"
)]
pub trait Watch: Sync {
    /// Work begins, `total_bytes` of it if that is known.
    fn started(&self, work: &str, total_bytes: Option<u64>) {}

    /// So many more bytes are done.
    fn advanced(&self, bytes: u64) {}

    /// Whether the work should stop at the next good moment.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {}
