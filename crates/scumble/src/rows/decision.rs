//! [`Decision`]: how a table becomes a release, and how that was found.

use scumble_refine::Objective;
use scumble_report::{Frontier, TraceFile};

use super::recoding::Recoding;
use crate::stops::Stop;

/// What was decided: how the table becomes a release, and the rows to leave out; how, if it was searched for.
#[derive(Debug)]
pub(crate) struct Decision {
    pub recoding: Recoding,
    pub left_out: Option<Vec<bool>>,
    /// What the page says of how it was found.
    pub notes: Vec<String>,
    pub trace: Option<TraceFile>,
    pub frontier: Option<Frontier>,
    pub stops: Vec<Stop>,
    /// What a refinement was worth; `None` if nothing was searched for.
    pub objective: Option<Objective>,
    /// The number of steps after which the search was told to stop.
    pub steps: Option<usize>,
    /// Whether the masks are those of another release.
    pub is_taken_over: bool,
}

impl Decision {
    /// A recoding, and nothing to say of it.
    pub fn by(recoding: Recoding) -> Self {
        Decision {
            recoding,
            left_out: None,
            notes: Vec::new(),
            trace: None,
            frontier: None,
            stops: Vec::new(),
            objective: None,
            steps: None,
            is_taken_over: false,
        }
    }
}
