//! Decisions of the methods that gather rows into groups, or choose one level for each column.

use std::collections::HashSet;

use rayon::prelude::*;
use scumble_grouping::{
    Anatomy, Failure, Form, FullDomain, FullDomainObjective, Grouping, KMember, Ladder, Local, Look, MemberObjective,
    Method, Microaggregation, Mondrian, Problem, Protection, RangeSecret, Scale, Shape, Space, Toc, Upc, full_domain,
    gather, recode, settle_alike,
};
use scumble_level::Conditions;
use scumble_privacy::Template;
use scumble_progress::{Interrupted, Running, Stage, Watch};
use scumble_refine::{Operation, Population, QuasiColumn};
use scumble_table::Reading;
use scumble_table::{ColumnId, Mask, Table};

use super::apart::Apart;
use super::decision::Decision;
use super::inputs::RowsInputs;
use super::recoding::{Groups, Recoding, for_columns};
use crate::error::Error;
use crate::errors::SearchError;
use crate::population::People;
use crate::sets::{may_be_in_a_set, no_set};
use crate::shortfall::shortfalls;
use scumble_bind::Plan;
use scumble_policy::Problems;
use scumble_policy::{Gathering, Policy, Role};

/// The best level for each column.
pub(super) fn choose_levels(
    inputs: &RowsInputs,
    objective: FullDomainObjective,
    watch: &dyn Watch,
) -> Result<Decision, Error> {
    let RowsInputs {
        plan,
        table,
        populations,
        ..
    } = inputs;
    let searching = Running::begin(watch, Stage::Searching, None);
    let quasi: Vec<QuasiColumn> = known(plan).collect();
    let ladders = quasi.iter().map(|quasi| {
        searching.work().go_on()?;
        let (scale, _) = shown(plan, quasi, None);
        Ok(Ladder::new(table, quasi.id, scale))
    });
    let ladders = ladders.collect::<Result<Vec<Ladder>, Interrupted>>()?;
    let people: Vec<Population> = populations.iter().map(People::coded).collect();
    let found = full_domain(&FullDomain {
        table,
        quasi: &ladders,
        requirement: &plan.requirement,
        populations: &people,
        rows_left_out_at_most: inputs.row_budget(),
        objective,
        work: searching.work(),
    });
    let found = found.map_err(|failure| failed(plan, failure))?;
    searching.done();
    let mut places = vec![None; plan.columns.len()];
    quasi
        .iter()
        .zip(&found.masks)
        .for_each(|(quasi, mask)| places[quasi.id.0] = Some(mask));
    let mask = |id: ColumnId| places[id.0].map_or(Mask::Exact, Mask::clone);
    let looked_at = format!(
        "The best of {} choices of levels; {} of them were looked at.",
        found.nodes, found.looked_at
    );
    Ok(Decision {
        left_out: found.left_out,
        notes: vec![looked_at],
        ..Decision::by(Recoding::Masks(for_columns(plan, mask)))
    })
}

/// Groups of rows.
pub(super) fn gather_rows(inputs: &RowsInputs, gathering: Gathering, watch: &dyn Watch) -> Result<Decision, Error> {
    let RowsInputs {
        policy, plan, table, ..
    } = inputs;
    let searching = Running::begin(watch, Stage::Searching, None);
    let asked = |quasi: &QuasiColumn| {
        let column = policy.column(&plan.columns[quasi.id.0].name);
        column
            .and_then(|column| column.form.as_ref())
            .map(|form| *form.get_ref())
    };
    let shown: Vec<(ColumnId, Scale, Shape)> = known(plan)
        .map(|quasi| {
            let (scale, shape) = shown(plan, &quasi, asked(&quasi));
            let (scale, form) = match (gathering, &quasi.operation) {
                (Gathering::Microaggregation { centre }, _) => (scale, centre_of(scale, centre)),
                // What a group may lose is bounded, and a set of numbers loses what lies between them, as an interval does.
                (Gathering::Upc { .. }, Operation::Discretize(range)) => (Scale::Numbers { range: *range }, shape.form),
                _ => (scale, shape.form),
            };
            (quasi.id, scale, Shape { form, ..shape })
        })
        .collect();
    check_sets(policy, plan, table, &shown)?;
    let scales: Vec<(ColumnId, Scale)> = shown.iter().map(|&(id, scale, _)| (id, scale)).collect();
    let space = Space::new(table, &scales);
    let problem = Problem {
        table,
        space: &space,
        requirement: &plan.requirement,
        rows_left_out_at_most: inputs.row_budget(),
        seed: policy.method.seed,
        work: searching.work(),
    };
    let grouping = by_method(plan, &problem, gathering, &scales).map_err(|failure| failed(plan, failure))?;
    let grouping = match gathering {
        Gathering::Microaggregation { .. } => {
            let looks = |groups: &[Vec<u32>]| looks(table, &shown, groups);
            settle_alike(&problem, grouping, &looks).map_err(|failure| failed(plan, failure))?
        }
        // What these show is what they are told apart by.
        _ => grouping,
    };
    searching.done();
    let notes = vec![format!("The rows were gathered into {} groups.", grouping.groups())];
    let left_out = grouping.left_out();
    let mut forms = vec![None; plan.columns.len()];
    shown.iter().for_each(|&(id, _, shape)| forms[id.0] = Some(shape.form));
    let groups = Groups { forms, grouping };
    Ok(Decision {
        left_out,
        notes,
        ..Decision::by(Recoding::Groups(groups))
    })
}

/// What groups are shown as.
fn looks(table: &Table, shown: &[(ColumnId, Scale, Shape)], groups: &[Vec<u32>]) -> Vec<Look> {
    let mut looks = vec![Look::new(); groups.len()];
    for &(id, _, shape) in shown {
        let recoded = recode(table.column(id), shape, groups);
        let labels = recoded
            .label_of_group
            .iter()
            .map(|&label| &recoded.labels[label as usize]);
        looks
            .iter_mut()
            .zip(labels)
            .for_each(|(look, label)| look.push(label.clone()));
    }
    looks
}

/// Refuses columns whose groups are shown as sets, and whose values look like sets or cannot be told from their parts.
fn check_sets(policy: &Policy, plan: &Plan, table: &Table, shown: &[(ColumnId, Scale, Shape)]) -> Result<(), Error> {
    let mut problems = Problems::new(policy.source());
    let sets = shown.iter().filter(|(.., shape)| shape.form == Form::Set);
    let sets: HashSet<ColumnId> = sets.map(|&(id, ..)| id).collect();
    let is_set = |id: &ColumnId| sets.contains(id);
    // What every group loses is read from the texts of all quasi columns, also of those that no template is about.
    let is_measured = |id: &ColumnId| {
        let is_text = matches!(plan.columns[id.0].reading(), Reading::Text);
        is_text && policy.method.loss_at_most().is_some()
    };
    let quasi = plan.quasi.iter().copied();
    for id in quasi.filter(|id| is_set(id) || is_measured(id)) {
        let texts = table.column(id).dictionary().texts();
        let strange = texts.iter().filter(|text| !may_be_in_a_set(text)).count();
        if strange > 0 {
            let name = &plan.columns[id.0].name;
            let (message, help) = no_set(name, strange);
            match policy.column(name) {
                Some(column) => problems.at(column.name.span(), message, Some(help)),
                None => problems.overall(message, Some(help)),
            }
        }
    }
    Ok(problems.none_or(())?)
}

/// Groups that mix secrets, which are published apart.
pub(super) fn mix_secrets(inputs: &RowsInputs, watch: &dyn Watch) -> Result<Decision, Error> {
    let RowsInputs {
        policy, plan, table, ..
    } = inputs;
    let searching = Running::begin(watch, Stage::Searching, None);
    let problem = Problem {
        table,
        // Nothing is shown as one, so nothing is near or far.
        space: &Space::new(table, &[]),
        requirement: &plan.requirement,
        rows_left_out_at_most: 0,
        seed: lot(policy.method.seed, plan, table),
        work: searching.work(),
    };
    let mut secrets = plan.requirement.templates.iter().flat_map(Template::counted);
    let first = secrets
        .next()
        .expect("a policy asks for something, and what anatomy keeps is about a sensitive column");
    let conditions = Conditions::new(table, &plan.requirement);
    let groups = Anatomy::of(first, &plan.requirement).groups(&problem, &conditions);
    let groups = groups.map_err(|failure| failed(plan, failure))?;
    let work = searching.work();
    let asked = groups.par_iter().filter(|_| !work.should_stop());
    let all_keep = asked.all(|group| conditions.are_met_by(group));
    work.go_on()?;
    if !all_keep {
        let levels = conditions.levels(groups.iter().map(|group| &group[..]));
        return Err(failed(plan, Failure::CannotBeMet(levels)));
    }
    searching.done();
    let note = format!(
        "The secrets were mixed in {} groups, and are in {}.",
        groups.len(),
        policy.release.format.secrets_file_name()
    );
    Ok(Decision {
        notes: vec![note],
        ..Decision::by(Recoding::Apart(Apart::new(plan, groups)))
    })
}

/// What decides which rows of one secret go together: the seed, and the secrets of all rows.
///
/// Were it the seed alone, somebody who guesses it and knows the order of the data could draw the same lots, and rule out
/// one secret after the other for each row. So they must know all secrets before they can draw any.
fn lot(seed: u64, plan: &Plan, table: &Table) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    for (id, _) in sensitive(plan) {
        for code in table.column(id).codes().iter() {
            hasher.update(&code.to_le_bytes());
        }
    }
    let [a, b, c, d, e, f, g, h, ..] = *hasher.finalize().as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

fn by_method(
    plan: &Plan,
    problem: &Problem,
    gathering: Gathering,
    scales: &[(ColumnId, Scale)],
) -> Result<Grouping, Failure> {
    let secrets = Space::new(problem.table, &sensitive(plan));
    let conditions = Conditions::new(problem.table, problem.requirement);
    let by = |method: &dyn Method| gather(method, problem);
    match gathering {
        Gathering::Local => by(&Local),
        Gathering::Toc {
            utility_weight,
            threshold,
            subspace,
            nearest,
        } => by(&Toc {
            utility_weight,
            threshold,
            subspace,
            nearest,
            sensitive: secrets,
        }),
        Gathering::Upc { loss_at_most, subspace } => by(&Upc {
            loss_at_most,
            subspace,
            secrets: conditions
                .range_diversities()
                .map(|check| RangeSecret {
                    codes: check.codes,
                    contributions: check.contributions,
                    at_most: check.at_most,
                })
                .collect(),
        }),
        Gathering::Mondrian { strict } => by(&Mondrian { strict }),
        Gathering::KMember => by(&KMember {
            objective: MemberObjective::Utility,
        }),
        Gathering::KMemberP => by(&KMember {
            objective: MemberObjective::Protection(Protection::SDiversity(&secrets)),
        }),
        Gathering::Microaggregation { .. } => by(&Microaggregation { columns: scales }),
    }
}

/// The quasi columns that somebody may know. The others are in no template, and published as they are.
fn known(plan: &Plan) -> impl Iterator<Item = QuasiColumn<'_>> {
    let in_templates = plan.in_templates();
    plan.quasi_columns()
        .into_iter()
        .filter(move |quasi| in_templates.contains(&quasi.id))
}

/// How the values of a quasi column are told apart, and shown.
fn shown<'t>(plan: &'t Plan, quasi: &QuasiColumn<'t>, asked: Option<Form>) -> (Scale<'t>, Shape<'t>) {
    let taxonomy = plan.columns[quasi.id.0].taxonomy();
    let range = match quasi.operation {
        Operation::Discretize(range) => range,
        _ => None,
    };
    let (scale, form) = match (&quasi.operation, asked) {
        (Operation::Generalize(taxonomy), Some(Form::Set)) => (Scale::Leaves(taxonomy), Form::Set),
        (Operation::Generalize(taxonomy), _) => (Scale::Tree(taxonomy), Form::Ancestor),
        (Operation::Discretize(_), Some(Form::Set)) => (Scale::Values { domain: None }, Form::Set),
        (Operation::Discretize(range), _) => (Scale::Numbers { range: *range }, Form::Interval),
        (Operation::Suppress | Operation::Foreign, _) => (Scale::Values { domain: None }, Form::Set),
    };
    let shape = Shape { form, taxonomy, range };
    (scale, shape)
}

/// What stands for a group of a column that may have no numbers.
fn centre_of(scale: Scale, centre: Form) -> Form {
    match scale {
        Scale::Numbers { .. } => centre,
        _ => Form::Mode,
    }
}

/// How the values of the sensitive columns are told apart.
fn sensitive(plan: &Plan) -> Vec<(ColumnId, Scale<'_>)> {
    let columns = plan.columns.iter().enumerate();
    let sensitive = columns.filter(|(_, column)| column.role == Role::Sensitive);
    sensitive
        .map(|(id, column)| {
            let scale = match (&column.reading(), column.taxonomy()) {
                (Reading::Number { range }, _) => Scale::Numbers { range: *range },
                (_, Some(taxonomy)) => Scale::Tree(taxonomy),
                _ => Scale::Values { domain: None },
            };
            (ColumnId(id), scale)
        })
        .collect()
}

fn failed(plan: &Plan, failure: Failure) -> Error {
    let describe = |number: &usize| plan.describe(&plan.requirement.templates[*number]);
    match failure {
        Failure::Interrupted => Error::Interrupted,
        Failure::CannotBeMet(levels) => {
            let templates = plan.requirement.templates.iter().zip(levels);
            let levels = templates.map(|(template, level)| (level, template.is_met_by(level)));
            SearchError::CannotBeMet(shortfalls(plan, levels)).into()
        }
        Failure::LeavesOut { rows, most } => SearchError::LeavesOutTooMany { rows, most }.into(),
        Failure::OnJoin(templates) => SearchError::OnJoin(templates.iter().map(describe).collect()).into(),
    }
}
