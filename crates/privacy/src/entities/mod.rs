//! The audit of several tables: what must hold of persons, recounted from the tables that a reader will see.
//!
//! A person is a tree of rows. Rows are numbered by what they and all rows below them show, from the last tables up:
//!
//! | courses: of | course | | books: of course | book | look | | look of the course | | class of the student |
//! |---|---|---|---|---|---|---|---|---|---|
//! | 1 | Science | | 1 | Discrete | 0 | | 1 (Science with a book) | | 0 |
//! | 2 | Science | | 2 | Discrete | 0 | | 1 | | 0 |
//! | 3 | Science | | | | | | 0 (Science without) | | 1 |
//!
//! Two rows of a table have one *look* exactly if they show the same quasi values and for each table that hangs off
//! theirs the same multiset of looks. The look of a person is their *class*. Anonymity is the size of the smallest class:
//! here 1, because student 3 is alone.
//!
//! # Groups of rows
//! Whoever knows all quasi values of a person knows their class, and no more: the trees of a class are the same. Which of
//! its rows is a known one? Two rows of a class cannot be told apart exactly if some way of laying the tree of the one
//! person on that of the other (which may be the same person) lays row on row. That is so exactly if their *paths*
//! agree, the looks from the person down to the row: rows of one look have the same below them, and what is beside them
//! is then the same, too. So a group is the rows of one table with one path. Diversity counts its rows. Confidence counts
//! the persons that have the secret in at least one row of it, out of all persons of the class, who each have as many
//! rows in the group. What compares a group with the whole does so with all groups of its table together (`compared`).
//!
//! # What holds of an [`Audited`] release of several tables
//! Every demand holds. Keys are there and differ; every foreign key leads to a row, and so does every reference to a
//! look-up that is not generalized or empty. If the originals were given: every row is of another row of the original,
//! belongs to the row that it belonged to, covers it in the quasi columns and equals it in all others but keys.
//!
//! # Cost
//! Sorting numbers, once for each quasi column and twice for each table: n log n for n rows in all, and a few numbers of
//! 32 bits per row. Texts are read once for each different text of a column. Nothing here is shared with a search.

mod compared;
mod fault;
mod groups;
mod keys;
mod lineage;
mod looks;
mod numbers;
mod originals;
mod references;
mod secrets;

use scumble_progress::{Interrupted, Work};

use crate::audited::Audited;
use crate::database::{Originals, ReleasedDatabase};
use crate::entity_demand::EntityDemand;
use crate::finding::{Finding, spread, worst};
pub use fault::{Fault, Faults, Wrong, check_schema};
pub use lineage::Lineage;
use looks::{NOBODY_WATCHES, looks};
pub use looks::{entity_classes, entity_classes_on};
use secrets::Groups;

/// A release of several tables that did not pass: something is wrong with it, or nothing was demanded.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedEntities {
    /// What was found, one per demand.
    pub findings: Vec<Finding>,
    /// What is wrong apart from that.
    pub faults: Faults,
}

/// Recounts every demand and looks for faults; only a release without any, of which all demands hold, comes back. Of
/// which nothing is demanded, none does.
///
/// # Panics
/// If a table hangs off one that is not before it, or names a column that it has not.
pub fn audit_entities(
    database: ReleasedDatabase,
    demands: &[EntityDemand],
    originals: Option<Originals>,
) -> Result<Audited, FailedEntities> {
    audit_entities_while(database, demands, originals, Work::unwatched()).expect(NOBODY_WATCHES)
}

/// [`audit_entities`], as long as it may go on. A release that was not recounted to the end does not pass.
///
/// # Errors
/// [`Interrupted`] if it should stop.
///
/// # Panics
/// If a table hangs off one that is not before it, or names a column that it has not.
pub fn audit_entities_while(
    database: ReleasedDatabase,
    demands: &[EntityDemand],
    originals: Option<Originals>,
    work: Work,
) -> Result<Result<Audited, FailedEntities>, Interrupted> {
    let Recount {
        classes,
        findings,
        faults,
    } = recount(&database, demands, originals, work)?;
    let holds = !findings.is_empty() && findings.iter().all(|finding| finding.holds);
    Ok(if faults.count() == 0 && holds {
        Ok(Audited::of_tables(database, demands.to_vec(), findings, classes))
    } else {
        Err(FailedEntities { findings, faults })
    })
}

/// Recounts every demand and looks for faults, and reports, whether or not the release passes.
///
/// # Panics
/// If a table hangs off one that is not before it, or names a column that it has not.
pub fn recount_entities(
    database: &ReleasedDatabase,
    demands: &[EntityDemand],
    originals: Option<Originals>,
) -> (Vec<Finding>, Faults) {
    recount_entities_while(database, demands, originals, Work::unwatched()).expect(NOBODY_WATCHES)
}

/// [`recount_entities`], as long as it may go on.
///
/// # Errors
/// [`Interrupted`] if it should stop.
///
/// # Panics
/// If a table hangs off one that is not before it, or names a column that it has not.
pub fn recount_entities_while(
    database: &ReleasedDatabase,
    demands: &[EntityDemand],
    originals: Option<Originals>,
    work: Work,
) -> Result<(Vec<Finding>, Faults), Interrupted> {
    let Recount { findings, faults, .. } = recount(database, demands, originals, work)?;
    Ok((findings, faults))
}

/// The shares of the work that comparing with the originals and counting begin at.
const COMPARING: f64 = 0.2;
const COUNTING: f64 = 0.6;

struct Recount {
    classes: Vec<u32>,
    findings: Vec<Finding>,
    faults: Faults,
}

fn recount(
    database: &ReleasedDatabase,
    demands: &[EntityDemand],
    originals: Option<Originals>,
    work: Work,
) -> Result<Recount, Interrupted> {
    let mut faults = Faults::default();
    let following = work.phase("following keys", 0.0..COMPARING);
    let lineage = Lineage::checked(database, &mut faults, following)?;
    references::check(database, &mut faults, following)?;
    if let Some(originals) = originals {
        let comparing = work.phase("comparing with the data", COMPARING..COUNTING);
        originals::compare(database, &lineage, originals, &mut faults, comparing)?;
    }
    let counting = work.phase("counting groups", COUNTING..1.0);
    let looks = looks(database, &lineage, counting)?;
    let mut groups = Groups::new(database, &lineage, &looks);
    let counted = counting.count(demands.len());
    let findings = demands.iter().map(|demand| {
        let finding = finding(demand, &mut groups);
        counted.go_on(1)?;
        Ok(finding)
    });
    Ok(Recount {
        findings: findings.collect::<Result<_, Interrupted>>()?,
        faults,
        classes: looks.into_iter().next().unwrap_or_default(),
    })
}

fn finding(demand: &EntityDemand, groups: &mut Groups) -> Finding {
    // Nothing released gives nobody away.
    if groups.persons() == 0 {
        return Finding {
            level: 0.0,
            holds: true,
            spread: Vec::new(),
        };
    }
    let template = demand.template();
    let levels = groups.levels(demand);
    let level = worst(template.sense(), levels.iter().map(|&(level, _)| level));
    Finding {
        level,
        holds: template.is_met_by(level),
        spread: spread(levels),
    }
}
