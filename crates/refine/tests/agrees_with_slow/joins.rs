//! Random problems with earlier releases.

use std::sync::Arc;

use scumble_privacy::{
    Condition, Earlier, History, JoinDemand, JoinSecrets, Joined, Per, Place, Rule, SecretValues, THIS,
};
use scumble_table::{Column, ColumnId, Domain, Forms, SharedForms, Table, Taxonomy, ValueOrder, Written};

use crate::compare::taxonomy;
use crate::dice::Dice;
use crate::slow::{self, Cell, Operation};

/// What an earlier release has: copies of columns of this table, by id, and others that only earlier releases have.
struct Draft {
    copies: Vec<usize>,
    others: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
    recoded: Vec<bool>,
    forms: Vec<SharedForms>,
}

/// Words that look like labels, instead of others.
const LIKE_LABELS: [(&str, &str); 4] = [("v2", "v*"), ("v3", "{v0|v1}"), ("v4", "1-5"), ("v5", "[0, 9]")];

impl Dice {
    /// A small problem without a row budget, most of whose templates are on the join with earlier releases.
    pub fn problem_on_join(&mut self, columns: usize, releases: usize) -> slow::Problem {
        let rows = 1 + self.roll([14, 7, 5][releases - 1]);
        let mut problem = self.problem(rows, columns);
        problem.rows_left_out_at_most = 0;
        if self.chance(40) {
            call_values_like_labels(&mut problem);
        }
        let trees: Vec<Option<Arc<Taxonomy>>> = problem
            .operations
            .iter()
            .map(|operation| match operation {
                Operation::Generalize(tree) => Some(Arc::new(taxonomy(tree))),
                _ => None,
            })
            .collect();
        let drafts: Vec<Draft> = (0..releases).map(|_| self.earlier(&problem, &trees)).collect();
        problem.history = self.history(&problem, &drafts, &trees);
        let kept = problem.templates.len().min(self.roll(2));
        problem.templates.truncate(kept);
        for _ in 0..1 + self.roll(2) {
            let template = self.template_on_join(&problem, &drafts);
            problem.templates.push(template);
        }
        problem.loosened(|| self.chance(95))
    }

    /// An earlier release about the people of this table, some of whom may be missing and others added.
    fn earlier(&mut self, problem: &slow::Problem, trees: &[Option<Arc<Taxonomy>>]) -> Draft {
        let quasi = problem.operations.len();
        let secret = quasi + 2;
        let mut copies: Vec<usize> = (0..quasi).filter(|_| self.chance(60)).collect();
        if self.chance(20) {
            copies.push(secret);
        }
        if copies.is_empty() {
            copies.push(self.roll(quasi));
        }
        let others: Vec<&'static str> = ["e0", "e1"].into_iter().filter(|_| self.chance(60)).collect();
        let strangers = self.chance(30);
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for row in &problem.rows {
            if strangers && self.chance(30) {
                continue;
            }
            let cell = |&copy: &usize| {
                if copy == secret {
                    row.secret.clone()
                } else {
                    row.quasi[copy].clone()
                }
            };
            let mut cells: Vec<Cell> = copies.iter().map(cell).collect();
            cells.extend(others.iter().map(|_| Some(format!("v{}", self.roll(3)))));
            rows.push(cells);
        }
        if rows.is_empty() {
            rows.push(vec![None; copies.len() + others.len()]);
        }
        let mut recoded = vec![false; copies.len() + others.len()];
        for (at, &copy) in copies.iter().enumerate().filter(|&(_, &copy)| copy < quasi) {
            recoded[at] = self.mask(at, &problem.operations[copy], &mut rows);
        }
        let declared = |copy: Option<usize>| {
            let domain = copy.map_or(Domain::Words, |copy| domain(problem, copy, trees));
            // Whoever says that a column is exact is believed: then its cells are values, also where they were masked.
            let words = matches!(domain, Domain::Words);
            let written = match self.roll(4) {
                0 if words => Written::Exact,
                1 if words => Written::Suppressed,
                _ => Written::Sets,
            };
            Forms { domain, written }
        };
        let columns = copies.iter().copied().map(Some).chain(others.iter().map(|_| None));
        let forms = columns.map(declared).collect();
        Draft {
            copies,
            others,
            rows,
            recoded,
            forms,
        }
    }

    /// Masks a column of an earlier release in one of many ways; whether it was recoded as a whole.
    fn mask(&mut self, at: usize, operation: &Operation, rows: &mut [Vec<Cell>]) -> bool {
        match self.roll(3) {
            0 => false,
            1 => {
                let hidden = format!("v{}", self.roll(6));
                let is_hidden = |cell: &Cell| cell.as_deref().is_some_and(|cell| cell >= &hidden[..]);
                for row in rows.iter_mut().filter(|row| is_hidden(&row[at])) {
                    row[at] = Some("*".to_owned());
                }
                !matches!(operation, Operation::Generalize(_))
            }
            _ => {
                for row in rows.iter_mut() {
                    if let Some(cell) = row[at].take() {
                        row[at] = Some(self.masked(cell, operation));
                    }
                }
                false
            }
        }
    }

    /// A label that covers a cell.
    fn masked(&mut self, cell: String, operation: &Operation) -> String {
        match (operation, self.roll(4)) {
            (_, 0) => cell,
            (_, 1) => "*".to_owned(),
            (Operation::Generalize(tree), _) => {
                let above = tree.labels();
                let covers = |label: &&String| tree.find(label).unwrap().leaves().contains(&cell);
                let above: Vec<&String> = above.iter().filter(covers).collect();
                above[self.roll(above.len())].clone()
            }
            (Operation::Discretize(_), 2) => {
                let number: f64 = cell.parse().unwrap();
                let (below, above) = (self.roll(4) as f64, 1.0 + self.roll(4) as f64);
                format!("[{}, {})", number - below, number + above)
            }
            (Operation::Discretize(_), _) => format!("{{{cell}|{}}}", self.roll(6)),
            (Operation::Suppress, _) => format!("{{{cell}|v{}}}", self.roll(6)),
        }
    }

    fn history(&mut self, problem: &slow::Problem, drafts: &[Draft], trees: &[Option<Arc<Taxonomy>>]) -> History {
        let quasi = problem.operations.len();
        let mut rules = Vec::new();
        for (release, draft) in (1..).zip(drafts) {
            for (at, &copy) in draft.copies.iter().enumerate() {
                // Not always the first: some columns that are shared are not matched.
                if at > 0 && self.chance(15) {
                    continue;
                }
                rules.push(Rule::Agree {
                    a: place(THIS, copy),
                    b: place(release, at),
                });
            }
            for (before, other) in (1..).zip(&drafts[..release - 1]) {
                for (at, copy) in other.copies.iter().enumerate() {
                    if let Some(own) = draft.copies.iter().position(|own| own == copy) {
                        rules.push(Rule::Agree {
                            a: place(before, at),
                            b: place(release, own),
                        });
                    }
                }
                let shared = |name: &&str| Some((other.other(name)?, draft.other(name)?));
                for (a, b) in ["e0", "e1"].iter().filter_map(shared) {
                    rules.push(Rule::Agree {
                        a: place(before, a),
                        b: place(release, b),
                    });
                }
            }
            if self.chance(30) && !draft.others.is_empty() {
                let column = self.roll(quasi);
                let values: Vec<String> = problem
                    .rows
                    .iter()
                    .filter_map(|row| row.quasi[column].clone())
                    .collect();
                let within = match &problem.operations[column] {
                    Operation::Generalize(tree) => {
                        let labels = tree.labels();
                        Some(labels[self.roll(labels.len())].clone())
                    }
                    _ => values.first().cloned(),
                };
                if let Some(within) = within {
                    let b = Condition {
                        place: place(release, draft.copies.len()),
                        within: format!("v{}", self.roll(3)),
                    };
                    let a = Condition {
                        place: place(THIS, column),
                        within,
                    };
                    rules.push(Rule::Never { a, b });
                }
            }
        }
        let suppressed = (0..quasi).filter(|&column| matches!(problem.operations[column], Operation::Suppress));
        let recoded: Vec<ColumnId> = suppressed.map(ColumnId).collect();
        History {
            earlier: drafts
                .iter()
                .zip(1..)
                .map(|(draft, number)| draft.finish(number))
                .collect(),
            rules,
            recoded: if self.chance(70) { recoded } else { Vec::new() },
            forms: (0..quasi).map(|column| of_this(problem, column, trees)).collect(),
        }
    }

    fn template_on_join(&mut self, problem: &slow::Problem, drafts: &[Draft]) -> slow::Template {
        let quasi = problem.operations.len();
        let (person, secret) = (quasi + 1, quasi + 2);
        let history = &problem.history;
        let mut of: Vec<usize> = (0..quasi).filter(|_| self.chance(60)).collect();
        if of.is_empty() {
            of.push(self.roll(quasi));
        }
        let everything: Vec<Place> = (1..)
            .zip(drafts)
            .flat_map(|(release, draft)| (0..draft.recoded.len()).map(move |at| place(release, at)))
            .collect();
        let mut earlier: Vec<Place> = everything.iter().copied().filter(|_| self.chance(50)).collect();
        if self.chance(50) {
            // All join columns, as far as they are quasi columns of this table.
            for place in history.rules.iter().flat_map(Rule::places) {
                match place.release {
                    THIS if place.column.0 < quasi && !of.contains(&place.column.0) => of.push(place.column.0),
                    THIS => {}
                    _ if !earlier.contains(&place) => earlier.push(place),
                    _ => {}
                }
            }
            of.sort_unstable();
        }
        let k = 1 + self.roll(4) as u64;
        let any_place = |dice: &mut Dice| match dice.roll(3) {
            0 => place(THIS, [person, secret][dice.roll(2)]),
            _ => everything[dice.roll(everything.len())],
        };
        let demand = match self.roll(8) {
            0 | 1 => JoinDemand::Anonymity {
                k,
                per: Per::Records { release: THIS },
            },
            2 => JoinDemand::Anonymity { k, per: Per::Join },
            3 => {
                let release = 1 + self.roll(drafts.len());
                JoinDemand::Anonymity {
                    k,
                    per: Per::Records { release },
                }
            }
            4 => {
                let places = (0..1 + self.roll(3)).map(|_| any_place(self)).collect();
                JoinDemand::Anonymity {
                    k,
                    per: Per::Columns(places),
                }
            }
            _ => {
                let about = (0..1 + self.roll(2)).map(|_| {
                    let place = if self.chance(60) {
                        place(THIS, secret)
                    } else {
                        everything[self.roll(everything.len())]
                    };
                    let sets = || {
                        let leaves = problem.secrets.leaves();
                        match place.release {
                            THIS => vec![vec![leaves[0].clone()], leaves[leaves.len() / 2..].to_vec()],
                            _ => vec![vec!["v0".to_owned()], vec!["v1".to_owned(), "v2".to_owned()]],
                        }
                    };
                    JoinSecrets {
                        place,
                        values: if self.chance(60) {
                            SecretValues::Sets(sets())
                        } else {
                            SecretValues::Every
                        },
                    }
                });
                let about = about.collect();
                JoinDemand::Confidence {
                    at_most: self.between(30, 100),
                    about,
                }
            }
        };
        slow::Template {
            of,
            any: usize::MAX,
            demand: slow::Demand::Joined(Joined { of: earlier, demand }),
        }
    }
}

fn place(release: usize, column: usize) -> Place {
    Place {
        release,
        column: ColumnId(column),
    }
}

impl Draft {
    /// The place of a column that this table lacks.
    fn other(&self, name: &str) -> Option<usize> {
        let at = self.others.iter().position(|own| *own == name)?;
        Some(self.copies.len() + at)
    }

    fn finish(&self, number: usize) -> Earlier {
        let column = |at: usize| {
            let cells = self.rows.iter().map(|row| row[at].as_deref());
            Column::from_cells(&format!("c{at}"), ValueOrder::Natural, cells)
        };
        let recoded = (0..self.recoded.len()).filter(|&at| self.recoded[at]);
        Earlier {
            name: format!("release{number}"),
            table: Table::new(self.rows.len(), (0..self.recoded.len()).map(column).collect()),
            recoded: recoded.map(ColumnId).collect(),
            forms: self.forms.clone(),
        }
    }
}

fn call_values_like_labels(problem: &mut slow::Problem) {
    let words = |column: &usize| matches!(problem.operations[*column], Operation::Suppress);
    let columns: Vec<usize> = (0..problem.operations.len()).filter(words).collect();
    for row in &mut problem.rows {
        for &column in &columns {
            let cell = &mut row.quasi[column];
            let other = LIKE_LABELS.iter().find(|(word, _)| cell.as_deref() == Some(word));
            if let Some((_, word)) = other {
                *cell = Some((*word).to_owned());
            }
        }
    }
}

/// What the values of a column of this table are.
fn domain(problem: &slow::Problem, column: usize, trees: &[Option<Arc<Taxonomy>>]) -> Domain<Arc<Taxonomy>> {
    match (problem.operations.get(column), trees.get(column).cloned().flatten()) {
        (_, Some(tree)) => Domain::Nodes(tree),
        (Some(Operation::Discretize(_)), None) => Domain::Numbers,
        (Some(Operation::Suppress | Operation::Generalize(_)) | None, None) => Domain::Words,
    }
}

/// What a quasi column of this table shows.
fn of_this(problem: &slow::Problem, column: usize, trees: &[Option<Arc<Taxonomy>>]) -> SharedForms {
    let domain = domain(problem, column, trees);
    let written = match domain {
        Domain::Words => Written::Suppressed,
        Domain::Numbers | Domain::Nodes(_) => Written::Generalized,
    };
    Forms { domain, written }
}
