//! Loading the data of a policy: the plan is bound to the header, the rows are read as it says, and checked.

use scumble_store::{FileSource, Loaded, Watch};

use crate::alike::{Holds, unite};
use crate::error::{Error, Problems};
use crate::plan::Plan;
use crate::policy::{Approach, GROUP, Missing, Policy, Taxonomies, quoted};

/// Reads a file that has the columns of a policy.
///
/// # Errors
/// A file that cannot be read, a policy that does not fit it, more rows than can be numbered.
pub(crate) fn load<'t>(
    policy: &Policy,
    source: &FileSource,
    taxonomies: &'t Taxonomies,
    watch: &dyn Watch,
) -> Result<(Plan<'t>, Loaded), Error> {
    let opened = source.open(watch)?;
    check_free(policy, opened.header())?;
    let mut plan = policy.plan(opened.header(), taxonomies)?;
    let mut loaded = opened.read(&plan.reading, policy.data.missing == Missing::Drop, watch)?;
    unite(&policy.columns, &mut loaded.table, Holds::Values);
    let rows = loaded.table.rows();
    if u32::try_from(rows).is_err() {
        return Err(Error::TooManyRows(rows));
    }
    policy.check_data(&plan, taxonomies, &loaded.table)?;
    let look_alikes = policy.look_alikes(&plan, &loaded.table);
    plan.warnings.extend(look_alikes);
    Ok((plan, loaded))
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
    problems.none_or((), Error::Policy)
}
