//! What the page of a release says of the run itself.

/// What the page of a release says of the run itself.
pub(crate) struct ReleaseFacts {
    /// The file name of the data.
    pub data: String,
    /// The file name of the released table.
    pub file: &'static str,
    /// The number of steps after which the search was told to stop.
    pub steps: Option<usize>,
}
