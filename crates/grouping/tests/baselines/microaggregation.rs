//! Microaggregation: MDAV takes the rows that the plain algorithm takes; one column of numbers loses the least
//! possible.

use proptest::prelude::*;
use scumble_grouping::{Microaggregation, Space};
use scumble_level::Conditions;
use scumble_table::Column;

use crate::dice::{Dice, Kind};
use crate::task::{Task, anonymity, asked_of};

/// A value of a row or of a centre; `None` is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Number(Option<f64>),
    Code(u32),
}

/// How many of some rows have each code.
fn counts(column: &Column, rows: &[u32]) -> Vec<f64> {
    let codes = 0..column.dictionary().len() as u32;
    let count = |code: u32| {
        rows.iter()
            .filter(|&&row| column.codes().at(row as usize) == code)
            .count()
    };
    codes.map(|code| count(code) as f64).collect()
}

/// The numbers of a column less their mean, in standard deviations.
fn standardised(column: &Column, rows: &[u32]) -> Vec<f64> {
    let numbers = column.dictionary().numbers().unwrap();
    let counts = counts(column, rows);
    let n: f64 = counts[..numbers.len()].iter().sum::<f64>().max(1.0);
    let mean = numbers
        .iter()
        .zip(&counts)
        .map(|(number, count)| number * count)
        .sum::<f64>()
        / n;
    let squares = numbers.iter().map(|number| (number - mean) * (number - mean));
    let deviation = (squares.zip(&counts).map(|(square, count)| square * count).sum::<f64>() / n).sqrt();
    let unit = if deviation > 0.0 { deviation } else { 1.0 };
    numbers.iter().map(|number| (number - mean) / unit).collect()
}

struct Plain<'a> {
    task: &'a Task,
    /// The standardised numbers of each quasi column of numbers.
    numbers: Vec<Vec<f64>>,
}

impl Plain<'_> {
    fn new(task: &Task) -> Plain<'_> {
        let all: Vec<u32> = (0..task.rows() as u32).collect();
        let numbers = task.world.quasi.iter().map(|&(id, kind)| match kind {
            Kind::Numbers => standardised(task.world.table.column(id), &all),
            _ => Vec::new(),
        });
        Plain {
            numbers: numbers.collect(),
            task,
        }
    }

    fn point(&self, row: u32) -> Vec<At> {
        let axes = self.task.world.quasi.iter().zip(&self.numbers);
        let at = axes.map(|(&(id, kind), numbers)| {
            let code = self.task.world.table.column(id).codes().at(row as usize);
            match kind {
                Kind::Numbers => At::Number(numbers.get(code as usize).copied()),
                _ => At::Code(code),
            }
        });
        at.collect()
    }

    fn centre(&self, rows: &[u32]) -> Vec<At> {
        let axes = self.task.world.quasi.iter().zip(&self.numbers);
        let at = axes.map(|(&(id, kind), numbers)| {
            let counts = counts(self.task.world.table.column(id), rows);
            if kind != Kind::Numbers {
                let most = counts.iter().copied().fold(0.0, f64::max);
                return At::Code(counts.iter().position(|&count| count == most).unwrap() as u32);
            }
            let present: f64 = counts[..numbers.len()].iter().sum();
            let sum: f64 = numbers.iter().zip(&counts).map(|(number, count)| number * count).sum();
            At::Number((present > 0.0 && 2.0 * present >= rows.len() as f64).then(|| sum / present))
        });
        at.collect()
    }

    fn distance(&self, a: &[At], b: &[At]) -> f64 {
        let axes = a.iter().zip(b).enumerate();
        let squares = axes.map(|(axis, pair)| {
            let distance = match pair {
                (At::Number(Some(a)), At::Number(Some(b))) => (a - b).abs(),
                (At::Number(None), At::Number(None)) => 0.0,
                (At::Code(a), At::Code(b)) => self.apart(axis, *a, *b),
                _ => match &self.numbers[axis][..] {
                    [first, .., last] => last - first,
                    _ => 0.0,
                },
            };
            distance * distance
        });
        squares.sum()
    }

    fn apart(&self, axis: usize, a: u32, b: u32) -> f64 {
        let world = &self.task.world;
        let (id, kind) = world.quasi[axis];
        if kind == Kind::Values {
            return f64::from(u8::from(a != b));
        }
        let space = Space::new(&world.table, &world.quasi()[axis..=axis]);
        let row_with = |code: u32| {
            world
                .table
                .column(id)
                .codes()
                .iter()
                .position(|other| other == code)
                .unwrap()
        };
        space.distance(row_with(a) as u32, row_with(b) as u32)
    }

    fn furthest(&self, from: &[At], rows: &[u32]) -> u32 {
        let distance = |row: u32| self.distance(from, &self.point(row));
        let first_of_equals = rows.iter().rev();
        *first_of_equals
            .max_by(|&&a, &&b| distance(a).total_cmp(&distance(b)))
            .unwrap()
    }

    /// The nearest rows, one by one until the conditions are met.
    fn take_around(&self, row: u32, rest: &mut Vec<u32>, conditions: &Conditions) -> Option<Vec<u32>> {
        let mut nearest = rest.clone();
        let distance = |other: u32| self.distance(&self.point(row), &self.point(other));
        nearest.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then((a != row).cmp(&(b != row))));
        let size = (1..=nearest.len()).find(|&size| conditions.are_met_by(&nearest[..size]))?;
        nearest.truncate(size);
        rest.retain(|row| !nearest.contains(row));
        Some(nearest)
    }

    fn groups(&self, conditions: &Conditions) -> Vec<Vec<u32>> {
        let k = conditions.fewest_rows();
        let mut rest: Vec<u32> = (0..self.task.rows() as u32).collect();
        let mut groups = Vec::new();
        while rest.len() >= 2 * k {
            let had = rest.len();
            let outermost = self.furthest(&self.centre(&rest), &rest);
            let Some(group) = self.take_around(outermost, &mut rest, conditions) else {
                break;
            };
            groups.push(group);
            if had >= 3 * k && !rest.is_empty() {
                let opposite = self.furthest(&self.point(outermost), &rest);
                let Some(group) = self.take_around(opposite, &mut rest, conditions) else {
                    break;
                };
                groups.push(group);
            }
        }
        if !rest.is_empty() && conditions.are_met_by(&rest) {
            groups.push(rest);
        }
        groups
    }
}

/// The squared distances from the means of groups, if these are the best there are. `rest` is in no group yet.
fn least_squares(numbers: &[f64], k: usize, groups: &mut Vec<Vec<usize>>, next: usize) -> f64 {
    if next == numbers.len() {
        let squares = |group: &Vec<usize>| {
            let mean = group.iter().map(|&row| numbers[row]).sum::<f64>() / group.len() as f64;
            group.iter().map(|&row| (numbers[row] - mean).powi(2)).sum::<f64>()
        };
        let large_enough = groups.iter().all(|group| group.len() >= k);
        return if large_enough {
            groups.iter().map(squares).sum()
        } else {
            f64::INFINITY
        };
    }
    let mut least = f64::INFINITY;
    for place in 0..=groups.len() {
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(next);
        least = least.min(least_squares(numbers, k, groups, next + 1));
        groups[place].pop();
        if groups[place].is_empty() {
            groups.pop();
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn the_nearest_rows_are_taken(seed in any::<u64>()) {
        let task = Task::roll(seed, 25);
        let conditions = task.conditions();
        let lone_numbers = task.world.quasi.len() == 1 && task.world.quasi[0].1 == Kind::Numbers;
        prop_assume!(!(lone_numbers && conditions.are_of_size_only()));
        let groups = task.gather(&Microaggregation { columns: &task.world.quasi() });
        prop_assert_eq!(task.grouping(&groups), task.grouping(&Plain::new(&task).groups(&conditions)));
        task.check_once(&groups)?;
        task.check_kept(&groups)?;
    }

    /// If only the number of rows counts, groups have k to 2k - 1 rows.
    #[test]
    fn groups_are_of_even_size(seed in any::<u64>(), k in 1u64..6) {
        let task = Task::roll(seed, 40).of_size_only(k);
        let groups = task.gather(&Microaggregation { columns: &task.world.quasi() });
        if task.can_be_met() {
            task.check_all(&groups)?;
            task.check_kept(&groups)?;
            prop_assert!(groups.iter().all(|group| group.len() < 2 * k as usize));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn one_column_of_numbers_loses_the_least_possible(seed in any::<u64>(), rows in 2usize..9, k in 1u64..4) {
        let mut dice = Dice(seed);
        let worlds = std::iter::repeat_with(|| dice.world(rows, 1, 0));
        let lone = |world: &crate::dice::World| {
            world.quasi[0].1 == Kind::Numbers && world.table.column(world.quasi[0].0).dictionary().missing().is_none()
        };
        let world = worlds.into_iter().find(lone).unwrap();
        let requirement = asked_of(&world, vec![anonymity(k)]);
        let task = Task { world, requirement, seed };
        let column = task.world.table.column(task.world.quasi[0].0);
        let numbers = column.dictionary().numbers().unwrap();
        let numbers: Vec<f64> = column.codes().iter().map(|code| numbers[code as usize]).collect();
        let groups = task.gather(&Microaggregation { columns: &task.world.quasi() });
        if task.can_be_met() {
            task.check_all(&groups)?;
            task.check_kept(&groups)?;
            let mean = |group: &[u32]| group.iter().map(|&row| numbers[row as usize]).sum::<f64>() / group.len() as f64;
            let squares = |group: &Vec<u32>| {
                let mean = mean(group);
                group.iter().map(|&row| (numbers[row as usize] - mean).powi(2)).sum::<f64>()
            };
            let lost: f64 = groups.iter().map(squares).sum();
            prop_assert!((lost - least_squares(&numbers, k as usize, &mut Vec::new(), 0)).abs() < 1e-6);
        }
    }
}
