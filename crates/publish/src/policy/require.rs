//! The `[[require]]` sections.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::columns::Columns;
use super::section::{Item, Section, not_available};
use super::words::{list, quoted};
use super::{About, AboutValues, Require, RequireAnonymity, RequireConfidence, Role};
use crate::error::Problems;

/// The kinds of requirement that this version can meet.
pub(crate) const AVAILABLE: [&str; 1] = ["anonymity"];

/// The kinds that are planned.
const LATER: [&str; 5] = ["diversity", "closeness", "alpha", "p-sensitive", "range-diversity"];

pub(super) fn read_all(item: Option<Item>, columns: &Columns, problems: &mut Problems) -> Vec<Spanned<Require>> {
    let Some(item) = item else {
        let help = "add [[require]] with `anonymity = k`".to_owned();
        problems.overall("there is no [[require]] section", Some(help));
        return Vec::new();
    };
    match sections(&item) {
        Some(sections) => sections
            .into_iter()
            .filter_map(|section| read_one(section, columns, problems))
            .collect(),
        None => {
            let help = "write [[require]], with two brackets".to_owned();
            problems.at(item.span(), "`require` must be a list of sections", Some(help));
            Vec::new()
        }
    }
}

/// The tables of the list, at least one.
fn sections<'d>(item: &Item<'d>) -> Option<Vec<Section<'d>>> {
    let DeValue::Array(values) = item.value() else {
        return None;
    };
    let section = |value: &'d Spanned<DeValue<'d>>| match value.get_ref() {
        DeValue::Table(table) => Some(Section::new("[[require]]", value.span(), table)),
        _ => None,
    };
    let sections: Option<Vec<Section>> = values.iter().map(section).collect();
    sections.filter(|sections| !sections.is_empty())
}

fn read_one(section: Section, columns: &Columns, problems: &mut Problems) -> Option<Spanned<Require>> {
    let kinds: Vec<Item> = section
        .items()
        .iter()
        .filter(|item| is_kind(item.key()))
        .cloned()
        .collect();
    match &kinds[..] {
        [] => {
            report_no_kind(section, problems);
            None
        }
        [kind] => read_kind(kind, section, columns, problems),
        [first, second, ..] => {
            let message = format!(
                "[[require]] has both {} and {}",
                quoted(first.key()),
                quoted(second.key())
            );
            let help = "write one [[require]] for each".to_owned();
            problems.at(second.key_span(), message, Some(help));
            None
        }
    }
}

fn is_kind(key: &str) -> bool {
    AVAILABLE.contains(&key) || key == "confidence" || LATER.contains(&key)
}

/// A kind that is misspelt is an unknown key; if there is none of those either, nothing is required.
fn report_no_kind(mut section: Section, problems: &mut Problems) {
    for key in AVAILABLE.into_iter().chain(["of", "per"]) {
        section.item(key);
    }
    if !section.finish(&LATER, problems) {
        let help = format!("add one of: {}", list(AVAILABLE));
        section.report("[[require]] requires nothing", Some(help), problems);
    }
}

fn read_kind(kind: &Item, section: Section, columns: &Columns, problems: &mut Problems) -> Option<Spanned<Require>> {
    let require = match kind.key() {
        "anonymity" => Require::Anonymity(read_anonymity(section, columns, problems)?),
        "confidence" => Require::Confidence(read_confidence(section, columns, problems)?),
        // What else it says is for the version that can meet it.
        later => {
            not_available(&Spanned::new(kind.key_span(), later), AVAILABLE, problems);
            return None;
        }
    };
    Some(Spanned::new(kind.key_span(), require))
}

fn read_anonymity(mut section: Section, columns: &Columns, problems: &mut Problems) -> Option<RequireAnonymity> {
    let k = section.item("anonymity").and_then(|item| item.whole(1, problems));
    let of = read_of(&mut section, columns, problems);
    let all_roles = Role::WORDS.map(|(_, role)| role);
    let per = section
        .item("per")
        .map(|item| read_columns(&item, columns, &all_roles, problems));
    section.finish(&[], problems);
    Some(RequireAnonymity {
        k: k?,
        of,
        per: per.unwrap_or_default(),
    })
}

fn read_confidence(mut section: Section, columns: &Columns, problems: &mut Problems) -> Option<RequireConfidence> {
    let bound = section.item("confidence").and_then(|item| read_bound(&item, problems));
    let of = read_of(&mut section, columns, problems);
    let about = match section.item("about") {
        Some(item) => read_about(&item, bound, columns, problems),
        None => {
            let help = "add `about = { column = [\"value\"] }`".to_owned();
            section.report(
                "[[require]] does not say what `confidence` is about",
                Some(help),
                problems,
            );
            Vec::new()
        }
    };
    section.finish(&[], problems);
    Some(RequireConfidence {
        bound: bound?,
        of,
        about,
    })
}

fn read_bound(item: &Item, problems: &mut Problems) -> Option<f64> {
    let fits = |bound| 0.0 < bound && bound <= 1.0;
    item.number("a share: above 0 and at most 1", fits, problems)
}

/// The quasi-identifier: what `of` names, or all quasi columns.
fn read_of(section: &mut Section, columns: &Columns, problems: &mut Problems) -> Vec<String> {
    match section.item("of") {
        Some(item) => read_columns(&item, columns, &[Role::Quasi], problems),
        None => columns.names(&[Role::Quasi]).map(str::to_owned).collect(),
    }
}

/// A list of columns, all with a role that fits.
fn read_columns(item: &Item, columns: &Columns, fitting: &[Role], problems: &mut Problems) -> Vec<String> {
    let names = item.names(problems).unwrap_or_default();
    columns.check(item, &names, fitting, problems);
    names.into_iter().map(Spanned::into_inner).collect()
}

/// `{ column = ["value", …] }`, `{ column = "*" }` or `{ column = { value = bound, … } }`.
fn read_about(item: &Item, bound: Option<f64>, columns: &Columns, problems: &mut Problems) -> Vec<About> {
    let DeValue::Table(table) = item.value() else {
        item.must_be("a table, such as { column = [\"value\"] }", problems);
        return Vec::new();
    };
    let section = Section::new("`about`", item.span(), table);
    if section.items().is_empty() {
        item.must_be("a table with at least one column", problems);
    }
    let names: Vec<Spanned<String>> = section
        .items()
        .iter()
        .map(|column| Spanned::new(column.key_span(), column.key().to_owned()))
        .collect();
    columns.check(item, &names, &[Role::Sensitive, Role::Class], problems);
    let values = section.items().iter().map(|column| About {
        column: column.key().to_owned(),
        values: read_values(column, bound, problems),
    });
    values.collect()
}

fn read_values(column: &Item, bound: Option<f64>, problems: &mut Problems) -> AboutValues {
    match column.value() {
        DeValue::String(text) if text == "*" => AboutValues::Every,
        DeValue::Array(_) => {
            let values = column.names(problems).unwrap_or_default();
            // Without a bound the policy is not returned.
            let bound = bound.unwrap_or(1.0);
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
        Some((value, read_bound(item, problems)?))
    });
    bounds.collect()
}
