//! The lattice of the complete rows of Adult, with the trees that ARX comes with: 12,960 nodes.

mod adult;

use adult::Adult;
use scumble_grouping::{FullDomain, FullDomainFound, FullDomainObjective, Ladder, Scale, full_domain};
use scumble_privacy::{Demand, QuasiIdentifier, Requirement, Template};
use scumble_progress::Work;

/// The best node, of which so many rows may be left out.
fn best(adult: &Adult, demand: Demand, rows: u64, objective: FullDomainObjective) -> FullDomainFound {
    let scales = adult.scales(adult.trees.len(), Scale::Tree);
    let ladders = scales.iter().map(|&(id, scale)| Ladder::new(&adult.table, id, scale));
    let quasi: Vec<Ladder> = ladders.collect();
    let of = QuasiIdentifier::all(scales.iter().map(|&(id, _)| id).collect());
    let found = full_domain(&FullDomain {
        table: &adult.table,
        quasi: &quasi,
        requirement: &Requirement {
            templates: vec![Template { of, demand }],
        },
        populations: &[],
        rows_left_out_at_most: rows,
        objective,
        work: Work::unwatched(),
    });
    found.expect("one group of all rows keeps the requirement")
}

fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: Vec::new() }
}

/// The optimum of ARX with its loss metric, no row left out. The domain of a column is the leaves of its tree: 100 ages, of
/// which the data has 72.
#[test]
fn the_optimum_is_that_of_arx() {
    let Some(adult) = Adult::load() else { return };
    for (k, loss) in [(5, 0.6355), (10, 0.6355), (50, 0.6355), (100, 0.6985)] {
        let found = best(&adult, anonymity(k), 0, FullDomainObjective::Loss);
        assert_eq!(found.nodes, 12_960);
        assert!((found.value - loss).abs() < 5e-5, "k = {k}: {}", found.value);
        assert!(found.looked_at < found.nodes / 20, "k = {k}: {}", found.looked_at);
    }
}

/// Looking at all 12,960 nodes, one by one, finds the same.
#[test]
fn with_rows_to_leave_out_less_is_lost() {
    let Some(adult) = Adult::load() else { return };
    let one_in_twenty = adult.table.rows() as u64 / 20;
    let found = best(&adult, anonymity(5), one_in_twenty, FullDomainObjective::Loss);
    assert!((found.value - 0.269_635).abs() < 5e-7, "{}", found.value);
    assert_eq!(found.left_out.iter().flatten().filter(|&&out| out).count(), 1_346);
    assert!(found.looked_at < found.nodes / 8, "{}", found.looked_at);
}
