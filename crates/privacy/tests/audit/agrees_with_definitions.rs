//! The audit against the definitions, on random tables.

use std::collections::BTreeMap;

use proptest::prelude::*;
use scumble_privacy::{History, QuasiIdentifier, Requirement, Template, recount};
use scumble_table::ColumnId;

use crate::definitions::{HEADER, every_kind, level, levels};
use crate::example::{Cells, from_cells};

/// A cell of one of these values, or a missing one.
fn cell(values: &'static [&'static str]) -> impl Strategy<Value = Option<String>> {
    prop::option::weighted(0.9, prop::sample::select(values).prop_map(str::to_owned))
}

/// Rows of the columns of [`HEADER`], from few enough values that groups have several rows.
pub fn rows() -> impl Strategy<Value = Vec<Cells>> {
    let quasi = || cell(&["p", "q", "r"]);
    let disease = cell(&["v0", "v1", "v2", "v3", "v4"]);
    let guard = cell(&["all", "x", "y", "z", "v1", "v4", "unknown"]);
    let row = (quasi(), quasi(), quasi(), disease, guard);
    let row = row.prop_map(|(a, b, c, disease, guard)| vec![a, b, c, disease, guard]);
    prop::collection::vec(row, 1..40)
}

/// People with the first three columns; they have a value that no release shows.
pub fn people() -> impl Strategy<Value = Vec<Cells>> {
    prop::collection::vec(prop::collection::vec(cell(&["p", "q", "r", "s"]), 3), 0..40)
}

/// Some of the first three columns, of which an adversary knows all or only some.
pub fn quasi_identifier() -> impl Strategy<Value = QuasiIdentifier> {
    let columns = prop::sample::subsequence((0..3).map(ColumnId).collect::<Vec<_>>(), 0..=3);
    (columns, prop::option::of(0..3usize)).prop_map(|(columns, any)| QuasiIdentifier { columns, any })
}

fn agree(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-9 * (1.0 + b.abs())
}

/// Groups and rows by level; what differs by rounding is one level.
fn tally(groups: impl Iterator<Item = (f64, u64, u64)>) -> BTreeMap<String, (u64, u64)> {
    let mut all = BTreeMap::new();
    for (level, groups, rows) in groups {
        let (all_groups, all_rows) = all.entry(format!("{level:.9}")).or_default();
        *all_groups += groups;
        *all_rows += rows;
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_level_is_that_of_the_definition(rows in rows(), people in people(), of in quasi_identifier()) {
        let example = from_cells(&HEADER, &rows);
        let population = example.population(&[0, 1, 2].map(ColumnId), &people);
        let template = |demand| Template { of: of.clone(), demand };
        let requirement = Requirement { templates: every_kind().into_iter().map(template).collect() };
        let found = recount(&example.release, &requirement, &[population], &History::default());
        for (template, found) in requirement.templates.iter().zip(found) {
            let expected = level(template, &rows, &people);
            prop_assert!(agree(found.level, expected), "{found:?}, not {expected}: {template:?}");
            prop_assert_eq!(found.holds, template.is_met_by(found.level));
            if template.of.known() < template.of.columns.len() {
                prop_assert!(found.spread.is_empty());
                continue;
            }
            let groups = levels(template, &template.of.columns, &rows, &people).into_iter();
            let expected = tally(groups.map(|(level, rows)| (level, 1, rows as u64)));
            let told = tally(found.spread.iter().map(|at| (at.level, at.groups, at.rows)));
            prop_assert_eq!(told, expected, "{:?}", template);
        }
    }
}
