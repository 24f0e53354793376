//! Groups beside the whole: how the values of a group are distributed, beside those of all that is published.
//!
//! | | F | A | rows | persons with an F |
//! |---|---|---|---|---|
//! | other clusters | 10 | 30 | 40 | 10 of 40 |
//! | this one | 6 | 4 | 10 | 5 of 5 |
//! | the whole | 16 | 34 | 50 | 15 of 45 |
//!
//! The whole is what is published, and whoever removes a row changes it. So a [`Tally`] of all clusters is kept, and a
//! cluster that shall replace another is measured beside the others together with itself. What bounds each value is
//! measured by rows and by persons, of whom each counts once for every group that they have a row in; a distance is
//! measured by rows.
//!
//! Invariant: tallies of clusters add up, also where clusters look alike: nobody is in two of them.

use scumble_level::{Cell, Measure, Tree};
use scumble_privacy::{Distance, Sense};
use scumble_table::Column;

/// What is compared.
#[derive(Clone, Debug)]
pub(super) enum Comparison {
    /// How far the distribution of a group is from that of the whole.
    Distance(Distance),
    /// By which factor a value is more or less frequent.
    Disclosure,
    /// How much more frequent a value is.
    Likeness {
        /// Whether it is also bounded by how frequent the value is.
        enhanced: bool,
    },
}

/// How often each value is in some groups, by code.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tally {
    rows: Vec<u64>,
    persons: Vec<u64>,
    /// Who have a row in a group, as often as they are in one.
    all_persons: u64,
}

/// How often each value is in one group, by code and ascending.
pub(super) struct Counts {
    pub(super) rows: Vec<(u32, u32)>,
    /// Who has it in at least one row.
    pub(super) persons: Vec<(u32, u32)>,
    /// Who has a row in the group.
    pub(super) all_persons: u64,
}

impl Tally {
    /// Of nothing.
    pub(super) fn none(column: &Column) -> Tally {
        let codes = column.dictionary().len();
        Tally {
            rows: vec![0; codes],
            persons: vec![0; codes],
            all_persons: 0,
        }
    }

    /// Of all rows of a column, each as if somebody else's: how they will be grouped is not known.
    pub(super) fn of_all(column: &Column) -> Tally {
        let mut tally = Tally::none(column);
        column.codes().iter().for_each(|code| tally.rows[code as usize] += 1);
        tally.persons.clone_from(&tally.rows);
        tally.all_persons = tally.rows.iter().sum();
        tally
    }

    /// For each code, whether somebody has it, and a group of so many would be too small for it even if it were so many times
    /// as frequent there.
    pub(super) fn rarer_than(&self, gain: f64, group: usize) -> Vec<bool> {
        let all: u64 = self.rows.iter().sum();
        let is_rare = |&rows: &u64| rows > 0 && rows as f64 * gain * (group as f64) < all as f64;
        self.rows.iter().map(is_rare).collect()
    }

    /// One more group.
    pub(super) fn add_group(&mut self, group: &Counts) {
        let add = |tally: &mut [u64], counts: &[(u32, u32)]| {
            counts
                .iter()
                .for_each(|&(code, count)| tally[code as usize] += u64::from(count));
        };
        add(&mut self.rows, &group.rows);
        add(&mut self.persons, &group.persons);
        self.all_persons += group.all_persons;
    }

    /// Both together.
    pub(super) fn and(&self, other: &Tally) -> Tally {
        self.with(other, |a, b| a + b)
    }

    /// What is left without groups that are in it.
    pub(super) fn without(&self, part: &Tally) -> Tally {
        self.with(part, |all, part| all - part)
    }

    fn with(&self, other: &Tally, combine: impl Fn(u64, u64) -> u64) -> Tally {
        let each = |own: &[u64], other: &[u64]| own.iter().zip(other).map(|(&a, &b)| combine(a, b)).collect();
        Tally {
            rows: each(&self.rows, &other.rows),
            persons: each(&self.persons, &other.persons),
            all_persons: combine(self.all_persons, other.all_persons),
        }
    }
}

/// What a group is measured by, beside one whole.
pub(super) struct Beside {
    by_rows: Measure,
    /// Where persons count, too.
    by_persons: Option<Measure>,
    /// The category of each code: its place among the values of the whole.
    category_of: Vec<u32>,
    /// How many values the whole has.
    values: usize,
}

impl Comparison {
    /// How many times as frequent as in the whole a value may be in the smallest group that has it; `None` if any number.
    pub(super) fn most_gain(&self, bound: f64) -> Option<f64> {
        match self {
            Comparison::Distance(_) => None,
            Comparison::Disclosure => Some(1.0),
            Comparison::Likeness { .. } => Some(1.0 + bound),
        }
    }

    /// What groups of a column are measured by, beside a whole that has every value of theirs.
    pub(super) fn beside(&self, column: &Column, whole: &Tally) -> Beside {
        let is_there = |&code: &u32| whole.rows[code as usize] > 0;
        let codes: Vec<u32> = (0..whole.rows.len() as u32).filter(is_there).collect();
        let mut category_of = vec![0; whole.rows.len()];
        for (&code, category) in codes.iter().zip(0..) {
            category_of[code as usize] = category;
        }
        let shares = |counts: &[u64], all: u64| -> Vec<f64> {
            let counts = codes.iter().map(|&code| counts[code as usize]);
            counts.map(|count| count as f64 / all as f64).collect()
        };
        let rows = || shares(&whole.rows, whole.rows.iter().sum());
        let persons = || shares(&whole.persons, whole.all_persons);
        let (by_rows, by_persons) = match self {
            Comparison::Distance(distance) => (of_distance(distance, column, &codes, rows()), None),
            Comparison::Disclosure => {
                let measure = |whole| Measure::Disclosure { whole };
                (measure(rows()), Some(measure(persons())))
            }
            Comparison::Likeness { enhanced } => {
                let measure = |whole| Measure::Likeness {
                    whole,
                    enhanced: *enhanced,
                };
                (measure(rows()), Some(measure(persons())))
            }
        };
        Beside {
            by_rows,
            by_persons,
            category_of,
            values: codes.len(),
        }
    }
}

fn of_distance(distance: &Distance, column: &Column, codes: &[u32], whole: Vec<f64>) -> Measure {
    match distance {
        Distance::Equal => Measure::EqualDistance { whole },
        Distance::Ordered => Measure::OrderedDistance { whole },
        Distance::Taxonomy(taxonomy) => {
            // What the tree lacks is where the missing value is.
            let leaf = |&code: &u32| column.dictionary().value(code);
            let leaf = |code| leaf(code).filter(|text| taxonomy.leaf(text).is_some());
            let leaves: Vec<Option<&str>> = codes.iter().map(leaf).collect();
            Measure::TreeDistance(Tree::new(taxonomy, &leaves, &whole))
        }
    }
}

impl Beside {
    /// The level of a group, which has a row.
    pub(super) fn level(&self, group: &Counts) -> f64 {
        let by_rows = self.by_rows.level(&self.cells(&group.rows));
        let by_persons = self.by_persons.as_ref();
        let by_persons = by_persons.map(|measure| measure.level_among(&self.cells(&group.persons), group.all_persons));
        let levels = [Some(by_rows), by_persons].into_iter().flatten().flatten();
        levels.fold(0.0, |a, b| Sense::AtMost.worse(a, b))
    }

    /// How far a group is from a level that has an end, at least 1: the more values of the whole it lacks, and then the
    /// more frequent one of its own is.
    pub(super) fn far(&self, group: &Counts) -> f64 {
        let lacking = self.values - group.rows.len();
        let largest = Measure::LargestShare.level(&self.cells(&group.rows));
        1.0 + lacking as f64 + largest.unwrap_or(0.0)
    }

    fn cells(&self, counts: &[(u32, u32)]) -> Vec<Cell> {
        let cell = |&(code, weight): &(u32, u32)| Cell {
            slot: 0,
            category: self.category_of[code as usize],
            weight,
        };
        counts.iter().map(cell).collect()
    }
}
