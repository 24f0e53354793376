//! Anatomy: the steps of Xiao and Tao, and what is dealt where they do not do.

use std::collections::BTreeMap;

use proptest::prelude::*;
use scumble_grouping::{Anatomy, Grouping, Method, Problem, Space};
use scumble_level::Conditions;
use scumble_privacy::{Demand, Diversity, QuasiIdentifier, Requirement, SecretValues, Secrets, Template};
use scumble_progress::Work;
use scumble_table::{Column, ColumnId, Table, ValueOrder};

use crate::task::{Task, anonymity};

const SECRET: ColumnId = ColumnId(0);

fn distinct(l: u64) -> Demand {
    Demand::Diversity {
        about: SECRET,
        measure: Diversity::Distinct { l },
    }
}

fn requirement(demands: Vec<Demand>) -> Requirement {
    let template = |demand| Template {
        of: QuasiIdentifier::all(Vec::new()),
        demand,
    };
    Requirement {
        templates: demands.into_iter().map(template).collect(),
    }
}

/// The secrets of each group, sorted; the rows among those of one secret are drawn by lot.
fn secrets_of_groups(secrets: &[&'static str], demands: Vec<Demand>) -> Vec<Vec<&'static str>> {
    let cells = secrets.iter().copied().map(Some);
    let table = Table::new(
        secrets.len(),
        vec![Column::from_cells("secret", ValueOrder::Natural, cells)],
    );
    let requirement = requirement(demands);
    let problem = Problem {
        table: &table,
        space: &Space::new(&table, &[]),
        requirement: &requirement,
        rows_left_out_at_most: 0,
        seed: 7,
        work: Work::unwatched(),
    };
    let groups = Anatomy::of(SECRET, &requirement).groups(&problem, &Conditions::new(&table, &requirement));
    let groups = Grouping::new(secrets.len(), &groups.expect("nobody told it to stop")).rows();
    let secrets = groups.into_iter().map(|group| {
        let mut secrets: Vec<&str> = group.into_iter().map(|row| secrets[row as usize]).collect();
        secrets.sort_unstable();
        secrets
    });
    let mut all: Vec<Vec<&str>> = secrets.collect();
    all.sort_unstable();
    all
}

/// The patients of Xiao and Tao, table 1: two each with pneumonia, dyspepsia and flu, one with gastritis, one with
/// bronchitis.
const PATIENTS: [&str; 8] = [
    "pneumonia",
    "dyspepsia",
    "dyspepsia",
    "pneumonia",
    "flu",
    "gastritis",
    "flu",
    "bronchitis",
];

/// Largest first, and of equally large ones the first in value order: dyspepsia and flu, then pneumonia with what
/// comes first of those with one patient left, and so on.
#[test]
fn patients_of_the_paper_are_paired() {
    let pairs = [
        vec!["bronchitis", "pneumonia"],
        vec!["dyspepsia", "flu"],
        vec!["dyspepsia", "flu"],
        vec!["gastritis", "pneumonia"],
    ];
    assert_eq!(secrets_of_groups(&PATIENTS, vec![distinct(2)]), pairs);
}

/// Two groups of three, and two patients left over, who go where their disease is not.
#[test]
fn patients_left_over_join_a_group_that_lacks_their_disease() {
    let groups = secrets_of_groups(&PATIENTS, vec![distinct(3)]);
    assert_eq!(groups.concat().len(), 8);
    assert_eq!(groups.len(), 2);
    for group in groups {
        assert!(group.windows(2).all(|pair| pair[0] != pair[1]), "{group:?}");
    }
}

/// Salaries of Loukides, table 2.1. Table 2.13 shows four salaries of 10K as one group; two different ones to a group
/// make pairs.
const SALARIES: [&str; 8] = ["10", "10", "10", "10", "20", "40", "40", "30"];

#[test]
fn nobody_is_known_to_earn_10() {
    let pairs = [["10", "20"], ["10", "30"], ["10", "40"], ["10", "40"]].map(Vec::from);
    assert_eq!(secrets_of_groups(&SALARIES, vec![distinct(2)]), pairs);
}

/// Groups of four, as in tables 2.12 and 2.13, but dealt: each has its part of every salary.
#[test]
fn four_rows_have_their_part_of_every_salary() {
    let fours = [vec!["10", "10", "20", "40"], vec!["10", "10", "30", "40"]];
    assert_eq!(secrets_of_groups(&SALARIES, vec![distinct(2), anonymity(4)]), fours);
}

/// One in five may have HIV, and two of ten do. No group has to have five rows for flu; but two groups can have one
/// of the two.
#[test]
fn a_secret_that_one_in_five_may_have_needs_five_rows() {
    let patients = ["HIV", "HIV", "flu", "flu", "flu", "flu", "flu", "flu", "flu", "flu"];
    let bound = Demand::Confidence {
        at_most: 0.2,
        about: vec![Secrets {
            column: SECRET,
            values: SecretValues::Sets(vec![vec!["HIV".into()]]),
        }],
    };
    let fives = [
        vec!["HIV", "flu", "flu", "flu", "flu"],
        vec!["HIV", "flu", "flu", "flu", "flu"],
    ];
    assert_eq!(secrets_of_groups(&patients, vec![bound]), fives);
}

#[test]
fn the_diversity_is_what_the_templates_need() {
    let every = vec![Secrets {
        column: SECRET,
        values: SecretValues::Every,
    }];
    let measured = |measure| Demand::Diversity { about: SECRET, measure };
    let cases = [
        (anonymity(9), 1),
        (distinct(4), 4),
        (measured(Diversity::Entropy { l: 2.5 }), 3),
        (measured(Diversity::Recursive { c: 2.0, l: 3 }), 3),
        (measured(Diversity::Recursive { c: 0.5, l: 3 }), 5),
        (
            Demand::Confidence {
                at_most: 1.0 / 3.0,
                about: every,
            },
            3,
        ),
    ];
    for (demand, diversity) in cases {
        assert_eq!(
            Anatomy::of(SECRET, &requirement(vec![demand.clone()])).diversity,
            diversity,
            "{demand:?}"
        );
    }
}

/// How many rows of each group have each secret, as the steps tell it; `None` if they come to no end.
fn slow(mut buckets: BTreeMap<u32, usize>, diversity: usize) -> Option<Vec<BTreeMap<u32, usize>>> {
    let mut groups: Vec<BTreeMap<u32, usize>> = Vec::new();
    while buckets.len() >= diversity && !buckets.is_empty() {
        let mut largest: Vec<u32> = buckets.keys().copied().collect();
        largest.sort_by_key(|secret| std::cmp::Reverse(buckets[secret]));
        largest.truncate(diversity);
        for secret in &largest {
            *buckets.get_mut(secret)? -= 1;
        }
        buckets.retain(|_, rows| *rows > 0);
        groups.push(largest.into_iter().map(|secret| (secret, 1)).collect());
    }
    for (secret, rows) in buckets {
        for _ in 0..rows {
            groups
                .iter_mut()
                .find(|group| !group.contains_key(&secret))?
                .insert(secret, 1);
        }
    }
    Some(groups)
}

fn counted(codes: impl Iterator<Item = u32>) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    codes.for_each(|code| *counts.entry(code).or_insert(0) += 1);
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn what_the_whole_keeps_every_group_keeps(seed in any::<u64>()) {
        let task = Task::roll(seed, 60);
        let groups = task.gather(&Anatomy::of(task.world.sensitive[0].0, &task.requirement));
        task.check_all(&groups)?;
        if task.can_be_met() {
            task.check_kept(&groups)?;
        }
    }

    /// If the steps do, they are the slow ones; if not, groups differ by one row of each secret at most.
    #[test]
    fn steps_are_the_slow_ones_or_rows_are_dealt_evenly(seed in any::<u64>(), diversity in 1usize..4) {
        let task = Task::roll(seed, 40);
        let sensitive = task.world.sensitive[0].0;
        let codes = task.world.table.column(sensitive).codes();
        let groups = task.gather(&Anatomy { sensitive, diversity });
        let secrets = |group: &Vec<u32>| counted(group.iter().map(|&row| codes.at(row as usize)));
        let found: Vec<BTreeMap<u32, usize>> = groups.iter().map(secrets).collect();
        let steps = slow(counted(codes.iter()), diversity);
        if steps.as_ref() != Some(&found) {
            let count = |secret: u32| found.iter().map(move |group| group.get(&secret).copied().unwrap_or(0));
            for secret in counted(codes.iter()).into_keys() {
                prop_assert!(count(secret).max() <= count(secret).min().map(|least| least + 1));
            }
            // Nothing is dealt without need.
            let conditions = task.conditions();
            let is_large = |group: &BTreeMap<u32, usize>| group.values().sum::<usize>() >= conditions.fewest_rows();
            let steps_do = steps.is_some_and(|steps| steps.iter().all(is_large));
            prop_assert!(!(conditions.are_of_size_only() && steps_do));
        }
    }

    /// As many groups as k allows.
    #[test]
    fn groups_are_as_small_as_can_be(seed in any::<u64>(), k in 1u64..6) {
        let task = Task::roll(seed, 40).of_size_only(k);
        let groups = task.gather(&Anatomy { sensitive: task.world.sensitive[0].0, diversity: 1 });
        if task.can_be_met() {
            prop_assert_eq!(groups.len(), task.rows() / k as usize);
        }
    }
}
