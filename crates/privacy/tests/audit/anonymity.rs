//! Anonymity: records, or different values on `per`, in the smallest group.

use scumble_privacy::{Demand, History, Requirement, recount};
use scumble_table::{Column, Mask, Released, Table, ValueOrder};

use crate::example::{released, template};

fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: vec![] }
}

#[test]
fn the_smallest_group_is_the_level() {
    let people = released(
        "job          sex  #
         Professional F    3
         Manager      F    2",
    );
    assert_eq!(people.level("job sex", anonymity(2)), 2.0);
    assert_eq!(people.level("sex", anonymity(2)), 5.0);
    assert_eq!(people.level("", anonymity(2)), 5.0);
}

/// Four rows, but all about one patient: anonymity per patient is 1.
#[test]
fn per_counts_different_people_not_rows() {
    let visits = released(
        "zip patient #
         a   p1      4
         b   p2      1
         b   p3      1",
    );
    assert_eq!(visits.level("zip", anonymity(2)), 2.0);
    let per = visits.columns("patient");
    assert_eq!(visits.level("zip", Demand::Anonymity { k: 2, per }), 1.0);
}

#[test]
fn a_missing_value_is_a_value_that_a_reader_sees() {
    assert_eq!(released("zip #\n a 3\n - 2").level("zip", anonymity(2)), 2.0);
    assert_eq!(released("zip #\n a 3\n - 1").level("zip", anonymity(2)), 1.0);
}

/// Two codes with one label are one value to a reader, so the audit counts labels, not codes.
#[test]
fn labels_are_counted_not_codes() {
    let column = Column::from_cells("c", ValueOrder::Natural, ["a", "b", "c", "c"].map(Some));
    let suppressed = Mask::Suppress(vec![Some("c".into())]);
    let release = Released::new(Table::new(4, vec![column]), &[(suppressed, None, true)], None);
    let requirement = Requirement {
        templates: vec![template(&[0], anonymity(2))],
    };
    assert_eq!(recount(&release, &requirement, &[], &History::default())[0].level, 2.0);
}

/// Columns with so many values that pairs of groups and labels are looked up by hash instead of directly.
#[test]
fn many_groups_times_many_labels() {
    let line = |row: u32| format!("v{} w{}\n", row / 2, row / 2 * 7 % 3000);
    let text = "a b\n".to_owned() + &(0..6000).map(line).collect::<String>();
    assert_eq!(released(&text).level("a b", anonymity(2)), 2.0);
    assert_eq!(released(&(text + "v1 w1")).level("a b", anonymity(2)), 1.0);
}
