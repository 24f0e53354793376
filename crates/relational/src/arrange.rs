//! The order of the rows of a release, which tells nothing that the rows do not tell themselves.
//!
//! Rows of persons are sorted by what they show, then by what their children show. The children of a row stand
//! together, in the order of their parents, each group of siblings sorted in the same way.
//!
//! | students: row | sex | courses | rank | | released as |
//! |---|---|---|---|---|---|
//! | 1 | F | Physics | 1 | | 2 |
//! | 2 | M | Math | 2 | | 3 |
//! | 3 | F | Math | 0 | | 1 |
//!
//! Invariant: two rows have the same rank exactly if they show the same and their children do, as multisets; so who was
//! where in the input does not show, and neither do gaps where rows were removed.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::Database;
use crate::database::Layer;

/// What the rows of a table show that are kept.
pub(crate) struct Content {
    /// The rows, ascending.
    pub(crate) rows: Vec<u32>,
    /// For each of them, what it shows: one number per published column.
    pub(crate) cells: Vec<u32>,
}

impl Content {
    fn cells(&self, place: usize) -> &[u32] {
        let width = self.cells.len() / self.rows.len().max(1);
        &self.cells[place * width..][..width]
    }
}

/// The rows of each table, in the order in which they are published.
pub(crate) fn arrange(database: &Database, contents: &[Content]) -> Vec<Vec<u32>> {
    let layers = database.layers();
    let mut siblings: Vec<Siblings> = Vec::new();
    siblings.resize_with(layers.len(), Siblings::default);
    let mut ranks = Vec::new();
    // Children come after their parents, so from the last table on those of all children are known.
    for (table, layer) in layers.iter().enumerate().rev() {
        let below: Vec<&Siblings> = layer.children.iter().map(|&child| &siblings[child]).collect();
        ranks = rank(&contents[table], &below);
        if let Some(parent) = layer.parent {
            siblings[table] = Siblings::new(&contents[parent], layer, &contents[table], &ranks);
        }
    }
    let mut persons: Vec<u32> = (0..ranks.len() as u32).collect();
    persons.sort_by_key(|&person| ranks[person as usize]);
    let mut places = vec![persons];
    for (table, layer) in layers.iter().enumerate().skip(1) {
        // Only the table of persons has no parent, and it is the first.
        let parents = &places[layer.parent.unwrap_or(0)];
        places.push(parents.iter().flat_map(|&parent| siblings[table].of(parent)).collect());
    }
    let rows = places.into_iter().zip(contents);
    rows.map(|(places, content)| places.iter().map(|&place| content.rows[place as usize]).collect())
        .collect()
}

/// No place is this number: there are no more of them than rows.
const NOT_KEPT: u32 = u32::MAX;

/// The kept rows of a table under each kept row of its parent, by place, in the order of their ranks.
#[derive(Default)]
struct Siblings {
    starts: Vec<u32>,
    /// Rank and place.
    members: Vec<(u32, u32)>,
}

impl Siblings {
    fn new(parents: &Content, layer: &Layer, content: &Content, ranks: &[u32]) -> Siblings {
        let last = content.rows.last().map_or(0, |&row| row as usize + 1);
        let mut place_of = vec![NOT_KEPT; last];
        let places = content.rows.iter().zip(0..);
        places.for_each(|(&row, place)| place_of[row as usize] = place);
        let mut siblings = Siblings {
            starts: vec![0],
            members: Vec::with_capacity(content.rows.len()),
        };
        for &parent in &parents.rows {
            let start = siblings.members.len();
            let kept = layer.children_of(parent).iter();
            let kept = kept.filter_map(|&row| place_of.get(row as usize));
            let kept = kept.filter(|&&place| place != NOT_KEPT);
            siblings
                .members
                .extend(kept.map(|&place| (ranks[place as usize], place)));
            siblings.members[start..].sort_unstable();
            siblings.starts.push(siblings.members.len() as u32);
        }
        siblings
    }

    fn members(&self, parent: usize) -> &[(u32, u32)] {
        &self.members[self.starts[parent] as usize..self.starts[parent + 1] as usize]
    }

    /// The places of the children of a row.
    fn of(&self, parent: u32) -> impl Iterator<Item = u32> {
        self.members(parent as usize).iter().map(|&(_, place)| place)
    }

    /// Compares what the children of two rows show.
    fn compare(&self, a: usize, b: usize) -> Ordering {
        let ranks = |parent| self.members(parent).iter().map(|&(rank, _)| rank);
        ranks(a).cmp(ranks(b))
    }
}

/// A number for each kept row: equal for rows that show the same, greater for what comes later.
fn rank(content: &Content, below: &[&Siblings]) -> Vec<u32> {
    let compare = |a: u32, b: u32| {
        let (a, b) = (a as usize, b as usize);
        let own = content.cells(a).cmp(content.cells(b));
        below
            .iter()
            .fold(own, |order, siblings| order.then_with(|| siblings.compare(a, b)))
    };
    // Most rows differ in their first cell, which stands beside the place and is compared without a look elsewhere.
    let with_first = |place: usize| {
        let first = content.cells(place).first().copied().unwrap_or(0);
        u64::from(first) << 32 | place as u64
    };
    let (first, place) = (|row: u64| row >> 32, |row: u64| row as u32);
    let compare = |a: u64, b: u64| first(a).cmp(&first(b)).then_with(|| compare(place(a), place(b)));
    let mut sorted: Vec<u64> = (0..content.rows.len()).map(with_first).collect();
    sorted.par_sort_unstable_by(|&a, &b| compare(a, b));
    let mut ranks = vec![0; sorted.len()];
    let mut rank = 0;
    for pair in sorted.windows(2) {
        rank += u32::from(compare(pair[0], pair[1]).is_ne());
        ranks[place(pair[1]) as usize] = rank;
    }
    ranks
}
