//! The populations of k-map templates, read like the data and coded in its dictionaries.
//!
//! Invariant: a column of a population shares its dictionary with the column of the data, so a mask shows a person and
//! a row alike exactly if both look alike to a reader.

use std::collections::HashMap;
use std::io::ErrorKind;

use scumble_privacy::Population;
use scumble_progress::{Stage, Watch};
use scumble_store::{FileSource, ReadError};
use scumble_table::Reading;
use scumble_table::{Column, ColumnId, Mask, Released, ReleasedColumn, Table, Taxonomy, cover};

use crate::error::Error;
use crate::errors::InputError;
use crate::sources::file_source;
use scumble_bind::{Holds, unite};
use scumble_bind::{Plan, PlannedPopulation, check_header};
use scumble_policy::Problems;
use scumble_policy::{Missing, Policy, quoted};

/// The people of one file.
#[derive(Clone)]
pub(crate) struct People {
    rows: usize,
    columns: Vec<(ColumnId, Column)>,
}

/// Reads the populations of a plan and gives them and the data common dictionaries.
pub(crate) fn read_populations(
    policy: &Policy,
    plan: &Plan,
    table: &mut Table,
    watch: &dyn Watch,
) -> Result<Vec<People>, Error> {
    let mut populations = read_people(policy, plan, watch)?;
    for quasi in &plan.quasi {
        let mut columns = vec![table.column_mut(*quasi)];
        columns.extend(populations.iter_mut().filter_map(|people| people.column_mut(*quasi)));
        if columns.len() > 1 {
            Column::unite(&mut columns, plan.columns[quasi.0].reading().order());
        }
    }
    Ok(populations)
}

/// Reads the populations of a plan, each with dictionaries of its own.
pub(crate) fn read_people(policy: &Policy, plan: &Plan, watch: &dyn Watch) -> Result<Vec<People>, Error> {
    if plan.populations.is_empty() {
        return Ok(Vec::new());
    }
    Stage::ReadingPopulations.run(watch, |_| {
        let files = plan.populations.iter();
        files
            .map(|population| read_population(policy, plan, population, watch))
            .collect()
    })
}

fn read_population(
    policy: &Policy,
    plan: &Plan,
    population: &PlannedPopulation,
    watch: &dyn Watch,
) -> Result<People, Error> {
    let source = FileSource {
        path: population.file.get_ref().clone(),
        ..file_source(&policy.data)
    };
    let needed = |name: &str| {
        plan.columns
            .find(name)
            .filter(|id| population.columns.binary_search(id).is_ok())
    };
    let opened = source.open(watch);
    let opened = opened.map_err(|error| at_its_section(error.into(), policy, population))?;
    check_population(policy, plan, population, opened.header())?;
    let reading = |name: &String| needed(name).map_or(Reading::Skip, |id| plan.columns[id.0].reading());
    let readings: Vec<Reading> = opened.header().iter().map(reading).collect();
    let mut table = opened
        .read(&readings, policy.data.missing == Missing::Drop, watch)?
        .table;
    unite(&policy.columns, &mut table, Holds::Values);
    let rows = table.rows();
    if u32::try_from(rows).is_err() {
        return Err(InputError::TooManyRows(rows).into());
    }
    let columns = table.into_columns().into_iter();
    let columns = columns.filter_map(|column| Some((needed(&column.name)?, column)));
    Ok(People {
        rows,
        columns: columns.collect(),
    })
}

/// A population that is not there is told with the line that names it.
fn at_its_section(error: Error, policy: &Policy, population: &PlannedPopulation) -> Error {
    match error {
        Error::Input(InputError::Read(ReadError::Io { path, source })) if source.kind() == ErrorKind::NotFound => {
            let mut problems = Problems::new(policy.source());
            let message = format!("there is no population file {}", quoted(&path.display().to_string()));
            let help = "name one relative to the policy".to_owned();
            problems.at(population.file.span(), message, Some(help));
            problems.into()
        }
        other => other,
    }
}

/// Checks that a population has the columns that templates compare it by.
fn check_population(
    policy: &Policy,
    plan: &Plan,
    population: &PlannedPopulation,
    header: &[String],
) -> Result<(), Error> {
    let mut problems = Problems::new(policy.source());
    let names = population
        .columns
        .iter()
        .map(|id| (plan.columns[id.0].name.as_str(), population.file.span()));
    let is_header = policy.data.names.is_some();
    check_header("the population", names.collect(), header, is_header, &mut problems);
    Ok(problems.none_or(())?)
}

impl People {
    /// A column that people are compared by.
    pub(crate) fn column(&self, id: ColumnId) -> Option<&Column> {
        let mut columns = self.columns.iter();
        columns.find(|(own, _)| *own == id).map(|(_, column)| column)
    }

    fn column_mut(&mut self, id: ColumnId) -> Option<&mut Column> {
        let mut columns = self.columns.iter_mut();
        columns.find(|(own, _)| *own == id).map(|(_, column)| column)
    }

    /// As the search sees them: in codes.
    pub(crate) fn coded(&self) -> scumble_refine::Population {
        let codes = |(id, column): &(ColumnId, Column)| (*id, column.codes().clone());
        scumble_refine::Population {
            rows: self.rows,
            codes: self.columns.iter().map(codes).collect(),
        }
    }

    /// As the audit of a file sees them: by the labels of the file that cover them.
    pub(crate) fn covered(&self, plan: &Plan, release: &Table) -> Population {
        let labels = self.columns.iter().filter(|(id, _)| id.0 < release.columns().len());
        let labels = labels.map(|(id, column)| {
            let forms = plan.forms[id.0].as_ref();
            let label_of_code = cover(column.dictionary(), release.column(*id).dictionary(), forms);
            (
                *id,
                column.codes().iter().map(|code| label_of_code[code as usize]).collect(),
            )
        });
        Population::new(self.rows, labels.collect())
    }

    /// As the audit sees them: by the labels that the release has for them.
    pub(crate) fn labelled(&self, masks: &[(Mask, Option<&Taxonomy>, bool)], release: &Released) -> Population {
        let labels = self.columns.iter().map(|(id, column)| {
            let (mask, taxonomy, _) = &masks[id.0];
            (*id, labels_of(column, mask, *taxonomy, &release.columns()[id.0]))
        });
        Population::new(self.rows, labels.collect())
    }
}

/// For each person the number of their label in the release. Rows left out may have taken a label with them; then
/// nobody of the release looks like the person.
fn labels_of(column: &Column, mask: &Mask, taxonomy: Option<&Taxonomy>, released: &ReleasedColumn) -> Vec<Option<u32>> {
    let numbers: HashMap<Option<&str>, u32> = released.labels().iter().zip(0..).collect();
    let (label_of_code, labels) = mask.labels(column, taxonomy);
    let number_of_code: Vec<Option<u32>> = label_of_code
        .iter()
        .map(|&label| numbers.get(&labels.at(label as usize)).copied())
        .collect();
    column
        .codes()
        .iter()
        .map(|code| number_of_code[code as usize])
        .collect()
}
