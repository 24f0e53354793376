//! `any = n`: an adversary who knows n of the columns, whichever they are.

use scumble_privacy::{Demand, QuasiIdentifier, Template};

use crate::example::{Example, assert_close, each, released};

fn level(people: &Example, any: usize, demand: Demand) -> f64 {
    let of = QuasiIdentifier {
        columns: people.columns("job sex zip"),
        any: Some(any),
    };
    people.recount(&Template { of, demand }, &[]).level
}

fn records() -> Demand {
    Demand::Anonymity { k: 2, per: vec![] }
}

/// Every value of a column is in four rows and every pair in two, but whoever knows all three columns finds one row:
/// eight people, all different.
#[test]
fn two_of_three_columns() {
    let people = released(
        "job    sex zip
         Lawyer F   1
         Lawyer F   2
         Lawyer M   1
         Lawyer M   2
         Cook   F   1
         Cook   F   2
         Cook   M   1
         Cook   M   2",
    );
    let levels = [0, 1, 2, 3].map(|any| level(&people, any, records()));
    assert_eq!(levels, [8.0, 4.0, 2.0, 1.0]);
    assert_eq!(level(&people, 7, records()), 1.0);
}

/// Only {sex, zip} tells that the women in zip 2 have HIV.
#[test]
fn the_worst_pair_counts() {
    let people = released(
        "job    sex zip disease
         Lawyer F   1   Flu
         Cook   F   1   Flu
         Lawyer F   2   HIV
         Cook   F   2   HIV
         Lawyer M   2   Flu
         Cook   M   2   Flu",
    );
    let about = || each(people.column("disease"), "HIV");
    let confidence = |any| {
        let demand = Demand::Confidence {
            at_most: 0.5,
            about: about(),
        };
        level(&people, any, demand)
    };
    assert_close(confidence(1), 0.5);
    assert_close(confidence(2), 1.0);
}
