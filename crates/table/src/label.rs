//! A [`Label`] is a released value, read as what it may stand for.
//!
//! | label | covers |
//! |---|---|
//! | `Engineer` | itself; `37` covers `37.0`, because they are one number |
//! | `Professional`, a node of the taxonomy | every value under it; the root covers whatever there is, missing included |
//! | `[20, 40)` | every number inside |
//! | `{a\|b}` | its members; an empty one is the missing value |
//! | `*` | whatever there is, missing included |
//! | an empty cell | a missing value |
//!
//! Invariant: a label covers the value that it equals, whatever else it stands for.
//!
//! A value may be covered by several labels of a column: `Engineer` by `Engineer` and by `*`. Which of them its rows can
//! show depends on how the release was made.
//!
//! - Under a global recoding, as every [`Mask`](crate::Mask) is, a value has one label in all rows. A release that shows
//!   `Engineer` somewhere hides no engineer behind `*`, so the label is the most specific one: [`cover`].
//! - Under a local recoding each row is masked by itself, and an engineer may be behind any of them: [`cover_all`].

use std::cmp::Ordering;

use hashbrown::HashMap;

use crate::{Dictionary, Interval, NodeId, SUPPRESSED, Taxonomy, parse_number};

/// A released value, read as what it may stand for.
#[derive(Clone, Debug, PartialEq)]
pub struct Label<'a> {
    text: Option<&'a str>,
    meaning: Meaning<'a>,
}

/// What a label stands for beside itself.
#[derive(Clone, Debug, PartialEq)]
enum Meaning<'a> {
    Itself,
    Set(Vec<Option<&'a str>>),
    Node(&'a Taxonomy, NodeId),
    Interval(Interval),
    Everything,
}

impl<'a> Label<'a> {
    /// Reads a released cell, `None` where it is empty. `taxonomy` is the column's, if it has one.
    pub fn parse(text: Option<&'a str>, taxonomy: Option<&'a Taxonomy>) -> Self {
        let meaning = text.map_or(Meaning::Itself, |text| Meaning::parse(text, taxonomy));
        Label { text, meaning }
    }

    /// Whether a value, `None` if missing, may be what is behind this label.
    pub fn covers(&self, value: Option<&str>) -> bool {
        is_same(self.text, value)
            || match &self.meaning {
                Meaning::Itself => false,
                Meaning::Set(members) => members.iter().any(|&member| is_same(member, value)),
                Meaning::Node(taxonomy, node) => {
                    *node == taxonomy.root() || value.is_some_and(|value| path(taxonomy, value).any(|on| on == *node))
                }
                Meaning::Interval(interval) => number(value).is_some_and(|number| interval.contains(number)),
                Meaning::Everything => true,
            }
    }

    /// The order from specific to general: single values, then what covers a number of values (sets and nodes), then
    /// intervals by their width, then `*`. A column hardly ever mixes kinds, `*` aside.
    fn breadth(&self) -> (u8, f64) {
        match &self.meaning {
            Meaning::Itself => (0, 1.0),
            Meaning::Set(members) => (1, members.len() as f64),
            Meaning::Node(taxonomy, node) => (1, taxonomy.leaves_under(*node).len() as f64),
            Meaning::Interval(interval) => (2, interval.to - interval.from),
            Meaning::Everything => (3, 0.0),
        }
    }
}

impl<'a> Meaning<'a> {
    fn parse(text: &'a str, taxonomy: Option<&'a Taxonomy>) -> Self {
        let node = || taxonomy.and_then(|taxonomy| Some(Meaning::Node(taxonomy, taxonomy.find(text)?)));
        let set = || {
            let members = text.strip_prefix('{')?.strip_suffix('}')?.split('|');
            Some(Meaning::Set(members.map(non_empty).collect()))
        };
        // The tree first: its nodes may be called `*` or `[20, 40)`, and then it knows best what is under them.
        node()
            .or_else(|| (text == SUPPRESSED).then_some(Meaning::Everything))
            .or_else(|| Interval::parse(text).map(Meaning::Interval))
            .or_else(set)
            .unwrap_or(Meaning::Itself)
    }
}

fn non_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn number(value: Option<&str>) -> Option<f64> {
    value.and_then(parse_number)
}

/// Whether two values are one: the same text, or two texts of one number.
fn is_same(a: Option<&str>, b: Option<&str>) -> bool {
    a == b || number(a).is_some_and(|a| Some(a) == number(b))
}

/// The node of a value and all nodes above it.
fn path<'t>(taxonomy: &'t Taxonomy, value: &str) -> impl Iterator<Item = NodeId> + use<'t> {
    std::iter::successors(taxonomy.find(value), |&node| taxonomy.parent(node))
}

/// For each code of `values`, the most specific of `labels` that covers the value, if any does: what it is shown as in a
/// globally recoded column. A label that is the very text of the value comes before all others.
pub fn cover(values: &Dictionary, labels: &Dictionary, taxonomy: Option<&Taxonomy>) -> Vec<Option<u32>> {
    let index = Index::new(labels, taxonomy);
    (0..values.len() as u32)
        .map(|code| index.most_specific(values.value(code)))
        .collect()
}

/// For each code of `values`, all of `labels` that cover the value, ascending: what it may be shown as in a locally
/// recoded column.
pub fn cover_all(values: &Dictionary, labels: &Dictionary, taxonomy: Option<&Taxonomy>) -> Vec<Vec<u32>> {
    let index = Index::new(labels, taxonomy);
    (0..values.len() as u32)
        .map(|code| index.all(values.value(code)))
        .collect()
}

/// The labels of a column, found by what they cover. It answers as [`Label::covers`] does, without asking every label.
struct Index<'a> {
    labels: Vec<Label<'a>>,
    taxonomy: Option<&'a Taxonomy>,
    /// The label that is this text.
    texts: HashMap<&'a str, u32>,
    /// The sets that list this text.
    members: HashMap<&'a str, Vec<u32>>,
    /// The labels that are or list a text of this number.
    numbers: HashMap<u64, Vec<u32>>,
    nodes: HashMap<NodeId, u32>,
    intervals: Intervals,
    /// The labels that cover a missing value, and only it.
    missing: Vec<u32>,
    /// The labels that cover everything.
    everything: Vec<u32>,
}

impl<'a> Index<'a> {
    fn new(labels: &'a Dictionary, taxonomy: Option<&'a Taxonomy>) -> Self {
        let codes = 0..labels.len() as u32;
        let mut index = Index {
            labels: codes.map(|code| Label::parse(labels.value(code), taxonomy)).collect(),
            taxonomy,
            texts: HashMap::new(),
            members: HashMap::new(),
            numbers: HashMap::new(),
            nodes: HashMap::new(),
            intervals: Intervals::default(),
            missing: Vec::new(),
            everything: Vec::new(),
        };
        let mut intervals = Vec::new();
        for (code, Label { text, meaning }) in index.labels.iter().enumerate() {
            let code = code as u32;
            let mut listed = vec![*text];
            match meaning {
                Meaning::Itself => {}
                Meaning::Set(members) => {
                    for member in members.iter().flatten() {
                        index.members.entry(*member).or_default().push(code);
                    }
                    listed.extend(members);
                }
                Meaning::Node(taxonomy, node) if *node == taxonomy.root() => index.everything.push(code),
                Meaning::Node(_, node) => {
                    index.nodes.insert(*node, code);
                }
                Meaning::Interval(interval) => intervals.push((*interval, code)),
                Meaning::Everything => index.everything.push(code),
            }
            if let Some(text) = text {
                index.texts.insert(text, code);
            }
            if listed.contains(&None) {
                index.missing.push(code);
            }
            for number in listed.into_iter().filter_map(number) {
                index.numbers.entry(number.to_bits()).or_default().push(code);
            }
        }
        index.intervals = Intervals::new(intervals);
        index
    }

    fn most_specific(&self, value: Option<&str>) -> Option<u32> {
        let same = value.and_then(|value| self.texts.get(value).copied());
        same.or_else(|| self.all(value).into_iter().min_by(|&a, &b| self.by_breadth(a, b)))
    }

    fn by_breadth(&self, a: u32, b: u32) -> Ordering {
        let breadth = |code: u32| self.labels[code as usize].breadth();
        let ((kind_a, size_a), (kind_b, size_b)) = (breadth(a), breadth(b));
        kind_a.cmp(&kind_b).then(size_a.total_cmp(&size_b)).then(a.cmp(&b))
    }

    fn all(&self, value: Option<&str>) -> Vec<u32> {
        let mut found = self.everything.clone();
        match value {
            None => found.extend(&self.missing),
            Some(value) => {
                found.extend(self.texts.get(value));
                found.extend(self.members.get(value).into_iter().flatten());
                let path = self.taxonomy.map(|taxonomy| path(taxonomy, value));
                found.extend(path.into_iter().flatten().filter_map(|node| self.nodes.get(&node)));
                if let Some(number) = parse_number(value) {
                    found.extend(self.numbers.get(&number.to_bits()).into_iter().flatten());
                    found.extend(self.intervals.around(number));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Intervals by their lower bound; they may overlap, as those of a local recoding do.
#[derive(Default)]
struct Intervals {
    by_from: Vec<(Interval, u32)>,
    /// For each interval, how far it and those before it reach.
    reach: Vec<f64>,
}

impl Intervals {
    fn new(mut by_from: Vec<(Interval, u32)>) -> Self {
        by_from.sort_by(|(a, _), (b, _)| a.from.total_cmp(&b.from));
        let furthest = |reach: &mut f64, (interval, _): &(Interval, u32)| {
            *reach = reach.max(interval.to);
            Some(*reach)
        };
        let reach = by_from.iter().scan(f64::NEG_INFINITY, furthest).collect();
        Intervals { by_from, reach }
    }

    /// The labels of the intervals that hold a number.
    fn around(&self, number: f64) -> impl Iterator<Item = u32> {
        let begun = self.by_from.partition_point(|(interval, _)| interval.from <= number);
        let near = (0..begun).rev().take_while(move |&place| self.reach[place] >= number);
        near.map(|place| self.by_from[place])
            .filter(move |(interval, _)| interval.contains(number))
            .map(|(_, code)| code)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};

    use super::*;
    use crate::Texts;

    fn jobs() -> Taxonomy {
        let node = |label: &str, parent| (label.to_owned(), parent);
        Taxonomy::from_parents(&[
            node("ANY", None),
            node("Professional", Some(0)),
            node("Engineer", Some(1)),
            node("Lawyer", Some(1)),
            node("Janitor", Some(0)),
        ])
        .unwrap()
    }

    fn dictionary(texts: &[&str], missing: bool) -> Dictionary {
        Dictionary::new(texts.iter().copied().collect::<Texts>(), missing)
    }

    #[test]
    fn a_label_covers_what_it_may_stand_for() {
        let tree = jobs();
        let covers = |label: &str, value: &str| {
            let [label, value] = [label, value].map(non_empty);
            Label::parse(label, Some(&tree)).covers(value)
        };
        for (label, value) in [
            ("Engineer", "Engineer"),
            ("Professional", "Engineer"),
            ("Professional", "Professional"),
            ("ANY", "Janitor"),
            ("ANY", ""),
            ("ANY", "Astronaut"),
            ("[20, 40)", "20"),
            ("[20, 40]", "40.0"),
            ("{a|b}", "b"),
            ("{1|2}", "2.0"),
            ("{a|}", ""),
            ("37", "37.0"),
            ("*", "anything"),
            ("*", ""),
            ("", ""),
        ] {
            assert!(covers(label, value), "{label} covers {value}");
        }
        for (label, value) in [
            ("Engineer", "Professional"),
            ("Professional", "Janitor"),
            ("Professional", ""),
            ("[20, 40)", "40"),
            ("[20, 40)", "young"),
            ("{a|b}", "a|b"),
            ("{a|b}", ""),
            ("37", "3.7"),
            ("", "a"),
        ] {
            assert!(!covers(label, value), "{label} does not cover {value}");
        }
    }

    /// A release that shows `a` somewhere hides no `a` behind `*`, if it was recoded globally.
    #[test]
    fn the_most_specific_label_is_the_one_of_a_global_recoding() {
        let labels = dictionary(&["*", "a"], true);
        let values = dictionary(&["a", "b"], true);
        assert_eq!(cover(&values, &labels, None), [Some(1), Some(0), Some(2)]);
        assert_eq!(cover_all(&values, &labels, None), [vec![0, 1], vec![0], vec![0, 2]]);
        let nothing_hidden = dictionary(&["a"], false);
        assert_eq!(cover(&values, &nothing_hidden, None), [Some(0), None, None]);
    }

    #[test]
    fn the_narrower_node_and_interval_come_first() {
        let tree = jobs();
        let labels = dictionary(&["ANY", "Professional"], false);
        let values = dictionary(&["Lawyer", "Janitor"], true);
        assert_eq!(cover(&values, &labels, Some(&tree)), [Some(1), Some(0), Some(0)]);
        let labels = dictionary(&["*", "[0, 100]", "[20, 40)"], false);
        let values = dictionary(&["30", "40"], false);
        assert_eq!(cover(&values, &labels, None), [Some(2), Some(1)]);
    }

    const LABELS: [&str; 16] = [
        "*",
        "1",
        "1.0",
        "2",
        "ANY",
        "Engineer",
        "Professional",
        "[0, 1]",
        "[0, 3)",
        "[1, 2)",
        "[2, 9]",
        "a",
        "{1|Engineer}",
        "{1|}",
        "{2|a}",
        "{a",
    ];
    const VALUES: [&str; 14] = [
        "*",
        "0",
        "1",
        "1.0",
        "1.5",
        "2",
        "2e0",
        "9",
        "Engineer",
        "Janitor",
        "Professional",
        "[0, 3)",
        "a",
        "x",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_index_answers_as_every_label_asked_by_itself(
            labels in subsequence(LABELS.to_vec(), 0..=LABELS.len()),
            missing: bool,
            taxonomy in select(vec![None, Some(jobs())]),
        ) {
            let labels = dictionary(&labels, missing);
            let values = dictionary(&VALUES, true);
            let found = cover_all(&values, &labels, taxonomy.as_ref());
            let single = cover(&values, &labels, taxonomy.as_ref());
            for code in 0..values.len() as u32 {
                let covers = |&label: &u32| Label::parse(labels.value(label), taxonomy.as_ref()).covers(values.value(code));
                let expected: Vec<u32> = (0..labels.len() as u32).filter(covers).collect();
                prop_assert_eq!(&found[code as usize], &expected);
                prop_assert_eq!(single[code as usize].is_some(), !expected.is_empty());
                prop_assert!(single[code as usize].is_none_or(|label| expected.contains(&label)));
            }
        }
    }
}
