//! [`EntityDemand`]: what must hold of persons whose rows are in several tables.

use scumble_table::ColumnId;

use crate::{Demand, Diversity, QuasiIdentifier, Secrets, Template};

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
        };
        Template {
            of: QuasiIdentifier::all(Vec::new()),
            demand,
        }
    }
}
