//! Loading the data of a policy: the policy is bound to the header, the rows are read as that says, and checked.

use scumble_bind::{Holds, Plan, bind, check_data, look_alikes, unite};
use scumble_policy::{Approach, GROUP, Missing, Policy, Problems, Taxonomies, quoted};
use scumble_store::{Loaded, ReadError, Source, Watch, header, read};

use crate::earlier::read_heads;
use crate::error::Error;

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
    policy.is_over_one()?;
    let header = header(source)?;
    check_free(policy, &header)?;
    let mut plan = plan_of(policy, &header, taxonomies)?;
    let reading = |_: &[String]| Ok::<_, ReadError>(plan.reading());
    let mut loaded = read(source, policy.data.missing == Missing::Drop, reading, watch)?;
    unite(&policy.columns, &mut loaded.table, Holds::Values);
    let rows = loaded.table.rows();
    if u32::try_from(rows).is_err() {
        return Err(Error::TooManyRows(rows));
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
