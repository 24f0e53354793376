//! A [`Way`] to mask Adult: by which taxonomies, for which objective. Those of the thesis are not available, and much
//! depends on them.

use crate::Trees;
use crate::trial::THESIS;

/// Taxonomies, an objective, and both in words.
pub struct Way {
    /// The taxonomies.
    pub trees: Trees,
    /// The objective of the search, in the words of a policy.
    pub objective: &'static str,
    /// What claims call it.
    pub words: &'static str,
}

impl Way {
    /// The way that we would take.
    pub const OURS: Way = Way {
        trees: Trees::Household,
        objective: "classification",
        words: "household trees, objective classification",
    };

    /// As near to the thesis as we can get: its objective, and trees with as many levels as its own.
    pub const NEAREST: Way = Way {
        trees: Trees::Own,
        objective: THESIS,
        words: "trees of the data folder, objective of the thesis",
    };
}
