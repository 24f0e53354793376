//! Leaving out rows so that a mask chosen beforehand meets the requirement.

use rayon::prelude::*;
use scumble_privacy::Requirement;
use scumble_table::{Codes, ColumnId, Mask, Table, Taxonomy, collapse};

use scumble_level::Population;
use scumble_level::{Cell, PERSON};
use scumble_level::{Spec, specs};

/// The rows in groups that break a template, and those in groups broken by leaving these out, until none is broken.
/// `None` for no row.
pub fn rows_to_leave_out(
    table: &Table,
    populations: &[Population],
    masks: &[(Mask, Option<&Taxonomy>)],
    requirement: &Requirement,
) -> Option<Vec<bool>> {
    let labels: Vec<Labels> = table
        .columns()
        .iter()
        .zip(masks)
        .map(|(column, (mask, taxonomy))| {
            let (of_code, labels) = mask.labels(column, *taxonomy);
            Labels {
                of_code,
                count: labels.len(),
            }
        })
        .collect();
    // On the join no row may be left out: the records of earlier releases that match it would lose their match.
    let on_join = requirement.on_join();
    let specs = specs(table, requirement, true, &on_join);
    let population = |spec: &Spec| spec.population.map(|place| &populations[place]);
    let mut out = vec![false; table.rows()];
    loop {
        // Grouped anew each time: to keep the groups of every subset of bounded knowledge would take too much memory.
        let broken = specs.par_iter().flat_map_iter(|spec| {
            let grouping = Grouping::new(spec, table, population(spec), &labels);
            grouping.broken_rows(&out)
        });
        let broken: Vec<usize> = broken.collect();
        if broken.is_empty() {
            return out.contains(&true).then_some(out);
        }
        broken.into_iter().for_each(|row| out[row] = true);
    }
}

/// What each code of a column shows.
struct Labels {
    of_code: Vec<u32>,
    count: usize,
}

/// The groups of one grouping: those of the table's rows, then those of people.
struct Grouping<'s, 't> {
    spec: &'s Spec<'t>,
    group_of: Vec<u32>,
    groups: usize,
}

impl<'s, 't> Grouping<'s, 't> {
    fn new(spec: &'s Spec<'t>, table: &Table, population: Option<&Population>, labels: &[Labels]) -> Self {
        let columns: Vec<Codes> = spec
            .columns
            .iter()
            .map(|&id| {
                let ColumnId(place) = id;
                let people = population.map(|population| population.codes_of(id).iter());
                let codes = table.column(id).codes().iter().chain(people.into_iter().flatten());
                Codes::collect(
                    labels[place].count,
                    codes.map(|code| labels[place].of_code[code as usize]),
                )
            })
            .collect();
        let rows = table.rows() + population.map_or(0, |population| population.rows);
        let groups = collapse(rows, &columns.iter().collect::<Vec<_>>());
        Grouping {
            spec,
            groups: groups.rows.len(),
            group_of: groups.kind_of,
        }
    }

    /// The rows of groups that break a template, without those that are out.
    fn broken_rows(&self, out: &[bool]) -> Vec<usize> {
        let broken = self.broken(out);
        let rows = (0..out.len()).filter(|&row| !out[row] && broken[self.group_of[row] as usize]);
        rows.collect()
    }

    /// Which groups break a template, without the rows that are out.
    fn broken(&self, out: &[bool]) -> Vec<bool> {
        let category = |row: usize| match &self.spec.categories {
            Some(categories) => categories.at(row),
            None if row < out.len() => 0,
            None => PERSON,
        };
        let rows = (0..self.group_of.len()).filter(|&row| out.get(row) != Some(&true));
        let mut rows: Vec<(u32, u32)> = rows.map(|row| (self.group_of[row], category(row))).collect();
        rows.sort_unstable();
        let mut broken = vec![false; self.groups];
        for group in rows.chunk_by(|a, b| a.0 == b.0) {
            let cell = |equal: &[(u32, u32)]| Cell {
                slot: 0,
                category: equal[0].1,
                weight: equal.len() as u32,
            };
            let cells: Vec<Cell> = group.chunk_by(|a, b| a == b).map(cell).collect();
            let mut checks = self.spec.checks.iter();
            broken[group[0].0 as usize] = checks.any(|check| !check.is_met_by(check.level(&cells)));
        }
        broken
    }
}
