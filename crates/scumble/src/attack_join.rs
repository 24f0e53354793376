//! Attacking a release together with the releases before it, as someone would who has them all.

use std::path::Path;

use scumble_attack::{JoinKnown, JoinReport, SingledOut, attack_by_join};
use scumble_progress::{Stage, Watch};
use scumble_table::{ReleasedColumn, Table};
use serde::Serialize;

use crate::audit::{ReleaseFile, past};
use crate::error::Error;
use crate::join::join;
use crate::load::load;
use crate::sources::checked_source;
use crate::texts::read_taxonomies;
use scumble_policy::{Policy, list};

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
    let known = JoinKnown::of_templates(&plan.requirement.templates).ok_or_else(no_join)?;
    let before = Stage::Attacking.run(watch, |work| {
        attack_by_join(&loaded.table, &joined.history, &known, work)
    })?;

    let file = ReleaseFile::read(released, policy, &taxonomies, watch)?;
    let templates = &file.plan.requirement.templates;
    let lacking: Vec<String> = templates.iter().flat_map(|template| file.lacking(template)).collect();
    if !lacking.is_empty() {
        let lacking = list(lacking.iter().map(String::as_str));
        return Err(Error::AttackByJoin(format!(
            "the release has no {lacking}, so it cannot be joined"
        )));
    }
    let of_release = JoinKnown::of_templates(templates).ok_or_else(no_join)?;
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

fn no_join() -> Error {
    let reason =
        "no template of the policy is about a join: name what was published before in [[earlier]], or a ledger";
    Error::AttackByJoin(reason.to_owned())
}
