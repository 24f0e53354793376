//! The join of a table with its earlier releases: read, checked, and whether all of them cover the same people.

use scumble_privacy::History;
use scumble_store::Watch;
use scumble_table::Table;

use crate::cover::{Cover, JoinedRelease};
use crate::earlier::read_earlier;
use crate::error::Error;
use crate::errors::InputError;
use scumble_bind::Plan;
use scumble_policy::{OnDangling, Policy};

/// What the templates of a plan on the join speak of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Join {
    /// The earlier releases.
    pub history: History,
    /// Who is in them.
    pub cover: Cover,
}

/// Reads the earlier releases of a plan and puts them beside its table.
///
/// # Errors
/// A release that cannot be read or understood, or does not cover the same people where it must.
pub(crate) fn join(policy: &Policy, plan: Plan, table: &Table, watch: &dyn Watch) -> Result<(Plan, Join), Error> {
    if policy.earlier.is_empty() {
        return Ok((plan, Join::default()));
    }
    let tables = read_earlier(policy, &plan, watch)?;
    let (plan, history) = plan.with_history(policy, table.rows(), tables)?;
    plan.check_doubts(policy, table, &history)?;
    let cover = Cover::new(table, &history);
    check(&cover, policy)?;
    Ok((plan, Join { history, cover }))
}

/// An error if a release that must cover this table, and be covered, is not.
fn check(cover: &Cover, policy: &Policy) -> Result<(), InputError> {
    let must = |name: &str| {
        let mut earlier = policy.earlier.iter();
        earlier.any(|own| own.name.get_ref() == name && own.on_dangling == OnDangling::Error)
    };
    let broken = |release: &&JoinedRelease| release.this_without_match + release.without_match > 0;
    let releases = cover.releases.iter().filter(broken);
    let releases: Vec<JoinedRelease> = releases.filter(|release| must(&release.name)).cloned().collect();
    // Where every release is matched by itself, it is their disagreement that leaves a record without a match.
    let disagree = cover.releases.iter().all(|release| release.this_without_match == 0)
        && policy
            .earlier
            .iter()
            .any(|earlier| earlier.on_dangling == OnDangling::Error);
    let without_match = if disagree { cover.without_match } else { 0 };
    match releases.is_empty() && without_match == 0 {
        true => Ok(()),
        false => Err(InputError::Dangling(Cover {
            without_match,
            releases,
        })),
    }
}
