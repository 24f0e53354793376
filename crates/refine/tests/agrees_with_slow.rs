//! The fast search takes the same steps as the slow one on thousands of random tables.

mod slow;

use proptest::prelude::*;
use scumble_privacy::{Anonymity, Requirement, Template, audit};
use scumble_refine::{Objective, Operation, Outcome, Problem, QuasiColumn, refine};
use scumble_table::{Column, ColumnId, Mask, Range, Released, Table, Taxonomy, ValueOrder};

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
        };
        let mut all: Vec<slow::Row> = (0..rows).map(|_| row(self)).collect();
        for at in 0..rows {
            // Equal rows, so that collapsing has something to do.
            if self.chance(40) {
                all[at] = all[self.roll(rows)].clone();
            }
        }
        let templates = (0..1 + self.roll(4))
            .map(|_| {
                let mut of: Vec<usize> = (0..columns).filter(|_| self.chance(60)).collect();
                if of.is_empty() {
                    of.push(self.roll(columns));
                }
                slow::Template {
                    k: 1 + self.roll(5) as u64,
                    of,
                    per_person: self.chance(25),
                }
            })
            .collect();
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
        let budget = if self.chance(40) {
            self.roll(rows / 2 + 1) as u64
        } else {
            0
        };
        slow::Problem {
            rows: all,
            operations,
            has_class,
            templates,
            objective,
            rows_left_out_at_most: budget,
        }
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
    let mut columns: Vec<Column> = (0..quasi)
        .map(|column| {
            let order = match (&problem.operations[column], &taxonomies[column]) {
                (slow::Operation::Generalize(_), Some(taxonomy)) => ValueOrder::Taxonomy(taxonomy),
                (slow::Operation::Discretize(_), _) => ValueOrder::Number,
                _ => ValueOrder::Natural,
            };
            Column::from_cells(
                &format!("q{column}"),
                order,
                problem.rows.iter().map(|row| row.quasi[column].as_deref()),
            )
        })
        .collect();
    columns.push(Column::from_cells(
        "class",
        ValueOrder::Natural,
        problem.rows.iter().map(|row| Some(&row.class[..])),
    ));
    columns.push(Column::from_cells(
        "person",
        ValueOrder::Natural,
        problem.rows.iter().map(|row| Some(&row.person[..])),
    ));
    let table = Table::new(problem.rows.len(), columns);

    let template = |template: &slow::Template| {
        Template::Anonymity(Anonymity {
            k: template.k,
            of: template.of.iter().copied().map(ColumnId).collect(),
            per: if template.per_person {
                vec![ColumnId(quasi + 1)]
            } else {
                vec![]
            },
        })
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
        (fast, slow) => return Err(TestCaseError::fail(format!("fast {fast:?}\nslow {slow:?}"))),
    };
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1e-3);
    for (number, (fast, slow)) in refined.trace.steps.iter().zip(&found.steps).enumerate() {
        let same = (fast.column, &fast.value, &fast.into, &fast.levels, fast.left_out)
            == (slow.column, &slow.value, &slow.into, &slow.levels, slow.left_out);
        let near = close(fast.gain, slow.gain) && close(fast.loss, slow.loss) && close(fast.score, slow.score);
        prop_assert!(same && near, "step {number}\nfast {fast:?}\nslow {slow:?}");
    }
    prop_assert_eq!(refined.trace.steps.len(), found.steps.len());

    let masks: Vec<(Mask, Option<&Taxonomy>, bool)> = (0..quasi + 2)
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

    let levels = refined
        .trace
        .steps
        .last()
        .map_or(&refined.trace.start, |step| &step.levels)
        .clone();
    let audited = audit(Released::new(table, &masks, Some(&left_out)), &requirement);
    let audited = audited.map_err(|failed| TestCaseError::fail(format!("{failed:?}")))?;
    let found: Vec<u64> = audited.findings().iter().map(|finding| finding.level).collect();
    prop_assert_eq!(found, levels);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6000, ..ProptestConfig::default() })]

    #[test]
    fn every_step_is_the_slow_one(seed in any::<u64>(), rows in 1usize..30, columns in 1usize..5) {
        compare(&Dice(seed).problem(rows, columns))?;
    }
}
