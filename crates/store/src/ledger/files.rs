//! The names of the files of a ledger.

use std::ffi::OsStr;

/// The file of entries.
pub(super) const ENTRIES: &str = "entries.jsonl";

/// What is to take its place, while that is written.
pub(super) const NEXT: &str = ".entries.jsonl.next";

/// The file that is locked.
pub(super) const LOCK: &str = "lock";

/// Whether a file in the folder of a ledger is one of its own.
pub(super) fn is_own_file(name: &OsStr) -> bool {
    [ENTRIES, NEXT, LOCK].iter().any(|own| name == *own)
}
