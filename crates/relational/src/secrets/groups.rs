//! The groups of rows that cannot be told apart, as nodes of clusters.
//!
//! | cluster | node | shows | under | group |
//! |---|---|---|---|---|
//! | 1 | course 0 | Science, with a book | person of class 1 | 1 |
//! | 1 | course 1 | Science, without | person of class 1 | 2 |
//! | 2 | course 0 | Science, with a book | person of class 1 | 1 |
//!
//! Invariant: two nodes are in one group if and only if they show the same, all below them included, and their parents
//! are in one group. Groups are in the order of their first node, and so are the nodes of a group.

use hashbrown::HashMap;
use scumble_grouping::recode;

use crate::axis::shape;
use crate::clusters::Cluster;
use crate::{Database, TableId};

/// The groups of each table.
pub(super) struct Groups {
    tables: Vec<Vec<Vec<(usize, u32)>>>,
}

impl Groups {
    pub(super) fn new(database: &Database, clusters: &[Cluster]) -> Groups {
        let looks = looks(database, clusters);
        let mut tables: Vec<Vec<Vec<(usize, u32)>>> = Vec::with_capacity(looks.len());
        // For each table, cluster and node, its group.
        let mut group_of: Vec<Vec<Vec<u32>>> = Vec::with_capacity(looks.len());
        for (table, layer) in database.layers().iter().enumerate() {
            let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
            let mut groups: Vec<Vec<(usize, u32)>> = Vec::new();
            let mut own = Vec::with_capacity(clusters.len());
            for (place, cluster) in clusters.iter().enumerate() {
                let above: Vec<u32> = match layer.parent {
                    None => vec![0],
                    Some(parent) => group_of[parent][place].clone(),
                };
                let parents = above.iter().zip(0..);
                let under = parents.flat_map(|(&group, parent)| {
                    let children = match layer.parent {
                        None => 0..1,
                        Some(_) => cluster.children(TableId(table), parent),
                    };
                    children.map(move |_| group)
                });
                let of_nodes = under.zip(&looks[table][place]).zip(0..).map(|((above, &look), node)| {
                    let next = groups.len() as u32;
                    let group = *numbers.entry((above, look)).or_insert(next);
                    if group == next {
                        groups.push(Vec::new());
                    }
                    groups[group as usize].push((place, node));
                    group
                });
                own.push(of_nodes.collect());
            }
            tables.push(groups);
            group_of.push(own);
        }
        Groups { tables }
    }

    /// The groups of a table, each as its nodes by cluster.
    pub(super) fn of_table(&self, table: usize) -> &[Vec<(usize, u32)>] {
        &self.tables[table]
    }
}

/// For each table, cluster and node a number: equal for nodes that show the same, with all below them.
fn looks(database: &Database, clusters: &[Cluster]) -> Vec<Vec<Vec<u32>>> {
    let mut looks: Vec<Vec<Vec<u32>>> = vec![Vec::new(); database.layers().len()];
    // Children come after their parents, so from the last table on the looks of all children are known.
    for (number, layer) in database.layers().iter().enumerate().rev() {
        let table = TableId(number);
        let nodes: Vec<Vec<u32>> = clusters
            .iter()
            .flat_map(|cluster| cluster.nodes(table).map(|node| cluster.rows(table, node).to_vec()))
            .collect();
        let quasi = database.quasi(table).iter();
        let labels: Vec<Vec<u32>> = quasi
            .map(|&(column, scale)| recode(database.table(table).column(column), shape(scale), &nodes).label_of_group)
            .collect();
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut first = 0;
        let mut own: Vec<Vec<u32>> = Vec::with_capacity(clusters.len());
        for (place, cluster) in clusters.iter().enumerate() {
            let look = |node: u32| {
                let mut look: Vec<u32> = labels.iter().map(|labels| labels[first + node as usize]).collect();
                for &child in &layer.children {
                    let range = cluster.children(TableId(child), node);
                    let mut below = looks[child][place][range.start as usize..range.end as usize].to_vec();
                    below.sort_unstable();
                    look.push(below.len() as u32);
                    look.extend(below);
                }
                let next = numbers.len() as u32;
                *numbers.entry(look).or_insert(next)
            };
            own.push(cluster.nodes(table).map(look).collect());
            first += cluster.nodes(table).len();
        }
        looks[number] = own;
    }
    looks
}
