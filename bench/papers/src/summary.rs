//! Several numbers of a figure in one.

/// A share as percent.
pub fn percent(share: f64) -> f64 {
    100.0 * share
}

/// The average; not a number if there is nothing to average.
pub fn mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = numbers
        .into_iter()
        .fold((0.0, 0u32), |(sum, count), number| (sum + number, count + 1));
    sum / f64::from(count)
}

/// The largest; negative infinity if there is none.
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// The smallest; infinity if there is none.
pub fn smallest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_numbers_in_one() {
        let numbers = [2.0, -1.0, 5.0];
        assert_eq!((smallest(numbers), mean(numbers), largest(numbers)), (-1.0, 2.0, 5.0));
        assert!(mean([]).is_nan());
    }
}
