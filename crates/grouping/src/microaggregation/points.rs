//! [`Points`]: rows, and how far each is from a given point.
//!
//! A point is given as a [`Reach`]: for every axis, how far each value is from it. So a distance is one sum of
//! looked-up numbers, whatever the axis and whether the point is a row or a centre.

use rayon::prelude::*;
use scumble_table::{Codes, Column, ColumnId, Table};

use crate::{Scale, Space};

/// Rows as points.
pub(super) struct Points {
    axes: Vec<Axis>,
    /// The codes of a row lie side by side.
    cells: Vec<u32>,
    rows: usize,
}

struct Axis {
    /// How many codes there are.
    values: usize,
    apart: Apart,
}

/// How far values are apart.
enum Apart {
    Numbers {
        /// Each number in standard deviations; the missing value has none.
        places: Vec<f64>,
        /// How far the missing value is from all numbers.
        length: f64,
    },
    Tree {
        space: Box<Space>,
        /// For each code, a row that has it.
        row_with: Vec<u32>,
    },
    Values,
}

/// For each axis, the square of how far each value is from a point.
pub(super) struct Reach(Vec<Vec<f64>>);

/// For each axis, how many rows have each value.
pub(super) struct Tallies(Vec<Vec<u32>>);

/// Fewer rows than this are measured before a thread could be woken.
const ROWS_FOR_A_THREAD: usize = 1 << 12;

impl Points {
    pub(super) fn new(table: &Table, columns: &[(ColumnId, Scale)]) -> Self {
        let axis = |&(id, scale): &(ColumnId, Scale)| {
            let column = table.column(id);
            let apart = match scale {
                Scale::Numbers { .. } => standardised(column),
                Scale::Values { .. } | Scale::Leaves(_) => Apart::Values,
                Scale::Tree(_) => Apart::Tree {
                    space: Box::new(Space::new(table, &[(id, scale)])),
                    row_with: rows_with(column),
                },
            };
            Axis {
                values: column.dictionary().len(),
                apart,
            }
        };
        let codes: Vec<&Codes> = columns.iter().map(|&(id, _)| table.column(id).codes()).collect();
        let row_cells = |row: usize| codes.iter().map(move |codes| codes.at(row));
        Points {
            axes: columns.iter().map(axis).collect(),
            cells: (0..table.rows()).flat_map(row_cells).collect(),
            rows: table.rows(),
        }
    }

    fn cells(&self, row: u32) -> &[u32] {
        let width = self.axes.len();
        &self.cells[row as usize * width..][..width]
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The number of each row, if there is one axis, of numbers, and none is missing.
    pub(super) fn only_number(&self) -> Option<Vec<f64>> {
        let [axis] = &self.axes[..] else { return None };
        let Apart::Numbers { places, .. } = &axis.apart else {
            return None;
        };
        let number = |&code: &u32| places[code as usize];
        (places.len() == axis.values).then(|| self.cells.iter().map(number).collect())
    }

    /// The values of all rows.
    pub(super) fn tallies(&self) -> Tallies {
        let mut tallies = Tallies(self.axes.iter().map(|axis| vec![0; axis.values]).collect());
        for row in 0..self.rows as u32 {
            let counts = tallies.0.iter_mut().zip(self.cells(row));
            counts.for_each(|(counts, &code)| counts[code as usize] += 1);
        }
        tallies
    }

    /// Takes a row off tallies.
    pub(super) fn take_off(&self, tallies: &mut Tallies, row: u32) {
        let counts = tallies.0.iter_mut().zip(self.cells(row));
        counts.for_each(|(counts, &code)| counts[code as usize] -= 1);
    }

    /// How far values are from the centre of the rows of these tallies, of which there are some.
    pub(super) fn reach_of_centre(&self, tallies: &Tallies) -> Reach {
        let axes = self.axes.iter().zip(&tallies.0);
        let reach = axes.map(|(axis, counts)| match &axis.apart {
            Apart::Numbers { places, length } => {
                let centre = mean(places, counts);
                axis.of_each_value(|code| square(between(centre, places.get(code).copied(), *length)))
            }
            _ => axis.reach_of_value(most_frequent(counts)),
        });
        Reach(reach.collect())
    }

    /// How far values are from those of a row.
    pub(super) fn reach_of_row(&self, row: u32) -> Reach {
        let axes = self.axes.iter().zip(self.cells(row));
        let reach = axes.map(|(axis, &code)| axis.reach_of_value(code as usize));
        Reach(reach.collect())
    }

    /// How far rows are from a point, squared, and which rows these are.
    pub(super) fn distances(&self, rows: &[u32], reach: &Reach) -> Vec<(f64, u32)> {
        let distance = |row: u32| {
            let axes = reach.0.iter().zip(self.cells(row));
            axes.map(|(reach, &code)| reach[code as usize]).sum::<f64>()
        };
        let rows = rows.par_iter().with_min_len(ROWS_FOR_A_THREAD);
        rows.map(|&row| (distance(row), row)).collect()
    }
}

impl Axis {
    fn of_each_value(&self, square: impl Fn(usize) -> f64) -> Vec<f64> {
        (0..self.values).map(square).collect()
    }

    fn reach_of_value(&self, value: usize) -> Vec<f64> {
        match &self.apart {
            Apart::Numbers { places, length } => {
                let own = places.get(value).copied();
                self.of_each_value(|code| square(between(own, places.get(code).copied(), *length)))
            }
            Apart::Tree { space, row_with } => {
                self.of_each_value(|code| square(space.distance(row_with[value], row_with[code])))
            }
            Apart::Values => self.of_each_value(|code| if code == value { 0.0 } else { 1.0 }),
        }
    }
}

fn square(distance: f64) -> f64 {
    distance * distance
}

/// How far two numbers are apart; `None` is the missing value.
fn between(a: Option<f64>, b: Option<f64>, length: f64) -> f64 {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs(),
        (None, None) => 0.0,
        _ => length,
    }
}

/// The mean of numbers that occur so often; `None` if more rows are missing, whose count comes last.
fn mean(places: &[f64], counts: &[u32]) -> Option<f64> {
    let (present, missing) = counts.split_at(places.len());
    let rows: u64 = present.iter().map(|&count| u64::from(count)).sum();
    let missing: u64 = missing.iter().map(|&count| u64::from(count)).sum();
    let sum: f64 = places
        .iter()
        .zip(present)
        .map(|(place, &count)| place * f64::from(count))
        .sum();
    (rows > 0 && rows >= missing).then(|| sum / rows as f64)
}

fn most_frequent(counts: &[u32]) -> usize {
    let most = counts.iter().max();
    counts.iter().position(|count| Some(count) == most).unwrap_or(0)
}

/// The numbers of a column less their mean, in standard deviations over its rows.
fn standardised(column: &Column) -> Apart {
    let numbers = column.dictionary().numbers().unwrap_or_default();
    // Squares of larger numbers would be more than a number can hold; only what is between them counts.
    let largest = numbers.iter().map(|number| number.abs()).fold(0.0, f64::max);
    let scale = if largest > f64::MAX.sqrt() / 1e20 { largest } else { 1.0 };
    let numbers: Vec<f64> = numbers.iter().map(|number| number / scale).collect();
    let mut counts = vec![0u32; column.dictionary().len()];
    column.codes().iter().for_each(|code| counts[code as usize] += 1);
    let rows: f64 = counts[..numbers.len()].iter().map(|&count| f64::from(count)).sum();
    let weighed = |value: &dyn Fn(f64) -> f64| {
        let sum: f64 = numbers
            .iter()
            .zip(&counts)
            .map(|(&number, &count)| value(number) * f64::from(count))
            .sum();
        sum / rows.max(1.0)
    };
    let mean = weighed(&|number| number);
    let deviation = weighed(&|number| square(number - mean)).sqrt();
    let unit = if deviation > 0.0 { deviation } else { 1.0 };
    let places: Vec<f64> = numbers.iter().map(|number| (number - mean) / unit).collect();
    let ends = places.first().zip(places.last());
    Apart::Numbers {
        length: ends.map_or(0.0, |(first, last)| last - first),
        places,
    }
}

/// For each code of a column, a row that has it; the first row for a code that no row has, which is never looked up.
fn rows_with(column: &Column) -> Vec<u32> {
    let mut rows = vec![0; column.dictionary().len()];
    for (row, code) in column.codes().iter().enumerate() {
        rows[code as usize] = row as u32;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows at 1 and two at 2, beside four and then five without a number.
    #[test]
    fn a_centre_is_missing_where_most_are() {
        assert_eq!(mean(&[1.0, 2.0], &[2, 2, 4]), Some(1.5));
        assert_eq!(mean(&[1.0, 2.0], &[2, 2, 5]), None);
    }
}
