//! Whether every released row can be a different row of the data: a matching, found by augmenting paths.

/// Whether there is a row for each of `rows` among the originals, all different, that fits.
pub(super) fn can_be_matched(rows: usize, originals: &[usize], fits: impl Fn(usize, usize) -> bool) -> bool {
    let mut taken_by: Vec<Option<usize>> = vec![None; originals.len()];
    (0..rows).all(|row| {
        let mut seen = vec![false; originals.len()];
        place(row, originals, &fits, &mut taken_by, &mut seen)
    })
}

/// Finds an original for a row, if need be by moving others.
fn place(
    row: usize,
    originals: &[usize],
    fits: &impl Fn(usize, usize) -> bool,
    taken_by: &mut Vec<Option<usize>>,
    seen: &mut Vec<bool>,
) -> bool {
    for at in 0..originals.len() {
        if seen[at] || !fits(row, originals[at]) {
            continue;
        }
        seen[at] = true;
        let is_free = match taken_by[at] {
            None => true,
            Some(other) => place(other, originals, fits, taken_by, seen),
        };
        if is_free {
            taken_by[at] = Some(row);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_need_two_originals() {
        let fits = |row: usize, original: usize| original == 0 || row == 1;
        assert!(can_be_matched(2, &[0, 1], fits));
        assert!(!can_be_matched(2, &[0, 1], |_, original| original == 0));
    }
}
