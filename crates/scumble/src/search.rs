//! [`Search`]: what is asked of a search, beside what the policy says.

use scumble_report::Certificate;

use crate::frontier::AtLevel;

/// What is asked of a search, beside what the policy says.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Mask as this certificate does, instead of searching.
    pub mask: Option<Certificate>,
    /// Stop before the level of any template of these kinds gets worse than this.
    pub at_level: Vec<AtLevel>,
}
