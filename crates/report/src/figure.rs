//! Numbers as the page writes them.

/// A number in four digits; a whole one in all of its digits, with the thousands apart.
pub fn figure(number: f64) -> String {
    if number.is_infinite() {
        return "∞".to_owned();
    }
    if number.fract() == 0.0 && number.abs() < 1e15 {
        let sign = if number < 0.0 { "−" } else { "" };
        return format!("{sign}{}", whole(number.abs() as u64));
    }
    let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    rounded.to_string()
}

/// A whole number with its thousands apart.
pub(crate) fn whole(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups.filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join("\u{202f}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_thousands_stand_apart() {
        assert_eq!(whole(0), "0");
        assert_eq!(whole(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(figure(0.333_333_3), "0.3333");
        assert_eq!(figure(-2500.0), "−2\u{202f}500");
        assert_eq!(figure(f64::INFINITY), "∞");
    }
}
