//! Taxonomies built from the values of a column.

use proptest::prelude::*;
use scumble_table::taxonomy::{
    BuildError, DateLevel, Format, Ranges, dates, equal_frequency, equal_width, parse, prefixes,
};
use scumble_table::{Interval, Taxonomy, parse_number};

/// What the levels format writes, line by line.
fn lines(tree: &Taxonomy) -> Vec<String> {
    tree.to_levels().lines().map(str::to_owned).collect()
}

fn ranges(finest: usize) -> Ranges {
    Ranges::new(finest).unwrap()
}

#[test]
fn a_shorter_beginning_of_a_postcode_is_less_detail() {
    let tree = prefixes(["94107", "94110", "94301", "10001"], &[3, 4]).unwrap();
    assert_eq!(
        lines(&tree),
        [
            "10001;1000*;100**;*",
            "94107;9410*;941**;*",
            "94110;9411*;941**;*",
            "94301;9430*;943**;*"
        ]
    );
}

/// Codes of a classification: the shorter code is the heading of the longer ones.
#[test]
fn codes_of_different_lengths_share_their_beginning() {
    let tree = prefixes(["E11.9", "E11", "E1", "E10.2"], &[1, 3]).unwrap();
    assert_eq!(
        lines(&tree),
        [
            "E1;E1;E****;*",
            "E10.2;E10**;E****;*",
            "E11;E11**;E****;*",
            "E11.9;E11**;E****;*"
        ]
    );
}

#[test]
fn a_beginning_counts_characters_not_bytes() {
    let tree = prefixes(["Åre1", "Åre2"], &[1]).unwrap();
    assert_eq!(lines(&tree), ["Åre1;Å***;*", "Åre2;Å***;*"]);
}

#[test]
fn lengths_without_effect_are_left_out() {
    let plain = prefixes(["12", "13"], &[1]).unwrap();
    assert_eq!(prefixes(["13", "12", "13"], &[0, 9, 1, 2, 1]).unwrap(), plain);
    assert_eq!(lines(&prefixes(["1", "2"], &[1]).unwrap()), ["1;*", "2;*"]);
}

#[test]
fn a_value_that_reads_like_a_shortened_one_is_refused() {
    let clash = prefixes(["94107", "941**", "94110", "94***"], &[3, 2]);
    assert_eq!(clash, Err(BuildError::Clash { count: 2, first: 2 }));
    let unfit = |first| {
        Err(BuildError::Unfit {
            wanted: "text other than `*`",
            count: 1,
            first,
        })
    };
    assert_eq!(prefixes(["a", "*"], &[1]), unfit(2));
    assert_eq!(prefixes(["", "a"], &[1]), unfit(1));
}

#[test]
fn a_day_is_in_its_month_quarter_year_and_decade() {
    use DateLevel::*;
    let days = ["1984-03-05", "1979-12-31", "1984-02-29"];
    assert_eq!(
        lines(&dates(days, &[Year, Month, Decade]).unwrap()),
        [
            "1979-12-31;1979-12;1979;1970s;Any date",
            "1984-02-29;1984-02;1984;1980s;Any date",
            "1984-03-05;1984-03;1984;1980s;Any date"
        ]
    );
    assert_eq!(
        lines(&dates(["2004-04", "2004-03", "0007-12"], &[Month, Quarter, Decade]).unwrap()),
        [
            "0007-12;0007-Q4;0000s;Any date",
            "2004-03;2004-Q1;2000s;Any date",
            "2004-04;2004-Q2;2000s;Any date"
        ]
    );
}

#[test]
fn only_dates_of_the_calendar_are_dates() {
    for bad in [
        "1984",
        "1984-13",
        "1984-00-01",
        "1984-3-05",
        "1984-04-31",
        "1900-02-29",
        "1984-03-05-1",
        "84-03-05",
        "05.03.1984",
        "+984-03-05",
        "",
    ] {
        let refused = dates(["2000-02-29", bad, "x"], &[DateLevel::Year]).unwrap_err();
        assert!(
            matches!(refused, BuildError::Unfit { count: 2, first: 2, .. }),
            "{bad:?}"
        );
    }
}

#[test]
fn a_month_among_its_own_days_is_refused_and_among_others_is_a_leaf() {
    let clash = dates(["1984-03-05", "1984-03"], &[DateLevel::Month]);
    assert_eq!(clash, Err(BuildError::Clash { count: 1, first: 2 }));
    let apart = dates(["1984-03-05", "1984-04"], &[DateLevel::Month]).unwrap();
    assert_eq!(
        lines(&apart),
        ["1984-03-05;1984-03;Any date", "1984-04;1984-04;Any date"]
    );
}

#[test]
fn ranges_of_equal_width_merge_two_by_two() {
    let tree = equal_width(["100", "0", "30", "49.5", "80"], ranges(4)).unwrap();
    assert_eq!(
        lines(&tree),
        [
            "0;[0, 25);[0, 50);[0, 100]",
            "30;[25, 50);[0, 50);[0, 100]",
            "49.5;[25, 50);[0, 50);[0, 100]",
            "80;[75, 100];[50, 100];[0, 100]",
            "100;[75, 100];[50, 100];[0, 100]"
        ]
    );
}

/// Three neighbours at a time; the last of seven ranges has none to merge with.
#[test]
fn the_fanout_says_how_many_neighbours_merge() {
    let values: Vec<String> = (0..=7).map(|i| i.to_string()).collect();
    let tree = equal_width(values.iter().map(String::as_str), ranges(7).with_fanout(3).unwrap()).unwrap();
    assert_eq!(lines(&tree)[0], "0;[0, 1);[0, 3);[0, 7]");
    assert_eq!(lines(&tree)[5], "5;[5, 6);[3, 6);[0, 7]");
    assert_eq!(lines(&tree)[7], "7;7;[6, 7];[0, 7]");
}

/// Nine rows in three ranges: 18 alone is a third of them.
#[test]
fn ranges_of_equal_frequency_hold_about_equally_many_rows() {
    let ages = [("18", 3), ("19", 1), ("20", 1), ("30", 1), ("50", 2), ("90", 1)];
    let tree = equal_frequency(ages, ranges(3)).unwrap();
    assert_eq!(
        lines(&tree),
        [
            "18;[18, 19);[18, 50);[18, 90]",
            "19;[19, 50);[18, 50);[18, 90]",
            "20;[19, 50);[18, 50);[18, 90]",
            "30;[19, 50);[18, 50);[18, 90]",
            "50;50;[50, 90];[18, 90]",
            "90;90;[50, 90];[18, 90]"
        ]
    );
}

#[test]
fn texts_of_one_number_stay_in_one_range() {
    let tree = equal_frequency([("1", 1), ("1.0", 1), ("2", 2)], ranges(4)).unwrap();
    assert_eq!(
        lines(&tree),
        ["1;[1, 2);[1, 2]", "1.0;[1, 2);[1, 2]", "2;[2, 2];[1, 2]"]
    );
}

#[test]
fn one_number_makes_one_range() {
    assert_eq!(lines(&equal_width(["5"], ranges(8)).unwrap()), ["5;[5, 5]"]);
    assert_eq!(lines(&equal_frequency([("5", 3)], ranges(8)).unwrap()), ["5;[5, 5]"]);
}

#[test]
fn values_without_rows_make_one_range() {
    let tree = equal_frequency([("1", 0), ("2", 0)], ranges(4)).unwrap();
    assert_eq!(lines(&tree), ["1;[1, 2]", "2;[1, 2]"]);
}

#[test]
fn errors_count_values_and_never_show_one() {
    let refused = equal_width(["1", "secret", "2", "x"], ranges(2)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "values that are not numbers: 2, the first at position 2; mend them or leave them out"
    );
    assert_eq!(prefixes([], &[1]), Err(BuildError::NoValues));
    assert_eq!(equal_width([], ranges(2)), Err(BuildError::NoValues));
    assert_eq!(Ranges::new(0), Err(BuildError::RangeCount(0)));
    assert_eq!(
        Ranges::new(Ranges::MOST + 1),
        Err(BuildError::RangeCount(Ranges::MOST + 1))
    );
    assert_eq!(ranges(4).with_fanout(1), Err(BuildError::Fanout(1)));
}

/// Every node above a leaf but the root.
fn above(tree: &Taxonomy, leaf: &str) -> Vec<String> {
    let parents = std::iter::successors(tree.find(leaf), |&id| tree.parent(id)).skip(1);
    parents
        .filter(|&id| id != tree.root())
        .map(|id| tree.label(id).to_owned())
        .collect()
}

proptest! {
    #[test]
    fn a_shortened_code_shows_a_beginning_of_all_below_it(
        values in proptest::collection::vec("[ab*]{1,4}", 1..12),
        lengths in proptest::collection::vec(0usize..6, 0..4),
    ) {
        let Ok(tree) = prefixes(values.iter().map(String::as_str), &lengths) else {
            prop_assert!(values.iter().any(|value| value.contains('*')), "codes without * have a tree");
            return Ok(());
        };
        let longest = values.iter().map(String::len).max().unwrap();
        for value in &values {
            prop_assert!(tree.leaf(value).is_some());
            for label in above(&tree, value) {
                prop_assert_eq!(label.len(), longest);
                prop_assert!(value.starts_with(label.trim_end_matches('*')));
            }
        }
        prop_assert_eq!(parse(&tree.to_levels(), Format::Levels).unwrap(), tree);
    }

    #[test]
    fn every_range_above_a_number_contains_it(
        values in proptest::collection::vec((prop_oneof![-50.0..50.0f64, proptest::num::f64::NORMAL], 0u64..9), 1..40),
        finest in 1usize..20,
        fanout in 2usize..5,
        by_width in any::<bool>(),
    ) {
        let values: Vec<(String, u64)> = values.iter().map(|(number, rows)| (number.to_string(), *rows)).collect();
        let counted = values.iter().map(|(value, rows)| (value.as_str(), *rows));
        let ranges = ranges(finest).with_fanout(fanout).unwrap();
        let tree = if by_width {
            equal_width(counted.map(|(value, _)| value), ranges)
        } else {
            equal_frequency(counted, ranges)
        }
        .unwrap();
        for (value, _) in &values {
            let mut inside = None;
            for label in above(&tree, value) {
                let range = Interval::parse(&label).unwrap();
                prop_assert!(range.contains(parse_number(value).unwrap()), "{} in {}", value, label);
                prop_assert!(inside.is_none_or(|inner: Interval| range.from <= inner.from && inner.to <= range.to));
                inside = Some(range);
            }
        }
        let numbers: Vec<f64> = tree.leaves().map(|leaf| parse_number(leaf).unwrap()).collect();
        prop_assert!(numbers.is_sorted());
    }

    /// A slow count: no range of more than one number holds more than its share and one number's rows.
    #[test]
    fn a_range_of_equal_frequency_exceeds_its_share_by_one_number_at_most(
        rows in proptest::collection::vec(1u64..9, 1..30),
        finest in 1usize..8,
    ) {
        let values: Vec<String> = (0..rows.len()).map(|number| number.to_string()).collect();
        let counted = values.iter().map(String::as_str).zip(rows.iter().copied());
        let tree = equal_frequency(counted, ranges(finest)).unwrap();
        let total: u64 = rows.iter().sum();
        let largest = rows.iter().max().unwrap();
        for value in &values {
            let range = tree.leaves_under(tree.parent(tree.find(value).unwrap()).unwrap());
            let held: u64 = rows[range].iter().sum();
            prop_assert!(held * finest as u64 <= total + largest * finest as u64, "{held} of {total} rows");
        }
    }
}
