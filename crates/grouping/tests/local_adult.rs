//! `Local` on Adult, where the data is there. Bounds are a little above what is found, so that a change for the worse shows.

mod adult;

use adult::Adult;
use scumble_grouping::{Form, Local, Problem, Scale, Shape, Space, gather, recode};
use scumble_privacy::{Demand, QuasiIdentifier, Requirement, Template};
use scumble_progress::Work;
use scumble_table::{ColumnId, Taxonomy};

/// The loss metric and the certainty penalty of the first columns, averaged over their cells, in groups of `k`.
fn losses(adult: &Adult, columns: usize, k: u64, form: Form) -> (f64, f64) {
    let scale: fn(&Taxonomy) -> Scale = match form {
        Form::Set => |tree| Scale::Leaves(tree),
        _ => |tree| Scale::Tree(tree),
    };
    let space = Space::new(&adult.table, &adult.scales(columns, scale));
    let template = Template {
        of: QuasiIdentifier::all((0..columns).map(ColumnId).collect()),
        demand: Demand::Anonymity { k, per: Vec::new() },
    };
    let problem = Problem {
        table: &adult.table,
        space: &space,
        requirement: &Requirement {
            templates: vec![template],
        },
        rows_left_out_at_most: 0,
        seed: 1,
        work: Work::unwatched(),
    };
    let grouping = gather(&Local, &problem).expect("all rows as one group are enough");
    assert_eq!(grouping.left_out(), None);
    let groups = grouping.rows();
    let losses = groups
        .iter()
        .map(|rows| rows.len() as f64 * space.loss(&space.hull(rows)));
    let penalties = adult.trees.iter().take(columns).enumerate().map(|(place, tree)| {
        let shape = Shape {
            form,
            taxonomy: Some(tree),
            range: None,
        };
        recode(adult.table.column(ColumnId(place)), shape, &groups).penalty
    });
    (
        losses.sum::<f64>() / adult.table.rows() as f64,
        penalties.sum::<f64>() / columns as f64,
    )
}

#[test]
fn ten_rows_alike_lose_less_than_a_thirteenth() {
    let Some(adult) = Adult::load() else { return };
    let (loss, _) = losses(&adult, 9, 10, Form::Ancestor);
    assert!(loss <= 0.0747, "{loss}");
}

#[test]
fn many_rows_alike_lose_more() {
    let Some(adult) = Adult::load() else { return };
    for (k, bound) in [(50, 0.1475), (100, 0.1900)] {
        let (loss, _) = losses(&adult, 9, k, Form::Ancestor);
        assert!(loss <= bound, "k = {k}: {loss}");
    }
}

/// Eight columns, the class aside, in groups of ten.
#[test]
fn nodes_stand_for_little_of_their_domain() {
    let Some(adult) = Adult::load() else { return };
    let (_, penalty) = losses(&adult, 8, 10, Form::Ancestor);
    assert!(penalty < 0.079, "{penalty}");
}

/// The same columns, but only every third row: sets take longer.
#[test]
fn sets_stand_for_less() {
    let Some(adult) = Adult::each(3) else { return };
    let (_, penalty) = losses(&adult, 8, 10, Form::Set);
    assert!(penalty < 0.055, "{penalty}");
}
