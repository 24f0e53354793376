//! The [`Frontier`]: what one more unit of privacy costs, read off one trace.
//!
//! Refinement passes through every level down to the bound that is asked for, and every step leaves a release. So the
//! trace of one search is a curve of use against privacy:
//!
//! | step | anonymity | information loss |
//! |---|---|---|
//! | 0 | 34 | 100 % |
//! | 1 | 16 | 73 % |
//! | 2 | 16 | 61 % |
//! | 3 | 4 | 48 % |
//!
//! At level 16 the best is step 2; going from 16 down to 4 saves 13 points of information. A search for 16 from the
//! start may do better than step 2, because it goes on with refinements that keep the level where this one gave it up.

use std::str::FromStr;

use scumble_privacy::{Sense, Template};
use scumble_report::{Level, TraceFile};
use serde::Serialize;

use crate::error::Error;
use crate::plan::Plan;
use crate::policy::list;

/// The releases that one search passed through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frontier {
    /// The templates whose levels each point has, in policy order.
    pub templates: Vec<FrontierTemplate>,
    /// One per step, and before them the most masked table.
    pub points: Vec<FrontierPoint>,
    /// The point that was released.
    pub released: usize,
}

/// A template of a frontier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrontierTemplate {
    /// In words, its bound included.
    pub template: String,
    /// Its kind.
    pub kind: &'static str,
    /// What is asked of it.
    pub bound: Level,
    /// Whether a lower level is a better one.
    pub lower_is_better: bool,
}

/// A release that the search passed through.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrontierPoint {
    /// Refinements made.
    pub step: usize,
    /// The level of each template.
    pub levels: Vec<Level>,
    /// The average certainty penalty of the quasi cells.
    pub information_loss: f64,
    /// Rows left out.
    pub rows_left_out: u64,
}

/// A level at which to stop: `anonymity=50`.
#[derive(Clone, Debug, PartialEq)]
pub struct AtLevel {
    /// The kind of the templates that must have it.
    pub kind: String,
    /// The level.
    pub level: f64,
}

impl FrontierTemplate {
    /// One of its levels in words.
    pub fn written(&self, level: Level) -> String {
        let sense = if self.lower_is_better {
            Sense::AtMost
        } else {
            Sense::AtLeast
        };
        level.written(sense)
    }
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

impl Frontier {
    /// The curve of a trace, of which the release after `released` steps was published.
    pub(crate) fn new(plan: &Plan, trace: &TraceFile, released: usize) -> Frontier {
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

    /// For each level that a template had on the way, the last point that has it, which is the most useful one; the
    /// strictest level first, and no more than `at_most` of them, evenly taken, the first and the last included.
    pub fn best_at_each_level(&self, template: usize, at_most: usize) -> Vec<&FrontierPoint> {
        let same = |a: &FrontierPoint, b: &FrontierPoint| a.levels[template] == b.levels[template];
        let best: Vec<&FrontierPoint> = self.points.chunk_by(same).filter_map(<[_]>::last).collect();
        if best.len() <= at_most || at_most < 2 {
            return best;
        }
        let place = |number: usize| number * (best.len() - 1) / (at_most - 1);
        (0..at_most).map(|number| best[place(number)]).collect()
    }
}

/// How many steps of a trace may be taken before a template of the kind gets worse than the level.
///
/// # Errors
/// A kind that the policy does not ask for, a level that is looser than its bound, one that no step has.
pub(crate) fn steps_at_level(plan: &Plan, trace: &TraceFile, at: &AtLevel) -> Result<usize, Error> {
    let templates = plan.requirement.templates.iter().enumerate();
    let asked: Vec<_> = templates.filter(|(_, template)| template.kind() == at.kind).collect();
    let wrong = |reason: String| Error::AtLevel {
        asked: format!("{}={}", at.kind, at.level),
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
        return Err(wrong(format!("the policy asks for {}", list(kinds.into_iter()))));
    }
    let is_as_good = |sense: Sense, level: f64, bound: f64| match sense {
        Sense::AtLeast => level >= bound,
        Sense::AtMost => level <= bound,
    };
    let is_looser = |template: &Template| !is_as_good(template.sense(), at.level, template.bound());
    if asked.iter().all(|(_, template)| is_looser(template)) {
        let bound = plan.describe(asked[0].1);
        return Err(wrong(format!("looser than what the policy asks for anyway: {bound}")));
    }
    let has_level = |levels: &[Level]| {
        asked.iter().all(|(place, template)| {
            let level = match levels[*place] {
                Level::Count(count) => count as f64,
                Level::Measure(measure) => measure,
                Level::Infinite => f64::INFINITY,
            };
            is_as_good(template.sense(), level, at.level)
        })
    };
    if !has_level(&trace.start) {
        let (place, template) = asked[0];
        let best = trace.start[place].written(template.sense());
        return Err(wrong(format!(
            "not even the most masked table has this level; it has {best}"
        )));
    }
    Ok(trace.steps.iter().take_while(|step| has_level(&step.levels)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frontier(levels: &[u64]) -> Frontier {
        let point = |(step, &level): (usize, &u64)| FrontierPoint {
            step,
            levels: vec![Level::Count(level)],
            information_loss: 1.0 - step as f64 / 10.0,
            rows_left_out: 0,
        };
        Frontier {
            templates: Vec::new(),
            points: levels.iter().enumerate().map(point).collect(),
            released: levels.len() - 1,
        }
    }

    #[test]
    fn the_last_step_at_a_level_is_the_most_useful() {
        let frontier = frontier(&[34, 16, 16, 4]);
        let steps = |at_most| -> Vec<usize> {
            let best = frontier.best_at_each_level(0, at_most);
            best.iter().map(|point| point.step).collect()
        };
        assert_eq!(steps(12), [0, 2, 3]);
        assert_eq!(steps(2), [0, 3]);
    }

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
