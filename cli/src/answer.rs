//! An [`Answer`] is what a command has to say.

/// What a command has to say: for people, for programs, and whether all is well.
pub struct Answer {
    pub text: String,
    pub json: serde_json::Value,
    pub holds: bool,
}
