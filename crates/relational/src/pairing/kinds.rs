//! Rows of many persons look the same, with all below them. What two such *kinds* lose is worked out once.
//!
//! | row | course | books | kind |
//! |---|---|---|---|
//! | 1 | Physics | Dyn, Calc | 0 |
//! | 2 | Physics | Dyn | 1 |
//! | 3 | Physics | Calc, Dyn | 0 |
//!
//! Only rows right below persons have kinds, and only tables with at most [`MOST_KINDS`] of them.
//!
//! Invariant: what is remembered of two kinds is what would be worked out again, whoever comes first.

use std::sync::atomic::{AtomicI64, Ordering};

use hashbrown::HashMap;
use scumble_progress::{Interrupted, Work};

use crate::Database;
use crate::tree::Tree;

/// With more, few would be met twice, and the table of pairs would be large.
const MOST_KINDS: usize = 1500;

/// The kinds of the rows of each table.
pub(crate) struct Kinds {
    tables: Vec<Option<TableKinds>>,
}

#[derive(Default)]
struct TableKinds {
    /// Where the rows of each person begin.
    starts: Vec<u32>,
    kind_of: Vec<u32>,
    kinds: usize,
    /// For each pair of kinds, what it loses; less than 0 if that is not known yet.
    lost: Vec<AtomicI64>,
}

impl Kinds {
    /// The kinds of all rows right below persons.
    pub(crate) fn new(database: &Database, trees: &[Tree], work: Work) -> Result<Kinds, Interrupted> {
        let mut numbers: Vec<HashMap<Vec<u32>, u32>> = vec![HashMap::new(); database.layers().len()];
        let mut tables: Vec<TableKinds> = numbers.iter().map(|_| TableKinds::default()).collect();
        for tree in trees {
            work.go_on()?;
            let kinds = kinds(database, tree, &mut numbers);
            for (table, kinds) in tables.iter_mut().zip(kinds) {
                table.starts.push(table.kind_of.len() as u32);
                table.kind_of.extend(kinds);
            }
        }
        let fit = |(number, mut table): (usize, TableKinds)| {
            table.kinds = numbers[number].len();
            let is_known = database.layers()[number].parent == Some(0) && table.kinds <= MOST_KINDS;
            table
                .lost
                .resize_with(if is_known { table.kinds * table.kinds } else { 0 }, || {
                    AtomicI64::new(-1)
                });
            is_known.then_some(table)
        };
        Ok(Kinds {
            tables: tables.into_iter().enumerate().map(fit).collect(),
        })
    }

    /// What two rows of two persons lose with all below them: remembered, or worked out.
    pub(crate) fn lost(&self, table: usize, persons: [u32; 2], nodes: [u32; 2], work_out: impl FnOnce() -> i64) -> i64 {
        let Some(table) = &self.tables[table] else {
            return work_out();
        };
        let kind =
            |place: usize| table.kind_of[(table.starts[persons[place] as usize] + nodes[place]) as usize] as usize;
        let known = &table.lost[kind(0) * table.kinds + kind(1)];
        // All who work it out find the same, so it does not matter who writes it down.
        match known.load(Ordering::Relaxed) {
            lost if lost >= 0 => lost,
            _ => {
                let lost = work_out();
                known.store(lost, Ordering::Relaxed);
                lost
            }
        }
    }
}

/// The kinds of the nodes of each table.
fn kinds(database: &Database, tree: &Tree, numbers: &mut [HashMap<Vec<u32>, u32>]) -> Vec<Vec<u32>> {
    let mut kinds: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
    // Children come after their parents, so from the last table on the kinds of all children are known.
    for (table, layer) in database.layers().iter().enumerate().rev() {
        let kind = |node: u32| {
            // The trees are of one person each, so every node stands for one row.
            let mut look: Vec<u32> = layer.cells(tree.rows(table, node)[0]).to_vec();
            for &child in &layer.children {
                let range = tree.children(child, node);
                let mut below = kinds[child][range.start as usize..range.end as usize].to_vec();
                below.sort_unstable();
                look.push(below.len() as u32);
                look.extend(below);
            }
            let next = numbers[table].len() as u32;
            *numbers[table].entry(look).or_insert(next)
        };
        kinds[table] = tree.nodes(table).map(kind).collect();
    }
    kinds
}
