//! Figures 4.9 to 4.11: UM, DM and MPM by `k`.

use std::path::Path;

use crate::summary::largest;
use crate::{Bound, Claim, Result, Sheet};

use super::people::People;
use super::recoding::{Recoding, Weighed};
use super::release::Figures;
use super::row;

/// Rows of Adult: k-member compares all pairs.
pub(super) const ADULT_ROWS: usize = 10_000;

const KS: [u64; 5] = [5, 10, 25, 50, 100];

/// "Close to" and "comparable": we take a tenth of the domain.
const CLOSE: f64 = 0.1;

const METHODS: [(&str, Recoding); 4] = [
    ("TOC", Recoding::Toc(Weighed::EVENLY)),
    ("Mondrian", Recoding::Mondrian),
    ("k-member", Recoding::KMember),
    ("k-member-p", Recoding::KMemberP),
];

/// The figures of the methods, in their order, for one `k`.
struct Point {
    k: u64,
    figures: [Figures; 4],
}

/// One experiment for the three figures.
pub fn measures_by_k(data: &Path) -> Result<Sheet> {
    let people = People::adult(data, ADULT_ROWS)?;
    let point = |k: u64| -> Result<Point> {
        let figures = METHODS.map(|(_, method)| method.release(&people, k).map(|release| release.figures()));
        let [toc, mondrian, member, member_p] = figures;
        Ok(Point {
            k,
            figures: [toc?, mondrian?, member?, member_p?],
        })
    };
    let points = KS.into_iter().map(point).collect::<Result<Vec<_>>>()?;
    Ok(Sheet {
        title: "Figures 4.9 to 4.11 of Loukides: UM, DM and MPM, Adult".to_owned(),
        notes: vec![
            format!("{ADULT_ROWS} rows of Adult; the thesis has 30,162."),
            "DM is per row: the average size of the group that a row is in.".to_owned(),
        ],
        unit: "shares of the domain; DM in rows",
        header: vec!["k", "method", "UM", "DM", "MPM"],
        rows: points.iter().flat_map(rows).collect(),
        claims: claims(&points),
    })
}

fn rows(point: &Point) -> impl Iterator<Item = Vec<String>> {
    METHODS.iter().zip(&point.figures).map(|((name, _), figures)| {
        let Figures {
            utility,
            discernibility,
            protection,
            ..
        } = *figures;
        row([&point.k, name], &[utility, discernibility, protection])
    })
}

fn claims(points: &[Point]) -> Vec<Claim> {
    let over = |of: &dyn Fn(&[Figures; 4]) -> f64| largest(points.iter().map(|point| of(&point.figures)));
    let utility_at = |k: u64, place: usize| {
        let point = points.iter().find(|point| point.k == k);
        point.map_or(f64::NAN, |point| point.figures[place].utility)
    };
    let at_most = |what: &str, paper: f64, ours: f64| Claim::new(what, Bound::AtMost, paper, ours);
    vec![
        at_most(
            "4.9: largest UM of TOC / of Mondrian",
            1.0,
            over(&|f| f[0].utility / f[1].utility),
        ),
        at_most(
            "4.9: UM of TOC at k = 25 − of Mondrian at k = 5 (\"comparable\")",
            CLOSE,
            utility_at(25, 0) - utility_at(5, 1),
        ),
        at_most(
            "4.9: largest UM of TOC − of k-member (\"close\")",
            CLOSE,
            over(&|f| f[0].utility - f[2].utility),
        ),
        at_most(
            "4.10: largest DM of TOC / of Mondrian",
            1.0,
            over(&|f| f[0].discernibility / f[1].discernibility),
        ),
        at_most(
            "4.11: largest MPM of TOC / of the better of Mondrian and k-member",
            1.0,
            over(&|f| f[0].protection / f[1].protection.min(f[2].protection)),
        ),
        at_most(
            "4.11: largest MPM of TOC − of k-member-p (\"comparable\")",
            CLOSE,
            over(&|f| f[0].protection - f[3].protection),
        ),
    ]
}
