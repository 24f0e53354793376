//! What a group is shown as reads back as the values of the group, in every form.

mod asked;
mod dice;

use std::collections::{BTreeMap, BTreeSet};

use asked::shape;
use dice::{Dice, Kind, World};
use proptest::prelude::*;
use scumble_grouping::{Form, Recoded, Shape, recode};
use scumble_table::{Column, ColumnId, Forms, Label};

/// One column of up to 30 rows in groups.
struct Grouped {
    world: World,
    groups: Vec<Vec<u32>>,
}

impl Grouped {
    fn roll(seed: u64) -> Grouped {
        let mut dice = Dice(seed);
        let rows = 1 + dice.roll(30);
        let world = dice.world(rows, 1, 0);
        let mut groups = vec![Vec::new(); 1 + dice.roll(6)];
        for row in 0..rows as u32 {
            let group = dice.roll(groups.len());
            groups[group].push(row);
        }
        groups.retain(|group| !group.is_empty());
        Grouped { world, groups }
    }

    /// The same with a column of numbers.
    fn roll_numbers(seed: u64) -> Grouped {
        let rolls = (0..).map(|step| Grouped::roll(seed.wrapping_add(step)));
        let mut numbers = rolls.filter(|grouped| grouped.kind() == Kind::Numbers);
        numbers.next().expect("every third column has numbers")
    }

    fn column(&self) -> &Column {
        self.world.table.column(ColumnId(0))
    }

    fn kind(&self) -> Kind {
        self.world.quasi[0].1
    }

    fn values(&self, group: &[u32]) -> Vec<Option<&str>> {
        let column = self.column();
        let value = |&row: &u32| column.dictionary().value(column.codes().at(row as usize));
        group.iter().map(value).collect()
    }

    /// Each group with its label.
    fn labelled<'g>(&'g self, recoded: &'g Recoded) -> impl Iterator<Item = (Vec<Option<&'g str>>, Option<&'g str>)> {
        let labels = recoded.label_of_group.iter();
        let labels = labels.map(|&label| recoded.labels[label as usize].as_deref());
        self.groups.iter().map(|group| self.values(group)).zip(labels)
    }

    /// What the label of some values may stand for, of all values of the column, and its share of the domain.
    fn stands_for(&self, values: &[Option<&str>]) -> (BTreeSet<Option<String>>, f64) {
        let dictionary = self.column().dictionary();
        let domain = (0..dictionary.len() as u32).map(|code| dictionary.value(code).map(str::to_owned));
        let domain: BTreeSet<Option<String>> = domain.collect();
        let own: BTreeSet<Option<String>> = values.iter().map(|value| value.map(str::to_owned)).collect();
        if own.len() == 1 {
            return (own, 0.0);
        }
        if own.contains(&None) {
            return (domain, 1.0);
        }
        let texts: Vec<&str> = values.iter().copied().flatten().collect();
        match self.kind() {
            Kind::Values => {
                let share = own.len() as f64 / dictionary.texts().len() as f64;
                (own, share)
            }
            Kind::Numbers => {
                let (from, to) = ends(texts.iter().copied());
                let whole = ends(dictionary.texts().iter());
                let is_inside =
                    |text: &Option<String>| text.as_deref().is_some_and(|text| (from..=to).contains(&number(text)));
                let share = (to - from) / (whole.1 - whole.0);
                (domain.into_iter().filter(is_inside).collect(), share)
            }
            Kind::Tree => {
                let tree = self.world.tree();
                let leaf = |text: &str| tree.leaf(text).expect("every value is a leaf");
                let covers_all = |node: &_| texts.iter().all(|text| tree.leaves_under(*node).contains(&leaf(text)));
                let covering = tree.nodes().filter(covers_all).map(|node| tree.leaves_under(node));
                let leaves = covering.min_by_key(|leaves| leaves.len()).expect("the root covers all");
                // The root covers a missing value, too.
                let is_root = leaves.len() == tree.leaves().len();
                let is_under =
                    |text: &Option<String>| text.as_deref().map_or(is_root, |text| leaves.contains(&leaf(text)));
                let share = leaves.len() as f64 / tree.leaves().len() as f64;
                (domain.into_iter().filter(is_under).collect(), share)
            }
        }
    }
}

fn number(text: &str) -> f64 {
    text.parse().expect("the column has numbers")
}

fn ends<'t>(texts: impl Iterator<Item = &'t str>) -> (f64, f64) {
    let widen = |(from, to): (f64, f64), next: f64| (from.min(next), to.max(next));
    texts.map(number).fold((f64::INFINITY, f64::NEG_INFINITY), widen)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn labels_cover_just_what_they_stand_for(seed in any::<u64>()) {
        let grouped = Grouped::roll(seed);
        let shape = shape(&grouped.world, grouped.kind());
        let recoded = recode(grouped.column(), shape, &grouped.groups);
        let mut penalty = 0.0;
        for (values, label) in grouped.labelled(&recoded) {
            let (expected, share) = grouped.stands_for(&values);
            let label = Label::parse(label, Forms::any(shape.taxonomy));
            let dictionary = grouped.column().dictionary();
            for value in (0..dictionary.len() as u32).map(|code| dictionary.value(code)) {
                prop_assert_eq!(label.covers(value), expected.contains(&value.map(str::to_owned)));
            }
            penalty += share * values.len() as f64;
        }
        prop_assert!((recoded.penalty - penalty / grouped.column().codes().len() as f64).abs() < 1e-9);
    }

    /// Missing values have no say in a centre, unless there is nothing else.
    #[test]
    fn centres_are_those_of_the_values_that_are_there(seed in any::<u64>()) {
        let grouped = Grouped::roll_numbers(seed);
        for form in [Form::Mean, Form::Median, Form::Mode] {
            let shape = Shape { form, taxonomy: None, range: None };
            let recoded = recode(grouped.column(), shape, &grouped.groups);
            for (values, label) in grouped.labelled(&recoded) {
                let mut there: Vec<f64> = values.iter().flatten().map(|text| number(text)).collect();
                there.sort_by(f64::total_cmp);
                let expected = (!there.is_empty()).then(|| centre(form, &there));
                let is_near = |a: f64, b: f64| (a - b).abs() <= 5e-5 + 1e-9;
                prop_assert!(match (label, expected) {
                    (Some(label), Some(expected)) => is_near(number(label), expected),
                    (label, expected) => label.is_none() && expected.is_none(),
                }, "{form:?}");
            }
        }
    }
}

/// The centre of numbers, ascending; the smaller of two.
fn centre(form: Form, numbers: &[f64]) -> f64 {
    match form {
        Form::Mean => numbers.iter().sum::<f64>() / numbers.len() as f64,
        Form::Median => numbers[(numbers.len() - 1) / 2],
        _ => {
            let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
            numbers
                .iter()
                .for_each(|number| *counts.entry(number.to_bits()).or_default() += 1);
            let most = counts.values().copied().max();
            let first = counts.into_iter().find(|(_, count)| Some(*count) == most);
            first.map_or(f64::NAN, |(bits, _)| f64::from_bits(bits))
        }
    }
}
