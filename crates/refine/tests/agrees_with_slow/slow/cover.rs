//! Bounded knowledge without a row budget: which sets of columns stand for all subsets.

use std::collections::BTreeSet;

use super::{Problem, Shown, Template};

/// Sets of columns that together contain every subset of so many, for the templates of one quasi-identifier.
pub struct Cover {
    pub templates: Vec<usize>,
    known: usize,
    sets: Vec<Vec<usize>>,
}

impl Cover {
    fn is_broken(&self, problem: &Problem, set: &[usize], shown: &[Vec<Shown>], out: &BTreeSet<usize>) -> bool {
        let is_met = |&at: &usize| {
            let level = problem.level_on(at, set, shown, out);
            problem.templates[at].demand.is_met_by(level)
        };
        !self.templates.iter().all(is_met)
    }

    /// The sets with broken ones split; `None` if a subset is broken.
    pub fn sets_after(
        &self,
        problem: &Problem,
        after: &[Vec<Shown>],
        out: &BTreeSet<usize>,
        column: usize,
    ) -> Option<Vec<Vec<usize>>> {
        self.plan(|set| set.contains(&column) && self.is_broken(problem, set, after, out))
    }

    pub fn keep(&mut self, sets: Vec<Vec<usize>>) {
        self.sets = sets;
    }

    /// Unbroken sets that contain every subset: a broken one is replaced by those without every so-manieth of its columns.
    fn plan(&self, is_broken: impl Fn(&Vec<usize>) -> bool) -> Option<Vec<Vec<usize>>> {
        let (mut open, mut kept) = (self.sets.clone(), Vec::new());
        while !open.is_empty() {
            let set = open.remove(0);
            if !is_broken(&set) {
                kept.push(set);
                continue;
            }
            if set.len() <= self.known {
                return None;
            }
            let blocks = self.known + 1;
            for block in 0..blocks {
                let places = (0..set.len()).filter(|place| place % blocks != block);
                let child: Vec<usize> = places.map(|place| set[place]).collect();
                let contains = |other: &Vec<usize>| child.iter().all(|column| other.contains(column));
                if !kept.iter().chain(&open).any(contains) {
                    open.push(child);
                }
            }
        }
        Some(kept)
    }
}

impl Problem {
    /// The levels that losses are taken of: for bounded knowledge without a row budget, those of the sets of the cover.
    pub(super) fn weighed(&self, shown: &[Vec<Shown>], out: &BTreeSet<usize>, covers: &[Cover]) -> Vec<f64> {
        let mut levels = self.levels(shown, out);
        for cover in covers {
            for &at in &cover.templates {
                let sense = self.templates[at].demand.sense();
                let of_sets = cover.sets.iter().map(|set| self.level_on(at, set, shown, out));
                levels[at] = of_sets.reduce(|a, b| sense.worse(a, b)).unwrap();
            }
        }
        levels
    }

    /// The level of a template, were it about these columns.
    fn level_on(&self, at: usize, columns: &[usize], shown: &[Vec<Shown>], out: &BTreeSet<usize>) -> f64 {
        let template = Template {
            of: columns.to_vec(),
            any: usize::MAX,
            demand: self.templates[at].demand.clone(),
        };
        let groups = self.groups(&template, shown, out);
        let levels = groups.iter().map(|group| self.level(&template, group, out));
        levels.reduce(|a, b| template.demand.sense().worse(a, b)).unwrap_or(0.0)
    }

    /// One cover for each quasi-identifier of bounded knowledge; none with a row budget.
    pub(super) fn covers(&self, shown: &[Vec<Shown>], out: &BTreeSet<usize>) -> Vec<Cover> {
        let mut covers: Vec<Cover> = Vec::new();
        let bounded = self.templates.iter().enumerate();
        let bounded = bounded.filter(|(_, template)| template.any < template.of.len());
        for (at, template) in bounded.filter(|_| self.rows_left_out_at_most == 0) {
            let same = |cover: &&mut Cover| cover.sets[0] == template.of && cover.known == template.any;
            match covers.iter_mut().find(same) {
                Some(cover) => cover.templates.push(at),
                None => covers.push(Cover {
                    templates: vec![at],
                    known: template.any,
                    sets: vec![template.of.clone()],
                }),
            }
        }
        for cover in &mut covers {
            let is_broken = |set: &Vec<usize>| cover.is_broken(self, set, shown, out);
            cover.sets = cover.plan(is_broken).unwrap_or(cover.sets.clone());
        }
        covers
    }
}
