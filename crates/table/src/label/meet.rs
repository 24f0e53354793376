//! Whether two labels may stand for one value: what decides if records of two releases may be about one person.
//!
//! | label | meets | does not meet |
//! |---|---|---|
//! | `Professional` | `Engineer`, `Professional`, `ANY`, `*` | `Janitor`, an empty cell |
//! | `[20, 40)` | `37`, `[30, 50]` | `40`, `[40, 50]` |
//! | `{a\|b}` | `b`, `{b\|c}` | `c` |
//! | `*` | everything, an empty cell included | |
//!
//! So they are read in the forms of their columns: in a column of words published as it is, `1-5` meets `1-5` alone.
//!
//! Nodes of one taxonomy meet exactly if they lie on one path from the root; intervals, if they overlap, whether or not a
//! row of any table has a number there: nobody who sees the labels can tell.

use hashbrown::HashSet;

use super::cover::LabelIndex;
use super::{FormsOf, Label, Meaning, is_same, number};
use crate::{Dictionary, Interval, NodeId, SUPPRESSED, Taxonomy};

impl Label<'_> {
    /// Whether a value may be behind both. Where one of them is of a column of numbers, both are compared as such.
    pub fn meets(&self, other: &Label) -> bool {
        let are_numbers = self.is_number || other.is_number;
        self.covers_as(other.text, are_numbers)
            || other.covers_as(self.text, are_numbers)
            || self.shares_values_with(other, are_numbers)
    }

    fn shares_values_with(&self, other: &Label, are_numbers: bool) -> bool {
        let covers = |label: &Label, value: Option<&str>| label.covers_as(value, are_numbers);
        match (&self.meaning, &other.meaning) {
            (Meaning::Itself, _) | (_, Meaning::Itself) => false,
            (Meaning::Everything, _) | (_, Meaning::Everything) => true,
            (Meaning::Set(members), _) => members.iter().any(|&member| covers(other, member)),
            (_, Meaning::Set(members)) => members.iter().any(|&member| covers(self, member)),
            (Meaning::Node(taxonomy, a), Meaning::Node(_, b)) => on_one_path(taxonomy, *a, *b),
            (Meaning::Node(taxonomy, node), _) => leaves(taxonomy, *node).any(|leaf| covers(other, Some(leaf))),
            (_, Meaning::Node(taxonomy, node)) => leaves(taxonomy, *node).any(|leaf| covers(self, Some(leaf))),
            (Meaning::Interval(a), Meaning::Interval(b)) => overlap(a, b),
            (
                Meaning::Masked { prefix: a, length },
                Meaning::Masked {
                    prefix: b,
                    length: other,
                },
            ) => length == other && (a.starts_with(b) || b.starts_with(a)),
            // Digits behind stars may be any number of the interval, for all that can be told.
            (Meaning::Masked { .. }, Meaning::Interval(_)) | (Meaning::Interval(_), Meaning::Masked { .. }) => true,
        }
    }

    /// Whether whatever may be behind this label may be behind the other, too; or the other is its very text.
    pub fn is_within(&self, other: &Label) -> bool {
        let are_numbers = self.is_number || other.is_number;
        let covered = |value: Option<&str>| other.covers_as(value, are_numbers);
        match (&self.meaning, &other.meaning) {
            (_, Meaning::Everything) => true,
            (_, Meaning::Node(taxonomy, node)) if *node == taxonomy.root() => true,
            (Meaning::Itself, _) => covered(self.text),
            (Meaning::Everything, _) => false,
            (Meaning::Set(members), _) => members.iter().all(|&member| covered(member)),
            // The root also stands for the missing value.
            (Meaning::Node(taxonomy, node), _) if *node == taxonomy.root() => false,
            (Meaning::Node(taxonomy, node), _) => leaves(taxonomy, *node).all(|leaf| covered(Some(leaf))),
            (Meaning::Interval(a), Meaning::Interval(b)) => {
                b.from <= a.from && (a.to < b.to || (a.to == b.to && (b.closed || !a.closed)))
            }
            (
                Meaning::Masked { prefix: a, length },
                Meaning::Masked {
                    prefix: b,
                    length: other,
                },
            ) => length == other && a.starts_with(b),
            _ => is_same(self.text, other.text, are_numbers),
        }
    }
}

fn leaves(taxonomy: &Taxonomy, node: NodeId) -> impl Iterator<Item = &str> {
    let under = taxonomy.leaves_under(node);
    taxonomy.leaves().skip(under.start).take(under.len())
}

fn on_one_path(taxonomy: &Taxonomy, a: NodeId, b: NodeId) -> bool {
    let is_above = |upper: NodeId, lower: NodeId| {
        std::iter::successors(Some(lower), |&node| taxonomy.parent(node)).any(|node| node == upper)
    };
    is_above(a, b) || is_above(b, a)
}

fn overlap(a: &Interval, b: &Interval) -> bool {
    let begins_before_the_end = |a: &Interval, b: &Interval| a.from < b.to || (b.closed && a.from == b.to);
    begins_before_the_end(a, b) && begins_before_the_end(b, a)
}

/// The labels that a column shows.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The labels.
    pub labels: &'a Dictionary,
    /// What they can be.
    pub forms: FormsOf<'a>,
    /// Whether the column was recoded as a whole, so that no value which it shows is behind `*` elsewhere.
    pub recoded: bool,
}

impl<'a> Shown<'a> {
    /// Whether `*`, if this column shows it, cannot stand for a label of another column, because this one shows all that
    /// the label stands for.
    fn tells_apart(&self, are_numbers: bool) -> impl Fn(&Label) -> bool + use<'a> {
        // A `*` among them hides, and tells of no value that it is shown.
        let texts = self
            .labels
            .texts()
            .iter()
            .filter(|text| self.recoded && *text != SUPPRESSED);
        let texts: HashSet<&str> = texts.collect();
        let numbers: HashSet<u64> = texts
            .iter()
            .filter(|_| are_numbers)
            .filter_map(|text| Some(number(Some(*text))?.to_bits()))
            .collect();
        let missing = self.recoded && self.labels.missing().is_some();
        let is_shown = move |value: Option<&str>| match value {
            None => missing,
            Some(text) => {
                texts.contains(text) || number(value).is_some_and(|number| numbers.contains(&number.to_bits()))
            }
        };
        move |label: &Label| match &label.meaning {
            Meaning::Itself => is_shown(label.text),
            Meaning::Set(members) => members.iter().all(|&member| is_shown(member)),
            _ => false,
        }
    }
}

/// For each label of one column, the labels of another that may stand for one value with it, ascending.
pub fn meeting(these: Shown, others: Shown) -> Vec<Vec<u32>> {
    let index = LabelIndex::new(others.labels, others.forms);
    let are_numbers = these.forms.are_numbers() || others.forms.are_numbers();
    let (shown_here, shown_there) = (these.tells_apart(are_numbers), others.tells_apart(are_numbers));
    let is_star = |label: &Label| label.text == Some(SUPPRESSED) && *label.meaning() == Meaning::Everything;
    let meets = |code: u32| -> Vec<u32> {
        let label = Label::parse(these.labels.value(code), these.forms);
        let mut met = match label.meaning() {
            Meaning::Itself => index.covering_as(label.text, label.is_number),
            _ => (0..)
                .zip(index.labels())
                .filter(|(_, other)| label.meets(other))
                .map(|(code, _)| code)
                .collect(),
        };
        met.retain(|&other| {
            let other = &index.labels()[other as usize];
            let is_told_apart = (is_star(&label) && shown_here(other)) || (is_star(other) && shown_there(&label));
            !is_told_apart
        });
        met
    };
    (0..these.labels.len() as u32).map(meets).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};

    use super::*;
    use crate::Texts;
    use crate::label::tests::{LABELS, VALUES, WRITTEN, domain, jobs};
    use crate::label::{Domain, Forms, Written};

    fn label<'a>(text: &'a str, tree: &'a Taxonomy) -> Label<'a> {
        Label::parse(Some(text).filter(|text| !text.is_empty()), Forms::any(Some(tree)))
    }

    #[test]
    fn labels_meet_if_one_value_may_be_behind_both() {
        let tree = jobs();
        let meets = |a: &str, b: &str| {
            let (a, b) = (label(a, &tree), label(b, &tree));
            assert_eq!(a.meets(&b), b.meets(&a));
            a.meets(&b)
        };
        for (a, b) in [
            ("Engineer", "Engineer"),
            ("Professional", "Engineer"),
            ("ANY", "Professional"),
            ("ANY", ""),
            ("*", ""),
            ("*", "Janitor"),
            ("[20, 40)", "37"),
            ("[20, 40)", "[30, 50]"),
            ("[20, 40]", "[40, 50]"),
            ("{Engineer|Janitor}", "Professional"),
            ("{1|2}", "[2, 3)"),
            ("37", "37.0"),
            ("130**", "13***"),
        ] {
            assert!(meets(a, b), "{a} meets {b}");
        }
        for (a, b) in [
            ("Engineer", "Lawyer"),
            ("Professional", "Janitor"),
            ("Professional", ""),
            ("[20, 40)", "[40, 50]"),
            ("[20, 40)", "40"),
            ("{a|b}", "c"),
            ("{a|b}", "{c|d}"),
            ("130**", "131**"),
        ] {
            assert!(!meets(a, b), "{a} does not meet {b}");
        }
    }

    #[test]
    fn a_label_is_within_what_covers_all_of_it() {
        let tree = jobs();
        let within = |a: &str, b: &str| label(a, &tree).is_within(&label(b, &tree));
        for (a, b) in [
            ("Engineer", "Professional"),
            ("Professional", "Professional"),
            ("{Engineer|Lawyer}", "Professional"),
            ("Professional", "*"),
            ("[20, 30)", "[20, 40)"),
            ("25", "[20, 40)"),
        ] {
            assert!(within(a, b), "{a} is within {b}");
        }
        for (a, b) in [
            ("Professional", "Engineer"),
            ("ANY", "Professional"),
            ("*", "Professional"),
            ("{Engineer|Janitor}", "Professional"),
            ("[20, 40]", "[20, 40)"),
        ] {
            assert!(!within(a, b), "{a} is not within {b}");
        }
    }

    fn dictionary(texts: &[&str], missing: bool) -> Dictionary {
        Dictionary::new(texts.iter().copied().collect::<Texts>(), missing)
    }

    /// House numbers, blood groups, and words in the very forms that we write.
    #[test]
    fn words_of_the_data_meet_themselves_alone_whatever_they_look_like() {
        let words = dictionary(
            &[
                "*", "1", "1-5", "1.0", "3", "<9", "A*", "A+", "[1, 5]", "a", "{1|3}", "{a, b}", "{a|b}",
            ],
            true,
        );
        let shown = Shown {
            labels: &words,
            forms: Forms::exact(Domain::Words),
            recoded: false,
        };
        for (code, met) in (0..).zip(meeting(shown, shown)) {
            assert_eq!(met, [code]);
        }
    }

    /// Two leaves are two values, though a reader may take them for one number.
    #[test]
    fn leaves_that_are_one_number_do_not_meet() {
        let leaf = |label: &str| (label.to_owned(), Some(0));
        let tree = Taxonomy::from_parents(&[("ANY".to_owned(), None), leaf("1"), leaf("1.0")]).unwrap();
        let leaves = dictionary(&["1", "1.0"], false);
        for written in WRITTEN.into_iter().filter(|&written| written != Written::Centres) {
            let shown = Shown {
                labels: &leaves,
                forms: Forms {
                    domain: Domain::Nodes(&tree),
                    written,
                },
                recoded: false,
            };
            assert_eq!(meeting(shown, shown), [[0], [1]], "{written:?}");
        }
    }

    /// An inner node is no value of a column that is published as it is.
    #[test]
    fn a_value_that_is_called_like_an_inner_node_is_not_what_is_under_it() {
        let tree = jobs();
        let exact = |text| Label::parse(Some(text), Forms::exact(Domain::Nodes(&tree)));
        assert!(!exact("Professional").meets(&exact("Engineer")));
        let shown = Label::parse(Some("Professional"), Domain::Nodes(&tree).in_words());
        assert!(shown.meets(&exact("Engineer")) && !shown.meets(&exact("Janitor")));
    }

    /// A column recoded as a whole that shows `a` has no `a` behind its stars.
    #[test]
    fn a_star_of_a_recoded_column_does_not_meet_what_the_column_shows() {
        let here = dictionary(&["*", "a"], false);
        let there = dictionary(&["a", "b", "{a|b}"], true);
        let of = |recoded: bool| {
            let forms = Forms {
                domain: Domain::Words,
                written: Written::Sets,
            };
            let shown = |labels, recoded| Shown { labels, forms, recoded };
            meeting(shown(&here, recoded), shown(&there, false))
        };
        assert_eq!(of(false), [vec![0, 1, 2, 3], vec![0, 2]]);
        assert_eq!(of(true), [vec![1, 2, 3], vec![0, 2]]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// Whatever two labels cover in common makes them meet, and what is within another covers no more than it.
        #[test]
        fn meeting_and_being_within_agree_with_covering(
            a in select(LABELS.to_vec()),
            b in select(LABELS.to_vec()),
            value in select(VALUES.to_vec()),
            domain in domain(),
            written in [select(WRITTEN.to_vec()), select(WRITTEN.to_vec())],
        ) {
            let shared = written.map(|written| Forms { domain: domain.clone(), written });
            let [of_a, of_b] = &shared;
            let [a, b] = [(a, of_a), (b, of_b)].map(|(text, forms)| Label::parse(Some(text), forms.as_ref()));
            prop_assert_eq!(a.meets(&b), b.meets(&a));
            // Stars go by how a value is written, and one number can be written in many ways.
            let has_stars = |label: &Label| matches!(label.meaning, Meaning::Masked { .. });
            if number(Some(value)).is_some() && (has_stars(&a) || has_stars(&b)) {
                return Ok(());
            }
            let are_numbers = a.is_number || b.is_number;
            let covers = |label: &Label| label.covers_as(Some(value), are_numbers);
            if covers(&a) && covers(&b) {
                prop_assert!(a.meets(&b));
            }
            // A label also covers its own text, which may be no value at all. And who names a label as it is written means
            // it, however the name would be read elsewhere.
            let is_named = a.text == b.text && a.meaning != b.meaning;
            if a.is_within(&b) && covers(&a) && a.text != Some(value) && !is_named {
                prop_assert!(covers(&b));
            }
        }

        #[test]
        fn the_index_meets_as_labels_do_one_by_one(
            these in subsequence(LABELS.to_vec(), 0..=LABELS.len()),
            others in subsequence(LABELS.to_vec(), 0..=LABELS.len()),
            missing: bool,
            domains in [domain(), domain()],
            written in [select(WRITTEN.to_vec()), select(WRITTEN.to_vec())],
        ) {
            let (these, others) = (dictionary(&these, missing), dictionary(&others, true));
            let [here, there] = domains;
            let [here, there] = [(here, written[0]), (there, written[1])].map(|(domain, written)| Forms { domain, written });
            let shown = |labels, forms| Shown { labels, forms, recoded: false };
            let found = meeting(shown(&these, here.as_ref()), shown(&others, there.as_ref()));
            for (code, found) in (0..).zip(&found) {
                let label = Label::parse(these.value(code), here.as_ref());
                let meets = |&other: &u32| label.meets(&Label::parse(others.value(other), there.as_ref()));
                let expected: Vec<u32> = (0..others.len() as u32).filter(meets).collect();
                prop_assert_eq!(found, &expected);
            }
        }
    }
}
