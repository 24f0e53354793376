//! How numbers and tables are written in a summary.

use crate::stats::Spread;

/// Whether a target is met.
pub fn verdict(value: Option<f64>, bound: f64) -> String {
    match value {
        None => format!("not measured (at most {bound})"),
        Some(value) => format!(
            "{value:.2} (at most {bound}): {}",
            if value <= bound { "met" } else { "not met" }
        ),
    }
}

/// Sections one after the other.
pub fn sections<const N: usize>(sections: [String; N]) -> String {
    sections.map(|section| section.trim_end().to_owned()).join("\n\n")
}

/// A Markdown table with its columns aligned.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
    let width = |column: usize| {
        [&header]
            .into_iter()
            .chain(rows)
            .map(|row| row[column].chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..header.len()).filter_map(width).collect();
    let line = |cells: &[String]| {
        let cells = cells
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:<width$}"));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    let rows = rows.iter().map(|row| line(row));
    [line(&header), line(&rule)].into_iter().chain(rows).collect()
}

/// A median with the smallest and the largest.
pub fn with_ends(spread: Spread) -> String {
    format!("{:.3} ({:.3}..{:.3})", spread.median, spread.min, spread.max)
}

/// How many times one thing another is, if it is known.
pub fn ratio(value: Option<f64>) -> String {
    value.map_or_else(none, |value| format!("{value:.2}"))
}

/// What stands for a cell that has nothing to say.
pub fn none() -> String {
    "-".to_owned()
}

/// A whole number with its thousands apart: `1,000,000`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b',')).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let numbers = [0, 999, 1000, 45_222, 1_000_000];
        assert_eq!(numbers.map(thousands), ["0", "999", "1,000", "45,222", "1,000,000"]);
    }

    #[test]
    fn the_bound_itself_is_met() {
        assert_eq!(verdict(Some(3.0), 3.0), "3.00 (at most 3): met");
        assert_eq!(verdict(Some(3.01), 3.0), "3.01 (at most 3): not met");
        assert_eq!(verdict(None, 1.5), "not measured (at most 1.5)");
    }

    #[test]
    fn tables_line_up() {
        let rows = [vec!["1".to_owned(), "all columns".to_owned()]];
        let expected = "| rows | requirement |\n| ---- | ----------- |\n| 1    | all columns |\n";
        assert_eq!(table(&["rows", "requirement"], &rows), expected);
    }
}
