//! How many people can have stayed at most: the largest flow from new groups to old ones that they meet.
//!
//! Paths along which one more can stay are looked for from all groups that have someone left over at once, breadth first.
//! When there is none, no more can stay (Ford and Fulkerson 1956).

use std::collections::VecDeque;

use super::groups::Groups;

/// The most people of one value that can have stayed. Groups come with their rows of it, ascending.
pub(super) fn most_that_stay(groups: &Groups, new: &[(usize, u64)], old: &[(usize, u64)]) -> u64 {
    if new.is_empty() || old.is_empty() {
        return 0;
    }
    let mut flow = Flow::new(groups, new, old);
    while flow.augment() {}
    flow.edges.iter().map(|edge| edge.people).sum()
}

struct Flow {
    edges: Vec<Edge>,
    /// The edges of each new group.
    of_new: Vec<Vec<usize>>,
    of_old: Vec<Vec<usize>>,
    /// Who is left over in each new group.
    left_new: Vec<u64>,
    left_old: Vec<u64>,
}

/// People who stayed between a new and an old group.
struct Edge {
    new: usize,
    old: usize,
    people: u64,
}

impl Flow {
    fn new(groups: &Groups, new: &[(usize, u64)], old: &[(usize, u64)]) -> Self {
        let mut flow = Flow {
            edges: Vec::new(),
            of_new: vec![Vec::new(); new.len()],
            of_old: vec![Vec::new(); old.len()],
            left_new: new.iter().map(|&(_, rows)| rows).collect(),
            left_old: old.iter().map(|&(_, rows)| rows).collect(),
        };
        for (place, &(group, _)) in new.iter().enumerate() {
            for met in groups.met_by(group) {
                if let Ok(other) = old.binary_search_by_key(&met, |&(group, _)| group) {
                    flow.join(place, other);
                }
            }
        }
        flow
    }

    /// Adds an edge with as many people as are left over on both sides.
    fn join(&mut self, new: usize, old: usize) {
        let people = self.left_new[new].min(self.left_old[old]);
        self.left_new[new] -= people;
        self.left_old[old] -= people;
        self.of_new[new].push(self.edges.len());
        self.of_old[old].push(self.edges.len());
        self.edges.push(Edge { new, old, people });
    }

    /// Lets more people stay along the shortest paths; whether there were any.
    fn augment(&mut self) -> bool {
        // By which edge each group was reached; a new group that has someone left over is a start, and reached by none.
        let mut to_new: Vec<Option<usize>> = vec![None; self.of_new.len()];
        let mut to_old: Vec<Option<usize>> = vec![None; self.of_old.len()];
        let mut seen_new: Vec<bool> = self.left_new.iter().map(|&left| left > 0).collect();
        let mut waiting: VecDeque<usize> = (0..seen_new.len()).filter(|&new| seen_new[new]).collect();
        let mut found = false;
        while let Some(new) = waiting.pop_front() {
            for place in 0..self.of_new[new].len() {
                let edge = self.of_new[new][place];
                let old = self.edges[edge].old;
                if to_old[old].is_some() {
                    continue;
                }
                to_old[old] = Some(edge);
                if self.left_old[old] > 0 {
                    found |= self.push(old, &to_old, &to_new) > 0;
                    continue;
                }
                for &back in &self.of_old[old] {
                    let Edge { new, people, .. } = self.edges[back];
                    if people > 0 && !seen_new[new] {
                        seen_new[new] = true;
                        to_new[new] = Some(back);
                        waiting.push_back(new);
                    }
                }
            }
        }
        found
    }

    /// Lets as many people as the path to an old group allows stay along it. Paths found in one search may share edges, so
    /// a later one may allow nobody.
    fn push(&mut self, end: usize, to_old: &[Option<usize>], to_new: &[Option<usize>]) -> u64 {
        let (mut forth, mut back) = (Vec::new(), Vec::new());
        let mut people = self.left_old[end];
        let mut old = end;
        let start = loop {
            let Some(edge) = to_old[old] else { return 0 };
            forth.push(edge);
            let new = self.edges[edge].new;
            let Some(edge) = to_new[new] else { break new };
            back.push(edge);
            people = people.min(self.edges[edge].people);
            old = self.edges[edge].old;
        };
        people = people.min(self.left_new[start]);
        forth.iter().for_each(|&edge| self.edges[edge].people += people);
        back.iter().for_each(|&edge| self.edges[edge].people -= people);
        self.left_new[start] -= people;
        self.left_old[end] -= people;
        people
    }
}
