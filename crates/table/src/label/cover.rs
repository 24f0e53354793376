//! Which labels of a column cover each of its values, without asking every label about every value.

use std::cmp::Ordering;

use hashbrown::HashMap;

use super::{FormsOf, Label, Meaning, number, path};
use crate::{Dictionary, Interval, NodeId, Taxonomy, parse_number};

/// For each code of `values`, the most specific of `labels` that covers the value, if any does: what it is shown as in a
/// globally recoded column. A label that is the very text of the value comes before all others. `forms` says what the
/// labels can be.
pub fn cover(values: &Dictionary, labels: &Dictionary, forms: FormsOf) -> Vec<Option<u32>> {
    let index = LabelIndex::new(labels, forms);
    (0..values.len() as u32)
        .map(|code| index.most_specific(values.value(code)))
        .collect()
}

/// For each code of `values`, all of `labels` that cover the value, ascending: what it may be shown as in a locally
/// recoded column.
pub fn cover_all(values: &Dictionary, labels: &Dictionary, forms: FormsOf) -> Vec<Vec<u32>> {
    let index = LabelIndex::new(labels, forms);
    (0..values.len() as u32)
        .map(|code| index.covering(values.value(code)))
        .collect()
}

/// The labels of a column, found by what they cover. It answers as [`Label::covers`] does, without asking every label.
pub struct LabelIndex<'a> {
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
    /// The labels that show this much of values this long.
    masked: HashMap<(&'a str, usize), Vec<u32>>,
    /// The labels that cover a missing value, and only it.
    missing: Vec<u32>,
    /// The labels that cover everything.
    everything: Vec<u32>,
}

impl<'a> LabelIndex<'a> {
    /// Reads the labels of a column, which are in these forms.
    pub fn new(labels: &'a Dictionary, forms: FormsOf<'a>) -> Self {
        let codes = 0..labels.len() as u32;
        let mut index = LabelIndex {
            labels: codes.map(|code| Label::parse(labels.value(code), forms)).collect(),
            taxonomy: forms.taxonomy().copied(),
            texts: HashMap::new(),
            members: HashMap::new(),
            numbers: HashMap::new(),
            nodes: HashMap::new(),
            intervals: Intervals::default(),
            masked: HashMap::new(),
            missing: Vec::new(),
            everything: Vec::new(),
        };
        let mut intervals = Vec::new();
        for (code, Label { text, meaning, .. }) in index.labels.iter().enumerate() {
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
                Meaning::Masked { prefix, length } => index.masked.entry((*prefix, *length)).or_default().push(code),
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
        same.or_else(|| self.covering(value).into_iter().min_by(|&a, &b| self.by_breadth(a, b)))
    }

    fn by_breadth(&self, a: u32, b: u32) -> Ordering {
        let breadth = |code: u32| self.labels[code as usize].breadth();
        let ((kind_a, size_a), (kind_b, size_b)) = (breadth(a), breadth(b));
        kind_a.cmp(&kind_b).then(size_a.total_cmp(&size_b)).then(a.cmp(&b))
    }

    /// The labels, by code.
    pub(super) fn labels(&self) -> &[Label<'a>] {
        &self.labels
    }

    /// All labels that cover a value, `None` if missing, ascending.
    pub fn covering(&self, value: Option<&str>) -> Vec<u32> {
        self.covering_as(value, false)
    }

    /// As [`covering`](Self::covering), where the value may be one of a column of numbers.
    pub(super) fn covering_as(&self, value: Option<&str>, is_number: bool) -> Vec<u32> {
        let mut found = self.everything.clone();
        match value {
            None => found.extend(&self.missing),
            Some(value) => {
                found.extend(self.texts.get(value));
                found.extend(self.members.get(value).into_iter().flatten());
                let path = self.taxonomy.map(|taxonomy| path(taxonomy, value));
                found.extend(path.into_iter().flatten().filter_map(|node| self.nodes.get(&node)));
                self.add_masked(value, &mut found);
                if let Some(number) = parse_number(value) {
                    let same = self.numbers.get(&number.to_bits()).into_iter().flatten();
                    found.extend(same.filter(|&&code| is_number || self.labels[code as usize].is_number));
                    found.extend(self.intervals.around(number));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the masked labels that a value fits: one look for each of its prefixes.
    fn add_masked(&self, value: &str, found: &mut Vec<u32>) {
        if self.masked.is_empty() {
            return;
        }
        let length = value.chars().count();
        for (end, _) in value.char_indices() {
            found.extend(self.masked.get(&(&value[..end], length)).into_iter().flatten());
        }
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
    use crate::label::tests::{LABELS, VALUES, WRITTEN, domain, jobs};
    use crate::label::{Forms, Written};
    use crate::{Domain, Texts};

    fn dictionary(texts: &[&str], missing: bool) -> Dictionary {
        Dictionary::new(texts.iter().copied().collect::<Texts>(), missing)
    }

    /// A release that shows `a` somewhere hides no `a` behind `*`, if it was recoded globally.
    #[test]
    fn the_most_specific_label_is_the_one_of_a_global_recoding() {
        let labels = dictionary(&["*", "a"], true);
        let values = dictionary(&["a", "b"], true);
        let suppressed = Forms {
            domain: Domain::Words,
            written: Written::Suppressed,
        };
        assert_eq!(cover(&values, &labels, suppressed), [Some(1), Some(0), Some(2)]);
        assert_eq!(
            cover_all(&values, &labels, suppressed),
            [vec![0, 1], vec![0], vec![0, 2]]
        );
        let nothing_hidden = dictionary(&["a"], false);
        assert_eq!(cover(&values, &nothing_hidden, suppressed), [Some(0), None, None]);
    }

    #[test]
    fn the_narrower_node_and_interval_come_first() {
        let tree = jobs();
        let labels = dictionary(&["ANY", "Professional"], false);
        let values = dictionary(&["Lawyer", "Janitor"], true);
        assert_eq!(
            cover(&values, &labels, Forms::any(Some(&tree))),
            [Some(1), Some(0), Some(0)]
        );
        let labels = dictionary(&["*", "[0, 100]", "[20, 40)"], false);
        let values = dictionary(&["30", "40"], false);
        assert_eq!(cover(&values, &labels, Domain::Numbers.in_words()), [Some(2), Some(1)]);
    }

    /// A population of one `1-3` and five `2`, of which both are shown as they are.
    #[test]
    fn a_word_that_looks_like_an_interval_covers_nobody_else() {
        let values = dictionary(&["1-3", "2"], false);
        for written in [Written::Exact, Written::Suppressed, Written::Generalized, Written::Sets] {
            let words = Forms {
                domain: Domain::Words,
                written,
            };
            let only = dictionary(&["1-3"], false);
            assert_eq!(cover(&values, &only, words), [Some(0), None], "{written:?}");
            assert_eq!(cover_all(&values, &values, words), [vec![0], vec![1]], "{written:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_index_answers_as_every_label_asked_by_itself(
            labels in subsequence(LABELS.to_vec(), 0..=LABELS.len()),
            missing: bool,
            domain in domain(),
            written in select(WRITTEN.to_vec()),
        ) {
            let shared = Forms { domain, written };
            let forms = shared.as_ref();
            let labels = dictionary(&labels, missing);
            let values = dictionary(&VALUES, true);
            let found = cover_all(&values, &labels, forms);
            let single = cover(&values, &labels, forms);
            for code in 0..values.len() as u32 {
                let covers = |&label: &u32| Label::parse(labels.value(label), forms).covers(values.value(code));
                let expected: Vec<u32> = (0..labels.len() as u32).filter(covers).collect();
                prop_assert_eq!(&found[code as usize], &expected);
                prop_assert_eq!(single[code as usize].is_some(), !expected.is_empty());
                prop_assert!(single[code as usize].is_none_or(|label| expected.contains(&label)));
            }
        }
    }
}
