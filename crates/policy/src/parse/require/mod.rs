//! Reading the `[[require]]` sections.
//!
//! A section is told by the one key that names its kind; what else it may hold depends on that.

mod about;
mod kinds;

use std::collections::HashSet;
use std::path::Path;

use toml::de::DeValue;

use super::columns::Columns;
use crate::column::Role;
use crate::method::Method;
use crate::problems::Problems;
use crate::require::{Of, OfEarlier, Require};
use crate::section::{Item, Section};
use crate::spanned::Spanned;
use crate::words::{list, quoted};
use kinds::{Around, FURTHER, KINDS, KnownKind};

pub fn read_all(
    item: Option<Item>,
    columns: &Columns,
    folder: &Path,
    problems: &mut Problems,
) -> Vec<Spanned<Require>> {
    let Some(item) = item else {
        let help = "add [[require]] with `anonymity = k`".to_owned();
        problems.overall("there is no [[require]] section", Some(help));
        return Vec::new();
    };
    let around = Around { columns, folder };
    let sections = item.sections(problems).unwrap_or_default();
    sections
        .into_iter()
        .filter_map(|section| read_one(section, &around, problems))
        .collect()
}

/// As many sets of columns as the level of a template can be counted over in reasonable time.
const MOST_SUBSETS: u128 = 20_000;

/// As many as can be followed together with a row budget.
const MOST_SUBSETS_WITH_BUDGET: u128 = 100;

/// Reports the sections that a row budget makes meaningless, and those with more sets of columns than can be counted.
pub fn check_together(require: &[Spanned<Require>], method: &Method, problems: &mut Problems) {
    let has_budget = method.rows_suppressed_at_most > 0.0;
    for section in require
        .iter()
        .filter(|section| has_budget && section.get_ref().kind.compares_with_the_whole())
    {
        let message = "this compares groups with the whole release, which leaving out rows would change, so it does not \
                       go with `rows_suppressed_at_most`";
        let help = "set `rows_suppressed_at_most = 0`".to_owned();
        problems.at(section.span(), message, Some(help));
    }
    for section in require {
        let subsets = section.get_ref().of.subsets();
        if has_budget && subsets > MOST_SUBSETS_WITH_BUDGET {
            // A row left out of one subset is left out of all, so each must be followed by itself.
            let message = format!(
                "`any` makes {subsets} sets of columns; together with `rows_suppressed_at_most` at most \
                 {MOST_SUBSETS_WITH_BUDGET} can be followed"
            );
            let help = "set `rows_suppressed_at_most = 0`, or name fewer `columns`".to_owned();
            problems.at(section.span(), message, Some(help));
        } else if subsets > MOST_SUBSETS {
            let message = format!("`any` makes {subsets} sets of columns; at most {MOST_SUBSETS} can be counted");
            let help = "name fewer `columns`, or bound what is known more tightly".to_owned();
            problems.at(section.span(), message, Some(help));
        }
    }
}

fn read_one(section: Section, around: &Around, problems: &mut Problems) -> Option<Spanned<Require>> {
    let known = |item: &Item| KINDS.into_iter().find(|(key, _)| *key == item.key());
    let kinds: Vec<(Item, KnownKind)> = section
        .items()
        .iter()
        .filter_map(|item| Some((item.clone(), known(item)?)))
        .collect();
    match &kinds[..] {
        [] => {
            report_no_kind(section, problems);
            None
        }
        [(kind, known)] => read_kind(kind, *known, section, around, problems),
        [(first, _), (second, _), ..] => {
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

/// A kind that is misspelt is an unknown key; if there is none of those either, nothing is required.
fn report_no_kind(mut section: Section, problems: &mut Problems) {
    let kinds = KINDS.map(|(kind, _)| kind);
    for key in kinds.into_iter().chain(FURTHER) {
        section.item(key);
    }
    if !section.finish(&[], problems) {
        let help = format!("add one of: {}", list(kinds));
        section.report("[[require]] requires nothing", Some(help), problems);
    }
}

fn read_kind(
    kind: &Item,
    (key, read): KnownKind,
    mut section: Section,
    around: &Around,
    problems: &mut Problems,
) -> Option<Spanned<Require>> {
    section.item(key);
    let of = read_of(kind, &mut section, around, problems);
    let demanded = read(kind, &mut section, around, problems);
    section.finish(&[], problems);
    let require = Require {
        of: of?,
        kind: demanded?,
    };
    Some(Spanned::new(kind.key_span(), require))
}

/// The kinds that can be asked of the join with earlier releases, so that `of` may name columns of those.
const JOINABLE: [&str; 3] = ["anonymity", "confidence", "alpha"];

/// The kinds that are not anti-monotone: that they hold for some columns says nothing of fewer.
const FOR_ALL_COLUMNS: [&str; 2] = ["personal", "range-diversity"];

/// The quasi-identifier: what `of` names, or all quasi columns.
fn read_of(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Of> {
    let all_quasi = || around.columns.names(&[Role::Quasi]).map(str::to_owned).collect();
    let Some(item) = section.item("of") else {
        return Some(Of {
            columns: all_quasi(),
            this_alone: Vec::new(),
            earlier: OfEarlier::Quasi,
            any: None,
        });
    };
    let DeValue::Table(table) = item.value() else {
        let names = item.names(problems)?;
        let is_elsewhere =
            |name: &Spanned<String>| JOINABLE.contains(&kind.key()) && around.columns.may_be_elsewhere(name.get_ref());
        let (elsewhere, named): (Vec<_>, Vec<_>) = names.into_iter().partition(is_elsewhere);
        let here = |name: &Spanned<String>| around.columns.here(name.get_ref()).map(str::to_owned);
        let mut this_alone: Vec<String> = named.iter().filter_map(here).collect();
        // Who names a column both ways knows its copies.
        let named_plainly: HashSet<&String> = named.iter().map(Spanned::get_ref).collect();
        this_alone.retain(|column| !named_plainly.contains(column));
        let mut own: Vec<Spanned<String>> = named.iter().map(|name| around.columns.without_this(name)).collect();
        let mut met: HashSet<String> = HashSet::new();
        own.retain(|name| met.insert(name.get_ref().clone()));
        return Some(Of {
            columns: plain(own, &item, around.columns, problems),
            this_alone,
            earlier: OfEarlier::Listed(elsewhere),
            any: None,
        });
    };
    if FOR_ALL_COLUMNS.contains(&kind.key()) {
        let message = format!("{} must hold for all columns of `of` together", quoted(kind.key()));
        let help = "write a list of columns".to_owned();
        problems.at(item.span(), message, Some(help));
    }
    let mut some = Section::new("`of`", item.span(), table);
    let any = match some.item("any") {
        Some(any) => any.whole(1, problems),
        None => {
            let help = "add `any = 3`, or write a list of columns".to_owned();
            some.report("`of` does not say how many columns are known", Some(help), problems);
            None
        }
    };
    let columns = match some.item("columns") {
        Some(item) => item
            .names(problems)
            .map(|names| plain(names, &item, around.columns, problems)),
        None => Some(all_quasi()),
    };
    some.finish(&[], problems);
    let columns = columns?;
    let any = usize::try_from(any?).ok().filter(|&any| any < columns.len());
    Some(Of {
        columns,
        this_alone: Vec::new(),
        earlier: OfEarlier::Listed(Vec::new()),
        any,
    })
}

/// Quasi columns of this table, checked.
fn plain(names: Vec<Spanned<String>>, item: &Item, columns: &Columns, problems: &mut Problems) -> Vec<String> {
    columns.check(item, &names, &[Role::Quasi], problems);
    names.into_iter().map(Spanned::into_inner).collect()
}
