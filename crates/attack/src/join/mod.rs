//! [`attack_by_join`]: what an adversary learns who puts a release beside earlier ones.
//!
//! The adversary knows some columns of every person and looks each of them up, once in this release alone and once in
//! its join with the earlier ones. A record's *candidates* are the records of this release that show the same as it
//! does. In the join a record may be in several groups; what counts is the one with the fewest candidates.
//!
//! | this: name | job | | earlier: job | disease | | alone {name} | joined {name, disease} |
//! |---|---|---|---|---|---|---|---|
//! | Alice | Banker | | Banker | Cancer | | 2 candidates | 2 candidates |
//! | Alice | Banker | | Banker | Cancer | | 2 | 2 |
//! | Bob | Clerk | | Clerk | HIV | | 2 | 1: Bob, HIV |
//! | Bob | Driver | | Driver | Cancer | | 2 | 1: Bob, Cancer |
//!
//! Alone, one of two is hit on average. Joined, both Bobs are found for certain, and on average 3 of 4 records are hit.
//!
//! # Source
//! Fung, *Privacy-Preserving Data Publishing* (2007), example 6.0.1; the risk is that of the prosecutor, as in
//! [`Risks`](crate::Risks).
//!
//! # Cost
//! Records that need not be told apart are one. Time follows those of all releases that match, memory those of each
//! release and what one group of this release matches.

mod found;
mod matching;
mod side;

use scumble_privacy::{History, JoinDemand, JoinSecrets, Place, THIS, Template};
use scumble_progress::{Interrupted, Work};
use scumble_table::{ColumnId, Table};
use serde::Serialize;

use crate::{VIOLATED, Violating};
use found::{Asked, Found, look_up};
use matching::Matching;
use side::Side;

/// What an adversary who joins releases knows, and what they want.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JoinKnown {
    /// The columns that they know, of this release and of earlier ones.
    pub of: Vec<Place>,
    /// What they want to find out.
    pub secrets: Vec<JoinSecrets>,
}

/// What an adversary gets out of a release alone, and out of its join with earlier ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JoinReport {
    /// The records of this release.
    pub records: u64,
    /// With this release alone, from what they know of its columns.
    pub alone: Exposure,
    /// With all releases.
    pub joined: Exposure,
}

/// How far records are exposed to one adversary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exposure {
    /// The records that are in a group. Of one that matches nothing, the join tells nothing.
    pub records: u64,
    /// Groups of records, or of matches, that show the same on what is known.
    pub groups: u64,
    /// The fewest candidates of a record; 0 if there is no group.
    pub smallest: u64,
    /// How many records have fewer candidates than each of [`VIOLATED`].
    pub violating: Vec<Violating>,
    /// The share of these records that is hit on average by picking one of the candidates; 0 if there is no group.
    pub average: f64,
    /// How many records have each secret given away.
    pub certain: Vec<Certain>,
}

/// How many records have a secret given away: whoever shows what they show has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certain {
    /// The earlier release that has the column; `None` for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// The column.
    pub column: String,
    /// The records. A release alone gives nothing away of a column that it does not have.
    pub records: u64,
}

impl JoinKnown {
    /// The adversary who knows whatever the templates on the join let one know, and wants all their secrets. `None` if
    /// no template is on the join.
    pub fn of_templates(templates: &[Template]) -> Option<JoinKnown> {
        let mut known = JoinKnown::default();
        for template in templates {
            let Some(joined) = template.joined() else { continue };
            let of_this = template.of.columns.iter();
            known.of.extend(of_this.map(|&column| Place { release: THIS, column }));
            known.of.extend(&joined.of);
            if let JoinDemand::Confidence { about, .. } = &joined.demand {
                let new = |secrets: &&JoinSecrets| !known.secrets.contains(secrets);
                let new: Vec<JoinSecrets> = about.iter().filter(new).cloned().collect();
                known.secrets.extend(new);
            }
        }
        known.of.sort_unstable();
        known.of.dedup();
        templates
            .iter()
            .any(|template| template.joined().is_some())
            .then_some(known)
    }

    fn columns(&self, release: usize) -> Vec<ColumnId> {
        let of_release = self.of.iter().filter(|place| place.release == release);
        of_release.map(|place| place.column).collect()
    }

    fn secret_columns(&self, release: usize) -> Vec<ColumnId> {
        let places = self.secrets.iter().map(|secrets| secrets.place);
        places
            .filter(|place| place.release == release)
            .map(|place| place.column)
            .collect()
    }
}

/// Attacks this release, given as what its readers see, with and without its join with earlier ones. The product of the
/// rows of all releases must fit in 128 bits.
///
/// # Errors
/// [`Interrupted`] if it should stop.
pub fn attack_by_join(
    this: &Table,
    history: &History,
    known: &JoinKnown,
    work: Work,
) -> Result<JoinReport, Interrupted> {
    let earlier = history.earlier.iter().map(|earlier| &earlier.table);
    let tables = std::iter::once(this).chain(earlier);
    let side = |(release, table)| {
        let join = history.join_columns(release);
        Side::new(table, &join, &known.columns(release), &known.secret_columns(release))
    };
    let sides: Vec<Side> = tables.enumerate().map(side).collect();
    let attack = JoinAttack {
        matching: Matching::new(history, &sides),
        sides,
        history,
        known,
        work,
    };
    let report = JoinReport {
        records: this.rows() as u64,
        alone: attack.exposure(1),
        joined: attack.exposure(history.releases()),
    };
    work.go_on()?;
    Ok(report)
}

struct JoinAttack<'a> {
    sides: Vec<Side<'a>>,
    matching: Matching,
    history: &'a History,
    known: &'a JoinKnown,
    /// Once it should stop, nobody is looked up any more.
    work: Work<'a>,
}

impl JoinAttack<'_> {
    /// The exposure to one who has the first so many releases.
    fn exposure(&self, releases: usize) -> Exposure {
        let found = look_up(&self.sides[..releases], &self.matching, None, self.work);
        let certain = |secrets: &JoinSecrets| {
            let asked = (secrets.place.release < releases).then(|| Asked::new(secrets, self.history, &self.sides));
            let found = asked.map(|asked| look_up(&self.sides[..releases], &self.matching, Some(&asked), self.work));
            self.certain(
                secrets.place,
                found.map_or(0, |found| found.records(|found| found.certain)),
            )
        };
        Exposure {
            records: found.records(|_| true),
            groups: found.groups,
            smallest: found.smallest(),
            violating: VIOLATED.iter().map(|&k| found.violating(k)).collect(),
            average: found.average(),
            certain: self.known.secrets.iter().map(certain).collect(),
        }
    }

    fn certain(&self, place: Place, records: u64) -> Certain {
        let earlier = place
            .release
            .checked_sub(1)
            .map(|earlier| &self.history.earlier[earlier]);
        Certain {
            release: earlier.map(|earlier| earlier.name.clone()),
            column: self.sides[place.release].column(place.column).name.clone(),
            records,
        }
    }
}

impl Found {
    fn violating(&self, k: u64) -> Violating {
        Violating {
            k,
            rows: self.records(|found| found.candidates < k),
        }
    }
}
