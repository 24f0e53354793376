//! A [`World`]: a joined table, who has which column, and what must hold.

use fastrand::Rng;
use scumble_privacy::{Demand, Diversity, History, QuasiIdentifier, Requirement, SecretValues, Secrets, Template};
use scumble_refine::{Objective, Operation, Outcome, Problem, QuasiColumn, Refined, Weigh, refine};
use scumble_table::{Column, ColumnId, Table, Taxonomy, ValueOrder};

pub enum Form {
    Tree(Taxonomy),
    Numbers,
    Words,
}

/// Columns: quasi ones, then the class, then two plain ones.
pub struct World {
    pub parties: usize,
    pub forms: Vec<Form>,
    /// By column; `None` for the class.
    pub owner_of: Vec<Option<usize>>,
    pub has_class: bool,
    pub class_holders: Vec<usize>,
    pub cells: Vec<Vec<String>>,
    /// Ids that only some parties have, with who has them and cells that nobody else should ever see.
    pub strays: Vec<Vec<usize>>,
    pub requirement: Requirement,
    pub objective: Objective,
}

pub const WORDS: [&str; 6] = ["ash", "beech", "cedar", "dogwood", "elm", "fir"];

impl World {
    pub fn quasi(&self) -> Vec<ColumnId> {
        (0..self.forms.len()).map(ColumnId).collect()
    }

    pub fn class(&self) -> Option<ColumnId> {
        self.has_class.then_some(ColumnId(self.forms.len()))
    }

    pub fn plain(&self) -> [usize; 2] {
        [self.forms.len() + 1, self.forms.len() + 2]
    }

    pub fn name(column: usize) -> String {
        format!("c{column}")
    }

    pub fn order(&self, column: usize) -> ValueOrder<'_> {
        match self.forms.get(column) {
            Some(Form::Tree(taxonomy)) => ValueOrder::Taxonomy(taxonomy),
            Some(Form::Numbers) => ValueOrder::Number,
            _ => ValueOrder::Natural,
        }
    }

    pub fn column(&self, column: usize) -> Column {
        let cells = self.cells[column].iter().map(|cell| Some(&cell[..]));
        Column::from_cells(&World::name(column), self.order(column), cells)
    }

    /// The joined table.
    pub fn joined(&self) -> Table {
        let columns = (0..self.cells.len()).map(|column| self.column(column));
        Table::new(self.cells[0].len(), columns.collect())
    }

    pub fn operation(&self, column: usize) -> Operation<'_> {
        match &self.forms[column] {
            Form::Tree(taxonomy) => Operation::Generalize(taxonomy),
            Form::Numbers => Operation::Discretize(None),
            Form::Words => Operation::Suppress,
        }
    }

    /// What one machine finds on the joined table.
    pub fn refined(&self) -> Option<Refined> {
        let table = self.joined();
        let quasi = self.quasi().into_iter().map(|id| QuasiColumn {
            id,
            operation: self.operation(id.0),
        });
        let problem = Problem {
            table: &table,
            populations: &[],
            history: &History::default(),
            quasi: quasi.collect(),
            class: self.class(),
            requirement: &self.requirement,
            elsewhere: Vec::new(),
            objective: self.objective,
            weigh: Weigh::Records,
            rows_left_out_at_most: 0,
            steps: None,
        };
        match refine(&problem, |_| true) {
            Outcome::Refined(refined) => Some(refined),
            _ => None,
        }
    }

    /// A random world.
    pub fn random(rng: &mut Rng, parties: usize) -> World {
        let quasi = parties + rng.usize(0..3);
        let forms: Vec<Form> = (0..quasi)
            .map(|_| match rng.u8(0..3) {
                0 => Form::Tree(tree(rng)),
                1 => Form::Numbers,
                _ => Form::Words,
            })
            .collect();
        let rows = rng.usize(8..70);
        let has_class = rng.u8(0..10) < 8;
        let cell = |rng: &mut Rng, column: usize| match forms.get(column) {
            Some(Form::Numbers) => rng.u8(0..9).to_string(),
            _ => WORDS[rng.usize(0..WORDS.len())].to_owned(),
        };
        let cells: Vec<Vec<String>> = (0..quasi + 3)
            .map(|column| match column.checked_sub(quasi) {
                Some(0) => (0..rows).map(|_| ["no", "yes"][rng.usize(0..2)].to_owned()).collect(),
                _ => {
                    let few = rng.u8(0..10) < 5;
                    let cells = (0..rows).map(|row| {
                        if few && row % 3 > 0 {
                            cell(&mut Rng::with_seed(column as u64), column)
                        } else {
                            cell(rng, column)
                        }
                    });
                    cells.collect()
                }
            })
            .collect();
        // Everyone has a quasi column; plain ones may be of one or of two.
        let mut owner_of: Vec<Option<usize>> = (0..quasi)
            .map(|column| {
                Some(if column < parties {
                    column
                } else {
                    rng.usize(0..parties)
                })
            })
            .collect();
        rng.shuffle(&mut owner_of);
        owner_of.extend([None, Some(rng.usize(0..parties)), Some(rng.usize(0..parties))]);
        let mut class_holders: Vec<usize> = (0..parties).filter(|_| rng.bool()).collect();
        if class_holders.is_empty() {
            class_holders.push(rng.usize(0..parties));
        }
        let templates = (0..rng.usize(1..4)).map(|_| template(rng, quasi, has_class)).collect();
        use Objective::*;
        World {
            parties,
            forms,
            owner_of,
            has_class,
            class_holders: if has_class { class_holders } else { Vec::new() },
            cells,
            strays: (0..rng.usize(0..4))
                .map(|_| (0..parties).filter(|_| rng.bool()).take(parties - 1).collect())
                .collect(),
            requirement: Requirement { templates },
            objective: match has_class {
                true => [
                    InformationGain,
                    InformationGain,
                    GainOnly,
                    Distortion,
                    Discernibility,
                    Certainty,
                ][rng.usize(0..6)],
                false => [Distortion, Discernibility, Certainty][rng.usize(0..3)],
            },
        }
    }

    /// For each party, its rows: the common record or the stray, in an order of its own.
    pub fn rows_of(&self, party: usize, rng: &mut Rng) -> Vec<(String, Option<usize>)> {
        let common = (0..self.cells[0].len()).map(|record| (format!("id{record}"), Some(record)));
        let strays = self.strays.iter().enumerate().filter(|(_, who)| who.contains(&party));
        let mut rows: Vec<(String, Option<usize>)> = common
            .chain(strays.map(|(stray, _)| (format!("stray{stray}"), None)))
            .collect();
        rng.shuffle(&mut rows);
        rows
    }

    pub fn plain_columns(&self) -> Vec<(usize, usize)> {
        self.plain()
            .into_iter()
            .filter_map(|column| Some((column, self.owner_of[column]?)))
            .collect()
    }

    pub fn is_by_record(&self) -> bool {
        let [first, second] = self.plain();
        self.owner_of[first] != self.owner_of[second]
    }
}

fn tree(rng: &mut Rng) -> Taxonomy {
    let split = rng.usize(1..WORDS.len());
    let inner = ["any", "low", "high"].map(str::to_owned);
    let parents = [None, Some(0), Some(0)];
    let leaves = WORDS
        .iter()
        .enumerate()
        .map(|(place, word)| ((*word).to_owned(), Some(1 + usize::from(place >= split))));
    let nodes: Vec<(String, Option<usize>)> = inner.into_iter().zip(parents).chain(leaves).collect();
    Taxonomy::from_parents(&nodes).expect("a tree")
}

fn template(rng: &mut Rng, quasi: usize, has_class: bool) -> Template {
    let mut of: Vec<ColumnId> = (0..quasi).filter(|_| rng.u8(0..10) < 6).map(ColumnId).collect();
    if of.is_empty() {
        of.push(ColumnId(rng.usize(0..quasi)));
    }
    let plain = |rng: &mut Rng| ColumnId(quasi + 1 + rng.usize(0..2));
    let secrets = |rng: &mut Rng, column: ColumnId| Secrets {
        column,
        values: match rng.bool() {
            true => SecretValues::Every,
            false => SecretValues::Sets(vec![
                vec![WORDS[rng.usize(0..3)].to_owned()],
                vec![WORDS[4].to_owned(), WORDS[5].to_owned()],
            ]),
        },
    };
    let demand = match rng.u8(0..8) {
        0..4 => Demand::Anonymity {
            k: rng.u64(1..8),
            per: Vec::new(),
        },
        4 => Demand::Anonymity {
            k: rng.u64(1..4),
            per: vec![plain(rng)],
        },
        5 => Demand::Diversity {
            about: plain(rng),
            measure: Diversity::Distinct { l: rng.u64(1..4) },
        },
        6 if has_class => Demand::Confidence {
            at_most: 0.6 + 0.4 * rng.f64(),
            about: vec![Secrets {
                column: ColumnId(quasi),
                values: SecretValues::Every,
            }],
        },
        _ => {
            let about = match rng.bool() {
                true => vec![ColumnId(quasi + 1), ColumnId(quasi + 2)],
                false => vec![plain(rng)],
            };
            Demand::Confidence {
                at_most: 0.4 + 0.6 * rng.f64(),
                about: about.into_iter().map(|column| secrets(rng, column)).collect(),
            }
        }
    };
    Template {
        of: QuasiIdentifier::all(of),
        demand,
    }
}
