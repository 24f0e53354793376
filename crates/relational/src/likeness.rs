//! A [`Likeness`] is what algorithm 2 knows of persons: how far apart they are, and what some have in common.
//!
//! | likeness | what persons have in common | method |
//! |---|---|---|
//! | [`Trees`] | a tree, nodes paired | MiRaCle, MiRaCleX |
//! | [`Bitmap`](crate::bitmap::Bitmap) | a row of a flat table | bitmap |
//!
//! Invariant: what two shapes lose is never less than the sketch of the one tells of the probe of the other. So whoever
//! is beyond the nearest by that bound is beyond it.

use crate::Database;
use crate::cost::Cost;
use crate::merge::{Merge, Pairing};
use crate::sketch::{Probe, Sketch};
use crate::tree::Tree;

/// How persons are compared and merged.
pub(crate) trait Likeness: Sync {
    /// What some persons have in common, at first one alone.
    type Shape: Send + Sync;
    /// What tells quickly how near a person may be to a cluster.
    type Sketch: Send + Sync;
    /// What a sketch is asked about a person.
    type Probe: Send + Sync;

    /// What a person has.
    fn shape(&self, person: u32) -> Self::Shape;
    /// The persons that have it in common.
    fn members<'s>(&self, shape: &'s Self::Shape) -> &'s [u32];
    /// How many quasi cells it has.
    fn size(&self, shape: &Self::Shape) -> u64;
    /// Of a cluster.
    fn sketch(&self, shape: &Self::Shape) -> Self::Sketch;
    /// Of a person.
    fn probe(&self, shape: &Self::Shape) -> Self::Probe;
    /// What both lose at least when they are merged.
    fn least(&self, sketch: &Self::Sketch, probe: &Self::Probe) -> u64;
    /// What both lose when they are merged; the first one leads.
    fn distance(&self, first: &Self::Shape, second: &Self::Shape) -> Cost;
    /// What both have in common.
    fn merge(&self, first: &Self::Shape, second: &Self::Shape) -> Self::Shape;
    /// The tree of a cluster.
    fn tree(&self, shape: Self::Shape) -> Tree;
}

/// Persons as trees, whose nodes are paired.
pub(crate) struct Trees<'d, 't> {
    pub(crate) database: &'d Database<'t>,
    pub(crate) pairing: Pairing,
}

impl Trees<'_, '_> {
    fn both<'m>(&'m self, first: &'m Tree, second: &'m Tree) -> Merge<'m, 'm> {
        Merge {
            database: self.database,
            pairing: self.pairing,
            first,
            second,
        }
    }
}

impl Likeness for Trees<'_, '_> {
    type Shape = Tree;
    type Sketch = Sketch;
    type Probe = Probe;

    fn shape(&self, person: u32) -> Tree {
        Tree::of(self.database, person)
    }

    fn members<'s>(&self, shape: &'s Tree) -> &'s [u32] {
        shape.persons()
    }

    fn size(&self, shape: &Tree) -> u64 {
        shape.size()
    }

    fn sketch(&self, shape: &Tree) -> Sketch {
        Sketch::of(self.database, shape)
    }

    fn probe(&self, shape: &Tree) -> Probe {
        Probe::of(self.database, shape)
    }

    fn least(&self, sketch: &Sketch, probe: &Probe) -> u64 {
        sketch.least(self.database.unit(), probe)
    }

    fn distance(&self, first: &Tree, second: &Tree) -> Cost {
        self.both(first, second).cost()
    }

    fn merge(&self, first: &Tree, second: &Tree) -> Tree {
        self.both(first, second).tree()
    }

    fn tree(&self, shape: Tree) -> Tree {
        shape
    }
}
