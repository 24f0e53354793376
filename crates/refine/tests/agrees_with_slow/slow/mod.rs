//! Top-down refinement, slow and obvious: after every step all is computed again from the cells, by definition.

mod cover;
mod demand;
mod join;

use std::collections::{BTreeMap, BTreeSet};

use cover::Cover;
pub use demand::{Demand, Distance, Sense};
use scumble_privacy::History;

/// A cell, `None` if missing.
pub type Cell = Option<String>;

/// A node of a taxonomy.
#[derive(Clone, Debug)]
pub struct Tree {
    pub label: String,
    pub children: Vec<Tree>,
}

impl Tree {
    pub fn leaves(&self) -> Vec<String> {
        if self.children.is_empty() {
            return vec![self.label.clone()];
        }
        self.children.iter().flat_map(Tree::leaves).collect()
    }
}

#[derive(Clone, Debug)]
pub enum Operation {
    Generalize(Tree),
    Suppress,
    Discretize(Option<(f64, f64)>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    InformationGain,
    GainOnly,
    Distortion,
    Discernibility,
    Certainty,
}

#[derive(Clone, Debug)]
pub struct Template {
    pub of: Vec<usize>,
    /// How many of the columns one adversary knows.
    pub any: usize,
    pub demand: Demand,
}

/// Rows with their quasi cells, class, person, secret and what they guard.
#[derive(Clone, Debug)]
pub struct Problem {
    pub rows: Vec<Row>,
    /// The quasi cells of the people that the table is a sample of.
    pub population: Vec<Vec<Cell>>,
    /// The tree of secrets; their order is the order of its leaves.
    pub secrets: Tree,
    pub operations: Vec<Operation>,
    pub has_class: bool,
    pub templates: Vec<Template>,
    pub objective: Objective,
    /// Whether only templates that count records are weighed against a gain.
    pub weighs_records_alone: bool,
    pub rows_left_out_at_most: u64,
    /// The earlier releases that templates on the join speak of.
    pub history: History,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub quasi: Vec<Cell>,
    pub class: String,
    pub person: String,
    pub secret: Cell,
    pub guarding: Cell,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub column: usize,
    pub value: Cell,
    pub into: Vec<Cell>,
    pub gain: f64,
    pub loss: f64,
    pub score: f64,
    pub levels: Vec<f64>,
    pub left_out: u64,
}

/// A score to 25 binary digits, the first of which is not written down; half is rounded up.
fn rounded(score: f64) -> f64 {
    if score == 0.0 {
        return 0.0;
    }
    let digit = 2f64.powi(score.log2().floor() as i32 - 24);
    (score / digit + 0.5).floor() * digit
}

#[derive(Debug)]
pub struct Found {
    pub steps: Vec<Step>,
    /// What each row shows; `None` for a row left out.
    pub released: Vec<Option<Vec<Cell>>>,
    /// For each masked column, what stands in the way of its next refinement.
    pub stops: Vec<(usize, Stop)>,
}

#[derive(Clone, Debug)]
pub enum Stop {
    Complete,
    NothingToGain,
    /// The value, and the templates with the levels they would have.
    Blocked(Cell, Vec<(usize, f64)>),
}

/// A masked value: what it covers, what it shows.
#[derive(Clone, Debug)]
struct Shown {
    covers: BTreeSet<Cell>,
    label: Cell,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Node(Tree, bool),
    Interval { from: f64, to: f64, closed: bool },
    Whole,
    Star { disclosed: BTreeSet<Cell> },
    Exact,
}

impl Shown {
    /// Whether a cell would be shown so; it may be one that the table does not have. `*` in a suppressed column is
    /// everything but what is disclosed, which is whatever the table has and `*` does not cover.
    fn may_be(&self, cell: &Cell) -> bool {
        match &self.form {
            Form::Node(tree, is_root) => match cell {
                Some(cell) => tree.leaves().contains(cell),
                None => *is_root,
            },
            Form::Interval { from, to, closed } => {
                let number = cell.as_ref().map(|text| text.parse::<f64>().unwrap());
                number.is_some_and(|number| *from <= number && (number < *to || *closed && number == *to))
            }
            Form::Whole => true,
            Form::Star { disclosed } => !disclosed.contains(cell),
            Form::Exact => self.covers.contains(cell),
        }
    }
}

/// Rows that look alike, and how many people of the population do.
struct Group {
    rows: Vec<usize>,
    people: usize,
}

struct Candidate {
    column: usize,
    value: Cell,
    from: usize,
    into: Vec<Shown>,
}

/// Runs the search; `None` if the most masked table does not meet the requirement.
pub fn refine(problem: &Problem) -> Option<Found> {
    let mut shown: Vec<Vec<Shown>> = (0..problem.operations.len())
        .map(|column| vec![problem.root(column)])
        .collect();
    let mut out = BTreeSet::new();
    let levels = problem.levels(&shown, &out);
    let templates = problem.templates.iter().zip(&levels);
    if templates
        .into_iter()
        .any(|(template, &level)| !template.demand.is_met_by(level))
    {
        return None;
    }
    let mut covers = problem.covers(&shown, &out);
    let mut steps = Vec::new();
    loop {
        let before = problem.weighed(&shown, &out, &covers);
        let mut best: Vec<(Step, Vec<Vec<Shown>>, BTreeSet<usize>)> = Vec::new();
        for candidate in problem.candidates(&shown) {
            let mut after = shown.clone();
            let from = after[candidate.column].remove(candidate.from);
            after[candidate.column].extend(candidate.into.iter().cloned());
            let left_out = problem.settle(&after, &out, &covers);
            if left_out.len() as u64 > problem.rows_left_out_at_most {
                continue;
            }
            let loss = problem.loss(candidate.column, &before, &problem.weighed(&after, &left_out, &covers));
            let gain = problem.gain(candidate.column, &from, &candidate.into);
            let gain = if gain < 1e-12 { 0.0 } else { gain };
            let score = if problem.objective == Objective::GainOnly {
                gain
            } else {
                gain / (loss + 1.0)
            };
            let step = Step {
                column: candidate.column,
                value: candidate.value,
                into: candidate.into.iter().map(|shown| shown.label.clone()).collect(),
                gain,
                loss,
                score,
                levels: Vec::new(),
                left_out: left_out.len() as u64,
            };
            best.push((step, after, left_out));
        }
        // Templates of bounded knowledge are asked about the best alone.
        let winner = loop {
            let top = best.iter().map(|(step, ..)| rounded(step.score)).fold(0.0, f64::max);
            let Some(place) = best.iter().position(|(step, ..)| rounded(step.score) == top) else {
                break None;
            };
            let (step, after, left_out) = best.remove(place);
            let sets_after = |cover: &Cover| cover.sets_after(problem, &after, &left_out, step.column);
            let sets: Option<Vec<_>> = covers.iter().map(sets_after).collect();
            if let Some(sets) = sets {
                covers.iter_mut().zip(sets).for_each(|(cover, sets)| cover.keep(sets));
                break Some((step, after, left_out));
            }
        };
        let Some((mut step, after, left_out)) = winner else {
            break;
        };
        shown = after;
        out = left_out;
        step.levels = problem.levels(&shown, &out);
        steps.push(step);
    }
    let released = (0..problem.rows.len())
        .map(|row| (!out.contains(&row)).then(|| (0..shown.len()).map(|c| problem.label(&shown, row, c)).collect()))
        .collect();
    Some(Found {
        steps,
        released,
        stops: problem.stops(&shown, &out),
    })
}

impl Problem {
    /// Loosens the bounds that not even the most masked table keeps, where `loosen` says so.
    pub fn loosened(mut self, mut loosen: impl FnMut() -> bool) -> Problem {
        let root: Vec<Vec<Shown>> = (0..self.operations.len())
            .map(|column| vec![self.root(column)])
            .collect();
        let levels = self.levels(&root, &BTreeSet::new());
        for (template, level) in self.templates.iter_mut().zip(levels) {
            if !template.demand.is_met_by(level) && loosen() {
                template.demand = template.demand.kept_by(level);
            }
        }
        self
    }

    fn stops(&self, shown: &[Vec<Shown>], out: &BTreeSet<usize>) -> Vec<(usize, Stop)> {
        let columns = (0..shown.len()).filter(|&column| self.is_masked(column));
        columns.map(|column| (column, self.stop(shown, out, column))).collect()
    }

    fn stop(&self, shown: &[Vec<Shown>], out: &BTreeSet<usize>, column: usize) -> Stop {
        let candidates: Vec<Candidate> = self
            .candidates(shown)
            .into_iter()
            .filter(|candidate| candidate.column == column)
            .collect();
        let gain = |candidate: &Candidate| {
            let gain = self.gain(column, &shown[column][candidate.from], &candidate.into);
            if gain < 1e-12 { 0.0 } else { gain }
        };
        let best = candidates.iter().map(gain).fold(0.0, f64::max);
        let Some(next) = candidates.into_iter().find(|next| best - gain(next) <= 1e-9 * best) else {
            let is_open = |masked: &Shown| match &masked.form {
                Form::Star { .. } => true,
                _ => !self.children(column, masked).is_empty(),
            };
            let is_open = shown[column].iter().any(is_open);
            return if is_open { Stop::NothingToGain } else { Stop::Complete };
        };
        let mut after = shown.to_vec();
        after[column].remove(next.from);
        after[column].extend(next.into);
        let levels = self.levels(&after, out);
        let broken = |&at: &usize| !self.templates[at].demand.is_met_by(levels[at]);
        let by = (0..levels.len()).filter(broken).map(|at| (at, levels[at]));
        Stop::Blocked(next.value, by.collect())
    }

    fn values(&self, column: usize) -> BTreeSet<Cell> {
        self.rows.iter().map(|row| row.quasi[column].clone()).collect()
    }

    fn is_masked(&self, column: usize) -> bool {
        self.templates.iter().any(|template| template.of.contains(&column))
    }

    fn root(&self, column: usize) -> Shown {
        let covers = self.values(column);
        match &self.operations[column] {
            Operation::Generalize(tree) => Shown {
                covers,
                label: Some(tree.label.clone()),
                form: Form::Node(tree.clone(), true),
            },
            Operation::Suppress => Shown {
                covers,
                label: Some("*".into()),
                form: Form::Star {
                    disclosed: BTreeSet::new(),
                },
            },
            Operation::Discretize(_) if covers.contains(&None) => Shown {
                covers,
                label: Some("*".into()),
                form: Form::Whole,
            },
            Operation::Discretize(_) => self.whole_range(column, covers),
        }
    }

    fn range(&self, column: usize) -> (f64, f64) {
        let numbers: Vec<f64> = self
            .values(column)
            .iter()
            .flatten()
            .map(|text| text.parse().unwrap())
            .collect();
        let Operation::Discretize(range) = self.operations[column] else {
            unreachable!()
        };
        let observed = (
            numbers.iter().copied().fold(f64::MAX, f64::min),
            numbers.iter().copied().fold(f64::MIN, f64::max),
        );
        range.unwrap_or(observed)
    }

    fn whole_range(&self, column: usize, covers: BTreeSet<Cell>) -> Shown {
        let (from, to) = self.range(column);
        interval(covers, from, to, true)
    }

    /// The label of a row on a column.
    fn label(&self, shown: &[Vec<Shown>], row: usize, column: usize) -> Cell {
        let cell = &self.rows[row].quasi[column];
        if !self.is_masked(column) {
            return cell.clone();
        }
        self.shown(shown, row, column).label.clone()
    }

    fn shown<'s>(&self, shown: &'s [Vec<Shown>], row: usize, column: usize) -> &'s Shown {
        let cell = &self.rows[row].quasi[column];
        shown[column].iter().find(|shown| shown.covers.contains(cell)).unwrap()
    }

    /// Leaves out rows in broken groups, beside those that are out, until there are none or there are too many.
    fn settle(&self, shown: &[Vec<Shown>], out: &BTreeSet<usize>, covers: &[Cover]) -> BTreeSet<usize> {
        let mut out = out.clone();
        let is_covered = |at: &usize| covers.iter().any(|cover| cover.templates.contains(at));
        let own = (0..self.templates.len()).filter(|at| !is_covered(at));
        let own: Vec<&Template> = own.map(|at| &self.templates[at]).collect();
        loop {
            let mut broken: BTreeSet<usize> = BTreeSet::new();
            for template in own.iter().copied() {
                if let Some(joined) = template.demand.joined() {
                    if !template
                        .demand
                        .is_met_by(self.level_on_join(&template.of, joined, shown))
                    {
                        broken.extend(0..self.rows.len());
                    }
                    continue;
                }
                for group in self.groups(template, shown, &out) {
                    if !template.demand.is_met_by(self.level(template, &group, &out)) {
                        broken.extend(&group.rows);
                    }
                }
            }
            if broken.is_empty() || out.len() as u64 > self.rows_left_out_at_most {
                return out;
            }
            out.extend(broken);
        }
    }

    /// The level of each template: that of its worst group.
    fn levels(&self, shown: &[Vec<Shown>], out: &BTreeSet<usize>) -> Vec<f64> {
        let level = |template: &Template| {
            if let Some(joined) = template.demand.joined() {
                return self.level_on_join(&template.of, joined, shown);
            }
            let groups = self.groups(template, shown, out);
            let levels = groups.iter().map(|group| self.level(template, group, out));
            let sense = template.demand.sense();
            levels.reduce(|a, b| sense.worse(a, b)).unwrap_or(0.0)
        };
        self.templates.iter().map(level).collect()
    }

    /// The groups of a template, over all subsets of its columns that an adversary may know.
    fn groups(&self, template: &Template, shown: &[Vec<Shown>], out: &BTreeSet<usize>) -> Vec<Group> {
        let known = template.any.min(template.of.len());
        let mut all = Vec::new();
        for subset in (0u32..1 << template.of.len()).filter(|subset| subset.count_ones() as usize == known) {
            let of: Vec<usize> = (0..template.of.len())
                .filter(|place| subset & (1 << place) != 0)
                .map(|place| template.of[place])
                .collect();
            let mut groups: BTreeMap<Vec<Cell>, Vec<usize>> = BTreeMap::new();
            for row in (0..self.rows.len()).filter(|row| !out.contains(row)) {
                let key = of.iter().map(|&column| self.label(shown, row, column)).collect();
                groups.entry(key).or_default().push(row);
            }
            all.extend(groups.into_values().map(|rows| {
                let looks_alike = |person: &&Vec<Cell>| {
                    of.iter().all(|&column| {
                        let shown = self.shown(shown, rows[0], column);
                        shown.may_be(&person[column])
                    })
                };
                let people = self.population.iter().filter(looks_alike).count();
                Group { rows, people }
            }));
        }
        all
    }

    fn level(&self, template: &Template, group: &Group, out: &BTreeSet<usize>) -> f64 {
        let rows = |row: &usize| &self.rows[*row];
        let group_rows: Vec<&Row> = group.rows.iter().map(rows).collect();
        let everyone: Vec<usize> = (0..self.rows.len()).filter(|row| !out.contains(row)).collect();
        let everyone: Vec<&Row> = everyone.iter().map(rows).collect();
        template
            .demand
            .level(&group_rows, group.people, &everyone, &self.secrets)
    }

    /// The average loss over the templates with the column.
    fn loss(&self, column: usize, before: &[f64], after: &[f64]) -> f64 {
        let is_weighed = |&at: &usize| !self.weighs_records_alone || self.templates[at].demand.counts_records();
        let weighed: Vec<usize> = (0..self.templates.len()).filter(is_weighed).collect();
        let kinds: BTreeSet<&str> = weighed.iter().map(|&at| self.templates[at].demand.kind()).collect();
        let losses: Vec<f64> = weighed
            .into_iter()
            .filter(|&at| self.templates[at].of.contains(&column))
            .map(|at| match self.templates[at].demand.sense() {
                Sense::AtMost => after[at] - before[at],
                Sense::AtLeast if kinds.len() > 1 && before[at] > 0.0 => (before[at] - after[at]) / before[at],
                Sense::AtLeast => before[at] - after[at],
            })
            .map(|loss| loss.max(0.0))
            .collect();
        losses.iter().sum::<f64>() / losses.len().max(1) as f64
    }

    fn classes(&self, column: usize, covers: &BTreeSet<Cell>) -> BTreeMap<&str, f64> {
        let mut classes = BTreeMap::new();
        for row in self.rows.iter().filter(|row| covers.contains(&row.quasi[column])) {
            *classes.entry(&row.class[..]).or_insert(0.0) += 1.0;
        }
        classes
    }

    fn count(&self, column: usize, covers: &BTreeSet<Cell>) -> f64 {
        self.classes(column, covers).values().sum()
    }

    fn entropy(&self, column: usize, covers: &BTreeSet<Cell>) -> f64 {
        let n = self.count(column, covers);
        self.classes(column, covers)
            .values()
            .map(|f| -(f / n) * (f / n).log2())
            .sum()
    }

    fn information_gain(&self, column: usize, from: &BTreeSet<Cell>, into: &[&BTreeSet<Cell>]) -> f64 {
        let n = self.count(column, from);
        let after = |covers: &&BTreeSet<Cell>| self.count(column, covers) / n * self.entropy(column, covers);
        self.entropy(column, from) - into.iter().map(after).sum::<f64>()
    }

    fn gain(&self, column: usize, from: &Shown, into: &[Shown]) -> f64 {
        let rows = |shown: &Shown| self.count(column, &shown.covers);
        match self.objective {
            Objective::InformationGain | Objective::GainOnly => {
                let covers: Vec<_> = into.iter().map(|shown| &shown.covers).collect();
                self.information_gain(column, &from.covers, &covers)
            }
            Objective::Distortion => match from.form {
                Form::Star { .. } => rows(&into[0]),
                _ => rows(from),
            },
            Objective::Discernibility => rows(from).powi(2) - into.iter().map(|shown| rows(shown).powi(2)).sum::<f64>(),
            Objective::Certainty => {
                let penalty = |shown: &Shown| self.penalty(column, shown);
                into.iter()
                    .map(|shown| rows(shown) * (penalty(from) - penalty(shown)))
                    .sum()
            }
        }
    }

    fn penalty(&self, column: usize, shown: &Shown) -> f64 {
        match (&shown.form, &self.operations[column]) {
            (Form::Node(node, _), Operation::Generalize(tree)) => match node.leaves().len() {
                1 => 0.0,
                leaves => leaves as f64 / tree.leaves().len() as f64,
            },
            (Form::Interval { from, to, .. }, _) => {
                let range = self.range(column);
                if range.1 > range.0 {
                    (to - from) / (range.1 - range.0)
                } else {
                    0.0
                }
            }
            (Form::Exact, _) => 0.0,
            _ => 1.0,
        }
    }

    /// The beneficial candidates, in tie order.
    fn candidates(&self, shown: &[Vec<Shown>]) -> Vec<Candidate> {
        let mut all = Vec::new();
        for column in (0..shown.len()).filter(|&column| self.is_masked(column)) {
            let order = self.value_order(column);
            let first = |covers: &BTreeSet<Cell>| order.iter().position(|cell| covers.contains(cell)).unwrap();
            let mut of_column = Vec::new();
            for (from, masked) in shown[column].iter().enumerate() {
                if self.has_class && self.classes(column, &masked.covers).len() < 2 {
                    continue;
                }
                if let Form::Star { disclosed } = &masked.form {
                    for cell in masked.covers.iter() {
                        let mut rest = masked.clone();
                        rest.covers.remove(cell);
                        let mut disclosed = disclosed.clone();
                        disclosed.insert(cell.clone());
                        rest.form = Form::Star { disclosed };
                        let mut into = vec![Shown {
                            covers: [cell.clone()].into(),
                            label: cell.clone(),
                            form: Form::Exact,
                        }];
                        into.extend((!rest.covers.is_empty()).then_some(rest));
                        let place = first(&into[0].covers);
                        of_column.push((
                            place,
                            Candidate {
                                column,
                                value: cell.clone(),
                                from,
                                into,
                            },
                        ));
                    }
                } else {
                    let into = self.children(column, masked);
                    if !into.is_empty() {
                        let value = masked.label.clone();
                        of_column.push((
                            first(&masked.covers),
                            Candidate {
                                column,
                                value,
                                from,
                                into,
                            },
                        ));
                    }
                }
            }
            of_column.sort_by_key(|(place, _)| *place);
            all.extend(of_column.into_iter().map(|(_, candidate)| candidate));
        }
        all
    }

    fn value_order(&self, column: usize) -> Vec<Cell> {
        let mut values: Vec<Cell> = self.values(column).into_iter().collect();
        let number = |cell: &Cell| cell.as_ref().and_then(|text| text.parse::<f64>().ok());
        let numeric = values.iter().flatten().all(|text| text.parse::<f64>().is_ok());
        match &self.operations[column] {
            Operation::Generalize(tree) => {
                let leaves = tree.leaves();
                values.sort_by_key(|cell| {
                    leaves
                        .iter()
                        .position(|leaf| Some(leaf) == cell.as_ref())
                        .unwrap_or(usize::MAX)
                });
            }
            _ if numeric => values.sort_by(|a, b| {
                let key = |cell: &Cell| number(cell).unwrap_or(f64::INFINITY);
                key(a).total_cmp(&key(b))
            }),
            _ => values.sort_by_key(|cell| (cell.is_none(), cell.clone())),
        }
        values
    }

    fn children(&self, column: usize, masked: &Shown) -> Vec<Shown> {
        let missing = || Shown {
            covers: [None].into(),
            label: None,
            form: Form::Exact,
        };
        let mut children = Vec::new();
        match &masked.form {
            Form::Node(node, is_root) => {
                for child in &node.children {
                    let leaves: BTreeSet<Cell> = child.leaves().into_iter().map(Some).collect();
                    let covers: BTreeSet<Cell> = masked.covers.intersection(&leaves).cloned().collect();
                    children.push(Shown {
                        covers,
                        label: Some(child.label.clone()),
                        form: Form::Node(child.clone(), false),
                    });
                }
                if *is_root && !node.children.is_empty() && masked.covers.contains(&None) {
                    children.push(missing());
                }
            }
            Form::Whole => {
                let numbers: BTreeSet<Cell> = masked.covers.iter().filter(|cell| cell.is_some()).cloned().collect();
                if !numbers.is_empty() {
                    children.push(self.whole_range(column, numbers));
                }
                children.push(missing());
            }
            &Form::Interval { from, to, closed } => {
                if let Some(split) = self.split(column, &masked.covers) {
                    let below = |cell: &&Cell| cell.as_ref().unwrap().parse::<f64>().unwrap() < split;
                    let (left, right) = masked.covers.iter().partition::<Vec<_>, _>(below);
                    children.push(interval(left.into_iter().cloned().collect(), from, split, false));
                    children.push(interval(right.into_iter().cloned().collect(), split, to, closed));
                }
            }
            Form::Star { .. } | Form::Exact => {}
        }
        children.retain(|child| !child.covers.is_empty());
        children
    }

    fn split(&self, column: usize, covers: &BTreeSet<Cell>) -> Option<f64> {
        let mut numbers: Vec<f64> = covers.iter().flatten().map(|text| text.parse().unwrap()).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let worth: Vec<(f64, f64)> = numbers
            .iter()
            .skip(1)
            .map(|&split| {
                let below = |cell: &&Cell| cell.as_ref().unwrap().parse::<f64>().unwrap() < split;
                let left: BTreeSet<Cell> = covers.iter().filter(below).cloned().collect();
                let right: BTreeSet<Cell> = covers.difference(&left).cloned().collect();
                let worth = if self.has_class {
                    self.information_gain(column, covers, &[&left, &right]).max(0.0)
                } else {
                    self.count(column, covers) - (self.count(column, &left) - self.count(column, &right)).abs()
                };
                (split, worth)
            })
            .collect();
        let best = worth.iter().map(|&(_, worth)| worth).fold(0.0, f64::max);
        worth
            .into_iter()
            .find(|&(_, worth)| best - worth <= 1e-9 * best)
            .map(|(split, _)| split)
    }
}

fn interval(covers: BTreeSet<Cell>, from: f64, to: f64, closed: bool) -> Shown {
    let label = Some(format!("[{from}, {to}{}", if closed { "]" } else { ")" }));
    Shown {
        covers,
        label,
        form: Form::Interval { from, to, closed },
    }
}
