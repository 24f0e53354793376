//! Columns of which nearly every row has a value of its own: to publish one as it is, is to publish a name.
//!
//! | values | | nearly unique |
//! |---|---|---|
//! | visit: v1, v2, … v100 | every row has its own | yes |
//! | salary: 60 different ones in 100 rows | fewer than two rows share a value, on average | yes |
//! | room: 50 different ones in 100 rows | two rows share a value, on average | no |
//! | phone: 30 different ones in 30 rows, 70 are empty | it names 30 people | yes |
//! | ward: 8 different ones in 10 rows | so few rows say nothing of the column | no |

use scumble_table::{Column, ColumnId, with_codes};

use crate::columns::PlannedColumns;
use crate::plan::Plan;
use scumble_policy::{ColumnPolicy, Policy, Problems, Role, quoted};

/// A column with no more different values than this is not called nearly unique: in a table of a few rows, any is.
const FEW: usize = 20;

/// Why a column is not published as it is.
const NEARLY_UNIQUE: &str = "nearly every row has a value of its own, which would lead to the person";

/// What to do about it on the command line.
const QUICK_REMEDY: &str = "give it another role, such as --identifier, or name it with --other and --unique";

/// What to do about it in a policy, given what that says of the column.
fn remedy(listed: Option<&ColumnPolicy>) -> &'static str {
    match listed {
        Some(_) => "give it another role, such as identifier, or add `unique = true`",
        None => "list it in [columns], as identifier, or as other with `unique = true`",
    }
}

/// Whether a value that is there is shared by fewer than two rows, on average, and there are more than a few.
pub fn is_nearly_unique(column: &Column) -> bool {
    let missing = column.dictionary().missing();
    let mut rows = vec![0u64; column.dictionary().len()];
    with_codes!(column.codes(), |codes| codes
        .iter()
        .for_each(|&code| rows[code as usize] += 1));
    if let Some(missing) = missing {
        rows[missing as usize] = 0;
    }
    let values = rows.iter().filter(|&&rows| rows > 0).count();
    values > FEW && 2 * values as u64 > rows.iter().sum()
}

/// Reports every column that is published as other, and that nearly every row has a value of its own in, unless its
/// own line says `unique = true`.
///
/// # Errors
/// Every such column, at once.
pub fn check_unique(policy: &Policy, plan: &Plan, is_unique: impl Fn(ColumnId) -> bool) -> Result<(), Problems> {
    let mut problems = Problems::new(policy.source());
    let listed = |name: &str| policy.column(name);
    report_unique(policy, &plan.columns, str::to_owned, listed, is_unique, &mut problems);
    problems.none_or(())
}

/// The same of the columns of any table: what messages call each, and what the policy says of it.
pub(crate) fn report_unique<'p>(
    policy: &Policy,
    columns: &PlannedColumns,
    named: impl Fn(&str) -> String,
    listed: impl Fn(&str) -> Option<&'p ColumnPolicy>,
    is_unique: impl Fn(ColumnId) -> bool,
    problems: &mut Problems,
) {
    for id in columns.with_role(Role::Other) {
        let name = &columns[id.0].name;
        let listed = listed(name);
        if listed.is_some_and(|listed| listed.unique) || !is_unique(id) {
            continue;
        }
        let message = format!(
            "column {} cannot be published as other: {NEARLY_UNIQUE}",
            quoted(&named(name))
        );
        match listed.map(|listed| listed.name.span()) {
            _ if policy.source().file_name().is_none() => problems.overall(message, Some(QUICK_REMEDY.to_owned())),
            Some(place) => problems.at(place, message, Some(remedy(listed).to_owned())),
            None => problems.overall(message, Some(remedy(listed).to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use scumble_table::ValueOrder;

    use super::*;

    /// So many different values, each in so many rows, and so many empty cells.
    fn column(values: usize, rows: usize, empty: usize) -> Column {
        let values: Vec<String> = (0..values).map(|value| format!("v{value}")).collect();
        let cells = values
            .iter()
            .flat_map(|value| std::iter::repeat_n(Some(value.as_str()), rows));
        let cells = cells.chain(std::iter::repeat_n(None, empty));
        Column::from_cells("c", ValueOrder::Natural, cells)
    }

    #[test]
    fn a_column_is_nearly_unique_if_fewer_than_two_rows_share_a_value() {
        assert!(is_nearly_unique(&column(100, 1, 0)));
        assert!(is_nearly_unique(&column(21, 1, 0)));
        assert!(!is_nearly_unique(&column(100, 2, 0)));
        // One value more, in a single row.
        let names: Vec<String> = (0..100).map(|value| format!("v{value}")).collect();
        let twice = names.iter().chain(&names).map(|name| Some(name.as_str()));
        let and_one = twice.chain([Some("alone")]);
        assert!(is_nearly_unique(&Column::from_cells("c", ValueOrder::Natural, and_one)));
    }

    #[test]
    fn few_values_are_not_called_nearly_unique() {
        assert!(!is_nearly_unique(&column(20, 1, 0)));
        assert!(!is_nearly_unique(&column(0, 0, 30)));
        assert!(!is_nearly_unique(&column(0, 0, 0)));
    }

    #[test]
    fn empty_cells_do_not_hide_that_the_others_name_people() {
        assert!(is_nearly_unique(&column(30, 1, 1000)));
        assert!(!is_nearly_unique(&column(30, 3, 1)));
    }
}
