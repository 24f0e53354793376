//! From a policy and the headers of its data and of earlier releases to a [`Plan`], or to all that does not fit.

use std::collections::HashMap;
use std::sync::Arc;

use scumble_policy::{Approach, ColumnKind, Policy, Problems, Role, Taxonomies, Unlisted};
use scumble_privacy::Requirement;
use scumble_table::ColumnId;

use crate::check::{check_columns, check_labels, check_ranges};
use crate::earlier::Head;
use crate::join::Releases;
use crate::plan::{Plan, PlannedColumn, Values};
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
    let mut plan = Plan {
        header: Vec::new(),
        columns: Vec::new(),
        quasi: Vec::new(),
        class: None,
        requirement: Requirement::default(),
        part_of: Vec::new(),
        populations: Vec::new(),
        earlier: Vec::new(),
        history_rules: Vec::new(),
        forms: Vec::new(),
        warnings: Vec::new(),
        by_name: HashMap::new(),
    };
    for name in header {
        let column = policy.column(name);
        let id = values(policy, name, taxonomies).map(|values| {
            let id = ColumnId(plan.columns.len());
            plan.by_name.entry(name.clone()).or_insert(id);
            plan.columns.push(PlannedColumn {
                name: name.clone(),
                role: column.map_or(Role::Other, |column| column.role),
                taxonomy: column.and_then(|column| taxonomies.shared(column)).map(Arc::clone),
                values,
                // Those that do not fit were reported.
                sensitive_ranges: column.and_then(|column| column.ranges(taxonomies)?.ok()),
            });
            id
        });
        plan.header.push(id);
    }
    plan.class = plan
        .columns
        .iter()
        .position(|column| column.role == Role::Class)
        .map(ColumnId);
    plan.quasi = quasi(policy, &plan);
    releases.bind(&mut plan);
    bind_templates(policy, &mut plan, taxonomies);
    plan.warnings = warnings(policy, header, &plan);
    plan
}

/// What the cells of a column are; `None` if it is not read.
fn values(policy: &Policy, name: &str, taxonomies: &Taxonomies) -> Option<Values> {
    let Some(column) = policy.column(name) else {
        return (policy.release.unlisted == Unlisted::Publish).then_some(Values::Text);
    };
    if column.role == Role::Identifier && !policy.is_counted(name) && !policy.is_guarding(name) {
        return None;
    }
    Some(match (&column.kind, taxonomies.of(column)) {
        // Its cells are nodes of another column's taxonomy; the check of the data sees to that.
        _ if policy.is_guarding(name) => Values::Text,
        (ColumnKind::Continuous { range }, _) => Values::Numbers { range: *range },
        (ColumnKind::Categorical { .. }, Some(_)) => Values::Leaves,
        (ColumnKind::Categorical { .. }, None) => Values::Text,
    })
}

fn quasi(policy: &Policy, plan: &Plan) -> Vec<ColumnId> {
    let quasi = policy.columns.iter().filter(|column| column.role == Role::Quasi);
    quasi.filter_map(|column| plan.find(column.name.get_ref())).collect()
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
