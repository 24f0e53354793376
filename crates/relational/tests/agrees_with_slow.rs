//! The flat trees and whole numbers of the crate find the same clusters as pointers and fractions, written down line by
//! line.

mod slow;
mod world;

use proptest::prelude::*;
use scumble_relational::{Cluster, Clustering, Database, Method, Release, TableId};

use slow::{Fraction, Slow};
use world::{Sheet, World, sheets};

/// A representative: the rows of a node, and its children table by table.
fn shape(cluster: &Cluster, database: &Database, sheets: &[Sheet], sheet: usize, node: u32) -> slow::Shape {
    let table = |sheet: usize| database.find(&sheets[sheet].name).unwrap();
    let children = (0..sheets.len()).filter(|&child| sheets[child].parent == Some(sheet));
    let below = children.map(|child| {
        let nodes = cluster.children(table(child), node);
        nodes
            .map(|node| shape(cluster, database, sheets, child, node))
            .collect()
    });
    slow::Shape {
        rows: cluster
            .rows(table(sheet), node)
            .iter()
            .map(|&row| row as usize)
            .collect(),
        children: below.collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn clusters_are_those_of_the_slow_version(
        sheets in sheets(),
        k in 1..=5_usize,
        tenths in 0..=10_i128,
        climit in 0..=4_usize,
        method in prop::sample::select(vec![Method::Miracle, Method::MiracleX, Method::Bitmap]),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let clustering = Clustering::new(k, tenths as f64 / 10.0, climit, method).unwrap();
        let found = clustering.run(&database, || true).unwrap();
        let slow = Slow { sheets: &world.sheets, k, threshold: Fraction::new(tenths, 10), climit, method };
        let (expected, left_out) = slow.run();

        let shapes: Vec<slow::Shape> =
            found.clusters().iter().map(|cluster| shape(cluster, &database, &world.sheets, 0, 0)).collect();
        let expected_shapes: Vec<slow::Shape> = expected.iter().map(slow::Node::shape).collect();
        prop_assert_eq!(shapes, expected_shapes);
        for cluster in found.clusters() {
            prop_assert_eq!(cluster.members(), cluster.rows(TableId::PERSONS, 0));
        }
        let left_out_found: Vec<usize> = found.left_out().iter().map(|&person| person as usize).collect();
        prop_assert_eq!(left_out_found, left_out);

        let loss = Release::new(&database, &found).loss();
        prop_assert!((loss - slow.loss(&expected).value()).abs() < 1e-12);
    }
}
