//! A random table with what is asked of its groups.

use proptest::prelude::*;
use scumble_grouping::{Grouping, Method, Problem, Space};
use scumble_level::Conditions;
use scumble_privacy::{Demand, Distance, Diversity, QuasiIdentifier, Requirement, SecretValues, Secrets, Template};
use scumble_progress::Work;
use scumble_table::ColumnId;

use crate::dice::{Dice, World};

pub struct Task {
    pub world: World,
    pub requirement: Requirement,
    pub seed: u64,
}

impl Task {
    /// At most `rows` rows, one to three quasi columns, one or two sensitive ones, and one to three templates.
    pub fn roll(seed: u64, rows: usize) -> Task {
        let mut dice = Dice(seed);
        let rows = dice.roll(rows + 1);
        let (quasi, sensitive) = (1 + dice.roll(3), 1 + dice.roll(2));
        let world = dice.world(rows, quasi, sensitive);
        let demands = (0..1 + dice.roll(3)).map(|_| demand(&mut dice, &world));
        let requirement = asked_of(&world, demands.collect());
        Task {
            world,
            requirement,
            seed,
        }
    }

    /// The same table, but only `k` is asked for.
    pub fn of_size_only(mut self, k: u64) -> Task {
        self.requirement = asked_of(&self.world, vec![anonymity(k)]);
        self
    }

    pub fn rows(&self) -> usize {
        self.world.table.rows()
    }

    pub fn space(&self) -> Space {
        Space::new(&self.world.table, &self.world.quasi())
    }

    pub fn conditions(&self) -> Conditions<'_> {
        Conditions::new(&self.world.table, &self.requirement)
    }

    /// Whether the table as one group keeps all that is asked for.
    pub fn can_be_met(&self) -> bool {
        let all: Vec<u32> = (0..self.rows() as u32).collect();
        !all.is_empty() && self.conditions().are_met_by(&all)
    }

    /// The groups that a method makes.
    pub fn gather(&self, method: &dyn Method) -> Vec<Vec<u32>> {
        let problem = Problem {
            table: &self.world.table,
            space: &self.space(),
            requirement: &self.requirement,
            rows_left_out_at_most: 0,
            seed: self.seed,
            work: Work::unwatched(),
        };
        method
            .groups(&problem, &self.conditions())
            .expect("nobody told it to stop")
    }

    /// Groups in an order that does not depend on who made them.
    pub fn grouping(&self, groups: &[Vec<u32>]) -> Grouping {
        Grouping::new(self.rows(), groups)
    }

    /// No row is in two groups.
    pub fn check_once(&self, groups: &[Vec<u32>]) -> Result<(), TestCaseError> {
        let mut rows: Vec<u32> = groups.concat();
        rows.sort_unstable();
        prop_assert!(rows.windows(2).all(|pair| pair[0] < pair[1]), "a row is in two groups");
        prop_assert!(groups.iter().all(|group| !group.is_empty()), "a group is empty");
        Ok(())
    }

    /// Every row is in a group.
    pub fn check_all(&self, groups: &[Vec<u32>]) -> Result<(), TestCaseError> {
        self.check_once(groups)?;
        prop_assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), self.rows());
        Ok(())
    }

    /// Every group keeps all that is asked for.
    pub fn check_kept(&self, groups: &[Vec<u32>]) -> Result<(), TestCaseError> {
        let conditions = self.conditions();
        prop_assert!(
            groups.iter().all(|group| conditions.are_met_by(group)),
            "a group breaks a template"
        );
        Ok(())
    }
}

/// Templates on all quasi columns.
pub fn asked_of(world: &World, demands: Vec<Demand>) -> Requirement {
    let quasi: Vec<ColumnId> = world.quasi.iter().map(|(id, _)| *id).collect();
    let template = |demand| Template {
        of: QuasiIdentifier::all(quasi.clone()),
        demand,
    };
    Requirement {
        templates: demands.into_iter().map(template).collect(),
    }
}

pub fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: Vec::new() }
}

fn demand(dice: &mut Dice, world: &World) -> Demand {
    let about = world.sensitive[dice.roll(world.sensitive.len())].0;
    let secrets = |values| vec![Secrets { column: about, values }];
    match dice.roll(8) {
        0..3 => anonymity(1 + dice.roll(5) as u64),
        3 => Demand::Diversity {
            about,
            measure: Diversity::Distinct {
                l: 1 + dice.roll(3) as u64,
            },
        },
        4 => Demand::Diversity {
            about,
            measure: [
                Diversity::Entropy { l: 1.5 },
                Diversity::Recursive { c: 2.0, l: 2 },
                Diversity::Recursive { c: 0.9, l: 2 },
            ][dice.roll(3)],
        },
        5 => Demand::Confidence {
            at_most: [1.0 / 3.0, 0.5, 0.75][dice.roll(3)],
            about: secrets(SecretValues::Every),
        },
        6 => Demand::Confidence {
            at_most: [0.2, 0.5][dice.roll(2)],
            about: secrets(SecretValues::Sets(vec![vec!["a".into()], vec!["b".into(), "4".into()]])),
        },
        _ => Demand::Closeness {
            about,
            at_most: [0.2, 0.4][dice.roll(2)],
            distance: [Distance::Equal, Distance::Ordered][dice.roll(2)].clone(),
        },
    }
}
