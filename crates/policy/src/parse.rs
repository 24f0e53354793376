//! From the text of a policy to a checked [`Policy`], or to all that is wrong with it.
//!
//! A part that is wrong is reported and read on with a stand-in, so one run finds every problem; the stand-ins never
//! leave this module, because a policy with a problem is not returned.

use std::path::Path;

use toml::Spanned;
use toml::de::DeTable;

use super::anatomy::check_alone;
use super::columns::Columns;
use super::database::DATABASE_SECTIONS;
use super::earlier::{read_earlier, read_inconsistent};
use super::method::{check_approach, read_method};
use super::require;
use super::section::{Item, Section};
use crate::data::{Data, Missing};
use crate::policy::Policy;
use crate::problems::Problems;
use crate::quick::Quick;
use crate::release::{Formulas, Release, Unlisted};
use crate::text::PolicyText;
use scumble_table::{ReleaseFormat, RowOrder};

impl Policy {
    /// Checks the text of a policy, which messages call `name`; its paths are relative to `folder`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Policy, Problems> {
        parse(&PolicyText::of_file(name, text), folder)
    }

    /// The policy that the flags of a command line ask for; its paths are relative to the current folder.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn quick(quick: &Quick) -> Result<Policy, Problems> {
        parse(&quick.text()?, Path::new(""))
    }
}

pub(super) fn parse(text: &PolicyText, folder: &Path) -> Result<Policy, Problems> {
    let mut problems = Problems::new(text);
    let Some(document) = read_document(text, &mut problems) else {
        return Err(problems);
    };
    let mut policy = Section::new("the policy", document.span(), document.get_ref());
    if let Some(key) = DATABASE_SECTIONS.into_iter().find(|key| policy.has(key)) {
        let help = "publish, audit and attack take such a policy";
        policy.refuse(
            key,
            "this policy is about several tables, and one is asked for",
            help,
            &mut problems,
        );
        return Err(problems);
    }
    let data = read_data(policy.needed_table("data", &mut problems), folder, &mut problems);
    let columns = Columns::read(policy.needed_table("columns", &mut problems), folder, &mut problems);
    let asked = Asked {
        require: policy.item("require"),
        method: policy.table("method", &mut problems),
        release: policy.table("release", &mut problems),
    };
    let asked = asked.read(data, columns, text, folder, &mut problems);
    let earlier = read_earlier(policy.item("earlier"), folder, &mut problems);
    check_alone(&asked.method, &earlier, &mut problems);
    let inconsistent = read_inconsistent(policy.item("inconsistent"), &mut problems);
    policy.finish(&[], &mut problems);
    let policy = Policy {
        earlier,
        inconsistent,
        ..asked
    };
    problems.none_or(policy)
}

/// The document that a text is; `None` if it is not TOML, which is then reported.
pub fn read_document<'t>(text: &'t PolicyText, problems: &mut Problems) -> Option<Spanned<DeTable<'t>>> {
    let (document, errors) = DeTable::parse_recoverable(text.as_str());
    report_syntax(text, &errors, problems);
    errors.is_empty().then_some(document)
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

/// The parts of a document that say what is asked of the data and its columns, not yet read.
pub struct Asked<'d> {
    pub require: Option<Item<'d>>,
    pub method: Section<'d>,
    pub release: Section<'d>,
}

impl Asked<'_> {
    /// The policy that asks this, after no earlier release.
    pub fn read(
        self,
        data: Data,
        columns: Columns,
        text: &PolicyText,
        folder: &Path,
        problems: &mut Problems,
    ) -> Policy {
        let mut require = require::read_all(self.require, &columns, folder, problems);
        for section in &mut require {
            let abouts = section.get_mut().kind.secrets_mut().iter_mut();
            abouts.for_each(|about| about.unite(columns.alike(about.column.get_ref())));
        }
        let method = read_method(self.method, &columns, problems);
        require::check_together(&require, &method, problems);
        let columns = columns.into_list();
        check_approach(method.approach, &require, &columns, problems);
        Policy {
            data,
            columns,
            require,
            method,
            release: read_release(self.release, folder, problems),
            earlier: Vec::new(),
            inconsistent: Vec::new(),
            text: text.clone(),
        }
    }
}

/// The `[data]` section, which names a file.
pub fn read_data(mut section: Section, folder: &Path, problems: &mut Problems) -> Data {
    let file = match section.item("file") {
        Some(item) => item.path(folder, problems),
        None if section.has("url") => None,
        None => {
            let help = "add `file = \"data.csv\"`".to_owned();
            section.report("[data] names no file", Some(help), problems);
            None
        }
    };
    let data = read_cells(section, problems);
    match file {
        Some(file) => Data { file, ..data },
        None => data,
    }
}

/// The `[data]` section but for its file, of which nothing is known.
pub fn read_cells(mut section: Section, problems: &mut Problems) -> Data {
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
    let usual = Data::of_file("");
    Data {
        missing: missing.unwrap_or(usual.missing),
        missing_marks: missing_marks.map_or(usual.missing_marks, plain),
        names: names.map(plain),
        separator,
        comment,
        trim: trim.unwrap_or(usual.trim),
        sheet: sheet.map(Spanned::into_inner),
        population: population.map(Spanned::into_inner),
        ..usual
    }
}

pub(super) const MISSING: [(&str, Missing); 2] = [("value", Missing::Value), ("drop", Missing::Drop)];

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

pub(super) fn read_release(mut section: Section, folder: &Path, problems: &mut Problems) -> Release {
    let path = section.item("folder").and_then(|item| item.path(folder, problems));
    let format = section.item("format");
    let format = format.and_then(|item| item.word("format", &FORMATS, &[], problems));
    let order = section.item("order");
    let order = order.and_then(|item| item.word("order", &ORDERS, &[], problems));
    let formulas = section.item("formulas");
    let formulas = formulas.and_then(|item| item.word("`formulas` value", &Formulas::WORDS, &[], problems));
    let unlisted = section.item("unlisted");
    let unlisted = unlisted.and_then(|item| item.word("`unlisted` value", &UNLISTED, &[], problems));
    section.finish(&[], problems);
    Release {
        folder: path.map_or_else(|| folder.join("out"), Spanned::into_inner),
        format: format.unwrap_or(ReleaseFormat::Csv),
        order: order.unwrap_or(RowOrder::Sorted),
        formulas: formulas.unwrap_or(Formulas::Report),
        unlisted: unlisted.unwrap_or(Unlisted::LeaveOut),
    }
}

pub(super) const UNLISTED: [(&str, Unlisted); 2] = [("leave-out", Unlisted::LeaveOut), ("publish", Unlisted::Publish)];

pub(super) const FORMATS: [(&str, ReleaseFormat); 2] =
    [("csv", ReleaseFormat::Csv), ("parquet", ReleaseFormat::Parquet)];

const ORDERS: [(&str, RowOrder); 2] = [("sorted", RowOrder::Sorted), ("input", RowOrder::Input)];
