//! What the parties find out, against what somebody says who sees everything.

use proptest::prelude::*;

use super::*;
use crate::secure::circuit::Builder;
use crate::secure::network::{Network, Task};

/// A split with the inputs of both parties.
#[derive(Clone, Debug)]
struct Case {
    group_sizes: Vec<u32>,
    child_bits: u32,
    children: Vec<u16>,
    thresholds: Vec<u32>,
    secrets: Kept,
}

/// [`Secrets`] that own what they tell.
#[derive(Clone, Debug)]
enum Kept {
    Sets(Vec<Vec<bool>>),
    Values { values: usize, of_rows: Vec<u32> },
}

impl Case {
    fn split(&self) -> Split {
        Split::new(&self.group_sizes, self.child_bits).unwrap()
    }

    fn secrets(&self) -> Secrets<'_> {
        match &self.secrets {
            Kept::Sets(sets) => Secrets::Sets(sets),
            Kept::Values { values, of_rows } => Secrets::Values {
                values: *values,
                of_rows,
            },
        }
    }

    /// What somebody says who sees everything.
    fn allowed(&self) -> bool {
        let mut parts = self.levels().into_iter().zip(&self.thresholds);
        match self.secrets {
            Kept::Sets(_) => parts.all(|(level, threshold)| level <= *threshold),
            Kept::Values { .. } => parts.all(|(level, threshold)| level >= *threshold),
        }
    }

    /// For every group and child, the most rows of a set, or how many different values there are.
    fn levels(&self) -> Vec<u32> {
        let mut levels = Vec::new();
        let mut first = 0;
        for &size in &self.group_sizes {
            for child in 0..1 << self.child_bits {
                let rows = first..first + size as usize;
                levels.push(self.level(&rows.filter(|&row| self.children[row] == child).collect::<Vec<_>>()));
            }
            first += size as usize;
        }
        levels
    }

    fn level(&self, part: &[usize]) -> u32 {
        let level = match &self.secrets {
            Kept::Sets(sets) => sets
                .iter()
                .map(|set| part.iter().filter(|&&row| set[row]).count())
                .max()
                .unwrap(),
            Kept::Values { of_rows, .. } => {
                let mut values: Vec<u32> = part.iter().map(|&row| of_rows[row]).collect();
                values.sort_unstable();
                values.dedup();
                values.len()
            }
        };
        level as u32
    }

    /// What the circuits say, evaluated in the open.
    fn evaluated(&self) -> bool {
        let split = self.split();
        (0..split.groups()).all(|number| {
            let group = split.group(number, self.secrets().measure());
            let mut circuit = Builder::new(2);
            let met = group.met(&mut circuit);
            let proposers = group.proposer_inputs(&self.children, &self.thresholds);
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
        let measure = self.secrets().measure();
        let found = network.run(vec![
            Box::pin(ask(&proposer, split, measure, &self.children, &self.thresholds)) as Task<'_, _>,
            Box::pin(answer(&holder, split, self.secrets())),
        ]);
        let found = found
            .into_iter()
            .map(|found| found.expect("a party waits for ever").unwrap());
        let found: Vec<bool> = found.collect();
        assert_eq!(found[0], found[1], "the parties disagree");
        found[0]
    }
}

/// So many groups of at most so many rows. Most thresholds are just what the part has, so that both answers are common.
fn case(groups: usize, rows: u32) -> impl Strategy<Value = Case> {
    let shape = (
        prop::collection::vec(1..=rows, groups),
        0u32..3,
        1usize..4,
        any::<bool>(),
    );
    shape.prop_flat_map(|(group_sizes, child_bits, number, sets)| {
        let rows = group_sizes.iter().sum::<u32>() as usize;
        let secrets = if sets {
            prop::collection::vec(prop::collection::vec(any::<bool>(), rows), number)
                .prop_map(Kept::Sets)
                .boxed()
        } else {
            let values = 2 * number - 1;
            let of_rows = prop::collection::vec(0..values as u32, rows);
            of_rows
                .prop_map(move |of_rows| Kept::Values { values, of_rows })
                .boxed()
        };
        let children = prop::collection::vec(0..1u16 << child_bits, rows);
        let off = prop::collection::vec(
            prop_oneof![5 => Just(0), 1 => -1i32..=1],
            group_sizes.len() << child_bits,
        );
        (children, secrets, off).prop_map(move |(children, secrets, off)| {
            let group_sizes = group_sizes.clone();
            let mut case = Case {
                group_sizes,
                child_bits,
                children,
                thresholds: Vec::new(),
                secrets,
            };
            let levels = case.levels().into_iter().zip(off);
            case.thresholds = levels.map(|(level, off)| level.saturating_add_signed(off)).collect();
            case
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn the_circuits_say_what_is_allowed(case in (1usize..6).prop_flat_map(|groups| case(groups, 12))) {
        prop_assert_eq!(case.evaluated(), case.allowed());
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
        child_bits: 1,
        children: vec![0, 0, 1, 1],
        thresholds: vec![1, 1],
        secrets: Kept::Sets(vec![vec![true, false, true, true]]),
    }
}

#[test]
fn a_part_at_its_threshold_is_allowed_and_one_row_above_is_not() {
    assert!(!hiv().found(&hiv().split()));
    let looser = Case {
        thresholds: vec![1, 2],
        ..hiv()
    };
    assert!(looser.found(&looser.split()));
    let other_child = Case {
        thresholds: vec![0, 2],
        ..hiv()
    };
    assert!(!other_child.found(&other_child.split()));
}

/// All rows go to one child. The other has no rows, so its threshold is 0, and that is met.
#[test]
fn a_part_without_rows_is_allowed() {
    for child in [0, 1] {
        let mut thresholds = vec![0, 0];
        thresholds[child] = 3;
        let case = Case {
            children: vec![child as u16; 4],
            thresholds: thresholds.clone(),
            ..hiv()
        };
        assert!(case.found(&case.split()));
        let secrets = Kept::Values {
            values: 5,
            of_rows: vec![4, 0, 4, 2],
        };
        let case = Case { secrets, ..case };
        assert!(case.found(&case.split()));
    }
}

/// Many sensitive values, few of them in a group.
#[test]
fn one_different_value_too_few_is_not_allowed() {
    let values = |of_rows: &[u32]| Kept::Values {
        values: 1000,
        of_rows: of_rows.to_vec(),
    };
    let case = Case {
        thresholds: vec![2, 2],
        secrets: values(&[7, 999, 7, 42]),
        ..hiv()
    };
    assert!(case.found(&case.split()));
    let case = Case {
        secrets: values(&[7, 999, 7, 7]),
        ..case
    };
    assert!(!case.found(&case.split()));
}

/// A bound that no part of the group can break or meet, however large, is the same as the largest that counts.
#[test]
fn a_threshold_beyond_the_group_is_no_error() {
    let case = Case {
        thresholds: vec![u32::MAX, 9],
        ..hiv()
    };
    assert!(case.evaluated());
    let case = Case {
        secrets: Kept::Values {
            values: 3,
            of_rows: vec![0, 1, 2, 0],
        },
        ..case
    };
    assert!(!case.evaluated());
}

/// One group of many fails: the last one of the last circuit, or the first one of the first.
#[test]
fn one_refusal_among_many_circuits_decides() {
    let groups = 6;
    let case = Case {
        group_sizes: vec![4; groups],
        children: [0, 0, 1, 1].repeat(groups),
        thresholds: [1, 2].repeat(groups),
        secrets: Kept::Sets(vec![[true, false, true, true].repeat(groups)]),
        ..hiv()
    };
    let split = case.split().with_ands_per_circuit(1);
    assert!(case.found(&split));
    for part in [0, 2 * groups - 1] {
        let mut refused = case.clone();
        refused.thresholds[part] -= 1;
        assert!(!refused.found(&split));
    }
}

/// The promise of the module: two ANDs per row and set where there are two children.
#[test]
fn a_row_costs_two_ands_per_set() {
    let split = Split::new(&[10_000], 1).unwrap();
    let mut circuit = Builder::new(2);
    split.group(0, Measure::SharesAtMost { sets: 1 }).met(&mut circuit);
    assert!(circuit.ands() < 2 * 10_000 + 50, "{}", circuit.ands());
    let mut circuit = Builder::new(2);
    split.group(0, Measure::DistinctAtLeast { values: 5 }).met(&mut circuit);
    assert!(circuit.ands() < 9 * 10_000 + 200, "{}", circuit.ands());
}

#[test]
fn inputs_that_do_not_fit_are_refused_before_anything_is_sent() {
    assert!(matches!(Split::new(&[], 1), Err(SecureError::Split(_))));
    assert!(matches!(Split::new(&[4, 0], 1), Err(SecureError::Split(_))));
    assert!(matches!(Split::new(&[4], 17), Err(SecureError::Split(_))));
    let network = Network::new(2);
    let line = network.line(0);
    let split = hiv().split();
    let one_set = Measure::SharesAtMost { sets: 1 };
    let tasks: Vec<Task<'_, _>> = vec![
        Box::pin(ask(&line, &split, one_set, &[0, 0, 1], &[1, 1])),
        Box::pin(ask(&line, &split, one_set, &[0, 0, 1, 2], &[1, 1])),
        Box::pin(ask(&line, &split, one_set, &[0, 0, 1, 1], &[1])),
        Box::pin(ask(
            &line,
            &split,
            Measure::SharesAtMost { sets: 0 },
            &[0, 0, 1, 1],
            &[1, 1],
        )),
        Box::pin(ask(
            &line,
            &split,
            Measure::DistinctAtLeast { values: 0 },
            &[0, 0, 1, 1],
            &[1, 1],
        )),
        Box::pin(answer(&line, &split, Secrets::Sets(&[]))),
        Box::pin(answer(
            &line,
            &split,
            Secrets::Values {
                values: 2,
                of_rows: &[0, 1, 1],
            },
        )),
        Box::pin(answer(
            &line,
            &split,
            Secrets::Values {
                values: 2,
                of_rows: &[0, 1, 1, 2],
            },
        )),
    ];
    for refused in network.run(tasks) {
        assert!(matches!(
            refused,
            Some(Err(SecureError::Split(_) | SecureError::Inputs(_)))
        ));
    }
    assert_eq!(network.messages(), 0);
}
