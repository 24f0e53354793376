//! [`Shortfall`]: a template that does not hold, in words.

use scumble_bind::{Plan, nearest_bound};
use scumble_report::Level;

/// A template that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortfall {
    /// The template in words, its bound included.
    pub template: String,
    /// The level it reaches, in words.
    pub level: String,
    /// The bounds that would hold, in words: `at most 3`. `None` if there are none.
    pub nearest: Option<String>,
    /// Whether a finer table fails, too.
    pub final_for_finer: bool,
}

/// The templates that do not hold, given the level of each and whether it holds.
pub(crate) fn shortfalls(plan: &Plan, levels: impl IntoIterator<Item = (f64, bool)>) -> Vec<Shortfall> {
    let templates = plan.requirement.templates.iter().zip(levels);
    templates
        .filter(|(_, (_, holds))| !holds)
        .map(|(template, (level, _))| Shortfall {
            template: plan.describe(template),
            level: Level::of(template, level).written(template.sense()),
            nearest: nearest_bound(template, level),
            final_for_finer: template.is_anti_monotone(),
        })
        .collect()
}

/// The templates that fail, each with the bound that would hold.
pub(crate) fn possible(shortfalls: &[Shortfall]) -> String {
    let told = |s: &Shortfall| {
        let nearest = match &s.nearest {
            Some(nearest) => format!("a bound of {nearest} can be met"),
            None => "no bound can be met".to_owned(),
        };
        let finer = if s.final_for_finer {
            ""
        } else {
            "; a finer table might still meet it, which the search does not look for"
        };
        format!("{} reaches {}; {nearest}{finer}", s.template, s.level)
    };
    shortfalls.iter().map(told).collect::<Vec<_>>().join("; ")
}

/// The templates that fail, each with its level.
pub(crate) fn reached(shortfalls: &[Shortfall]) -> String {
    let told = |s: &Shortfall| format!("{} reaches {}", s.template, s.level);
    shortfalls.iter().map(told).collect::<Vec<_>>().join("; ")
}
