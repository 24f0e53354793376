//! Settings that are not given are tried out on a sample of the rows.
//!
//! # Source
//! Loukides, algorithms 3 and 4: the threshold by halving [0, 1], then the size of subspaces by doubling `k`, each by the
//! score of the groups that come out.
//!
//! Fixed by us: of the last two sizes tried, the better one is taken. The text takes the last, which is the better one as
//! long as larger subspaces only gain less and less.

use crate::cluster::generator;
use crate::cost::rank;

/// The rows of a sample: the text has 750 of the 30,000 rows of Adult, and a clustering that compares all pairs of them
/// still takes a moment only.
const ROWS: usize = 1000;

/// A sample has room for so many groups of `k` rows at least.
const GROUPS: usize = 4;

/// How often [0, 1] is halved, and how many sizes are tried. Figures 3.8 and 3.9: nothing is gained later.
const ROUNDS: u32 = 3;

/// ε: a smaller gain is no reason for larger subspaces. Scores are from 0 to 1, and samples of a thousand rows differ by
/// about a hundredth.
const GAIN: f64 = 0.01;

/// Tells the source of the sample from those of subspaces.
const PLACE: u64 = u64::MAX - 1;

/// Rows drawn one by one from all that are there, and put back; all of them if they are no more than a sample.
pub(crate) fn sample(rows: usize, k: usize, seed: u64) -> Vec<u32> {
    let size = ROWS.max(k.saturating_mul(GROUPS));
    if rows <= size {
        return (0..rows as u32).collect();
    }
    let mut generator = generator(seed, PLACE);
    (0..size).map(|_| generator.u32(..rows as u32)).collect()
}

/// δ: of the middles of 2, 4 and 8 intervals, the one with the least score; the smallest of equals.
pub(crate) fn threshold<E>(mut score: impl FnMut(f64) -> Result<f64, E>) -> Result<f64, E> {
    let middles = |intervals: u32| (0..intervals).map(move |at| (f64::from(at) + 0.5) / f64::from(intervals));
    let mut tried: Vec<f64> = (1..=ROUNDS).flat_map(|round| middles(1 << round)).collect();
    tried.sort_unstable_by(f64::total_cmp);
    let mut best = (u64::MAX, 0.0);
    for threshold in tried {
        let score = rank(score(threshold)?);
        if score < best.0 {
            best = (score, threshold);
        }
    }
    Ok(best.1)
}

/// `s`: doubled as long as the score falls.
pub(crate) fn subspace<E>(first: usize, mut score: impl FnMut(usize) -> Result<f64, E>) -> Result<usize, E> {
    let (mut size, mut best) = (first, score(first)?);
    for _ in 1..ROUNDS {
        let doubled = size.saturating_mul(2);
        let gain = best - score(doubled)?;
        if gain > 0.0 {
            (size, best) = (doubled, best - gain);
        }
        if gain < GAIN {
            break;
        }
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The middles of 8 intervals are 1/16, 3/16, ...; the nearest to 0.3 is 5/16.
    #[test]
    fn the_threshold_is_the_best_of_three_rounds() {
        let nearest = |to: f64| threshold(|at| Ok::<_, ()>((at - to).abs()));
        assert_eq!(nearest(0.3), Ok(5.0 / 16.0));
        assert_eq!(nearest(0.24), Ok(1.0 / 4.0));
        assert_eq!(threshold(|_| Ok::<_, ()>(0.5)), Ok(1.0 / 16.0));
    }

    #[test]
    fn subspaces_are_doubled_while_that_gains() {
        let of_scores = |scores: [f64; 3]| subspace(5, |s| Ok::<_, ()>(scores[(s / 5).ilog2() as usize]));
        assert_eq!(of_scores([0.5, 0.4, 0.3]), Ok(20));
        assert_eq!(of_scores([0.5, 0.4, 0.395]), Ok(20));
        assert_eq!(of_scores([0.5, 0.4, 0.45]), Ok(10));
        assert_eq!(of_scores([0.5, 0.6, 0.0]), Ok(5));
    }

    #[test]
    fn a_sample_has_room_for_groups() {
        assert_eq!(sample(1000, 5, 1), (0..1000).collect::<Vec<u32>>());
        assert_eq!(sample(1_000_000, 5, 1).len(), 1000);
        assert_eq!(sample(1_000_000, 500, 1).len(), 2000);
        assert_ne!(sample(1_000_000, 5, 1), sample(1_000_000, 5, 2));
    }
}
