//! The audit: every template recounted from the labels that a reader of the release will see.
//!
//! It numbers groups by pairing columns one after the other, an algorithm that the search does not use.
//!
//! | released | | group after `job` | after `job`, `sex` |
//! |---|---|---|---|
//! | Professional | F | 0 | 0 |
//! | Professional | M | 0 | 1 |
//! | Professional | F | 0 | 0 |
//!
//! Two rows share a number exactly if they show the same labels on all columns, so the counts per number are the
//! sizes of the groups: here 2 and 1, and 2-anonymity on {job, sex} fails with level 1.
//!
//! From there all templates go one way. What a template counts is one more number per row ([`Counted`]); rows that agree
//! on group and counted value collapse to one weighted kind ([`Kinds`]); the kinds of a group are its histogram; and a
//! measure turns each histogram into a level, the worst of which is the template's. Only the join with earlier releases
//! goes a way of its own ([`joined`]).

mod counted;
mod earth;
mod guarded;
mod joined;
mod kinds;
mod losses;
mod measure;
mod numbering;
mod ranges;
mod republication;
mod rows;
mod subsets;
mod whole;

use scumble_progress::{Interrupted, Work};
use scumble_table::Released;

use crate::audited::{Audited, Promises};
use crate::finding::{Finding, LossFinding, spread, worst};
use crate::{History, Requirement, Template};
use counted::{Counted, counted};
pub(crate) use earth::Earth;
pub(crate) use kinds::Count;
use kinds::Kinds;
pub use losses::recount_loss;
pub(crate) use measure::diversity;
use numbering::Numbering;
pub use republication::{ComparedTemplate, Comparison, Masking, Part, Republication, Skipped, WhySkipped};
pub use rows::Population;
use rows::Rows;
pub(crate) use whole::Whole;

/// A release that did not pass: something that was promised does not hold, or nothing was.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// What was found, one per template.
    pub findings: Vec<Finding>,
    /// What the worst group loses, if that was bounded.
    pub loss_per_group: Option<LossFinding>,
}

/// Recounts all that is promised; only a release of which all holds comes back. Of which nothing is promised, none does:
/// that nothing was broken would say nothing.
///
/// `populations` are those that k-map templates name by their place. Of one that is not given, nobody looks like
/// anyone. `history` is the earlier releases that the join is with.
pub fn audit(
    release: Released,
    promises: impl Into<Promises>,
    populations: &[Population],
    history: &History,
) -> Result<Audited, Failed> {
    let Ok(outcome) = audit_while(release, promises, populations, history, Work::unwatched()) else {
        unreachable!("nobody watches, so nobody stops it")
    };
    outcome
}

/// [`audit`], as long as it may go on. A release that was not recounted to the end does not pass.
///
/// # Errors
/// [`Interrupted`] if it should stop.
pub fn audit_while(
    release: Released,
    promises: impl Into<Promises>,
    populations: &[Population],
    history: &History,
    work: Work,
) -> Result<Result<Audited, Failed>, Interrupted> {
    let promises = promises.into();
    let findings = recount_while(&release, &promises.requirement, populations, history, work)?;
    let loss = promises
        .loss_per_group
        .as_ref()
        .map(|bound| recount_loss(&release, bound));
    let promises_something = !findings.is_empty() || loss.is_some();
    let loss_holds = loss.is_none_or(|loss| loss.holds);
    work.go_on()?;
    let holds = promises_something && loss_holds && findings.iter().all(|finding| finding.holds);
    Ok(if holds {
        Ok(Audited::of_table(release, promises, findings, loss))
    } else {
        Err(Failed {
            findings,
            loss_per_group: loss,
        })
    })
}

/// Recounts every template and reports, whether or not they hold.
pub fn recount(
    release: &Released,
    requirement: &Requirement,
    populations: &[Population],
    history: &History,
) -> Vec<Finding> {
    let Ok(findings) = recount_while(release, requirement, populations, history, Work::unwatched()) else {
        unreachable!("nobody watches, so nobody stops it")
    };
    findings
}

/// [`recount`], as long as it may go on.
///
/// # Errors
/// [`Interrupted`] if it should stop.
pub fn recount_while(
    release: &Released,
    requirement: &Requirement,
    populations: &[Population],
    history: &History,
    work: Work,
) -> Result<Vec<Finding>, Interrupted> {
    // Nothing released gives nobody away.
    if release.rows() == 0 {
        let nothing = Finding {
            level: 0.0,
            holds: true,
            spread: Vec::new(),
        };
        return Ok(vec![nothing; requirement.templates.len()]);
    }
    let same_groups = |a: &Template, b: &Template| {
        let on_join = a.joined().is_some() || b.joined().is_some();
        !on_join && a.of.columns == b.of.columns && a.population() == b.population()
    };
    let recounted = work
        .phase("recounting templates", 0.0..1.0)
        .count(requirement.templates.len());
    let mut findings = Vec::with_capacity(requirement.templates.len());
    for templates in requirement.templates.chunk_by(same_groups) {
        findings.extend(match templates[0].joined() {
            Some(joined) => vec![joined::recount(release, &templates[0], joined, history, work)?],
            None => recount_on_same_groups(release, templates, populations, work)?,
        });
        recounted.go_on(templates.len())?;
    }
    Ok(findings)
}

/// Recounts templates that have the columns and the population of the first.
fn recount_on_same_groups(
    release: &Released,
    templates: &[Template],
    populations: &[Population],
    work: Work,
) -> Result<Vec<Finding>, Interrupted> {
    let rows = Rows::new(release, templates[0].population(), populations);
    let groups = rows.number(&templates[0].of.columns);
    let finding = |template: &Template| {
        work.go_on()?;
        let (level, spread) = if template.of.known() == template.of.columns.len() {
            let levels = levels_of_groups(template, &rows, &groups, work)?;
            (
                worst(template.sense(), levels.iter().copied()),
                spread(with_rows(&levels, &rows, &groups)),
            )
        } else {
            (level_of_subsets(template, &rows, &groups, work)?, Vec::new())
        };
        Ok(Finding {
            level,
            holds: template.is_met_by(level),
            spread,
        })
    };
    templates.iter().map(finding).collect()
}

/// The level of each group that has rows, by its number: the worst over everything that the template counts.
fn levels_of_groups(template: &Template, rows: &Rows, groups: &Numbering, work: Work) -> Result<Vec<f64>, Interrupted> {
    let sense = template.sense();
    let mut worst = vec![sense.best().max(0.0); groups.count()];
    for Counted { values, measure } in counted(&template.demand, rows) {
        work.go_on()?;
        let kinds = Kinds::new(groups, &values);
        for (place, histogram) in kinds.histograms(&kinds.numbered_by(groups)).iter().enumerate() {
            if place % GROUPS_BETWEEN_LOOKS == 0 {
                work.go_on()?;
            }
            let level = &mut worst[histogram[0].group as usize];
            *level = sense.worse(*level, measure.level(histogram));
        }
    }
    Ok(worst)
}

/// How many groups are measured between two looks whether to go on.
const GROUPS_BETWEEN_LOOKS: usize = 256;

/// The level and the released rows of each group that has any. People of a population are in groups, too, but it is the
/// release that is measured.
fn with_rows(levels: &[f64], rows: &Rows, groups: &Numbering) -> Vec<(f64, u64)> {
    let mut sizes = vec![0u64; levels.len()];
    let released = &groups.of_row()[..rows.release().rows()];
    released.iter().for_each(|&group| sizes[group as usize] += 1);
    let all = levels.iter().copied().zip(sizes);
    all.filter(|&(_, rows)| rows > 0).collect()
}

/// The level of the worst group on any of the sets of columns that an adversary may know.
fn level_of_subsets(template: &Template, rows: &Rows, groups: &Numbering, work: Work) -> Result<f64, Interrupted> {
    let sense = template.sense();
    let level_of = |Counted { values, measure }: Counted| {
        let kinds = Kinds::new(groups, &values);
        let level = |groups: &Numbering| {
            let histograms = kinds.histograms(groups);
            worst(sense, histograms.iter().map(|group| measure.level(group)))
        };
        let columns = template.of.columns.iter();
        let columns: Vec<Numbering> = columns.map(|&id| kinds.numbered_by(&rows.shown(id))).collect();
        subsets::worst(&columns, template.of.known(), sense, kinds.len(), &level, work)
    };
    let levels = counted(&template.demand, rows).map(level_of);
    Ok(worst(sense, levels.collect::<Result<Vec<f64>, _>>()?.into_iter()))
}
