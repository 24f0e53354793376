//! The [`Policy`], over one table or several.

use std::path::Path;

use crate::column::{ColumnPolicy, Role};
use crate::data::{Data, Place, RowsAt};
use crate::demands::{Asked, SecretPolicy};
use crate::earlier::{EarlierPolicy, Inconsistent};
use crate::listed::ListedColumns;
use crate::method::Method;
use crate::persons::{LookupPolicy, Persons, TablePolicy};
use crate::problems::Problems;
use crate::release::{Release, Unlisted};
use crate::require::{About, AboutValues, Kind, Require};
use crate::spanned::Spanned;
use crate::text::PolicyText;

/// What the owner of the data asks for.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Where the data is and how to read it.
    pub data: Data,
    /// The columns in the order of the policy, which decides between refinements of equal score. Of several tables, each
    /// has its own.
    pub columns: ListedColumns,
    /// What must hold; each section at the place of its kind (`anonymity`).
    pub require: Vec<Spanned<Require>>,
    /// How to search.
    pub method: Method,
    /// What to write.
    pub release: Release,
    /// The releases that are out already; a ledger may add to them before the policy is bound to its data.
    pub earlier: Vec<EarlierPolicy>,
    /// What nobody can be in two releases.
    pub inconsistent: Vec<Inconsistent>,
    /// What only several tables have, if there are several.
    pub persons: Option<Persons>,
    pub(crate) text: PolicyText,
}

impl Policy {
    /// The policy as it was written; for a quick one, the file that says the same.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// The policy as it was written, without what is between `:` and `@` of the address of a database.
    pub fn text_without_password(&self) -> String {
        let text = self.text();
        let Place::Postgres(url) = &self.data.at else {
            return text.to_owned();
        };
        let (before, at) = text.split_at(url.span().start);
        let (address, after) = at.split_at(url.span().len());
        let hidden = address.rsplit_once('@').and_then(|(user, host)| {
            let start = user.find("://")? + 3;
            let (scheme, user) = user.split_at(start);
            let (user, _) = user.split_once(':')?;
            Some(format!("{scheme}{user}:…@{host}"))
        });
        format!("{before}{}{after}", hidden.as_deref().unwrap_or(address))
    }

    /// The tables about persons, that of persons first; none of a policy over one table.
    pub fn tables(&self) -> &[TablePolicy] {
        self.persons.as_ref().map_or(&[], |persons| &persons.tables)
    }

    /// The tables that rows of several tables refer to.
    pub fn lookups(&self) -> &[LookupPolicy] {
        self.persons.as_ref().map_or(&[], |persons| &persons.lookups)
    }

    /// That it is over one table.
    ///
    /// # Errors
    /// That it is over several.
    pub fn is_over_one(&self) -> Result<(), Problems> {
        let mut problems = Problems::new(&self.text);
        if let Some(persons) = self.tables().first() {
            let help = "publish, audit, attack and evaluate take such a policy".to_owned();
            let message = "this policy is about several tables, and one is asked for";
            problems.at(persons.name.span(), message, Some(help));
        }
        problems.none_or(())
    }

    /// That it is over several tables.
    ///
    /// # Errors
    /// That it is over one.
    pub fn is_over_several(&self) -> Result<(), Problems> {
        let mut problems = Problems::new(&self.text);
        if self.persons.is_none() {
            let help = "name them in [person] and [[tables]]".to_owned();
            problems.overall("this policy is about one table, and several are asked for", Some(help));
        }
        problems.none_or(())
    }

    /// How many persons have to look the same; 1 if nothing says it.
    pub fn persons_alike(&self) -> u64 {
        self.asked_of_persons().and_then(|asked| asked.k).unwrap_or(1)
    }

    /// What must not be inferred of persons.
    pub fn secrets_of_persons(&self) -> Vec<SecretPolicy> {
        self.asked_of_persons().map_or_else(Vec::new, |asked| asked.secrets)
    }

    fn asked_of_persons(&self) -> Option<Asked<'_>> {
        let persons = self.persons.as_ref()?;
        Some(Asked::of(&self.require, persons))
    }

    /// Moves the data: one table to another file, several tables to another folder or database of the same kind.
    pub fn move_data_to(&mut self, to: &Path) {
        let Some(persons) = &mut self.persons else {
            self.data.moved_to(to);
            return;
        };
        match &mut self.data.at {
            Place::Sqlite(file) => *file.get_mut() = to.to_owned(),
            Place::Postgres(url) => *url.get_mut() = to.to_string_lossy().into_owned(),
            Place::File(folder) | Place::Folder(folder) => *folder.get_mut() = to.to_owned(),
        }
        let of_tables = persons.tables.iter_mut().map(|table| &mut table.from);
        for from in of_tables.chain(persons.lookups.iter_mut().map(|lookup| &mut lookup.from)) {
            match from {
                RowsAt::File(file) | RowsAt::Named(file) => {
                    let moved = to.join(file.get_ref().file_name().unwrap_or_default());
                    *file.get_mut() = moved;
                }
                RowsAt::Database(_) => {}
            }
        }
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> Option<&ColumnPolicy> {
        self.columns.find(name)
    }

    /// Whether a column of the data is published; one that is not listed, only if the policy says so of all of them.
    pub fn publishes(&self, name: &str) -> bool {
        match self.column(name) {
            Some(column) => column.role != Role::Identifier,
            None => self.release.unlisted == Unlisted::Publish,
        }
    }

    /// The same policy, as it reads a file that may hold more than it publishes: nothing there is passed over.
    pub fn with_all_columns(&self) -> Policy {
        let mut policy = self.clone();
        policy.release.unlisted = Unlisted::Publish;
        policy
    }

    /// The same policy, after further releases.
    pub fn after(&self, earlier: &[EarlierPolicy]) -> Policy {
        let mut policy = self.clone();
        policy.earlier.extend_from_slice(earlier);
        policy
    }

    /// Its text, so that a problem can point at a line.
    pub fn source(&self) -> &PolicyText {
        &self.text
    }

    /// Whether a template counts the different values of a column.
    pub fn is_counted(&self, name: &str) -> bool {
        let mut counted = self.kinds().flat_map(Kind::counted);
        counted.any(|column| column.get_ref() == name)
    }

    /// Whether a column holds the nodes that people guard.
    pub fn is_guarding(&self, name: &str) -> bool {
        self.kinds().any(|kind| kind.guarding() == Some(name))
    }

    fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.require.iter().map(|require| &require.get_ref().kind)
    }

    /// All secrets that are listed one by one, with their columns.
    pub fn listed(&self) -> impl Iterator<Item = (&str, &Spanned<String>)> + Clone {
        let abouts = self.require.iter().flat_map(|require| require.get_ref().kind.secrets());
        abouts.flat_map(|About { column, values }| {
            let listed = match values {
                AboutValues::Every => &[][..],
                AboutValues::Listed(listed) => listed,
            };
            listed.iter().map(move |(value, _)| (column.get_ref().as_str(), value))
        })
    }
}
