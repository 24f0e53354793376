//! From the text of a policy over several tables to a checked [`DatabasePolicy`], or to all that is wrong with it.

use std::path::Path;

use toml::Spanned;

use super::require::read_require;
use super::tables::{Named, check_keys, read_tables};
use super::{DatabasePolicy, EntityApproach, EntityMethod, SecretDemand, SecretPolicy, TablePolicy, TablesAt};
use crate::column::{ColumnPolicy, Role};
use crate::columns::Columns;
use crate::data::Missing;
use crate::parse::{read_cells, read_release};
use crate::problems::Problems;
use crate::section::Section;
use crate::text::PolicyText;
use crate::words::quoted;

pub(super) fn parse(mut policy: Section, text: &PolicyText, folder: &Path) -> Result<DatabasePolicy, Problems> {
    let mut problems = Problems::new(text);
    let mut data = policy.table("data", &mut problems);
    let (at, tables_folder) = read_place(&mut data, folder, &mut problems);
    let missing = data.has("missing").then(|| data.span());
    let cells = read_cells(data, &mut problems);
    if let Some(span) = missing.filter(|_| cells.missing == Missing::Drop) {
        let help =
            "take out `missing = \"drop\"`: a row that is dropped would leave the rows below it behind".to_owned();
        problems.at(span, "rows of several tables cannot be dropped one by one", Some(help));
    }
    let Named {
        mut tables,
        mut lookups,
    } = read_tables(&mut policy, &at, &tables_folder, &mut problems);

    let names = tables
        .iter()
        .map(|table| &table.name)
        .chain(lookups.iter().map(|lookup| &lookup.name));
    let names = names.map(|name| name.get_ref().clone()).collect();
    let section = policy.needed_table("columns", &mut problems);
    let columns = Columns::read_of_tables(section, names, folder, &mut problems);
    let (k, mut secrets) = read_require(policy.item("require"), &columns, &tables, folder, &mut problems);
    let method = read_method(policy.table("method", &mut problems), &mut problems);
    let release = read_release(policy.table("release", &mut problems), folder, &mut problems);
    for (key, why) in NOT_FOR_SEVERAL {
        policy.refuse(key, why, "take it out", &mut problems);
    }
    policy.finish(&[], &mut problems);

    for column in &columns.into_list() {
        // A column is called by its table and its own name, as `read_of_tables` has it.
        let Some((table, name)) = column.name.get_ref().split_once('.') else {
            continue;
        };
        let column = ColumnPolicy {
            name: Spanned::new(column.name.span(), name.to_owned()),
            ..column.clone()
        };
        if let Some(table) = tables.iter_mut().find(|known| known.name.get_ref() == table) {
            table.columns.push(column);
            continue;
        }
        report_lookup(table, &column, &mut problems);
        let lookup = lookups.iter_mut().find(|known| known.name.get_ref() == table);
        lookup
            .into_iter()
            .for_each(|lookup| lookup.columns.push(column.name.clone()));
    }
    check_keys(&tables, &mut problems);
    secrets.iter_mut().for_each(|secret| unite_words(secret, &tables));
    let policy = DatabasePolicy {
        at,
        cells,
        tables,
        lookups,
        k,
        secrets,
        method,
        release,
        text: text.clone(),
    };
    problems.none_or(policy)
}

/// Says the listed values of a secret as its column has them.
fn unite_words(secret: &mut SecretPolicy, tables: &[TablePolicy]) {
    let column = tables
        .get(secret.table)
        .and_then(|table| table.column(secret.column.get_ref()));
    let alike = column.and_then(|column| column.alike);
    if let (
        SecretDemand::Confidence {
            values: Some(values), ..
        },
        Some(alike),
    ) = (&mut secret.demand, alike)
    {
        for value in values {
            *value = Spanned::new(value.span(), alike.value(value.get_ref()));
        }
    }
}

/// Sections of a policy that say nothing about several tables.
const NOT_FOR_SEVERAL: [(&str, &str); 2] = [
    ("earlier", "several tables are not compared with earlier releases"),
    ("inconsistent", "several tables are not compared with earlier releases"),
];

/// Reports a column of a look-up that is not published as it is.
fn report_lookup(table: &str, column: &ColumnPolicy, problems: &mut Problems) {
    let name = column.name.get_ref();
    let message = match column.role {
        Role::Sensitive | Role::Class | Role::Other => return,
        Role::Quasi => format!(
            "column {} of the look-up {} is quasi, and look-ups are published as they are",
            quoted(name),
            quoted(table)
        ),
        Role::Identifier => format!(
            "column {} of the look-up {} is an identifier, and look-ups are published as they are",
            quoted(name),
            quoted(table)
        ),
    };
    let help = "join it to the table that refers to it, so that it is masked there, or take the look-up out".to_owned();
    problems.at(column.name.span(), message, Some(help));
}

/// Where the tables are, and the folder that their files are relative to.
fn read_place(data: &mut Section, folder: &Path, problems: &mut Problems) -> (TablesAt, std::path::PathBuf) {
    let inside = data.item("folder").and_then(|item| item.path(folder, problems));
    let file = data.item("file").and_then(|item| item.path(folder, problems));
    let url = data.item("url").and_then(|item| item.text(problems));
    let given = [inside.is_some(), file.is_some(), url.is_some()];
    if given.into_iter().filter(|&given| given).count() > 1 {
        let help = "keep one of `folder`, `file` (SQLite) and `url` (PostgreSQL)".to_owned();
        data.report("[data] names more than one place", Some(help), problems);
    }
    let tables_folder = inside.map_or_else(|| folder.to_owned(), Spanned::into_inner);
    if let Some(url) = url {
        let known = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| url.get_ref().starts_with(scheme));
        if !known {
            let help = "write it as \"postgres://user@host/name\"".to_owned();
            problems.at(url.span(), "`url` is not that of a PostgreSQL database", Some(help));
        }
        return (TablesAt::Postgres(url), tables_folder);
    }
    (file.map_or(TablesAt::Files, TablesAt::Sqlite), tables_folder)
}

/// It loses least by far, and takes seconds for thousands of persons.
const USUAL: EntityApproach = EntityApproach::Entities;

fn read_method(mut section: Section, problems: &mut Problems) -> EntityMethod {
    let name = section.item("name");
    let approach = name.and_then(|item| item.word("method for several tables", &EntityApproach::WORDS, &[], problems));
    let approach = approach.unwrap_or(USUAL);
    if approach == EntityApproach::Entities {
        for key in ["threshold", "climit"] {
            let help = "take it out, or choose miracle, miraclex or bitmap";
            section.refuse(key, "the method `entities` has no such setting", help, problems);
        }
    }
    let share = |share: f64| (0.0..=1.0).contains(&share);
    let threshold = section.item("threshold");
    let threshold = threshold.and_then(|item| item.number("a number from 0 to 1", share, problems));
    let climit = section.item("climit").and_then(|item| item.whole(1, problems));
    let seed = section.item("seed").and_then(|item| item.whole(0, problems));
    section.finish(&[], problems);
    EntityMethod {
        approach,
        threshold,
        climit: climit.map(|climit| usize::try_from(climit).unwrap_or(usize::MAX)),
        seed: seed.unwrap_or(1),
    }
}
