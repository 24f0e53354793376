//! Releases at the edge: empty, all in one group, of one value, with rows left out; and the figures that must be one.

mod example;

use example::{Example, numbers, tree, words};
use scumble_progress::Work;
use scumble_table::{
    Cut, Discretized, Mask, Range, ReleasedColumn, SensitiveDomain, SensitiveRange, SensitiveRanges, Table, Written,
    taxonomy,
};
use scumble_utility::{
    Compared, Comparison, Domain, Role, Tally, associations, column_changes, group_sizes, information_loss,
    range_diversity,
};

const JOBS: &str = "Engineer;Professional;ANY\nLawyer;Professional;ANY\nJanitor;ANY\n";

fn people(after: &str) -> Example {
    let columns = vec![
        numbers("age", Role::Quasi, 20.0, 60.0),
        tree("job", Role::Quasi, JOBS),
        words("disease", Role::Sensitive),
        words("class", Role::Class),
    ];
    let before = "20;Engineer;Flu;yes
        30;Lawyer;HIV;no
        60;Janitor;Flu;no
        ;;;yes";
    Example::new(columns, before, after)
}

#[test]
fn a_release_of_the_data_itself_loses_nothing() {
    let example = people("20;Engineer;Flu;yes\n30;Lawyer;HIV;no\n60;Janitor;Flu;no\n;;;yes");
    let comparison = example.comparison();
    let loss = information_loss(&comparison, None);
    assert_eq!((loss.discernibility, loss.average_group_size), (4, Some(1.0)));
    assert_eq!(
        (loss.certainty_penalty.sum, loss.loss_metric, loss.utility_measure),
        (0.0, 0.0, Some(0.0))
    );
    assert_eq!(
        (loss.categorical_distortion, loss.continuous_distortion),
        (Some(0.0), Some(0.0))
    );
    assert_eq!(loss.classification_metric, Some(0.0));
    for change in column_changes(&comparison) {
        assert_eq!(
            (change.cells_changed, change.unknown_cells),
            (0.0, 0),
            "{}",
            change.column
        );
        assert!(change.distribution_distance < 1e-12, "{}", change.column);
    }
    let associations = associations(&comparison, &example.before, Work::unwatched()).unwrap();
    assert_eq!(associations.mean_absolute_change, Some(0.0));
}

/// Leaving everything out costs as much as suppressing everything, and no group is there to be measured.
#[test]
fn a_release_without_rows_loses_everything() {
    let example = people("");
    let comparison = example.comparison();
    let loss = information_loss(&comparison, Some(2));
    assert_eq!((loss.rows_left_out, loss.groups, loss.discernibility), (4, 0, 16));
    assert_eq!(
        (loss.average_group_size, loss.utility_measure, loss.worst_group_utility),
        (None, None, None)
    );
    assert_eq!(
        (loss.certainty_penalty.mean, loss.loss_metric, loss.max_range_protection),
        (1.0, 1.0, None)
    );
    assert_eq!(loss.generalization_cost.unwrap().mean, 1.0);
    assert_eq!(loss.classification_metric, Some(1.0));
    // Depths 2 + 2 + 1, and 1 for the missing job.
    assert_eq!(
        (loss.categorical_distortion, loss.continuous_distortion),
        (Some(6.0 / 4.0), Some(1.0))
    );
    for change in column_changes(&comparison) {
        assert_eq!(
            (change.cells_changed, change.distribution_distance),
            (1.0, 1.0),
            "{}",
            change.column
        );
    }
    let sizes = group_sizes(comparison.groups());
    assert_eq!((sizes.groups, sizes.largest), (0, 0));
    let range = range_diversity(&comparison, "disease", &steps_up(0)).unwrap();
    assert_eq!((range.worst_group, range.mean), (None, None));
}

#[test]
fn all_rows_in_one_group_are_as_lost_as_can_be() {
    let example = people("*;ANY;Flu;yes\n*;ANY;HIV;no\n*;ANY;Flu;no\n*;ANY;;yes");
    let loss = information_loss(&example.comparison(), Some(2));
    assert_eq!(
        (loss.groups, loss.discernibility, loss.average_group_size),
        (1, 16, Some(2.0))
    );
    assert_eq!(
        (
            loss.certainty_penalty.mean,
            loss.utility_measure,
            loss.worst_group_utility
        ),
        (1.0, Some(1.0), Some(1.0))
    );
    assert_eq!(loss.max_range_protection, Some(0.0));
    assert_eq!(loss.classification_metric, Some(0.5));
}

/// Data without rows, or without columns of a kind, has figures too, or says that it has none.
#[test]
fn nothing_is_measured_of_nothing() {
    let example = Example::new(vec![words("disease", Role::Sensitive)], "", "");
    let comparison = example.comparison();
    let loss = information_loss(&comparison, None);
    assert_eq!(
        (loss.discernibility, loss.certainty_penalty.mean, loss.loss_metric),
        (0, 0.0, 0.0)
    );
    assert_eq!(
        (
            loss.generalization_cost,
            loss.categorical_distortion,
            loss.continuous_distortion
        ),
        (None, None, None)
    );
    assert_eq!((loss.classification_metric, loss.max_range_protection), (None, None));
    let change = &column_changes(&comparison)[0];
    assert_eq!((change.cells_changed, change.distribution_distance), (0.0, 0.0));
    let associations = associations(&comparison, &example.before, Work::unwatched()).unwrap();
    assert_eq!((associations.pairs.len(), associations.mean_absolute_change), (0, None));
}

/// A constant column and a tree of one leaf have nothing to lose but to `*`.
#[test]
fn domains_of_one_value() {
    let columns = || {
        vec![
            numbers("year", Role::Quasi, 2020.0, 2020.0),
            tree("country", Role::Quasi, "UK;ANY\n"),
        ]
    };
    let shown = Example::new(columns(), "2020;UK\n2020;UK", "[2020, 2020];ANY\n2020;UK");
    let loss = information_loss(&shown.comparison(), None);
    assert_eq!((loss.certainty_penalty.sum, loss.loss_metric), (0.0, 0.0));
    assert_eq!(loss.categorical_distortion, Some(0.5));
    let changes = column_changes(&shown.comparison());
    assert!(changes.iter().all(|change| change.distribution_distance == 0.0));
    let hidden = Example::new(columns(), "2020;UK\n2020;UK", "*;*\n*;*");
    assert_eq!(information_loss(&hidden.comparison(), None).certainty_penalty.mean, 1.0);
}

/// What the certificate calls information loss is the mean NCP, if no row is left out.
#[test]
fn the_mean_penalty_is_that_of_the_masks() {
    let example = people("");
    let jobs = taxonomy::parse(JOBS, taxonomy::Format::Levels).unwrap();
    let range = Range::new(20.0, 60.0).unwrap();
    let professional = Cut::parse(&jobs, ["Professional", "Janitor"]).unwrap();
    let masks = [
        Mask::Discretize(Discretized::Intervals(range.tile(&[30.0]))),
        Mask::Generalize(professional),
        Mask::Suppress(vec![Some("Flu".into())]),
        Mask::Exact,
    ];
    let released: Vec<ReleasedColumn> = example
        .before
        .columns()
        .iter()
        .zip(&masks)
        .map(|(column, mask)| ReleasedColumn::new(column.clone(), mask, Some(&jobs), true))
        .collect();
    let certificate: f64 = released[..3].iter().map(ReleasedColumn::penalty).sum::<f64>() / 3.0;
    let read = Table::new(4, released.iter().map(ReleasedColumn::as_read).collect());
    let domains = [
        Domain::Continuous(range),
        Domain::Tree(&jobs),
        Domain::Flat,
        Domain::Flat,
    ];
    let columns = (0..3).map(|place| Compared {
        name: &read.columns()[place].name,
        role: Role::Quasi,
        domain: domains[place],
        before: Tally::of(&example.before.columns()[place]),
        after: &read.columns()[place],
        written: Written::Any,
    });
    let comparison = Comparison::new(4, 4, columns.collect());
    let measured = information_loss(&comparison, None).certainty_penalty.mean;
    assert!(certificate > 0.0);
    assert!((measured - certificate).abs() < 1e-12);
}

/// So many steps up, without a tree.
fn steps_up(level: u32) -> SensitiveRanges {
    SensitiveRanges::new(SensitiveDomain::Values, SensitiveRange::Level(level)).unwrap()
}

/// Of four diseases any two are a third of the way apart; one step up is all of them.
#[test]
fn values_without_a_tree_are_all_equally_far_apart() {
    let columns = vec![words("job", Role::Quasi), words("disease", Role::Sensitive)];
    let example = Example::new(columns, "x;a\nx;b\nx;c\nx;d", "x;a\nx;a\nx;b");
    let comparison = example.comparison();
    let worst = |level| {
        let diversity = range_diversity(&comparison, "disease", &steps_up(level)).unwrap();
        diversity.worst_group.unwrap()
    };
    let near: f64 = 1.0 - 1.0 / 3.0;
    let (of_a, of_b) = (2.0 * (2.0 + near) / 3.0, (1.0 + 2.0 * near) / 3.0);
    assert!((worst(1) - (of_a + of_b) / 3.0).abs() < 1e-12);
    assert!((worst(0) - (4.0 + 1.0) / 9.0).abs() < 1e-12);
    assert_eq!(range_diversity(&comparison, "salary", &steps_up(1)), None);
}
