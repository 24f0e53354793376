//! [`attack_entities`]: someone knows some rows of a person in one of several tables, and looks for the person.
//!
//! | known of somebody | | released: student | courses | candidate |
//! |---|---|---|---|---|
//! | Math, Physics | | 1 | Science, Physics, Social | yes |
//! | | | 2 | Science, Physics, Social | yes |
//! | | | 3 | Science | no: one row cannot stand for both |
//! | | | 4 | History, Religion | no |
//!
//! What is known of a row is all its quasi columns, and that the rows are of one person. A released person is a candidate
//! if different rows of theirs can stand for the known ones, which is so exactly if every few of the known rows have at
//! least as many rows that can stand for one of them (Hall's theorem).
//!
//! Invariant: in a release of which anonymity k holds, a set has no candidate or at least k, since persons of one class
//! show the same rows.
//!
//! # Cost
//! Persons of one class are tried once, and so are sets that hold the same values. For each known row the released rows
//! that differ are gone through which fit it on the column where the fewest do.

mod candidates;
mod sets;

use std::fmt;

use rayon::prelude::*;
use scumble_privacy::{Lineage, OriginalTable, ReleasedDatabase, entity_classes};
use scumble_progress::{Interrupted, Work};
use scumble_table::{Codes, collapse};
use serde::Serialize;

use crate::SingledOut;
use candidates::{Classes, Searched, known_columns};
use sets::{MOST_KNOWN, PersonRows, Set};

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityAttackSettings {
    /// Which sets are drawn, where there are too many to try all.
    pub seed: u64,
    /// The most sets to try for each table and each number of known rows.
    pub sets: u64,
}

impl Default for EntityAttackSettings {
    /// Of 10,000 sets, the share that finds few persons is known to about one in a hundred.
    fn default() -> Self {
        EntityAttackSettings { seed: 0, sets: 10_000 }
    }
}

/// What someone finds who knows some rows of a person.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntityAttack {
    /// For each table below that of persons and each number of known rows.
    pub known: Vec<EntityKnown>,
    /// Persons who stand out on the columns published as they are, and on all together; whoever knows how the columns of the
    /// release are shown adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<SingledOut>,
}

/// What someone finds who knows so many rows of a person in one table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntityKnown {
    /// How many rows are known.
    pub known: usize,
    /// The table.
    pub table: String,
    /// How many sets of rows were tried.
    pub sets: u64,
    /// How many of them nobody in the release can have.
    pub not_found: u64,
    /// The fewest persons who can have a set that somebody can; `None` if there is no such set.
    pub worst: Option<u64>,
    /// How many they are on average; 0 if there is no such set.
    pub average: f64,
}

/// Attacks a release with rows of its originals, which are in the order of its tables.
///
/// # Errors
/// [`Interrupted`] if it should stop.
///
/// # Panics
/// If a table hangs off one that is not before it, or names a column that it has not.
pub fn attack_entities(
    released: &ReleasedDatabase,
    originals: &[OriginalTable],
    settings: EntityAttackSettings,
    work: Work,
) -> Result<EntityAttack, Interrupted> {
    work.go_on()?;
    let lineage = Lineage::of_release(released);
    work.go_on()?;
    let classes = Classes::new(entity_classes(released, &lineage));
    work.go_on()?;
    let of_originals = Lineage::of_originals(released, originals);
    let mut rng = fastrand::Rng::with_seed(settings.seed);
    let mut known = Vec::new();
    let done = work
        .phase("looking persons up", 0.0..1.0)
        .count(MOST_KNOWN * released.tables.len().saturating_sub(1));
    for (place, (table, original)) in released.tables.iter().zip(originals).enumerate().skip(1) {
        let columns = known_columns(table, original);
        let searched = Searched::new(table.release.rows(), &columns, &lineage.persons(place), &classes);
        let values: Vec<&Codes> = columns.iter().map(|column| column.values.codes()).collect();
        work.go_on()?;
        let kinds = collapse(original.table.rows(), &values);
        work.go_on()?;
        let rows = PersonRows::new(&of_originals.persons(place), &kinds.kind_of);
        for count in 1..=MOST_KNOWN {
            let sets = rows.draw(count, settings.sets, &mut rng);
            let candidates = candidates_of(&searched, &sets, &kinds.rows, work)?;
            done.go_on(1)?;
            known.push(EntityKnown::new(count, &table.name, &sets, &candidates));
        }
    }
    Ok(EntityAttack {
        known,
        singled_out: None,
    })
}

/// As many sets are tried by one thread with one scratch.
const AT_ONCE: usize = 64;

/// For each set, how many persons are candidates. `row_of_kind` is a row of the original of each kind.
fn candidates_of(
    searched: &Searched,
    sets: &[(Set, u64)],
    row_of_kind: &[u32],
    work: Work,
) -> Result<Vec<u64>, Interrupted> {
    let found = sets.par_iter().with_min_len(AT_ONCE).map_init(
        || searched.scratch(),
        |scratch, (set, _)| {
            work.go_on()?;
            let rows = set.kinds().iter().map(|&kind| row_of_kind[kind as usize]);
            Ok(searched.candidates(rows, scratch))
        },
    );
    found.collect()
}

impl EntityKnown {
    /// From the candidates of each set, which stands for as many as its weight.
    fn new(known: usize, table: &str, sets: &[(Set, u64)], candidates: &[u64]) -> Self {
        let weighted = || sets.iter().map(|(_, weight)| *weight).zip(candidates);
        let tried: u64 = weighted().map(|(weight, _)| weight).sum();
        let found = || weighted().filter(|&(_, &candidates)| candidates > 0);
        let sets_found: u64 = found().map(|(weight, _)| weight).sum();
        let sum: f64 = found()
            .map(|(weight, &candidates)| weight as f64 * candidates as f64)
            .sum();
        EntityKnown {
            known,
            table: table.to_owned(),
            sets: tried,
            not_found: tried - sets_found,
            worst: candidates.iter().copied().filter(|&candidates| candidates > 0).min(),
            average: sum / sets_found.max(1) as f64,
        }
    }
}

impl fmt::Display for EntityAttack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Persons who can have some known rows of one person:")?;
        self.known.iter().try_for_each(|known| writeln!(f, "  {known}"))
    }
}

impl fmt::Display for EntityKnown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = if self.known == 1 { "row" } else { "rows" };
        write!(f, "{} {rows} of {}: ", self.known, self.table)?;
        if self.sets == 0 {
            return write!(f, "nobody has so many");
        }
        match self.worst {
            Some(worst) => write!(f, "at least {worst}, on average {:.1}", self.average)?,
            None => write!(f, "nobody")?,
        }
        write!(f, " (of {} tried, {} fit nobody)", self.sets, self.not_found)
    }
}
