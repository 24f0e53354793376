//! Numbering rows by sorting: what is the same gets the same number.
//!
//! | first | second | number |
//! |---|---|---|
//! | 3 | 7 | 1 |
//! | 0 | 9 | 0 |
//! | 3 | 7 | 1 |
//!
//! Invariant: new numbers are without gaps, in the order of what they stand for. So they depend on nothing but that.

use rayon::prelude::*;

use super::keys::NONE;

/// As many possible pairs for each row are counted directly; more are sorted.
const COUNTED: usize = 4;

/// Numbers for pairs of numbers.
pub(super) fn number_pairs(first: &[u32], second: &[u32]) -> Vec<u32> {
    let (firsts, seconds) = (span(first), span(second));
    match firsts.checked_mul(seconds) {
        Some(pairs) if pairs <= COUNTED * first.len() => by_counting(first, second, pairs, seconds),
        _ => by_sorting(first, second),
    }
}

/// What no number reaches.
fn span(numbers: &[u32]) -> usize {
    numbers.iter().max().map_or(0, |&most| most as usize + 1)
}

fn by_counting(first: &[u32], second: &[u32], pairs: usize, seconds: usize) -> Vec<u32> {
    let place = |(&first, &second): (&u32, &u32)| first as usize * seconds + second as usize;
    let mut number_of = vec![NONE; pairs];
    first.iter().zip(second).for_each(|pair| number_of[place(pair)] = 0);
    let met = number_of.iter_mut().filter(|number| **number == 0);
    met.zip(0..).for_each(|(number, next)| *number = next);
    first.iter().zip(second).map(|pair| number_of[place(pair)]).collect()
}

fn by_sorting(first: &[u32], second: &[u32]) -> Vec<u32> {
    let pairs = first.iter().zip(second).zip(0..);
    let mut pairs: Vec<[u32; 3]> = pairs.map(|((&first, &second), row)| [first, second, row]).collect();
    pairs.par_sort_unstable();
    let mut numbers = vec![0; pairs.len()];
    for (same, number) in pairs.chunk_by(|a, b| a[..2] == b[..2]).zip(0..) {
        same.iter().for_each(|&[.., row]| numbers[row as usize] = number);
    }
    numbers
}

/// Two numbers as one, in their order.
pub(super) fn packed(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The first of two packed numbers.
pub(super) fn first_of(packed: u64) -> u32 {
    (packed >> 32) as u32
}

/// Numbers for the multisets of children of so many rows: for each child, the row that it belongs to, or [`NONE`], and
/// its number. No children have the number 0.
///
/// The sorted lists of children are read side by side. What was read of a list has a number, and with its next element
/// gets a new one.
pub(super) fn number_children(parent_of: &[u32], child: &[u32], rows: usize) -> Vec<u32> {
    let Lists { starts, children } = Lists::new(parent_of, child, rows);
    let end = |row: u32| starts[row as usize + 1];
    let mut numbers = vec![0; rows];
    let mut longer: Vec<u32> = (0..rows as u32)
        .filter(|&row| starts[row as usize] < end(row))
        .collect();
    let mut numbered = 0;
    for depth in 0.. {
        if longer.is_empty() {
            break;
        }
        let before: Vec<u32> = longer.iter().map(|&row| numbers[row as usize]).collect();
        let next: Vec<u32> = longer
            .iter()
            .map(|&row| children[(starts[row as usize] + depth) as usize])
            .collect();
        let after = number_pairs(&before, &next);
        for (&row, &number) in longer.iter().zip(&after) {
            numbers[row as usize] = numbered + 1 + number;
        }
        numbered += span(&after) as u32;
        longer.retain(|&row| starts[row as usize] + depth + 1 < end(row));
    }
    numbers
}

/// The numbers of the children of each row, ascending.
struct Lists {
    /// Where the list of each row begins, and after the last where it ends.
    starts: Vec<u32>,
    children: Vec<u32>,
}

impl Lists {
    fn new(parent_of: &[u32], child: &[u32], rows: usize) -> Lists {
        let mut starts = vec![0; rows + 1];
        let known = || parent_of.iter().zip(child).filter(|&(&parent, _)| parent != NONE);
        known().for_each(|(&parent, _)| starts[parent as usize + 1] += 1);
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut free = starts.clone();
        let mut children = vec![0; starts[rows] as usize];
        for (&parent, &number) in known() {
            let place = &mut free[parent as usize];
            children[*place as usize] = number;
            *place += 1;
        }
        for row in 0..rows {
            children[starts[row] as usize..starts[row + 1] as usize].sort_unstable();
        }
        Lists { starts, children }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_sorting_give_the_same_numbers() {
        let (first, second) = ([3, 0, 3, 0, 3], [7, 9, 7, 1, 0]);
        let expected = [3, 1, 3, 0, 2];
        assert_eq!(by_counting(&first, &second, 40, 10), expected);
        assert_eq!(by_sorting(&first, &second), expected);
        assert_eq!(number_pairs(&[5, 5, 2], &[NONE, NONE, 0]), [1, 1, 0]);
    }

    #[test]
    fn multisets_are_the_same_in_any_order_and_with_as_many_of_each() {
        // Rows 0 to 5 have {1, 2}, {2, 1}, {1}, {1, 1}, {}, {1, 2, 2}; one child has no row.
        let parent_of = [0, 1, 0, 1, 2, 3, 3, NONE, 5, 5, 5];
        let child = [1, 2, 2, 1, 1, 1, 1, 1, 2, 1, 2];
        let numbers = number_children(&parent_of, &child, 6);
        assert_eq!((numbers[0], numbers[4]), (numbers[1], 0));
        let mut different = numbers[1..].to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), 5, "{numbers:?}");
    }
}
