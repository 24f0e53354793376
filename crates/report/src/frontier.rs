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

use scumble_privacy::Sense;
use serde::Serialize;

use crate::Level;

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

impl Frontier {
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
}
