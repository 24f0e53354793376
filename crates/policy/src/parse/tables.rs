//! `[person]`, `[[tables]]` and `[[lookups]]`.

use std::path::Path;

use toml::de::DeValue;

use super::data::read_database_rows;
use crate::column::Role;
use crate::data::{DatabaseRows, Place, RowsAt};
use crate::earlier::is_release_name;
use crate::listed::ListedColumns;
use crate::persons::{LookupPolicy, Persons, TablePolicy};
use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::spanned::Spanned;
use crate::words::{quoted, suggestion};

/// What else there is to know where a table is read.
struct Around<'p> {
    /// What [data] says.
    at: &'p Place,
    /// What the files of tables are relative to.
    folder: &'p Path,
}

/// The tables and look-ups of a policy, without their columns; `folder` is that of the policy.
pub(super) fn read_tables(policy: &mut Section, at: &Place, folder: &Path, problems: &mut Problems) -> Persons {
    let around = Around {
        at,
        folder: match at {
            Place::Folder(inside) => inside.get_ref(),
            Place::File(_) | Place::Sqlite(_) | Place::Postgres(_) => folder,
        },
    };
    let person = policy.needed_table("person", problems);
    let tables = policy
        .item("tables")
        .and_then(|item| item.sections(problems))
        .unwrap_or_default();
    let lookups = policy
        .item("lookups")
        .and_then(|item| item.sections(problems))
        .unwrap_or_default();
    let persons = read_person(person, &around, problems);
    let tables = tables
        .into_iter()
        .filter_map(|section| read_table(section, &around, problems));
    let tables: Vec<TablePolicy> = persons.into_iter().chain(tables).collect();
    let lookups = lookups
        .into_iter()
        .filter_map(|section| read_lookup(section, &around, problems));
    let persons = Persons {
        lookups: lookups.collect(),
        tables,
    };
    check_names(&persons, problems);
    persons
}

fn read_person(mut section: Section, around: &Around, problems: &mut Problems) -> Option<TablePolicy> {
    let from = read_rows(&mut section, around, problems);
    let name = read_name(&mut section, problems).or_else(|| from.as_ref().and_then(usual_name));
    let key = read_columns(section.item("key"), problems);
    let refers = read_refers(&mut section, problems);
    for key in ["parent", "foreign_key"] {
        section.refuse(key, "the table of persons hangs off no table", "take it out", problems);
    }
    section.finish(&[], problems);
    let name = match name {
        Some(name) => name,
        None => {
            let help = "add `name = \"persons\"`: letters, digits, `_` and `-`".to_owned();
            section.report("[person] has no name", Some(help), problems);
            return None;
        }
    };
    Some(TablePolicy {
        from: rows_or_name(from, &name, around),
        name,
        key,
        parent: None,
        foreign_key: Vec::new(),
        refers,
        columns: ListedColumns::default(),
    })
}

fn read_table(mut section: Section, around: &Around, problems: &mut Problems) -> Option<TablePolicy> {
    let from = read_rows(&mut section, around, problems);
    let name = read_needed_name(&mut section, problems);
    let key = read_columns(section.item("key"), problems);
    let parent = section
        .item("parent")
        .and_then(|item| read_parent(&item, name.as_ref(), problems));
    let foreign_key = read_columns(section.item("foreign_key"), problems);
    let refers = read_refers(&mut section, problems);
    section.finish(&[], problems);
    let name = name?;
    let from = rows_or_name(from, &name, around);
    if foreign_key.is_empty() && !may_be_described(&from) {
        let message = format!("table {} has no `foreign_key`", quoted(name.get_ref()));
        let help = "name the column that holds the key of the table that it hangs off".to_owned();
        section.report(message, Some(help), problems);
    }
    Some(TablePolicy {
        from,
        name,
        key,
        parent,
        foreign_key,
        refers,
        columns: ListedColumns::default(),
    })
}

fn read_lookup(mut section: Section, around: &Around, problems: &mut Problems) -> Option<LookupPolicy> {
    let from = read_rows(&mut section, around, problems);
    let name = read_needed_name(&mut section, problems);
    let key = section.item("key").and_then(|item| item.text(problems));
    let refers = read_refers(&mut section, problems);
    section.finish(&[], problems);
    let name = name?;
    let from = rows_or_name(from, &name, around);
    if key.is_none() && !may_be_described(&from) {
        let message = format!("look-up {} has no `key`", quoted(name.get_ref()));
        section.report(message, Some("name the column that rows refer to".to_owned()), problems);
    }
    Some(LookupPolicy {
        from,
        name,
        key,
        refers,
        columns: Vec::new(),
    })
}

/// Where the rows are: what the section says, or else the table or file of this name.
fn rows_or_name(from: Option<RowsAt>, name: &Spanned<String>, around: &Around) -> RowsAt {
    from.unwrap_or_else(|| {
        if around.at.is_database() {
            RowsAt::Database(DatabaseRows::Table(name.clone()))
        } else {
            RowsAt::Named(Spanned::new(name.span(), around.folder.join(name.get_ref())))
        }
    })
}

/// `file`, or `table` or `query` if there is a database.
fn read_rows(section: &mut Section, around: &Around, problems: &mut Problems) -> Option<RowsAt> {
    let rows = if around.at.is_database() {
        read_database_rows(section, problems)
    } else {
        for key in ["table", "query"] {
            let help = "name the database in [data], or write `file`";
            section.refuse(key, "there is no database to ask", help, problems);
        }
        None
    };
    let file = section.item("file");
    let path = file.as_ref().and_then(|item| item.path(around.folder, problems));
    if let (Some(item), Some(_)) = (&file, &rows) {
        let message = "a table has both a `file` and rows of the database";
        problems.at(item.key_span(), message, Some("keep one of them".to_owned()));
    }
    rows.map(RowsAt::Database).or(path.map(RowsAt::File))
}

/// Whether a database can tell what is not said of a table.
fn may_be_described(from: &RowsAt) -> bool {
    match from {
        RowsAt::File(_) | RowsAt::Named(_) => false,
        RowsAt::Database(_) => true,
    }
}

/// A table of persons without a name is called as its file or table is.
fn usual_name(from: &RowsAt) -> Option<Spanned<String>> {
    let (name, span) = match from {
        RowsAt::File(file) => {
            let name = file.get_ref().file_name()?.to_string_lossy().into_owned();
            (name.split('.').next()?.to_owned(), file.span())
        }
        RowsAt::Database(DatabaseRows::Table(table)) => (table.get_ref().clone(), table.span()),
        // Nobody is called so before there is a name.
        RowsAt::Named(_) | RowsAt::Database(DatabaseRows::Query(_)) => return None,
    };
    is_release_name(&name).then(|| Spanned::new(span, name))
}

fn read_needed_name(section: &mut Section, problems: &mut Problems) -> Option<Spanned<String>> {
    if !section.has("name") {
        let help = "add `name = \"courses\"`: letters, digits, `_` and `-`".to_owned();
        section.report("a table has no name", Some(help), problems);
    }
    read_name(section, problems)
}

fn read_name(section: &mut Section, problems: &mut Problems) -> Option<Spanned<String>> {
    let item = section.item("name")?;
    let name = item.text(problems)?;
    if !is_release_name(name.get_ref()) {
        item.must_be(
            "letters, digits, `_` and `-`, because the released file is called so",
            problems,
        );
        return None;
    }
    Some(name)
}

/// One column, or a list of them.
fn read_columns(item: Option<Item>, problems: &mut Problems) -> Vec<Spanned<String>> {
    let Some(item) = item else {
        return Vec::new();
    };
    match item.value() {
        DeValue::Array(_) => item.names(problems).unwrap_or_default(),
        _ => item.text(problems).into_iter().collect(),
    }
}

/// One table. A list of several is a row that belongs to several persons.
fn read_parent(item: &Item, table: Option<&Spanned<String>>, problems: &mut Problems) -> Option<Spanned<String>> {
    let DeValue::Array(_) = item.value() else {
        return item.text(problems);
    };
    let parents = item.names(problems)?;
    if let ([first, second, ..], Some(table)) = (&parents[..], table) {
        let message = format!(
            "table {} hangs off both {} and {}",
            quoted(table.get_ref()),
            quoted(first.get_ref()),
            quoted(second.get_ref())
        );
        let help = "a row belongs to one person, so name one parent".to_owned();
        problems.at(second.span(), message, Some(help));
    }
    parents.into_iter().next()
}

/// `refers = { column = "look-up" }`.
fn read_refers(section: &mut Section, problems: &mut Problems) -> Vec<(Spanned<String>, Spanned<String>)> {
    let Some(refers) = section
        .item("refers")
        .and_then(|item| item.section("`refers`", problems))
    else {
        return Vec::new();
    };
    let pair = |item: &Item| {
        let column = Spanned::new(item.key_span(), item.key().to_owned());
        Some((column, item.text(problems)?))
    };
    refers.items().iter().filter_map(pair).collect()
}

/// Reports names that are given twice, and those of tables that are not there.
fn check_names(persons: &Persons, problems: &mut Problems) {
    let tables = persons.tables.iter().map(|table| &table.name);
    let lookups: Vec<&Spanned<String>> = persons.lookups.iter().map(|lookup| &lookup.name).collect();
    let tables: Vec<&Spanned<String>> = tables.collect();
    let all: Vec<&Spanned<String>> = tables.iter().chain(&lookups).copied().collect();
    for (place, name) in all.iter().enumerate() {
        // Files of one name would be one file where letters may be of either case.
        let same = |before: &&Spanned<String>| before.get_ref().eq_ignore_ascii_case(name.get_ref());
        if all[..place].iter().any(same) {
            let message = format!("two tables are called {}", quoted(name.get_ref()));
            problems.at(name.span(), message, Some("give each its own name".to_owned()));
        }
    }
    let known = |name: &Spanned<String>, among: &[&Spanned<String>], what: &str, problems: &mut Problems| {
        if !among.iter().any(|known| known.get_ref() == name.get_ref()) {
            let message = format!("unknown {what} {}", quoted(name.get_ref()));
            let help = suggestion(name.get_ref(), among.iter().map(|name| name.get_ref().as_str()));
            problems.at(name.span(), message, Some(help));
        }
    };
    for table in &persons.tables {
        table
            .parent
            .iter()
            .for_each(|parent| known(parent, &tables, "table", problems));
    }
    let refers = persons.tables.iter().flat_map(|table| &table.refers);
    for (_, lookup) in refers.chain(persons.lookups.iter().flat_map(|lookup| &lookup.refers)) {
        known(lookup, &lookups, "look-up", problems);
    }
}

/// Reports columns that are both a key and something else: keys are replaced, so nothing can be asked of them.
pub(super) fn check_keys(tables: &[TablePolicy], problems: &mut Problems) {
    for table in tables {
        for key in table.key.iter().chain(&table.foreign_key) {
            let Some(column) = table.column(key.get_ref()) else {
                continue;
            };
            let name = quoted(&format!("{}.{}", table.name.get_ref(), key.get_ref()));
            let (message, help) = match column.role {
                Role::Quasi => (
                    format!("column {name} is both a key and quasi"),
                    "use another key, or give it another role",
                ),
                _ => (
                    format!("column {name} is a key, which is replaced by a number that means nothing"),
                    "take it out of [columns]",
                ),
            };
            problems.at(column.name.span(), message, Some(help.to_owned()));
        }
    }
}
