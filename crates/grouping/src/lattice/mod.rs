//! Full-domain generalization: every quasi column is shown at one level, the same for all rows, and the levels are the best
//! there are.
//!
//! | age | sex | | halves of [30, 50], sex | halves of [30, 50] |
//! |---|---|---|---|---|
//! | 31 | M | | [30, 40), M | [30, 40), * |
//! | 34 | M | | [30, 40), M | [30, 40), * |
//! | 38 | F | | [30, 40), F: alone | [30, 40), * |
//! | 45 | M | | [40, 50], M | [40, 50], * |
//! | 47 | M | | [40, 50], M | [40, 50], * |
//!
//! A *node* of the lattice has one level for each column. With 2-anonymity the second node is the best if no row may be left
//! out: it loses half of age and all of sex, 0.75 of the cells. If one row may be, it is the first: that loses half of the
//! ages that stay and all of the row that leaves, 0.4 of the cells.
//!
//! - `ladder`: the levels of a column;
//! - `node`: a level for each column;
//! - `rows`: the rows of the table as kinds that look alike, and their groups at a node;
//! - `judge`: which rows a node leaves out, and what that proves of finer nodes;
//! - `cost`: what a node costs, and at least;
//! - `known`: the best node so far, and what it and failing nodes rule out;
//! - `search`: which nodes are looked at, and in which order.
//!
//! # Source
//! Full-domain generalization and its lattice: Samarati 2001. What fails on some columns fails on more: Incognito, LeFevre,
//! DeWitt and Ramakrishnan 2005. Tagging nodes by what others prove: El Emam et al. 2009 (OLA); by paths that are searched
//! in halves: Kohlmayer et al. 2012 (Flash). To go from refusals far up to the cheapest node that none of them rules out, as
//! in a hitting set problem, and what is proven where rows may be left out, is ours.
//!
//! # Cost
//! The number of nodes looked at follows the number of coarsest nodes that fail, not the size of the lattice. A look groups
//! the kinds of rows that are left after what fails in a single column is given up.
//!
//! # What is lost
//! The result is the best of all nodes. It is not the best of all releases: one person alone in a branch of a tree makes the
//! whole column coarser, which refinement and local recoding avoid.

mod cost;
mod judge;
mod known;
mod ladder;
mod node;
mod rows;
mod search;

use scumble_level::{Population, specs};
use scumble_privacy::Requirement;
use scumble_progress::Work;
use scumble_table::{Mask, Table};

use crate::Failure;
use cost::Costs;
use judge::Judge;
use node::Node;
use rows::Rows;
use search::Search;

pub use cost::FullDomainObjective;
pub use ladder::Ladder;

/// A table to show at one level per quasi column.
pub struct FullDomain<'t> {
    /// The table.
    pub table: &'t Table,
    /// The levels of each quasi column. Templates are of these columns.
    pub quasi: &'t [Ladder<'t>],
    /// What must hold. Where groups are compared with the release as a whole, that is the table with all rows in.
    pub requirement: &'t Requirement,
    /// The populations that templates name by place.
    pub populations: &'t [Population],
    /// How many rows may be left out.
    pub rows_left_out_at_most: u64,
    /// What is to be as small as can be.
    pub objective: FullDomainObjective,
    /// Told how far it is, and asked whether to go on.
    pub work: Work<'t>,
}

/// The best node of a lattice. Of nodes that cost the same it is the one with the smallest sum of levels, and of these the
/// one that is finer in the first column in which they differ.
#[derive(Clone, Debug, PartialEq)]
pub struct FullDomainFound {
    /// The level of each quasi column.
    pub levels: Vec<usize>,
    /// The mask of each quasi column.
    pub masks: Vec<Mask>,
    /// Which rows are left out; `None` if none is.
    pub left_out: Option<Vec<bool>>,
    /// The value of the objective.
    pub value: f64,
    /// How many nodes the lattice has.
    pub nodes: u64,
    /// How many of them were looked at to find it.
    pub looked_at: u64,
}

/// Finds the best node of the lattice that keeps the requirement.
pub fn full_domain(problem: &FullDomain) -> Result<FullDomainFound, Failure> {
    let FullDomain { table, quasi, .. } = *problem;
    let on_join = problem.requirement.on_join();
    if !on_join.is_empty() {
        return Err(Failure::OnJoin(on_join));
    }
    let specs = specs(table, problem.requirement, true, &[]);
    let (judge, divisions) = Judge::new(&specs, quasi, problem.rows_left_out_at_most);
    problem.work.go_on()?;
    let (rows, kind_of_row) = Rows::new(table, problem.populations, quasi, &divisions);
    problem.work.go_on()?;
    let search = Search {
        costs: Costs::new(table, quasi, problem.objective),
        judge,
        top: Node::top(quasi),
        work: problem.work,
    };
    problem.work.go_on()?;
    let found = search.run(&rows)?;
    let best = found.best.and_then(|(cost, node)| {
        let out = search.left_out(&rows, &node)?;
        Some((cost, node, out))
    });
    let Some((cost, node, out)) = best else {
        return Err(Failure::CannotBeMet(levels(problem, &search, &rows)));
    };
    let of_row = |&kind: &u32| out.kinds[kind as usize];
    let masks = quasi.iter().zip(node.levels());
    Ok(FullDomainFound {
        levels: node.levels().to_vec(),
        masks: masks.map(|(ladder, &level)| ladder.masks()[level].clone()).collect(),
        left_out: (out.rows > 0).then(|| kind_of_row[..table.rows()].iter().map(of_row).collect()),
        value: search.costs.value(cost),
        nodes: nodes(quasi),
        looked_at: found.looked_at,
    })
}

/// How many nodes there are, or as many as can be counted.
fn nodes(quasi: &[Ladder]) -> u64 {
    let levels = quasi.iter().map(|ladder| ladder.masks().len() as u64);
    levels.fold(1, u64::saturating_mul)
}

/// The level of each template with every column at its coarsest.
fn levels(problem: &FullDomain, search: &Search, rows: &Rows) -> Vec<f64> {
    let templates = &problem.requirement.templates;
    let mut levels: Vec<f64> = templates.iter().map(|template| template.sense().best()).collect();
    search.judge.levels(rows, &search.top, |check, level| {
        levels[check.number] = check.sense.worse(levels[check.number], level);
    });
    levels
}
