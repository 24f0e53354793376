//! Points of a [`Frontier`], picked by the level that they have.

use std::str::FromStr;

use scumble_privacy::{Sense, Template};
use scumble_report::{Frontier, FrontierPoint, FrontierTemplate, Level, TraceFile};

use crate::errors::{LevelFault, SearchError};
use scumble_bind::Plan;

/// A level at which to stop: `anonymity=50`.
#[derive(Clone, Debug, PartialEq)]
pub struct AtLevel {
    /// The kind of the templates that must have it.
    pub kind: String,
    /// The level.
    pub level: f64,
}

impl FromStr for AtLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, level) = text
            .split_once('=')
            .ok_or("expected KIND=LEVEL, such as anonymity=50")?;
        let level: f64 = level.trim().parse().map_err(|_| "the level is not a number")?;
        if !level.is_finite() {
            return Err("the level is not a number".to_owned());
        }
        Ok(AtLevel {
            kind: kind.trim().to_owned(),
            level,
        })
    }
}

/// The curve of a trace, of which the release after `released` steps was published.
pub(crate) fn frontier(plan: &Plan, trace: &TraceFile, released: usize) -> Frontier {
    let templates = plan.requirement.templates.iter().map(|template| FrontierTemplate {
        template: plan.describe(template),
        kind: template.kind(),
        bound: Level::of(template, template.bound()),
        lower_is_better: template.sense() == Sense::AtMost,
    });
    let start = FrontierPoint {
        step: 0,
        levels: trace.start.clone(),
        information_loss: trace.start_information_loss,
        rows_left_out: 0,
    };
    let steps = trace.steps.iter().zip(1..).map(|(step, number)| FrontierPoint {
        step: number,
        levels: step.levels.clone(),
        information_loss: step.information_loss,
        rows_left_out: step.rows_left_out,
    });
    Frontier {
        templates: templates.collect(),
        points: std::iter::once(start).chain(steps).collect(),
        released,
    }
}

/// How many steps of a trace may be taken before a template of the kind gets worse than the level.
///
/// # Errors
/// A kind that the policy does not ask for, a level that is looser than its bound, one that no step has.
pub(crate) fn steps_at_level(plan: &Plan, trace: &TraceFile, at: &AtLevel) -> Result<usize, SearchError> {
    let templates = plan.requirement.templates.iter().enumerate();
    let asked: Vec<_> = templates.filter(|(_, template)| template.kind() == at.kind).collect();
    let wrong = |reason: LevelFault| SearchError::AtLevel {
        kind: at.kind.clone(),
        level: at.level,
        reason,
    };
    if asked.is_empty() {
        let mut kinds: Vec<&str> = plan
            .requirement
            .templates
            .iter()
            .map(|template| template.kind())
            .collect();
        kinds.dedup();
        let kinds = kinds.into_iter().map(str::to_owned).collect();
        return Err(wrong(LevelFault::NotAskedFor { kinds }));
    }
    let is_as_good = |sense: Sense, level: f64, bound: f64| match sense {
        Sense::AtLeast => level >= bound,
        Sense::AtMost => level <= bound,
    };
    let is_looser = |template: &Template| !is_as_good(template.sense(), at.level, template.bound());
    if asked.iter().all(|(_, template)| is_looser(template)) {
        let template = plan.describe(asked[0].1);
        return Err(wrong(LevelFault::Looser { template }));
    }
    let has_level = |levels: &[Level]| {
        asked
            .iter()
            .all(|(place, template)| is_as_good(template.sense(), levels[*place].number(), at.level))
    };
    if !has_level(&trace.start) {
        let (place, template) = asked[0];
        let best = trace.start[place].written(template.sense());
        return Err(wrong(LevelFault::OutOfReach { best }));
    }
    Ok(trace.steps.iter().take_while(|step| has_level(&step.levels)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_kind_and_a_number() {
        let read = |text: &str| text.parse::<AtLevel>();
        assert_eq!(
            read("anonymity=50"),
            Ok(AtLevel {
                kind: "anonymity".into(),
                level: 50.0
            })
        );
        for wrong in ["anonymity", "anonymity=", "anonymity=much", "anonymity=inf"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
