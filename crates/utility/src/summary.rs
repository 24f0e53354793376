//! Many figures as few: the mean and quantiles. There are none of nothing.

/// The mean.
pub(crate) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The smallest of some ascending numbers that at least this share of them do not exceed.
pub(crate) fn quantile<N: Copy>(ascending: &[N], share: f64) -> Option<N> {
    let place = (share * ascending.len() as f64).ceil() as usize;
    ascending.get(place.saturating_sub(1)).copied()
}
