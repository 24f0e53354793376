//! From a policy and what is known of its tables before their rows are read to a [`TablesPlan`], or to all that does not fit.

use std::ops::Range;
use std::sync::Arc;

use scumble_grouping::Form;
use scumble_policy::{
    ColumnPolicy, LookupPolicy, Policy, Problems, Role, SecretDemand, Spanned, TablePolicy, Taxonomies, Unlisted,
    quoted,
};
use scumble_table::{ColumnId, Domain, Forms, Reading, SharedForms, TableSchema, Written};

use super::plan::{PlannedLookup, PlannedTable, TablesPlan};
use crate::check::check_header;
use crate::columns::{PlannedColumn, PlannedColumns, Values};

/// What is known of a table before its rows are read.
#[derive(Clone, Debug)]
pub struct TableHead {
    /// The names of its columns.
    pub header: Vec<String>,
    /// What the database says of it, if it is in one.
    pub schema: Option<TableSchema>,
}

/// Binds a policy over several tables to what is known of each, and of each look-up, in the order of the policy.
///
/// # Errors
/// Everything that does not fit, at once.
///
/// # Panics
/// If the taxonomies are not those of this policy.
pub fn bind_tables(
    policy: &Policy,
    tables: &[TableHead],
    lookups: &[TableHead],
    taxonomies: &Taxonomies,
) -> Result<TablesPlan, Problems> {
    policy.is_over_several()?;
    let known = policy.tables().iter().zip(tables);
    let known: Vec<Known> = known.map(|(policy, head)| Known { policy, head }).collect();
    let lookups: Vec<(&LookupPolicy, &TableHead)> = policy.lookups().iter().zip(lookups).collect();
    let mut problems = Problems::new(policy.source());
    let binder = Binder {
        tables: &known,
        lookups: &lookups,
        taxonomies,
        unlisted: policy.release.unlisted,
    };
    let plan = TablesPlan {
        tables: (0..known.len())
            .map(|place| binder.table(place, &mut problems))
            .collect(),
        lookups: lookups
            .iter()
            .map(|(lookup, head)| binder.lookup(lookup, head, &mut problems))
            .collect(),
    };
    binder.check_parents_have_keys(&plan, &mut problems);
    check_secret_labels(policy, taxonomies, &mut problems);
    problems.none_or(plan)
}

/// A table as the policy and the database have it.
struct Known<'p> {
    policy: &'p TablePolicy,
    head: &'p TableHead,
}

/// A foreign key of the database that leads to a table of the policy.
struct Told {
    parent: usize,
    columns: Vec<String>,
    /// Whether it holds the key by which rows of the parent are known here.
    is_key: bool,
}

/// Names of columns, and where the policy says them; the table itself where the database tells.
type Named = Vec<(String, Range<usize>)>;

impl<'p> Known<'p> {
    fn key(&self) -> Named {
        let told = self.head.schema.iter().flat_map(|schema| &schema.key);
        self.written_or(&self.policy.key, told)
    }

    fn written_or<'n>(&self, written: &[Spanned<String>], told: impl Iterator<Item = &'n String>) -> Named {
        let place = self.policy.name.span();
        match written {
            [] => told.map(|name| (name.clone(), place.clone())).collect(),
            written => written
                .iter()
                .map(|name| (name.get_ref().clone(), name.span()))
                .collect(),
        }
    }

    fn is_identifier(&self, columns: &[String]) -> bool {
        let role = |name: &String| self.policy.column(name).map(|column| column.role);
        columns.iter().all(|name| role(name) == Some(Role::Identifier))
    }
}

/// Reports secrets that the taxonomy of their column lacks.
fn check_secret_labels(policy: &Policy, taxonomies: &Taxonomies, problems: &mut Problems) {
    for secret in policy.secrets_of_persons() {
        let SecretDemand::Confidence {
            values: Some(values), ..
        } = &secret.demand
        else {
            continue;
        };
        let column = policy.tables()[secret.table].column(secret.column.get_ref());
        let Some(taxonomy) = column.and_then(|column| taxonomies.of(column)) else {
            continue;
        };
        for value in values.iter().filter(|value| taxonomy.find(value.get_ref()).is_none()) {
            let message = format!(
                "the taxonomy of {} has no {}",
                quoted(secret.column.get_ref()),
                quoted(value.get_ref())
            );
            problems.at(value.span(), message, None);
        }
    }
}

struct Binder<'b> {
    tables: &'b [Known<'b>],
    lookups: &'b [(&'b LookupPolicy, &'b TableHead)],
    taxonomies: &'b Taxonomies,
    unlisted: Unlisted,
}

impl Binder<'_> {
    fn table(&self, place: usize, problems: &mut Problems) -> PlannedTable {
        let known = &self.tables[place];
        let (policy, header) = (known.policy, &known.head.header);
        let name = policy.name.get_ref();
        let key = known.key();
        let parent = self.parent(place, problems);
        let refers = self.refers(&policy.refers, known.head.schema.as_ref());
        let listed = policy.columns.iter();
        let listed = listed.map(|column| (column.name.get_ref().as_str(), column.name.span()));
        let of_keys = key.iter().chain(parent.iter().flat_map(|(_, columns)| columns));
        let of_keys = of_keys.map(|(name, span)| (name.as_str(), span.clone()));
        let referring = policy
            .refers
            .iter()
            .map(|(column, _)| (column.get_ref().as_str(), column.span()));
        let places = listed.chain(of_keys).chain(referring).collect();
        check_header(&format!("table {}", quoted(name)), places, header, true, problems);

        let is_key = |name: &String| {
            let foreign = parent.iter().flat_map(|(_, columns)| columns);
            key.iter().chain(foreign).any(|(key, _)| key == name)
        };
        // What the policy names by its reference, it lists; what the database alone tells of, it does not.
        let is_listed = |name: &String| {
            let mut referring = policy.refers.iter();
            policy.column(name).is_some() || is_key(name) || referring.any(|(column, _)| column.get_ref() == name)
        };
        let columns = PlannedColumns::of_header(header, |name| match self.leaves_out(is_listed(name)) {
            true => None,
            false => self.column(name, policy.column(name), is_key(name)),
        });
        for column in columns.iter().filter(|column| column.role == Role::Identifier) {
            report_key(policy, column, problems);
        }
        let ids = |named: &Named| named.iter().filter_map(|(name, _)| columns.find(name)).collect();
        PlannedTable {
            name: name.clone(),
            key: ids(&key),
            parent: parent.as_ref().map(|(parent, columns)| (*parent, ids(columns))),
            refers: refers
                .iter()
                .filter_map(|(column, lookup)| Some((columns.find(column)?, *lookup)))
                .collect(),
            forms: columns
                .iter()
                .map(|column| forms(column, policy.column(&column.name)))
                .collect(),
            columns,
            not_listed: header.iter().filter(|name| !is_listed(name)).cloned().collect(),
        }
    }

    /// Whether a column is left out, given whether it is listed.
    fn leaves_out(&self, is_listed: bool) -> bool {
        !is_listed && self.unlisted == Unlisted::LeaveOut
    }

    /// A column; `None` if it is not published.
    fn column(&self, name: &str, policy: Option<&ColumnPolicy>, is_key: bool) -> Option<PlannedColumn> {
        let taxonomy = policy.and_then(|column| self.taxonomies.shared(column)).map(Arc::clone);
        let role = match policy {
            _ if is_key => Role::Identifier,
            Some(policy) => policy.role,
            None => Role::Other,
        };
        (is_key || role != Role::Identifier).then(|| PlannedColumn {
            name: name.to_owned(),
            role,
            values: match is_key {
                true => Values::Text,
                false => Values::of(policy.map(|column| &column.kind), taxonomy.is_some()),
            },
            taxonomy,
            sensitive_ranges: None,
        })
    }

    /// What a table hangs off, and by which columns.
    fn parent(&self, place: usize, problems: &mut Problems) -> Option<(usize, Named)> {
        let known = &self.tables[place];
        let told = self.told_parents(place);
        let parent = self.parent_in_policy(known, place, &told).map(|parent| {
            let of_database = told.iter().find(|told| told.parent == parent && told.is_key);
            let of_database = of_database.iter().flat_map(|told| &told.columns);
            (parent, known.written_or(&known.policy.foreign_key, of_database))
        });
        let lacks_columns = parent.as_ref().is_none_or(|(_, columns)| columns.is_empty());
        if place > 0 && lacks_columns {
            report_no_foreign_key(known, problems);
        }
        self.report_second_parent(known, parent.as_ref(), &told, problems);
        parent
    }

    /// The parent that the policy names, the only one that the database tells, or the table of persons.
    fn parent_in_policy(&self, known: &Known, place: usize, told: &[Told]) -> Option<usize> {
        let named = known.policy.parent.as_ref();
        let find = |name: &Spanned<String>| {
            let mut tables = self.tables.iter();
            tables.position(|table| table.policy.name.get_ref() == name.get_ref())
        };
        let written = (!known.policy.foreign_key.is_empty()).then_some(0);
        named
            .and_then(find)
            .or(written)
            .or_else(|| told.iter().find(|told| told.is_key).map(|told| told.parent))
            .filter(|_| place > 0)
    }

    /// The tables of the policy that the foreign keys of the database lead to. Those of columns that are not published
    /// lead nowhere.
    fn told_parents(&self, place: usize) -> Vec<Told> {
        let known = &self.tables[place];
        let references = known.head.schema.iter().flat_map(|schema| &schema.references);
        let published = references.filter(|reference| !known.is_identifier(&reference.columns));
        let told = published.filter_map(|reference| {
            let parent = self.table_of(&reference.table)?;
            let key = self.tables[parent].key();
            Some(Told {
                parent,
                columns: reference.columns.clone(),
                is_key: key.iter().map(|(name, _)| name).eq(&reference.to),
            })
        });
        told.collect()
    }

    /// Reports a foreign key that leads to another person, or to another row of the same.
    fn report_second_parent(
        &self,
        known: &Known,
        parent: Option<&(usize, Named)>,
        told: &[Told],
        problems: &mut Problems,
    ) {
        let is_parent = |told: &&Told| {
            let same = |(parent, columns): &(usize, Named)| {
                *parent == told.parent && columns.iter().map(|(name, _)| name).eq(&told.columns)
            };
            parent.is_some_and(same)
        };
        let Some(second) = told.iter().find(|told| !is_parent(told)) else {
            return;
        };
        let name = |place: usize| quoted(self.tables[place].policy.name.get_ref());
        let (own, columns) = (quoted(known.policy.name.get_ref()), quoted(&second.columns.join(", ")));
        let second = second.parent;
        let message = match parent {
            Some((first, _)) if *first != second => {
                let (first, second) = (name(*first), name(second));
                format!("table {own} hangs off both {first} and {second}, by {columns}")
            }
            _ => format!(
                "table {own} refers to {} by {columns}, too, which leads to another person",
                name(second)
            ),
        };
        let help = "a row belongs to one person: make one of the columns an identifier, so that it is not published";
        problems.at(known.policy.name.span(), message, Some(help.to_owned()));
    }

    /// The columns that refer to look-ups, by their place.
    fn refers(
        &self,
        written: &[(Spanned<String>, Spanned<String>)],
        schema: Option<&TableSchema>,
    ) -> Vec<(String, usize)> {
        let find = |name: &str| {
            self.lookups
                .iter()
                .position(|(lookup, ..)| lookup.name.get_ref() == name)
        };
        let written = written.iter();
        let mut refers: Vec<(String, usize)> = written
            .filter_map(|(column, lookup)| Some((column.get_ref().clone(), find(lookup.get_ref())?)))
            .collect();
        for reference in schema.iter().flat_map(|schema| &schema.references) {
            let is_it = |(lookup, head): &(&LookupPolicy, &TableHead)| {
                let schema = head.schema.as_ref();
                let key = lookup_key(lookup, schema);
                let is_key = key.is_some_and(|(key, _)| reference.to == [key]);
                is_key && schema.is_some_and(|schema| schema.name == reference.table)
            };
            let lookup = self.lookups.iter().position(is_it);
            let ([column], Some(lookup)) = (&reference.columns[..], lookup) else {
                continue;
            };
            if !refers.iter().any(|(known, _)| known == column) {
                refers.push((column.clone(), lookup));
            }
        }
        refers
    }

    fn lookup(&self, policy: &LookupPolicy, head: &TableHead, problems: &mut Problems) -> PlannedLookup {
        let (header, schema) = (&head.header, head.schema.as_ref());
        let name = policy.name.get_ref();
        let key = lookup_key(policy, schema);
        if key.is_none() {
            let message = format!("look-up {} has no key of one column", quoted(name));
            let help = "add `key`, the column that rows refer to".to_owned();
            problems.at(policy.name.span(), message, Some(help));
        }
        let places = key.iter().map(|(key, span)| (key.as_str(), span.clone()));
        let referring = policy
            .refers
            .iter()
            .map(|(column, _)| (column.get_ref().as_str(), column.span()));
        let listed = policy
            .columns
            .iter()
            .chain(policy.refers.iter().map(|(column, _)| column));
        let listed: Vec<&str> = listed.map(|column| column.get_ref().as_str()).collect();
        let is_listed =
            |name: &String| listed.contains(&name.as_str()) || key.as_ref().is_some_and(|(key, _)| key == name);
        let columns = policy
            .columns
            .iter()
            .map(|column| (column.get_ref().as_str(), column.span()));
        let places = places.chain(referring).chain(columns).collect();
        check_header(&format!("look-up {}", quoted(name)), places, header, true, problems);
        self.report_lookup_of_persons(policy, schema, problems);
        let read = header.iter().filter(|name| !self.leaves_out(is_listed(name)));
        let read: Vec<String> = read.cloned().collect();
        let reading = header.iter().map(|name| {
            if self.leaves_out(is_listed(name)) {
                Reading::Skip
            } else {
                Reading::Text
            }
        });
        let id = |name: &str| read.iter().position(|column| column == name).map(ColumnId);
        let refers = self.refers(&policy.refers, schema);
        PlannedLookup {
            name: name.clone(),
            // What is not there was reported.
            key: key.as_ref().and_then(|(key, _)| id(key)).unwrap_or(ColumnId(0)),
            refers: refers
                .iter()
                .filter_map(|(column, lookup)| Some((id(column)?, *lookup)))
                .collect(),
            reading: reading.collect(),
            not_listed: header.iter().filter(|name| !is_listed(name)).cloned().collect(),
            header: read,
        }
    }

    /// Reports a look-up that leads to a person: its rows would be published with keys that are replaced elsewhere.
    fn report_lookup_of_persons(&self, policy: &LookupPolicy, schema: Option<&TableSchema>, problems: &mut Problems) {
        let references = schema.iter().flat_map(|schema| &schema.references);
        let of_persons = references.filter_map(|reference| Some((self.table_of(&reference.table)?, reference)));
        for (table, reference) in of_persons {
            let message = format!(
                "look-up {} refers to {} by {}, so its rows are about persons",
                quoted(policy.name.get_ref()),
                quoted(self.tables[table].policy.name.get_ref()),
                quoted(&reference.columns.join(", "))
            );
            let help = "name it in [[tables]], or take it out".to_owned();
            problems.at(policy.name.span(), message, Some(help));
        }
    }

    /// The table of the policy that a database calls so.
    fn table_of(&self, name: &str) -> Option<usize> {
        let is_it = |table: &Known| table.head.schema.as_ref().is_some_and(|schema| schema.name == name);
        self.tables.iter().position(is_it)
    }

    /// Reports tables that others hang off, and that have no key.
    fn check_parents_have_keys(&self, plan: &TablesPlan, problems: &mut Problems) {
        for (place, table) in plan.tables.iter().enumerate() {
            let is_child = |child: &&PlannedTable| child.parent.as_ref().is_some_and(|(parent, _)| *parent == place);
            let Some(child) = plan.tables.iter().find(is_child).filter(|_| table.key.is_empty()) else {
                continue;
            };
            let policy = self.tables[place].policy;
            if policy.key.is_empty() {
                let message = format!(
                    "table {} has no key, and {} hangs off it",
                    quoted(&table.name),
                    quoted(&child.name)
                );
                let help = "add `key`, the columns that tell its rows apart".to_owned();
                problems.at(policy.name.span(), message, Some(help));
            }
        }
    }
}

/// What the cells of a column can be, once it is released.
fn forms(column: &PlannedColumn, policy: Option<&ColumnPolicy>) -> SharedForms {
    let form = policy.and_then(|column| column.form.as_ref());
    let is_set = form.is_some_and(|form| *form.get_ref() == Form::Set);
    Forms {
        domain: match (column.values, &column.taxonomy) {
            (Values::Numbers { .. }, _) => Domain::Numbers,
            (Values::Leaves | Values::Text, Some(taxonomy)) => Domain::Nodes(Arc::clone(taxonomy)),
            (Values::Leaves | Values::Text, None) => Domain::Words,
        },
        written: match column.values {
            _ if column.role != Role::Quasi => Written::Exact,
            Values::Numbers { .. } | Values::Leaves if !is_set => Written::Generalized,
            Values::Numbers { .. } | Values::Leaves | Values::Text => Written::Sets,
        },
    }
}

/// The column by which rows of a look-up are known, and where the policy says so.
fn lookup_key(policy: &LookupPolicy, schema: Option<&TableSchema>) -> Option<(String, Range<usize>)> {
    let told = schema.and_then(|schema| match &schema.key[..] {
        [key] => Some((key.clone(), policy.name.span())),
        _ => None,
    });
    let written = policy.key.as_ref().map(|key| (key.get_ref().clone(), key.span()));
    written.or(told)
}

fn report_no_foreign_key(known: &Known, problems: &mut Problems) {
    let message = format!(
        "nothing says what table {} hangs off",
        quoted(known.policy.name.get_ref())
    );
    let help = "add `foreign_key`, the columns that hold the key of its `parent`".to_owned();
    problems.at(known.policy.name.span(), message, Some(help));
}

/// Reports a key of the database that the policy gives a role.
fn report_key(policy: &TablePolicy, column: &PlannedColumn, problems: &mut Problems) {
    let written = policy.key.iter().chain(&policy.foreign_key);
    let is_written = written.clone().any(|key| *key.get_ref() == column.name);
    // What is written was checked with the policy.
    if let Some(listed) = policy.column(&column.name).filter(|_| !is_written) {
        let name = quoted(&format!("{}.{}", policy.name.get_ref(), column.name));
        let message = format!("column {name} is a key of the database, and keys are replaced by numbers");
        let help = "take it out of [columns], or name another key".to_owned();
        problems.at(listed.name.span(), message, Some(help));
    }
}
