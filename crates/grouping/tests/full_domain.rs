//! The search over the lattice finds what looking at every node finds, on random tables, with templates of every kind.

mod dice;

use std::sync::Arc;

use dice::{Dice, Kind, World};
use proptest::prelude::*;
use scumble_grouping::{Failure, FullDomain, FullDomainFound, FullDomainObjective, Ladder, Scale, full_domain};
use scumble_level::Population;
use scumble_privacy::{
    Demand, Distance, Diversity, JoinDemand, Joined, Per, QuasiIdentifier, Requirement, SecretValues, Secrets, Template,
};
use scumble_progress::{Running, Stage, Work};
use scumble_refine::rows_to_leave_out;
use scumble_table::{Codes, Column, ColumnId, Interval, Mask, NodeId, Range, Table, Taxonomy, ValueOrder};

/// A table with a secret, a guarding node and a person in every row, and what is asked of it.
struct Case {
    world: World,
    table: Table,
    requirement: Requirement,
    populations: Vec<Population>,
    budget: u64,
    objective: FullDomainObjective,
}

/// What one node comes to.
#[derive(Clone, Debug)]
struct Slow {
    levels: Vec<usize>,
    left_out: Option<Vec<bool>>,
    value: f64,
}

impl Case {
    fn roll(seed: u64, rows: usize, columns: usize) -> Case {
        let mut dice = Dice(seed);
        let world = dice.world(rows, columns, 0);
        let table = with_secrets(&mut dice, &world);
        let population = population(&mut dice, &table, columns);
        let secrets = Arc::new(world.tree().clone());
        let templates = (0..1 + dice.roll(3)).map(|_| {
            let mut of: Vec<ColumnId> = (0..columns).filter(|_| dice.roll(3) > 0).map(ColumnId).collect();
            if of.is_empty() {
                of.push(ColumnId(dice.roll(columns)));
            }
            let any = (dice.roll(4) == 0).then(|| 1 + dice.roll(2));
            Template {
                of: QuasiIdentifier { columns: of, any },
                demand: demand(&mut dice, columns, &secrets),
            }
        });
        Case {
            requirement: Requirement {
                templates: templates.collect(),
            },
            world,
            table,
            populations: vec![population],
            budget: [0, 0, 1, rows / 4, rows / 2][dice.roll(5)] as u64,
            objective: [FullDomainObjective::Loss, FullDomainObjective::Discernibility][dice.roll(2)],
        }
    }

    fn ladders(&self) -> Vec<Ladder<'_>> {
        let quasi = self.world.quasi();
        quasi
            .into_iter()
            .map(|(id, scale)| Ladder::new(&self.table, id, scale))
            .collect()
    }

    fn fast(&self, ladders: &[Ladder]) -> Result<FullDomainFound, Failure> {
        full_domain(&FullDomain {
            table: &self.table,
            quasi: ladders,
            requirement: &self.requirement,
            populations: &self.populations,
            rows_left_out_at_most: self.budget,
            objective: self.objective,
            work: Work::unwatched(),
        })
    }

    /// Every node that keeps the requirement, by the plain way of leaving out rows.
    fn slow(&self, ladders: &[Ladder]) -> Vec<Slow> {
        let all = every_node(ladders).into_iter().map(|levels| {
            let left_out = self.left_out(ladders, &levels);
            let value = match self.objective {
                FullDomainObjective::Loss => self.loss(ladders, &levels, left_out.as_deref()),
                FullDomainObjective::Discernibility => self.discernibility(ladders, &levels, left_out.as_deref()),
            };
            Slow {
                levels,
                left_out,
                value,
            }
        });
        all.filter(|node| count(node.left_out.as_deref()) <= self.budget)
            .collect()
    }

    fn left_out(&self, ladders: &[Ladder], levels: &[usize]) -> Option<Vec<bool>> {
        let mut masks: Vec<(Mask, Option<&Taxonomy>)> = vec![(Mask::Exact, None); self.table.columns().len()];
        for (ladder, &level) in ladders.iter().zip(levels) {
            masks[ladder.column().0] = (ladder.masks()[level].clone(), ladder.taxonomy());
        }
        rows_to_leave_out(&self.table, &self.populations, &masks, &self.requirement)
    }

    /// What each row shows of each quasi column.
    fn shown(&self, ladders: &[Ladder], levels: &[usize]) -> Vec<Vec<Option<String>>> {
        let columns = ladders.iter().zip(levels).map(|(ladder, &level)| {
            let column = self.table.column(ladder.column());
            let (of_code, labels) = ladder.masks()[level].labels(column, ladder.taxonomy());
            let label = |code: u32| labels.at(of_code[code as usize] as usize).map(str::to_owned);
            column.codes().iter().map(label).collect::<Vec<_>>()
        });
        let columns: Vec<Vec<Option<String>>> = columns.collect();
        let row = |row: usize| columns.iter().map(|column| column[row].clone()).collect();
        (0..self.table.rows()).map(row).collect()
    }

    fn loss(&self, ladders: &[Ladder], levels: &[usize], left_out: Option<&[bool]>) -> f64 {
        let mut losses = Vec::new();
        for (row, shown) in self.shown(ladders, levels).into_iter().enumerate() {
            for (column, label) in shown.into_iter().enumerate() {
                let is_out = left_out.is_some_and(|out| out[row]);
                let is_exact = ladders[column].masks()[levels[column]] == Mask::Exact;
                losses.push(match label {
                    _ if is_out => 1.0,
                    Some(label) if !is_exact => self.loss_of(column, &label),
                    _ => 0.0,
                });
            }
        }
        losses.iter().sum::<f64>() / losses.len() as f64
    }

    /// The share of the other values that a label may stand for.
    fn loss_of(&self, column: usize, label: &str) -> f64 {
        let (id, kind) = self.world.quasi[column];
        let values = self.table.column(id).dictionary();
        match (kind, values.numbers()) {
            (Kind::Tree, _) => {
                let tree = self.world.tree();
                let is_under = |leaf: &&str| label == "*" || ancestors(tree, leaf).contains(&label);
                (tree.leaves().filter(is_under).count() as f64 - 1.0) / (tree.leaves().len() as f64 - 1.0)
            }
            (Kind::Numbers, Some(numbers)) if label != "*" => {
                let interval = Interval::parse(label).unwrap();
                (interval.to - interval.from) / (numbers[numbers.len() - 1] - numbers[0])
            }
            (Kind::Values, _) if values.len() == 1 => 0.0,
            _ => 1.0,
        }
    }

    fn discernibility(&self, ladders: &[Ladder], levels: &[usize], left_out: Option<&[bool]>) -> f64 {
        let rows = self.shown(ladders, levels);
        let is_out = |row: usize| left_out.is_some_and(|out| out[row]);
        let looks_like = |row: usize, other: usize| !is_out(other) && rows[row] == rows[other];
        let cost = |row: usize| match is_out(row) {
            true => rows.len(),
            false => (0..rows.len()).filter(|&other| looks_like(row, other)).count(),
        };
        (0..rows.len()).map(cost).sum::<usize>() as f64
    }
}

fn count(out: Option<&[bool]>) -> u64 {
    out.into_iter().flatten().filter(|&&out| out).count() as u64
}

fn every_node(ladders: &[Ladder]) -> Vec<Vec<usize>> {
    ladders.iter().fold(vec![Vec::new()], |nodes, ladder| {
        let raised = |node: Vec<usize>| {
            let levels = 0..ladder.masks().len();
            levels.map(move |level| [node.clone(), vec![level]].concat())
        };
        nodes.into_iter().flat_map(raised).collect()
    })
}

fn ancestors<'t>(tree: &'t Taxonomy, leaf: &str) -> Vec<&'t str> {
    let nodes = std::iter::successors(tree.find(leaf), |&node: &NodeId| tree.parent(node));
    nodes.map(|node| tree.label(node)).collect()
}

/// The quasi columns, then the secret, the guarding node and the person.
fn with_secrets(dice: &mut Dice, world: &World) -> Table {
    let rows = world.table.rows();
    let tree = world.tree();
    let labels: Vec<&str> = tree.nodes().map(|node| tree.label(node)).collect();
    let leaves: Vec<&str> = tree.leaves().collect();
    let diseases = 2 + dice.roll(3);
    let secrets: Vec<Option<&str>> = (0..rows).map(|_| Some(leaves[dice.roll(diseases) * 2])).collect();
    let guarding: Vec<Option<&str>> = (0..rows)
        .map(|_| Some(labels[dice.roll(labels.len())]).filter(|_| dice.roll(3) == 0))
        .collect();
    let people: Vec<String> = (0..rows).map(|_| dice.roll(rows).to_string()).collect();
    let mut columns = world.table.columns().to_vec();
    columns.push(Column::from_cells("secret", ValueOrder::Taxonomy(tree), secrets));
    columns.push(Column::from_cells("guarding", ValueOrder::Natural, guarding));
    let people = people.iter().map(|person| Some(&person[..]));
    columns.push(Column::from_cells("person", ValueOrder::Natural, people));
    Table::new(rows, columns)
}

/// Three times as many people as rows, of the values of the table.
fn population(dice: &mut Dice, table: &Table, columns: usize) -> Population {
    let rows = 3 * table.rows();
    let codes = (0..columns).map(|place| {
        let codes = table.column(ColumnId(place)).dictionary().len();
        let people: Vec<u32> = (0..rows).map(|_| dice.roll(codes) as u32).collect();
        (ColumnId(place), Codes::collect(codes, people))
    });
    Population {
        rows,
        codes: codes.collect(),
    }
}

fn demand(dice: &mut Dice, columns: usize, tree: &Arc<Taxonomy>) -> Demand {
    let [secret, guarding, person] = [columns, columns + 1, columns + 2].map(ColumnId);
    let mut share = |from: usize, to: usize| (from + dice.roll(to - from)) as f64 / 100.0;
    let (low, high, some) = (share(10, 60), share(50, 100), share(100, 250));
    let about = secret;
    match dice.roll(13) {
        0 | 1 => Demand::Anonymity {
            k: 2 + dice.roll(4) as u64,
            per: Vec::new(),
        },
        2 => Demand::Anonymity {
            k: 2 + dice.roll(2) as u64,
            per: vec![person],
        },
        3 => Demand::KMap {
            k: 2 + dice.roll(6) as u64,
            population: 0,
        },
        4 | 5 => {
            let values = match dice.roll(2) {
                0 => SecretValues::Every,
                _ => SecretValues::Sets(vec![vec!["a".into()], vec!["c".into(), "e".into()]]),
            };
            Demand::Confidence {
                at_most: high,
                about: vec![Secrets { column: about, values }],
            }
        }
        6 => Demand::Diversity {
            about,
            measure: Diversity::Distinct { l: 2 },
        },
        7 => Demand::Diversity {
            about,
            measure: Diversity::Entropy { l: some },
        },
        8 => Demand::Diversity {
            about,
            measure: Diversity::Recursive { c: some, l: 2 },
        },
        9 => Demand::Closeness {
            about,
            at_most: low,
            distance: match dice.roll(3) {
                0 => Distance::Equal,
                1 => Distance::Ordered,
                _ => Distance::Taxonomy(tree.clone()),
            },
        },
        10 => Demand::DeltaDisclosure { about, below: some },
        11 => Demand::BetaLikeness {
            about,
            at_most: some,
            enhanced: dice.roll(2) == 0,
        },
        _ => Demand::Personal {
            about,
            guarding,
            at_most: high,
            taxonomy: tree.clone(),
        },
    }
}

/// Five people of the module's example, and what is found if so many rows may be left out.
fn example(demand: Demand, rows: u64, go_on: bool) -> Result<FullDomainFound, Failure> {
    let stops = || !go_on;
    let searching = Running::begin(&stops, Stage::Searching, None);
    let column = |name, cells: [&'static str; 5]| Column::from_cells(name, ValueOrder::Natural, cells.map(Some));
    let columns = vec![
        column("age", ["31", "34", "38", "45", "47"]),
        column("sex", ["M", "M", "F", "M", "M"]),
    ];
    let table = Table::new(5, columns);
    let range = Range::new(30.0, 50.0).ok();
    let quasi = [
        Ladder::new(&table, ColumnId(0), Scale::Numbers { range }),
        Ladder::new(&table, ColumnId(1), Scale::Values { domain: None }),
    ];
    let of = QuasiIdentifier::all(vec![ColumnId(0), ColumnId(1)]);
    full_domain(&FullDomain {
        table: &table,
        quasi: &quasi,
        requirement: &Requirement {
            templates: vec![Template { of, demand }],
        },
        populations: &[],
        rows_left_out_at_most: rows,
        objective: FullDomainObjective::Loss,
        work: searching.work(),
    })
}

fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: Vec::new() }
}

#[test]
fn one_woman_costs_her_row_or_everyones_sex() {
    let all_in = example(anonymity(2), 0, true).unwrap();
    assert_eq!((&all_in.levels[..], all_in.value), (&[1, 1][..], 0.75));
    assert_eq!(all_in.masks[1], Mask::Suppress(Vec::new()));
    assert_eq!(all_in.left_out, None);
    let one_out = example(anonymity(2), 1, true).unwrap();
    assert_eq!((&one_out.levels[..], one_out.value), (&[1, 0][..], 0.4));
    assert_eq!(one_out.left_out, Some(vec![false, false, true, false, false]));
    assert_eq!(one_out.nodes, 6);
}

#[test]
fn five_rows_are_never_six() {
    assert_eq!(example(anonymity(5), 0, true).unwrap().levels, [2, 1]);
    assert_eq!(example(anonymity(6), 0, true), Err(Failure::CannotBeMet(vec![5.0])));
    assert_eq!(example(anonymity(6), 4, true), Err(Failure::CannotBeMet(vec![5.0])));
    assert!(
        example(anonymity(6), 5, true).is_ok(),
        "nobody is left to be told apart"
    );
}

#[test]
fn it_stops_when_told_to() {
    assert_eq!(example(anonymity(2), 0, false), Err(Failure::Interrupted));
}

#[test]
fn templates_on_the_join_are_refused() {
    let joined = Joined {
        of: Vec::new(),
        demand: JoinDemand::Anonymity { k: 2, per: Per::Join },
    };
    assert_eq!(example(Demand::Joined(joined), 0, true), Err(Failure::OnJoin(vec![0])));
}

/// Losses are compared in parts of 2^-40 of a cell.
const ROUNDING: f64 = 1e-9;

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn it_finds_the_best_of_all_nodes(seed in any::<u64>(), rows in 1usize..40, columns in 1usize..4) {
        let case = Case::roll(seed, rows, columns);
        let ladders = case.ladders();
        let kept = case.slow(&ladders);
        let best = kept.iter().map(|node| node.value).fold(f64::INFINITY, f64::min);
        match case.fast(&ladders) {
            Err(Failure::CannotBeMet(levels)) => {
                prop_assert!(kept.is_empty());
                let templates = case.requirement.templates.iter().zip(levels);
                prop_assert!(templates.into_iter().any(|(template, level)| !template.is_met_by(level)));
            }
            Err(other) => prop_assert!(false, "{other:?}"),
            Ok(found) => {
                prop_assert!((found.value - best).abs() <= ROUNDING * best, "{} {best}", found.value);
                let own = kept.iter().find(|node| node.levels == found.levels).unwrap();
                prop_assert!((own.value - best).abs() <= ROUNDING * best);
                prop_assert_eq!(&own.left_out, &found.left_out);
                prop_assert_eq!(found.nodes, every_node(&ladders).len() as u64);
                if case.objective == FullDomainObjective::Discernibility {
                    let equal = kept.iter().filter(|node| node.value == best).map(|node| &node.levels);
                    let first = equal.min_by_key(|levels| (levels.iter().sum::<usize>(), levels.to_vec()));
                    prop_assert_eq!(first, Some(&found.levels));
                }
            }
        }
    }

    /// What is found, and how many nodes it took, does not depend on the number of threads.
    #[test]
    fn one_thread_looks_at_the_same_nodes(seed in any::<u64>(), rows in 1usize..40, columns in 1usize..4) {
        let case = Case::roll(seed, rows, columns);
        let ladders = case.ladders();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        prop_assert_eq!(case.fast(&ladders), one.install(|| case.fast(&ladders)));
    }
}
