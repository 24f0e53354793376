//! A [`Trial`] is changes to some groups, not made yet: whether they gain is only known once all are in.

use super::LEAST_GAIN;
use super::state::{Changes, Group, State};

pub(super) struct Trial<'s, 'p, 't> {
    state: &'s State<'p, 't>,
    changes: Changes,
}

impl<'s, 'p, 't> Trial<'s, 'p, 't> {
    pub fn new(state: &'s State<'p, 't>) -> Self {
        Trial {
            state,
            changes: Changes::new(),
        }
    }

    /// A group as it would be; `None` if it would be gone.
    fn group(&self, number: u32) -> Option<&Group> {
        match self.changes.get(&number) {
            Some(group) => group.as_ref(),
            None => Some(&self.state.groups[number as usize]).filter(|group| !group.rows.is_empty()),
        }
    }

    /// Takes rows out of their group: all of one group, and in its order.
    pub fn take(&mut self, rows: &[u32]) {
        let Some(&first) = rows.first() else { return };
        let number = self.state.group_of(first);
        let mut taken = rows.iter().peekable();
        let own = self.group(number).map_or(&[][..], |group| &group.rows);
        let left = own.iter().filter(|&row| taken.next_if_eq(&row).is_none());
        let left: Vec<u32> = left.copied().collect();
        let group = (!left.is_empty()).then(|| Group::new(self.state.space, left));
        self.changes.insert(number, group);
    }

    /// Puts a row into a group, which comes back if it was gone.
    pub fn put(&mut self, number: u32, row: u32) {
        let mut group = self.group(number).cloned();
        match &mut group {
            Some(group) => group.join(self.state.space, row),
            None => group = Some(Group::new(self.state.space, vec![row])),
        }
        self.changes.insert(number, group);
    }

    /// Where a row would cost least, as things would stand. `by_loss` are the groups as they are.
    pub fn home(&self, by_loss: &[u32], row: u32) -> Option<u32> {
        let mut best = (f64::INFINITY, None);
        let mut weigh = |number: u32, group: &Group| {
            let cost = group.cost_of_joining(self.state.space, row, best.0);
            if cost < best.0 {
                best = (cost, Some(number));
            }
            best.0
        };
        let mut least = f64::INFINITY;
        for (&number, group) in &self.changes {
            if let Some(group) = group.as_ref().filter(|group| group.loss < least) {
                least = weigh(number, group);
            }
        }
        for &number in by_loss.iter().filter(|number| !self.changes.contains_key(number)) {
            let group = &self.state.groups[number as usize];
            if group.loss >= least {
                break;
            }
            least = weigh(number, group);
        }
        best.1
    }

    /// The changes, if every group that they leave keeps the conditions.
    pub fn if_allowed(self) -> Option<Changes> {
        let mut groups = self.changes.values().flatten();
        let is_allowed = groups.all(|group| self.state.conditions.are_met_by(&group.rows));
        is_allowed.then_some(self.changes)
    }

    /// The changes, if they are allowed and make the total smaller.
    pub fn if_worth_it(self) -> Option<Changes> {
        let numbers = self.changes.keys();
        let before = numbers.map(|&number| self.state.groups[number as usize].cost());
        let after = self.changes.values().flatten().map(Group::cost);
        let gain = before.sum::<f64>() - after.sum::<f64>();
        if gain > LEAST_GAIN { self.if_allowed() } else { None }
    }
}
