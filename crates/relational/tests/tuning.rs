//! Settings that are found are the best of those that are tried, and settings that are given are kept.

mod world;

use proptest::prelude::*;
use scumble_progress::{Running, Stage, Work};
use scumble_relational::{Clustering, Database, Method, Release, SettingError, Tuning};

use world::{World, sheets};

/// LM with these settings.
fn loss(clustering: Clustering, database: &Database) -> f64 {
    let clusters = clustering.run(database, Work::unwatched()).unwrap();
    Release::new(database, &clusters).loss()
}

fn tuning(threshold: Option<f64>, climit: Option<usize>, seed: u64) -> Tuning {
    Tuning::new(threshold, climit, seed).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// So few persons are all in the sample.
    #[test]
    fn no_threshold_of_the_ladder_loses_less(
        sheets in sheets(),
        k in 1..=4_usize,
        method in prop::sample::select(vec![Method::Miracle, Method::MiracleX, Method::Bitmap]),
        seed in any::<u64>(),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let tuned = Clustering::tuned(&database, k, method, tuning(None, None, seed), Work::unwatched()).unwrap();
        prop_assert_eq!(tuned.climit(), (database.persons() / k).clamp(1, 150));
        let least = loss(tuned.clone(), &database);
        for threshold in [0.0, 0.15, 0.3, 0.45, 0.6, 0.75] {
            let other = Clustering::new(k, threshold, tuned.climit(), method).unwrap();
            prop_assert!(least <= loss(other, &database) + 1e-12);
        }
    }

    #[test]
    fn what_is_given_is_kept(
        sheets in sheets(),
        k in 1..=4_usize,
        threshold in prop::option::of(0.0..=1.0),
        climit in prop::option::of(0..=9_usize),
        seed in any::<u64>(),
    ) {
        let world = World::new(sheets);
        let database = world.database();
        let tune = || Clustering::tuned(&database, k, Method::MiracleX, tuning(threshold, climit, seed), Work::unwatched()).unwrap();
        let tuned = tune();
        prop_assert!(threshold.is_none_or(|threshold| (tuned.threshold() - threshold).abs() < 1e-9));
        prop_assert!(climit.is_none_or(|climit| tuned.climit() == climit));
        prop_assert_eq!((tuned.threshold(), tuned.climit()), (tune().threshold(), tune().climit()));
    }
}

#[test]
fn a_threshold_is_a_share() {
    for threshold in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        assert_eq!(
            Tuning::new(Some(threshold), None, 1).err(),
            Some(SettingError::Threshold)
        );
    }
    assert!(Tuning::new(Some(1.0), Some(0), 1).is_ok());
}

#[test]
fn tuning_can_be_interrupted() {
    let rows = vec![world::Row {
        of: 0,
        cells: Vec::new(),
    }];
    let world = World::new(vec![world::Sheet {
        name: "t0".to_owned(),
        parent: None,
        kinds: Vec::new(),
        rows,
    }]);
    let database = world.database();
    let tune = |threshold, go_on: bool| {
        let stops = || !go_on;
        let searching = Running::begin(&stops, Stage::Searching, None);
        Clustering::tuned(
            &database,
            1,
            Method::Miracle,
            tuning(threshold, None, 1),
            searching.work(),
        )
    };
    assert!(tune(None, false).is_err());
    assert!(tune(None, true).is_ok());
    // Nothing is to be found.
    assert!(tune(Some(0.5), false).is_ok());
}
