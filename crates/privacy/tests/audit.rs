//! The audit, at the bound and one row either side of it, and against a plain recount.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use scumble_privacy::{Anonymity, Requirement, Template, audit, recount};
use scumble_table::{Column, ColumnId, Mask, Released, Table, ValueOrder};

/// A release of whitespace-separated cells; `-` is a missing value.
fn released(columns: usize, text: &str) -> Released {
    let cells: Vec<Option<&str>> = text
        .split_whitespace()
        .map(|cell| (cell != "-").then_some(cell))
        .collect();
    let rows = cells.len() / columns;
    let column = |at: usize| {
        let own = (0..rows).map(|row| cells[row * columns + at]);
        Column::from_cells(&format!("c{at}"), ValueOrder::Natural, own)
    };
    let table = Table::new(rows, (0..columns).map(column).collect());
    Released::new(table, &vec![(Mask::Exact, None, true); columns], None)
}

fn anonymity(k: u64, of: &[usize], per: &[usize]) -> Requirement {
    let ids = |places: &[usize]| places.iter().copied().map(ColumnId).collect();
    Requirement {
        templates: vec![Template::Anonymity(Anonymity {
            k,
            of: ids(of),
            per: ids(per),
        })],
    }
}

const GROUPS: &str = "
    Professional  F
    Professional  F
    Professional  F
    Manager       F
    Manager       F";

#[test]
fn the_bound_itself_holds_and_one_more_does_not() {
    let at_bound = audit(released(2, GROUPS), &anonymity(2, &[0, 1], &[])).unwrap();
    assert_eq!(at_bound.findings()[0].level, 2);
    assert_eq!(at_bound.release().rows(), 5);
    let above = audit(released(2, GROUPS), &anonymity(3, &[0, 1], &[])).unwrap_err();
    assert_eq!((above.findings[0].level, above.findings[0].holds), (2, false));
}

/// One template that fails is enough to stop a release, whatever the others say.
#[test]
fn every_template_must_hold() {
    let mut requirement = anonymity(5, &[1], &[]);
    assert!(audit(released(2, GROUPS), &requirement).is_ok());
    requirement.templates.extend(anonymity(3, &[0], &[]).templates);
    let failed = audit(released(2, GROUPS), &requirement).unwrap_err();
    assert_eq!(
        failed.findings.iter().map(|finding| finding.holds).collect::<Vec<_>>(),
        [true, false]
    );
}

/// Four rows, but all about one patient: anonymity per patient is 1.
#[test]
fn per_counts_different_people_not_rows() {
    let visits = "a p1  a p1  a p1  a p1  b p2  b p3";
    assert_eq!(recount(&released(2, visits), &anonymity(2, &[0], &[]))[0].level, 2);
    assert_eq!(recount(&released(2, visits), &anonymity(2, &[0], &[1]))[0].level, 1);
}

#[test]
fn a_missing_value_is_a_value_that_a_reader_sees() {
    assert_eq!(recount(&released(1, "a a a - -"), &anonymity(2, &[0], &[]))[0].level, 2);
    assert_eq!(recount(&released(1, "a a a -"), &anonymity(2, &[0], &[]))[0].level, 1);
}

/// Two codes with one label are one value to a reader, so the audit counts labels, not codes.
#[test]
fn labels_are_counted_not_codes() {
    let column = Column::from_cells("c", ValueOrder::Natural, ["a", "b", "c"].map(Some));
    let table = Table::new(3, vec![column]);
    let released = Released::new(table, &[(Mask::Suppress(vec![Some("c".into())]), None, true)], None);
    assert_eq!(recount(&released, &anonymity(1, &[0], &[]))[0].level, 1);
    assert_eq!(released.columns()[0].labels().len(), 2);
}

#[test]
fn nothing_released_gives_nobody_away() {
    let table = Table::new(1, vec![Column::from_cells("c", ValueOrder::Natural, [Some("a")])]);
    let nothing = Released::new(table, &[(Mask::Exact, None, true)], Some(&[true]));
    assert!(audit(nothing, &anonymity(5, &[0], &[])).is_ok());
}

/// Columns with so many values that pairs of groups and labels are looked up by hash instead of directly.
#[test]
fn many_groups_times_many_labels() {
    let text: String = (0..6000)
        .map(|row| format!("v{} w{} ", row / 2, row / 2 * 7 % 3000))
        .collect();
    assert_eq!(recount(&released(2, &text), &anonymity(2, &[0, 1], &[]))[0].level, 2);
    assert_eq!(
        recount(&released(2, &format!("{text} v1 w1")), &anonymity(2, &[0, 1], &[]))[0].level,
        1
    );
}

/// The audit by definition.
fn plain(rows: &[Vec<u8>], of: &[usize], per: &[usize]) -> u64 {
    let key = |row: &Vec<u8>, columns: &[usize]| columns.iter().map(|&column| row[column]).collect::<Vec<u8>>();
    let mut groups: BTreeMap<Vec<u8>, (u64, BTreeSet<Vec<u8>>)> = BTreeMap::new();
    for row in rows {
        let group = groups.entry(key(row, of)).or_default();
        group.0 += 1;
        group.1.insert(key(row, per));
    }
    let level = |(rows, people): &(u64, BTreeSet<Vec<u8>>)| if per.is_empty() { *rows } else { people.len() as u64 };
    groups.values().map(level).min().unwrap()
}

proptest! {
    #[test]
    fn the_level_is_that_of_a_plain_recount(
        rows in prop::collection::vec(prop::collection::vec(0u8..4, 4), 1..60),
        of in prop::sample::subsequence(vec![0, 1, 2, 3], 1..4),
        per in prop::sample::subsequence(vec![0, 1, 2, 3], 0..3),
    ) {
        let text: Vec<String> = rows.iter().flatten().map(|cell| format!("v{cell}")).collect();
        let found = recount(&released(4, &text.join(" ")), &anonymity(1, &of, &per));
        prop_assert_eq!(found[0].level, plain(&rows, &of, &per));
    }
}
