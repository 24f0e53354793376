//! From the sections of a policy to templates on the columns of the table.
//!
//! | section | templates |
//! |---|---|
//! | `confidence = 0.5`, about HIV and Flu | one |
//! | `confidence = 0.5`, about HIV, and Flu with 0.9 of its own | two, one per bound |
//! | `alpha = 0.5`, `k = 4` | two: anonymity 4, confidence 0.5 |
//! | `p-sensitive = 2`, `k = 4` | two: anonymity 4, distinct diversity 2 |
//!
//! With earlier releases, anonymity and confidence are asked of the join with them.

use std::path::Path;
use std::sync::Arc;

use scumble_policy::Spanned;
use scumble_privacy::{
    Demand, Distance, Diversity, JoinDemand, JoinSecrets, Joined, Per, Place, QuasiIdentifier, SecretValues, Secrets,
    THIS, Template,
};
use scumble_table::{ColumnId, Taxonomy};

use crate::plan::{Plan, PlannedPopulation};
use scumble_policy::{About, AboutValues, Counting, DistanceKind, Kind, Of, Policy, Require, Taxonomies};

/// Fills in what must hold.
pub fn bind_templates(policy: &Policy, plan: &mut Plan, taxonomies: &Taxonomies) {
    plan.populations = populations(policy, plan);
    for require in &policy.require {
        let require = require.get_ref();
        let binder = Binder {
            policy,
            plan,
            taxonomies,
        };
        let of = binder.quasi_identifier(&require.of);
        let (demands, part_of) = (binder.demands(require), pair_in_words(&require.kind));
        for demand in demands {
            plan.part_of.push(part_of.clone());
            let of = of.clone();
            plan.requirement.templates.push(Template { of, demand });
        }
    }
}

/// The populations, each file once, with the columns that any template on it speaks of.
fn populations(policy: &Policy, plan: &Plan) -> Vec<PlannedPopulation> {
    let mut populations: Vec<PlannedPopulation> = Vec::new();
    for require in &policy.require {
        let Kind::KMap { population: file, .. } = &require.get_ref().kind else {
            continue;
        };
        let place = find_population(&populations, file.get_ref()).unwrap_or_else(|| {
            populations.push(PlannedPopulation {
                file: file.clone(),
                columns: Vec::new(),
            });
            populations.len() - 1
        });
        let columns = &mut populations[place].columns;
        let needed = require
            .get_ref()
            .of
            .columns
            .iter()
            .filter_map(|name| plan.columns.find(name));
        columns.extend(needed);
        columns.sort();
        columns.dedup();
    }
    populations
}

fn find_population(populations: &[PlannedPopulation], file: &Path) -> Option<usize> {
    populations
        .iter()
        .position(|population| population.file.get_ref() == file)
}

/// A section that makes a pair of templates, in words.
fn pair_in_words(kind: &Kind) -> Option<String> {
    match kind {
        Kind::AlphaK { alpha, k, .. } => Some(format!("alpha {alpha}, k {k}")),
        Kind::PSensitive { p, k, .. } => Some(format!("p-sensitive {p}, k {k}")),
        Kind::Anonymity { .. }
        | Kind::KMap { .. }
        | Kind::Confidence { .. }
        | Kind::Diversity { .. }
        | Kind::Closeness { .. }
        | Kind::DeltaDisclosure { .. }
        | Kind::BetaLikeness { .. }
        | Kind::Personal { .. }
        | Kind::RangeDiversity { .. } => None,
    }
}

/// Turns names into ids. The policy fits the header, so every name that it speaks of is found.
struct Binder<'p> {
    policy: &'p Policy,
    plan: &'p Plan,
    taxonomies: &'p Taxonomies,
}

impl Binder<'_> {
    fn id(&self, name: &str) -> ColumnId {
        self.plan
            .columns
            .find(name)
            .expect("the header has every column of the policy, and what a template speaks of is read")
    }

    fn quasi_identifier(&self, of: &Of) -> QuasiIdentifier {
        QuasiIdentifier {
            columns: of.columns.iter().map(|name| self.id(name)).collect(),
            any: of.any,
        }
    }

    /// A column of this table or, if the policy lists none with this name, of an earlier release.
    fn place(&self, name: &Spanned<String>) -> Place {
        let name = name.get_ref();
        match self.policy.column(name) {
            Some(_) => Place {
                release: THIS,
                column: self.id(name),
            },
            None => {
                let elsewhere = self.plan.elsewhere(name);
                elsewhere.expect("the headers of earlier releases have what a template speaks of")
            }
        }
    }

    /// The taxonomy of a column of which the policy says that it has one.
    fn taxonomy(&self, name: &str) -> Arc<Taxonomy> {
        let column = self.policy.column(name);
        let taxonomy = column.and_then(|column| self.taxonomies.shared(column));
        Arc::clone(taxonomy.expect("the taxonomies of the policy were read"))
    }

    fn demands(&self, require: &Require) -> Vec<Demand> {
        let on_the_join = |demand: JoinDemand| self.on_the_join(&require.of, demand);
        match &require.kind {
            Kind::Anonymity { k, per } => vec![on_the_join(JoinDemand::Anonymity {
                k: *k,
                per: self.per(per),
            })],
            Kind::KMap { k, population } => vec![Demand::KMap {
                k: *k,
                population: find_population(&self.plan.populations, population.get_ref())
                    .expect("every population was listed"),
            }],
            Kind::Confidence { at_most, about } => {
                let confidences = self.confidences(*at_most, about);
                confidences.map(on_the_join).collect()
            }
            Kind::AlphaK { alpha, k, about } => {
                let per = Per::Records { release: THIS };
                let anonymity = JoinDemand::Anonymity { k: *k, per };
                let both = std::iter::once(anonymity).chain(self.confidences(*alpha, about));
                both.map(on_the_join).collect()
            }
            Kind::Diversity { measure, about } => vec![self.diversity(about, *measure)],
            Kind::PSensitive { p, k, about } => {
                let anonymity = Demand::Anonymity { k: *k, per: Vec::new() };
                vec![anonymity, self.diversity(about, Diversity::Distinct { l: *p })]
            }
            Kind::Closeness {
                at_most,
                distance,
                about,
            } => vec![Demand::Closeness {
                about: self.id(about),
                at_most: *at_most,
                distance: match distance {
                    DistanceKind::Equal => Distance::Equal,
                    DistanceKind::Ordered => Distance::Ordered,
                    DistanceKind::Taxonomy => Distance::Taxonomy(self.taxonomy(about)),
                },
            }],
            Kind::DeltaDisclosure { below, about } => vec![Demand::DeltaDisclosure {
                about: self.id(about),
                below: *below,
            }],
            Kind::BetaLikeness {
                at_most,
                enhanced,
                about,
            } => vec![Demand::BetaLikeness {
                about: self.id(about),
                at_most: *at_most,
                enhanced: *enhanced,
            }],
            Kind::Personal {
                at_most,
                about,
                guarding,
            } => vec![Demand::Personal {
                about: self.id(about),
                guarding: self.id(guarding),
                at_most: *at_most,
                taxonomy: self.taxonomy(about),
            }],
            Kind::RangeDiversity { at_most, about } => {
                let about = self.id(about);
                let ranges = self.plan.columns[about.0].sensitive_ranges.clone();
                vec![Demand::RangeDiversity {
                    about,
                    at_most: *at_most,
                    ranges: ranges.expect("a policy names only columns that have them"),
                }]
            }
        }
    }

    fn diversity(&self, about: &str, measure: Diversity) -> Demand {
        Demand::Diversity {
            about: self.id(about),
            measure,
        }
    }

    /// What must hold of the join with earlier releases; without any, of this table.
    fn on_the_join(&self, of: &Of, demand: JoinDemand) -> Demand {
        match self.plan.earlier.is_empty() {
            true => of_this_table(demand),
            false => Demand::Joined(Joined {
                of: self.plan.places_of(of),
                demand,
            }),
        }
    }

    fn per(&self, per: &Counting) -> Per {
        match per {
            Counting::Records => Per::Records { release: THIS },
            Counting::Join => Per::Join,
            Counting::RecordsOf(name) => {
                let place = self
                    .plan
                    .earlier
                    .iter()
                    .position(|earlier| earlier.name == *name.get_ref());
                let release = 1 + place.expect("the names of earlier releases were checked");
                Per::Records { release }
            }
            Counting::Columns(names) => Per::Columns(names.iter().map(|name| self.place(name)).collect()),
        }
    }

    /// One demand per bound, in the order of their first values.
    fn confidences(&self, at_most: f64, about: &[About]) -> impl Iterator<Item = JoinDemand> + use<> {
        let mut by_bound: Vec<(f64, Vec<JoinSecrets>)> = Vec::new();
        for About { column, values } in about {
            let place = self.place(column);
            match values {
                AboutValues::Every => secrets_of(&mut by_bound, at_most).push(JoinSecrets {
                    place,
                    values: SecretValues::Every,
                }),
                AboutValues::Listed(listed) => {
                    for (value, bound) in listed {
                        let set = self.values_under(column.get_ref(), value.get_ref());
                        add(secrets_of(&mut by_bound, *bound), place, set);
                    }
                }
            }
        }
        let demand = |(at_most, about)| JoinDemand::Confidence { at_most, about };
        by_bound.into_iter().map(demand)
    }

    /// Which labels of an earlier release say a value is known when it is read.
    fn values_under(&self, column: &str, value: &str) -> Vec<String> {
        let taxonomy = self.policy.column(column).and_then(|column| self.taxonomies.of(column));
        values_under(taxonomy, value)
    }
}

/// The value itself, or all leaves under an inner node of the taxonomy.
pub fn values_under(taxonomy: Option<&Taxonomy>, value: &str) -> Vec<String> {
    match taxonomy.and_then(|taxonomy| Some((taxonomy, taxonomy.find(value)?))) {
        Some((taxonomy, node)) => {
            let leaves = taxonomy.leaves_under(node);
            let under = taxonomy.leaves().skip(leaves.start).take(leaves.len());
            under.map(str::to_owned).collect()
        }
        None => vec![value.to_owned()],
    }
}

/// A demand on the join of one table, of which the matches are the records.
fn of_this_table(demand: JoinDemand) -> Demand {
    match demand {
        JoinDemand::Anonymity { k, per } => Demand::Anonymity {
            k,
            per: match per {
                Per::Join | Per::Records { .. } => Vec::new(),
                Per::Columns(places) => places.into_iter().map(|place| place.column).collect(),
            },
        },
        JoinDemand::Confidence { at_most, about } => {
            let secrets = about.into_iter().map(|JoinSecrets { place, values }| Secrets {
                column: place.column,
                values,
            });
            Demand::Confidence {
                at_most,
                about: secrets.collect(),
            }
        }
    }
}

/// The secrets with this bound.
fn secrets_of(by_bound: &mut Vec<(f64, Vec<JoinSecrets>)>, bound: f64) -> &mut Vec<JoinSecrets> {
    let place = by_bound.iter().position(|(other, _)| *other == bound);
    let place = place.unwrap_or_else(|| {
        by_bound.push((bound, Vec::new()));
        by_bound.len() - 1
    });
    &mut by_bound[place].1
}

/// Adds a set of values to those of its column.
fn add(secrets: &mut Vec<JoinSecrets>, place: Place, set: Vec<String>) {
    match secrets.last_mut() {
        Some(JoinSecrets {
            place: last,
            values: SecretValues::Sets(sets),
        }) if *last == place => sets.push(set),
        _ => secrets.push(JoinSecrets {
            place,
            values: SecretValues::Sets(vec![set]),
        }),
    }
}
