//! k-map: how many people of a population would show what a group shows.
//!
//! A person shows, of what a column of the release shows, the closest thing that is true of them. Who has a value of which
//! the release shows nothing looks like nobody. The population is read like the data: with `missing = "drop"`, who lacks a value
//! is no part of it.

use std::collections::BTreeSet;

use super::Sight;
use super::groups::Groups;
use super::labels::closest;
use crate::table::Cell;

pub(super) fn levels(sight: &Sight, columns: &[String], groups: &Groups) -> Option<Vec<f64>> {
    let population = sight.population?;
    let mut people: Vec<Vec<Cell>> = Vec::new();
    let shown: Vec<BTreeSet<Cell>> = columns
        .iter()
        .map(|name| Some(sight.all_cells(sight.find(name)?).into_iter().collect()))
        .collect::<Option<_>>()?;
    for person in &population.rows {
        let reading = &sight.policy.reading;
        let looks = columns.iter().zip(&shown).map(|(name, shown)| {
            let cell = reading.cell(&person.cells[population.find(name)?]);
            let is_dropped = reading.drop && cell.is_none();
            closest(&sight.column(name)?.kind, shown, &cell).filter(|_| !is_dropped)
        });
        people.extend(looks.collect::<Option<Vec<Cell>>>());
    }
    let alike = |shown: &Vec<Cell>| people.iter().filter(|person| *person == shown).count() as f64;
    Some(groups.keys().map(alike).collect())
}
