//! A [`Group`] is a cluster that is still being searched for: persons, what they have in common, and what they lose.
//!
//! | members | in common | lost, of 5 and 4 cells |
//! |---|---|---|
//! | S1 | all 5 of its cells | 0 |
//! | S1, S2 | 4 cells, one of which loses 3/7 | 2 · 3/7 + 1 |
//!
//! The tree of a group has no rows: they are found once, at the end.
//!
//! Invariant: the tree of a group follows from who is in it. Members are merged one after the other, those with the
//! fewest cells first: what they lack is removed anyway, and the larger trees that follow can choose what to keep.

use crate::Database;
use crate::clusters::Cluster;
use crate::pairing::{Kinds, Pairing, Ruler};
use crate::secrets::Bounds;
use crate::tree::Tree;

/// Persons by their trees.
pub(crate) struct Persons<'p, 't> {
    pub(crate) database: &'p Database<'t>,
    pub(crate) ruler: Ruler,
    pub(crate) trees: &'p [Tree],
    pub(crate) kinds: &'p Kinds,
}

/// Some persons.
pub(crate) struct Group {
    /// In the order in which they are merged.
    pub(crate) members: Vec<u32>,
    pub(crate) part: Part,
}

/// What some persons have in common.
pub(crate) struct Part {
    /// `None` for one person, whose tree is at hand.
    tree: Option<Tree>,
    pub(crate) persons: usize,
    /// One of them.
    first: u32,
    /// What they lose, of all their cells.
    pub(crate) lost: i64,
    /// What they lose of it by cells that the tree has not.
    removed: i64,
}

impl Persons<'_, '_> {
    /// The quasi cells of a person.
    pub(crate) fn cells(&self, person: u32) -> u64 {
        self.trees[person as usize].size()
    }

    /// One person.
    pub(crate) fn alone(&self, person: u32) -> Part {
        Part {
            tree: None,
            persons: 1,
            first: person,
            lost: 0,
            removed: 0,
        }
    }

    /// These persons as a group.
    pub(crate) fn gather(&self, members: &[u32]) -> Group {
        let mut members = members.to_vec();
        members.sort_unstable_by_key(|&person| (self.cells(person), person));
        let (first, others) = members.split_first().expect("a group has somebody");
        let part = others.iter().fold(self.alone(*first), |part, &person| {
            self.unite(&part, &self.alone(person))
        });
        Group { members, part }
    }

    /// What two parts lose together.
    pub(crate) fn lost(&self, first: &Part, second: &Part) -> i64 {
        first.removed + second.removed + self.pairing(first, second).lost()
    }

    /// What two parts have in common.
    pub(crate) fn unite(&self, first: &Part, second: &Part) -> Part {
        let pairing = self.pairing(first, second);
        let (lost, tree) = (pairing.lost(), pairing.tree(false));
        let persons = first.persons + second.persons;
        let cells = |part: &Part| self.tree(part).size() * part.persons as u64;
        let gone = cells(first) + cells(second) - tree.size() * persons as u64;
        let removed = first.removed + second.removed;
        Part {
            tree: Some(tree),
            persons,
            first: first.first,
            lost: lost + removed,
            removed: removed + self.ruler.removed(gone),
        }
    }

    /// The group as a cluster, with rows.
    pub(crate) fn cluster(&self, group: &Group) -> Cluster {
        let (first, others) = group.members.split_first().expect("a group has somebody");
        let mut tree = Tree::of(self.database, *first);
        for (place, &person) in others.iter().enumerate() {
            let pairing = Pairing {
                database: self.database,
                ruler: self.ruler,
                first: (&tree, place + 1),
                second: (&self.trees[person as usize], 1),
                known: None,
            };
            tree = pairing.tree(true);
        }
        Cluster::new(tree)
    }

    /// Whether these persons would keep all bounds as a cluster.
    pub(crate) fn hold_in(&self, bounds: Option<&Bounds>, members: &[u32]) -> bool {
        bounds.is_none_or(|bounds| bounds.hold_in(&self.cluster(&self.gather(members))))
    }

    fn pairing<'m>(&'m self, first: &'m Part, second: &'m Part) -> Pairing<'m, 'm> {
        Pairing {
            database: self.database,
            ruler: self.ruler,
            first: (self.tree(first), first.persons),
            second: (self.tree(second), second.persons),
            known: (first.persons + second.persons == 2).then_some((self.kinds, [first.first, second.first])),
        }
    }

    fn tree<'m>(&'m self, part: &'m Part) -> &'m Tree {
        part.tree.as_ref().unwrap_or(&self.trees[part.first as usize])
    }
}
