//! What a search is set up with: which guards the templates need, and which rows each of them groups.

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_table::{Codes, ColumnId};

use crate::guard::{Guard, Use};
use crate::join::{counts_this_table_alone, dangling};
use crate::problem::Problem;
use crate::projection::{KindOf, Rows};
use crate::values::Values;
use scumble_level::Spec;

/// The templates that the join decides, by number. Where this table alone decides, a template goes with all others.
pub(crate) fn on_join(problem: &Problem) -> Vec<usize> {
    let on_join = problem.requirement.on_join();
    if on_join.is_empty() || dangling(problem.table, problem.history).of_this > 0 {
        return on_join;
    }
    let decides = |&number: &usize| {
        let template = &problem.requirement.templates[number];
        let joined = template.joined();
        joined.is_some_and(|joined| !counts_this_table_alone(template, joined, problem.history))
    };
    on_join.into_iter().filter(decides).collect()
}

/// Columns as places among the quasi columns.
pub(crate) fn places(problem: &Problem, columns: &[ColumnId]) -> Vec<usize> {
    let quasi = problem.quasi.iter().enumerate();
    let place_of: HashMap<ColumnId, usize> = quasi.map(|(place, quasi)| (quasi.id, place)).collect();
    let place = |id: &ColumnId| *place_of.get(id).expect("`of` names quasi columns");
    columns.iter().map(place).collect()
}

/// The rows that a grouping needs, told apart by nothing but what it needs.
pub(crate) fn own_rows<'t>(problem: &'t Problem<'t>, spec: &Spec<'t>) -> (Rows<'t>, KindOf) {
    rows_of(problem, spec, &spec.columns, spec.categories.as_deref().as_slice())
}

/// The rows that a grouping needs, told apart by all of `keep` and `keep_categories`.
fn rows_of<'t>(
    problem: &'t Problem<'t>,
    spec: &Spec<'t>,
    keep: &[ColumnId],
    keep_categories: &[&Codes],
) -> (Rows<'t>, KindOf) {
    let Spec { columns, .. } = spec;
    let foreign = problem.foreign();
    if columns.iter().any(|id| foreign.contains(id)) {
        // Whoever holds the column may still tell any two rows apart.
        let categories = spec.categories.as_ref();
        return (
            Rows::whole(problem.table, columns, categories, spec.category_count),
            None,
        );
    }
    let (rows, kind_of) = Rows::project(
        problem.table,
        columns,
        spec.categories.as_ref(),
        spec.category_count,
        keep,
        keep_categories,
    );
    match spec.population {
        None => (rows, kind_of),
        Some(place) => (
            rows.with_people(problem.table, columns, &problem.populations[place]),
            kind_of,
        ),
    }
}

/// One guard per grouping. Guards that share a row budget must agree on what a row is; others each collapse the table
/// to what they need, which leaves far fewer rows.
pub(crate) fn guards<'t>(
    problem: &'t Problem<'t>,
    specs: Vec<Spec<'t>>,
    values: &[Values],
) -> (Vec<Guard<'t>>, KindOf) {
    let has_budget = problem.rows_left_out_at_most > 0;
    let shared = has_budget && specs.len() > 1;
    let asked_for = if shared { Use::Rows } else { Use::Levels };
    let mut union: Vec<ColumnId> = specs.iter().flat_map(|spec| spec.columns.iter().copied()).collect();
    union.sort_unstable();
    union.dedup();
    let all_categories: Vec<&Codes> = specs.iter().filter_map(|spec| spec.categories.as_deref()).collect();
    let built: Vec<(Guard, KindOf)> = specs
        .par_iter()
        .map(|spec| {
            let (rows, kind_of) = if shared {
                rows_of(problem, spec, &union, &all_categories)
            } else {
                own_rows(problem, spec)
            };
            let columns = places(problem, &spec.columns);
            // Only a budget asks which rows became one, and under a budget the answer is the same for all guards.
            (
                Guard::new(spec.checks.clone(), columns, rows, values, asked_for),
                kind_of.filter(|_| has_budget),
            )
        })
        .collect();
    let (guards, mut kinds): (Vec<Guard>, Vec<KindOf>) = built.into_iter().unzip();
    let kinds = kinds.pop().flatten();
    (guards, kinds)
}
