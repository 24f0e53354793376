//! An [`Answer`] is what a command has to say.
//!
//! For programs that is one result, of the library or of the command, and nothing else: no command adds to it, so that every edge
//! has the same names.

use serde::Serialize;
use serde_json::Value;

/// What a command has to say: for people, for programs, and whether all is well.
pub struct Answer {
    pub text: String,
    pub json: Value,
    pub holds: bool,
}

impl Answer {
    /// The answer of a command that does what it was asked for.
    pub fn done(text: String, result: &impl Serialize) -> Answer {
        Answer::new(text, result, true)
    }

    /// An answer that may be that something does not hold.
    pub fn new(text: String, result: &impl Serialize, holds: bool) -> Answer {
        // Paths, which need not be Unicode, are texts in our results; nothing else of them could fail.
        let json = serde_json::to_value(result).expect("our own types are plain JSON");
        Answer { text, json, holds }
    }
}
