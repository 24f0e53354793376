//! An [`Agreement`] is what several parties, who hold different columns of the same people, agree on before they
//! publish one release together.
//!
//! Invariant: an `Agreement` is checked in itself. There are 2 to 8 parties, every column has its owner, and every
//! template can be counted by parties who see their own columns and what the release will show. It holds a [`Policy`]
//! for the joined table, which nobody has: what [`publish`](crate::publish) would make of that table is what the
//! parties make together.

mod canonical;
mod check;
mod counting;
mod deadline;
mod differences;
mod parse;
mod parties;
mod private;
mod questions;
mod taxonomies;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use deadline::Deadline;
pub use differences::differences;
pub use parties::Party;
pub use private::Private;

use crate::column::Role;
use crate::data::Data;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::text::PolicyText;
use crate::words::{quoted, suggestion};
use taxonomies::AgreedTaxonomy;

/// What several parties agree on.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The parties, 2 to 8, in the order that all keep.
    pub parties: Vec<Party>,
    /// The column by which records are matched. Every party's file has it, and it is never published.
    pub key: String,
    /// Whether all say that they have the same records. Then no hash of an id ever goes out.
    pub same_records: bool,
    /// What is asked of the joined table. Nobody reads its data file, and nobody writes to its folder.
    pub policy: Policy,
    /// Whether the release may pair values of different parties record by record.
    pub by_record: bool,
    /// Who has each column: parties by number, ascending.
    owners: BTreeMap<String, Vec<usize>>,
    /// What taxonomy files must hold.
    agreed_taxonomies: Vec<AgreedTaxonomy>,
    /// What paths are relative to.
    folder: PathBuf,
}

impl Agreement {
    /// Checks the text of an agreement, which messages call `name`; its paths are relative to `folder`.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Agreement, Problems> {
        parse::parse(&PolicyText::of_file(name, text), folder)
    }

    /// The number of the party with this name.
    pub fn party(&self, name: &str) -> Result<usize, Problems> {
        let names = self.parties.iter().map(|party| party.name.as_str());
        names.clone().position(|other| other == name).ok_or_else(|| {
            let mut problems = Problems::new(self.policy.source());
            let message = format!("there is no party {}", quoted(name));
            problems.overall(message, Some(suggestion(name, names)));
            problems
        })
    }

    /// Who has a column: parties by number, ascending. Only the class may have several owners; who does not have it,
    /// gets it from the first of them.
    pub fn owners(&self, column: &str) -> &[usize] {
        self.owners.get(column).map_or(&[], Vec::as_slice)
    }

    /// The header of the joined table: all columns in the order of the agreement. The key is none of them.
    pub fn header(&self) -> Vec<String> {
        let columns = self.policy.columns.iter();
        columns.map(|column| column.name.get_ref().clone()).collect()
    }

    /// How a party reads its own file: its form is the party's own affair, what its cells mean is agreed on.
    pub fn data(&self, own: &Data) -> Data {
        let agreed = &self.policy.data;
        Data {
            missing: agreed.missing,
            missing_marks: agreed.missing_marks.clone(),
            trim: agreed.trim,
            ..own.clone()
        }
    }

    fn is_class(&self, column: &str) -> bool {
        self.policy
            .column(column)
            .is_some_and(|column| column.role == Role::Class)
    }
}
