//! [`Staying`]: how many people of each value may have stayed between two groups, have come or have left.
//!
//! A *world* says which rows of both versions are about one person: rows whose labels meet and that have one value. The
//! adversary takes nobody for new or gone who need not be, so of each value as many stay as can. There may be many such
//! worlds. Here Engineer and Lawyer are new groups, Professional is an old one, and each has so many of one value:
//!
//! | Professional | Engineer | Lawyer | stayed as engineers | came as engineers |
//! |---|---|---|---|---|
//! | 5 | 3 | 2 | 3 | 0 |
//! | 4 | 3 | 2 | 2 or 3 | 0 or 1 |
//! | 1 | 3 | 2 | 0 or 1 | 2 or 3 |
//!
//! Invariant: in every world the number of people is within its [`Span`].
//!
//! # Why it is so
//! Let an old and a new group that meet have `o` and `n` rows of a value, and let the others that they meet have `e` and `f`.
//! If fewer than both have stay between them, each has a row that does not. Not both of these rows are of people who left
//! and came, or one more could have stayed: say all old ones stayed. At most `e` of them did so elsewhere, and the rest,
//! `o − e`, here. So at least the smaller of `o − e` and `n − f` stay here.
//!
//! Of a new group, those come whom the old groups that it meets have not enough rows for, and no more than come in its
//! whole component, which is what the largest flow of people between both versions leaves over.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::super::kinds::Count;
use super::flow::most_that_stay;
use super::groups::Groups;

/// How many people of a value are in a part of a group: at least and at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) value: u32,
    pub(super) least: u64,
    /// At least one.
    pub(super) most: u64,
}

/// The people of each value, group by group.
pub(super) struct Staying<'a> {
    groups: &'a Groups,
    histograms: &'a [&'a [Count]],
    /// For each group and place of its histogram, the rows with that value of all groups that it meets.
    met: Vec<Vec<u64>>,
    /// For each component and value, the rows of the new and the old version that are without a partner in every world.
    alone: HashMap<(u32, u32), [u64; 2]>,
    /// The same for each component, of all values.
    all_alone: Vec<[u64; 2]>,
}

impl<'a> Staying<'a> {
    /// Of the groups, each with its histogram.
    pub(super) fn new(groups: &'a Groups, histograms: &'a [&'a [Count]]) -> Self {
        let met = |group: usize| {
            let mut rows = vec![0; histograms[group].len()];
            for other in groups.met_by(group) {
                for (place, _, theirs) in shared(histograms[group], histograms[other]) {
                    rows[place] += theirs.rows;
                }
            }
            rows
        };
        let alone = alone(groups, histograms);
        // There are no more components than groups.
        let mut all_alone = vec![[0; 2]; histograms.len()];
        for ((component, _), rows) in &alone {
            let all = &mut all_alone[*component as usize];
            all.iter_mut().zip(rows).for_each(|(all, rows)| *all += rows);
        }
        Staying {
            groups,
            histograms,
            met: (0..histograms.len()).into_par_iter().map(met).collect(),
            alone,
            all_alone,
        }
    }

    /// Who stayed between a new and an old group.
    pub(super) fn between(&self, new: usize, old: usize) -> Vec<Span> {
        let span = |(place, other, theirs): (usize, usize, &Count)| {
            let ours = self.histograms[new][place].rows;
            let theirs_here = theirs.rows.saturating_sub(self.met[old][other] - ours);
            let ours_here = ours.saturating_sub(self.met[new][place] - theirs.rows);
            Span {
                value: theirs.value,
                least: theirs_here.min(ours_here),
                most: theirs.rows.min(ours),
            }
        };
        shared(self.histograms[new], self.histograms[old]).map(span).collect()
    }

    /// How many people came to the component of a new group, or left that of an old one.
    pub(super) fn alone_around(&self, group: usize) -> u64 {
        let side = self.side(group);
        self.all_alone[self.groups.component(group) as usize][side]
    }

    /// Which version a group is of, as places of `alone`.
    fn side(&self, group: usize) -> usize {
        usize::from(!self.groups.new_ones().contains(&group))
    }

    /// Who came to a new group, or left an old one.
    pub(super) fn alone_in(&self, group: usize) -> Vec<Span> {
        let side = self.side(group);
        let component = self.groups.component(group);
        let span = |(count, met): (&Count, &u64)| {
            let alone = self.alone.get(&(component, count.value)).map_or(0, |alone| alone[side]);
            let most = count.rows.min(alone);
            (most > 0).then(|| Span {
                value: count.value,
                least: count.rows.saturating_sub(*met),
                most,
            })
        };
        let counts = self.histograms[group].iter().zip(&self.met[group]);
        counts.filter_map(span).collect()
    }
}

/// The values that two histograms share: the place in each, and the count of the second. Histograms are in value order.
fn shared<'h>(these: &'h [Count], those: &'h [Count]) -> impl Iterator<Item = (usize, usize, &'h Count)> {
    let mut others = those.iter().enumerate().peekable();
    let in_both = move |(place, count): (usize, &Count)| {
        while others.next_if(|(_, other)| other.value < count.value).is_some() {}
        let (other, theirs) = others.next_if(|(_, other)| other.value == count.value)?;
        Some((place, other, theirs))
    };
    these.iter().enumerate().filter_map(in_both)
}

/// The rows of a group that have a value.
struct Held {
    component: u32,
    value: u32,
    group: usize,
    rows: u64,
}

/// For each component and value, the rows that find no partner in the other version.
fn alone(groups: &Groups, histograms: &[&[Count]]) -> HashMap<(u32, u32), [u64; 2]> {
    let of_group = |(group, counts): (usize, &&[Count])| {
        let component = groups.component(group);
        let held = |count: &Count| Held {
            component,
            value: count.value,
            group,
            rows: count.rows,
        };
        counts.iter().map(held).collect::<Vec<Held>>()
    };
    let key = |held: &Held| (held.component, held.value);
    let mut held: Vec<Held> = histograms.iter().enumerate().flat_map(of_group).collect();
    // Stable, so that the groups of one component and value stay in order, new ones first.
    held.sort_by_key(key);
    let runs: Vec<&[Held]> = held.chunk_by(|a, b| key(a) == key(b)).collect();
    let left_alone = |run: &&[Held]| {
        let new = run.partition_point(|held| groups.new_ones().contains(&held.group));
        let rows = |part: &[Held]| part.iter().map(|held| (held.group, held.rows)).collect::<Vec<_>>();
        let (ours, theirs) = (rows(&run[..new]), rows(&run[new..]));
        let total = |rows: &[(usize, u64)]| rows.iter().map(|(_, rows)| rows).sum::<u64>();
        let stayed = most_that_stay(groups, &ours, &theirs);
        (key(&run[0]), [total(&ours) - stayed, total(&theirs) - stayed])
    };
    let alone: Vec<_> = runs.par_iter().map(left_alone).collect();
    alone.into_iter().collect()
}
