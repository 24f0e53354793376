//! What to mask and which rows to leave out: searched for, or taken from an earlier certificate.

use scumble_bind::Plan;
use scumble_policy::{Approach, Policy};
use scumble_progress::{Stage, Watch, Work};
use scumble_refine::{Objective, Operation, Outcome, Population, Problem, Refined, refine, rows_to_leave_out};
use scumble_report::{Certificate, Level, TraceFile, TraceStep};
use scumble_table::{Column, ColumnId, Mask, ReleasedColumn, Table, Taxonomy};
use scumble_utility::classify::{ClassificationError, Learner, Split, table_error};

use super::decision::Decision;
use super::gather::{choose_levels, gather_rows, mix_secrets};
use super::inputs::RowsInputs;
use super::recoding::{Recoding, for_columns};
use crate::error::Error;
use crate::errors::{LevelFault, MaskMisfit, SearchError};
use crate::evaluate::{ROWS_CLASSIFIED, measured_columns, predictors};
use crate::frontier::{AtLevel, frontier, steps_at_level};
use crate::population::People;
use crate::search::Search;
use crate::shortfall::shortfalls;
use crate::stops::{Stop, traced};

/// Decides as is asked.
pub(super) fn decide(inputs: &RowsInputs, asked: &Search, watch: &dyn Watch) -> Result<Decision, Error> {
    let approach = inputs.policy.method.approach;
    if let Some(certificate) = &asked.mask {
        if certificate.secrets.is_some() || approach == Approach::Anatomy {
            return Err(SearchError::NoMasks.into());
        }
        return Ok(take_masks(inputs, certificate)?);
    }
    if let (Some(at), true) = (asked.at_level.first(), approach != Approach::Refine) {
        let not_on_the_way = SearchError::AtLevel {
            kind: at.kind.clone(),
            level: at.level,
            reason: LevelFault::NotOnTheWay,
        };
        return Err(not_on_the_way.into());
    }
    match approach {
        Approach::Refine => refine_masks(inputs, &asked.at_level, watch),
        Approach::FullDomain(objective) => choose_levels(inputs, objective, watch),
        Approach::Gather(gathering) => gather_rows(inputs, gathering, watch),
        Approach::Anatomy => mix_secrets(inputs, watch),
        Approach::Persons(_) => unreachable!("the policy is over one table"),
    }
}

/// Refines from the most masked table.
fn refine_masks(inputs: &RowsInputs, at_level: &[AtLevel], watch: &dyn Watch) -> Result<Decision, Error> {
    let RowsInputs {
        policy, plan, table, ..
    } = inputs;
    let history = &inputs.joined.history;
    let asked = policy.method.steps;
    let by = |objective: Objective, steps: Option<usize>| {
        let people: Vec<Population> = inputs.populations.iter().map(People::coded).collect();
        let problem = Problem {
            table,
            populations: &people,
            history,
            quasi: plan.quasi_columns(),
            class: plan.class,
            requirement: &plan.requirement,
            objective,
            elsewhere: Vec::new(),
            weigh: policy.method.weigh,
            rows_left_out_at_most: inputs.row_budget(),
            steps,
        };
        search(plan, &problem, watch)
    };
    let mut objective = policy.method.objective;
    let mut whole = by(objective, asked)?;
    if !policy.method.rivals.is_empty() {
        let error_of =
            |found: &Refined| Stage::Searching.run(watch, |work| learner_error(policy, plan, table, found, work));
        let mut error = error_of(&whole)?;
        for &rival in policy.method.rivals {
            let other = by(rival, asked)?;
            let of_other = error_of(&other)?;
            if of_other < error {
                (objective, whole, error) = (rival, other, of_other);
            }
        }
    }
    let trace = trace_file(plan, &whole);
    let at_level = at_level.iter().map(|at| steps_at_level(plan, &trace, at));
    let picked = at_level.collect::<Result<Vec<usize>, SearchError>>()?.into_iter().min();
    let released = picked.unwrap_or(trace.steps.len());
    let frontier = frontier(plan, &trace, released);
    // A search is short beside reading and writing, and the same every time: to go back is to search again.
    let (refined, trace) = if released < trace.steps.len() {
        let again = by(objective, picked)?;
        let trace = trace_file(plan, &again);
        (again, trace)
    } else {
        (whole, trace)
    };
    let places = plan.places_among_quasi();
    let mask = |id: ColumnId| places[id.0].map_or(Mask::Exact, |place| refined.masks[place].clone());
    Ok(Decision {
        recoding: Recoding::Masks(for_columns(plan, mask)),
        notes: Vec::new(),
        stops: Stop::all(plan, &refined.stops),
        left_out: refined.left_out,
        trace: Some(trace),
        frontier: Some(frontier),
        objective: Some(objective),
        steps: picked.or(asked),
        is_taken_over: false,
    })
}

fn search(plan: &Plan, problem: &Problem, watch: &dyn Watch) -> Result<Refined, Error> {
    let outcome = Stage::Searching.run(watch, |work| match refine(problem, work) {
        Outcome::Interrupted => Err(Error::Interrupted),
        outcome => Ok(outcome),
    })?;
    match outcome {
        Outcome::Interrupted => Err(Error::Interrupted),
        Outcome::CannotBeMet(levels) => {
            let templates = plan.requirement.templates.iter().zip(levels);
            let levels = templates.map(|(template, level)| (level, template.is_met_by(level)));
            Err(SearchError::CannotBeMet(shortfalls(plan, levels)).into())
        }
        Outcome::Refined(refined) => Ok(refined),
    }
}

/// How often C4.5 errs that learns from what was found: three folds of at most 30,000 rows.
fn learner_error(policy: &Policy, plan: &Plan, table: &Table, found: &Refined, work: Work) -> Result<f64, Error> {
    let split = Split::Folds {
        folds: 3,
        seed: policy.method.seed,
        rows_at_most: Some(ROWS_CLASSIFIED),
    };
    let mut columns: Vec<Column> = table.columns().to_vec();
    for (quasi, mask) in plan.quasi.iter().zip(&found.masks) {
        let taxonomy = plan.columns[quasi.0].taxonomy();
        let shown = ReleasedColumn::new(table.column(*quasi).clone(), mask, taxonomy, true);
        columns[quasi.0] = shown.as_read();
    }
    let mut release = Table::new(table.rows(), columns);
    if let Some(left_out) = &found.left_out {
        release.retain_rows(&left_out.iter().map(|out| !out).collect::<Vec<_>>());
    }
    let Some(class) = plan.class else { return Ok(0.0) };
    let columns = measured_columns(plan, |_| None);
    let predictors = predictors(&columns, table, |name| name != plan.columns[class.0].name);
    let name = &plan.columns[class.0].name;
    table_error(&release, name, &predictors, &split, Learner::C45, work)
        .map(|error| error.rate)
        .map_err(|error| match error {
            ClassificationError::Interrupted(_) => Error::Interrupted,
            error => SearchError::ByClassifier(error).into(),
        })
}

/// Masks as a certificate says; rows whose groups break the requirement are left out within the row budget.
fn take_masks(inputs: &RowsInputs, certificate: &Certificate) -> Result<Decision, SearchError> {
    let RowsInputs { plan, table, .. } = inputs;
    let written = certificate.masks();
    let mut read = Vec::new();
    for quasi in &plan.quasi {
        let column = &plan.columns[quasi.0];
        let misfit = |reason: MaskMisfit| SearchError::MaskDoesNotFit {
            column: column.name.clone(),
            reason,
        };
        let mask = written
            .get(&column.name[..])
            .ok_or_else(|| misfit(MaskMisfit::NoSuchColumn))?;
        let mask = mask.map_or(Ok(Mask::Exact), |mask| mask.read(column.taxonomy()));
        let mask = mask.map_err(|error| misfit(error.into()))?;
        if !is_of(&mask, &column.operation()) {
            return Err(misfit(MaskMisfit::OtherKind));
        }
        read.push(mask);
    }
    let places = plan.places_among_quasi();
    let mask = |id: ColumnId| places[id.0].map_or(Mask::Exact, |place| read[place].clone());
    let recoding = Recoding::Masks(for_columns(plan, mask));
    let masks = recoding.with_columns(plan).into_iter();
    let plain: Vec<(Mask, Option<&Taxonomy>)> = masks.map(|(mask, tree, _)| (mask, tree)).collect();
    let people: Vec<Population> = inputs.populations.iter().map(People::coded).collect();
    let left_out = rows_to_leave_out(table, &people, &plain, &plan.requirement);
    let rows = left_out.iter().flatten().filter(|&&out| out).count() as u64;
    let most = inputs.row_budget();
    if rows > most {
        return Err(SearchError::MaskBreaksRequirement { rows, most });
    }
    Ok(Decision {
        left_out,
        is_taken_over: true,
        ..Decision::by(recoding)
    })
}

/// Whether a mask is what an operation makes.
fn is_of(mask: &Mask, operation: &Operation) -> bool {
    match mask {
        Mask::Exact => true,
        Mask::Generalize(_) => matches!(operation, Operation::Generalize(_)),
        Mask::Suppress(_) => matches!(operation, Operation::Suppress),
        Mask::Discretize(_) => matches!(operation, Operation::Discretize(_)),
    }
}

fn trace_file(plan: &Plan, refined: &Refined) -> TraceFile {
    let levels = |levels: &[f64]| {
        let templates = plan.requirement.templates.iter().zip(levels);
        templates.map(|(template, &level)| Level::of(template, level)).collect()
    };
    let steps = refined.trace.steps.iter().map(|step| TraceStep {
        column: plan.quasi_name(step.column).to_owned(),
        value: step.value.clone(),
        into: step.into.clone(),
        gain: step.gain,
        loss: step.loss,
        score: step.score,
        levels: levels(&step.levels),
        information_loss: step.information_loss,
        rows_left_out: step.left_out,
    });
    TraceFile {
        start: levels(&refined.trace.start),
        start_information_loss: refined.trace.start_information_loss,
        steps: steps.collect(),
        stops: refined.stops.iter().map(|stop| traced(plan, stop)).collect(),
    }
}
