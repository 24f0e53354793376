//! An [`Agreement`] is what several parties, who hold different columns of the same people, agree on before they
//! publish one release together.
//!
//! Invariant: an `Agreement` is checked in itself. There are 2 to 8 parties, every column has its owner, and every
//! template can be counted by parties who see their own columns and what the release will show. It holds a [`Policy`]
//! for the joined table, which nobody has: what `publish` would make of that table is what the
//! parties make together.

use std::collections::BTreeMap;
use std::path::PathBuf;

use blake3::Hash;

use super::parties::Party;
use crate::column::Role;
use crate::data::Data;
use crate::policy::Policy;
use crate::problems::Problems;
use crate::spanned::Spanned;
use crate::words::{quoted, suggestion};

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
    pub(super) owners: BTreeMap<String, Vec<usize>>,
    /// What taxonomy files must hold.
    pub(super) agreed_taxonomies: Vec<AgreedTaxonomy>,
    /// What paths are relative to.
    pub(super) folder: PathBuf,
}

impl Agreement {
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

    pub(super) fn is_class(&self, column: &str) -> bool {
        self.policy
            .column(column)
            .is_some_and(|column| column.role == Role::Class)
    }
}

/// What one file must hold.
#[derive(Clone, Debug)]
pub(super) struct AgreedTaxonomy {
    /// The file, relative to the agreement.
    pub file: Spanned<String>,
    /// The BLAKE3 hash of its bytes.
    pub hash: Spanned<Hash>,
}
