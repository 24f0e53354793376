//! Figures 6.32 to 6.35: what `U` and `P` do.

use std::path::Path;

use crate::summary::largest;
use crate::{Bound, Claim, Result, Sheet};

use super::people::{LEVEL_2, Normal, People, normal_ranges};
use super::recoding::Recoding;
use super::release::Figures;
use super::synthetic::DEVIATION;
use super::{rises, row};

const ROWS: usize = 20_000;
const K: u64 = 25;

/// `U` while `P` is varied, and the other way around.
const LOSS: f64 = 0.3;
const RANGE_DIVERSITY: f64 = 0.5;

const VARIED: [f64; 6] = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0];

/// "Relatively low": we take a tenth of the domain.
const LOW: f64 = 0.1;

struct Point {
    loss: f64,
    range_diversity: f64,
    figures: Figures,
}

impl Point {
    fn new(people: &People, loss: f64, range_diversity: f64) -> Result<Point> {
        let upc = Recoding::Upc { loss, range_diversity };
        Ok(Point {
            loss,
            range_diversity,
            figures: upc.release(people, K)?.figures(),
        })
    }

    fn row(&self) -> Vec<String> {
        row(
            [&self.loss, &self.range_diversity],
            &[self.figures.utility, self.figures.left_out],
        )
    }
}

/// One experiment for the four figures.
pub fn bounds_varied(_: &Path) -> Result<Sheet> {
    let people = People::normal(&Normal {
        rows: ROWS,
        quasi: 5,
        secrets: 1,
        deviation: DEVIATION,
        ranges: Some(normal_ranges(&LEVEL_2)?),
    })?;
    let by_range = VARIED.map(|range_diversity| Point::new(&people, LOSS, range_diversity));
    let by_range = by_range.into_iter().collect::<Result<Vec<Point>>>()?;
    let by_loss = VARIED.map(|loss| Point::new(&people, loss, RANGE_DIVERSITY));
    let by_loss = by_loss.into_iter().collect::<Result<Vec<Point>>>()?;
    Ok(Sheet {
        title: format!("Figures 6.32 to 6.35 of Loukides: U and P varied, made-up people, k = {K}"),
        notes: vec![
            format!("{ROWS} rows of integers, normal, standard deviation {DEVIATION}; the thesis has 50,000."),
            "Not a number: all rows are left out, and there is no group to measure.".to_owned(),
        ],
        unit: "shares of the domain; rows in percent",
        header: vec!["U", "P", "UM", "left out"],
        rows: by_range.iter().chain(&by_loss).map(Point::row).collect(),
        claims: claims(&by_range, &by_loss),
    })
}

fn claims(by_range: &[Point], by_loss: &[Point]) -> Vec<Claim> {
    let left_out = |points: &[Point]| rises(&points.iter().map(|point| point.figures.left_out).collect::<Vec<_>>());
    // Where there is no group, UM is not a number, and `largest` passes over it.
    let above = |points: &[Point]| largest(points.iter().map(|point| point.figures.utility - point.loss));
    let unprotected = by_range.last().map_or(f64::NAN, |point| point.figures.utility);
    let costs = by_range.iter().map(|point| point.figures.utility - unprotected);
    let at_most = |what: &str, paper: f64, ours: f64| Claim::new(what, Bound::AtMost, paper, ours);
    vec![
        at_most("6.32: largest UM − U", 0.0, above(by_range)),
        at_most(
            "6.32: largest UM − UM at P = 1 (\"relatively low\")",
            LOW,
            largest(costs),
        ),
        at_most(
            "6.33: steps to a larger P at which more rows are left out",
            0.0,
            left_out(by_range),
        ),
        at_most("6.34: largest UM − U", 0.0, above(by_loss)),
        at_most(
            "6.35: steps to a larger U at which more rows are left out",
            0.0,
            left_out(by_loss),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(loss: f64, utility: f64, left_out: f64) -> Point {
        Point {
            loss,
            range_diversity: 0.5,
            figures: Figures {
                utility,
                worst_utility: loss,
                discernibility: 25.0,
                protection: 0.1,
                worst_protection: 0.5,
                left_out,
            },
        }
    }

    #[test]
    fn a_release_without_groups_breaks_no_bound() {
        let points = [
            point(0.1, f64::NAN, 100.0),
            point(0.3, 0.25, 10.0),
            point(0.5, 0.3, 20.0),
        ];
        let ours: Vec<f64> = claims(&points, &points).iter().map(|claim| claim.ours).collect();
        assert!((ours[0] - (0.25 - 0.3)).abs() < 1e-12);
        assert_eq!(
            (ours[2], ours[4]),
            (1.0, 1.0),
            "more rows are left out in the last step"
        );
    }
}
