//! k-member: every row is the one that the plain algorithm takes, for every objective.

use fastrand::Rng;
use proptest::prelude::*;
use scumble_grouping::{KMember, MemberObjective, Protection, Space};
use scumble_level::{Apart, Conditions, Contributions};
use scumble_table::{ColumnId, Interval, Range};

use crate::task::Task;

/// What a group of rows costs, counted anew.
type Cost<'a> = &'a dyn Fn(&[u32]) -> f64;

/// Greedy k-member, row by row.
fn slow(task: &Task, conditions: &Conditions, cost: Cost) -> Vec<Vec<u32>> {
    let mut rest: Vec<u32> = (0..task.rows() as u32).collect();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    if rest.is_empty() {
        return groups;
    }
    let mut seed = Rng::with_seed(task.seed).u32(0..task.rows() as u32);
    let mut left_over = Vec::new();
    while !rest.is_empty() && rest.len() >= conditions.fewest_rows() {
        seed = take(&mut rest, |row| -cost(&[seed, row]));
        let mut group = vec![seed];
        while !conditions.are_met_by(&group) && !rest.is_empty() {
            let row = take(&mut rest, |row| cost(&with(&group, row)));
            group.push(row);
        }
        if conditions.are_met_by(&group) {
            groups.push(group);
        } else {
            left_over.extend(group);
        }
    }
    left_over.extend(rest);
    left_over.sort_unstable();
    for row in left_over {
        let growth = |group: &[u32]| {
            let size = group.len() as f64;
            (size + 1.0) * cost(&with(group, row)) - size * cost(group)
        };
        let keeps = |group: &&mut Vec<u32>| conditions.are_met_by(&with(group, row));
        let best = groups
            .iter_mut()
            .filter(keeps)
            .min_by(|a, b| growth(a).total_cmp(&growth(b)));
        if let Some(group) = best {
            group.push(row);
        }
    }
    groups
}

/// Takes out the first row with the least value.
fn take(rest: &mut Vec<u32>, value: impl Fn(u32) -> f64) -> u32 {
    let places = 0..rest.len();
    let least = places.min_by(|&a, &b| value(rest[a]).total_cmp(&value(rest[b])));
    rest.remove(least.expect("there are rows"))
}

fn with(group: &[u32], row: u32) -> Vec<u32> {
    [group, &[row]].concat()
}

fn loss(space: &Space, rows: &[u32]) -> f64 {
    space.loss(&space.hull(rows))
}

/// Every value lies at the place of its code, of 65 places, and its range is the four it is among. Sums of such
/// contributions are exact, so that equal costs are equal however they were added up.
fn contributions(task: &Task) -> Vec<(ColumnId, Contributions)> {
    let columns = task.world.sensitive.iter().map(|&(id, _)| {
        let dictionary = task.world.table.column(id).dictionary();
        let place = |code: u32| (Some(code) != dictionary.missing()).then_some(f64::from(code));
        let range = |code: u32| Interval {
            from: f64::from(code - code % 4),
            to: f64::from(code - code % 4 + 3),
            closed: true,
        };
        let codes = 0..dictionary.len() as u32;
        let apart = Apart::Numbers(Range::new(0.0, 64.0).ok());
        (
            id,
            Contributions::new(codes.clone().map(place).collect(), codes.map(range).collect(), apart),
        )
    });
    columns.collect()
}

/// Definition 5.1.4 as the sum over pairs of rows, averaged over the columns.
fn range_diversity(task: &Task, columns: &[(ColumnId, Contributions)], rows: &[u32]) -> f64 {
    let sums = columns.iter().map(|(id, contributions)| {
        let code = |row: &u32| task.world.table.column(*id).codes().at(*row as usize);
        let pairs = rows.iter().flat_map(|u| rows.iter().map(move |x| (u, x)));
        pairs.map(|(u, x)| contributions.of(code(u), code(x))).sum::<f64>()
    });
    sums.sum::<f64>() / (rows.len() * rows.len()) as f64 / columns.len() as f64
}

fn check(task: &Task, objective: MemberObjective, cost: Cost) -> Result<(), TestCaseError> {
    let groups = task.gather(&KMember { objective });
    let expected = slow(task, &task.conditions(), cost);
    prop_assert_eq!(task.grouping(&groups), task.grouping(&expected));
    task.check_once(&groups)?;
    task.check_kept(&groups)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn the_most_useful_row_is_taken(seed in any::<u64>()) {
        let task = Task::roll(seed, 30);
        let space = task.space();
        check(&task, MemberObjective::Utility, &|rows| loss(&space, rows))?;
    }

    #[test]
    fn the_most_diverse_row_is_taken(seed in any::<u64>()) {
        let task = Task::roll(seed, 30);
        let space = Space::new(&task.world.table, &task.world.sensitive());
        let objective = MemberObjective::Protection(Protection::SDiversity(&space));
        check(&task, objective, &|rows| 1.0 - loss(&space, rows))?;
    }

    #[test]
    fn the_row_furthest_from_the_ranges_is_taken(seed in any::<u64>()) {
        let task = Task::roll(seed, 25);
        let columns = contributions(&task);
        let objective = MemberObjective::Protection(Protection::RangeDiversity(&columns));
        check(&task, objective, &|rows| range_diversity(&task, &columns, rows))?;
    }

    /// If only the number of rows counts, nobody is left over, and groups are of k rows and those left over.
    #[test]
    fn nobody_is_left_over(seed in any::<u64>(), k in 1u64..6) {
        let task = Task::roll(seed, 40).of_size_only(k);
        let groups = task.gather(&KMember { objective: MemberObjective::Utility });
        if task.can_be_met() {
            task.check_all(&groups)?;
            prop_assert_eq!(groups.len(), task.rows() / k as usize);
        }
    }
}
