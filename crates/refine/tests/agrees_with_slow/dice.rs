//! Random problems for both searches.

use crate::slow;

/// Random numbers from a seed that proptest can report.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }

    fn tree(&mut self, label: String, depth: usize, names: &mut usize) -> slow::Tree {
        let children = if depth == 0 { 0 } else { self.roll(4) };
        let children = (0..children)
            .map(|_| {
                *names += 1;
                let label = format!("n{names}");
                self.tree(label, depth - 1, names)
            })
            .collect();
        slow::Tree { label, children }
    }

    /// One random cell for an operation; a column holds words or numbers throughout.
    fn cell(&mut self, operation: &slow::Operation, words: bool) -> String {
        match operation {
            slow::Operation::Suppress if words => format!("v{}", self.roll(6)),
            slow::Operation::Suppress => self.roll(12).to_string(),
            slow::Operation::Generalize(tree) => {
                let leaves = tree.leaves();
                leaves[self.roll(leaves.len())].clone()
            }
            slow::Operation::Discretize(_) => (self.roll(15) as f64 / 2.0).to_string(),
        }
    }

    pub fn problem(&mut self, rows: usize, columns: usize) -> slow::Problem {
        let operations: Vec<slow::Operation> = (0..columns)
            .map(|_| match self.roll(3) {
                0 => slow::Operation::Generalize(self.tree("n0".into(), 3, &mut 0)),
                1 => slow::Operation::Suppress,
                _ => slow::Operation::Discretize(self.chance(50).then_some((-1.0, 9.0))),
            })
            .collect();
        let missing = if self.chance(40) { 15 } else { 0 };
        let words: Vec<bool> = (0..columns).map(|_| self.chance(50)).collect();
        let mut names = 100;
        let branches = (0..1 + self.roll(3)).map(|branch| self.tree(format!("s{branch}"), 2, &mut names));
        let secrets = slow::Tree {
            label: "secrets".into(),
            children: branches.collect(),
        };
        let no_secret = if self.chance(30) { 20 } else { 0 };
        let row = |dice: &mut Dice| slow::Row {
            quasi: operations
                .iter()
                .zip(&words)
                .map(|(operation, &words)| {
                    let cell = dice.cell(operation, words);
                    (!dice.chance(missing)).then_some(cell)
                })
                .collect(),
            class: format!("c{}", dice.roll(3)),
            person: format!("p{}", dice.roll(rows.max(2))),
            secret: {
                let leaves = secrets.leaves();
                let secret = leaves[dice.roll(leaves.len())].clone();
                (!dice.chance(no_secret)).then_some(secret)
            },
            guarding: {
                let labels = secrets.labels();
                let node = labels[dice.roll(labels.len())].clone();
                dice.chance(60).then_some(node)
            },
        };
        let mut all: Vec<slow::Row> = (0..rows).map(|_| row(self)).collect();
        for at in 0..rows {
            // Equal rows, so that collapsing has something to do.
            if self.chance(40) {
                all[at] = all[self.roll(rows)].clone();
            }
        }
        let budget = if self.chance(40) {
            self.roll(rows / 2 + 1) as u64
        } else {
            0
        };
        let has_missing_secret = all.iter().any(|row| row.secret.is_none());
        let templates: Vec<slow::Template> = (0..1 + self.roll(4))
            .map(|_| {
                let mut of: Vec<usize> = (0..columns).filter(|_| self.chance(60)).collect();
                if of.is_empty() {
                    of.push(self.roll(columns));
                }
                let demand = self.demand(&secrets, budget > 0, has_missing_secret);
                let is_bounded = self.chance(30) && demand.is_anti_monotone();
                let any = if is_bounded { 1 + self.roll(3) } else { usize::MAX };
                slow::Template { of, any, demand }
            })
            .collect();
        let population = if templates.iter().any(|template| template.demand.kind() == "k-map") {
            (0..3 * rows).map(|_| self.person(&operations, &words, &all)).collect()
        } else {
            Vec::new()
        };
        let has_class = self.chance(70);
        use slow::Objective::*;
        let objective = match has_class {
            true => [
                InformationGain,
                InformationGain,
                GainOnly,
                Distortion,
                Discernibility,
                Certainty,
            ][self.roll(6)],
            false => [Distortion, Discernibility, Certainty][self.roll(3)],
        };
        let problem = slow::Problem {
            rows: all,
            population,
            secrets,
            operations,
            has_class,
            templates,
            objective,
            weighs_records_alone: self.chance(20),
            rows_left_out_at_most: budget,
            history: scumble_privacy::History::default(),
        };
        problem.loosened(|| self.chance(90))
    }
}

impl Dice {
    /// A share between two, by hundredths.
    pub fn between(&mut self, from: usize, to: usize) -> f64 {
        (from + self.roll(to - from + 1)) as f64 / 100.0
    }

    fn demand(&mut self, secrets: &slow::Tree, has_budget: bool, has_missing_secret: bool) -> slow::Demand {
        let k = 1 + self.roll(5) as u64;
        // What compares with the whole goes with no budget.
        match self.roll(if has_budget { 9 } else { 13 }) {
            0 | 1 => slow::Demand::Records(k),
            2 => slow::Demand::People(k),
            3 => slow::Demand::KMap(k),
            4 => {
                let sets = (0..1 + self.roll(3)).map(|_| {
                    let labels = secrets.labels();
                    let label = labels[self.roll(labels.len())].clone();
                    secrets.find(&label).unwrap().leaves()
                });
                let sets: Vec<Vec<String>> = sets.collect();
                slow::Demand::Confidence(self.between(20, 100), self.chance(70).then_some(sets))
            }
            5 => slow::Demand::Distinct(1 + self.roll(3) as u64),
            6 => slow::Demand::Entropy(self.between(100, 300)),
            7 => slow::Demand::Recursive {
                c: self.between(50, 400),
                l: 1 + self.roll(3) as u64,
            },
            8 => self.not_anti_monotone(k, has_budget),
            9 | 10 => {
                let distance = match self.roll(3) {
                    0 => slow::Distance::Equal,
                    1 if !has_missing_secret => slow::Distance::Ordered,
                    _ => slow::Distance::Taxonomy,
                };
                slow::Demand::Closeness(self.between(5, 60), distance)
            }
            11 => slow::Demand::Delta(self.between(50, 300)),
            _ => slow::Demand::Beta {
                at_most: self.between(30, 300),
                enhanced: self.chance(50),
            },
        }
    }

    /// One of the demands that a finer table may meet again. Which one hangs on a number that was rolled, so that a seed
    /// stands for one problem with or without range diversity.
    fn not_anti_monotone(&mut self, rolled: u64, has_budget: bool) -> slow::Demand {
        let at_most = self.between(20, 100);
        let ranges = |steps| slow::Demand::RangeDiversity { at_most, steps };
        match rolled {
            2 => ranges(Some(1)),
            4 => ranges(Some(2)),
            // The values that there are change with the rows left out.
            5 if !has_budget => ranges(None),
            _ => slow::Demand::Personal(at_most),
        }
    }

    /// A member of the population: often like a row of the table, sometimes with values that the table lacks.
    fn person(&mut self, operations: &[slow::Operation], words: &[bool], rows: &[slow::Row]) -> Vec<slow::Cell> {
        let mut person = rows[self.roll(rows.len())].quasi.clone();
        for (cell, (operation, &words)) in person.iter_mut().zip(operations.iter().zip(words)) {
            if self.chance(40) {
                let strange = match operation {
                    slow::Operation::Suppress if words => format!("w{}", self.roll(3)),
                    slow::Operation::Generalize(_) => self.cell(operation, words),
                    _ => (self.roll(40) as f64 - 10.0).to_string(),
                };
                *cell = (!self.chance(10)).then_some(strange);
            }
        }
        person
    }
}
