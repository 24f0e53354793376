//! The worked examples of Loukides' thesis, under the numbers of its tables.
//!
//! Some numbers that the thesis prints do not follow from its own definitions: MPM of Table 3.3, UM of Table 3.10, and DM
//! of Tables 2.2 and 2.3, which it calls equal. Here they are as the definitions have them. Section 5.1 is with the
//! contributions that it defines, in `crates/level/tests/range_diversity.rs`.

mod example;

use example::{Example, numbers, tree, words};
use scumble_utility::{InformationLoss, Role, information_loss};

/// Figures 2.2 and 3.2: 21 postcodes in three districts.
fn postcodes() -> String {
    let district = |code: u32| match code {
        10..=15 => "NW[10-15]",
        16..=19 => "NW[16-19]",
        _ => "NW[20-30]",
    };
    (10..=30)
        .map(|code| format!("NW{code};{};*\n", district(code)))
        .collect()
}

const TABLE_2_1: &str = "NW10;10
    NW15;10
    NW12;10
    NW13;10
    NW20;20
    NW30;40
    NW30;40
    NW25;30";

fn loss_of_postcodes(released: &str) -> InformationLoss {
    let columns = vec![
        tree("Postcode", Role::Quasi, &postcodes()),
        numbers("Salary", Role::Sensitive, 10.0, 40.0),
    ];
    let example = Example::new(columns, TABLE_2_1, released);
    information_loss(&example.comparison(), Some(4))
}

fn table_2_2() -> InformationLoss {
    loss_of_postcodes("*;10\n*;10\n*;10\n*;10\n*;20\n*;40\n*;40\n*;30")
}

fn table_2_3() -> InformationLoss {
    loss_of_postcodes(
        "NW[10-15];10
        NW[10-15];10
        NW[10-15];10
        NW[10-15];10
        NW[20-30];20
        NW[20-30];40
        NW[20-30];40
        NW[20-30];30",
    )
}

#[test]
fn discernibility_and_average_group_size_of_tables_2_2_and_2_3() {
    assert_eq!((table_2_2().discernibility, table_2_3().discernibility), (64, 32));
    assert_eq!(
        (table_2_2().average_group_size, table_2_3().average_group_size),
        (Some(2.0), Some(1.0))
    );
}

/// Districts are half way up the tree of Figure 2.2, `*` is its root.
#[test]
fn generalization_cost_of_tables_2_2_and_2_3() {
    let [first, second] = [table_2_2(), table_2_3()].map(|loss| loss.generalization_cost.unwrap());
    assert_eq!((first.sum, first.mean), (8.0, 1.0));
    assert_eq!((second.sum, second.mean), (4.0, 0.5));
}

/// NW[10-15] has 6 of 21 postcodes, NW[20-30] has 11: the first group loses less.
#[test]
fn certainty_penalty_of_table_2_3() {
    let penalty = table_2_3().certainty_penalty;
    assert!((penalty.sum - 4.0 * (6.0 + 11.0) / 21.0).abs() < 1e-12);
    assert_eq!(table_2_2().certainty_penalty.mean, 1.0);
}

const TABLE_2_4: &str = "15;NW10;Y
    30;NW15;N
    30;NW12;Y
    15;NW13;N
    40;NW20;Y
    80;NW30;N
    80;NW30;N
    40;NW25;Y";

fn classification(released: &str) -> Option<f64> {
    let columns = vec![
        numbers("Age", Role::Quasi, 15.0, 80.0),
        words("Postcode", Role::Quasi),
        words("Mortgage", Role::Class),
    ];
    let example = Example::new(columns, TABLE_2_4, released);
    information_loss(&example.comparison(), None).classification_metric
}

#[test]
fn classification_metric_of_tables_2_6_and_2_7() {
    let table_2_6 = "15;NW[10-13];Y
        15;NW[10-13];N
        30;NW[12-15];N
        30;NW[12-15];Y
        [40-80];NW[20-30];Y
        [40-80];NW[20-30];N
        [40-80];NW[20-30];N
        [40-80];NW[20-30];Y";
    let table_2_7 = "[15-30];NW[10-12];Y
        [15-30];NW[10-12];Y
        [15-30];NW[13-15];N
        [15-30];NW[13-15];N
        [40-80];NW[20-25];Y
        [40-80];NW[20-25];Y
        [40-80];NW[30];N
        [40-80];NW[30];N";
    assert_eq!(classification(table_2_6), Some(4.0 / 8.0));
    assert_eq!(classification(table_2_7), Some(0.0));
}

const TABLE_3_1: &str = "30;NW10;10
    32;NW15;10
    37;NW12;10
    40;NW13;10
    45;NW20;20
    46;NW30;40
    57;NW30;40
    60;NW25;30";

fn loss_of_table_3_1(released: &str) -> InformationLoss {
    let columns = vec![
        numbers("Age", Role::Quasi, 30.0, 60.0),
        tree("Postcode", Role::Quasi, &postcodes()),
        numbers("Salary", Role::Sensitive, 10.0, 40.0),
    ];
    let example = Example::new(columns, TABLE_3_1, released);
    information_loss(&example.comparison(), Some(4))
}

/// Example 3.1.1: UM is 95/240. The second group is the worse one: (15/30 + 10/20) / 2.
#[test]
fn utility_measure_of_table_3_2() {
    let loss = loss_of_table_3_1(
        "[30-40];NW[10-15];10
        [30-40];NW[10-15];10
        [30-40];NW[10-15];10
        [30-40];NW[10-15];10
        [45-60];NW[20-30];20
        [45-60];NW[20-30];40
        [45-60];NW[20-30];40
        [45-60];NW[20-30];30",
    );
    assert!((loss.utility_measure.unwrap() - 95.0 / 240.0).abs() < 1e-12);
    assert_eq!(loss.worst_group_utility, Some(0.5));
    // The first group all earn 10; the second from 20 to 40, of 10 to 40.
    assert!((loss.max_range_protection.unwrap() - (1.0 + 1.0 / 3.0) / 2.0).abs() < 1e-12);
}

/// Example 3.1.3: the same height in the tree, and yet 0.25 and 0.5.
#[test]
fn utility_measure_tells_districts_of_one_level_apart() {
    for (postcode, district, expected) in [("NW10", "NW[10-15]", 0.25), ("NW20", "NW[20-30]", 0.5)] {
        let columns = vec![tree("Postcode", Role::Quasi, &postcodes())];
        let rows = |cell: &str| format!("{cell}\n{cell}");
        let example = Example::new(columns, &rows(postcode), &rows(district));
        assert_eq!(
            information_loss(&example.comparison(), None).utility_measure,
            Some(expected)
        );
    }
}

/// Example 3.1.4 takes 30 for the highest salary of the second group. It is 40, of t7, so both groups span all
/// salaries.
#[test]
fn max_range_protection_of_table_3_3() {
    let loss = loss_of_table_3_1(
        "[30-46];*;10
        [30-46];*;10
        [30-46];*;20
        [30-46];*;40
        [37-60];*;10
        [37-60];*;10
        [37-60];*;40
        [37-60];*;30",
    );
    assert_eq!(loss.groups, 2);
    assert_eq!(loss.max_range_protection, Some(0.0));
}

const TABLE_3_8: &str = "10;170;NW30;20
    15;175;NW32;20
    15;170;NW30;65
    20;175;NW32;65
    20;170;NW30;20
    25;175;NW32;20
    25;170;NW30;65
    30;175;NW32;65";

fn loss_of_table_3_8(released: &str) -> InformationLoss {
    let columns = vec![
        numbers("Age", Role::Quasi, 10.0, 30.0),
        numbers("Height", Role::Quasi, 170.0, 175.0),
        tree("Postcode", Role::Quasi, "NW30;NW[30-32]\nNW32;NW[30-32]\n"),
        numbers("Salary", Role::Sensitive, 20.0, 65.0),
    ];
    let example = Example::new(columns, TABLE_3_8, released);
    information_loss(&example.comparison(), Some(2))
}

#[test]
fn utility_and_protection_of_table_3_9() {
    let loss = loss_of_table_3_8(
        "[10-15];[170-175];NW[30-32];20
        [10-15];[170-175];NW[30-32];20
        [15-20];[170-175];NW[30-32];65
        [15-20];[170-175];NW[30-32];65
        [20-25];[170-175];NW[30-32];20
        [20-25];[170-175];NW[30-32];20
        [25-30];[170-175];NW[30-32];65
        [25-30];[170-175];NW[30-32];65",
    );
    assert_eq!(
        (loss.utility_measure, loss.max_range_protection),
        (Some(0.75), Some(1.0))
    );
}

/// The thesis prints UM 0.25, which is the Q-diversity of Age alone; over three columns it is 1/12.
#[test]
fn utility_and_protection_of_table_3_10() {
    let loss = loss_of_table_3_8(
        "[10-15];170;NW30;20
        [10-15];170;NW30;65
        [15-20];175;NW32;20
        [15-20];175;NW32;65
        [20-25];170;NW30;20
        [20-25];170;NW30;65
        [25-30];175;NW32;20
        [25-30];175;NW32;65",
    );
    assert!((loss.utility_measure.unwrap() - 1.0 / 12.0).abs() < 1e-12);
    assert_eq!(loss.max_range_protection, Some(0.0));
}
