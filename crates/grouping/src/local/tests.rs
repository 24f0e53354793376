//! The fast search beside plain ones that enumerate, on small tables.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use scumble_privacy::{Demand, Distance, Diversity, QuasiIdentifier, Requirement, SecretValues, Secrets, Template};
use scumble_progress::{Running, Stage, Work};
use scumble_table::taxonomy::{Format, parse};
use scumble_table::{Column, ColumnId, Table, ValueOrder};

use super::improve::LEAST_GAIN;
use super::*;
use crate::{Grouping, Mondrian, Scale, Space};

/// Age, job (a leaf of a tree), letter, and a secret. From 12 on an age is missing.
type Person = (u8, u8, u8, u8);

const JOBS: &str =
    "Engineer;Professional;ANY\nLawyer;Professional;ANY\nJanitor;Janitor;ANY\nCook;Kitchen;ANY\nBaker;Kitchen;ANY\n";
const SECRET: ColumnId = ColumnId(3);

/// Some people, and what is asked of their groups.
struct People {
    table: Table,
    space: Space,
    requirement: Requirement,
}

impl People {
    fn new(people: &[Person], demands: Vec<Demand>) -> People {
        let jobs = parse(JOBS, Format::Levels).expect("the tree is right");
        let texts =
            |text: &dyn Fn(&Person) -> Option<String>| -> Vec<Option<String>> { people.iter().map(text).collect() };
        let job = |person: &Person| jobs.leaves().nth(usize::from(person.1)).map(str::to_owned);
        let letter = |place: u8| char::from(b'a' + place).to_string();
        let cells = [
            texts(&|person| Some(person.0).filter(|&age| age < 12).map(|age| (7 * age).to_string())),
            texts(&job),
            texts(&|person| Some(letter(person.2))),
            texts(&|person| Some(letter(person.3))),
        ];
        let natural = ValueOrder::Natural;
        let orders = [ValueOrder::Number, ValueOrder::Taxonomy(&jobs), natural, natural];
        let columns = ["age", "job", "letter", "secret"].iter().zip(orders).zip(&cells);
        let columns =
            columns.map(|((name, order), cells)| Column::from_cells(name, order, cells.iter().map(Option::as_deref)));
        let table = Table::new(people.len(), columns.collect());
        let scales = [
            (ColumnId(0), Scale::Numbers { range: None }),
            (ColumnId(1), Scale::Tree(&jobs)),
            (ColumnId(2), Scale::Values { domain: None }),
        ];
        let of = QuasiIdentifier::all(scales.iter().map(|(id, _)| *id).collect());
        let template = |demand| Template { of: of.clone(), demand };
        People {
            space: Space::new(&table, &scales),
            requirement: Requirement {
                templates: demands.into_iter().map(template).collect(),
            },
            table,
        }
    }

    fn rows(&self) -> Vec<u32> {
        (0..self.table.rows() as u32).collect()
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions::new(&self.table, &self.requirement)
    }

    fn problem(&self) -> Problem<'_> {
        Problem {
            table: &self.table,
            space: &self.space,
            requirement: &self.requirement,
            rows_left_out_at_most: 0,
            seed: 0,
            work: Work::unwatched(),
        }
    }

    fn cost(&self, rows: &[u32]) -> f64 {
        let loss = |rows: &[u32]| self.space.loss(&self.space.hull(rows));
        if rows.is_empty() {
            0.0
        } else {
            rows.len() as f64 * loss(rows)
        }
    }

    fn total(&self, groups: &[Vec<u32>]) -> f64 {
        groups.iter().map(|group| self.cost(group)).sum()
    }

    fn keep(&self, groups: &[Vec<u32>]) -> bool {
        groups.iter().all(|group| self.conditions().are_met_by(group))
    }
}

fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: Vec::new() }
}

fn diversity(measure: Diversity) -> Demand {
    Demand::Diversity { about: SECRET, measure }
}

/// Nothing but size, or something of the secret beside it.
fn demands() -> impl Strategy<Value = Vec<Demand>> {
    let every = vec![Secrets {
        column: SECRET,
        values: SecretValues::Every,
    }];
    let beside = prop_oneof![
        4 => Just(None),
        1 => Just(Some(diversity(Diversity::Distinct { l: 2 }))),
        1 => Just(Some(diversity(Diversity::Entropy { l: 1.5 }))),
        1 => Just(Some(Demand::Confidence { at_most: 0.5, about: every })),
        1 => Just(Some(Demand::Closeness { about: SECRET, at_most: 0.3, distance: Distance::Equal })),
    ];
    (1u64..5, beside).prop_map(|(k, beside)| std::iter::once(anonymity(k)).chain(beside).collect())
}

fn people(most: usize) -> impl Strategy<Value = Vec<Person>> {
    prop::collection::vec((0u8..13, 0u8..5, 0u8..4, 0u8..3), 1..most)
}

/// All cells of all choices of levels, the first axis counted up fastest, by loss; taken one by one.
fn dense_first_slowly(people: &People) -> Vec<Vec<u32>> {
    let space = &people.space;
    let ladders: Vec<_> = (0..space.axes()).map(|axis| &space.rungs(axis).levels).collect();
    let mut cells: BTreeMap<(u32, usize, Vec<u32>), Vec<u32>> = BTreeMap::new();
    for choice in 0..ladders.iter().map(|ladder| ladder.len()).product() {
        let mut rest = choice;
        let mut levels = Vec::new();
        for ladder in &ladders {
            levels.push(&ladder[rest % ladder.len()]);
            rest /= ladder.len();
        }
        for row in people.rows() {
            let codes = || levels.iter().zip(space.cells(row));
            let parts = codes().map(|(level, &code)| level.part_of[code as usize]);
            let losses = codes().map(|(level, &code)| (level.losses[code as usize] * f64::from(1 << 20)) as u32);
            cells
                .entry((losses.sum(), choice, parts.collect()))
                .or_default()
                .push(row);
        }
    }
    let mut left: BTreeSet<u32> = people.rows().into_iter().collect();
    let mut groups = Vec::new();
    for cell in cells.into_values() {
        let cell: Vec<u32> = cell.into_iter().filter(|row| left.contains(row)).collect();
        if people.conditions().are_met_by(&cell) {
            cell.iter().for_each(|row| assert!(left.remove(row)));
            groups.push(cell);
        }
    }
    groups
}

/// Where a row of a group would cost least, and how much; of equals the group that loses least, then the first.
fn home(people: &People, groups: &[Vec<u32>], own: usize, row: u32) -> Option<(f64, usize)> {
    let space = &people.space;
    let loss = |group: usize| space.loss(&space.hull(&groups[group]));
    let mut others: Vec<usize> = (0..groups.len()).filter(|&group| group != own).collect();
    others.sort_by(|&a, &b| loss(a).total_cmp(&loss(b)));
    let costs = others.into_iter().map(|group| {
        let rows = groups[group].len() as f64;
        let with = space.loss_with(&space.hull(&groups[group]), row);
        ((rows + 1.0) * with - rows * loss(group), group)
    });
    costs.reduce(|best, next| if next.0 < best.0 { next } else { best })
}

/// What the total shrinks by if rows of a group go to others; `None` if a group would break a condition.
fn gain(people: &People, groups: &[Vec<u32>], from: usize, moves: &[(u32, usize)]) -> Option<f64> {
    let mut after = groups.to_vec();
    after[from].retain(|row| moves.iter().all(|(moved, _)| moved != row));
    moves.iter().for_each(|&(row, to)| after[to].push(row));
    after.retain(|group| !group.is_empty());
    people.keep(&after).then(|| people.total(groups) - people.total(&after))
}

/// The first move of one row, to where it costs least, that would gain.
fn move_that_gains(people: &People, groups: &[Vec<u32>]) -> Option<(u32, usize)> {
    let rows = groups
        .iter()
        .enumerate()
        .flat_map(|(own, group)| group.iter().map(move |&row| (own, row)));
    let moves = rows.filter_map(|(own, row)| Some((own, row, home(people, groups, own, row)?.1)));
    let gains =
        |&(own, row, to): &(usize, u32, usize)| gain(people, groups, own, &[(row, to)]) > Some(2.0 * LEAST_GAIN);
    moves.filter(gains).map(|(_, row, to)| (row, to)).next()
}

/// The first group whose rows would gain if each went where it costs least, both row by row and all together.
fn dissolving_that_gains(people: &People, groups: &[Vec<u32>]) -> Option<usize> {
    (0..groups.len()).find(|&own| {
        let homes = groups[own].iter().map(|&row| home(people, groups, own, row));
        let Some(homes) = homes.collect::<Option<Vec<(f64, usize)>>>() else {
            return false;
        };
        let costs: f64 = homes.iter().map(|(cost, _)| cost).sum();
        let moves: Vec<(u32, usize)> = groups[own].iter().zip(homes).map(|(&row, (_, to))| (row, to)).collect();
        let gains_row_by_row = people.cost(&groups[own]) - costs > 2.0 * LEAST_GAIN;
        gains_row_by_row && gain(people, groups, own, &moves) > Some(2.0 * LEAST_GAIN)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn dense_first_takes_the_cells_of_the_slow_one(rows in people(60), demands in demands()) {
        let people = People::new(&rows, demands);
        let lattice = Lattice::new(&people.space);
        let fast = dense_first(&people.problem(), &people.conditions(), &lattice, &people.rows(), &Work::unwatched().count(1)).unwrap();
        let slow = dense_first_slowly(&people);
        prop_assert_eq!(Grouping::new(rows.len(), &fast), Grouping::new(rows.len(), &slow));
    }

    /// From the groups of another method, in which every row is.
    #[test]
    fn improving_never_loses_more_and_breaks_nothing(rows in people(60), demands in demands(), strict in any::<bool>()) {
        let people = People::new(&rows, demands);
        let conditions = people.conditions();
        let before = Mondrian { strict }.groups(&people.problem(), &conditions).unwrap();
        prop_assume!(people.keep(&before));
        let after = improve(&people.problem(), &conditions, &people.rows(), before.clone(), &Work::unwatched().count(1)).unwrap();
        prop_assert!(people.total(&after) <= people.total(&before) + 1e-9);
        prop_assert!(people.keep(&after));
        let mut all = after.concat();
        all.sort_unstable();
        prop_assert_eq!(all, people.rows());
    }

    #[test]
    fn in_the_end_no_move_and_no_dissolving_gains(rows in people(40), demands in demands()) {
        let people = People::new(&rows, demands);
        let groups = Local.groups(&people.problem(), &people.conditions()).unwrap();
        prop_assume!(people.keep(&groups));
        prop_assert_eq!(move_that_gains(&people, &groups), None);
        prop_assert_eq!(dissolving_that_gains(&people, &groups), None);
    }

    /// A group lies within one block, and a block that can be grouped leaves no row over if only size counts.
    #[test]
    fn blocks_are_grouped_by_themselves(rows in people(120), k in 1u64..5) {
        let people = People::new(&rows, vec![anonymity(k)]);
        let groups = in_blocks(&people.problem(), &people.conditions(), 10).unwrap();
        let blocks = Partition::new(&people.space, people.rows(), 10, Work::unwatched());
        for block in blocks.subspaces() {
            let inside: Vec<&Vec<u32>> = groups.iter().filter(|group| block.contains(&group[0])).collect();
            let mut all: Vec<u32> = inside.into_iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(&all[..], block);
        }
    }
}

/// People whose numbers have no pattern.
fn crowd(rows: u32) -> Vec<Person> {
    let digit =
        |row: u32, place: u32, sides: u32| (row.wrapping_mul(2_654_435_761).rotate_left(7 * place) % sides) as u8;
    let person = |row: u32| (digit(row, 0, 13), digit(row, 1, 5), digit(row, 2, 4), digit(row, 3, 3));
    (0..rows).map(person).collect()
}

/// 3000 rows, at first in one block, for which passes are limited; then in blocks of 300 and more.
#[test]
fn groups_are_the_same_on_any_number_of_threads() {
    let people = People::new(
        &crowd(3000),
        vec![anonymity(20), diversity(Diversity::Distinct { l: 3 })],
    );
    for fewest in [BLOCK, 300] {
        let on = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| in_blocks(&people.problem(), &people.conditions(), fewest))
                .unwrap()
        };
        let one = on(1);
        assert!(one.len() > 50, "{}", one.len());
        assert!(one == on(2) && one == on(5), "blocks of {fewest}");
    }
}

/// Nobody has three different secrets, so nothing keeps the conditions: each block stays whole.
#[test]
fn a_block_without_a_good_cell_stays_whole() {
    let rows: Vec<Person> = crowd(40)
        .into_iter()
        .map(|(age, job, letter, _)| (age, job, letter, 0))
        .collect();
    let people = People::new(&rows, vec![diversity(Diversity::Distinct { l: 3 })]);
    let groups = in_blocks(&people.problem(), &people.conditions(), 10).unwrap();
    assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [10; 4]);
}

#[test]
fn it_stops_when_told_to() {
    let people = People::new(&crowd(100), vec![anonymity(3)]);
    let stopped = Running::begin(&|| true, Stage::Searching, None);
    let problem = Problem {
        work: stopped.work(),
        ..people.problem()
    };
    assert_eq!(Local.groups(&problem, &people.conditions()), Err(Failure::Interrupted));
}
