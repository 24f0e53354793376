//! What a policy says, checked against the header and the values of its data.
//!
//! A word of the policy may be shown, and a label of a taxonomy. Of the data only a value that many rows hold may be, to
//! mend the spelling of a secret: it tells of nobody, and the sensitive column is published as it is.

use std::collections::HashSet;
use std::ops::Range;

use scumble_policy::Spanned;
use scumble_privacy::Demand;
use scumble_table::{Column, ColumnId, Dictionary, Table, with_codes};

use crate::plan::Plan;
use scumble_policy::Problems;
use scumble_policy::{
    DistanceKind, Kind, Missing, Policy, Taxonomies, did_you_mean, do_not_fit, list, quoted, suggestion,
};

/// Reports the columns that the data lacks.
pub fn check_columns(policy: &Policy, header: &[String], problems: &mut Problems) {
    let names: Vec<&Spanned<String>> = policy.columns.iter().map(|column| &column.name).collect();
    let is_header = policy.data.names.is_some();
    let places = names.iter().map(|name| (name.get_ref().as_str(), name.span()));
    check_header("the data", places.collect(), header, is_header, problems);
}

/// Reports the secrets that the taxonomy of their column lacks: such a value the data cannot hold.
pub fn check_labels(policy: &Policy, taxonomies: &Taxonomies, problems: &mut Problems) {
    for (column, value) in policy.listed() {
        let taxonomy = policy.column(column).and_then(|column| taxonomies.of(column));
        if let Some(taxonomy) = taxonomy.filter(|taxonomy| taxonomy.find(value.get_ref()).is_none()) {
            let labels: Vec<&str> = taxonomy.nodes().map(|node| taxonomy.label(node)).collect();
            let help = suggestion(value.get_ref(), labels.iter().copied());
            problems.at(value.span(), no_value(column, value.get_ref()), Some(help));
        }
    }
}

/// Reports sensitive ranges that do not fit the taxonomy of their column.
pub fn check_ranges(policy: &Policy, taxonomies: &Taxonomies, problems: &mut Problems) {
    for column in &policy.columns {
        let refused = column.ranges(taxonomies).and_then(Result::err);
        if let (Some(reason), Some(ranges)) = (refused, &column.sensitive_ranges) {
            do_not_fit(ranges, &reason, problems);
        }
    }
}

/// Checks what only the data can tell: that it holds the values in `about` and in sensitive ranges, that values have
/// the order that a distance needs, and that guarding nodes are nodes.
///
/// # Errors
/// Everything that does not fit, at once.
pub fn check_data(policy: &Policy, plan: &Plan, taxonomies: &Taxonomies, table: &Table) -> Result<(), Problems> {
    check_known_data(policy, plan, taxonomies, table, &|_| true)
}

/// The same where only some columns are known.
pub fn check_known_data(
    policy: &Policy,
    plan: &Plan,
    taxonomies: &Taxonomies,
    table: &Table,
    knows: &dyn Fn(&str) -> bool,
) -> Result<(), Problems> {
    let mut problems = Problems::new(policy.source());
    check_values(policy, plan, taxonomies, table, knows, &mut problems);
    check_ranges_of_values(policy, plan, table, knows, &mut problems);
    check_orders(policy, plan, table, knows, &mut problems);
    check_guarding(policy, plan, table, knows, &mut problems);
    problems.none_or(())
}

/// Reports the secrets that a column without a taxonomy does not hold.
fn check_values(
    policy: &Policy,
    plan: &Plan,
    taxonomies: &Taxonomies,
    table: &Table,
    knows: &dyn Fn(&str) -> bool,
    problems: &mut Problems,
) {
    let holds = |column: &str, value: &str| {
        let column = plan.columns.find(column).map(|id| table.column(id));
        column.is_some_and(|column| column.dictionary().texts().iter().any(|text| text == value))
    };
    let has_taxonomy = |name: &str| policy.column(name).and_then(|column| taxonomies.of(column)).is_some();
    let own = policy
        .listed()
        .filter(|(column, _)| policy.column(column).is_some() && knows(column));
    for (column, value) in own.filter(|(column, _)| !has_taxonomy(column)) {
        let word = value.get_ref();
        if holds(column, word) {
            continue;
        }
        // Other words of the policy may be suggested, because whoever reads this wrote them.
        let others = policy.listed().filter(|&(other, _)| other == column);
        let others = others.map(|(_, other)| other.get_ref().as_str());
        let others = others.filter(|other| holds(column, other));
        let frequent = plan.columns.find(column).map(|id| frequent_values(table.column(id)));
        let help = did_you_mean(word, others.chain(frequent.into_iter().flatten())).or_else(|| {
            let values = plan
                .columns
                .find(column)
                .map(|id| table.column(id).dictionary().texts().len())?;
            Some(format!("check the spelling; it has {values} different values"))
        });
        problems.at(value.span(), no_value(column, word), help);
    }
}

/// Reports sensitive ranges of values that a column without a taxonomy does not hold.
fn check_ranges_of_values(
    policy: &Policy,
    plan: &Plan,
    table: &Table,
    knows: &dyn Fn(&str) -> bool,
    problems: &mut Problems,
) {
    for column in policy.columns.iter().filter(|column| knows(column.name.get_ref())) {
        let Some((id, ranges)) = plan
            .columns
            .find(column.name.get_ref())
            .zip(column.sensitive_ranges.as_ref())
        else {
            continue;
        };
        let values = table.column(id).dictionary().texts();
        let checked = plan.columns[id.0]
            .sensitive_ranges
            .as_ref()
            .map(|ranges| ranges.check(values.iter()));
        if let Some(Err(reason)) = checked {
            do_not_fit(ranges, &reason, problems);
        }
    }
}

/// Reports ordered distances between values that have no order.
fn check_orders(policy: &Policy, plan: &Plan, table: &Table, knows: &dyn Fn(&str) -> bool, problems: &mut Problems) {
    for require in &policy.require {
        let Kind::Closeness {
            distance: DistanceKind::Ordered,
            about,
            ..
        } = &require.get_ref().kind
        else {
            continue;
        };
        let Some(id) = plan.columns.find(about).filter(|_| knows(about)) else {
            continue;
        };
        let has_taxonomy = plan.columns[id.0].taxonomy.is_some();
        if let Some(lacks) = lacks_order(has_taxonomy, table.column(id).dictionary()) {
            no_order(about, lacks, require.span(), problems);
        }
    }
}

/// Reports cells of guarding columns that are no nodes of the taxonomy.
fn check_guarding(policy: &Policy, plan: &Plan, table: &Table, knows: &dyn Fn(&str) -> bool, problems: &mut Problems) {
    for template in &plan.requirement.templates {
        let Demand::Personal {
            about,
            guarding,
            taxonomy,
            ..
        } = &template.demand
        else {
            continue;
        };
        if !knows(&plan.columns[guarding.0].name) {
            continue;
        }
        let strange = rows_without(table.column(*guarding), |text| taxonomy.find(text).is_some());
        let Some(first) = strange.first() else { continue };
        let name = |id: &ColumnId| quoted(&plan.columns[id.0].name);
        // Where rows were dropped, the number in the table is not that in the file.
        let place = match (policy.data.missing, strange.len() - 1) {
            (Missing::Value, 0) => format!("row {}", first + 1),
            (Missing::Value, more) => format!("row {} and {more} more", first + 1),
            (Missing::Drop, more) => format!("rows: {}", more + 1),
        };
        let message = format!(
            "column {} holds something else than labels of the taxonomy of {} ({place})",
            name(guarding),
            name(about)
        );
        let help = "correct it, or leave the cell empty for a person who guards nothing".to_owned();
        problems.in_file(policy.data.name(), None, message, Some(help));
    }
}

/// What the values of a column lack to be in an order.
pub fn lacks_order(has_taxonomy: bool, values: &Dictionary) -> Option<&'static str> {
    if !has_taxonomy && values.numbers().is_none() {
        Some("are neither numbers nor leaves of a taxonomy")
    } else {
        values.missing().map(|_| "include missing ones")
    }
}

/// Reports an ordered distance between values of a column that have no order.
pub fn no_order(column: &str, lacks: &str, place: Range<usize>, problems: &mut Problems) {
    let message = format!(
        "an ordered distance needs values in order, and those of column {} {lacks}",
        quoted(column)
    );
    let help = "choose `distance = \"equal\"`".to_owned();
    problems.at(place, message, Some(help));
}

pub fn no_value(column: &str, value: &str) -> String {
    format!("column {} has no value {}", quoted(column), quoted(value))
}

/// The rows whose cell is neither missing nor what it can be.
pub fn rows_without(column: &Column, fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let texts = column.dictionary().texts();
    let strange: Vec<bool> = texts.iter().map(|text| !fits(text)).collect();
    let is_strange = |code: usize| strange.get(code) == Some(&true);
    with_codes!(column.codes(), |codes| codes
        .iter()
        .enumerate()
        .filter(|&(_, &code)| is_strange(code as usize))
        .map(|(row, _)| row)
        .collect())
}

/// Reports the columns, each with its place in the policy, that a file lacks. Names of the file are shown only if it
/// surely has a header: the first row may be a person.
pub fn check_header(
    what: &str,
    names: Vec<(&str, std::ops::Range<usize>)>,
    header: &[String],
    is_header: bool,
    problems: &mut Problems,
) {
    let valid = header.iter().map(String::as_str);
    let in_header: HashSet<&str> = valid.clone().collect();
    let has = |name: &str| in_header.contains(name);
    let is_header = is_header || names.iter().any(|(name, _)| has(name));
    let all = list(valid.clone());
    for (name, place) in names.into_iter().filter(|(name, _)| !has(name)) {
        let message = format!("{what} has no column {}", quoted(name));
        let meant = problems.are_few().then(|| did_you_mean(name, valid.clone())).flatten();
        let help = meant.unwrap_or_else(|| match is_header {
            true => format!("valid: {all}"),
            false => "if the file has no header, give `names` in [data]".to_owned(),
        });
        problems.at(place, message, Some(help));
    }
}

/// A value that at least so many rows hold may be suggested.
const FREQUENT: u64 = 20;

/// The values of a column that many rows hold.
fn frequent_values(column: &Column) -> Vec<&str> {
    let mut rows = vec![0u64; column.dictionary().len()];
    with_codes!(column.codes(), |codes| codes
        .iter()
        .for_each(|&code| rows[code as usize] += 1));
    let values = column.dictionary().texts().iter().zip(rows);
    values
        .filter(|&(_, rows)| rows >= FREQUENT)
        .map(|(value, _)| value)
        .collect()
}
