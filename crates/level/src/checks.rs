//! [`Spec`]s: which groupings the templates of a requirement need, and what is measured in each.
//!
//! Templates on the same columns that tell rows apart by the same thing share one grouping, and one that only counts
//! records goes along with any other on its columns:
//!
//! | template | grouped by | told apart by |
//! |---|---|---|
//! | anonymity 5 of job, sex | job, sex | disease (goes along) |
//! | diversity 3 about disease of job, sex | job, sex | disease |
//! | confidence 0.5 about HIV of job | job | HIV or not |

use std::borrow::Cow;
use std::sync::Arc;

use scumble_privacy::{Decimal, Demand, Distance, Diversity, JoinDemand, Requirement, SecretValues, Sense, Template};
use scumble_table::{Codes, Column, ColumnId, Dictionary, Table, Taxonomy, collapse};

use crate::contributions::Contributions;
use crate::measure::{Cell, Measure, Tree, path};

/// One level to watch in a grouping.
#[derive(Debug)]
pub struct Check<'t> {
    /// The place of the template in the requirement.
    pub number: usize,
    /// The template.
    pub template: &'t Template,
    /// Which levels of it are good.
    pub sense: Sense,
    /// How a group is measured.
    pub measure: Measure,
}

impl Check<'_> {
    /// The level of a set of rows; the best of all where there is no group.
    pub fn level(&self, cells: &[Cell]) -> f64 {
        self.measure.level(cells).unwrap_or_else(|| self.sense.best())
    }

    /// Whether a level keeps the bound.
    pub fn is_met_by(&self, level: f64) -> bool {
        self.template.is_met_by(level)
    }

    /// Whether, failing, it fails for every finer table too. A template on the join is checked in a grouping only where
    /// this table alone decides, and then it is like any other.
    pub fn is_anti_monotone(&self) -> bool {
        self.template.is_anti_monotone() || self.template.joined().is_some()
    }
}

/// A grouping, and what is measured in it.
#[derive(Debug)]
pub struct Spec<'t> {
    /// The columns of the grouping, ascending.
    pub columns: Vec<ColumnId>,
    /// The most columns that an adversary knows, if fewer than all.
    pub any: Option<usize>,
    /// What rows are told apart by beside the group: one category per row, `None` if nothing.
    pub categories: Option<Cow<'t, Codes>>,
    /// How many categories there are.
    pub category_count: usize,
    /// The population that is counted beside the table.
    pub population: Option<usize>,
    /// What is measured.
    pub checks: Arc<[Check<'t>]>,
}

/// What rows are told apart by.
#[derive(Clone, Debug, PartialEq)]
enum By {
    Nothing,
    Column(ColumnId),
    /// Combinations, in column order.
    Columns(Vec<ColumnId>),
    Population(usize),
    /// The sensitive value and the node that the person guards.
    Guarding(ColumnId, ColumnId),
    /// The sensitive value, whose range is looked at. As [`By::Column`], but templates that are not anti-monotone keep to
    /// themselves, so that others may still rule out candidates for good.
    Ranges(ColumnId),
}

impl By {
    /// Whether a template that only counts records may go along.
    fn takes_along(&self) -> bool {
        !matches!(self, By::Population(_) | By::Guarding(..) | By::Ranges(_))
    }
}

/// One thing that a template asks of a grouping.
struct Asked<'t> {
    number: usize,
    template: &'t Template,
    /// The secrets, where the template is about some.
    secrets: Option<&'t SecretValues>,
}

struct Draft<'t> {
    columns: Vec<ColumnId>,
    any: Option<usize>,
    by: By,
    asked: Vec<Asked<'t>>,
}

/// The groupings that the templates of a requirement need, those aside that are `elsewhere`. With `each_subset`, bounded
/// knowledge is one grouping per subset.
pub fn specs<'t>(
    table: &'t Table,
    requirement: &'t Requirement,
    each_subset: bool,
    elsewhere: &[usize],
) -> Vec<Spec<'t>> {
    let mut drafts: Vec<Draft> = Vec::new();
    let templates = requirement.templates.iter().enumerate();
    let templates = templates.filter(|(number, _)| !elsewhere.contains(number));
    // Those that only count records come last, to go along with others.
    let (plain, others): (Vec<_>, Vec<_>) = templates.partition(|(_, template)| counts_records(template));
    for (number, template) in others.into_iter().chain(plain) {
        let mut columns = template.of.columns.clone();
        columns.sort_unstable();
        let any = Some(template.of.known()).filter(|&known| known < columns.len());
        let sets = match any {
            Some(known) if each_subset => subsets(&columns, known).into_iter().map(|set| (set, None)).collect(),
            _ => vec![(columns, any)],
        };
        for (columns, any) in sets {
            for (by, secrets) in tells_apart_by(template) {
                let fits = |draft: &&mut Draft| {
                    let goes_along = by == By::Nothing && draft.by.takes_along();
                    draft.columns == columns && draft.any == any && (draft.by == by || goes_along)
                };
                let asked = Asked {
                    number,
                    template,
                    secrets,
                };
                match drafts.iter_mut().find(fits) {
                    Some(draft) => draft.asked.push(asked),
                    None => drafts.push(Draft {
                        columns: columns.clone(),
                        any,
                        by,
                        asked: vec![asked],
                    }),
                }
            }
        }
    }
    drafts.into_iter().map(|draft| draft.finish(table)).collect()
}

fn counts_records(template: &Template) -> bool {
    let of_join = template.joined().is_some_and(|joined| match joined.demand {
        JoinDemand::Anonymity { .. } => true,
        JoinDemand::Confidence { .. } => false,
    });
    of_join || template.records().is_some()
}

/// All subsets of `known` columns.
fn subsets(columns: &[ColumnId], known: usize) -> Vec<Vec<ColumnId>> {
    let Some((&first, rest)) = columns.split_first().filter(|_| known > 0) else {
        return if known == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let with_first = subsets(rest, known - 1).into_iter().map(|mut set| {
        set.insert(0, first);
        set
    });
    with_first.chain(subsets(rest, known)).collect()
}

fn tells_apart_by(template: &Template) -> Vec<(By, Option<&SecretValues>)> {
    let by = match &template.demand {
        Demand::Anonymity { per, .. } => match &per[..] {
            [] => By::Nothing,
            [column] => By::Column(*column),
            columns => {
                let mut columns = columns.to_vec();
                columns.sort_unstable();
                By::Columns(columns)
            }
        },
        Demand::KMap { population, .. } => By::Population(*population),
        Demand::Confidence { about, .. } => {
            return about
                .iter()
                .map(|secrets| (By::Column(secrets.column), Some(&secrets.values)))
                .collect();
        }
        // On the join, but so that this table alone decides.
        Demand::Joined(joined) => match &joined.demand {
            JoinDemand::Anonymity { .. } => By::Nothing,
            JoinDemand::Confidence { about, .. } => {
                return about
                    .iter()
                    .map(|secrets| (By::Column(secrets.place.column), Some(&secrets.values)))
                    .collect();
            }
        },
        Demand::Diversity { about, .. }
        | Demand::Closeness { about, .. }
        | Demand::DeltaDisclosure { about, .. }
        | Demand::BetaLikeness { about, .. } => By::Column(*about),
        Demand::Personal { about, guarding, .. } => By::Guarding(*about, *guarding),
        Demand::RangeDiversity { about, .. } => By::Ranges(*about),
    };
    vec![(by, None)]
}

impl<'t> Draft<'t> {
    fn finish(self, table: &'t Table) -> Spec<'t> {
        let population = match self.by {
            By::Population(population) => Some(population),
            _ => None,
        };
        let categories = Categories::new(table, &self.by, &self.asked);
        let checks = self.asked.iter().map(|asked| Check {
            number: asked.number,
            template: asked.template,
            sense: asked.template.sense(),
            measure: categories.measure(asked),
        });
        Spec {
            columns: self.columns,
            any: self.any,
            checks: checks.collect(),
            category_count: categories.count,
            categories: categories.codes,
            population,
        }
    }
}

/// The categories of the rows of a table.
struct Categories<'t> {
    codes: Option<Cow<'t, Codes>>,
    count: usize,
    /// The column whose values are the categories, and the category of each of its codes.
    of_column: Option<(&'t Column, Vec<u32>)>,
    /// For each category, the sensitive value and the guarding node.
    guarding: Vec<(Option<&'t str>, Option<&'t str>)>,
}

impl<'t> Categories<'t> {
    fn new(table: &'t Table, by: &By, asked: &[Asked]) -> Self {
        let mut categories = Categories {
            codes: None,
            count: 1,
            of_column: None,
            guarding: Vec::new(),
        };
        let combined = |columns: &[ColumnId]| {
            let codes: Vec<&Codes> = columns.iter().map(|&id| table.column(id).codes()).collect();
            collapse(table.rows(), &codes)
        };
        match by {
            By::Nothing => {}
            By::Population(_) => categories.count = 2,
            By::Column(id) | By::Ranges(id) => {
                let column = table.column(*id);
                let of_code = only_secrets_matter(asked).map(|sets| by_membership(column, &sets));
                let codes = match &of_code {
                    None => Cow::Borrowed(column.codes()),
                    Some((count, of_code)) => {
                        let codes = column.codes().iter().map(|code| of_code[code as usize]);
                        Cow::Owned(Codes::collect(*count, codes))
                    }
                };
                let (count, of_code) = of_code.unwrap_or_else(|| {
                    let codes = column.dictionary().len();
                    (codes, (0..codes as u32).collect())
                });
                categories.codes = Some(codes);
                categories.count = count;
                categories.of_column = Some((column, of_code));
            }
            By::Columns(columns) => {
                let combined = combined(columns);
                categories.count = combined.rows.len();
                categories.codes = Some(Cow::Owned(Codes::collect(combined.rows.len(), combined.kind_of)));
            }
            By::Guarding(about, guarding) => {
                let combined = combined(&[*about, *guarding]);
                let text = |id: ColumnId, row: u32| {
                    let column = table.column(id);
                    column.dictionary().value(column.codes().at(row as usize))
                };
                let pairs = combined
                    .rows
                    .iter()
                    .map(|&row| (text(*about, row), text(*guarding, row)));
                categories.guarding = pairs.collect();
                categories.count = combined.rows.len();
                categories.codes = Some(Cow::Owned(Codes::collect(combined.rows.len(), combined.kind_of)));
            }
        }
        categories
    }

    fn measure(&self, asked: &Asked) -> Measure {
        let whole = || self.shares();
        match &asked.template.demand {
            Demand::Anonymity { per, .. } if per.is_empty() => Measure::Size,
            Demand::Anonymity { .. } => Measure::Distinct,
            Demand::KMap { .. } => Measure::People,
            Demand::Confidence { .. } => self.secrets(asked.secrets),
            Demand::Diversity { measure, .. } => match *measure {
                Diversity::Distinct { .. } => Measure::Distinct,
                Diversity::Entropy { .. } => Measure::Entropy,
                Diversity::Recursive { c, .. } => Measure::Recursive { c: Decimal::of(c) },
            },
            Demand::Closeness { distance, .. } => match distance {
                Distance::Equal => Measure::EqualDistance { whole: whole() },
                Distance::Ordered => Measure::OrderedDistance { whole: whole() },
                Distance::Taxonomy(taxonomy) => Measure::TreeDistance(self.tree(taxonomy)),
            },
            Demand::DeltaDisclosure { .. } => Measure::Disclosure { whole: whole() },
            Demand::BetaLikeness { enhanced, .. } => Measure::Likeness {
                whole: whole(),
                enhanced: *enhanced,
            },
            Demand::Personal { taxonomy, .. } => self.breach(taxonomy),
            Demand::RangeDiversity { ranges, .. } => {
                let values = self
                    .dictionary()
                    .expect("ranges are told apart by the values of a column");
                Measure::RangeDiversity(Contributions::of_column(ranges, values, values))
            }
            Demand::Joined(joined) => match joined.demand {
                JoinDemand::Anonymity { .. } => Measure::Size,
                JoinDemand::Confidence { .. } => self.secrets(asked.secrets),
            },
        }
    }

    /// The values of the column whose values are the categories.
    fn dictionary(&self) -> Option<&'t Dictionary> {
        self.of_column.as_ref().map(|(column, _)| column.dictionary())
    }

    /// The share of each category in the whole table.
    fn shares(&self) -> Vec<f64> {
        let mut rows = vec![0u64; self.count];
        let codes = self.codes.iter().flat_map(|codes| codes.iter());
        codes.for_each(|category| rows[category as usize] += 1);
        let n: u64 = rows.iter().sum();
        rows.into_iter().map(|rows| rows as f64 / n as f64).collect()
    }

    fn secrets(&self, values: Option<&SecretValues>) -> Measure {
        let (Some(SecretValues::Sets(sets)), Some((column, of_code))) = (values, &self.of_column) else {
            return Measure::LargestShare;
        };
        let mut sets_of = vec![Vec::new(); self.count];
        for (code, sets) in memberships(column, &sets.iter().collect::<Vec<_>>())
            .into_iter()
            .enumerate()
        {
            sets_of[of_code[code] as usize] = sets;
        }
        let categories_of = |set: usize| sets_of.iter().filter(move |sets| sets.contains(&(set as u32)));
        let is_one_each =
            sets_of.iter().all(|sets| sets.len() <= 1) && (0..sets.len()).all(|set| categories_of(set).count() <= 1);
        if is_one_each {
            let is_secret = sets_of.iter().map(|sets| !sets.is_empty()).collect();
            return Measure::LargestSecretShare { is_secret };
        }
        Measure::LargestSetShare {
            sets_of,
            sets: sets.len(),
        }
    }

    fn tree(&self, taxonomy: &Taxonomy) -> Tree {
        let dictionary = self.dictionary();
        let leaf = |category: usize| dictionary.and_then(|values| values.value(category as u32));
        let leaves: Vec<Option<&str>> = (0..self.count).map(leaf).collect();
        Tree::new(taxonomy, &leaves, &self.shares())
    }

    fn breach(&self, taxonomy: &Taxonomy) -> Measure {
        let node = |label: &str| taxonomy.find(label).filter(|&node| node != taxonomy.root());
        let (values, guarding) = (
            self.guarding.iter().map(|pair| pair.0),
            self.guarding.iter().map(|pair| pair.1),
        );
        Measure::Breach {
            paths: values
                .map(|value| value.map_or(Vec::new(), |leaf| path(taxonomy, leaf)))
                .collect(),
            guarded: guarding.map(|label| label.and_then(node).map(|node| node.0)).collect(),
            nodes: taxonomy.nodes().len(),
        }
    }
}

/// The sets of secrets, if nothing else of a column is asked for: then values in none of them need not be told apart.
fn only_secrets_matter<'t>(asked: &[Asked<'t>]) -> Option<Vec<&'t Vec<String>>> {
    let mut all = Vec::new();
    for asked in asked.iter().filter(|asked| !counts_records(asked.template)) {
        match asked.secrets {
            Some(SecretValues::Sets(sets)) => all.extend(sets),
            _ => return None,
        }
    }
    Some(all)
}

/// For each code of a column, the sets it is in.
fn memberships(column: &Column, sets: &[&Vec<String>]) -> Vec<Vec<u32>> {
    let is_in = |text: Option<&str>, set: &Vec<String>| text.is_some_and(|text| set.iter().any(|value| value == text));
    let sets_of = |code: u32| {
        let text = column.dictionary().value(code);
        let sets = sets.iter().enumerate();
        sets.filter(|(_, set)| is_in(text, set))
            .map(|(number, _)| number as u32)
            .collect()
    };
    (0..column.dictionary().len() as u32).map(sets_of).collect()
}

/// Categories of values that are in the same sets: how many, and the category of each code.
fn by_membership(column: &Column, sets: &[&Vec<String>]) -> (usize, Vec<u32>) {
    let mut known: Vec<Vec<u32>> = Vec::new();
    let mut of_code = Vec::new();
    for sets in memberships(column, sets) {
        let place = known.iter().position(|other| *other == sets);
        of_code.push(place.unwrap_or(known.len()) as u32);
        if place.is_none() {
            known.push(sets);
        }
    }
    (known.len().max(1), of_code)
}
