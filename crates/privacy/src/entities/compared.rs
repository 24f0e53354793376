//! Groups of rows compared with all of their table.
//!
//! | group | persons | grades of each | F among rows | F among persons |
//! |---|---|---|---|---|
//! | Science | 2 | F and A; F and A | 2 of 4 | 2 of 2 |
//! | History | 2 | B; F | 1 of 2 | 1 of 2 |
//! | all | | | 3 of 6 | 3 of 4 |
//!
//! By rows nothing is learnt of Science: half of them are an F, as of all. By persons everybody there has an F. So what
//! bounds each value is counted both ways, and the worse is the level. By persons, who has a row in several groups is
//! counted in each of them, so that what is in all is the average of what is in the groups, as it is by rows. A distance
//! is between distributions, which add up to one, and so it is counted by rows.
//!
//! Invariant: where nobody has two rows in a group, both ways are the same, and what one table would have.

use scumble_table::Taxonomy;

use super::groups::GroupsOfTable;
use super::keys::{Cells, shown};
use crate::audit::{Count, Earth, Whole};
use crate::{Distance, Sense};

/// For each path, how far the values of its rows are from those of all rows.
pub(super) fn distances(groups: &GroupsOfTable, cells: Cells, distance: &Distance) -> Vec<f64> {
    let rows = groups.rows_by_value(&shown(cells));
    let whole = whole(cells, &rows, rows.iter().map(|count| count.rows).sum());
    let earth = match distance {
        Distance::Equal => Earth::equal(whole),
        Distance::Ordered => Earth::ordered(whole),
        Distance::Taxonomy(taxonomy) => Earth::tree(whole, taxonomy, &leaves(cells, taxonomy)),
    };
    groups.levels_of(&rows, |histogram| earth.distance(histogram))
}

/// For each path, the worse of what `level` makes of its rows and of its persons, beside all of them.
pub(super) fn levels(groups: &GroupsOfTable, cells: Cells, level: impl Fn(&Whole, u64, &[Count]) -> f64) -> Vec<f64> {
    let values = shown(cells);
    let rows = groups.rows_by_value(&values);
    let all_rows = whole(cells, &rows, rows.iter().map(|count| count.rows).sum());
    let by_rows = groups.levels_of(&rows, |histogram| {
        let size = histogram.iter().map(|count| count.rows).sum();
        level(&all_rows, size, histogram)
    });
    let persons = groups.persons_by_value(&values);
    let all_persons = whole(cells, &persons, groups.persons_of_all());
    let by_persons = groups.levels_of(&persons, |histogram| {
        level(
            &all_persons,
            groups.persons_with[histogram[0].group as usize],
            histogram,
        )
    });
    let both = by_rows.into_iter().zip(by_persons);
    both.map(|(rows, persons)| Sense::AtMost.worse(rows, persons)).collect()
}

/// All groups together, `size` in all. The missing value is numbered after all others.
fn whole(cells: Cells, counts: &[Count], size: u64) -> Whole {
    let mut of_value = vec![0; cells.values() as usize + 1];
    counts
        .iter()
        .for_each(|count| of_value[count.value as usize] += count.rows);
    Whole::of_counts(of_value, size)
}

/// The leaf of each value; `None` for the missing one and for what the tree lacks.
fn leaves(cells: Cells, taxonomy: &Taxonomy) -> Vec<Option<usize>> {
    let leaf = |value: u32| cells.text(value).and_then(|text| taxonomy.leaf(text));
    (0..cells.values()).map(leaf).chain([None]).collect()
}
