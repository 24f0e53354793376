//! Attacking a release together with the releases before it, as someone would who has them all.

use std::path::Path;

use scumble_attack::{JoinKnown, JoinReport, SingledOut, attack_by_join};
use scumble_progress::{Stage, Watch};
use scumble_table::{ReleasedColumn, Table};
use serde::Serialize;

use crate::audit::{ReleaseFile, past};
use crate::error::Error;
use crate::errors::AttackError;
use crate::join::join;
use crate::load::load;
use crate::sources::checked_source;
use crate::texts::read_taxonomies;
use scumble_policy::Policy;

/// What joining the releases tells, had the table been published as it is, and as it was released.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JoinAttack {
    /// The earlier releases.
    pub releases: Vec<String>,
    /// The columns that the adversary knows, those of earlier releases with their names.
    pub known: Vec<String>,
    /// With the table as it is.
    pub before: JoinReport,
    /// With the release.
    pub after: JoinReport,
    /// Rows of the release that stand out on the columns published as they are, and on all together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<SingledOut>,
}

/// Attacks a released file by joining it with the earlier releases of its policy, and of a ledger if there is one. The
/// adversary knows what the templates on the join let one know.
///
/// # Errors
/// A file that cannot be read, a policy without a template on a join, a release without the columns of one.
pub fn attack_join(
    released: &Path,
    policy: &Policy,
    ledger: Option<&Path>,
    watch: &dyn Watch,
) -> Result<JoinAttack, Error> {
    let taxonomies = read_taxonomies(policy)?;
    let past = past(released, policy, &taxonomies, ledger)?;
    let policy = &policy.after(&past.joined);
    let (plan, loaded) = load(policy, &checked_source(policy)?, &taxonomies, watch)?;
    let (plan, joined) = join(policy, plan, &loaded.table, watch)?;
    let known = JoinKnown::of_templates(&plan.requirement.templates).ok_or(AttackError::NoJoin)?;
    let before = Stage::Attacking.run(watch, |work| {
        attack_by_join(&loaded.table, &joined.history, &known, work)
    })?;

    let file = ReleaseFile::read(released, policy, &taxonomies, watch)?;
    let templates = &file.plan.requirement.templates;
    let lacking: Vec<String> = templates.iter().flat_map(|template| file.lacking(template)).collect();
    if !lacking.is_empty() {
        return Err(AttackError::LacksColumns(lacking).into());
    }
    let of_release = JoinKnown::of_templates(templates).ok_or(AttackError::NoJoin)?;
    let columns = file.release.columns().iter().map(ReleasedColumn::as_read);
    let table = Table::new(file.release.rows(), columns.collect());
    let after = Stage::Attacking.run(watch, |work| attack_by_join(&table, &file.history, &of_release, work))?;
    Ok(JoinAttack {
        releases: joined.cover.releases.into_iter().map(|release| release.name).collect(),
        known: known.of.iter().map(|&place| plan.place_name(place)).collect(),
        before,
        after,
        singled_out: file.singled_out(),
    })
}
