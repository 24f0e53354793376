//! [`Counting`]: what a release keeps and loses, counted in the clusters that it was made from.
//!
//! | courses of S1 and S2 | shown as | exact | generalized | loss |
//! |---|---|---|---|---|
//! | Physics, Physics | Physics | 2 | | 0 |
//! | Math, CS | Science | | 2 | 3/7 each |
//! | History of S1 | (removed) | | | 1 |
//!
//! # Source
//! Nergiz and Clifton, *MultiRelational k-Anonymity*, 2008: definitions 8 (LM) and 9 (DM).

use hashbrown::HashMap;

use crate::clusters::{Cluster, Clusters};
use crate::shown::{Kept, KeptColumn, Shown};
use crate::{Database, TableId};

/// Clusters, and what their nodes show in each table.
pub(crate) struct Counting<'c, 't> {
    pub(crate) database: &'c Database<'t>,
    pub(crate) clusters: &'c Clusters,
    pub(crate) tables: &'c [Shown],
}

impl Counting<'_, '_> {
    /// What became of the rows and quasi cells of a table.
    pub(crate) fn kept(&self, table: TableId) -> Kept {
        let layer = &self.database.layers()[table.0];
        let shown = &self.tables[table.0];
        let mut generalized = vec![0; layer.axes.len()];
        for cluster in self.clusters.clusters() {
            let (tree, members) = (cluster.tree(), cluster.members().len() as u64);
            for node in cluster.nodes(table) {
                let cells = tree.table(table.0).cells(layer.axes.len(), node);
                let cells = generalized.iter_mut().zip(layer.axes.iter().zip(cells));
                cells.for_each(|(generalized, (axis, cell))| *generalized += members * u64::from(!axis.is_exact(cell)));
            }
        }
        let kept = shown.kept.len() as u64;
        let columns = generalized.into_iter().zip(&shown.quasi);
        let columns = columns.map(|(generalized, recoded)| KeptColumn {
            exact: kept - generalized,
            generalized,
            loss: recoded.penalty,
        });
        Kept {
            rows: self.database.table(table).rows() as u64,
            kept,
            columns: columns.collect(),
        }
    }

    /// LM, definition 8: what a quasi cell loses on average, from 0 to 1.
    pub(crate) fn loss(&self) -> f64 {
        let unit = self.database.unit();
        let kept = self
            .clusters
            .clusters()
            .iter()
            .map(|cluster| cluster.tree().kept(self.database));
        let (lost, cells) = kept.fold((0, 0), |sum, kept| (sum.0 + kept.0, sum.1 + kept.1));
        let all = self.database.cells();
        unit.mean(lost + u128::from(unit.whole()) * u128::from(all - cells), all)
    }

    /// LM of the domains of the kept rows.
    pub(crate) fn loss_on_kept(&self) -> f64 {
        if self.tables.iter().all(|shown| shown.losses.iter().all(Option::is_none)) {
            return self.loss();
        }
        let whole = self.database.unit().whole() as f64;
        let (mut lost, mut cells) = (0.0, 0);
        for (cluster, place) in self.clusters.clusters().iter().zip(0..) {
            let members = cluster.members().len() as u64;
            for (table, (layer, shown)) in self.database.layers().iter().zip(self.tables).enumerate() {
                for node in cluster.nodes(TableId(table)) {
                    let number = (shown.first_node[place] + node) as usize;
                    let cells_of_node = cluster.tree().table(table).cells(layer.axes.len(), node);
                    for (axis, cell) in cells_of_node.enumerate() {
                        let own = shown.losses[axis].as_ref();
                        let label = shown.quasi[axis].label_of_group[number] as usize;
                        let share = own.map_or_else(|| layer.axes[axis].loss(cell) as f64 / whole, |own| own[label]);
                        lost += share * members as f64;
                    }
                    cells += layer.axes.len() as u64 * members;
                }
            }
        }
        let all = self.database.cells();
        (lost + (all - cells) as f64) / all.max(1) as f64
    }

    /// DM, definition 9: for each person, how many cannot be told from them, added up.
    pub(crate) fn discernibility(&self) -> u64 {
        let looks = self.looks();
        let mut alike = vec![0; looks.len()];
        for (&look, cluster) in looks.iter().zip(self.clusters.clusters()) {
            alike[look as usize] += cluster.members().len() as u64;
        }
        let released: u64 = alike.iter().map(|persons| persons * persons).sum();
        released + self.clusters.left_out().len() as u64 * self.database.persons() as u64
    }

    /// A number for each cluster: two that look the same have the same.
    fn looks(&self) -> Vec<u32> {
        let mut looks: Vec<Vec<u32>> = vec![Vec::new(); self.tables.len()];
        // Children come after their parents, so from the last table on the looks of all children are known.
        for table in self.database.tables().rev() {
            let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
            let mut own = Vec::new();
            for (cluster, place) in self.clusters.clusters().iter().zip(0..) {
                for node in cluster.nodes(table) {
                    let look = self.look(table, cluster, place, node, &looks);
                    let next = numbers.len() as u32;
                    own.push(*numbers.entry(look).or_insert(next));
                }
            }
            looks[table.0] = own;
        }
        looks.swap_remove(TableId::PERSONS.0)
    }

    /// The labels of a node, and the looks of its children as multisets.
    fn look(&self, table: TableId, cluster: &Cluster, place: usize, node: u32, looks: &[Vec<u32>]) -> Vec<u32> {
        let shown = &self.tables[table.0];
        let number = (shown.first_node[place] + node) as usize;
        let mut look: Vec<u32> = shown.quasi.iter().map(|column| column.label_of_group[number]).collect();
        for &child in &self.database.layers()[table.0].children {
            let first = self.tables[child].first_node[place];
            let children = cluster.children(TableId(child), node);
            let mut below: Vec<u32> = children
                .map(|child_node| looks[child][(first + child_node) as usize])
                .collect();
            below.sort_unstable();
            look.push(below.len() as u32);
            look.extend(below);
        }
        look
    }
}
