//! Sets of rows of one person: all of them, or some by lot.
//!
//! | person | rows | sets of 2 | numbered |
//! |---|---|---|---|
//! | 0 | a, b, c | ab, ac, bc | 0, 1, 2 |
//! | 1 | d | | |
//! | 2 | e, f | ef | 3 |
//!
//! Every set has a number, so a lot is numbers without repetition, and each set is as likely as any other.

use std::collections::BTreeSet;

/// The most rows that are known of a person.
pub(super) const MOST_KNOWN: usize = 3;

/// What some rows of a person hold: kinds, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Set {
    kinds: [u32; MOST_KNOWN],
    len: usize,
}

impl Set {
    pub(super) fn kinds(&self) -> &[u32] {
        &self.kinds[..self.len]
    }
}

/// The rows of each person, by what they hold.
pub(super) struct PersonRows {
    /// Where the rows of each person begin, and after the last where they end.
    starts: Vec<usize>,
    kinds: Vec<u32>,
}

impl PersonRows {
    /// `persons` and `kind_of` tell of each row whose it is and what it holds.
    pub(super) fn new(persons: &[Option<u32>], kind_of: &[u32]) -> Self {
        let count = persons.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut starts = vec![0; count + 1];
        persons
            .iter()
            .flatten()
            .for_each(|&person| starts[person as usize + 1] += 1);
        for person in 0..count {
            starts[person + 1] += starts[person];
        }
        let mut free = starts.clone();
        let mut kinds = vec![0; starts[count]];
        for (person, &kind) in persons.iter().zip(kind_of) {
            if let Some(person) = *person {
                let place = &mut free[person as usize];
                kinds[*place] = kind;
                *place += 1;
            }
        }
        PersonRows { starts, kinds }
    }

    /// Sets of so many rows, at most `most` by lot, as what they hold: each with how many hold it, ascending.
    pub(super) fn draw(&self, count: usize, most: u64, rng: &mut fastrand::Rng) -> Vec<(Set, u64)> {
        let persons = self.starts.windows(2);
        let before = persons.scan(0, |sum, rows| {
            let before = *sum;
            *sum += choose(rows[1] - rows[0], count);
            Some((before, *sum))
        });
        let (before, after): (Vec<u128>, Vec<u128>) = before.unzip();
        let all = after.last().copied().unwrap_or(0);
        let set = |number: u128| {
            let person = after.partition_point(|&after| after <= number);
            let rows = &self.kinds[self.starts[person]..self.starts[person + 1]];
            set_at(rows, count, number - before[person])
        };
        let mut sets: Vec<Set> = match all <= u128::from(most) {
            true => (0..all).map(set).collect(),
            false => lot(all, u128::from(most), rng).into_iter().map(set).collect(),
        };
        sets.sort_unstable();
        let same = sets.chunk_by(|a, b| a == b);
        same.map(|same| (same[0], same.len() as u64)).collect()
    }
}

/// `count` of the numbers below `all`, without repetition (Floyd's algorithm).
fn lot(all: u128, count: u128, rng: &mut fastrand::Rng) -> BTreeSet<u128> {
    let mut drawn = BTreeSet::new();
    for last in all - count..all {
        if !drawn.insert(rng.u128(0..=last)) {
            drawn.insert(last);
        }
    }
    drawn
}

/// How many sets of `count` there are among `rows`.
fn choose(rows: usize, count: usize) -> u128 {
    let rows = rows as u128;
    (0..count as u128).fold(1, |sets, place| sets * rows.saturating_sub(place) / (place + 1))
}

/// The set of `count` rows with this number: its last row is the largest `r` with C(r, count) at most the number, and
/// what is left numbers the others.
fn set_at(rows: &[u32], count: usize, mut number: u128) -> Set {
    let mut kinds = [0; MOST_KNOWN];
    for len in (1..=count).rev() {
        let (mut low, mut high) = (len - 1, rows.len());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match choose(middle, len) <= number {
                true => low = middle,
                false => high = middle,
            }
        }
        number -= choose(low, len);
        kinds[len - 1] = rows[low];
    }
    kinds[..count].sort_unstable();
    Set { kinds, len: count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_another_set() {
        let rows: Vec<u32> = (10..17).collect();
        for count in 1..=MOST_KNOWN {
            let all = choose(rows.len(), count);
            let sets: BTreeSet<Set> = (0..all).map(|number| set_at(&rows, count, number)).collect();
            assert_eq!(sets.len() as u128, all);
            assert!(
                sets.iter()
                    .all(|set| set.kinds().windows(2).all(|pair| pair[0] < pair[1]))
            );
        }
        assert_eq!((1..=3).map(|count| choose(7, count)).collect::<Vec<_>>(), [7, 21, 35]);
        assert_eq!((choose(0, 1), choose(1, 2), choose(2, 3)), (0, 0, 0));
    }

    #[test]
    fn a_lot_has_no_set_twice_and_takes_every_set_at_times() {
        // Three rows of one person and two of another; one row is nobody's.
        let persons = [Some(0), Some(1), None, Some(0), Some(1), Some(0)];
        let rows = PersonRows::new(&persons, &[0, 1, 2, 3, 4, 5]);
        let mut rng = fastrand::Rng::with_seed(7);
        let all: Vec<Set> = rows.draw(2, 10, &mut rng).into_iter().map(|(set, _)| set).collect();
        let kinds: Vec<&[u32]> = all.iter().map(Set::kinds).collect();
        assert_eq!(kinds, [[0, 3], [0, 5], [1, 4], [3, 5]]);
        let mut times = [0; 4];
        for _ in 0..400 {
            let drawn = rows.draw(2, 3, &mut rng);
            assert_eq!(
                (drawn.len(), drawn.iter().map(|(_, weight)| weight).sum::<u64>()),
                (3, 3)
            );
            drawn
                .iter()
                .for_each(|(set, _)| times[all.iter().position(|own| own == set).unwrap()] += 1);
        }
        assert!(times.iter().all(|&times| (250..350).contains(&times)), "{times:?}");
    }
}
