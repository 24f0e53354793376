//! Personal privacy: nobody is placed under their own guarding node (Xiao and Tao 2006; Fung 2.1.2).

use scumble_privacy::{Demand, Finding};

use crate::example::{Example, assert_close, released, tree};

const DISEASES: &str = "
    Any
      Infectious
        HIV
        Hepatitis
      Other
        Flu
        Ulcer";

fn personal(people: &Example, of: &str, at_most: f64) -> Finding {
    let demand = Demand::Personal {
        about: people.column("disease"),
        guarding: people.column("guard"),
        at_most,
        taxonomy: tree(DISEASES),
    };
    people.finding(of, demand)
}

/// Alice allows that she is known to have an infectious disease, but not which: she guards HIV. Bob guards nothing. One
/// of the three in the group has HIV, two have something infectious.
#[test]
fn alice_guards_hiv_and_bob_nothing() {
    let people = released(
        "zip disease   guard
         a   HIV       HIV
         a   Hepatitis -
         a   Flu       -",
    );
    assert_close(personal(&people, "zip", 0.5).level, 1.0 / 3.0);
}

/// Had she guarded every infectious disease, two of three would be under her node.
#[test]
fn a_higher_node_guards_more() {
    let people = released(
        "zip disease   guard
         a   HIV       Infectious
         a   Hepatitis HIV
         a   Flu       -",
    );
    let finding = personal(&people, "zip", 0.5);
    assert_close(finding.level, 2.0 / 3.0);
    assert!(!finding.holds);
}

/// The root guards nothing: that someone has some disease is no secret. Nor does a node that the tree lacks.
#[test]
fn the_root_and_unknown_nodes_guard_nothing() {
    let people = released("zip disease guard\n a HIV Any\n a HIV Plague\n a HIV -");
    let finding = personal(&people, "zip", 0.1);
    assert_eq!((finding.level, finding.holds), (0.0, true));
}

/// A node is guarded in the groups of those who guard it, not elsewhere.
#[test]
fn a_node_is_guarded_where_its_people_are() {
    let people = released("zip disease guard\n a HIV HIV\n a Flu -\n b HIV -\n b HIV -");
    assert_close(personal(&people, "zip", 0.5).level, 0.5);
}

/// One more row with HIV breaks one half, one more without keeps it.
#[test]
fn the_bound_and_one_row_either_side() {
    let holds = |hiv: u32, flu: u32| {
        let people = format!("zip disease guard #\n a HIV HIV 1\n a HIV - {hiv}\n a Flu - {flu}");
        personal(&released(&people), "zip", 0.5).holds
    };
    assert_eq!([holds(1, 2), holds(2, 2), holds(1, 3)], [true, false, true]);
}

/// Why it is not anti-monotone: Alice, who guards HIV, is among two with it of three. Told apart by sex, she is one
/// of two, and the others, who guard nothing, are by themselves.
#[test]
fn a_finer_release_may_be_better() {
    let people = released(
        "zip sex disease guard
         a   F   HIV     HIV
         a   F   Flu     -
         a   M   HIV     -",
    );
    assert!(!personal(&people, "zip", 0.5).holds);
    assert!(personal(&people, "zip sex", 0.5).holds);
}
