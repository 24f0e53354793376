//! The [`Judge`] says which rows a node would leave out, and what that proves of finer nodes.
//!
//! The rows of a group that breaks a template leave, which may break groups of other templates, until none is broken. Too
//! many rows may leave a node and few enough a finer one: with at most 2 in 5 of a group ill, the groups {ill, ill} and
//! {ill, well, well, well} lose two rows, and as one group all six. So a node that leaves out too many is no proof against
//! finer ones. These are:
//!
//! - Some templates no further row can break (so many rows, values or people in every group). A group that breaks one has
//!   only parts that do, whichever rows leave. So the rows that leave by such templates alone leave every finer node, too.
//! - Of a group that breaks an anti-monotone template, at least one part breaks it. So every finer node loses a row of it.
//!
//! Without a row budget this is the rule of Samarati and Incognito: what fails, fails for everything finer.

use std::sync::Arc;

use scumble_level::{Cell, Check, Spec};
use scumble_table::Collapsed;

use super::node::Node;
use super::rows::{Division, Rows};
use crate::Ladder;

/// What is asked of the groups of a node.
pub(super) struct Judge<'p> {
    asked: Vec<Asked<'p>>,
    /// The rows that may be left out.
    budget: u64,
}

/// What is asked of one grouping.
struct Asked<'p> {
    /// The places of its columns among the quasi columns.
    columns: Vec<usize>,
    /// Which division of the rows.
    division: usize,
    with_people: bool,
    checks: Arc<[Check<'p>]>,
}

/// What a judge says of a node.
pub(super) enum Verdict {
    /// It and every finer node fails.
    Refused,
    /// It may be kept, or a finer one.
    Open {
        /// The rows that leave it and every finer node.
        finer_too: LeftOut,
        /// The rows that leave it; `None` if they are too many.
        own: Option<LeftOut>,
    },
}

/// The rows that leave.
#[derive(Clone)]
pub(super) struct LeftOut {
    /// For each kind of the table, whether it leaves.
    pub kinds: Vec<bool>,
    /// How many rows that is.
    pub rows: u64,
}

impl<'p> Judge<'p> {
    /// A judge, and by what the rows must be divided.
    pub fn new<'s>(specs: &'s [Spec<'p>], ladders: &[Ladder], budget: u64) -> (Self, Vec<Division<'s>>) {
        let mut divisions: Vec<Division> = Vec::new();
        let mut asked = Vec::new();
        for spec in specs {
            let own = Division::of(spec);
            let known = divisions.iter().position(|division| *division == own);
            let division = known.unwrap_or_else(|| {
                divisions.push(own);
                divisions.len() - 1
            });
            let place = |id| ladders.iter().position(|ladder| ladder.column() == id);
            let columns = spec
                .columns
                .iter()
                .map(|&id| place(id).expect("`of` names quasi columns"));
            asked.push(Asked {
                columns: columns.collect(),
                division,
                with_people: spec.population.is_some(),
                checks: spec.checks.clone(),
            });
        }
        (Judge { asked, budget }, divisions)
    }

    /// What becomes of a node.
    pub fn judge(&self, rows: &Rows, node: &Node) -> Verdict {
        let open = match self.budget {
            0 => self.without_budget(rows, node),
            _ => self.with_budget(rows, node),
        };
        open.map_or(Verdict::Refused, |(finer_too, own)| Verdict::Open { finer_too, own })
    }

    /// The first broken group decides. The groups of one grouping at a time are kept: of bounded knowledge, all would take
    /// too much memory.
    fn without_budget(&self, rows: &Rows, node: &Node) -> Option<(LeftOut, Option<LeftOut>)> {
        let none = LeftOut::none(rows);
        let is_broken = |is_asked: fn(&Check) -> bool| {
            let mut asked = self.asked.iter().filter(|asked| asked.checks.iter().any(is_asked));
            asked.any(|asked| asked.groups(rows, node).broken(&none, is_asked).contains(&true))
        };
        if is_broken(|check| check.is_anti_monotone()) {
            return None;
        }
        let own = (!is_broken(|check| !check.is_anti_monotone())).then(|| none.clone());
        Some((none, own))
    }

    fn with_budget(&self, rows: &Rows, node: &Node) -> Option<(LeftOut, Option<LeftOut>)> {
        let groupings: Vec<Groups> = self.asked.iter().map(|asked| asked.groups(rows, node)).collect();
        let finer_too = self.cascade(rows, &groupings, grows)?;
        if self.asked.iter().all(|asked| asked.checks.iter().all(grows)) {
            return Some((finer_too.clone(), Some(finer_too)));
        }
        let more = groupings.iter().map(|groups| groups.broken_beside(rows, &finer_too));
        if finer_too.rows + more.max().unwrap_or(0) > self.budget {
            return None;
        }
        let own = self.cascade(rows, &groupings, |_| true);
        Some((finer_too, own))
    }

    /// The rows that leave by some of the checks; `None` if more than may.
    ///
    /// All groupings lose their rows at once, then all are asked again: by templates on shares, fewer or other rows would
    /// leave if one were asked after the other.
    fn cascade(&self, rows: &Rows, groupings: &[Groups], is_asked: impl Fn(&Check) -> bool) -> Option<LeftOut> {
        let mut out = LeftOut::none(rows);
        loop {
            let broken: Vec<Vec<bool>> = groupings.iter().map(|groups| groups.broken(&out, &is_asked)).collect();
            let before = out.rows;
            for kind in 0..rows.kinds() {
                let mut groups = groupings.iter().zip(&broken);
                if !out.kinds[kind] && groups.any(|(groups, broken)| broken[groups.of_kind(kind)]) {
                    out.kinds[kind] = true;
                    out.rows += rows.weight(kind);
                }
            }
            if out.rows > self.budget {
                return None;
            }
            // Groups leave whole, so those of a single grouping break no other.
            if out.rows == before || groupings.len() == 1 {
                return Some(out);
            }
        }
    }

    /// The worst level of each template that is asked for at a node, with all rows in.
    pub fn levels(&self, rows: &Rows, node: &Node, mut worsen: impl FnMut(&Check, f64)) {
        let none = LeftOut::none(rows);
        for asked in &self.asked {
            asked.groups(rows, node).for_each(&none, |_, cells| {
                asked.checks.iter().for_each(|check| worsen(check, check.level(cells)));
            });
        }
    }
}

/// Whether a further row never breaks it.
fn grows(check: &Check) -> bool {
    check.measure.falls_with_rows()
}

impl LeftOut {
    fn none(rows: &Rows) -> Self {
        LeftOut {
            kinds: vec![false; rows.kinds()],
            rows: 0,
        }
    }
}

impl Asked<'_> {
    fn groups<'g>(&'g self, rows: &'g Rows, node: &Node) -> Groups<'g> {
        Groups {
            asked: self,
            rows,
            collapsed: rows.groups(self.columns.iter().copied(), node, self.with_people),
        }
    }
}

/// The groups of one grouping at a node.
struct Groups<'g> {
    asked: &'g Asked<'g>,
    rows: &'g Rows,
    collapsed: Collapsed,
}

impl Groups<'_> {
    fn of_kind(&self, kind: usize) -> usize {
        self.collapsed.kind_of[kind] as usize
    }

    /// Which groups break a check that is asked, without the rows that are out.
    fn broken(&self, out: &LeftOut, is_asked: impl Fn(&Check) -> bool) -> Vec<bool> {
        let mut broken = vec![false; self.collapsed.rows.len()];
        self.for_each(out, |group, cells| {
            let mut checks = self.asked.checks.iter().filter(|check| is_asked(check));
            broken[group] = checks.any(|check| !check.is_met_by(check.level(cells)));
        });
        broken
    }

    /// How many groups that lose no row to `out` break an anti-monotone check.
    fn broken_beside(&self, rows: &Rows, out: &LeftOut) -> u64 {
        let mut broken = self.broken(&LeftOut::none(rows), |check| check.is_anti_monotone());
        let kinds = (0..rows.kinds()).filter(|&kind| out.kinds[kind]);
        kinds.for_each(|kind| broken[self.of_kind(kind)] = false);
        broken.into_iter().filter(|&broken| broken).count() as u64
    }

    /// The cells of each group that has some, without the rows that are out.
    fn for_each(&self, out: &LeftOut, mut visit: impl FnMut(usize, &[Cell])) {
        let members = self.rows.members(self.asked.division).iter();
        let members = members.filter(|member| out.kinds.get(member.kind as usize) != Some(&true));
        // Dealt to the groups in the order of their categories, the members of each group are in order, too.
        let mut ends = vec![0usize; self.collapsed.rows.len() + 1];
        for member in members.clone() {
            ends[self.of_kind(member.kind as usize) + 1] += 1;
        }
        (1..ends.len()).for_each(|group| ends[group] += ends[group - 1]);
        let empty = Cell {
            slot: 0,
            category: 0,
            weight: 0,
        };
        let mut dealt = vec![empty; ends[ends.len() - 1]];
        for member in members {
            let place = &mut ends[self.of_kind(member.kind as usize)];
            dealt[*place] = Cell {
                category: member.category,
                weight: member.weight,
                ..empty
            };
            *place += 1;
        }
        // Each end is now where the next group begins.
        let mut cells: Vec<Cell> = Vec::new();
        let mut start = 0;
        for (group, &end) in ends[..ends.len() - 1].iter().enumerate() {
            cells.clear();
            for cell in &dealt[start..end] {
                match cells.last_mut().filter(|last| last.category == cell.category) {
                    Some(last) => last.weight += cell.weight,
                    None => cells.push(*cell),
                }
            }
            if !cells.is_empty() {
                visit(group, &cells);
            }
            start = end;
        }
    }
}
