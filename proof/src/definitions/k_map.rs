//! k-map: how many people of a population would show what a group shows.
//!
//! A person shows, of what a column of the release shows, the closest thing that is true of them. Who has a value of which
//! the release shows nothing looks like nobody. The population is read like the data: with `missing = "drop"`, who lacks a value
//! of a column that some template compares is no part of it. Where the masks are those of another release, a person shows what
//! these masks make of them: whoever has that release knows the masks.

use std::collections::BTreeSet;

use serde_json::Value;

use super::groups::Groups;
use super::labels::{closest, is_one, masked};
use super::sight::Sight;
use super::template::{Measure, templates};
use crate::policy::Kind;
use crate::table::Cell;

pub(super) fn levels(sight: &Sight, columns: &[String], groups: &Groups) -> Option<Vec<f64>> {
    let population = sight.population?;
    let mut people: Vec<Vec<Cell>> = Vec::new();
    let shown: Vec<BTreeSet<Cell>> = columns
        .iter()
        .map(|name| Some(sight.all_cells(sight.find(name)?).into_iter().collect()))
        .collect::<Option<_>>()?;
    let reading = &sight.policy.reading;
    let of_people = templates(sight.policy)
        .into_iter()
        .filter(|template| matches!(template.measure, Measure::People));
    let compared: Vec<String> = of_people.flat_map(|template| template.of).collect();
    for person in &population.rows {
        let lacks = |name: &String| {
            let place = population.find(name);
            place.is_some_and(|place| reading.cell(&person.cells[place]).is_none())
        };
        if reading.drop && compared.iter().any(lacks) {
            continue;
        }
        let looks = columns.iter().zip(&shown).map(|(name, shown)| {
            let cell = reading.cell(&person.cells[population.find(name)?]);
            let kind = &sight.column(name)?.kind;
            if let Some(masks) = &sight.borrowed {
                let label = masked(kind, masks.get(name).unwrap_or(&Value::Null), &cell)?;
                return shown.iter().find(|shown| is_one(kind, shown, &label)).cloned();
            }
            if sight.as_they_are.contains(name) && !matches!(kind, Kind::Numbers(_)) {
                shown.get(&cell).cloned()
            } else {
                closest(kind, shown, &cell)
            }
        });
        people.extend(looks.collect::<Option<Vec<Cell>>>());
    }
    let alike = |shown: &Vec<Cell>| people.iter().filter(|person| *person == shown).count() as f64;
    Some(groups.keys().map(alike).collect())
}
