//! The fast search takes the same steps as the slow one on thousands of random tables.

mod slow;

use std::sync::Arc;

use proptest::prelude::*;
use scumble_privacy::{
    Demand, Distance, Diversity, QuasiIdentifier, Requirement, SecretValues, Secrets, Template, audit,
};
use scumble_refine::{Objective, Operation, Outcome, Population, Problem, QuasiColumn, Why, refine};
use scumble_table::{Codes, Column, ColumnId, Mask, Range, Released, Table, Taxonomy, ValueOrder};

/// Random numbers from a seed that proptest can report.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
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

    fn problem(&mut self, rows: usize, columns: usize) -> slow::Problem {
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
                let is_bounded = self.chance(30) && demand.kind() != "personal";
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
            rows_left_out_at_most: budget,
        };
        problem.loosened(|| self.chance(90))
    }
}

impl Dice {
    /// A share between two, by hundredths.
    fn between(&mut self, from: usize, to: usize) -> f64 {
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
            8 => slow::Demand::Personal(self.between(20, 100)),
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

/// The same demand for the fast search; `quasi` is the number of quasi columns, after which the others follow.
fn demand(demand: &slow::Demand, quasi: usize, secrets: &Arc<Taxonomy>) -> Demand {
    let (person, about, guarding) = (ColumnId(quasi + 1), ColumnId(quasi + 2), ColumnId(quasi + 3));
    match demand {
        &slow::Demand::Records(k) => Demand::Anonymity { k, per: vec![] },
        &slow::Demand::People(k) => Demand::Anonymity { k, per: vec![person] },
        &slow::Demand::KMap(k) => Demand::KMap { k, population: 0 },
        slow::Demand::Confidence(at_most, sets) => Demand::Confidence {
            at_most: *at_most,
            about: vec![Secrets {
                column: about,
                values: sets.clone().map_or(SecretValues::Every, SecretValues::Sets),
            }],
        },
        &slow::Demand::Distinct(l) => Demand::Diversity {
            about,
            measure: Diversity::Distinct { l },
        },
        &slow::Demand::Entropy(l) => Demand::Diversity {
            about,
            measure: Diversity::Entropy { l },
        },
        &slow::Demand::Recursive { c, l } => Demand::Diversity {
            about,
            measure: Diversity::Recursive { c, l },
        },
        &slow::Demand::Closeness(at_most, distance) => Demand::Closeness {
            about,
            at_most,
            distance: match distance {
                slow::Distance::Equal => Distance::Equal,
                slow::Distance::Ordered => Distance::Ordered,
                slow::Distance::Taxonomy => Distance::Taxonomy(secrets.clone()),
            },
        },
        &slow::Demand::Delta(below) => Demand::DeltaDisclosure { about, below },
        &slow::Demand::Beta { at_most, enhanced } => Demand::BetaLikeness {
            about,
            at_most,
            enhanced,
        },
        &slow::Demand::Personal(at_most) => Demand::Personal {
            about,
            guarding,
            at_most,
            taxonomy: secrets.clone(),
        },
    }
}

fn taxonomy(tree: &slow::Tree) -> Taxonomy {
    fn list(tree: &slow::Tree, parent: Option<usize>, nodes: &mut Vec<(String, Option<usize>)>) {
        let place = nodes.len();
        nodes.push((tree.label.clone(), parent));
        tree.children.iter().for_each(|child| list(child, Some(place), nodes));
    }
    let mut nodes = Vec::new();
    list(tree, None, &mut nodes);
    Taxonomy::from_parents(&nodes).unwrap()
}

/// Runs both and compares every step, figure and released cell.
fn compare(problem: &slow::Problem) -> Result<(), TestCaseError> {
    let taxonomies: Vec<Option<Taxonomy>> = problem
        .operations
        .iter()
        .map(|operation| match operation {
            slow::Operation::Generalize(tree) => Some(taxonomy(tree)),
            _ => None,
        })
        .collect();
    let quasi = problem.operations.len();
    let rows = problem.rows.len();
    // The dictionaries of the quasi columns hold the values of the population too.
    let united: Vec<Column> = (0..quasi)
        .map(|column| {
            let order = match (&problem.operations[column], &taxonomies[column]) {
                (slow::Operation::Generalize(_), Some(taxonomy)) => ValueOrder::Taxonomy(taxonomy),
                (slow::Operation::Discretize(_), _) => ValueOrder::Number,
                _ => ValueOrder::Natural,
            };
            let own = problem.rows.iter().map(|row| row.quasi[column].as_deref());
            let people = problem.population.iter().map(|person| person[column].as_deref());
            Column::from_cells(&format!("q{column}"), order, own.chain(people))
        })
        .collect();
    let codes = |column: &Column, from: usize, to: usize| {
        Codes::collect(column.dictionary().len(), (from..to).map(|row| column.codes().at(row)))
    };
    let mut columns: Vec<Column> = united
        .iter()
        .map(|column| Column::new(&column.name, column.dictionary().clone(), codes(column, 0, rows)))
        .collect();
    let people = rows + problem.population.len();
    let population = Population {
        rows: problem.population.len(),
        codes: united
            .iter()
            .enumerate()
            .map(|(id, column)| (ColumnId(id), codes(column, rows, people)))
            .collect(),
    };
    let secrets = Arc::new(taxonomy(&problem.secrets));
    let mut add = |name: &str, order: ValueOrder, cell: fn(&slow::Row) -> Option<&str>| {
        columns.push(Column::from_cells(name, order, problem.rows.iter().map(cell)));
    };
    add("class", ValueOrder::Natural, |row| Some(&row.class));
    add("person", ValueOrder::Natural, |row| Some(&row.person));
    add("secret", ValueOrder::Taxonomy(&secrets), |row| row.secret.as_deref());
    add("guarding", ValueOrder::Natural, |row| row.guarding.as_deref());
    let table = Table::new(rows, columns);

    let template = |template: &slow::Template| Template {
        of: QuasiIdentifier {
            columns: template.of.iter().copied().map(ColumnId).collect(),
            any: Some(template.any),
        },
        demand: demand(&template.demand, quasi, &secrets),
    };
    let requirement = Requirement {
        templates: problem.templates.iter().map(template).collect(),
    };
    let operation = |column: usize| match (&problem.operations[column], &taxonomies[column]) {
        (slow::Operation::Generalize(_), Some(taxonomy)) => Operation::Generalize(taxonomy),
        (slow::Operation::Discretize(range), _) => {
            Operation::Discretize(range.map(|(from, to)| Range::new(from, to).unwrap()))
        }
        _ => Operation::Suppress,
    };
    let fast = Problem {
        table: &table,
        populations: std::slice::from_ref(&population),
        quasi: (0..quasi)
            .map(|column| QuasiColumn {
                id: ColumnId(column),
                operation: operation(column),
            })
            .collect(),
        class: problem.has_class.then_some(ColumnId(quasi)),
        requirement: &requirement,
        objective: match problem.objective {
            slow::Objective::InformationGain => Objective::InformationGain,
            slow::Objective::GainOnly => Objective::GainOnly,
            slow::Objective::Distortion => Objective::Distortion,
            slow::Objective::Discernibility => Objective::Discernibility,
            slow::Objective::Certainty => Objective::Certainty,
        },
        rows_left_out_at_most: problem.rows_left_out_at_most,
        steps: None,
    };
    let (refined, found) = match (refine(&fast, |_| true), slow::refine(problem)) {
        (Outcome::Refined(refined), Some(found)) => (refined, found),
        (Outcome::CannotBeMet(_), None) => return Ok(()),
        (fast, slow) => {
            return Err(TestCaseError::fail(format!(
                "fast {fast:?}\nslow {slow:?}\n{:?}",
                problem.templates
            )));
        }
    };
    let close = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * a.abs().max(1e-3);
    let all_close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| close(a, b));
    for (number, (fast, slow)) in refined.trace.steps.iter().zip(&found.steps).enumerate() {
        let same = (fast.column, &fast.value, &fast.into, fast.left_out)
            == (slow.column, &slow.value, &slow.into, slow.left_out);
        let near = close(fast.gain, slow.gain)
            && close(fast.loss, slow.loss)
            && close(fast.score, slow.score)
            && all_close(&fast.levels, &slow.levels);
        prop_assert!(same && near, "step {number}\nfast {fast:?}\nslow {slow:?}");
    }
    prop_assert_eq!(refined.trace.steps.len(), found.steps.len());
    prop_assert_eq!(refined.stops.len(), found.stops.len());
    for (stop, (column, slow)) in refined.stops.iter().zip(&found.stops) {
        let same = match (&stop.why, slow) {
            (Why::Complete, slow::Stop::Complete) | (Why::NothingToGain, slow::Stop::NothingToGain) => true,
            (Why::Blocked { value, by, .. }, slow::Stop::Blocked(slow_value, slow_by)) => {
                let templates = by.iter().map(|block| block.template);
                let levels: Vec<f64> = by.iter().map(|block| block.level).collect();
                let slow_levels: Vec<f64> = slow_by.iter().map(|&(_, level)| level).collect();
                value == slow_value
                    && templates.eq(slow_by.iter().map(|&(template, _)| template))
                    && all_close(&levels, &slow_levels)
            }
            _ => false,
        };
        prop_assert!(
            same && stop.column == *column,
            "fast {stop:?}\nslow {slow:?}\n{:?}",
            problem.templates
        );
    }

    let masks: Vec<(Mask, Option<&Taxonomy>, bool)> = (0..quasi + 4)
        .map(|column| match refined.masks.get(column) {
            Some(mask) => (mask.clone(), taxonomies[column].as_ref(), true),
            None => (Mask::Exact, None, true),
        })
        .collect();
    let left_out = refined.left_out.unwrap_or_else(|| vec![false; table.rows()]);
    let shown: Vec<Option<Vec<slow::Cell>>> = (0..table.rows())
        .map(|row| {
            let cell = |column: usize| {
                let (of_code, labels) = masks[column].0.labels(&table.columns()[column], masks[column].1);
                labels[of_code[table.columns()[column].codes().at(row) as usize] as usize].clone()
            };
            (!left_out[row]).then(|| (0..quasi).map(cell).collect())
        })
        .collect();
    prop_assert_eq!(&shown, &found.released);

    let last = refined.trace.steps.last();
    let levels = last.map_or(&refined.trace.start, |step| &step.levels).clone();
    let told = last.map_or(refined.trace.start_information_loss, |step| step.information_loss);
    let penalties = (0..quasi).flat_map(|column| {
        let of_code = masks[column].0.penalties(&table.columns()[column], masks[column].1);
        let codes: Vec<u32> = table.columns()[column].codes().iter().collect();
        codes.into_iter().map(move |code| of_code[code as usize])
    });
    let information_loss = penalties.sum::<f64>() / (table.rows() * quasi) as f64;
    prop_assert!(close(told, information_loss), "told {told}, is {information_loss}");
    let shown_to_people: Vec<(ColumnId, Vec<slow::Cell>)> = population
        .codes
        .iter()
        .map(|(id, codes)| {
            let (of_code, labels) = masks[id.0].0.labels(table.column(*id), masks[id.0].1);
            let label = |code: u32| labels[of_code[code as usize] as usize].clone();
            (*id, codes.iter().map(label).collect())
        })
        .collect();
    let released = Released::new(table, &masks, Some(&left_out));
    let people = shown_to_people.into_iter().map(|(id, shown)| {
        let labels = released.columns()[id.0].labels();
        let number = |shown: slow::Cell| {
            labels
                .iter()
                .position(|label| *label == shown)
                .map(|place| place as u32)
        };
        (id, shown.into_iter().map(number).collect())
    });
    let people = scumble_privacy::Population::new(population.rows, people.collect());
    let audited = audit(released, &requirement, &[people]);
    let audited = audited.map_err(|failed| {
        TestCaseError::fail(format!(
            "{failed:?}\nsearch {levels:?}\n{:?}\n{:?}",
            problem.templates, problem.secrets
        ))
    })?;
    let found: Vec<f64> = audited.findings().iter().map(|finding| finding.level).collect();
    prop_assert!(
        all_close(&found, &levels),
        "audit {found:?}\nsearch {levels:?}\n{:?}",
        problem.templates
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn every_step_is_the_slow_one(seed in any::<u64>(), rows in 1usize..30, columns in 1usize..5) {
        compare(&Dice(seed).problem(rows, columns))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    /// Many columns, of which an adversary knows two or three.
    #[test]
    fn bounded_knowledge_of_many_columns_is_the_slow_one(seed in any::<u64>(), columns in 5usize..8) {
        let mut dice = Dice(seed);
        let mut problem = dice.problem(20, columns);
        for template in problem.templates.iter_mut().filter(|template| template.demand.kind() != "personal") {
            template.of = (0..columns).collect();
            template.any = 2 + dice.roll(2);
        }
        problem.rows_left_out_at_most = 0;
        compare(&problem.loosened(|| true))?;
    }
}
