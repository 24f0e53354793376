//! What a release shows of the columns of a plan: as they are, masked, or as secrets in a table of their own.
//!
//! | column | one table | secrets apart |
//! |---|---|---|
//! | quasi | masked | as it is |
//! | quasi, in no template | as it is | as it is |
//! | sensitive | as it is | in the other table |
//! | class, other | as it is | as it is |

use scumble_attack::ShownColumns;
use scumble_privacy::{Demand, JoinDemand};
use scumble_table::ColumnId;

use crate::plan::Plan;
use scumble_policy::Role;

impl Plan {
    /// How each column is shown; `apart`, if the secrets are.
    pub fn shown_columns(&self, apart: bool) -> ShownColumns {
        let mut shown = ShownColumns::default();
        let in_templates = self.in_templates();
        let published = self
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.is_published());
        for (id, column) in published {
            let id = ColumnId(id);
            let among = match column.role {
                Role::Quasi if !apart && in_templates.contains(&id) => &mut shown.masked,
                Role::Sensitive if apart => &mut shown.secrets,
                Role::Identifier | Role::Quasi | Role::Sensitive | Role::Class | Role::Other => &mut shown.as_they_are,
            };
            among.push(id);
        }
        shown
    }

    /// The largest group that a template asks for.
    pub fn group_asked(&self) -> Option<u64> {
        let asked = self
            .requirement
            .templates
            .iter()
            .filter_map(|template| match &template.demand {
                Demand::Anonymity { k, .. } => Some(*k),
                Demand::Joined(joined) => match &joined.demand {
                    JoinDemand::Anonymity { k, .. } => Some(*k),
                    JoinDemand::Confidence { .. } => None,
                },
                Demand::KMap { .. }
                | Demand::Confidence { .. }
                | Demand::Diversity { .. }
                | Demand::Closeness { .. }
                | Demand::DeltaDisclosure { .. }
                | Demand::BetaLikeness { .. }
                | Demand::Personal { .. }
                | Demand::RangeDiversity { .. } => None,
            });
        asked.max()
    }
}
