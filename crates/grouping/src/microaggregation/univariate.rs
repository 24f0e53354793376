//! One column of numbers, gathered so that the squared distances from the means of the groups add up to the least
//! possible.
//!
//! In an optimal grouping every group is a stretch of the sorted numbers, and has fewer than `2k` of them: a longer
//! one would lose no more as two. So the best way to end at a number is the best over the `k` ways in which the last
//! group may begin.

use scumble_progress::{Interrupted, Work};

/// How many rows are gathered between two looks whether to go on.
const ROWS_BETWEEN_LOOKS: usize = 1024;

/// Groups of at least `k` rows, or one of all if there are fewer than `2k`.
pub(super) fn groups(numbers: &[f64], k: usize, work: Work) -> Result<Vec<Vec<u32>>, Interrupted> {
    let n = numbers.len();
    let mut rows: Vec<u32> = (0..n as u32).collect();
    rows.sort_by(|&a, &b| numbers[a as usize].total_cmp(&numbers[b as usize]));
    if n / 2 < k {
        return Ok(if rows.is_empty() { Vec::new() } else { vec![rows] });
    }
    let sums = Sums::new(rows.iter().map(|&row| numbers[row as usize]));
    let begins = last_beginnings(&sums, n, k, work)?;
    let ends = std::iter::successors(Some(n), |&end| Some(begins[end]).filter(|&begin| begin > 0));
    let mut groups: Vec<Vec<u32>> = ends.map(|end| rows[begins[end]..end].to_vec()).collect();
    groups.reverse();
    Ok(groups)
}

/// For each number of sorted rows, where the last group begins if these are gathered best.
fn last_beginnings(sums: &Sums, n: usize, k: usize, work: Work) -> Result<Vec<usize>, Interrupted> {
    let mut best = vec![f64::INFINITY; n + 1];
    let mut begins = vec![0; n + 1];
    best[0] = 0.0;
    for end in k..=n {
        if end % ROWS_BETWEEN_LOOKS == 0 {
            work.done(end, n);
            work.go_on()?;
        }
        for begin in (end + 1).saturating_sub(2 * k)..=end - k {
            let cost = best[begin] + sums.squares_between(begin, end);
            if cost < best[end] {
                best[end] = cost;
                begins[end] = begin;
            }
        }
    }
    Ok(begins)
}

/// Sums of the first numbers and of their squares. They are standardised, so little is lost by taking one from
/// another.
struct Sums(Vec<(f64, f64)>);

impl Sums {
    fn new(sorted: impl Iterator<Item = f64>) -> Self {
        let add = |sum: &mut (f64, f64), number: f64| {
            *sum = (sum.0 + number, sum.1 + number * number);
            Some(*sum)
        };
        let sums = std::iter::once((0.0, 0.0)).chain(sorted.scan((0.0, 0.0), add));
        Sums(sums.collect())
    }

    /// The squared distances from their mean of the numbers from one place to before another.
    fn squares_between(&self, begin: usize, end: usize) -> f64 {
        let (from, to) = (self.0[begin], self.0[end]);
        let sum = to.0 - from.0;
        (to.1 - from.1 - sum * sum / (end - begin) as f64).max(0.0)
    }
}
