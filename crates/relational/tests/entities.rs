//! Our own method: what holds of its clusters, and that they lose less than those of the paper.

mod students;
mod world;

use proptest::prelude::*;
use scumble_progress::{Interrupted, Running, Stage, Work};
use scumble_relational::{Clustering, Clusters, Database, Entities, Method, Release, SettingError};

use students::Students;
use world::{Kind, Row, Sheet, World, sheets};

fn members(clusters: &Clusters) -> Vec<&[u32]> {
    clusters.clusters().iter().map(|cluster| cluster.members()).collect()
}

fn on_threads(threads: usize, k: usize, database: &Database) -> Clusters {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| Entities::new(k, 7).unwrap().run(database, Work::unwatched()).unwrap())
}

fn loss(database: &Database, clusters: &Clusters) -> f64 {
    Release::new(database, clusters).loss()
}

/// The least loss of the paper's methods over many settings.
fn paper(database: &Database, k: usize) -> f64 {
    let mut least = f64::INFINITY;
    for method in [Method::Miracle, Method::MiracleX] {
        for threshold in [0.02, 0.05, 0.1, 0.2, 0.4] {
            for climit in [20, 1000] {
                let clustering = Clustering::new(k, threshold, climit, method).unwrap();
                least = least.min(loss(database, &clustering.run(database, Work::unwatched()).unwrap()));
            }
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn everybody_is_in_a_cluster_of_at_least_k(sheets in sheets(), k in 1..=5_usize, seed in any::<u64>()) {
        let world = World::new(sheets);
        let database = world.database();
        let clusters = Entities::new(k, seed).unwrap().run(&database, Work::unwatched()).unwrap();
        let mut all: Vec<u32> = members(&clusters).concat();
        prop_assert!(clusters.clusters().iter().all(|cluster| cluster.members().len() >= k));
        if database.persons() >= k {
            prop_assert!(clusters.left_out().is_empty());
        } else {
            all.extend(clusters.left_out());
        }
        all.sort_unstable();
        prop_assert_eq!(all, (0..database.persons() as u32).collect::<Vec<u32>>());
        // A node stands for one row of each member, below the row of its parent.
        for (sheet, table) in world.sheets.iter().zip(world.sheets.iter().map(|sheet| database.find(&sheet.name).unwrap())) {
            let Some(parent) = sheet.parent.map(|parent| database.find(&world.sheets[parent].name).unwrap()) else {
                continue;
            };
            for cluster in clusters.clusters() {
                for above in cluster.nodes(parent) {
                    for node in cluster.children(table, above) {
                        let parents = cluster.rows(table, node).iter().map(|&row| sheet.rows[row as usize].of as u32);
                        prop_assert_eq!(parents.collect::<Vec<u32>>(), cluster.rows(parent, above));
                    }
                }
            }
        }
    }
}

#[test]
fn students_lose_less_than_with_the_methods_of_the_paper() {
    let students = Students::new(200, 1);
    let database = students.database();
    for (k, percent) in [(2, 8.0), (5, 12.0), (10, 12.0), (20, 8.0)] {
        let ours = loss(
            &database,
            &Entities::new(k, 1).unwrap().run(&database, Work::unwatched()).unwrap(),
        );
        let paper = paper(&database, k);
        assert!(ours <= paper * (1.0 - percent / 100.0), "k = {k}: {ours} and {paper}");
    }
}

#[test]
fn clusters_do_not_depend_on_the_number_of_threads() {
    let students = Students::new(400, 2);
    let database = students.database();
    for k in [2, 7] {
        let (one, three) = (on_threads(1, k, &database), on_threads(3, k, &database));
        assert_eq!(members(&one), members(&three));
        assert_eq!(loss(&database, &one), loss(&database, &three));
    }
}

/// With k = 1 nothing is lost; with as many as there are, all are in one cluster.
#[test]
fn the_smallest_and_the_largest_k() {
    let students = Students::new(30, 3);
    let database = students.database();
    let run = |k| Entities::new(k, 1).unwrap().run(&database, Work::unwatched()).unwrap();
    assert_eq!(loss(&database, &run(1)), 0.0);
    assert_eq!(run(30).clusters().len(), 1);
    assert_eq!(run(31).left_out().len(), 30);
    assert_eq!(Entities::new(0, 1).unwrap_err(), SettingError::NoMembers);
}

/// Two persons have the same 50 rows, in another order. Lists as long are sorted first, so nothing is lost.
#[test]
fn long_lists_of_the_same_rows_lose_nothing() {
    let row = |of: usize, number: usize| Row {
        of,
        cells: vec![Some(number.to_string())],
    };
    let upwards = (0..50).map(|number| row(0, number));
    let mixed = (0..50).map(|number| row(1, number * 37 % 50));
    let sheet = |name: &str, parent, kinds, rows| Sheet {
        name: name.to_owned(),
        parent,
        kinds,
        rows,
    };
    let persons = (0..2).map(|_| Row { of: 0, cells: vec![] }).collect();
    let world = World::new(vec![
        sheet("persons", None, vec![], persons),
        sheet("rows", Some(0), vec![Kind::Numbers], upwards.chain(mixed).collect()),
    ]);
    let database = world.database();
    let clusters = Entities::new(2, 1).unwrap().run(&database, Work::unwatched()).unwrap();
    assert_eq!(loss(&database, &clusters), 0.0);
}

#[test]
fn it_stops_when_told_to() {
    let students = Students::new(30, 3);
    let searching = Running::begin(&|| true, Stage::Searching, None);
    let stopped = Entities::new(2, 1).unwrap().run(&students.database(), searching.work());
    assert_eq!(stopped.unwrap_err(), Interrupted);
}
