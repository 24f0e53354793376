//! [`EntityDemand`]: what must hold of persons whose rows are in several tables.

use scumble_table::ColumnId;

use crate::{Demand, Distance, Diversity, QuasiIdentifier, Secrets, Template};

/// What must hold of persons.
#[derive(Clone, Debug, PartialEq)]
pub enum EntityDemand {
    /// At least `k` persons have the same tree of quasi values.
    Anonymity {
        /// The bound.
        k: u64,
    },
    /// At most this share of the persons of a group of rows have a secret in one of these rows.
    Confidence {
        /// The bound, in (0, 1].
        at_most: f64,
        /// The table of the groups.
        table: usize,
        /// The secrets, of a column of it.
        about: Secrets,
    },
    /// Sensitive values are well represented in every group of rows.
    Diversity {
        /// The table of the groups.
        table: usize,
        /// The sensitive column of it.
        about: ColumnId,
        /// How well.
        measure: Diversity,
    },
    /// The sensitive values of the rows of every group are distributed almost as those of all rows of the table.
    Closeness {
        /// The table of the groups.
        table: usize,
        /// The sensitive column of it.
        about: ColumnId,
        /// The bound on the earth mover's distance, in [0, 1].
        at_most: f64,
        /// How far values are from each other.
        distance: Distance,
    },
    /// In no group is a value much more or much less frequent than in all: neither among rows, nor among persons by
    /// whether they have it in one of their rows.
    DeltaDisclosure {
        /// The table of the groups.
        table: usize,
        /// The sensitive column of it.
        about: ColumnId,
        /// The bound, above 0; it is not reached.
        below: f64,
    },
    /// In no group is a value much more frequent than in all: neither among rows, nor among persons by whether they have
    /// it in one of their rows.
    BetaLikeness {
        /// The table of the groups.
        table: usize,
        /// The sensitive column of it.
        about: ColumnId,
        /// The bound, above 0.
        at_most: f64,
        /// Whether the gain of a value is also at most −ln q.
        enhanced: bool,
    },
}

impl EntityDemand {
    /// The template of one table that has the same bound and measure: its kind, bound and sense are those of the demand.
    /// It is of no columns, because groups are not made from the columns of one table.
    pub fn template(&self) -> Template {
        let demand = match self {
            EntityDemand::Anonymity { k } => Demand::Anonymity { k: *k, per: Vec::new() },
            EntityDemand::Confidence { at_most, about, .. } => Demand::Confidence {
                at_most: *at_most,
                about: vec![about.clone()],
            },
            EntityDemand::Diversity { about, measure, .. } => Demand::Diversity {
                about: *about,
                measure: *measure,
            },
            EntityDemand::Closeness {
                about,
                at_most,
                distance,
                ..
            } => Demand::Closeness {
                about: *about,
                at_most: *at_most,
                distance: distance.clone(),
            },
            EntityDemand::DeltaDisclosure { about, below, .. } => Demand::DeltaDisclosure {
                about: *about,
                below: *below,
            },
            EntityDemand::BetaLikeness {
                about,
                at_most,
                enhanced,
                ..
            } => Demand::BetaLikeness {
                about: *about,
                at_most: *at_most,
                enhanced: *enhanced,
            },
        };
        Template {
            of: QuasiIdentifier::all(Vec::new()),
            demand,
        }
    }
}
