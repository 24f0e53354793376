//! Loading the data of a policy: the plan is bound to the header, the rows are read as it says, and checked.

use scumble_store::{Loaded, Source, Watch, read};

use crate::error::Error;
use crate::plan::Plan;
use crate::policy::{Missing, Policy, Taxonomies};

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
        let bound = policy.plan(header, taxonomies)?;
        Ok(plan.insert(bound).reading.clone())
    };
    let loaded = read(source, policy.data.missing == Missing::Drop, bind, watch)?;
    let rows = loaded.table.rows();
    if u32::try_from(rows).is_err() {
        return Err(Error::TooManyRows(rows));
    }
    let plan = plan.expect("reading asks for the plan before it reads a row");
    policy.check_data(&plan, taxonomies, &loaded.table)?;
    Ok((plan, loaded))
}
