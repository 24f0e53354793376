//! A [`Relation`] is one table of a database: its key, what it hangs off, and what identifies people in it.
//!
//! | relation | key | hangs off | quasi |
//! |---|---|---|---|
//! | students | sid | | |
//! | courses | scid | students, by sid | course |
//! | books | | courses, by scid | book |
//!
//! Invariant of an order that [`parents_first`] gives: the table of persons comes first, every other table after the
//! one that it hangs off, so that all of them are about persons.

use hashbrown::{HashMap, HashSet};
use scumble_grouping::Scale;
use scumble_table::{ColumnId, Table};

use crate::DatabaseError;

/// One table of a database.
#[derive(Clone, Debug)]
pub struct Relation<'t> {
    /// Its name, its own among all.
    pub name: String,
    /// Its rows.
    pub table: &'t Table,
    /// The columns that together tell its rows apart; empty if no table hangs off it.
    pub key: Vec<ColumnId>,
    /// What it hangs off: nothing if it is the table of persons, else one table.
    pub foreign_keys: Vec<ForeignKey>,
    /// The columns by which a person could be recognised, and how their values are told apart.
    pub quasi: Vec<(ColumnId, Scale<'t>)>,
}

/// The columns of a table that hold the key of another, column by column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignKey {
    /// The name of the table whose key it is.
    pub parent: String,
    /// The columns, in the order of the key.
    pub columns: Vec<ColumnId>,
}

impl Relation<'_> {
    /// The name of a column.
    pub(crate) fn column_name(&self, column: ColumnId) -> &str {
        &self.table.column(column).name
    }

    /// The names of some columns.
    pub(crate) fn column_names(&self, columns: &[ColumnId]) -> Vec<String> {
        let names = columns.iter().map(|&column| self.column_name(column));
        names.map(str::to_owned).collect()
    }

    fn check_keys(&self) -> Result<(), DatabaseError> {
        let foreign = self.foreign_keys.iter().flat_map(|link| &link.columns);
        let is_quasi = |key: &ColumnId| self.quasi.iter().any(|(quasi, _)| quasi == key);
        match self.key.iter().chain(foreign).find(|&key| is_quasi(key)) {
            Some(&column) => Err(DatabaseError::KeyIsQuasi {
                table: self.name.clone(),
                column: self.column_name(column).to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// The one table that it hangs off.
    fn parent(&self) -> Result<Option<&str>, DatabaseError> {
        match &self.foreign_keys[..] {
            [] => Ok(None),
            [link] => Ok(Some(&link.parent)),
            [first, second, ..] => Err(DatabaseError::TwoParents {
                table: self.name.clone(),
                first: first.parent.clone(),
                second: second.parent.clone(),
            }),
        }
    }
}

/// The places of the relations with every parent before its children, each with the place of its parent in this order.
pub(crate) fn parents_first(relations: &[Relation]) -> Result<Vec<(usize, Option<usize>)>, DatabaseError> {
    let parents = parents(relations)?;
    let mut roots = (0..relations.len()).filter(|&place| parents[place].is_none());
    let Some(person) = roots.next() else {
        return Err(cycle(relations, &parents, 0));
    };
    if let Some(second) = roots.next() {
        return Err(DatabaseError::TwoPersonTables {
            first: relations[person].name.clone(),
            second: relations[second].name.clone(),
        });
    }
    let mut order = vec![(person, None)];
    let mut next = 0;
    while let Some(&(parent, _)) = order.get(next) {
        let children = (0..relations.len()).filter(|&place| parents[place] == Some(parent));
        order.extend(children.map(|child| (child, Some(next))));
        next += 1;
    }
    let reached: HashSet<usize> = order.iter().map(|&(place, _)| place).collect();
    match (0..relations.len()).find(|place| !reached.contains(place)) {
        Some(lost) => Err(cycle(relations, &parents, lost)),
        None => Ok(order),
    }
}

/// The place of the parent of each relation.
fn parents(relations: &[Relation]) -> Result<Vec<Option<usize>>, DatabaseError> {
    if relations.is_empty() {
        return Err(DatabaseError::NoTable);
    }
    let mut place_of: HashMap<&str, usize> = HashMap::new();
    for (place, relation) in relations.iter().enumerate() {
        if place_of.insert(&relation.name, place).is_some() {
            return Err(DatabaseError::SameName {
                table: relation.name.clone(),
            });
        }
        relation.check_keys()?;
    }
    let parent = |relation: &Relation| {
        let Some(parent) = relation.parent()? else {
            return Ok(None);
        };
        let place = place_of.get(parent).copied();
        place.map(Some).ok_or_else(|| DatabaseError::UnknownParent {
            table: relation.name.clone(),
            parent: parent.to_owned(),
            known: relations.iter().map(|relation| relation.name.clone()).collect(),
        })
    };
    relations.iter().map(parent).collect()
}

/// The cycle that a relation leads to, which does not lead to the table of persons.
fn cycle(relations: &[Relation], parents: &[Option<usize>], mut place: usize) -> DatabaseError {
    // After as many steps as there are tables the way is inside the cycle.
    for _ in relations {
        place = parents[place].unwrap_or(place);
    }
    DatabaseError::Cycle {
        table: relations[place].name.clone(),
    }
}
