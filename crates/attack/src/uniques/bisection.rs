//! Bisection: the root of a function that changes its sign once.

/// Where a function goes from positive to negative between two numbers, as near as numbers are.
pub(super) fn crossing(mut positive: f64, mut negative: f64, function: impl Fn(f64) -> f64) -> f64 {
    /// Numbers have 53 binary digits; the rest is for a crossing much closer to 0 than the ends are.
    const HALVINGS: usize = 100;
    for _ in 0..HALVINGS {
        let middle = positive + (negative - positive) / 2.0;
        if middle == positive || middle == negative {
            break;
        }
        match function(middle) > 0.0 {
            true => positive = middle,
            false => negative = middle,
        }
    }
    positive
}
