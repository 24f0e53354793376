//! Reading what a requirement is about.

use toml::de::{DeTable, DeValue};

use crate::column::Role;
use crate::parse::columns::Columns;
use crate::problems::Problems;
use crate::require::{About, AboutValues};
use crate::section::{Item, Section, number};
use crate::spanned::Spanned;
use crate::words::quoted;

/// The roles of columns that must not be inferred.
const SECRET: [Role; 2] = [Role::Sensitive, Role::Class];

/// `about = "column"`, a sensitive or class column.
pub(super) fn read_column(
    kind: &Item,
    section: &mut Section,
    columns: &Columns,
    problems: &mut Problems,
) -> Option<Spanned<String>> {
    read_column_of(&SECRET, kind, section, columns, problems)
}

/// `about = "column"`, a sensitive column.
pub(super) fn read_sensitive_column(
    kind: &Item,
    section: &mut Section,
    columns: &Columns,
    problems: &mut Problems,
) -> Option<Spanned<String>> {
    read_column_of(&[Role::Sensitive], kind, section, columns, problems)
}

fn read_column_of(
    fitting: &[Role],
    kind: &Item,
    section: &mut Section,
    columns: &Columns,
    problems: &mut Problems,
) -> Option<Spanned<String>> {
    let item = about(kind, "add `about = \"column\"`", section, problems)?;
    let DeValue::String(name) = item.value() else {
        item.must_be("the name of one column in quotes", problems);
        return None;
    };
    let name = Spanned::new(item.span(), name.to_string());
    columns.check(&item, std::slice::from_ref(&name), fitting, problems);
    Some(name)
}

/// `about = { column = ["value", …] }`, `{ column = "*" }` or `{ column = { value = bound, … } }`; values without a
/// bound of their own have `bound`. A column of an earlier release may be written `{ clinic2024.disease = … }`, too.
pub(super) fn read_values(
    kind: &Item,
    bound: Option<f64>,
    section: &mut Section,
    columns: &Columns,
    problems: &mut Problems,
) -> Option<Vec<About>> {
    let item = about(kind, "add `about = { column = [\"value\"] }`", section, problems)?;
    let DeValue::Table(table) = item.value() else {
        item.must_be("a table, such as { column = [\"value\"] }", problems);
        return None;
    };
    let listed = Section::new("`about`", item.span(), table);
    if listed.items().is_empty() {
        item.must_be("a table with at least one column", problems);
    }
    let named: Vec<(Spanned<String>, Item)> = listed
        .items()
        .iter()
        .flat_map(|item| columns_in(item, columns))
        .map(|(name, item)| (columns.without_this(&name), item))
        .collect();
    let own = named.iter().map(|(name, _)| name);
    let own = own.filter(|name| !columns.may_be_elsewhere(name.get_ref()));
    let own: Vec<Spanned<String>> = own.cloned().collect();
    columns.check(&item, &own, &SECRET, problems);
    let about = named.into_iter().map(|(column, item)| About {
        column,
        // Without a bound the section is not returned.
        values: values_of(&item, bound.unwrap_or(1.0), problems),
    });
    Some(about.collect())
}

/// The column that a key names; or the columns in it, if it is the name of a release, or of one of several tables, and of
/// no column. The bounds of the values of a column are numbers, what is said of a column is not.
fn columns_in<'d>(item: &Item<'d>, columns: &Columns) -> Vec<(Spanned<String>, Item<'d>)> {
    let of_release = match item.value() {
        DeValue::Table(table) if columns.may_be_release(item.key()) || columns.is_table(item.key()) => {
            Section::new("`about`", item.span(), table)
        }
        _ => Section::absent(),
    };
    if of_release.items().iter().all(|inner| number(inner.value()).is_some()) {
        let name = Spanned::new(item.key_span(), item.key().to_owned());
        return vec![(name, item.clone())];
    }
    let named = of_release.items().iter().map(|inner| {
        let name = format!("{}.{}", item.key(), inner.key());
        (Spanned::new(inner.key_span(), name), inner.clone())
    });
    named.collect()
}

/// The item that says what the kind is about; every kind that asks for it needs it.
fn about<'d>(kind: &Item, help: &str, section: &mut Section<'d>, problems: &mut Problems) -> Option<Item<'d>> {
    let item = section.item("about");
    if item.is_none() {
        let message = format!("[[require]] does not say what {} is about", quoted(kind.key()));
        section.report(message, Some(help.to_owned()), problems);
    }
    item
}

fn values_of(column: &Item, bound: f64, problems: &mut Problems) -> AboutValues {
    match column.value() {
        DeValue::String(text) if text == "*" => AboutValues::Every,
        DeValue::Array(_) => {
            let values = column.names(problems).unwrap_or_default();
            AboutValues::Listed(values.into_iter().map(|value| (value, bound)).collect())
        }
        DeValue::Table(table) if !table.is_empty() => AboutValues::Listed(read_bounds(table, problems)),
        _ => {
            column.must_be(
                "\"*\", a list of values or a table of values with their bounds",
                problems,
            );
            AboutValues::Every
        }
    }
}

fn read_bounds(table: &DeTable, problems: &mut Problems) -> Vec<(Spanned<String>, f64)> {
    let section = Section::new("`about`", 0..0, table);
    let bounds = section.items().iter().filter_map(|item| {
        let value = Spanned::new(item.key_span(), item.key().to_owned());
        Some((value, read_share(item, problems)?))
    });
    bounds.collect()
}

/// A bound on confidence.
pub(super) fn read_share(item: &Item, problems: &mut Problems) -> Option<f64> {
    let fits = |bound| 0.0 < bound && bound <= 1.0;
    item.number("a share: above 0 and at most 1", fits, problems)
}
