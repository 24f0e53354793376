//! [`Matching`]: which classes of records of all releases match.
//!
//! The classes of the next release that fit those chosen so far are looked up by the column on which the fewest do, and
//! compared on the others.

use std::sync::Arc;

use scumble_privacy::{Condition, History, Place, Rule};
use scumble_table::{Shown, meeting};

use super::side::Side;

/// The classes of all releases, and what must hold between them.
pub(super) struct Matching {
    releases: Vec<Classes>,
}

#[derive(Default)]
struct Classes {
    count: u32,
    /// What ties its columns to those of releases before.
    ties: Vec<Tie>,
}

/// What a rule leaves to a column, given the class of a release before.
struct Tie {
    /// The release before.
    with: usize,
    /// The label that each class of it shows.
    theirs: Vec<u32>,
    /// For each such label, those that the column may show beside it, ascending.
    allowed: Vec<Arc<[u32]>>,
    /// The label that each class shows on the column.
    ours: Vec<u32>,
    /// For each label of the column, the classes that show it.
    showing: Vec<Vec<u32>>,
}

impl Matching {
    /// How the records of these releases match.
    pub(super) fn new(history: &History, sides: &[Side]) -> Self {
        let classes = |side: &Side| Classes {
            count: side.class.kinds.len() as u32,
            ties: Vec::new(),
        };
        let mut releases: Vec<Classes> = sides.iter().map(classes).collect();
        for rule in &history.rules {
            let [one, other] = rule.places();
            let (a, b) = (one.min(other), one.max(other));
            let ours = sides[b.release].labels_of_classes(b.column);
            let mut showing = vec![Vec::new(); sides[b.release].column(b.column).dictionary().len()];
            for (class, &label) in (0..).zip(&ours) {
                showing[label as usize].push(class);
            }
            releases[b.release].ties.push(Tie {
                with: a.release,
                theirs: sides[a.release].labels_of_classes(a.column),
                allowed: allowed(rule, a, b, history, sides),
                ours,
                showing,
            });
        }
        Matching { releases }
    }

    /// Tells all classes that match, one of each of the first `releases`, of which some are chosen.
    pub(super) fn each(&self, releases: usize, chosen: &mut Vec<u32>, found: &mut dyn FnMut(&[u32])) {
        if chosen.len() == releases {
            return found(chosen);
        }
        for class in self.releases[chosen.len()].fitting(chosen) {
            chosen.push(class);
            self.each(releases, chosen, found);
            chosen.pop();
        }
    }
}

impl Classes {
    /// The classes that fit those chosen of the releases before.
    fn fitting(&self, chosen: &[u32]) -> Vec<u32> {
        let fits = |class: u32| self.ties.iter().all(|tie| tie.fits(chosen, class));
        match self.ties.iter().min_by_key(|tie| tie.fitting(chosen).count()) {
            None => (0..self.count).collect(),
            Some(narrowest) => narrowest.fitting(chosen).filter(|&class| fits(class)).collect(),
        }
    }
}

impl Tie {
    fn allowed(&self, chosen: &[u32]) -> &[u32] {
        &self.allowed[self.theirs[chosen[self.with] as usize] as usize]
    }

    fn fits(&self, chosen: &[u32], class: u32) -> bool {
        self.allowed(chosen).binary_search(&self.ours[class as usize]).is_ok()
    }

    fn fitting(&self, chosen: &[u32]) -> impl Iterator<Item = u32> {
        let labels = self.allowed(chosen).iter();
        labels.flat_map(|&label| &self.showing[label as usize]).copied()
    }
}

/// For each label of column `a`, the labels of column `b` that a rule allows beside it.
fn allowed(rule: &Rule, a: Place, b: Place, history: &History, sides: &[Side]) -> Vec<Arc<[u32]>> {
    let labels = |place: Place| sides[place.release].column(place.column).dictionary();
    match rule {
        Rule::Agree { .. } => {
            let shown = |place: Place| Shown {
                labels: labels(place),
                forms: history.forms(place),
                recoded: history.is_recoded(place),
            };
            let met = meeting(shown(a), shown(b));
            met.into_iter().map(Arc::from).collect()
        }
        Rule::Never { a: one, b: other } => {
            let (of_a, of_b) = if one.place == a { (one, other) } else { (other, one) };
            let codes = || 0..labels(b).len() as u32;
            let all: Arc<[u32]> = codes().collect();
            let holds =
                |condition: &Condition, code: u32| history.is_certain(condition, labels(condition.place).value(code));
            let others: Arc<[u32]> = codes().filter(|&code| !holds(of_b, code)).collect();
            let beside = |code: u32| if holds(of_a, code) { others.clone() } else { all.clone() };
            (0..labels(a).len() as u32).map(beside).collect()
        }
    }
}
