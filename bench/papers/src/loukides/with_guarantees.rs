//! Figures 6.4 to 6.11: UPC beside TOC, where a release must lose at most `U` and keep `P`.

use std::path::Path;

use crate::summary::largest;
use crate::{Bound, Claim, Result, Sheet};

use super::people::People;
use super::recoding::{Recoding, Weighed};
use super::release::Figures;
use super::row;

/// Rows of the census in this chapter; the thesis has 100,000.
pub(super) const CENSUS_ROWS: usize = 20_000;

/// What is asked for in figure 6.3.
pub(super) const LOSS: f64 = 0.7;
pub(super) const RANGE_DIVERSITY: f64 = 0.5;

/// UPC as asked for.
pub(super) const UPC: Recoding = Recoding::Upc {
    loss: LOSS,
    range_diversity: RANGE_DIVERSITY,
};

const KS: [u64; 2] = [2, 5];

/// δ; from the second on, says the thesis, TOC loses less than UPC.
const THRESHOLDS: [f64; 5] = [0.2, 0.3, 0.4, 0.5, 0.6];
const LOSES_LESS_FROM: f64 = 0.3;

struct Point {
    k: u64,
    /// δ of TOC; none of UPC.
    threshold: Option<f64>,
    figures: Figures,
    /// Released rows above `P`, in percent.
    unprotected: f64,
}

impl Point {
    fn new(people: &People, k: u64, threshold: Option<f64>) -> Result<Point> {
        let recoding = match threshold {
            None => UPC,
            Some(_) => Recoding::Toc(Weighed {
                threshold,
                ..Weighed::EVENLY
            }),
        };
        let release = recoding.release(people, k)?;
        Ok(Point {
            k,
            threshold,
            figures: release.figures(),
            unprotected: release.unprotected(RANGE_DIVERSITY),
        })
    }

    fn row(&self) -> Vec<String> {
        let method = self
            .threshold
            .map_or_else(|| "UPC".to_owned(), |threshold| format!("TOC, δ = {threshold}"));
        let Figures {
            worst_utility,
            utility,
            left_out,
            ..
        } = self.figures;
        row(
            [&self.k, &method],
            &[worst_utility, utility, left_out, self.unprotected],
        )
    }

    /// Whether both requirements are met.
    fn is_good(&self) -> bool {
        self.figures.worst_utility <= LOSS && self.unprotected == 0.0
    }
}

/// One experiment for the eight figures.
pub fn trade_off_or_guarantees(data: &Path) -> Result<Sheet> {
    let people = People::census(data, CENSUS_ROWS)?;
    let settings = KS.into_iter().flat_map(|k| {
        let thresholds = [None].into_iter().chain(THRESHOLDS.map(Some));
        thresholds.map(move |threshold| (k, threshold))
    });
    let points = settings.map(|(k, threshold)| Point::new(&people, k, threshold));
    let points = points.collect::<Result<Vec<Point>>>()?;
    Ok(Sheet {
        title: "Figures 6.4 to 6.11 of Loukides: UPC beside TOC, census".to_owned(),
        notes: vec![
            format!("{CENSUS_ROWS} rows of the American Community Survey of 2018, where the thesis has 100,000 of IPUMS."),
            format!("WGU is to be at most {LOSS}, and no row unprotected: in a group of range diversity above {RANGE_DIVERSITY}."),
            "Our TOC leaves nobody out: who is in no cluster joins the nearest. That of the thesis leaves out up to all rows."
                .to_owned(),
        ],
        unit: "shares of the domain; rows in percent",
        header: vec!["k", "method", "WGU", "UM", "left out", "unprotected"],
        rows: points.iter().map(Point::row).collect(),
        claims: claims(&points),
    })
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let (upc, toc): (Vec<&Point>, Vec<&Point>) = points.iter().partition(|point| point.threshold.is_none());
    let of_upc = |of: &dyn Fn(&Point) -> f64| largest(upc.iter().map(|point| of(point)));
    let wide = toc.iter().filter(|point| point.threshold >= Some(LOSES_LESS_FROM));
    let to_upc = wide.map(|point| {
        let own = upc.iter().find(|upc| upc.k == point.k);
        point.figures.utility / own.map_or(f64::NAN, |upc| upc.figures.utility)
    });
    let good = toc.iter().filter(|point| point.is_good()).count() as f64;
    vec![
        Claim::new(
            "6.4, 6.7: largest WGU of UPC",
            Bound::AtMost,
            LOSS,
            of_upc(&|point| point.figures.worst_utility),
        ),
        Claim::new(
            "6.5, 6.8: largest UM of TOC / of UPC, δ ≥ 0.3",
            Bound::AtMost,
            1.0,
            largest(to_upc),
        ),
        Claim::new(
            "6.6, 6.9: most rows that UPC leaves out",
            Bound::AtMost,
            0.0,
            of_upc(&|point| point.figures.left_out),
        ),
        Claim::new(
            "6.10, 6.11: most rows that UPC leaves unprotected",
            Bound::AtMost,
            0.0,
            of_upc(&|point| point.unprotected),
        ),
        Claim::new("releases of TOC that meet both requirements", Bound::AtMost, 0.0, good),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(threshold: Option<f64>, utility: f64, unprotected: f64) -> Point {
        Point {
            k: 2,
            threshold,
            figures: Figures {
                utility,
                worst_utility: 0.7,
                discernibility: 2.0,
                protection: 0.5,
                worst_protection: 0.5,
                left_out: 0.0,
            },
            unprotected,
        }
    }

    /// δ = 0.2 is not held against UPC; one release of TOC is good by chance.
    #[test]
    fn toc_is_compared_from_a_threshold_on() {
        let points = [
            point(None, 0.4, 0.0),
            point(Some(0.2), 0.8, 3.0),
            point(Some(0.3), 0.2, 0.0),
        ];
        let ours: Vec<f64> = claims(&points).iter().map(|claim| claim.ours).collect();
        assert_eq!(ours, [0.7, 0.5, 0.0, 0.0, 1.0]);
    }
}
