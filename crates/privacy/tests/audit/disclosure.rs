//! Delta-disclosure and beta-likeness: the share p of a value in a group against its share q in the whole release.

use scumble_privacy::{Demand, Finding};

use crate::example::{Example, assert_close, released};

/// HIV is 1 of 4 in the whole; 1 of 8 in the first group, 3 of 8 in the second.
const PATIENTS: &str = "
    zip disease #
    a   HIV     1
    a   Flu     7
    b   HIV     3
    b   Flu     5";

fn delta(people: &Example, below: f64) -> Finding {
    let about = people.column("disease");
    people.finding("zip", Demand::DeltaDisclosure { about, below })
}

fn beta(people: &Example, at_most: f64, enhanced: bool) -> Finding {
    let about = people.column("disease");
    let demand = Demand::BetaLikeness {
        about,
        at_most,
        enhanced,
    };
    people.finding("zip", demand)
}

/// HIV is half as frequent in the first group: ln 2. In the second it is 3/2 as frequent: ln 1.5, less.
#[test]
fn delta_is_the_largest_ratio_either_way() {
    assert_close(delta(&released(PATIENTS), 1.0).level, 2f64.ln());
}

/// The bound is not reached: ln 2 itself does not hold.
#[test]
fn delta_at_the_bound_and_either_side() {
    let holds = |below: f64| delta(&released(PATIENTS), below).holds;
    assert_eq!([holds(2f64.ln()), holds(0.7), holds(0.69)], [false, true, false]);
}

/// Whoever is in a group without Cough is known not to have it.
#[test]
fn a_value_that_a_group_lacks_is_infinite_disclosure() {
    let people = released("zip disease #\n a HIV 1\n a Flu 1\n a Cough 1\n b HIV 1\n b Flu 1");
    let finding = delta(&people, 1e9);
    assert_eq!((finding.level, finding.holds), (f64::INFINITY, false));
}

/// The gain of HIV is (3/8 − 1/4)/(1/4) = 1/2; that of Flu is (7/8 − 3/4)/(3/4) = 1/6. What becomes rarer is no gain, and
/// a value that a group lacks none either.
#[test]
fn beta_is_the_largest_gain() {
    let people = released(PATIENTS);
    assert_close(beta(&people, 0.5, false).level, 0.5);
    assert!(beta(&people, 0.5, false).holds);
    assert!(!beta(&people, 0.49, false).holds);
    let lacking = released("zip disease #\n a HIV 1\n a Flu 1\n b Flu 2");
    assert_close(beta(&lacking, 1.0, false).level, 1.0);
}

/// HIV may gain −ln(1/4) = 1.39 and gains 1/2; Flu may gain −ln(3/4) = 0.288 and gains 1/6: enhanced is as basic. With
/// only Flu in the first group, Flu gains 1/3: more than 0.288, though far less than a beta of 2.
#[test]
fn enhanced_holds_frequent_values_closer() {
    assert_close(beta(&released(PATIENTS), 2.0, true).level, 0.5);
    let people = released("zip disease #\n a Flu 8\n b HIV 4\n b Flu 4");
    assert_close(beta(&people, 2.0, false).level, 1.0);
    let finding = beta(&people, 2.0, true);
    assert_eq!((finding.level, finding.holds), (f64::INFINITY, false));
}

/// One row of HIV more or less in the second group, the whole being as it is.
#[test]
fn beta_one_row_either_side() {
    let holds = |hiv: u32| {
        let (flu, other_hiv, other_flu) = (8 - hiv, 4 - hiv, 4 + hiv);
        let lines = format!("a HIV {other_hiv}\n a Flu {other_flu}\n b HIV {hiv}\n b Flu {flu}");
        beta(&released(&("zip disease #\n".to_owned() + &lines)), 0.5, false).holds
    };
    assert_eq!([holds(2), holds(3), holds(4)], [true, true, false]);
}
