//! Settings that are not given are tried out on a sample of the rows.
//!
//! A sample is some parts of a partition, drawn at random, with all of their rows. Rows drawn one by one lie further apart
//! than those of the table, and what is best for them is not best for the table; in a part they lie as close as they do.
//! Parts have the size of the largest subspaces that are tried, so that there are many of them: they differ.
//!
//! # Source
//! Loukides, algorithms 3 and 4: the threshold by halving [0, 1], then the size of subspaces by doubling `k`, each by the
//! score of the groups that come out.
//!
//! Fixed by us: a larger size is taken if it gains enough, and larger ones are tried until one is much worse. The text stops
//! at the first that does not gain; scores of small samples go up and down.

use scumble_level::Conditions;

use crate::Problem;
use crate::cluster::generator;
use crate::cost::rank;
use crate::partition::Partition;

/// The rows of a sample, but for those that fill its last part.
const ROWS: usize = 1000;

/// A sample is one of so many rows at most. The text has one of 40, and finds that far fewer do.
const SHARE: usize = 32;

/// How often [0, 1] is halved. Figures 3.8 and 3.9: nothing is gained later.
const ROUNDS: u32 = 3;

/// How many sizes are tried. Table 4.7: nothing is gained later.
const SIZES: u32 = 4;

/// ε: a smaller gain is no reason for larger subspaces. Scores are from 0 to 1, and samples of a thousand rows differ by
/// about a hundredth.
const GAIN: f64 = 0.01;

/// Where a size is that much worse than the best, larger ones are seldom better, and they take longest to try.
const MUCH_WORSE: f64 = 0.02;

/// Tells the source of the sample from those of subspaces.
const PLACE: u64 = u64::MAX - 1;

/// Some parts of a partition, at least one; of parts that are larger than a sample, a part.
pub(crate) fn sample(problem: &Problem, parts: &[&[u32]]) -> Vec<Vec<u32>> {
    let rows: usize = parts.iter().map(|part| part.len()).sum();
    let wanted = ROWS.min(rows / SHARE);
    let mut parts = parts.to_vec();
    let mut generator = generator(problem.seed, PLACE);
    generator.shuffle(&mut parts);
    let mut drawn = 0;
    let enough = parts.iter().position(|part| {
        drawn += part.len();
        drawn >= wanted
    });
    parts.truncate(enough.map_or(parts.len(), |last| last + 1));
    let no_larger = |part: &[u32]| {
        let partition = Partition::new(problem.space, part.to_vec(), ROWS, problem.work);
        let parts = partition.subspaces();
        parts[generator.usize(..parts.len())].to_vec()
    };
    parts.into_iter().map(no_larger).collect()
}

/// The fewest rows of subspaces most of which keep the conditions. Rows drawn one by one tell that.
pub(crate) fn fewest_rows_that_do(problem: &Problem, rows: usize, conditions: &Conditions) -> usize {
    if conditions.are_of_size_only() {
        return conditions.fewest_rows();
    }
    let mut generator = generator(problem.seed, PLACE);
    let mut drawn: Vec<u32> = if rows <= ROWS {
        (0..rows as u32).collect()
    } else {
        (0..ROWS).map(|_| generator.u32(..rows as u32)).collect()
    };
    drawn.sort_unstable();
    Partition::fewest_rows_that_do(problem.space, &drawn, conditions)
}

/// δ: the better middle of the halves of [0, 1], then that of its halves if it is better still, and so on. Of equals the
/// larger, with which fewer clusters dissolve.
pub(crate) fn threshold<E>(mut score: impl FnMut(f64) -> Result<f64, E>) -> Result<f64, E> {
    let mut best = (u64::MAX, 0.5);
    for round in 1..=ROUNDS {
        let (middle, quarter) = (best.1, 0.5 / f64::from(1 << round));
        for threshold in [middle + quarter, middle - quarter] {
            let score = rank(score(threshold)?);
            if score < best.0 {
                best = (score, threshold);
            }
        }
    }
    Ok(best.1)
}

/// `s` with its score: of sizes each of which is twice the one before, the best; the smaller of those about as good.
pub(crate) fn subspace<E>(first: usize, mut score: impl FnMut(usize) -> Result<f64, E>) -> Result<(f64, usize), E> {
    let mut best = (score(first)?, first);
    for round in 1..SIZES {
        let size = first.saturating_mul(1 << round);
        let score = score(size)?;
        if score < best.0 - GAIN {
            best = (score, size);
        }
        if score > best.0 + MUCH_WORSE {
            break;
        }
    }
    Ok(best)
}

/// The largest subspaces that are tried.
pub(crate) fn largest_subspace(first: usize) -> usize {
    first.saturating_mul(1 << (SIZES - 1))
}

#[cfg(test)]
mod tests {
    use scumble_privacy::Requirement;
    use scumble_progress::Work;
    use scumble_table::{Column, ColumnId, Table, ValueOrder};

    use super::*;
    use crate::{Scale, Space};

    /// 1/4 and 3/4, then 1/8 and 3/8, then 5/16 and 7/16: the nearest to 0.3 is 5/16.
    #[test]
    fn the_threshold_is_the_best_of_three_rounds() {
        let nearest = |to: f64| threshold(|at| Ok::<_, ()>((at - to).abs()));
        assert_eq!(nearest(0.3), Ok(5.0 / 16.0));
        assert_eq!(nearest(0.24), Ok(1.0 / 4.0));
        assert_eq!(threshold(|_| Ok::<_, ()>(0.5)), Ok(3.0 / 4.0));
    }

    #[test]
    fn subspaces_are_doubled_where_that_gains() {
        let of_scores = |scores: [f64; 4]| subspace(5, |s| Ok::<_, ()>(scores[(s / 5).ilog2() as usize]));
        assert_eq!(of_scores([0.5, 0.4, 0.3, 0.2]), Ok((0.2, 40)));
        assert_eq!(of_scores([0.5, 0.4, 0.395, 0.394]), Ok((0.4, 10)));
        assert_eq!(of_scores([0.5, 0.51, 0.0, 0.01]), Ok((0.0, 20)));
        assert_eq!(of_scores([0.5, 0.6, 0.0, 0.0]), Ok((0.5, 5)));
    }

    /// One of 32 rows, or a thousand, or one part; of a part of many thousands, about a thousand.
    #[test]
    fn a_sample_is_a_small_share_in_whole_parts() {
        let ages: Vec<String> = (0..100_000).map(|row| (row % 90).to_string()).collect();
        let ages = Column::from_cells("age", ValueOrder::Number, ages.iter().map(|age| Some(&age[..])));
        let people = Table::new(100_000, vec![ages]);
        let space = Space::new(&people, &[(ColumnId(0), Scale::Numbers { range: None })]);
        let requirement = Requirement { templates: Vec::new() };
        let rows: Vec<u32> = (0..100_000).collect();
        let drawn = |table: usize, part: usize, seed: u64| {
            let problem = Problem {
                table: &people,
                space: &space,
                requirement: &requirement,
                rows_left_out_at_most: 0,
                seed,
                work: Work::unwatched(),
            };
            sample(&problem, &rows[..table].chunks(part).collect::<Vec<_>>())
        };
        assert_eq!(drawn(100, 100, 1), [&rows[..100]]);
        assert_eq!(drawn(16_000, 100, 1).len(), 5);
        assert_eq!(drawn(100_000, 100, 1).len(), 10);
        assert_ne!(drawn(100_000, 100, 1), drawn(100_000, 100, 2));
        assert_eq!(drawn(100_000, 100_000, 1).concat().len(), 100_000usize.div_ceil(64));
    }
}
