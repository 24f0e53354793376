//! What counts as a number in a cell.

/// Reads a finite decimal number: `37`, `-2.5`, `1e6`. Words that Rust would accept (`inf`, `nan`) are text.
pub fn parse_number(text: &str) -> Option<f64> {
    let plausible = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    if !plausible {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    // Minus zero and zero are one value.
    number.is_finite().then_some(number + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_decimals_are_numbers() {
        assert_eq!(parse_number("37"), Some(37.0));
        assert_eq!(parse_number("-2.50"), Some(-2.5));
        assert_eq!(parse_number("1e3"), Some(1000.0));
        for text in ["", "inf", "NaN", "1e999", "12a", "1,5", " 1", "0x10", "e"] {
            assert_eq!(parse_number(text), None, "{text:?}");
        }
        assert!(parse_number("-0").is_some_and(f64::is_sign_positive));
    }
}
