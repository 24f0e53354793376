//! The count: for one group of this release at a time, all that its parts match, sorted.
//!
//! Matches that show the same are then neighbours, whichever parts they are of, and among them those that count as the
//! same are, too:
//!
//! | Alice matches | y | weight | | sorted | y | weight | | level |
//! |---|---|---|---|---|---|---|---|---|
//! | Cancer | 1 | 2 | | Cancer | 1 | 2 + 3 | | 5 + 1 = 6 |
//! | HIV | 1 | 4 | | Cancer | 2 | 1 | | |
//! | Cancer | 2 | 1 | | HIV | 1 | 4 | | 4 |
//! | Cancer | 1 | 3 | | | | | | |
//!
//! A group whose rows all match the same, as those of every group do if the join columns of this release are in the
//! quasi-identifier, is a factor: what it matches is sorted once, whatever the group, and the level is the product.

use scumble_progress::{Interrupted, Work};

use super::counting::{Counting, Measured, product, sum};
use super::join::Join;
use super::parts::{Part, Parts};
use crate::{Sense, THIS};

/// The worst level that each group of this release has a part in; `None` for a group without a match.
pub(super) fn levels(
    join: &Join,
    counting: &Counting,
    sense: Sense,
    work: Work,
) -> Result<Vec<Option<f64>>, Interrupted> {
    let mut count = Count::new(join, counting, sense);
    let mut this = count.parts[THIS].all().to_vec();
    this.sort_unstable_by_key(|part| (part.group, part.class, part.y));
    let mut levels = vec![None; count.parts[THIS].groups];
    for group in this.chunk_by(|a, b| a.group == b.group) {
        work.go_on()?;
        let matches_the_same = group.iter().all(|part| part.class == group[0].class);
        levels[group[0].group as usize] = if matches_the_same {
            count.level_as_factor(group)
        } else {
            count.level(group)
        };
    }
    Ok(levels)
}

/// A count that goes from group to group.
struct Count<'a> {
    join: &'a Join<'a>,
    counting: &'a Counting,
    sense: Sense,
    /// The parts of each release.
    parts: Vec<Parts>,
    /// For each class of this release, the worst of what it matches in the others, once it is counted.
    others: Vec<Option<Option<Measured>>>,
    /// Of the group that is being counted; empty between groups.
    matches: Matches,
}

impl<'a> Count<'a> {
    fn new(join: &'a Join, counting: &'a Counting, sense: Sense) -> Self {
        let parts = join.parts(counting);
        Count {
            join,
            counting,
            sense,
            others: vec![None; parts[THIS].classes()],
            matches: Matches::new(counting.adds()),
            parts,
        }
    }

    /// The level of a group.
    fn level(&mut self, group: &[Part]) -> Option<f64> {
        let Count {
            join, parts, matches, ..
        } = self;
        for same_class in group.chunk_by(|a, b| a.class == b.class) {
            join.matching.each(same_class[0].class, &mut |classes| {
                for part in same_class {
                    matches.add_all(Matched::NONE.and(part, &parts[THIS]), &classes[1..], &parts[1..]);
                }
            });
        }
        let counting = self.counting;
        let worst = self
            .matches
            .take_worst(self.sense, |run| counting.measure(run.iter().map(Matched::counted)));
        worst.map(Measured::level)
    }

    /// The same of a group that is of one class.
    fn level_as_factor(&mut self, group: &[Part]) -> Option<f64> {
        let class = group[0].class;
        let others = self.others[class as usize].unwrap_or_else(|| self.worst_of_others(class));
        self.others[class as usize] = Some(others);
        let this = self.counting.measure_this(group.iter().map(Part::counted));
        others.map(|others| this.times(others).level())
    }

    /// The worst of what a class of this release matches in the others.
    fn worst_of_others(&mut self, class: u32) -> Option<Measured> {
        let Count {
            join, parts, matches, ..
        } = self;
        join.matching.each(class, &mut |classes| {
            matches.add_all(Matched::NONE, &classes[1..], &parts[1..]);
        });
        let counting = self.counting;
        self.matches.take_worst(self.sense, |run| {
            counting.measure_others(run.iter().map(Matched::counted))
        })
    }
}

/// Matches that show the same and count as the same.
#[derive(Clone, Copy)]
struct Matched {
    /// What they show, as one number: the groups of all releases as digits.
    x: u128,
    /// What they count as, likewise.
    y: u128,
    weight: u128,
}

impl Matched {
    /// Matches of no release yet.
    const NONE: Matched = Matched { x: 0, y: 0, weight: 1 };

    /// Their y and weight. Only labels are looked at as a y, and those are fewer than it can hold.
    fn counted(&self) -> (usize, u128) {
        (self.y as usize, self.weight)
    }

    /// Matched further with a part of the next release.
    fn and(self, part: &Part, of: &Parts) -> Matched {
        let digit = |number: u128, digit: u32, base: usize| product(number, base as u128) + u128::from(digit);
        Matched {
            x: digit(self.x, part.group, of.groups),
            y: digit(self.y, part.y, of.ys),
            weight: product(self.weight, part.weight.into()),
        }
    }
}

/// All matches of one group of this release.
struct Matches {
    all: Vec<Matched>,
    /// Whether a y that occurs again adds.
    adds: bool,
    /// How many there may be before they are brought together.
    room: usize,
}

impl Matches {
    fn new(adds: bool) -> Self {
        let mut matches = Matches {
            all: Vec::new(),
            adds,
            room: 0,
        };
        matches.make_room();
        matches
    }

    /// Adds all matches with parts of these classes, one class per further release.
    fn add_all(&mut self, matched: Matched, classes: &[u32], parts: &[Parts]) {
        match (classes, parts) {
            ([class, classes @ ..], [next, parts @ ..]) => {
                for part in next.of_class(*class) {
                    self.add_all(matched.and(part, next), classes, parts);
                }
            }
            _ => self.add(matched),
        }
    }

    fn add(&mut self, matched: Matched) {
        if self.all.len() == self.room {
            self.bring_together();
            self.make_room();
        }
        self.all.push(matched);
    }

    /// As much again as there are different ones, so that memory follows these.
    fn make_room(&mut self) {
        const LITTLE: usize = 1 << 16;
        self.room = LITTLE.max(2 * self.all.len());
    }

    fn bring_together(&mut self) {
        let key = |matched: &Matched| (matched.x, matched.y);
        self.all.sort_unstable_by_key(key);
        self.all.dedup_by(|next, matched| {
            let same = key(next) == key(matched);
            if same && self.adds {
                matched.weight = sum([matched.weight, next.weight].into_iter());
            }
            same
        });
    }

    /// The worst of what is measured of all that show the same, which are then forgotten.
    fn take_worst(&mut self, sense: Sense, measure: impl Fn(&[Matched]) -> Measured) -> Option<Measured> {
        self.bring_together();
        let runs = self.all.chunk_by(|a, b| a.x == b.x);
        let worst = runs.map(measure).reduce(|a, b| a.worse(b, sense));
        self.all.clear();
        self.make_room();
        worst
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;
    use scumble_table::{Column, ColumnId, Mask, Released, Table, ValueOrder};

    use super::*;
    use crate::{
        Demand, Earlier, History, JoinDemand, JoinSecrets, Joined, Per, Place, QuasiIdentifier, Rule, SecretValues,
        Template,
    };

    const JOB: ColumnId = ColumnId(0);
    const ZIP: ColumnId = ColumnId(1);
    const DISEASE: ColumnId = ColumnId(2);
    const LABELS: [&[&str]; 3] = [&["a", "b", "{a|b}", "{b|c}", "*"], &["1", "2"], &["s", "t", "u"]];

    fn table() -> impl Strategy<Value = Table> {
        let rows = prop::collection::vec(LABELS.map(select), 1..60);
        rows.prop_map(|rows| {
            let column = |place: usize| {
                let cells = rows.iter().map(|row| Some(row[place]));
                Column::from_cells(&place.to_string(), ValueOrder::Natural, cells)
            };
            Table::new(rows.len(), (0..3).map(column).collect())
        })
    }

    fn place(release: usize, column: ColumnId) -> Place {
        Place { release, column }
    }

    /// Three releases that agree on the job.
    fn history(earlier: [Table; 2]) -> History {
        let named = |table| Earlier {
            name: String::new(),
            table,
            recoded: Vec::new(),
            forms: Vec::new(),
        };
        let agree = |(a, b)| Rule::Agree {
            a: place(a, JOB),
            b: place(b, JOB),
        };
        History {
            earlier: earlier.map(named).into(),
            rules: [(0, 1), (0, 2), (1, 2)].map(agree).into(),
            recoded: Vec::new(),
            forms: Vec::new(),
        }
    }

    fn demands() -> Vec<JoinDemand> {
        let anonymity = |per| JoinDemand::Anonymity { k: 2, per };
        let inferred = |release| JoinDemand::Confidence {
            at_most: 0.5,
            about: vec![JoinSecrets {
                place: place(release, DISEASE),
                values: SecretValues::Every,
            }],
        };
        let different = Per::Columns(vec![place(THIS, DISEASE), place(2, DISEASE)]);
        let records = (0..3).map(|release| anonymity(Per::Records { release }));
        let others = [anonymity(Per::Join), anonymity(different), inferred(THIS), inferred(1)];
        records.chain(others).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// The job is in the quasi-identifier, so every group of this release matches as one.
        #[test]
        fn a_group_as_a_factor_has_the_level_of_all_its_matches(this in table(), earlier in [table(), table()]) {
            let masks = vec![(Mask::Exact, None, true); 3];
            let (release, history) = (Released::new(this, &masks, None), history(earlier));
            for demand in demands() {
                let of = vec![place(1, JOB), place(1, ZIP), place(2, ZIP)];
                let joined = Joined { of, demand };
                let template = Template {
                    of: QuasiIdentifier::all(vec![JOB, ZIP]),
                    demand: Demand::Joined(joined.clone()),
                };
                let join = Join::new(&release, &template, &joined, &history);
                for counting in Counting::all(&joined.demand, &history, &join.sides) {
                    let mut count = Count::new(&join, &counting, template.sense());
                    let this = count.parts[THIS].all().to_vec();
                    for group in this.chunk_by(|a, b| a.group == b.group) {
                        prop_assert_eq!(count.level_as_factor(group), count.level(group));
                    }
                }
            }
        }
    }
}
