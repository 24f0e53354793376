//! Random tables with templates of every kind that a group alone can be asked, and the audit of what becomes of them.
#![allow(dead_code, reason = "each test uses its part")]

use std::sync::Arc;

use scumble_grouping::{Form, Grouping, Problem, Shape, Space, recode};
use scumble_level::Conditions;
use scumble_privacy::{
    Demand, Distance, Diversity, History, QuasiIdentifier, Requirement, SecretValues, Secrets, Template, recount,
};
use scumble_progress::Work;
use scumble_table::{Labels, Range, Released, ReleasedColumn, SensitiveDomain, SensitiveRange, SensitiveRanges};

use crate::dice::{Dice, Kind, World};

/// A table, and what is asked of its groups.
pub struct Asked {
    pub world: World,
    pub space: Space,
    pub requirement: Requirement,
    pub rows_left_out_at_most: u64,
    pub seed: u64,
}

impl Asked {
    /// At most `rows` rows, one to three quasi columns, two sensitive ones, one to three templates; in half of the cases
    /// some rows may be left out.
    pub fn roll(seed: u64, rows: usize) -> Asked {
        let mut dice = Dice(seed);
        let rows = dice.roll(rows + 1);
        let quasi = 1 + dice.roll(3);
        let world = dice.world(rows, quasi, 2);
        let rows_left_out_at_most = [0, 0, 1, 4][dice.roll(4)];
        let of = QuasiIdentifier::all(world.quasi.iter().map(|(id, _)| *id).collect());
        let templates = (0..1 + dice.roll(3)).map(|_| Template {
            of: of.clone(),
            demand: demand(&mut dice, &world),
        });
        // Levels that compare with the whole release change with every row that is left out.
        let can_be_asked = |template: &Template| rows_left_out_at_most == 0 || !template.compares_with_the_whole();
        Asked {
            requirement: Requirement {
                templates: templates.filter(can_be_asked).collect(),
            },
            space: Space::new(&world.table, &world.quasi()),
            world,
            rows_left_out_at_most,
            seed,
        }
    }

    /// A table of which one thing is asked, and no row may be left out.
    pub fn of(world: World, demand: Demand) -> Asked {
        let columns = world.quasi.iter().map(|(id, _)| *id).collect();
        let template = Template {
            of: QuasiIdentifier::all(columns),
            demand,
        };
        Asked {
            space: Space::new(&world.table, &world.quasi()),
            world,
            requirement: Requirement {
                templates: vec![template],
            },
            rows_left_out_at_most: 0,
            seed: 1,
        }
    }

    /// The same table, of which one thing is asked.
    pub fn of_one(self, demand: Demand) -> Asked {
        Asked::of(self.world, demand)
    }

    pub fn rows(&self) -> usize {
        self.world.table.rows()
    }

    pub fn problem(&self) -> Problem<'_> {
        Problem {
            table: &self.world.table,
            space: &self.space,
            requirement: &self.requirement,
            rows_left_out_at_most: self.rows_left_out_at_most,
            seed: self.seed,
            work: Work::unwatched(),
        }
    }

    pub fn conditions(&self) -> Conditions<'_> {
        Conditions::new(&self.world.table, &self.requirement)
    }

    pub fn total(&self, groups: &[Vec<u32>]) -> f64 {
        let cost = |group: &Vec<u32>| group.len() as f64 * self.space.loss(&self.space.hull(group));
        groups.iter().map(cost).sum()
    }

    /// What each group shows on each quasi column.
    pub fn shown(&self, groups: &[Vec<u32>]) -> Vec<Vec<Option<String>>> {
        let columns = self.world.quasi.iter().map(|&(id, kind)| {
            let recoded = recode(self.world.table.column(id), shape(&self.world, kind), groups);
            let labels = recoded.label_of_group.iter();
            labels
                .map(|&label| recoded.labels[label as usize].clone())
                .collect::<Vec<_>>()
        });
        let columns: Vec<Vec<Option<String>>> = columns.collect();
        (0..groups.len())
            .map(|group| columns.iter().map(|labels| labels[group].clone()).collect())
            .collect()
    }

    /// Whether the audit, which knows labels alone and shares no code with a search, finds all templates kept.
    pub fn passes_audit(&self, grouping: &Grouping) -> bool {
        let groups = grouping.rows();
        let group_of: Vec<(usize, u32)> = (0..self.rows())
            .filter_map(|row| Some((row, grouping.group_of(row)?)))
            .collect();
        let table = &self.world.table;
        let quasi = self.world.quasi.iter().map(|&(id, kind)| {
            let recoded = recode(table.column(id), shape(&self.world, kind), &groups);
            let labels: Vec<u32> = group_of
                .iter()
                .map(|&(_, group)| recoded.label_of_group[group as usize])
                .collect();
            ReleasedColumn::told(
                "quasi",
                true,
                Labels::from_iter(recoded.labels),
                &labels,
                recoded.penalty,
            )
        });
        let sensitive = self.world.sensitive.iter().map(|&(id, _)| {
            let column = table.column(id);
            let dictionary = column.dictionary();
            let texts = (0..dictionary.len() as u32).map(|code| dictionary.value(code).map(str::to_owned));
            let codes: Vec<u32> = group_of.iter().map(|&(row, _)| column.codes().at(row)).collect();
            ReleasedColumn::told("sensitive", false, Labels::from_iter(texts), &codes, 0.0)
        });
        let released = Released::of_columns(group_of.len(), quasi.chain(sensitive).collect());
        let findings = recount(&released, &self.requirement, &[], &History::default());
        findings.iter().all(|finding| finding.holds)
    }

    /// Whether all rows as one group keep every template.
    pub fn can_be_met(&self) -> bool {
        let all: Vec<u32> = (0..self.rows() as u32).collect();
        self.passes_audit(&Grouping::new(self.rows(), &[all]))
    }
}

/// How a column of a kind is shown.
pub fn shape(world: &World, kind: Kind) -> Shape<'_> {
    let (form, taxonomy) = match kind {
        Kind::Tree => (Form::Ancestor, Some(world.tree())),
        Kind::Numbers => (Form::Interval, None),
        Kind::Values => (Form::Set, None),
    };
    Shape {
        form,
        taxonomy,
        range: None,
    }
}

pub fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: Vec::new() }
}

fn demand(dice: &mut Dice, world: &World) -> Demand {
    let (about, kind) = world.sensitive[dice.roll(2)];
    let guarding = world
        .sensitive
        .iter()
        .find(|(id, kind)| *id != about && *kind == Kind::Tree);
    let diversity = |measure| Demand::Diversity { about, measure };
    match dice.roll(12) {
        0..3 => anonymity(1 + dice.roll(5) as u64),
        3 => diversity(Diversity::Distinct {
            l: 2 + dice.roll(2) as u64,
        }),
        4 => diversity(Diversity::Entropy { l: 1.5 }),
        5 => diversity(Diversity::Recursive {
            c: [2.0, 0.9][dice.roll(2)],
            l: 2,
        }),
        6 => Demand::Closeness {
            about,
            at_most: [0.2, 0.4][dice.roll(2)],
            distance: [Distance::Equal, Distance::Ordered][dice.roll(2)].clone(),
        },
        7 => Demand::BetaLikeness {
            about,
            at_most: [0.5, 2.0][dice.roll(2)],
            enhanced: dice.roll(2) == 0,
        },
        8 | 9 if kind == Kind::Tree && guarding.is_some() => Demand::Personal {
            about,
            guarding: guarding.map_or(about, |(id, _)| *id),
            at_most: [0.3, 0.5][dice.roll(2)],
            taxonomy: Arc::new(world.tree().clone()),
        },
        8..11 if kind != Kind::Values => Demand::RangeDiversity {
            about,
            at_most: [0.4, 0.7][dice.roll(2)],
            ranges: ranges(world, kind),
        },
        _ => {
            let values = SecretValues::Every;
            let about = vec![Secrets { column: about, values }];
            Demand::Confidence {
                at_most: [1.0 / 3.0, 0.5, 0.75][dice.roll(3)],
                about,
            }
        }
    }
}

/// Classes of 20 from 0 to 100, or what is under the parent of a leaf.
fn ranges(world: &World, kind: Kind) -> SensitiveRanges {
    let (domain, range) = match kind {
        Kind::Numbers => {
            let whole = Range::new(0.0, 100.0).expect("the ends are in order");
            (SensitiveDomain::Numbers(Some(whole)), SensitiveRange::Width(20.0))
        }
        _ => (
            SensitiveDomain::Leaves(Arc::new(world.tree().clone())),
            SensitiveRange::Level(1),
        ),
    };
    SensitiveRanges::new(domain, range).expect("the ranges fit")
}
