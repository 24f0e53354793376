//! Top-down refinement, slow and obvious: after every step all is computed again from the cells, by definition.

use std::collections::{BTreeMap, BTreeSet};

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
    pub k: u64,
    pub of: Vec<usize>,
    /// Whether different people are counted instead of records.
    pub per_person: bool,
}

/// Rows with their quasi cells, class and person.
#[derive(Clone, Debug)]
pub struct Problem {
    pub rows: Vec<Row>,
    pub operations: Vec<Operation>,
    pub has_class: bool,
    pub templates: Vec<Template>,
    pub objective: Objective,
    pub rows_left_out_at_most: u64,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub quasi: Vec<Cell>,
    pub class: String,
    pub person: String,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub column: usize,
    pub value: Cell,
    pub into: Vec<Cell>,
    pub gain: f64,
    pub loss: f64,
    pub score: f64,
    pub levels: Vec<u64>,
    pub left_out: u64,
}

#[derive(Debug)]
pub struct Found {
    pub steps: Vec<Step>,
    /// What each row shows; `None` for a row left out.
    pub released: Vec<Option<Vec<Cell>>>,
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
    Star,
    Exact,
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
    let (mut levels, mut out) = problem.settle(&shown);
    if problem
        .templates
        .iter()
        .zip(&levels)
        .any(|(template, &level)| level < template.k)
    {
        return None;
    }
    let mut steps = Vec::new();
    loop {
        let mut best: Vec<(Step, Vec<Vec<Shown>>, BTreeSet<usize>)> = Vec::new();
        for candidate in problem.candidates(&shown) {
            let mut after = shown.clone();
            let from = after[candidate.column].remove(candidate.from);
            after[candidate.column].extend(candidate.into.iter().cloned());
            let (new_levels, left_out) = problem.settle(&after);
            if left_out.len() as u64 > problem.rows_left_out_at_most {
                continue;
            }
            let affected = problem.templates.iter().zip(levels.iter().zip(&new_levels));
            let losses: Vec<f64> = affected
                .filter(|(template, _)| template.of.contains(&candidate.column))
                .map(|(_, (&before, &after))| (before as f64 - after as f64).max(0.0))
                .collect();
            let loss = losses.iter().sum::<f64>() / losses.len() as f64;
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
                levels: new_levels,
                left_out: left_out.len() as u64,
            };
            best.push((step, after, left_out));
        }
        let top = best.iter().map(|(step, ..)| step.score).fold(0.0, f64::max);
        let Some((step, after, left_out)) = best.into_iter().find(|(step, ..)| top - step.score <= 1e-9 * top) else {
            break;
        };
        levels = step.levels.clone();
        shown = after;
        out = left_out;
        steps.push(step);
    }
    let released = (0..problem.rows.len())
        .map(|row| (!out.contains(&row)).then(|| (0..shown.len()).map(|c| problem.label(&shown, row, c)).collect()))
        .collect();
    Some(Found { steps, released })
}

impl Problem {
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
                form: Form::Star,
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
        shown[column]
            .iter()
            .find(|shown| shown.covers.contains(cell))
            .unwrap()
            .label
            .clone()
    }

    /// Leaves out rows in broken groups until there are none; the levels of what remains.
    fn settle(&self, shown: &[Vec<Shown>]) -> (Vec<u64>, BTreeSet<usize>) {
        let mut out = BTreeSet::new();
        loop {
            let mut levels = Vec::new();
            let mut broken: BTreeSet<usize> = BTreeSet::new();
            for template in &self.templates {
                let mut groups: BTreeMap<Vec<Cell>, Vec<usize>> = BTreeMap::new();
                for row in (0..self.rows.len()).filter(|row| !out.contains(row)) {
                    let key = template
                        .of
                        .iter()
                        .map(|&column| self.label(shown, row, column))
                        .collect();
                    groups.entry(key).or_default().push(row);
                }
                let size = |rows: &Vec<usize>| match template.per_person {
                    false => rows.len() as u64,
                    true => rows
                        .iter()
                        .map(|&row| &self.rows[row].person)
                        .collect::<BTreeSet<_>>()
                        .len() as u64,
                };
                levels.push(groups.values().map(size).min().unwrap_or(0));
                broken.extend(groups.values().filter(|rows| size(rows) < template.k).flatten());
            }
            if broken.is_empty() || broken.len() + out.len() > self.rows_left_out_at_most as usize {
                out.extend(broken);
                return (levels, out);
            }
            out.extend(broken);
        }
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
                Form::Star => rows(&into[0]),
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
                if let Form::Star = masked.form {
                    for cell in masked.covers.iter() {
                        let mut rest = masked.clone();
                        rest.covers.remove(cell);
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
            Form::Star | Form::Exact => {}
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
