//! From the text of a policy to a checked [`Policy`], or to all that is wrong with it.
//!
//! A part that is wrong is reported and read on with a stand-in, so one run finds every problem; the stand-ins never
//! leave this module, because a policy with a problem is not returned.

use std::path::Path;

use scumble_refine::{Objective, Weigh};
use toml::Spanned;
use toml::de::DeTable;

use super::columns::Columns;
use super::earlier::{read_earlier, read_inconsistent};
use super::section::{Item, Section};
use super::{CLASSIFICATION, Data, Method, Missing, OBJECTIVES, Policy, PolicyText, Release, require};
use crate::error::{Error, Problems};
use scumble_store::{ReleaseFormat, RowOrder};

/// Sections of a policy that are planned: several tables.
const LATER_SECTIONS: [&str; 2] = ["person", "tables"];

/// Methods that are planned.
const LATER_METHODS: [&str; 7] = [
    "toc",
    "upc",
    "k-member",
    "mondrian",
    "full-domain",
    "miracle",
    "miraclex",
];

pub(super) fn parse(text: &PolicyText, folder: &Path) -> Result<Policy, Error> {
    let mut problems = Problems::new(text);
    let (document, errors) = DeTable::parse_recoverable(text.as_str());
    if !errors.is_empty() {
        report_syntax(text, &errors, &mut problems);
        return Err(Error::Policy(problems));
    }
    let mut policy = Section::new("the policy", document.span(), document.get_ref());
    let data = read_data(required(&mut policy, "data", &mut problems), folder, &mut problems);
    let columns = Columns::read(required(&mut policy, "columns", &mut problems), folder, &mut problems);
    let require = require::read_all(policy.item("require"), &columns, folder, &mut problems);
    let method = read_method(optional(&mut policy, "method", &mut problems), &columns, &mut problems);
    require::check_together(&require, &method, &mut problems);
    let release = read_release(optional(&mut policy, "release", &mut problems), folder, &mut problems);
    let earlier = read_earlier(policy.item("earlier"), folder, &mut problems);
    let inconsistent = read_inconsistent(policy.item("inconsistent"), &mut problems);
    policy.finish(&LATER_SECTIONS, &mut problems);
    let policy = Policy {
        data,
        columns: columns.into_list(),
        require,
        method,
        release,
        earlier,
        inconsistent,
        text: text.clone(),
    };
    problems.none_or(policy, Error::Policy)
}

/// Reports the errors of the TOML parser, one per line: what follows on the same line is mostly its consequence.
fn report_syntax(text: &PolicyText, errors: &[toml::de::Error], problems: &mut Problems) {
    let mut places: Vec<_> = errors
        .iter()
        .map(|error| (error.span().unwrap_or(0..0), error.message()))
        .collect();
    places.sort_by_key(|(span, _)| span.start);
    places.dedup_by_key(|(span, _)| text.line(span.start));
    for (span, message) in places {
        problems.at(span, format!("not valid TOML: {message}"), None);
    }
}

/// A section that may be left out.
fn optional<'d>(policy: &mut Section<'d>, key: &'static str, problems: &mut Problems) -> Section<'d> {
    policy
        .item(key)
        .and_then(|item| item.section(format!("[{key}]"), problems))
        .unwrap_or_else(Section::absent)
}

/// A section that every policy has.
fn required<'d>(policy: &mut Section<'d>, key: &'static str, problems: &mut Problems) -> Section<'d> {
    if !policy.has(key) {
        problems.overall(format!("there is no [{key}] section"), None);
    }
    optional(policy, key, problems)
}

fn read_data(mut section: Section, folder: &Path, problems: &mut Problems) -> Data {
    let file = match section.item("file") {
        Some(item) => item.path(folder, problems),
        None if section.has("url") => None,
        None => {
            let help = "add `file = \"data.csv\"`".to_owned();
            section.report("[data] names no file", Some(help), problems);
            None
        }
    };
    let missing = section.item("missing");
    let missing = missing.and_then(|item| item.word("`missing` value", &MISSING, &[], problems));
    let missing_marks = section.item("missing_marks").and_then(|item| item.texts(problems));
    let names = section.item("names").and_then(|item| item.names(problems));
    let separator = section.item("separator").and_then(|item| read_mark(&item, problems));
    let comment = section.item("comment").and_then(|item| read_mark(&item, problems));
    let trim = section.item("trim").and_then(|item| item.flag(problems));
    let sheet = section.item("sheet").and_then(|item| item.text(problems));
    let population = section.item("population").and_then(|item| item.text(problems));
    if separator.is_some() && separator == comment {
        let help = "choose two characters".to_owned();
        section.report("`separator` and `comment` are the same", Some(help), problems);
    }
    section.finish(&["url", "query"], problems);
    let plain = |texts: Vec<Spanned<String>>| texts.into_iter().map(Spanned::into_inner).collect();
    Data {
        file: file.unwrap_or_else(|| Spanned::new(0..0, folder.to_owned())),
        missing: missing.unwrap_or(Missing::Value),
        missing_marks: missing_marks.map_or_else(Vec::new, plain),
        names: names.map(plain),
        separator,
        comment,
        trim: trim.unwrap_or(true),
        sheet: sheet.map(Spanned::into_inner),
        population: population.map(Spanned::into_inner),
    }
}

const MISSING: [(&str, Missing); 2] = [("value", Missing::Value), ("drop", Missing::Drop)];

/// One character that can stand between cells or begin a comment.
fn read_mark(item: &Item, problems: &mut Problems) -> Option<u8> {
    let text = item.text(problems)?;
    match text.get_ref().as_bytes() {
        b"tab" => Some(b'\t'),
        &[mark] if mark.is_ascii() && !mark.is_ascii_alphanumeric() && !b"\"\r\n".contains(&mark) => Some(mark),
        _ => {
            item.must_be("one mark, such as \";\" or \"tab\"", problems);
            None
        }
    }
}

fn read_method(mut section: Section, columns: &Columns, problems: &mut Problems) -> Method {
    if let Some(item) = section.item("name") {
        item.word("method", &[("refine", ())], &LATER_METHODS, problems);
    }
    let (objective, rivals) = read_objective(section.item("objective"), columns, problems);
    let weigh = section.item("weigh");
    let weigh = weigh.and_then(|item| item.word("`weigh` value", &WEIGHED, &[], problems));
    let share = section.item("rows_suppressed_at_most");
    let share = share.and_then(|item| {
        let fits = |share| (0.0..1.0).contains(&share);
        item.number("a share: at least 0 and below 1", fits, problems)
    });
    let seed = section.item("seed").and_then(|item| item.whole(0, problems));
    let steps = section.item("steps").and_then(|item| item.whole(0, problems));
    section.finish(&[], problems);
    Method {
        objective,
        rivals,
        weigh: weigh.unwrap_or_default(),
        rows_suppressed_at_most: share.unwrap_or(0.0),
        seed: seed.unwrap_or(1),
        steps: steps.map(|steps| usize::try_from(steps).unwrap_or(usize::MAX)),
    }
}

const WEIGHED: [(&str, Weigh); 2] = [("all", Weigh::All), ("records", Weigh::Records)];

/// The objective and its rivals; if none is named, the one that uses what the policy has.
fn read_objective(item: Option<Item>, columns: &Columns, problems: &mut Problems) -> (Objective, &'static [Objective]) {
    let (word, first, rivals) = CLASSIFICATION;
    let known: Vec<(&str, (Objective, &[Objective]))> = OBJECTIVES
        .iter()
        .map(|&(word, objective)| (word, (objective, &[][..])))
        .chain([(word, (first, rivals))])
        .collect();
    let chosen = item
        .as_ref()
        .and_then(|item| item.word("objective", &known, &[], problems));
    let needs_class = matches!(chosen, Some((Objective::InformationGain | Objective::GainOnly, _)));
    if let (Some(item), true) = (item, needs_class && columns.surely_without_class()) {
        let message = "this objective needs a class column";
        let help = "give one column the role class, or choose distortion, discernibility or certainty".to_owned();
        problems.at(item.span(), message, Some(help));
    }
    chosen.unwrap_or(match columns.class() {
        Some(_) => (Objective::InformationGain, &[]),
        None => (Objective::Certainty, &[]),
    })
}

fn read_release(mut section: Section, folder: &Path, problems: &mut Problems) -> Release {
    let path = section.item("folder").and_then(|item| item.path(folder, problems));
    let format = section.item("format");
    let format = format.and_then(|item| item.word("format", &FORMATS, &[], problems));
    let order = section.item("order");
    let order = order.and_then(|item| item.word("order", &ORDERS, &[], problems));
    section.finish(&[], problems);
    Release {
        folder: path.map_or_else(|| folder.join("out"), Spanned::into_inner),
        format: format.unwrap_or(ReleaseFormat::Csv),
        order: order.unwrap_or(RowOrder::Sorted),
    }
}

const FORMATS: [(&str, ReleaseFormat); 2] = [("csv", ReleaseFormat::Csv), ("parquet", ReleaseFormat::Parquet)];

const ORDERS: [(&str, RowOrder); 2] = [("sorted", RowOrder::Sorted), ("input", RowOrder::Input)];
