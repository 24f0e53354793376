//! The last line of defence against libraries that panic.
//!
//! Bytes from outside reach several parsers that others wrote, and some of those index without looking. What can be
//! checked before is checked before; a panic that is left is a damaged file to the user, and no bug of ours. What it
//! says is not shown: it may quote a cell.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

use crate::error::ReadError;

thread_local! {
    /// Whether this thread runs a foreign parser.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

static HUSHED: Once = Once::new();

/// Runs a foreign parser; its panic is the refusal of a damaged file.
///
/// What it left half done is dropped with it, so nothing broken can be seen afterwards.
pub(super) fn guarded<T>(
    path: &Path,
    format: &'static str,
    parse: impl FnOnce() -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    HUSHED.call_once(hush);
    let before = GUARDED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(parse));
    GUARDED.set(before);
    outcome.unwrap_or_else(|_| Err(damaged(path, format)))
}

/// Lets all panics be told but those of guarded threads.
fn hush() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !GUARDED.get() {
            tell(panic);
        }
    }));
}

/// A file that is not what its extension says. What a parser says may quote a cell, so it is not passed on.
pub(super) fn damaged(path: &Path, format: &'static str) -> ReadError {
    ReadError::Damaged {
        path: path.into(),
        format,
    }
}
