//! Diversity: how well sensitive values are represented in a group.

use scumble_privacy::{Demand, Diversity, Finding};

use crate::example::{assert_close, released};

/// The finding for one group that has each of these values so many times.
fn group(counts: &[u32], measure: Diversity) -> Finding {
    let lines = counts
        .iter()
        .enumerate()
        .map(|(value, rows)| format!("a v{value} {rows}\n"));
    let people = released(&("zip disease #\n".to_owned() + &lines.collect::<String>()));
    let about = people.column("disease");
    people.finding("zip", Demand::Diversity { about, measure })
}

/// Loukides, Table 2.3: the first group has one salary, the second three.
const SALARIES: &str = "
    postcode  salary #
    NW[10-15] 10     4
    NW[20-30] 20     1
    NW[20-30] 40     2
    NW[20-30] 30     1";

#[test]
fn a_group_with_one_salary_is_1_diverse() {
    let people = released(SALARIES);
    let about = people.column("salary");
    let level = |measure| people.level("postcode", Demand::Diversity { about, measure });
    assert_eq!(level(Diversity::Distinct { l: 2 }), 1.0);
    assert_close(level(Diversity::Entropy { l: 2.0 }), 1.0);
    assert_eq!(level(Diversity::Recursive { c: 2.0, l: 2 }), 1.0);
}

/// p-sensitive k-anonymity with p = 2 and k = 4 is two templates; Table 2.3 meets the second and not the first.
#[test]
fn p_sensitive_k_anonymity_is_anonymity_and_distinct_diversity() {
    let people = released(SALARIES);
    let (about, measure) = (people.column("salary"), Diversity::Distinct { l: 2 });
    assert!(!people.finding("postcode", Demand::Diversity { about, measure }).holds);
    assert!(
        people
            .finding("postcode", Demand::Anonymity { k: 4, per: vec![] })
            .holds
    );
}

/// Loukides, after definition 2.1.7: with frequencies 2, 1, 1, 2 < 2·(1 + 1), so (2, 2)-diverse; but not 2 < 2·1.
#[test]
fn the_second_group_is_recursive_2_2_diverse() {
    assert_eq!(group(&[1, 2, 1], Diversity::Recursive { c: 2.0, l: 2 }).level, 2.0);
}

/// With c = 1, 2 < 1·(1 + 1) is not true, only 2 < 1·(2 + 1 + 1) is. With c = 1/2 not even that is.
#[test]
fn a_smaller_c_is_stricter() {
    assert_eq!(group(&[2, 1, 1], Diversity::Recursive { c: 1.0, l: 1 }).level, 1.0);
    assert_eq!(group(&[2, 1, 1], Diversity::Recursive { c: 0.5, l: 1 }).level, 0.0);
}

/// The bound of recursion is strict: 3 < 1·3 is false; one row less of the frequent value, or one more of the rare ones,
/// makes it true.
#[test]
fn recursive_one_row_either_side() {
    let holds = |counts: &[u32]| group(counts, Diversity::Recursive { c: 1.0, l: 2 }).holds;
    assert_eq!(
        [holds(&[3, 2, 1]), holds(&[2, 2, 1]), holds(&[3, 2, 2])],
        [false, true, true]
    );
}

/// Equally frequent values are as many as they are. With shares 1/2, 1/4, 1/4 the entropy is 3/2 bits, as of 2^1.5
/// equally frequent values. Fung 5.0 has 90 HIV among 100, and calls it 1.4-diverse; it is 1.384.
#[test]
fn entropy_worked_by_hand() {
    let level = |counts: &[u32]| group(counts, Diversity::Entropy { l: 2.0 }).level;
    assert_close(level(&[5]), 1.0);
    assert_close(level(&[3, 3, 3]), 3.0);
    assert_close(level(&[2, 1, 1]), 2f64.powf(1.5));
    let two_values = -(0.9 * 0.9f64.log2() + 0.1 * 0.1f64.log2());
    assert_close(level(&[90, 10]), two_values.exp2());
    assert!((level(&[90, 10]) - 1.384).abs() < 0.0005);
}

/// Two values in equal parts are exactly 2-diverse, whatever rounding does; one row more of either and they are not.
#[test]
fn entropy_one_row_either_side() {
    let holds = |counts: &[u32]| group(counts, Diversity::Entropy { l: 2.0 }).holds;
    assert_eq!([holds(&[3, 3]), holds(&[4, 3]), holds(&[3, 3, 1])], [true, false, true]);
}

#[test]
fn distinct_one_value_either_side() {
    let holds = |counts: &[u32]| group(counts, Diversity::Distinct { l: 2 }).holds;
    assert_eq!([holds(&[9]), holds(&[9, 1]), holds(&[9, 1, 1])], [false, true, true]);
}

/// A missing diagnosis is a value of its own: a reader sees that it is missing.
#[test]
fn the_missing_value_is_one_more_value() {
    let people = released("zip disease\n a Flu\n a -");
    let (about, measure) = (people.column("disease"), Diversity::Distinct { l: 2 });
    assert_eq!(people.level("zip", Demand::Diversity { about, measure }), 2.0);
}

/// 55 < 0.55·(50 + 50) is not true: both are 55. As binary fractions it would be, by rounding.
#[test]
fn at_the_bound_of_recursive_diversity_nothing_is_rounded() {
    let level = |counts: &[u32]| group(counts, Diversity::Recursive { c: 0.55, l: 2 }).level;
    assert_eq!(level(&[55, 50, 50]), 1.0);
    assert_eq!(level(&[54, 50, 50]), 2.0);
    assert_eq!(level(&[55, 50, 51]), 2.0);
}
