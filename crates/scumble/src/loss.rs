//! The bound on what a group may lose, in the terms of the audit: each quasi column with what its values may be.
//!
//! A taxonomy or a `range` of the policy says that, whoever asks. Without either it is the data that does, the values of
//! rows that are left out included: what a group loses is a share of what there was. So neither it nor a level counted with it
//! is written down beside a release that leaves out rows, of which it would tell; and whoever audits the release has the data at
//! hand or cannot count it.

use std::sync::Arc;

use scumble_privacy::{LossDomain, LossPerGroup};
use scumble_table::Reading;
use scumble_table::{Column, ColumnId, Range, Table};

use scumble_bind::Plan;
use scumble_policy::{Policy, Taxonomies};

/// The bound of a policy on what a group may lose; `None` if its method keeps none. `data` is looked at for what the policy
/// does not say.
///
/// # Errors
/// The columns of which it is not known what their values may be.
pub(crate) fn loss_per_group(
    policy: &Policy,
    plan: &Plan,
    taxonomies: &Taxonomies,
    data: Option<&Table>,
) -> Result<Option<LossPerGroup>, Vec<String>> {
    let Some(at_most) = policy.method.loss_at_most() else {
        return Ok(None);
    };
    let mut columns = Vec::new();
    let mut unknown = Vec::new();
    for quasi in &plan.quasi {
        let name = &plan.columns[quasi.0].name;
        let column = data.and_then(|data| data.find(name).map(|id| data.column(id)));
        match domain(policy, plan, taxonomies, *quasi, column) {
            Some(domain) => columns.push((*quasi, domain)),
            None => unknown.push(name.clone()),
        }
    }
    if unknown.is_empty() {
        Ok(Some(LossPerGroup { at_most, columns }))
    } else {
        Err(unknown)
    }
}

/// Whether the policy says of every quasi column what its values may be, so that the data need not be asked.
pub(crate) fn is_declared(plan: &Plan) -> bool {
    plan.quasi.iter().all(|quasi| {
        let planned = &plan.columns[quasi.0];
        planned.taxonomy.is_some() || matches!(planned.reading(), Reading::Number { range: Some(_) })
    })
}

/// What the values of a column may be.
fn domain(
    policy: &Policy,
    plan: &Plan,
    taxonomies: &Taxonomies,
    id: ColumnId,
    data: Option<&Column>,
) -> Option<LossDomain> {
    let planned = &plan.columns[id.0];
    let written = policy.column(&planned.name);
    if let Some(taxonomy) = written.and_then(|column| taxonomies.shared(column)) {
        return Some(LossDomain::Leaves(Arc::clone(taxonomy)));
    }
    match planned.reading() {
        // Also where they are shown as sets, which lose their span: there is no end of numbers to count.
        Reading::Number { range } => {
            let observed = || data.and_then(observed);
            range.or_else(observed).map(LossDomain::Numbers)
        }
        Reading::Text | Reading::Leaves(_) | Reading::Ids | Reading::Skip => {
            Some(LossDomain::values(data?.dictionary().texts().iter()))
        }
    }
}

/// From the smallest number of a column to the largest.
fn observed(column: &Column) -> Option<Range> {
    let numbers = column.dictionary().numbers()?;
    let ends = numbers.first().copied().zip(numbers.last().copied());
    let (from, to) = ends.unwrap_or((0.0, 0.0));
    Range::new(from, to).ok()
}
