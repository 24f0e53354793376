//! [`Matching`]: which rows of all releases match, found class by class.
//!
//! A *class* is the rows of a release that show the same on its join columns, so that they match the same. The classes
//! of a release are the leaves of a tree with one level per join column. Going down it, whatever does not agree with
//! the classes chosen of the releases before is left behind with all that is under it:
//!
//! | this | | earlier: job | sex | |
//! |---|---|---|---|---|
//! | Professional, F | ─► | Engineer | F | matches |
//! | | | | M | left behind |
//! | | | Janitor | | left behind, whatever the sex |

use std::ops::Range;

use scumble_table::{ColumnId, Shown, meeting};

use super::super::numbering::Numbering;
use super::side::Side;
use crate::{Condition, History, Place, Rule};

/// The classes of all releases, and what must hold between them.
pub(super) struct Matching {
    releases: Vec<Classes>,
}

impl Matching {
    /// How the records of these releases match.
    pub(super) fn new(history: &History, sides: &[Side]) -> Self {
        let columns = |release: usize| history.join_columns(release);
        let classes = |(release, side): (usize, &Side)| Classes::new(side, &columns(release));
        let mut releases: Vec<Classes> = sides.iter().enumerate().map(classes).collect();
        let level = |place: Place| columns(place.release).partition_point(|&column| column < place.column);
        for rule in &history.rules {
            let (a, b, allows) = Allows::new(rule, history, sides);
            releases[b.release].levels[level(b)].ties.push(Tie {
                release: a.release,
                level: level(a),
                allows,
            });
        }
        Matching { releases }
    }

    /// The class of each kind of a release.
    pub(super) fn class_of_kind(&self, release: usize) -> &Numbering {
        &self.releases[release].of_kind
    }

    /// Tells all classes that match, one of each release, beginning with this class of this release.
    pub(super) fn each(&self, class: u32, found: &mut dyn FnMut(&[u32])) {
        self.choose_next(&mut vec![class], found);
    }

    fn choose_next(&self, chosen: &mut Vec<u32>, found: &mut dyn FnMut(&[u32])) {
        let Some(next) = self.releases.get(chosen.len()) else {
            return found(chosen);
        };
        let limits: Vec<Vec<&[u32]>> = next.levels.iter().map(|level| self.limits(level, chosen)).collect();
        next.each_within(&limits, &mut |class| {
            chosen.push(class);
            self.choose_next(chosen, found);
            chosen.pop();
        });
    }

    /// The labels that each rule leaves to a column, given the classes chosen so far; the fewest first. A rule that
    /// leaves all is not among them.
    fn limits<'s>(&self, level: &'s Level, chosen: &[u32]) -> Vec<&'s [u32]> {
        let left = |tie: &'s Tie| {
            let tied = &self.releases[tie.release].levels[tie.level];
            tie.allows.with(tied.of_class[chosen[tie.release] as usize])
        };
        let mut limits: Vec<&[u32]> = level.ties.iter().filter_map(left).collect();
        limits.sort_unstable_by_key(|labels| labels.len());
        limits
    }
}

/// The classes of one release, numbered in the order of their labels.
struct Classes {
    of_kind: Numbering,
    /// The tree, one level per join column.
    levels: Vec<Level>,
}

/// One level of the tree: a node is neighbouring classes that have the same labels down to this column.
struct Level {
    /// The label of each class.
    of_class: Vec<u32>,
    /// The first class of each node, and the number of classes after the last.
    begins: Vec<u32>,
    /// The label of each node, ascending as long as the columns above show the same.
    labels: Vec<u32>,
    /// What ties the column to releases before.
    ties: Vec<Tie>,
}

impl Classes {
    fn new(side: &Side, columns: &[ColumnId]) -> Self {
        let shown: Vec<&[u32]> = columns.iter().map(|&id| side.shown(id).of_row()).collect();
        let labels = |kind: usize| shown.iter().map(move |labels| labels[kind]);
        let mut order: Vec<usize> = (0..side.rows().len()).collect();
        order.sort_unstable_by(|&a, &b| labels(a).cmp(labels(b)));

        let mut class_of = vec![0; order.len()];
        let mut firsts = Vec::new();
        for same in order.chunk_by(|&a, &b| labels(a).eq(labels(b))) {
            same.iter().for_each(|&kind| class_of[kind] = firsts.len() as u32);
            firsts.push(same[0]);
        }
        let mut begins = vec![false; firsts.len()];
        let level = |labels: &&[u32]| Level::new(firsts.iter().map(|&kind| labels[kind]).collect(), &mut begins);
        Classes {
            levels: shown.iter().map(level).collect(),
            of_kind: Numbering::new(class_of, firsts.len()),
        }
    }

    /// Tells the classes of which each label is within all limits of its level.
    fn each_within(&self, limits: &[Vec<&[u32]>], found: &mut dyn FnMut(u32)) {
        let all = 0..self.of_kind.count() as u32;
        if !all.is_empty() {
            descend(&self.levels, limits, all, found);
        }
    }
}

/// Goes down from a node, which is a range of classes, to the classes under it that are within the limits.
fn descend(levels: &[Level], limits: &[Vec<&[u32]>], node: Range<u32>, found: &mut dyn FnMut(u32)) {
    match (levels, limits) {
        ([level, levels @ ..], [limit, limits @ ..]) => {
            level.each_child(node, limit, |child| descend(levels, limits, child, found));
        }
        _ => found(node.start),
    }
}

impl Level {
    /// A level below one whose nodes begin at some classes; adds those that begin here.
    fn new(of_class: Vec<u32>, begins: &mut [bool]) -> Self {
        for (class, begins) in begins.iter_mut().enumerate() {
            *begins |= class == 0 || of_class[class] != of_class[class - 1];
        }
        let firsts = (0..).zip(begins).filter_map(|(class, begins)| begins.then_some(class));
        let mut begins: Vec<u32> = firsts.collect();
        let labels = begins.iter().map(|&class| of_class[class as usize]).collect();
        begins.push(of_class.len() as u32);
        Level {
            of_class,
            begins,
            labels,
            ties: Vec::new(),
        }
    }

    /// Tells the nodes under a node of the level above whose label is within all limits, of which the first is the
    /// narrowest.
    fn each_child(&self, parent: Range<u32>, limits: &[&[u32]], mut found: impl FnMut(Range<u32>)) {
        let place = |class: u32| self.begins.partition_point(|&begin| begin < class);
        let children = place(parent.start)..place(parent.end);
        let first = children.start;
        let mut tell = |child: usize| found(self.begins[first + child]..self.begins[first + child + 1]);
        match limits {
            [] => (0..children.len()).for_each(tell),
            [narrowest, others @ ..] => in_both(&self.labels[children], narrowest, |child, label| {
                if others.iter().all(|labels| labels.binary_search(&label).is_ok()) {
                    tell(child);
                }
            }),
        }
    }
}

/// Tells the places in `labels`, and the labels, that are in both. It looks up those of the shorter list in the longer.
fn in_both(labels: &[u32], others: &[u32], mut found: impl FnMut(usize, u32)) {
    if labels.len() <= others.len() {
        let labels = labels.iter().enumerate();
        labels.for_each(|(place, label)| {
            if others.binary_search(label).is_ok() {
                found(place, *label);
            }
        });
    } else {
        others.iter().for_each(|label| {
            if let Ok(place) = labels.binary_search(label) {
                found(place, *label);
            }
        });
    }
}

/// A rule, as what it leaves to a column.
struct Tie {
    /// The release before, and the level of its column.
    release: usize,
    level: usize,
    allows: Allows,
}

/// Which labels of a column a rule allows beside a label of another column. Lists of labels ascend.
enum Allows {
    /// For each label of the other, those that meet it.
    Meeting { met: Vec<Vec<u32>>, all: usize },
    /// Beside a label of which the condition holds, those of which it does not.
    Outside { when: Vec<bool>, outside: Vec<u32> },
}

impl Allows {
    /// A rule as a place of one release, a place of a release after it, and what the first allows the second.
    fn new(rule: &Rule, history: &History, sides: &[Side]) -> (Place, Place, Allows) {
        match rule {
            Rule::Agree { a, b } => {
                let (a, b) = (*a.min(b), *a.max(b));
                let shown = |place: Place| Shown {
                    labels: sides[place.release].labels(place.column),
                    forms: history.forms(place),
                    recoded: history.is_recoded(place),
                };
                let allows = Allows::Meeting {
                    met: meeting(shown(a), shown(b)),
                    all: shown(b).labels.len(),
                };
                (a, b, allows)
            }
            Rule::Never { a, b } => {
                let (a, b) = if a.place < b.place { (a, b) } else { (b, a) };
                let holds = holds(b, history, sides);
                let outside = (0..).zip(holds).filter_map(|(label, holds)| (!holds).then_some(label));
                let allows = Allows::Outside {
                    when: self::holds(a, history, sides),
                    outside: outside.collect(),
                };
                (a.place, b.place, allows)
            }
        }
    }

    /// What is allowed beside a label; `None` if everything is.
    fn with(&self, label: u32) -> Option<&[u32]> {
        let label = label as usize;
        match self {
            Allows::Meeting { met, all } => Some(&met[label][..]).filter(|met| met.len() < *all),
            Allows::Outside { when, outside } => when[label].then_some(outside),
        }
    }
}

/// Of which labels of its column a condition holds.
fn holds(condition: &Condition, history: &History, sides: &[Side]) -> Vec<bool> {
    let labels = sides[condition.place.release].labels(condition.place.column);
    let holds = |label: u32| history.is_certain(condition, labels.value(label));
    (0..labels.len() as u32).map(holds).collect()
}
