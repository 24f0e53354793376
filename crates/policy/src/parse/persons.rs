//! From the sections of a policy over several tables to a checked [`Policy`], or to all that is wrong with it.

use std::path::Path;

use super::columns::Columns;
use super::data::read_data_of_tables;
use super::method::read_method_for_persons;
use super::release::read_release;
use super::require::read_all;
use super::tables::{check_keys, read_tables};
use crate::column::{ColumnPolicy, Role};
use crate::demands;
use crate::listed::ListedColumns;
use crate::persons::Persons;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::require::Require;
use crate::section::{Item, Section};
use crate::spanned::Spanned;
use crate::text::PolicyText;
use crate::words::quoted;

/// A policy over several tables.
pub(super) fn read(mut policy: Section, text: &PolicyText, folder: &Path, problems: &mut Problems) -> Policy {
    let data = read_data_of_tables(policy.table("data", problems), folder, problems);
    let mut persons = read_tables(&mut policy, &data.at, folder, problems);
    let section = policy.needed_table("columns", problems);
    let columns = Columns::read_of_tables(section, names(&persons), folder, problems);
    let require = read_require(policy.item("require"), &columns, &persons, folder, problems);
    let method = read_method_for_persons(policy.table("method", problems), problems);
    let release = read_release(policy.table("release", problems), folder, problems);
    for (key, why) in NOT_FOR_SEVERAL {
        policy.refuse(key, why, "take it out", problems);
    }
    policy.finish(&[], problems);
    share_out(columns.into_list(), &mut persons, problems);
    check_keys(&persons.tables, problems);
    Policy {
        data,
        columns: ListedColumns::default(),
        require,
        method,
        release,
        earlier: Vec::new(),
        inconsistent: Vec::new(),
        persons: Some(persons),
        text: text.clone(),
    }
}

/// The names of all tables, that of persons first.
fn names(persons: &Persons) -> Vec<String> {
    let tables = persons.tables.iter().map(|table| &table.name);
    let lookups = persons.lookups.iter().map(|lookup| &lookup.name);
    tables.chain(lookups).map(|name| name.get_ref().clone()).collect()
}

/// What must hold of persons.
fn read_require(
    item: Option<Item>,
    columns: &Columns,
    persons: &Persons,
    folder: &Path,
    problems: &mut Problems,
) -> Vec<Spanned<Require>> {
    let given = item.is_some();
    let mut sections = read_all(item, columns, folder, problems);
    let all = columns.names(&[Role::Quasi]).count();
    for section in &mut sections {
        let place = section.span();
        let Require { of, kind } = section.get_mut();
        if of.columns.len() < all || of.any.is_some() {
            let message = "over several tables, persons are compared as a whole: in every quasi column of every table";
            problems.at(place, message, Some("take out `of`".to_owned()));
        }
        let secrets = kind.secrets_mut().iter_mut();
        secrets.for_each(|about| about.unite(columns.alike(about.column.get_ref())));
        // Whichever way a column of persons is called, it is the same one.
        for column in kind.about_mut() {
            if let Some(whole) = columns.whole_name(column) {
                *column = whole.to_owned();
            }
        }
    }
    let asked = demands::Asked::of(&sections, persons);
    for refusal in asked.refusals {
        problems.at(refusal.place, refusal.why, Some(refusal.help.to_owned()));
    }
    if given && asked.k.is_none() && !sections.is_empty() {
        let help = "add [[require]] with `anonymity = k`".to_owned();
        problems.overall("nothing says how many persons must look the same", Some(help));
    }
    sections
}

/// Gives every column to its table.
fn share_out(columns: ListedColumns, persons: &mut Persons, problems: &mut Problems) {
    for column in &columns {
        // A column is called by its table and its own name, as `read_of_tables` has it.
        let Some((table, name)) = column.name.get_ref().split_once('.') else {
            continue;
        };
        let column = ColumnPolicy {
            name: Spanned::new(column.name.span(), name.to_owned()),
            ..column.clone()
        };
        if let Some(table) = persons.tables.iter_mut().find(|known| known.name.get_ref() == table) {
            table.columns.push(column);
            continue;
        }
        report_lookup(table, &column, problems);
        let lookup = persons.lookups.iter_mut().find(|known| known.name.get_ref() == table);
        lookup
            .into_iter()
            .for_each(|lookup| lookup.columns.push(column.name.clone()));
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
