//! Loading the data of a policy: the plan is bound to the header, the rows are read as it says, and checked.

use scumble_store::{Loaded, Source, Watch, read};

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
    source: &Source,
    taxonomies: &'t Taxonomies,
    watch: &dyn Watch,
) -> Result<(Plan<'t>, Loaded), Error> {
    let mut plan = None;
    let bind = |header: &[String]| -> Result<_, Error> {
        check_free(policy, header)?;
        let bound = policy.plan(header, taxonomies)?;
        Ok(plan.insert(bound).reading.clone())
    };
    let mut loaded = read(source, policy.data.missing == Missing::Drop, bind, watch)?;
    unite(&policy.columns, &mut loaded.table, Holds::Values);
    let rows = loaded.table.rows();
    if u32::try_from(rows).is_err() {
        return Err(Error::TooManyRows(rows));
    }
    let mut plan = plan.expect("reading asks for the plan before it reads a row");
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
