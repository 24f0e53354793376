//! From a policy and the headers of its data and of earlier releases to a [`Plan`], or to all that does not fit.

use std::sync::Arc;

use scumble_policy::{Approach, Policy, Problems, Role, Taxonomies, Unlisted};
use scumble_privacy::Requirement;
use scumble_table::ColumnId;

use crate::check::{check_columns, check_labels, check_ranges};
use crate::columns::{PlannedColumn, PlannedColumns, Values};
use crate::earlier::Head;
use crate::join::Releases;
use crate::plan::Plan;
use crate::templates::bind_templates;
use crate::warning::PlanWarning;

/// Binds a policy to the header of its data, whose names are all different, and to what is known of earlier releases before
/// their rows are read.
///
/// # Errors
/// Everything that does not fit, at once.
///
/// # Panics
/// If the taxonomies are not those of this policy.
pub fn bind(policy: &Policy, header: &[String], heads: &[Head], taxonomies: &Taxonomies) -> Result<Plan, Problems> {
    policy.is_over_one()?;
    let releases = Releases::new(policy, header, heads, taxonomies);
    let mut problems = Problems::new(policy.source());
    check_columns(policy, header, &mut problems);
    check_labels(policy, taxonomies, &mut problems);
    check_ranges(policy, taxonomies, &mut problems);
    releases.check(&mut problems);
    problems.none_or(())?;
    Ok(plan(policy, header, taxonomies, &releases))
}

/// The plan of a policy that fits the header.
fn plan(policy: &Policy, header: &[String], taxonomies: &Taxonomies, releases: &Releases) -> Plan {
    let columns = PlannedColumns::of_header(header, |name| planned(policy, name, taxonomies));
    let class = columns.with_role(Role::Class).next();
    let mut plan = Plan {
        quasi: quasi(policy, &columns),
        class,
        columns,
        requirement: Requirement::default(),
        part_of: Vec::new(),
        populations: Vec::new(),
        earlier: Vec::new(),
        history_rules: Vec::new(),
        forms: Vec::new(),
        warnings: Vec::new(),
    };
    releases.bind(&mut plan);
    bind_templates(policy, &mut plan, taxonomies);
    plan.warnings = warnings(policy, header, &plan);
    plan
}

/// A column; `None` if it is not read.
fn planned(policy: &Policy, name: &str, taxonomies: &Taxonomies) -> Option<PlannedColumn> {
    let column = policy.column(name);
    let is_read = match column {
        Some(column) => column.role != Role::Identifier || policy.is_counted(name) || policy.is_guarding(name),
        None => policy.release.unlisted == Unlisted::Publish,
    };
    let taxonomy = column.and_then(|column| taxonomies.shared(column)).map(Arc::clone);
    is_read.then(|| PlannedColumn {
        name: name.to_owned(),
        role: column.map_or(Role::Other, |column| column.role),
        values: match policy.is_guarding(name) {
            // Its cells are nodes of another column's taxonomy; the check of the data sees to that.
            true => Values::Text,
            false => Values::of(column.map(|column| &column.kind), taxonomy.is_some()),
        },
        taxonomy,
        // Those that do not fit were reported.
        sensitive_ranges: column.and_then(|column| column.ranges(taxonomies)?.ok()),
    })
}

fn quasi(policy: &Policy, columns: &PlannedColumns) -> Vec<ColumnId> {
    let quasi = policy.columns.iter().filter(|column| column.role == Role::Quasi);
    quasi.filter_map(|column| columns.find(column.name.get_ref())).collect()
}

fn warnings(policy: &Policy, header: &[String], plan: &Plan) -> Vec<PlanWarning> {
    let not_listed = header.iter().filter(|name| policy.column(name).is_none()).cloned();
    let listed = PlanWarning::of_unlisted(policy.release.unlisted, not_listed.collect());
    // Where secrets are apart, quasi columns are published as they are, templates or not.
    let are_masked = policy.method.approach != Approach::Anatomy;
    let in_templates = plan.in_templates();
    let of_quasi = plan.quasi.iter().filter(|_| are_masked).filter_map(|quasi| {
        let column = &plan.columns[quasi.0];
        let name = column.name.clone();
        if !in_templates.contains(quasi) {
            Some(PlanWarning::InNoTemplate(name))
        } else {
            matches!(column.values, Values::Numbers { range: None }).then_some(PlanWarning::NoRange(name))
        }
    });
    let published = plan.columns.iter().filter(|column| column.is_published());
    let guarding = published
        .filter(|column| policy.is_guarding(&column.name))
        .map(|column| PlanWarning::GuardingShown(column.name.clone()));
    let warnings = listed.into_iter().chain(of_quasi).chain(guarding);
    warnings.chain(implied(plan)).chain(plan.join_warnings()).collect()
}

/// The templates that another one makes true. None is dropped, because the average loss of a refinement, and so
/// the release, depends on all of them.
fn implied(plan: &Plan) -> Vec<PlanWarning> {
    let templates = &plan.requirement.templates;
    let implied = templates.iter().enumerate().filter_map(|(place, template)| {
        let mut others = templates.iter().enumerate();
        let (_, by) = others.find(|&(other, wider)| {
            // Of two that imply each other, the later one is told.
            other != place && template.implied_by(wider) && (other < place || !wider.implied_by(template))
        })?;
        Some(PlanWarning::Implied {
            template: plan.describe(template),
            by: plan.describe(by),
        })
    });
    implied.collect()
}
