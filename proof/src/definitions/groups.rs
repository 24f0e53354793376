//! A group is the rows that show the same on the columns that somebody knows.

use std::collections::BTreeMap;

use super::sight::Sight;
use crate::table::Cell;

/// The rows of each group.
pub type Groups = BTreeMap<Vec<Cell>, Vec<usize>>;

/// The groups on some columns; `None` if one is lacking.
pub fn groups_of(sight: &Sight, columns: &[String]) -> Option<Groups> {
    let places = columns
        .iter()
        .map(|name| sight.find(name))
        .collect::<Option<Vec<usize>>>()?;
    let mut groups = Groups::new();
    for (number, row) in sight.rows.iter().enumerate() {
        let shown = places.iter().map(|&place| row[place].clone()).collect();
        groups.entry(shown).or_default().push(number);
    }
    Some(groups)
}

/// All sets of so many of these; one set of all if there are no more.
pub fn subsets(these: &[String], count: usize) -> Vec<Vec<String>> {
    if count >= these.len() {
        return vec![these.to_vec()];
    }
    let Some((first, rest)) = these.split_first().filter(|_| count > 0) else {
        return vec![Vec::new()];
    };
    let mut with = subsets(rest, count - 1);
    with.iter_mut().for_each(|set| set.insert(0, first.clone()));
    if rest.len() >= count {
        with.extend(subsets(rest, count));
    }
    with
}

/// How often each value occurs.
pub fn tally(cells: &[Cell]) -> BTreeMap<Cell, usize> {
    let mut counts = BTreeMap::new();
    for cell in cells {
        *counts.entry(cell.clone()).or_default() += 1;
    }
    counts
}
