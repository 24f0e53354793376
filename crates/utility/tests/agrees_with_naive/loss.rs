//! Information loss and group sizes.

use proptest::collection::vec;
use proptest::prelude::*;
use scumble_utility::{group_sizes, information_loss};

use crate::tables::*;

/// NCP of a cell.
fn penalty(column: usize, cell: Cell) -> f64 {
    match means(column, cell) {
        Means::Missing => 0.0,
        Means::Numbers(from, to) => (to - from) / length(column).unwrap(),
        Means::Values([_]) => 0.0,
        Means::Values(values) => values.len() as f64 / domain(column).len() as f64,
        Means::Everything => 1.0,
    }
}

/// LM of a cell.
fn loss(column: usize, cell: Cell) -> f64 {
    match means(column, cell) {
        Means::Values(values) => (values.len() as f64 - 1.0) / (domain(column).len() as f64 - 1.0),
        _ => penalty(column, cell),
    }
}

/// S-diversity of a group.
fn s_diversity(column: usize, group: &[&Row]) -> f64 {
    let (mut numbers, mut values) = (Vec::new(), Vec::new());
    for row in group {
        match means(column, row[column]) {
            Means::Missing => {}
            Means::Numbers(from, to) => numbers.extend([from, to]),
            Means::Values(some) => values.extend(some),
            Means::Everything => return 0.0,
        }
    }
    let spread = match length(column) {
        Some(_) if numbers.is_empty() => 0.0,
        Some(length) => {
            let most = numbers.iter().copied().fold(f64::MIN, f64::max);
            (most - numbers.iter().copied().fold(f64::MAX, f64::min)) / length
        }
        None if values.is_empty() => 0.0,
        None => {
            let above = nodes(column)
                .iter()
                .find(|leaves| values.iter().all(|value| leaves.contains(value)));
            (above.unwrap().len() as f64 - 1.0) / (domain(column).len() as f64 - 1.0)
        }
    };
    1.0 - spread
}

fn mean(numbers: Vec<f64>) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

fn same(fast: Option<f64>, naive: Option<f64>) -> bool {
    match (fast, naive) {
        (Some(fast), Some(naive)) => close(fast, naive),
        _ => fast == naive,
    }
}

/// The sum over released cells, and 1 for each cell of a row left out.
fn sum(tables: &Tables, columns: &[usize], cost: impl Fn(usize, Cell) -> f64) -> f64 {
    let cells = tables
        .after
        .iter()
        .flat_map(|row| columns.iter().map(|&column| cost(column, row[column])));
    cells.sum::<f64>() + tables.left_out() * columns.len() as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn information_loss_is_what_its_definitions_say(tables in tables(), k in prop::option::of(1u64..5)) {
        let built = tables.build();
        let fast = information_loss(&built.comparison(), k);
        let (rows, groups) = (tables.before.len() as f64, tables.groups());

        let own_group = |row: &Row| tables.after.iter().filter(|other| other[..3] == row[..3]).count() as f64;
        let discernibility = tables.after.iter().map(own_group).sum::<f64>() + tables.left_out() * rows;
        prop_assert_eq!(fast.discernibility as f64, discernibility);
        let average = groups.iter().map(Vec::len).min().map(|smallest| {
            let average = tables.after.len() as f64 / groups.len() as f64;
            average / k.map_or(smallest as f64, |k| k as f64)
        });
        prop_assert!(same(fast.average_group_size, average));

        let level = sum(&tables, &[JOB, COUNTRY], |column, cell| known(column, cell).1);
        prop_assert!(close(fast.generalization_cost.unwrap().sum, level));
        prop_assert!(close(fast.generalization_cost.unwrap().mean, level / rows / 2.0));
        let ncp = sum(&tables, &[AGE, JOB, COUNTRY], penalty);
        prop_assert!(close(fast.certainty_penalty.sum, ncp));
        prop_assert!(close(fast.certainty_penalty.mean, ncp / rows / 3.0));
        prop_assert!(close(fast.loss_metric, sum(&tables, &[AGE, JOB, COUNTRY], loss) / rows / 3.0));

        let q_diversity = |group: &Vec<&Row>| {
            let losses = [AGE, JOB, COUNTRY].map(|column| loss(column, group[0][column]));
            losses.iter().sum::<f64>() / 3.0
        };
        let per_group: Vec<f64> = groups.iter().map(q_diversity).collect();
        prop_assert!(same(fast.worst_group_utility, per_group.iter().copied().reduce(f64::max)));
        prop_assert!(same(fast.utility_measure, mean(per_group)));
        let protection = groups.iter().map(|group| (s_diversity(SALARY, group) + s_diversity(DISEASE, group)) / 2.0);
        prop_assert!(same(fast.max_range_protection, mean(protection.collect())));

        let minority = |group: &Vec<&Row>| {
            let yes = group.iter().filter(|row| row[CLASS] == Some("yes")).count();
            yes.min(group.len() - yes) as f64
        };
        let wrong = groups.iter().map(minority).sum::<f64>() + tables.left_out();
        prop_assert!(same(fast.classification_metric, Some(wrong / rows)));
    }

    /// Rows are generalized one by one, each step counted; then some are left out.
    #[test]
    fn distortion_counts_the_steps_of_each_cell(
        tables in tables(),
        steps in vec((0..3usize, 0..2usize, 0..4usize), 13),
    ) {
        let paths = |job: Cell| -> Vec<Cell> {
            match job {
                Some("Janitor") => vec![job, Some("ANY")],
                Some(_) => vec![job, Some("Professional"), Some("ANY")],
                None => vec![None, Some("*")],
            }
        };
        let ages = [(Some("[0, 5)"), 0.5), (Some("*"), 1.0), (Some("7+"), 0.3), (Some("3"), 0.0)];
        let (mut words, mut numbers, mut after) = (0.0, 0.0, Vec::new());
        for (row, (up, hide, age)) in tables.before.iter().zip(steps).take(tables.after.len()) {
            let mut row = row.clone();
            let path = paths(row[JOB]);
            let up = up.min(path.len() - 1);
            row[JOB] = path[up];
            row[COUNTRY] = if hide == 1 { Some("*") } else { row[COUNTRY] };
            row[AGE] = ages[age].0;
            words += (up + hide) as f64;
            numbers += ages[age].1;
            after.push(row);
        }
        for row in &tables.before[after.len()..] {
            words += paths(row[JOB]).len() as f64 - 1.0 + 1.0;
            numbers += 1.0;
        }
        let rows = tables.before.len() as f64;
        let built = Tables { before: tables.before, after }.build();
        let fast = information_loss(&built.comparison(), None);
        prop_assert!(same(fast.categorical_distortion, Some(words / rows)));
        prop_assert!(same(fast.continuous_distortion, Some(numbers / rows)));
    }

    #[test]
    fn bins_of_group_sizes_hold_every_group_once(tables in tables()) {
        let built = tables.build();
        let fast = group_sizes(built.comparison().groups());
        let mut sizes: Vec<u64> = tables.groups().iter().map(|group| group.len() as u64).collect();
        sizes.sort();
        prop_assert_eq!(fast.groups, sizes.len() as u64);
        prop_assert_eq!(fast.smallest, sizes.first().copied().unwrap_or(0));
        prop_assert_eq!(fast.largest, sizes.last().copied().unwrap_or(0));
        for (quartile, share) in [(fast.lower_quartile, 0.25), (fast.median, 0.5), (fast.upper_quartile, 0.75)] {
            let at_most = sizes.iter().filter(|&&size| size <= quartile).count() as f64;
            let below = sizes.iter().filter(|&&size| size < quartile).count() as f64;
            prop_assert!(at_most >= share * sizes.len() as f64);
            prop_assert!(sizes.is_empty() || below < share * sizes.len() as f64);
        }
        for bin in &fast.histogram {
            let inside: Vec<u64> = sizes.iter().copied().filter(|size| (bin.from..=bin.to).contains(size)).collect();
            prop_assert_eq!((bin.groups, bin.rows), (inside.len() as u64, inside.iter().sum()));
        }
        prop_assert_eq!(fast.histogram.iter().map(|bin| bin.groups).sum::<u64>(), fast.groups);
    }
}
