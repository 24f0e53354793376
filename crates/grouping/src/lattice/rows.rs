//! [`Rows`]: the rows of a table as *kinds*, which look the same on every quasi column.
//!
//! Rows of one kind are in one group at every node, so they stay or leave together, and all that is ever grouped is kinds.
//! What has been found to be too fine is given up: rolled up to a node, the kinds are its groups, and know only the levels
//! from there on.
//!
//! | age | sex | disease | | kind | rows | rolled up to ages by tens | rows |
//! |---|---|---|---|---|---|---|---|
//! | 31 | M | Flu | | 31, M | 2: Flu, HIV | 30s, M | 3: 2 Flu, HIV |
//! | 31 | M | HIV | | 34, M | 1: Flu | | |
//! | 34 | M | Flu | | 34, F | 1: Flu | 30s, F | 1: Flu |
//! | 34 | F | Flu | | | | | |
//!
//! People of a population are kinds of their own, after those of the table: they are counted, and never leave.

use scumble_level::{PERSON, Population, Spec};
use scumble_table::{Codes, Collapsed, Table, collapse};

use super::ladder::Rung;
use super::node::Node;
use crate::Ladder;

/// Kinds, and what each shows at each level.
#[derive(Debug)]
pub(super) struct Rows {
    /// How many kinds are of the table.
    own: usize,
    /// How many rows or people each kind stands for.
    weights: Vec<u32>,
    /// 0 for a kind of the table, else one more than the place of the population.
    whose: Codes,
    /// The node that they were rolled up to.
    floor: Node,
    /// For each column and each of its levels from the floor on, what each kind shows.
    labels: Vec<Vec<Codes>>,
    /// For each [`Division`], how many rows of each category a kind has.
    members: Vec<Vec<Member>>,
}

/// Rows of one kind and one category.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub kind: u32,
    pub category: u32,
    pub weight: u32,
}

/// What rows are told apart by beside the group. Many groupings may share one: bounded knowledge has one per subset.
#[derive(Clone, Copy, Debug)]
pub(super) enum Division<'s> {
    /// The category of each row; `None` if all are alike.
    Categories(Option<&'s Codes>),
    /// Rows and people of a population.
    People(usize),
}

impl PartialEq for Division<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // The same list, most often; to compare it is to read it.
            (Division::Categories(Some(a)), Division::Categories(Some(b))) => std::ptr::eq(*a, *b) || a == b,
            (Division::Categories(a), Division::Categories(b)) => a.is_none() && b.is_none(),
            (Division::People(a), Division::People(b)) => a == b,
            _ => false,
        }
    }
}

impl<'s> Division<'s> {
    /// What a grouping tells rows apart by.
    pub fn of(spec: &'s Spec) -> Self {
        match spec.population {
            Some(population) => Division::People(population),
            None => Division::Categories(spec.categories.as_deref()),
        }
    }
}

impl Rows {
    /// The rows of a table and the people of populations; and the kind of each row.
    pub fn new(
        table: &Table,
        populations: &[Population],
        ladders: &[Ladder],
        divisions: &[Division],
    ) -> (Rows, Vec<u32>) {
        let columns: Vec<Codes> = ladders
            .iter()
            .map(|ladder| with_people(table, populations, ladder))
            .collect();
        let people = populations.iter().enumerate();
        let people = people.flat_map(|(place, population)| vec![place as u32 + 1; population.rows]);
        let whose = Codes::collect(populations.len() + 1, vec![0; table.rows()].into_iter().chain(people));
        let all: Vec<&Codes> = columns.iter().chain([&whose]).collect();
        let Collapsed { rows, weights, kind_of } = collapse(whose.len(), &all);
        let own = rows.partition_point(|&row| (row as usize) < table.rows());
        let labels = ladders.iter().zip(&columns).map(|(ladder, codes)| {
            let codes = codes.pick(&rows);
            // A code that was filled in may be of a column without any value.
            let label = |rung: &Rung, code: u32| rung.of_code.get(code as usize).copied().unwrap_or(0);
            let level = |rung: &Rung| Codes::collect(rung.losses.len(), codes.iter().map(|code| label(rung, code)));
            ladder.rungs().iter().map(level).collect()
        });
        let mut kinds = Rows {
            own,
            weights,
            whose: whose.pick(&rows),
            floor: Node::bottom(ladders),
            labels: labels.collect(),
            members: Vec::new(),
        };
        kinds.members = divisions
            .iter()
            .map(|division| kinds.divided(division, &kind_of))
            .collect();
        (kinds, kind_of)
    }

    fn divided(&self, division: &Division, kind_of: &[u32]) -> Vec<Member> {
        let kinds = self.weights.iter().zip(self.whose.iter()).zip(0..);
        merged(match *division {
            Division::Categories(Some(categories)) => {
                let rows = categories.iter().zip(kind_of);
                rows.map(|(category, &kind)| (category, kind, 1)).collect()
            }
            Division::Categories(None) => {
                let own = kinds.take(self.own);
                own.map(|((&weight, _), kind)| (0, kind, weight)).collect()
            }
            Division::People(place) => kinds
                .filter_map(|((&weight, whose), kind)| match whose as usize {
                    0 => Some((0, kind, weight)),
                    whose => (whose == place + 1).then_some((PERSON, kind, weight)),
                })
                .collect(),
        })
    }

    /// The groups of a node as kinds.
    pub fn rolled_up(&self, node: &Node) -> Rows {
        let mut columns: Vec<&Codes> = (0..self.labels.len()).map(|column| self.labels(column, node)).collect();
        columns.push(&self.whose);
        let Collapsed { rows, kind_of, .. } = collapse(self.weights.len(), &columns);
        let mut weights = vec![0; rows.len()];
        for (&kind, &weight) in kind_of.iter().zip(&self.weights) {
            weights[kind as usize] += weight;
        }
        let labels = self.labels.iter().enumerate().map(|(column, levels)| {
            let given_up = node.level(column) - self.floor.level(column);
            levels[given_up..].iter().map(|codes| codes.pick(&rows)).collect()
        });
        let member = |member: &Member| (member.category, kind_of[member.kind as usize], member.weight);
        let members = self.members.iter();
        Rows {
            own: rows.partition_point(|&kind| (kind as usize) < self.own),
            weights,
            whose: self.whose.pick(&rows),
            floor: node.clone(),
            labels: labels.collect(),
            members: members
                .map(|members| merged(members.iter().map(member).collect()))
                .collect(),
        }
    }

    /// How many kinds are of the table.
    pub fn kinds(&self) -> usize {
        self.own
    }

    /// How many rows a kind of the table stands for.
    pub fn weight(&self, kind: usize) -> u64 {
        self.weights[kind].into()
    }

    /// How many rows of each category each kind has, the categories ascending.
    pub fn members(&self, division: usize) -> &[Member] {
        &self.members[division]
    }

    /// What each kind shows of a column.
    pub fn labels(&self, column: usize, node: &Node) -> &Codes {
        &self.labels[column][node.level(column) - self.floor.level(column)]
    }

    /// The groups on some columns at a node, of the kinds of the table or, `with_people`, of all kinds.
    pub fn groups(&self, columns: impl IntoIterator<Item = usize>, node: &Node, with_people: bool) -> Collapsed {
        let columns: Vec<&Codes> = columns.into_iter().map(|column| self.labels(column, node)).collect();
        collapse(if with_people { self.weights.len() } else { self.own }, &columns)
    }
}

/// The codes of a column: of the rows, then of the people. A population need not have a column that no template counts it
/// by; any code does then.
fn with_people(table: &Table, populations: &[Population], ladder: &Ladder) -> Codes {
    let column = table.column(ladder.column());
    let people = populations.iter().flat_map(|population| {
        let mut codes = population.codes.iter();
        match codes.find(|(id, _)| *id == ladder.column()) {
            Some((_, codes)) => codes.iter().collect(),
            None => vec![0; population.rows],
        }
    });
    Codes::collect(column.dictionary().len(), column.codes().iter().chain(people))
}

/// Members by category, then kind; those of the same kind and category as one.
fn merged(mut members: Vec<(u32, u32, u32)>) -> Vec<Member> {
    members.sort_unstable();
    let equal = members.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    equal
        .map(|equal| Member {
            category: equal[0].0,
            kind: equal[0].1,
            weight: equal.iter().map(|member| member.2).sum(),
        })
        .collect()
}
