//! A [`Sheet`]: what a program found, as Markdown.

use std::fmt;

use crate::Claim;

/// The unit of errors.
pub const POINTS: &str = "percent and percentage points";

/// The numbers of one figure, and the claims that they are held to.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The figure and what it shows.
    pub title: String,
    /// What a reader must know to trust the numbers.
    pub notes: Vec<String>,
    /// What the numbers are in.
    pub unit: &'static str,
    /// The columns of the table of numbers.
    pub header: Vec<&'static str>,
    /// Its rows, as wide as the header.
    pub rows: Vec<Vec<String>>,
    /// The claims.
    pub claims: Vec<Claim>,
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "# {}\n", self.title)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "- {note}"))?;
        writeln!(f, "\nIn {}.\n", self.unit)?;
        line(f, ["", "paper", "ours", "verdict"])?;
        line(f, ["---"; 4])?;
        for claim in &self.claims {
            let paper = format!("{}{:.2}", claim.bound, claim.paper);
            let ours = format!("{:.2}", claim.ours);
            line(f, [&claim.what, &paper, &ours, &claim.verdict().to_string()])?;
        }
        writeln!(f)?;
        line(f, &self.header)?;
        line(f, vec!["---"; self.header.len()])?;
        self.rows.iter().try_for_each(|row| line(f, row))
    }
}

/// A row of a sheet: what was tried, and the numbers; of one that was not measured, a dash.
pub(crate) fn row<const N: usize>(tried: [&dyn fmt::Display; N], numbers: &[f64]) -> Vec<String> {
    let tried = tried.iter().map(|setting| setting.to_string());
    let numbers = numbers.iter().map(|number| match number.is_nan() {
        true => "–".to_owned(),
        false => format!("{number:.3}"),
    });
    tried.chain(numbers).collect()
}

fn line<T: AsRef<str>>(f: &mut fmt::Formatter, cells: impl IntoIterator<Item = T>) -> fmt::Result {
    cells
        .into_iter()
        .try_for_each(|cell| write!(f, "| {} ", cell.as_ref()))?;
    writeln!(f, "|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bound;

    #[test]
    fn a_sheet_is_markdown() {
        let sheet = Sheet {
            title: "Figure 0".to_owned(),
            notes: vec!["made up".to_owned()],
            unit: POINTS,
            header: vec!["k", "AE"],
            rows: vec![vec!["20".to_owned(), "15.00".to_owned()]],
            claims: vec![Claim {
                what: "AE".to_owned(),
                bound: Bound::AtMost,
                paper: 16.0,
                ours: 15.0,
            }],
        };
        let expected = "# Figure 0\n\n- made up\n\nIn percent and percentage points.\n\n\
                        |  | paper | ours | verdict |\n| --- | --- | --- | --- |\n\
                        | AE | at most 16.00 | 15.00 | beats it by 1.00 |\n\n\
                        | k | AE |\n| --- | --- |\n| 20 | 15.00 |\n";
        assert_eq!(sheet.to_string(), expected);
    }

    #[test]
    fn a_row_is_settings_and_numbers() {
        assert_eq!(row([&5, &"TOC"], &[0.25, f64::NAN]), ["5", "TOC", "0.250", "–"]);
    }
}
