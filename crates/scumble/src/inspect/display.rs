//! An [`Inspection`] for people: tables that fit in 100 characters a line.

use std::fmt;

use super::{ColumnSet, ColumnSets, InspectedColumn, Inspection, shown_path};
use scumble_policy::{counted, list, quoted};

/// Longer names are cut.
const NAME_WIDTH: usize = 28;

impl fmt::Display for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = shown_path(&self.source.path);
        let (rows, columns) = (counted(self.rows, "row"), counted(self.columns.len(), "column"));
        writeln!(f, "{file}: {rows}, {columns}")?;
        self.write_header_doubt(f)?;
        self.write_columns(f)?;
        self.write_roles(f)?;
        self.write_suspected_marks(f)?;
        self.sets.fmt(f)
    }
}

impl Inspection {
    fn write_header_doubt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.names_like_values == 0 {
            return Ok(());
        }
        let names = counted(self.names_like_values, "column name");
        writeln!(
            f,
            "\n{names} could be a value: if the file has no header, give the names."
        )
    }

    fn write_columns(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "\n{:>91}", "rows with the same value")?;
        writeln!(
            f,
            "{:NAME_WIDTH$} {:11} {:>9} {:>9}  {:>9} {:>9} {:>10}",
            "column", "type", "distinct", "missing", "alone", "fewest", "average"
        )?;
        self.columns.iter().try_for_each(|column| write_column(column, f))
    }

    fn write_roles(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "\n{:NAME_WIDTH$} {:11} why (when in doubt, quasi)", "column", "role")?;
        self.columns
            .iter()
            .try_for_each(|InspectedColumn { name, role, reason, .. }| {
                writeln!(f, "{:NAME_WIDTH$} {:11} {reason}", shown(name), role.word())
            })
    }

    fn write_suspected_marks(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let suspected = |column: &&InspectedColumn| !column.suspected_missing.is_empty();
        if self.columns.iter().any(|column| suspected(&column)) {
            writeln!(
                f,
                "\nValues that look like marks for missing ones; declare them as `missing_marks`"
            )?;
        }
        for column in self.columns.iter().filter(suspected) {
            for suspected in &column.suspected_missing {
                let (mark, rows) = (quoted(suspected.mark), counted(suspected.rows, "row"));
                writeln!(f, "  {mark} in {rows} of {}", shown(&column.name))?;
            }
        }
        Ok(())
    }
}

fn write_column(column: &InspectedColumn, f: &mut fmt::Formatter) -> fmt::Result {
    writeln!(
        f,
        "{:NAME_WIDTH$} {:11} {:>9} {:>9}  {:>9} {:>9} {:>10.1}",
        shown(&column.name),
        column.guessed.word(),
        column.distinct,
        column.missing,
        percent(column.groups.unique_share),
        column.groups.smallest,
        column.groups.average,
    )
}

impl fmt::Display for ColumnSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, sets) in [("pairs", &self.pairs), ("triples", &self.triples)] {
            if sets.is_empty() {
                continue;
            }
            writeln!(f, "\nQuasi columns that single most people out, {what}")?;
            writeln!(f, "{:>9} {:>9} {:>10}  columns", "alone", "fewest", "average")?;
            sets.iter().try_for_each(|set| write_set(set, f))?;
        }
        if !self.not_tried.is_empty() {
            let not_tried = list(self.not_tried.iter().map(String::as_str));
            let tried = self.tried.len();
            writeln!(
                f,
                "\nTried together: the {tried} quasi columns that tell most rows apart. Not tried:"
            )?;
            writeln!(f, "  {not_tried}")?;
        }
        Ok(())
    }
}

fn write_set(ColumnSet { columns, groups }: &ColumnSet, f: &mut fmt::Formatter) -> fmt::Result {
    let share = percent(groups.unique_share);
    let columns = list(columns.iter().map(String::as_str));
    let (smallest, average) = (groups.smallest, groups.average);
    writeln!(f, "{share:>9} {smallest:>9} {average:>10.1}  {columns}")
}

/// A share as a percentage. Only nothing is 0 % and only all is 100 %, or a row that is alone could hide.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".to_owned(),
        100.0 => "100 %".to_owned(),
        ..0.05 => "< 0.1 %".to_owned(),
        99.95.. => "> 99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// A name on one line, its end cut off if it is long.
fn shown(name: &str) -> String {
    let name = list([name]);
    match name.chars().nth(NAME_WIDTH) {
        None => name,
        Some(_) => name.chars().take(NAME_WIDTH - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_of_a_million_is_not_0_percent() {
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(1e-6), "< 0.1 %");
        assert_eq!(percent(0.001), "0.1 %");
        assert_eq!(percent(0.1234), "12.3 %");
        assert_eq!(percent(1.0 - 1e-6), "> 99.9 %");
        assert_eq!(percent(1.0), "100 %");
    }
}
