//! From the sections of a policy to templates on the columns of the table.
//!
//! | section | templates |
//! |---|---|
//! | `confidence = 0.5`, about HIV and Flu | one |
//! | `confidence = 0.5`, about HIV, and Flu with 0.9 of its own | two, one per bound |
//! | `alpha = 0.5`, `k = 4` | two: anonymity 4, confidence 0.5 |
//! | `p-sensitive = 2`, `k = 4` | two: anonymity 4, distinct diversity 2 |

use std::path::Path;
use std::sync::Arc;

use scumble_privacy::{Demand, Distance, Diversity, QuasiIdentifier, SecretValues, Secrets, Template};
use scumble_table::{ColumnId, Taxonomy};

use super::{Plan, PlannedPopulation};
use crate::policy::{About, AboutValues, DistanceKind, Kind, Of, Policy, Taxonomies};

impl Policy {
    /// Fills in what must hold.
    pub(super) fn bind_templates(&self, plan: &mut Plan, taxonomies: &Taxonomies) {
        plan.populations = self.populations(plan);
        for require in &self.require {
            let require = require.get_ref();
            let binder = Binder {
                policy: self,
                plan,
                taxonomies,
            };
            let of = binder.quasi_identifier(&require.of);
            let (demands, part_of) = (binder.demands(&require.kind), pair_in_words(&require.kind));
            for demand in demands {
                plan.part_of.push(part_of.clone());
                let of = of.clone();
                plan.requirement.templates.push(Template { of, demand });
            }
        }
    }

    /// The populations, each file once, with the columns that any template on it speaks of.
    fn populations(&self, plan: &Plan) -> Vec<PlannedPopulation> {
        let mut populations: Vec<PlannedPopulation> = Vec::new();
        for require in &self.require {
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
            let needed = require.get_ref().of.columns.iter().filter_map(|name| plan.find(name));
            columns.extend(needed);
            columns.sort();
            columns.dedup();
        }
        populations
    }
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
        _ => None,
    }
}

/// Turns names into ids. The policy fits the header, so every name that it speaks of is found.
struct Binder<'p> {
    policy: &'p Policy,
    plan: &'p Plan<'p>,
    taxonomies: &'p Taxonomies,
}

impl Binder<'_> {
    fn id(&self, name: &str) -> ColumnId {
        self.plan
            .find(name)
            .expect("the header has every column of the policy, and what a template speaks of is read")
    }

    fn ids(&self, names: &[String]) -> Vec<ColumnId> {
        names.iter().map(|name| self.id(name)).collect()
    }

    fn quasi_identifier(&self, of: &Of) -> QuasiIdentifier {
        QuasiIdentifier {
            columns: self.ids(&of.columns),
            any: of.any,
        }
    }

    /// The taxonomy of a column of which the policy says that it has one.
    fn taxonomy(&self, name: &str) -> Arc<Taxonomy> {
        let column = self.policy.column(name);
        let taxonomy = column.and_then(|column| self.taxonomies.shared(column));
        Arc::clone(taxonomy.expect("the taxonomies of the policy were read"))
    }

    fn demands(&self, kind: &Kind) -> Vec<Demand> {
        match kind {
            Kind::Anonymity { k, per } => vec![Demand::Anonymity {
                k: *k,
                per: self.ids(per),
            }],
            Kind::KMap { k, population } => vec![Demand::KMap {
                k: *k,
                population: find_population(&self.plan.populations, population.get_ref())
                    .expect("every population was listed"),
            }],
            Kind::Confidence { at_most, about } => self.confidences(*at_most, about),
            Kind::AlphaK { alpha, k, about } => {
                let mut both = vec![anonymity(*k)];
                both.extend(self.confidences(*alpha, about));
                both
            }
            Kind::Diversity { measure, about } => vec![self.diversity(about, *measure)],
            Kind::PSensitive { p, k, about } => {
                vec![anonymity(*k), self.diversity(about, Diversity::Distinct { l: *p })]
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
        }
    }

    fn diversity(&self, about: &str, measure: Diversity) -> Demand {
        Demand::Diversity {
            about: self.id(about),
            measure,
        }
    }

    /// One demand per bound, in the order of their first values.
    fn confidences(&self, at_most: f64, about: &[About]) -> Vec<Demand> {
        let mut by_bound: Vec<(f64, Vec<Secrets>)> = Vec::new();
        for About { column, values } in about {
            let id = self.id(column);
            match values {
                AboutValues::Every => secrets_of(&mut by_bound, at_most).push(Secrets {
                    column: id,
                    values: SecretValues::Every,
                }),
                AboutValues::Listed(listed) => {
                    for (value, bound) in listed {
                        let set = self.values_under(column, value.get_ref());
                        add(secrets_of(&mut by_bound, *bound), id, set);
                    }
                }
            }
        }
        let demand = |(at_most, about)| Demand::Confidence { at_most, about };
        by_bound.into_iter().map(demand).collect()
    }

    /// The value itself, or all leaves under an inner node of the taxonomy.
    fn values_under(&self, column: &str, value: &str) -> Vec<String> {
        let taxonomy = self.policy.column(column).and_then(|column| self.taxonomies.of(column));
        match taxonomy.and_then(|taxonomy| Some((taxonomy, taxonomy.find(value)?))) {
            Some((taxonomy, node)) => {
                let leaves = taxonomy.leaves_under(node);
                let under = taxonomy.leaves().skip(leaves.start).take(leaves.len());
                under.map(str::to_owned).collect()
            }
            None => vec![value.to_owned()],
        }
    }
}

fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: Vec::new() }
}

/// The secrets with this bound.
fn secrets_of(by_bound: &mut Vec<(f64, Vec<Secrets>)>, bound: f64) -> &mut Vec<Secrets> {
    let place = by_bound.iter().position(|(other, _)| *other == bound);
    let place = place.unwrap_or_else(|| {
        by_bound.push((bound, Vec::new()));
        by_bound.len() - 1
    });
    &mut by_bound[place].1
}

/// Adds a set of values to those of its column.
fn add(secrets: &mut Vec<Secrets>, column: ColumnId, set: Vec<String>) {
    match secrets.last_mut() {
        Some(Secrets {
            column: last,
            values: SecretValues::Sets(sets),
        }) if *last == column => sets.push(set),
        _ => secrets.push(Secrets {
            column,
            values: SecretValues::Sets(vec![set]),
        }),
    }
}
