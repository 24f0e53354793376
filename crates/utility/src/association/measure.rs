//! Spearman's rank correlation and Cramér's V, on columns whose codes have been given slots.
//!
//! # Source
//! Midranks: Spearman 1904. V with its correction: Bergsma, *A bias-correction for Cramér's V and Tschuprow's T*, 2013.

use scumble_table::{Codes, with_codes};

use super::slots::Slots;

/// The correlation of the ranks of two columns; numbers that are equal share the middle of their ranks.
pub(super) fn spearman(a: (&Codes, &Slots), b: (&Codes, &Slots)) -> f64 {
    let ((codes_a, slots_a), (codes_b, slots_b)) = (a, b);
    let (mut rows_a, mut rows_b) = (vec![0; slots_a.len + 1], vec![0; slots_b.len + 1]);
    for_each_row(a, b, |slot_a, slot_b| {
        // A row with a missing side is in neither ranking.
        let present = u64::from(slot_a < slots_a.len && slot_b < slots_b.len);
        rows_a[slot_a] += present;
        rows_b[slot_b] += present;
    });
    let (ranks_a, ranks_b) = (Ranks::new(&rows_a), Ranks::new(&rows_b));
    let scale = (ranks_a.variation * ranks_b.variation).sqrt();
    if scale == 0.0 {
        return 0.0;
    }
    let mut products = 0.0;
    let (centred_a, centred_b) = (&ranks_a.centred, &ranks_b.centred);
    for_each_row((codes_a, slots_a), (codes_b, slots_b), |slot_a, slot_b| {
        if slot_a < slots_a.len && slot_b < slots_b.len {
            products += centred_a[slot_a] * centred_b[slot_b];
        }
    });
    (products / scale).clamp(-1.0, 1.0)
}

/// The ranks of one column, less their mean: sums of them stay small, and so exact.
struct Ranks {
    centred: Vec<f64>,
    /// The sum of their squares over all rows.
    variation: f64,
}

impl Ranks {
    fn new(rows: &[u64]) -> Self {
        let total: u64 = rows.iter().sum();
        let mean = (total as f64 + 1.0) / 2.0;
        let mut before = 0;
        let centred: Vec<f64> = rows
            .iter()
            .map(|&rows| {
                let rank = before as f64 + (rows as f64 + 1.0) / 2.0;
                before += rows;
                rank - mean
            })
            .collect();
        let squares = rows.iter().zip(&centred).map(|(&rows, rank)| rows as f64 * rank * rank);
        Ranks {
            variation: squares.sum(),
            centred,
        }
    }
}

/// Cramér's V of two columns of categories, corrected for what chance alone would show.
pub(super) fn cramers_v(a: (&Codes, &Slots), b: (&Codes, &Slots)) -> f64 {
    let (len_a, len_b) = (a.1.len, b.1.len);
    let width = len_b + 1;
    let mut cells = vec![0u32; (len_a + 1) * width];
    for_each_row(a, b, |slot_a, slot_b| cells[slot_a * width + slot_b] += 1);

    let lines = || cells.chunks_exact(width).take(len_a).map(|line| &line[..len_b]);
    let rows_a: Vec<u64> = lines().map(|line| line.iter().copied().map(u64::from).sum()).collect();
    let mut rows_b = vec![0u64; len_b];
    for line in lines() {
        rows_b
            .iter_mut()
            .zip(line)
            .for_each(|(sum, &rows)| *sum += u64::from(rows));
    }
    let total = rows_a.iter().sum::<u64>() as f64;
    // Chi-squared over the rows is the sum of o² / (row sum · column sum), less 1; empty cells add nothing.
    let mut phi_squared = -1.0;
    for (line, &row) in lines().zip(&rows_a).filter(|(_, row)| **row > 0) {
        let filled = line.iter().zip(&rows_b).filter(|(rows, _)| **rows > 0);
        let sum: f64 = filled
            .map(|(&rows, &column)| f64::from(rows).powi(2) / column as f64)
            .sum();
        phi_squared += sum / row as f64;
    }
    let shown = |rows: &[u64]| rows.iter().filter(|&&rows| rows > 0).count() as f64;
    corrected(phi_squared, total, shown(&rows_a), shown(&rows_b))
}

/// V from the mean square contingency of `rows` rows in a table of `r` by `c` categories; 0 if either is one.
fn corrected(phi_squared: f64, rows: f64, r: f64, c: f64) -> f64 {
    if rows < 2.0 {
        return 0.0;
    }
    let phi_squared = (phi_squared - (r - 1.0) * (c - 1.0) / (rows - 1.0)).max(0.0);
    let categories = |n: f64| n - (n - 1.0).powi(2) / (rows - 1.0);
    let smaller = categories(r).min(categories(c)) - 1.0;
    if smaller <= 0.0 {
        return 0.0;
    }
    (phi_squared / smaller).sqrt().min(1.0)
}

/// Calls `count` with the two slots of every row.
#[inline]
fn for_each_row(
    (codes_a, slots_a): (&Codes, &Slots),
    (codes_b, slots_b): (&Codes, &Slots),
    mut count: impl FnMut(usize, usize),
) {
    let (of_a, of_b) = (&slots_a.of_code[..], &slots_b.of_code[..]);
    with_codes!(codes_a, |a| with_codes!(codes_b, |b| for (&a, &b) in a.iter().zip(b) {
        count(of_a[a as usize] as usize, of_b[b as usize] as usize);
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(slots: &[u32], len: usize) -> (Codes, Slots) {
        let codes = Codes::collect(len + 1, slots.iter().copied());
        let of_code = (0..=len as u32).collect();
        (codes, Slots { of_code, len })
    }

    /// The example of scipy.stats.spearmanr's manual: ranks 1 to 5 against 5, 6, 7, 8, 7.
    #[test]
    fn ranks_that_are_equal_share_their_middle() {
        let (a, slots_a) = column(&[0, 1, 2, 3, 4], 5);
        let (b, slots_b) = column(&[0, 1, 2, 3, 2], 4);
        let correlation = spearman((&a, &slots_a), (&b, &slots_b));
        assert!((correlation - 0.820_782_681_668_123_3).abs() < 1e-12);
    }

    #[test]
    fn a_row_with_a_missing_side_is_not_ranked() {
        let (a, slots_a) = column(&[0, 1, 2, 3], 3);
        let (b, slots_b) = column(&[2, 1, 0, 0], 3);
        assert_eq!(spearman((&a, &slots_a), (&b, &slots_b)), -1.0);
    }

    #[test]
    fn a_column_of_one_value_goes_with_none() {
        let (a, slots_a) = column(&[0, 0, 0], 1);
        let (b, slots_b) = column(&[0, 1, 2], 3);
        assert_eq!(spearman((&a, &slots_a), (&b, &slots_b)), 0.0);
        assert_eq!(cramers_v((&a, &slots_a), (&b, &slots_b)), 0.0);
    }

    /// 2 by 2 with counts 30, 10, 10, 30: φ² = 1/4. Corrected: (1/4 - 1/79) / (1 - 1/79).
    #[test]
    fn cramers_v_is_corrected_for_chance() {
        let cells = [(0, 0, 30), (0, 1, 10), (1, 0, 10), (1, 1, 30)];
        let rows = |side: fn(&(u32, u32, usize)) -> u32| -> Vec<u32> {
            cells.iter().flat_map(|cell| vec![side(cell); cell.2]).collect()
        };
        let (a, slots_a) = column(&rows(|cell| cell.0), 2);
        let (b, slots_b) = column(&rows(|cell| cell.1), 2);
        let expected = ((0.25 - 1.0 / 79.0) / (1.0 - 1.0 / 79.0f64)).sqrt();
        assert!((cramers_v((&a, &slots_a), (&b, &slots_b)) - expected).abs() < 1e-12);
    }
}
