//! The flat trees and whole numbers of the crate find the same clusters as pointers and fractions, written down line by
//! line.

mod slow;
mod world;

use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use scumble_progress::Work;
use scumble_relational::{Cluster, Clustering, Clusters, Database, Method, Release, TableId};

use slow::{Fraction, Slow};
use world::{Kind, Sheet, World, sheets, sheets_of, sheets_with};

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

const METHODS: [Method; 3] = [Method::Miracle, Method::MiracleX, Method::Bitmap];

/// The clusters of a database as shapes, who is left out, and LM of the domains of the data and of the kept rows.
type Found = (Vec<slow::Shape>, Vec<usize>, [f64; 2]);

fn found(clusters: &Clusters, database: &Database, sheets: &[Sheet]) -> Found {
    let shapes = clusters
        .clusters()
        .iter()
        .map(|cluster| shape(cluster, database, sheets, 0, 0));
    let left_out = clusters.left_out().iter().map(|&person| person as usize);
    let release = Release::new(database, clusters);
    let losses = [release.loss(), release.loss_on_kept()];
    (shapes.collect(), left_out.collect(), losses)
}

fn with_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(run)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn clusters_are_those_of_the_slow_version(
        sheets in sheets(),
        k in 1..=5_usize,
        tenths in 0..=10_i128,
        climit in 0..=4_usize,
        method in prop::sample::select(METHODS.to_vec()),
        block in prop::sample::select(vec![1, 3, 5, 1000]),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let clustering = Clustering::new(k, tenths as f64 / 10.0, climit, method).unwrap().in_blocks_of(block);
        let clusters = clustering.run(&database, Work::unwatched()).unwrap();
        let slow = Slow { sheets: &world.sheets, k, threshold: Fraction::new(tenths, 10), climit, method, block };
        let (expected, left_out) = slow.run();

        let (shapes, left_out_found, loss) = found(&clusters, &database, &world.sheets);
        prop_assert_eq!(shapes, expected.iter().map(slow::Node::shape).collect::<Vec<_>>());
        prop_assert_eq!(left_out_found, left_out);
        for (loss, slow) in loss.into_iter().zip([slow.loss(&expected), slow.loss_on_kept(&expected)]) {
            prop_assert!((loss - slow.value()).abs() < 1e-12);
        }
        for cluster in clusters.clusters() {
            prop_assert_eq!(cluster.members(), cluster.rows(TableId::PERSONS, 0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// With so many open clusters, most are ruled out by their sketches.
    #[test]
    fn many_open_clusters_are_those_of_the_slow_version(
        sheets in sheets_of(40..=60, 3),
        k in 2..=4_usize,
        tenths in 0..=2_i128,
        climit in 16..=30_usize,
        method in prop::sample::select(METHODS.to_vec()),
        block in prop::sample::select(vec![20, 1000]),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let clustering = Clustering::new(k, tenths as f64 / 10.0, climit, method).unwrap().in_blocks_of(block);
        let clusters = with_threads(2, || clustering.run(&database, Work::unwatched()).unwrap());
        let slow = Slow { sheets: &world.sheets, k, threshold: Fraction::new(tenths, 10), climit, method, block };
        let (expected, left_out) = slow.run();
        let (shapes, left_out_found, _) = found(&clusters, &database, &world.sheets);
        prop_assert_eq!(shapes, expected.iter().map(slow::Node::shape).collect::<Vec<_>>());
        prop_assert_eq!(left_out_found, left_out);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// With so many values, losses are not looked up, and sets are lists.
    #[test]
    fn columns_of_many_values_are_merged_as_in_the_slow_version(
        sheets in sheets_with(vec![Kind::ManyNumbers, Kind::ManyValues], 150..=200, 2),
        k in 2..=4_usize,
        climit in 0..=4_usize,
        method in prop::sample::select(METHODS.to_vec()),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let clusters = Clustering::new(k, 0.5, climit, method).unwrap().run(&database, Work::unwatched()).unwrap();
        let slow = Slow { sheets: &world.sheets, k, threshold: Fraction::new(1, 2), climit, method, block: 1000 };
        let (expected, left_out) = slow.run();
        let (shapes, left_out_found, loss) = found(&clusters, &database, &world.sheets);
        prop_assert_eq!(shapes, expected.iter().map(slow::Node::shape).collect::<Vec<_>>());
        prop_assert_eq!(left_out_found, left_out);
        for (loss, slow) in loss.into_iter().zip([slow.loss(&expected), slow.loss_on_kept(&expected)]) {
            prop_assert!((loss - slow.value()).abs() < 1e-12);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_number_of_threads_changes_nothing(
        sheets in sheets_of(30..=100, 4),
        k in 1..=5_usize,
        threshold in 0.0..=0.4,
        climit in 10..=80_usize,
        method in prop::sample::select(METHODS.to_vec()),
    ) {
        let world = World::new(sheets);
        let run = || {
            let database = world.database();
            let clusters = Clustering::new(k, threshold, climit, method).unwrap().in_blocks_of(20).run(&database, Work::unwatched()).unwrap();
            found(&clusters, &database, &world.sheets)
        };
        prop_assert_eq!(with_threads(1, run), with_threads(2, run));
    }
}
