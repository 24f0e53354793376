//! What the parties find out, against what somebody says who sees everything.

use proptest::prelude::*;

use super::*;
use crate::secure::circuit::Builder;
use crate::secure::network::{Network, Task};

/// A split with the inputs of both parties.
#[derive(Clone, Debug)]
struct Case {
    group_sizes: Vec<u32>,
    fan_out: u32,
    rule: Rule,
    children: Vec<u16>,
    sets: Vec<Vec<bool>>,
    columns: Vec<Numbered>,
}

impl Case {
    fn split(&self) -> Split {
        Split::new(&self.group_sizes, self.fan_out).unwrap()
    }

    fn secrets(&self) -> Secrets<'_> {
        Secrets {
            sets: &self.sets,
            columns: &self.columns,
        }
    }

    /// What somebody says who sees everything.
    fn allowed(&self) -> bool {
        let parts = self.parts();
        parts.iter().filter(|part| !part.is_empty()).all(|part| {
            let counts = self.counts(part);
            let is_bounded = match &self.rule.bound {
                Bound::Share(shares) => counts.iter().all(|&count| count <= shares.most(part.len())),
                Bound::Distinct(least) => counts.len() >= *least as usize,
            };
            part.len() >= self.rule.least as usize && is_bounded
        })
    }

    /// The rows of every child of every group.
    fn parts(&self) -> Vec<Vec<usize>> {
        let split = self.split();
        let groups = 0..split.groups();
        let part = |group, child| {
            let rows = split.rows_of(group);
            rows.filter(|&row| u32::from(self.children[row]) == child).collect()
        };
        groups
            .flat_map(|group| (0..self.fan_out).map(move |child| (group, child)))
            .map(|(group, child)| part(group, child))
            .collect()
    }

    /// How many rows of a part have each secret that at least one has.
    fn counts(&self, part: &[usize]) -> Vec<usize> {
        let sets = self.sets.iter().map(|set| part.iter().filter(|&&row| set[row]).count());
        let mut counts: Vec<usize> = sets.filter(|&count| count > 0).collect();
        for column in &self.columns {
            let mut values: Vec<u32> = part.iter().map(|&row| column.of_rows[row]).collect();
            values.retain(|&value| value != OTHER);
            values.sort_unstable();
            counts.extend(values.chunk_by(|a, b| a == b).map(<[u32]>::len));
        }
        counts
    }

    /// What the circuits say, evaluated in the open.
    fn evaluated(&self) -> bool {
        let (split, counted) = (self.split(), self.secrets().counted());
        (0..split.groups()).all(|number| {
            let group = split.group(number, &self.rule, &counted);
            let mut circuit = Builder::new(2);
            let met = group.met(&mut circuit);
            let proposers = group.proposer_inputs(&self.children);
            circuit
                .finish(&[met])
                .eval(&[proposers, group.holder_inputs(self.secrets())])
                == [true]
        })
    }

    /// What the parties find out, after checking that they agree.
    fn found(&self, split: &Split) -> bool {
        let network = Network::new(2);
        let (proposer, holder) = (network.line(0), network.line(1));
        let counted = self.secrets().counted();
        let found = network.run(vec![
            Box::pin(ask(&proposer, split, &self.rule, &counted, &self.children)) as Task<'_, _>,
            Box::pin(answer(&holder, split, &self.rule, self.secrets())),
        ]);
        let found = found
            .into_iter()
            .map(|found| found.expect("a party waits for ever").unwrap());
        let found: Vec<bool> = found.collect();
        assert_eq!(found[0], found[1], "the parties disagree");
        found[0]
    }
}

/// At most so many hundredths.
fn share(hundredths: u32) -> Bound {
    Bound::Share(Shares::new(100, |with, of| with * 100 <= of * hundredths))
}

/// Values that are numbered anew in each group, where rare ones may be left aside.
fn numbered(group_sizes: &[u32], of_rows: &[u32], harmless: usize) -> Numbered {
    let mut column = Numbered {
        values: Values {
            compared: 0,
            others: false,
        },
        of_rows: Vec::new(),
    };
    let mut rows = of_rows;
    for &size in group_sizes {
        let (group, rest) = rows.split_at(size as usize);
        let mut known: Vec<u32> = group.to_vec();
        known.sort_unstable();
        known.dedup();
        known.retain(|value| group.iter().filter(|other| *other == value).count() > harmless);
        let place = |value: &u32| known.iter().position(|other| other == value);
        let numbers: Vec<u32> = group
            .iter()
            .map(|value| place(value).map_or(OTHER, |place| place as u32))
            .collect();
        column.values.compared = column.values.compared.max(known.len());
        column.values.others |= numbers.contains(&OTHER);
        column.of_rows.extend(numbers);
        rows = rest;
    }
    column
}

/// So many groups of at most so many rows, with secrets of every kind.
fn case(groups: usize, rows: u32) -> impl Strategy<Value = Case> {
    let shape = (
        prop::collection::vec(1..=rows, groups),
        1u32..6,
        0usize..3,
        0usize..3,
        (1u32..5, 0u32..100, any::<bool>()),
    );
    shape.prop_flat_map(|(group_sizes, fan_out, sets, columns, (least, bound, distinct))| {
        let rows = group_sizes.iter().sum::<u32>() as usize;
        let (sets, columns) = match distinct {
            true => (0, 1),
            false => (sets, columns.max(usize::from(sets == 0))),
        };
        let rule = Rule {
            least,
            bound: match distinct {
                true => Bound::Distinct(1 + bound % 4),
                false => share(20 + bound),
            },
        };
        // Few children are common, so that parts are large enough.
        let children = prop::collection::vec(prop_oneof![Just(0), 0..fan_out as u16], rows);
        let sets = prop::collection::vec(prop::collection::vec(any::<bool>(), rows), sets);
        let values = prop::collection::vec(prop::collection::vec(0u32..4, rows), columns);
        (children, sets, values).prop_map(move |(children, sets, values)| {
            let harmless = rule.harmless();
            let columns = values
                .iter()
                .map(|values| numbered(&group_sizes, values, harmless))
                .collect();
            Case {
                group_sizes: group_sizes.clone(),
                fan_out,
                rule: rule.clone(),
                children,
                sets,
                columns,
            }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn the_circuits_say_what_is_allowed(case in (1usize..4).prop_flat_map(|groups| case(groups, 14))) {
        prop_assert_eq!(case.evaluated(), case.allowed());
    }

    /// Leaving rare values aside changes no answer.
    #[test]
    fn what_is_harmless_harms_no_part(
        values in prop::collection::vec(0u32..4, 1..20),
        children in prop::collection::vec(0u16..3, 20),
        least in 1u32..6,
        hundredths in 0u32..100,
    ) {
        let group_sizes = vec![values.len() as u32];
        let rule = Rule { least, bound: share(hundredths) };
        let with = |harmless| Case {
            columns: vec![numbered(&group_sizes, &values, harmless)],
            sets: vec![],
            children: children[..values.len()].to_vec(),
            fan_out: 3,
            rule: rule.clone(),
            group_sizes: group_sizes.clone(),
        };
        prop_assert_eq!(with(rule.harmless()).allowed(), with(0).allowed());
    }

    /// The fraction that the circuit compares with says what the bound says, for every part of the group.
    #[test]
    fn a_share_is_allowed_if_the_bound_allows_it(at_most in 0.0f64..1.0, rows in 1u32..200) {
        let is_met = |with: u32, of: u32| f64::from(with) / f64::from(of) <= at_most;
        let shares = Shares::new(rows, is_met);
        let (p, q) = shares.largest(rows as usize);
        for of in 1..=rows {
            for with in 0..=of {
                prop_assert_eq!(u64::from(with) * q <= p * u64::from(of), is_met(with, of));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// In one circuit, and in one for every few groups.
    #[test]
    fn the_parties_find_out_what_is_allowed(case in (2usize..5).prop_flat_map(|groups| case(groups, 10))) {
        prop_assert_eq!(case.found(&case.split()), case.allowed());
        prop_assert_eq!(case.found(&case.split().with_ands_per_circuit(30)), case.allowed());
    }
}

/// The example of the module: two patients in each child, of whom one and two have HIV.
fn hiv() -> Case {
    Case {
        group_sizes: vec![4],
        fan_out: 2,
        rule: Rule {
            least: 1,
            bound: share(50),
        },
        children: vec![0, 0, 1, 1],
        sets: vec![vec![true, false, true, true]],
        columns: vec![],
    }
}

#[test]
fn a_part_at_its_bound_is_allowed_and_one_row_above_is_not() {
    assert!(!hiv().found(&hiv().split()));
    let fewer = Case {
        sets: vec![vec![true, false, true, false]],
        ..hiv()
    };
    assert!(fewer.found(&fewer.split()));
}

/// The answer to a question about too small a part is the same whatever the secrets are.
#[test]
fn a_part_that_is_too_small_is_refused_whatever_its_secrets() {
    for has in [false, true] {
        let case = Case {
            rule: Rule {
                least: 2,
                bound: share(90),
            },
            children: vec![0, 1, 1, 1],
            sets: vec![vec![has, false, false, false]],
            ..hiv()
        };
        assert!(!case.found(&case.split()));
    }
}

/// All rows go to one child. The other has no rows, which no rule refuses.
#[test]
fn a_part_without_rows_is_allowed() {
    for child in [0, 1] {
        let case = Case {
            rule: Rule {
                least: 4,
                bound: share(75),
            },
            children: vec![child; 4],
            ..hiv()
        };
        assert!(case.found(&case.split()));
        let values = Case {
            rule: Rule {
                least: 4,
                bound: Bound::Distinct(3),
            },
            sets: vec![],
            columns: vec![numbered(&[4], &[4, 0, 4, 2], 0)],
            ..case
        };
        assert!(values.found(&values.split()));
    }
}

#[test]
fn one_different_value_too_few_is_not_allowed() {
    let with = |values: &[u32]| Case {
        rule: Rule {
            least: 1,
            bound: Bound::Distinct(2),
        },
        sets: vec![],
        columns: vec![numbered(&[4], values, 0)],
        ..hiv()
    };
    assert!(with(&[7, 999, 7, 42]).found(&hiv().split()));
    assert!(!with(&[7, 999, 7, 7]).found(&hiv().split()));
}

/// One group of many fails: the last one of the last circuit, or the first one of the first.
#[test]
fn one_refusal_among_many_circuits_decides() {
    let groups = 6;
    let case = Case {
        group_sizes: vec![4; groups],
        children: [0, 0, 1, 1].repeat(groups),
        sets: vec![[true, false, true, false].repeat(groups)],
        ..hiv()
    };
    let split = case.split().with_ands_per_circuit(1);
    assert!(case.found(&split));
    for row in [1, 4 * groups - 1] {
        let mut refused = case.clone();
        refused.sets[0][row] = true;
        assert!(!refused.found(&split));
    }
}

/// A proposer that lies can only put in other numbers, and every number is some child.
#[test]
fn whatever_the_proposer_puts_in_each_row_is_in_one_part() {
    let case = Case {
        fan_out: 3,
        sets: vec![vec![true, false, false, false]],
        ..hiv()
    };
    let (split, counted) = (case.split(), case.secrets().counted());
    let group = split.group(0, &case.rule, &counted);
    let mut circuit = Builder::new(2);
    let met = group.met(&mut circuit);
    let circuit = circuit.finish(&[met]);
    let holders = group.holder_inputs(case.secrets());
    let mut allowed = 0;
    for inputs in 0u32..1 << 8 {
        let bits: Vec<bool> = (0..8).map(|bit| inputs >> bit & 1 == 1).collect();
        // There is no child 3, so it is another one.
        let children = bits
            .chunks(2)
            .map(|two| [0, 1, 2, 1][usize::from(two[0]) + 2 * usize::from(two[1])]);
        let lied = Case {
            children: children.collect(),
            ..case.clone()
        };
        assert_eq!(circuit.eval(&[bits, holders.clone()]) == [true], lied.allowed());
        allowed += usize::from(lied.allowed());
    }
    assert!((50..200).contains(&allowed), "{allowed} of 256 are allowed");
}

/// The promise of the module, where there are two children.
#[test]
fn a_row_costs_three_ands_for_a_set_and_fewer_than_two_per_value() {
    let split = Split::new(&[10_000], 2).unwrap();
    let ands = |sets, columns: &[usize], bound: Bound| {
        let columns = columns.iter().map(|&compared| Values {
            compared,
            others: false,
        });
        let counted = Counted {
            sets,
            columns: columns.collect(),
        };
        let mut circuit = Builder::new(2);
        split.group(0, &Rule { least: 5, bound }, &counted).met(&mut circuit);
        circuit.ands()
    };
    let one_set = ands(1, &[], share(30));
    assert!(one_set < 3 * 10_000 + 300, "{one_set}");
    let five_values = ands(0, &[5], share(30));
    assert!(five_values < 9 * 10_000 + 1000, "{five_values}");
    let five_different = ands(0, &[5], Bound::Distinct(3));
    assert!(five_different < 9 * 10_000 + 500, "{five_different}");
}

#[test]
fn inputs_that_do_not_fit_are_refused_before_anything_is_sent() {
    assert!(matches!(Split::new(&[], 1), Err(SecureError::Split(_))));
    assert!(matches!(Split::new(&[4, 0], 1), Err(SecureError::Split(_))));
    assert!(matches!(Split::new(&[4], 0), Err(SecureError::Split(_))));
    assert!(matches!(Split::new(&[4], (1 << 16) + 1), Err(SecureError::Split(_))));
    let network = Network::new(2);
    let line = network.line(0);
    let case = hiv();
    let (split, rule) = (case.split(), &case.rule);
    let (one_set, nothing) = (case.secrets().counted(), Counted::default());
    let column = |of_rows: &[u32], others| {
        vec![Numbered {
            values: Values { compared: 2, others },
            of_rows: of_rows.to_vec(),
        }]
    };
    let [short, high, other] = [
        column(&[0, 1, 1], false),
        column(&[0, 1, 1, 2], false),
        column(&[0, 1, 1, OTHER], false),
    ];
    let about = |columns| Secrets { sets: &[], columns };
    let tasks: Vec<Task<'_, _>> = vec![
        Box::pin(ask(&line, &split, rule, &one_set, &[0, 0, 1])),
        Box::pin(ask(&line, &split, rule, &one_set, &[0, 0, 1, 2])),
        Box::pin(ask(&line, &split, rule, &nothing, &[0, 0, 1, 1])),
        Box::pin(answer(&line, &split, rule, about(&[]))),
        Box::pin(answer(&line, &split, rule, about(&short))),
        Box::pin(answer(&line, &split, rule, about(&high))),
        Box::pin(answer(&line, &split, rule, about(&other))),
    ];
    for refused in network.run(tasks) {
        assert!(matches!(
            refused,
            Some(Err(SecureError::Split(_) | SecureError::Inputs(_)))
        ));
    }
    assert_eq!(network.messages(), 0);
}
