//! Loading the data of a policy: the policy is bound to the header, the rows are read as that says, and checked.

use scumble_bind::{Head, Holds, Plan, bind, check_data, look_alikes, unite};
use scumble_policy::{Approach, GROUP, Missing, Policy, Problems, Taxonomies, quoted};
use scumble_progress::Watch;
use scumble_store::{Loaded, Opened, Source};

use crate::earlier::read_heads;
use crate::error::Error;
use crate::errors::InputError;

/// Reads a file that has the columns of a policy.
///
/// # Errors
/// A file that cannot be read, a policy that does not fit it, more rows than can be numbered.
pub(crate) fn load(
    policy: &Policy,
    source: &Source,
    taxonomies: &Taxonomies,
    watch: &dyn Watch,
) -> Result<(Plan, Loaded), Error> {
    load_rows(policy, source.open(watch)?, &read_heads(policy)?, taxonomies, watch)
}

/// The same, of a source that is open as far as its header.
pub(crate) fn load_rows(
    policy: &Policy,
    opened: Opened,
    heads: &[Head],
    taxonomies: &Taxonomies,
    watch: &dyn Watch,
) -> Result<(Plan, Loaded), Error> {
    check_free(policy, opened.header())?;
    let mut plan = bind(policy, opened.header(), heads, taxonomies)?;
    let mut loaded = opened.read(&plan.columns.reading(), policy.data.missing == Missing::Drop, watch)?;
    unite(&policy.columns, &mut loaded.table, Holds::Values);
    let rows = loaded.table.rows();
    if u32::try_from(rows).is_err() {
        return Err(InputError::TooManyRows(rows).into());
    }
    check_data(policy, &plan, taxonomies, &loaded.table)?;
    plan.warnings.extend(look_alikes(policy, &plan, &loaded.table));
    Ok((plan, loaded))
}

/// Binds a policy to the header of its data, and to the headers of its earlier releases.
///
/// # Errors
/// An earlier release that cannot be read, and everything that does not fit, at once.
///
/// # Panics
/// If the taxonomies are not those of this policy.
pub fn plan_of(policy: &Policy, header: &[String], taxonomies: &Taxonomies) -> Result<Plan, Error> {
    Ok(bind(policy, header, &read_heads(policy)?, taxonomies)?)
}

/// Reports a column of the data in the place of the one that anatomy adds.
fn check_free(policy: &Policy, header: &[String]) -> Result<(), Error> {
    let mut problems = Problems::new(policy.source());
    if policy.method.approach == Approach::Anatomy && header.iter().any(|name| name == GROUP) {
        let message = format!(
            "the data has a column {}, and the method anatomy numbers its groups in one of this name",
            quoted(GROUP)
        );
        let help = "rename the column in the data, or choose another method".to_owned();
        problems.overall(message, Some(help));
    }
    Ok(problems.none_or(())?)
}
