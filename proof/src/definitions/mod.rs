//! The checker: every promise of `docs/guarantees.md`, written from its words, in the slowest and most obvious way.
//!
//! It sees a release as text, and the policy as it was drawn. A [`Template`] measures each group of rows that show the
//! same; the worst measure is its level. Nothing here knows how a release was found.

mod anonymity;
mod closeness;
mod confidence;
mod diversity;
pub mod families;
mod frequency;
pub mod groups;
pub mod join;
mod k_map;
pub mod labels;
mod personal;
mod ranges;
mod sight;
mod template;
pub mod versions;

use groups::{Groups, groups_of, subsets};

pub use sight::{Past, Sight};
pub use template::{Measure, Template, templates};

impl Template {
    /// The level of the worst group, infinite if there is no end to it; `None` if a column is lacking or no group is
    /// there.
    pub fn level(&self, sight: &Sight) -> Option<f64> {
        let on_join = !sight.earlier.is_empty() && matches!(self.measure, Measure::Rows(_) | Measure::Share(_));
        if on_join {
            return join::level(self, sight);
        }
        let known = match &sight.by_group {
            Some(group) => vec![vec![group.clone()]],
            None => subsets(&self.of, self.any.unwrap_or(self.of.len())),
        };
        let mut worst: Option<f64> = None;
        for columns in known {
            let groups = groups_of(sight, &columns)?;
            for level in self.levels(sight, &columns, &groups)? {
                worst = Some(worst.map_or(level, |worst| self.worse(worst, level)));
            }
        }
        worst
    }

    fn levels(&self, sight: &Sight, columns: &[String], groups: &Groups) -> Option<Vec<f64>> {
        let levels = match &self.measure {
            Measure::Rows(per) => anonymity::levels(sight, groups, per)?,
            Measure::People => k_map::levels(sight, columns, groups)?,
            Measure::Share(about) => confidence::levels(sight, groups, about)?,
            Measure::Spread(spread, about) => diversity::levels(sight, groups, *spread, about)?,
            Measure::Distance(distance, about) => closeness::levels(sight, groups, *distance, about)?,
            Measure::Delta(about) => frequency::delta(sight, groups, about)?,
            Measure::Beta(enhanced, about) => frequency::beta(sight, groups, *enhanced, about)?,
            Measure::Guarded(about, guarding) => personal::levels(sight, groups, about, guarding)?,
            Measure::Ranges(about) => ranges::levels(sight, groups, about)?,
        };
        Some(levels)
    }
}
