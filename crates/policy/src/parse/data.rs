//! Reading the `[data]` section.

use std::path::Path;

use crate::data::{Data, DatabaseRows, Missing, Place};
use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::spanned::Spanned;

/// The `[data]` section of one table: a file, or a table or query of a database. A file that a table or query is asked of
/// is a SQLite database.
pub fn read_data(mut section: Section, folder: &Path, problems: &mut Problems) -> Data {
    let file = section.item("file").map(|item| item.path(folder, problems));
    let url = section.item("url").map(|item| read_url(&item, problems));
    let asks = section.has("table") || section.has("query");
    let rows = read_database_rows(&mut section, problems);
    if file.is_some() && url.is_some() {
        let help = "keep one of `file` and `url` (PostgreSQL)".to_owned();
        section.report("[data] names more than one place", Some(help), problems);
    } else if file.is_none() && url.is_none() {
        let help = "add `file = \"data.csv\"`".to_owned();
        section.report("[data] names no file", Some(help), problems);
    } else if url.is_some() && !asks {
        let help = "add `table = \"people\"` or `query = \"select …\"`".to_owned();
        section.report("[data] does not say which rows of the database", Some(help), problems);
    }
    let at = match (file.flatten(), url.flatten()) {
        (_, Some(url)) => Place::Postgres(url),
        (Some(file), None) if asks => Place::Sqlite(file),
        (Some(file), None) => Place::File(file),
        // What is wrong with it was told.
        (None, None) => Place::File(Spanned::default()),
    };
    if at.is_database() {
        for key in ["names", "separator", "comment", "sheet"] {
            let message = format!("`{key}` is for files, and the rows are in a database");
            section.refuse(key, &message, "take it out", problems);
        }
    }
    Data {
        rows,
        ..read_cells(at, section, problems)
    }
}

/// The `[data]` section of several tables.
pub fn read_data_of_tables(mut section: Section, folder: &Path, problems: &mut Problems) -> Data {
    let at = read_place(&mut section, folder, problems);
    let missing = section.has("missing").then(|| section.span());
    let data = read_cells(at, section, problems);
    if let Some(span) = missing.filter(|_| data.missing == Missing::Drop) {
        let help =
            "take out `missing = \"drop\"`: a row that is dropped would leave the rows below it behind".to_owned();
        problems.at(span, "rows of several tables cannot be dropped one by one", Some(help));
    }
    data
}

/// Where several tables are.
fn read_place(section: &mut Section, folder: &Path, problems: &mut Problems) -> Place {
    let inside = section.item("folder").and_then(|item| item.path(folder, problems));
    let file = section.item("file").and_then(|item| item.path(folder, problems));
    let url = section.item("url").and_then(|item| read_url(&item, problems));
    let given = [inside.is_some(), file.is_some(), url.is_some()];
    if given.into_iter().filter(|&given| given).count() > 1 {
        let help = "keep one of `folder`, `file` (SQLite) and `url` (PostgreSQL)".to_owned();
        section.report("[data] names more than one place", Some(help), problems);
    }
    match (url, file) {
        (Some(url), _) => Place::Postgres(url),
        (None, Some(file)) => Place::Sqlite(file),
        (None, None) => Place::Folder(inside.unwrap_or_else(|| folder.into())),
    }
}

/// The address of a database.
fn read_url(item: &Item, problems: &mut Problems) -> Option<Spanned<String>> {
    let url = item.text(problems)?;
    let known = ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| url.get_ref().starts_with(scheme));
    if !known {
        let help = "write it as \"postgres://user@host/name\"".to_owned();
        problems.at(url.span(), "`url` is not that of a PostgreSQL database", Some(help));
    }
    Some(url)
}

/// `table` or `query`.
pub fn read_database_rows(section: &mut Section, problems: &mut Problems) -> Option<DatabaseRows> {
    let table = section.item("table").and_then(|item| item.text(problems));
    let query = section.item("query").and_then(|item| item.text(problems));
    match (table, query) {
        (Some(_), Some(query)) => {
            let help = "keep one of them".to_owned();
            problems.at(query.span(), "a section has both `table` and `query`", Some(help));
            None
        }
        (Some(table), None) => Some(DatabaseRows::Table(table)),
        (None, query) => query.map(DatabaseRows::Query),
    }
}

/// The `[data]` section but for its place.
pub fn read_cells(at: Place, mut section: Section, problems: &mut Problems) -> Data {
    let missing = section.item("missing");
    let missing = missing.and_then(|item| item.word("`missing` value", &Missing::WORDS, &[], problems));
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
    section.finish(&[], problems);
    let plain = |texts: Vec<Spanned<String>>| texts.into_iter().map(Spanned::into_inner).collect();
    let usual = Data::at(at);
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
