//! A [`Bitmap`] is the database as one flat table: a row for each person, a column for each value that someone has.
//!
//! Students with courses and books, of which S1 has Physics twice:
//!
//! | | Math | Math/Discrete | Physics | Physics/Dyn | Physics (2) |
//! |---|---|---|---|---|---|
//! | S1 | 1 | 1 | 1 | * | 1 |
//! | S2 | 1 | * | 1 | 1 | * |
//! | both | 1 | * | 1 | * | * |
//!
//! A column is a path: the values of a row and of all rows that it hangs off, and of equal siblings the how-manieth it
//! is. What a person does not have is not told (`*`), as in a database that is not complete. The quasi columns of the
//! table of persons are as they are.
//!
//! Invariant: who has a path has the path above it, so what some persons have in common is a tree.
//!
//! # Source
//! Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008: section III-C, and section V, where it is what MiRaCle is
//! held against. It is clustered by the same algorithm 2, which on a single table is CDGH.
//!
//! Fixed by us: every column of the flat table counts alike, also one of a table without quasi columns. Columns that
//! neither of two persons has a value in do not count, as LM leaves them out for such databases.
//!
//! # Cost
//! Linear in the rows to make it; a distance takes a step for each row of both.
//!
//! # What is lost
//! Values are never generalized: Math of one and CS of another are both removed, with their books. So are equal books
//! of different courses.

use hashbrown::HashMap;

use crate::Database;
use crate::axis::Cell;
use crate::cost::Cost;
use crate::likeness::Likeness;
use crate::tree::Tree;

/// The columns of every row.
pub(crate) struct Bitmap<'d, 't> {
    database: &'d Database<'t>,
    /// For each table and row, the number of its path.
    path_of: Vec<Vec<u32>>,
}

/// What some persons have in common.
pub(crate) struct Bits {
    members: Vec<u32>,
    /// The cells of the table of persons, and the codes of its large sets.
    words: Vec<u64>,
    lists: Vec<u32>,
    /// Ascending.
    paths: Vec<u32>,
}

impl<'d, 't> Bitmap<'d, 't> {
    /// The flat rows of some persons of a database.
    pub(crate) fn new(database: &'d Database<'t>, persons: &[u32]) -> Self {
        let mut paths = Paths::default();
        let mut bitmap = Bitmap {
            database,
            path_of: database
                .tables()
                .map(|table| vec![0; database.table(table).rows()])
                .collect(),
        };
        // The persons are one path, of which all others are parts.
        let mut rows_of: Vec<Vec<u32>> = vec![persons.to_vec()];
        for (table, layer) in database.layers().iter().enumerate().skip(1) {
            // Only the table of persons has no parent, and it is the first.
            let parent = layer.parent.unwrap_or(0);
            let mut rows = Vec::new();
            for &parent_row in &rows_of[parent] {
                let above = bitmap.path_of[parent][parent_row as usize];
                let siblings = layer.children_of(parent_row);
                let values = siblings.iter().map(|&row| layer.cells(row));
                for (&row, path) in siblings.iter().zip(paths.of_siblings(table as u32, above, values)) {
                    bitmap.path_of[table][row as usize] = path;
                }
                rows.extend(siblings);
            }
            rows_of.push(rows);
        }
        bitmap
    }

    fn cell<'b>(bits: &'b Bits, axis: usize) -> Cell<'b> {
        Cell {
            word: bits.words[axis],
            lists: &bits.lists,
        }
    }

    /// The children of the next parent, which stands for one row of each member: those that all have.
    fn add_children(&self, table: usize, parents: &[u32], bits: &Bits, tree: &mut Tree) {
        let layer = &self.database.layers()[table];
        let path_of = &self.path_of[table];
        for &row in layer.children_of(parents[0]) {
            let path = path_of[row as usize];
            if bits.paths.binary_search(&path).is_err() {
                continue;
            }
            let of_member = |&parent: &u32| {
                let mut siblings = layer.children_of(parent).iter().copied();
                siblings.find(|&sibling| path_of[sibling as usize] == path)
            };
            // All members have the path, and the one above it only once.
            tree.add(parents.iter().filter_map(of_member));
            for (axis, &code) in layer.axes.iter().zip(layer.cells(row)) {
                tree.add_cell(|lists| axis.cell(code, lists));
            }
        }
        tree.end_children();
    }
}

/// Paths, numbered as they are met.
#[derive(Default)]
struct Paths {
    /// Of a table, the path above and the codes of a row.
    values: HashMap<Vec<u32>, u32>,
    /// Of a value and the how-manieth it is among its siblings.
    numbers: HashMap<(u32, u32), u32>,
    /// How many siblings so far have each value.
    met: Vec<u32>,
    key: Vec<u32>,
}

impl Paths {
    /// The paths of rows that hang off one row.
    fn of_siblings<'c>(&mut self, table: u32, above: u32, rows: impl Iterator<Item = &'c [u32]>) -> Vec<u32> {
        let values: Vec<u32> = rows.map(|codes| self.value(table, above, codes)).collect();
        let mut path = |&value: &u32| {
            let number = &mut self.met[value as usize];
            *number += 1;
            let next = self.numbers.len() as u32 + 1;
            *self.numbers.entry((value, *number)).or_insert(next)
        };
        let paths = values.iter().map(&mut path).collect();
        values.iter().for_each(|&value| self.met[value as usize] = 0);
        paths
    }

    fn value(&mut self, table: u32, above: u32, codes: &[u32]) -> u32 {
        self.key.clear();
        self.key.extend([table, above]);
        self.key.extend(codes);
        if let Some(&value) = self.values.get(&self.key) {
            return value;
        }
        let value = self.met.len() as u32;
        self.values.insert(self.key.clone(), value);
        self.met.push(0);
        value
    }
}

impl Likeness for Bitmap<'_, '_> {
    type Shape = Bits;
    /// How many columns have a value.
    type Sketch = u64;
    type Probe = u64;

    fn shape(&self, person: u32) -> Bits {
        let layers = self.database.layers();
        let mut bits = Bits {
            members: vec![person],
            words: Vec::new(),
            lists: Vec::new(),
            paths: Vec::new(),
        };
        for (axis, &code) in layers[0].axes.iter().zip(layers[0].cells(person)) {
            bits.words.push(axis.cell(code, &mut bits.lists));
        }
        let mut rows_of: Vec<Vec<u32>> = vec![vec![person]];
        for (table, layer) in layers.iter().enumerate().skip(1) {
            let parents = rows_of[layer.parent.unwrap_or(0)].iter();
            let rows: Vec<u32> = parents.flat_map(|&row| layer.children_of(row)).copied().collect();
            bits.paths
                .extend(rows.iter().map(|&row| self.path_of[table][row as usize]));
            rows_of.push(rows);
        }
        bits.paths.sort_unstable();
        bits
    }

    fn members<'s>(&self, shape: &'s Bits) -> &'s [u32] {
        &shape.members
    }

    fn size(&self, shape: &Bits) -> u64 {
        (shape.words.len() + shape.paths.len()) as u64
    }

    fn sketch(&self, shape: &Bits) -> u64 {
        self.size(shape)
    }

    fn probe(&self, shape: &Bits) -> u64 {
        self.size(shape)
    }

    fn least(&self, sketch: &u64, probe: &u64) -> u64 {
        sketch.abs_diff(*probe) * self.database.unit().whole()
    }

    fn distance(&self, first: &Bits, second: &Bits) -> Cost {
        let axes = self.database.layers()[0].axes.iter().enumerate();
        let losses = axes.map(|(place, axis)| axis.loss_of_both(Self::cell(first, place), Self::cell(second, place)));
        let persons = Cost {
            lost: losses.sum(),
            cells: first.words.len() as u64,
        };
        let common = common(&first.paths, &second.paths).count() as u64;
        let removed = (first.paths.len() + second.paths.len()) as u64 - 2 * common;
        let kept = Cost { lost: 0, cells: common };
        persons + kept + self.database.unit().removed(removed)
    }

    fn merge(&self, first: &Bits, second: &Bits) -> Bits {
        let mut lists = Vec::new();
        let axes = self.database.layers()[0].axes.iter().enumerate();
        let unite = |(place, axis): (usize, &crate::axis::Axis)| {
            axis.unite(Self::cell(first, place), Self::cell(second, place), &mut lists)
        };
        Bits {
            words: axes.map(unite).collect(),
            members: [&first.members[..], &second.members].concat(),
            paths: common(&first.paths, &second.paths).collect(),
            lists,
        }
    }

    fn tree(&self, bits: Bits) -> Tree {
        let mut tree = Tree::of_members(self.database, bits.members.len());
        tree.begin_table();
        tree.add(bits.members.iter().copied());
        for (place, axis) in self.database.layers()[0].axes.iter().enumerate() {
            let cell = Self::cell(&bits, place);
            tree.add_cell(|lists| axis.unite(cell, cell, lists));
        }
        tree.end_children();
        for (table, layer) in self.database.layers().iter().enumerate().skip(1) {
            tree.begin_table();
            let parent = layer.parent.unwrap_or(0);
            for node in tree.nodes(parent) {
                let parents = tree.rows(parent, node).to_vec();
                self.add_children(table, &parents, &bits, &mut tree);
            }
        }
        tree.count_cells(self.database);
        tree
    }
}

/// What two ascending lists have in common.
fn common<'p>(mut a: &'p [u32], mut b: &'p [u32]) -> impl Iterator<Item = u32> + 'p {
    std::iter::from_fn(move || {
        while let (Some(&first), Some(&second)) = (a.first(), b.first()) {
            a = &a[usize::from(first <= second)..];
            b = &b[usize::from(second <= first)..];
            if first == second {
                return Some(first);
            }
        }
        None
    })
}
