//! Figures 4.3 and 4.4: utility and protection weighed together, by `k` and by weight.

use std::path::Path;

use scumble_grouping::Nearest;

use crate::summary::largest;
use crate::{Bound, Claim, Result, Sheet};

use super::measures::ADULT_ROWS;
use super::people::People;
use super::recoding::{Recoding, Weighed};
use super::release::Figures;
use super::row;

/// The thresholds; the thesis has more between them.
const KS: [u64; 5] = [5, 10, 25, 50, 100];

/// The weights of utility; protection has the rest.
const WEIGHTS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// The threshold of figure 4.4.
const K: u64 = 10;

/// "Did not significantly affect": we take a tenth.
const NOT_SIGNIFICANT: f64 = 1.1;

const HEADER: [&str; 7] = [
    "",
    "TOC",
    "TOC, one subspace",
    "TOC, rows nearest to the seed",
    "Mondrian",
    "k-member",
    "k-member-p",
];

/// The methods that know nothing of weights.
const OTHERS: [Recoding; 3] = [Recoding::Mondrian, Recoding::KMember, Recoding::KMemberP];

/// What each method comes to: first TOC, then TOC in one subspace and by the letter of the thesis, then the others.
struct Point {
    setting: String,
    scores: [f64; 6],
}

impl Point {
    fn new(setting: String, utility_weight: f64, toc: [Figures; 3], others: [Figures; 3]) -> Point {
        let score = |figures: Figures| utility_weight * figures.utility + (1.0 - utility_weight) * figures.protection;
        let [toc, whole, around_seed] = toc.map(score);
        let [mondrian, member, member_p] = others.map(score);
        let scores = [toc, whole, around_seed, mondrian, member, member_p];
        Point { setting, scores }
    }

    /// TOC beside the best of the others.
    fn to_others(&self) -> f64 {
        self.scores[0] / self.scores[3..].iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn to_one_subspace(&self) -> f64 {
        self.scores[0] / self.scores[1]
    }
}

/// Figure 4.3: equal weights, for several `k`.
pub fn trade_off_by_k(data: &Path) -> Result<Sheet> {
    let people = People::adult(data, ADULT_ROWS)?;
    let point = |k: u64| -> Result<Point> {
        let toc = toc(&people, 0.5, k)?;
        Ok(Point::new(format!("k = {k}"), 0.5, toc, others(&people, k)?))
    };
    let points = KS.into_iter().map(point).collect::<Result<Vec<_>>>()?;
    Ok(sheet(
        "Figure 4.3 of Loukides: utility and protection, weighed evenly, Adult",
        &points,
    ))
}

/// Figure 4.4: several weights, for one `k`.
pub fn trade_off_by_weight(data: &Path) -> Result<Sheet> {
    let people = People::adult(data, ADULT_ROWS)?;
    let others = others(&people, K)?;
    let point = |weight: f64| -> Result<Point> {
        let setting = format!("w_u = {weight}");
        Ok(Point::new(setting, weight, toc(&people, weight, K)?, others))
    };
    let points = WEIGHTS.into_iter().map(point).collect::<Result<Vec<_>>>()?;
    let title = format!("Figure 4.4 of Loukides: utility and protection by weight, Adult, k = {K}");
    Ok(sheet(&title, &points))
}

/// With subspaces, in one, and with subspaces by the letter of the thesis.
fn toc(people: &People, weight: f64, k: u64) -> Result<[Figures; 3]> {
    let parted = Weighed::by(weight);
    let whole = Weighed {
        subspace: Some(people.table.rows()),
        ..parted
    };
    let around_seed = Weighed {
        nearest: Nearest::ToSeed,
        ..parted
    };
    let figures = |weighed| -> Result<Figures> { Ok(Recoding::Toc(weighed).release(people, k)?.figures()) };
    Ok([figures(parted)?, figures(whole)?, figures(around_seed)?])
}

fn others(people: &People, k: u64) -> Result<[Figures; 3]> {
    let figures = |recoding: Recoding| -> Result<Figures> { Ok(recoding.release(people, k)?.figures()) };
    let [mondrian, member, member_p] = OTHERS.map(figures);
    Ok([mondrian?, member?, member_p?])
}

fn sheet(title: &str, points: &[Point]) -> Sheet {
    Sheet {
        title: title.to_owned(),
        notes: vec![
            format!("{ADULT_ROWS} rows of Adult; the thesis has 30,162."),
            "The weighted average of UM and MPM; less is better.".to_owned(),
        ],
        unit: "shares of the domain",
        header: HEADER.to_vec(),
        rows: points
            .iter()
            .map(|point| row([&point.setting], &point.scores))
            .collect(),
        claims: vec![
            Claim::new(
                "largest TOC / best other method",
                Bound::AtMost,
                1.0,
                largest(points.iter().map(Point::to_others)),
            ),
            Claim::new(
                "largest TOC / TOC in one subspace",
                Bound::AtMost,
                NOT_SIGNIFICANT,
                largest(points.iter().map(Point::to_one_subspace)),
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(utility: f64, protection: f64) -> Figures {
        Figures {
            utility,
            worst_utility: 1.0,
            discernibility: 5.0,
            protection,
            worst_protection: f64::NAN,
            left_out: 0.0,
        }
    }

    /// 0.2 and 0.4 make 0.3; the best other has 0.5 and 0.9, which make 0.7.
    #[test]
    fn toc_is_held_against_the_best_of_the_others() {
        let others = [figures(0.5, 0.9), figures(0.9, 0.9), figures(1.0, 0.6)];
        let toc = [figures(0.2, 0.4), figures(0.2, 0.8), figures(0.1, 0.1)];
        let point = Point::new("k = 5".to_owned(), 0.5, toc, others);
        assert!((point.to_others() - 0.3 / 0.7).abs() < 1e-12);
        assert!((point.to_one_subspace() - 0.3 / 0.5).abs() < 1e-12);
        let verdicts: Vec<String> = sheet("", &[point])
            .claims
            .iter()
            .map(|c| c.verdict().to_string())
            .collect();
        assert_eq!(verdicts, ["beats it by 0.57", "beats it by 0.50"]);
    }
}
