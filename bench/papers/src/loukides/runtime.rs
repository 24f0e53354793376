//! Figures 4.1 and 4.2: how long methods take beside each other.

use std::path::Path;
use std::time::Instant;

use crate::summary::{largest, smallest};
use crate::{Bound, Claim, Result, Sheet};

use super::people::People;
use super::recoding::{Recoding, Weighed};
use super::row;

const ROWS: [usize; 4] = [1_000, 2_500, 5_000, 10_000];

const K_BY_ROWS: u64 = 5;
const K_BY_SUBSPACE: u64 = 10;

/// Subspaces of figure 4.2; the last has all rows.
const SUBSPACES: [usize; 4] = [50, 500, 5_000, 30_162];

/// Each time is the shortest of so many.
const TURNS: usize = 3;

/// Seconds of one size.
struct Times {
    rows: usize,
    mondrian: f64,
    member: f64,
    toc: f64,
    toc_whole: f64,
}

/// Figure 4.1: by the number of rows.
pub fn runtime_by_rows(data: &Path) -> Result<Sheet> {
    let adult = People::adult(data, usize::MAX)?;
    let times = ROWS.map(|rows| {
        let people = adult.sample(rows);
        let whole = Weighed {
            subspace: Some(rows),
            ..Weighed::EVENLY
        };
        let seconds = |recoding: Recoding| seconds(recoding, &people, K_BY_ROWS);
        Ok(Times {
            rows,
            mondrian: seconds(Recoding::Mondrian)?,
            member: seconds(Recoding::KMember)?,
            toc: seconds(Recoding::Toc(Weighed::EVENLY))?,
            toc_whole: seconds(Recoding::Toc(whole))?,
        })
    });
    let times = times.into_iter().collect::<Result<Vec<Times>>>()?;
    let cells = |times: &Times| {
        let Times {
            mondrian,
            member,
            toc,
            toc_whole,
            ..
        } = *times;
        let ratios = [toc / mondrian, toc_whole / mondrian, member / mondrian];
        row([&times.rows], &[[mondrian].as_slice(), &ratios].concat())
    };
    let slowest = |times: &Times| times.member.min(times.toc_whole) / times.mondrian;
    let last = times.last().map_or(f64::NAN, |times| times.toc / times.mondrian);
    Ok(Sheet {
        title: format!("Figure 4.1 of Loukides: runtime by rows, Adult, k = {K_BY_ROWS}"),
        notes: vec![
            format!("The shortest of {TURNS} turns. TOC includes finding δ and s on a sample of 1,000 rows."),
            "Mondrian cuts on all cores; the others use them in part.".to_owned(),
        ],
        unit: "seconds of Mondrian, and multiples of them",
        header: vec!["rows", "Mondrian, s", "TOC", "TOC, one subspace", "k-member"],
        rows: times.iter().map(cells).collect(),
        claims: vec![
            Claim::new(
                "smallest of k-member and TOC in one subspace / Mondrian",
                Bound::AtLeast,
                10.0,
                smallest(times.iter().map(slowest)),
            ),
            Claim::new(
                "smallest k-member / TOC in one subspace",
                Bound::AtLeast,
                6.0,
                smallest(times.iter().map(|times| times.member / times.toc_whole)),
            ),
            Claim::new("TOC / Mondrian at the most rows", Bound::AtMost, 1.08, last),
        ],
    })
}

/// Figure 4.2: by the size of subspaces.
pub fn runtime_by_subspace(data: &Path) -> Result<Sheet> {
    let people = People::adult(data, usize::MAX)?;
    let times = SUBSPACES.map(|subspace| {
        let weighed = Weighed {
            subspace: Some(subspace),
            ..Weighed::EVENLY
        };
        seconds(Recoding::Toc(weighed), &people, K_BY_SUBSPACE)
    });
    let times = times.into_iter().collect::<Result<Vec<f64>>>()?;
    let shortest = smallest(times.iter().copied());
    let rows = SUBSPACES.iter().zip(&times);
    Ok(Sheet {
        title: format!("Figure 4.2 of Loukides: runtime of TOC by subspace, Adult, k = {K_BY_SUBSPACE}"),
        notes: vec![format!(
            "All {} rows; the shortest of {TURNS} turns.",
            people.table.rows()
        )],
        unit: "seconds, and multiples of the shortest",
        header: vec!["s", "seconds", "of the shortest"],
        rows: rows
            .map(|(subspace, &seconds)| row([subspace], &[seconds, seconds / shortest]))
            .collect(),
        claims: vec![Claim::new(
            "one subspace / subspaces of 50 rows (7.5 minutes to 18 seconds)",
            Bound::AtLeast,
            25.0,
            largest(times.iter().copied()) / times[0],
        )],
    })
}

/// The shortest time in which the groups were found.
fn seconds(recoding: Recoding, people: &People, k: u64) -> Result<f64> {
    let turns = (0..TURNS).map(|_| {
        let start = Instant::now();
        recoding.gather(people, k)?;
        Ok(start.elapsed().as_secs_f64())
    });
    Ok(smallest(turns.collect::<Result<Vec<f64>>>()?))
}
