//! What is [`Shown`] of a table: which rows are kept, and what each node of a cluster shows.

use hashbrown::HashMap;
use rayon::prelude::*;
use scumble_grouping::{Recoded, recode};
use scumble_table::{Column, Labels, ReleasedColumn};

use crate::axis::shape;
use crate::clusters::Clusters;
use crate::database::{Database, TableId};
use crate::kept_domain::KeptDomain;

/// What became of the rows and quasi cells of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Rows in the original.
    pub rows: u64,
    /// Rows in the release.
    pub kept: u64,
    /// Each quasi column, in the order of the relation.
    pub columns: Vec<KeptColumn>,
}

/// What became of the cells of a quasi column in the rows that are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptColumn {
    /// Cells that show their value.
    pub exact: u64,
    /// Cells that may stand for several.
    pub generalized: u64,
    /// What a kept cell loses on average, from 0 to 1.
    pub loss: f64,
}

/// One table. Its nodes are numbered from cluster to cluster.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The number of the first node of each cluster.
    pub(crate) first_node: Vec<u32>,
    /// The rows that are kept, ascending.
    pub(crate) kept: Vec<u32>,
    /// The node of each row, `REMOVED` if it is not kept.
    pub(crate) node_of: Vec<u32>,
    /// What each node shows, one per quasi column.
    pub(crate) quasi: Vec<Recoded>,
    /// For each quasi column whose kept rows have a smaller domain than the data, what each label loses of its other values.
    pub(crate) losses: Vec<Option<Vec<f64>>>,
}

/// No node has this number: there are no more of them than rows.
const REMOVED: u32 = u32::MAX;

impl Shown {
    pub(crate) fn new(database: &Database, clusters: &Clusters, table: TableId) -> Shown {
        let mut first_node = Vec::with_capacity(clusters.clusters().len());
        let mut node_of = vec![REMOVED; database.table(table).rows()];
        let mut nodes = 0;
        for cluster in clusters.clusters() {
            first_node.push(nodes);
            for node in cluster.nodes(table) {
                let rows = cluster.rows(table, node).iter();
                rows.for_each(|&row| node_of[row as usize] = nodes + node);
            }
            nodes += cluster.nodes(table).end;
        }
        let kept = (0..).zip(&node_of).filter(|&(_, &node)| node != REMOVED);
        let kept: Vec<u32> = kept.map(|(row, _)| row).collect();
        let axes = (0..database.quasi(table).len()).into_par_iter();
        let (quasi, losses) = axes.map(|axis| show(database, clusters, table, axis, &kept)).unzip();
        Shown {
            quasi,
            losses,
            kept,
            first_node,
            node_of,
        }
    }

    /// What some of the kept rows show in a quasi column.
    pub(crate) fn column(&self, axis: usize, name: &str, rows: &[u32]) -> ReleasedColumn {
        let Recoded {
            labels,
            label_of_group,
            penalty,
        } = &self.quasi[axis];
        let label = |&row: &u32| label_of_group[self.node_of[row as usize] as usize];
        let label_of_row: Vec<u32> = rows.iter().map(label).collect();
        ReleasedColumn::told(
            name,
            true,
            Labels::from_iter(labels.iter().map(Option::as_deref)),
            &label_of_row,
            *penalty,
        )
    }
}

/// What each node of a table shows in a quasi column, and what each label loses if the kept rows have a domain of their own.
/// Nodes with equal cells show the same, so each cell is shown once.
fn show(
    database: &Database,
    clusters: &Clusters,
    table: TableId,
    place: usize,
    kept: &[u32],
) -> (Recoded, Option<Vec<f64>>) {
    let (column, scale) = database.quasi(table)[place];
    let column = database.table(table).column(column);
    let axes = &database.layers()[table.0].axes;
    let domain = KeptDomain::of(column, scale, kept);
    let shape = domain.map_or(shape(scale), |domain| domain.shape(shape(scale)));
    let mut losses = domain.map(|_| Vec::new());
    let mut shown = Recoded {
        labels: Vec::new(),
        label_of_group: Vec::new(),
        penalty: 0.0,
    };
    let mut places: HashMap<Option<String>, u32> = HashMap::new();
    let mut label_of_cell: HashMap<(u64, &[u32]), (u32, f64)> = HashMap::new();
    let mut rows_shown = 0;
    for cluster in clusters.clusters() {
        let nodes = cluster.tree().table(table.0);
        for node in cluster.nodes(table) {
            let rows = nodes.rows(node);
            let cell = nodes.cell(axes.len(), node, place);
            let (label, penalty) = *label_of_cell.entry(axes[place].identity(cell)).or_insert_with(|| {
                let mut one = recode(column, shape, &[rows.to_vec()]);
                let label = one.labels.swap_remove(0);
                let (penalty, loss) = match domain {
                    None => (one.penalty, 0.0),
                    Some(domain) => domain.losses(label.as_deref(), different(column, rows), one.penalty),
                };
                let next = places.len() as u32;
                let place = *places.entry(label).or_insert_with_key(|label| {
                    shown.labels.push(label.clone());
                    losses.iter_mut().for_each(|losses| losses.push(loss));
                    next
                });
                (place, penalty)
            });
            shown.label_of_group.push(label);
            shown.penalty += penalty * rows.len() as f64;
            rows_shown += rows.len();
        }
    }
    shown.penalty /= (rows_shown as f64).max(1.0);
    (shown, losses)
}

/// How many different values some rows have, the missing one among them.
fn different(column: &Column, rows: &[u32]) -> usize {
    let mut codes: Vec<u32> = rows.iter().map(|&row| column.codes().at(row as usize)).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.len()
}
