//! Numbers made of repeated measurements.

/// The middle of some measurements, with the smallest and the largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The spread of measurements; `None` if there are none.
    pub fn of(measured: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut sorted: Vec<f64> = measured.into_iter().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            mean(&sorted[middle - 1..=middle])
        };
        Some(Spread { median, min, max })
    }
}

/// The average; not a number if there are none.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The `b` of the power law `time = a · rows^b` that fits best: least squares on the logarithms. `None` unless there are
/// two sizes at least.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|(rows, time)| (rows.ln(), time.ln())).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = logs.iter().copied().unzip();
    let (x, y) = (mean(&x), mean(&y));
    let (mut xy, mut xx) = (0.0, 0.0);
    for (log_rows, log_time) in logs {
        xy += (log_rows - x) * (log_time - y);
        xx += (log_rows - x).powi(2);
    }
    (xx > 0.0).then(|| xy / xx)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two_middle_ones() {
        assert_eq!(
            Spread::of([3.0, 1.0, 2.0]),
            Some(Spread {
                median: 2.0,
                min: 1.0,
                max: 3.0
            })
        );
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).unwrap().median, 2.5);
        assert_eq!(Spread::of([]), None);
    }

    #[test]
    fn one_size_fits_every_exponent() {
        assert_eq!(exponent(&[]), None);
        assert_eq!(exponent(&[(1000.0, 1.0), (1000.0, 2.0)]), None);
    }

    proptest! {
        #[test]
        fn the_exponent_of_a_power_law_is_found(a in 1e-9..1e-3f64, b in 0.0..3.0f64) {
            let points = [45_222.0, 200_000.0, 1_000_000.0f64].map(|rows| (rows, a * rows.powf(b)));
            prop_assert!((exponent(&points).unwrap() - b).abs() < 1e-9);
        }
    }
}
