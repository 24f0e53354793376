//! A [`Quantile`] says what a share of the rows stays below.

use serde::Serialize;

/// A score that a share of the rows does not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantile {
    /// The share of rows.
    pub share: f64,
    /// The smallest score that at least so many do not exceed.
    pub score: f64,
}

/// The scores at some shares of the rows.
pub(super) fn quantiles(mut scores: Vec<f64>) -> Vec<Quantile> {
    /// The middle, and the end where those at most risk are.
    const SHARES: [f64; 5] = [0.5, 0.9, 0.95, 0.99, 1.0];
    scores.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| {
        let place = (share * scores.len() as f64).ceil() as usize;
        let score = *scores.get(place.checked_sub(1)?)?;
        Some(Quantile { share, score })
    };
    SHARES.into_iter().filter_map(at).collect()
}
