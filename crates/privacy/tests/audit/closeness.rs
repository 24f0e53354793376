//! Closeness: the earth mover's distance between a group and the whole release.

use scumble_privacy::{Demand, Distance, Finding};

use crate::example::{Example, assert_close, released, tree};

fn closeness(people: &Example, of: &str, at_most: f64, distance: Distance) -> Finding {
    let about = people.column("about");
    let demand = Demand::Closeness {
        about,
        at_most,
        distance,
    };
    people.finding(of, demand)
}

/// The larger distance of two groups with these salaries.
fn of_salaries(group: &str, others: &str) -> f64 {
    let line = |zip: &str, salary: &str| format!("{zip} {salary}\n");
    let rows = group.split(' ').map(|salary| line("a", salary));
    let rows = rows.chain(others.split(' ').map(|salary| line("b", salary)));
    let people = released(&("zip about\n".to_owned() + &rows.collect::<String>()));
    closeness(&people, "zip", 1.0, Distance::Ordered).level
}

/// Li, Li, Venkatasubramanian 2007, section 5: nine salaries from 3 to 11. {3, 4, 5} has
/// cumulated differences 2, 4, 6, 5, 4, 3, 2, 1 ninths, 27/9 in all, over 8 steps: 0.375.
/// {6, 8, 11}: 1, 2, 3, 1, 2, 0, 1, 2 ninths, 12/9 over 8: 0.167. The group of the rest is nearer in both.
#[test]
fn the_salaries_of_the_paper() {
    assert_close(of_salaries("3 4 5", "6 7 8 9 10 11"), 0.375);
    assert_close(of_salaries("6 8 11", "3 4 5 7 9 10"), 12.0 / 9.0 / 8.0);
}

/// Numbers are in the order of numbers: 9 is between 1 and 10, each a third of the whole. From {9, 9} a third must pass
/// to either side, over two steps: 1/3. In the order of bytes 9 would be at the end, and the distance 1/2.
#[test]
fn order_is_value_order() {
    assert_close(of_salaries("9 9", "1 1 10 10"), 1.0 / 3.0);
}

/// Flu is 2/4 of the first group, 1/2 of the whole: alike. HIV is 2/4 of it and 1/4 of the whole, Cough none and 1/4: a
/// quarter of the rows must change.
#[test]
fn equal_distance_is_the_share_that_must_change() {
    let people = released(
        "zip about #
         a   Flu   2
         a   HIV   2
         b   Flu   2
         b   Cough 2",
    );
    let finding = closeness(&people, "zip", 0.25, Distance::Equal);
    assert_close(finding.level, 0.25);
    assert!(finding.holds);
    assert!(!closeness(&people, "zip", 0.2, Distance::Equal).holds);
}

/// One row either side: of 8 rows, half Flu, the groups are 2:2 and 2:2; moving one row between makes 3:1, a distance
/// of 1/4.
#[test]
fn one_row_either_side() {
    let level = |flu: u32| {
        let hiv = 4 - flu;
        let people = released(&format!(
            "zip about #\n a Flu {flu}\n a HIV {hiv}\n b Flu {hiv}\n b HIV {flu}"
        ));
        closeness(&people, "zip", 0.2, Distance::Equal)
    };
    assert_eq!([level(1).holds, level(2).holds, level(3).holds], [false, true, false]);
    assert_close(level(2).level, 0.0);
    assert_close(level(3).level, 0.25);
}

const DISEASES: &str = "
    Any
      Lung
        Flu
        Bronchitis
      Stomach
        Ulcer
        Gastritis";

/// Siblings are at 1/2, others at 1. The whole has each disease once in four. {Flu, Bronchitis} must send half its rows
/// to the stomach: 1/2·1. {Flu, Ulcer} must send a quarter from Flu to Bronchitis and one from Ulcer to Gastritis:
/// 2·1/4·1/2 = 1/4. With equal distances both are 1/2.
#[test]
fn by_tree_a_sibling_is_nearer() {
    let tree = tree(DISEASES);
    let people = released(
        "by_organ half about
         lung     x    Flu
         lung     y    Bronchitis
         stomach  x    Ulcer
         stomach  y    Gastritis",
    );
    let level = |of, distance| closeness(&people, of, 1.0, distance).level;
    assert_close(level("by_organ", Distance::Taxonomy(tree.clone())), 0.5);
    assert_close(level("half", Distance::Taxonomy(tree)), 0.25);
    assert_close(level("by_organ", Distance::Equal), 0.5);
    assert_close(level("half", Distance::Equal), 0.5);
}

/// Half of the rows must turn from missing into Flu, all the way over the root.
#[test]
fn the_missing_value_is_under_the_root() {
    let people = released("zip about\n a Flu\n b -");
    assert_close(
        closeness(&people, "zip", 1.0, Distance::Taxonomy(tree(DISEASES))).level,
        0.5,
    );
}

#[test]
fn one_value_alone_has_no_distance() {
    let people = released("zip about\n a Flu\n b Flu");
    for distance in [Distance::Equal, Distance::Ordered, Distance::Taxonomy(tree(DISEASES))] {
        assert_close(closeness(&people, "zip", 0.0, distance).level, 0.0);
    }
}
