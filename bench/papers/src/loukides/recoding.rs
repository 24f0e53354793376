//! A [`Recoding`]: a method with its settings, and the release that it makes of some people.

use std::sync::Arc;

use scumble_grouping::{
    Failure, FullDomain, FullDomainObjective, Grouping, KMember, Ladder, MemberObjective, Method, Mondrian, Nearest,
    Problem, Protection, RangeSecret, Scale, Space, Toc, Upc, full_domain, gather,
};
use scumble_level::Contributions;
use scumble_privacy::{Demand, Distance, Diversity, QuasiIdentifier, Requirement, Template};
use scumble_progress::Work;
use scumble_table::{ColumnId, SensitiveRanges};

use crate::Result;

use super::people::{People, Quasi, SEED, Secret, Values};
use super::release::Release;

/// A method with its settings. All keep anonymity `k`; only UPC leaves rows out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Recoding {
    /// Mondrian, with even cuts, so that a group has at most `2k − 1` rows.
    Mondrian,
    /// k-member, for utility.
    KMember,
    /// The same for protection: range diversity where there are ranges, else S-diversity.
    KMemberP,
    /// Trade-off constrained; the thesis calls it MRG.
    Toc(Weighed),
    /// Utility and protection constrained: leaves out who fits nowhere.
    Upc {
        /// `U`.
        loss: f64,
        /// `P`.
        range_diversity: f64,
    },
    /// Every column at one level, by the best node of the lattice, with something asked of each secret beside anonymity.
    FullDomain(Asked),
}

/// The settings of [`Recoding::Toc`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weighed {
    /// `w_u`.
    pub utility: f64,
    /// δ; found on a sample unless given.
    pub threshold: Option<f64>,
    /// `s`; found on a sample unless given.
    pub subspace: Option<usize>,
    /// Which row joins a cluster; the thesis has the one nearest to the seed.
    pub nearest: Nearest,
}

impl Weighed {
    /// Utility and protection weigh the same, and the rest is found on a sample.
    pub const EVENLY: Weighed = Weighed::by(0.5);

    /// So much for utility, the rest for protection.
    pub const fn by(utility: f64) -> Weighed {
        Weighed {
            utility,
            threshold: None,
            subspace: None,
            nearest: Nearest::ToCluster,
        }
    }
}

/// What full-domain generalization keeps of each secret.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Asked {
    /// (c, l)-diversity with c = 2 and l = 2.
    Diversity,
    /// t-closeness by the tree of the secret, or the order of its values.
    Closeness(f64),
}

impl Recoding {
    /// The release of some people.
    pub fn release<'p>(&self, people: &'p People, k: u64) -> Result<Release<'p>> {
        match self {
            Recoding::FullDomain(asked) => by_levels(people, k, *asked),
            _ => Ok(Release::of_groups(people, &self.gather(people, k)?)),
        }
    }

    /// The groups of some people.
    ///
    /// # Errors
    /// Full-domain generalization makes none.
    pub fn gather(&self, people: &People, k: u64) -> Result<Grouping> {
        let space = space_of(people.known().map(|(id, quasi)| (id, &quasi.values)), people);
        let secrets = space_of(people.secret().map(|(id, secret)| (id, &secret.values)), people);
        match *self {
            Recoding::Mondrian => run(
                &Mondrian { strict: false },
                people,
                &space,
                vec![anonymity(people, k)],
                0,
            ),
            Recoding::KMember => {
                let objective = MemberObjective::Utility;
                run(&KMember { objective }, people, &space, vec![anonymity(people, k)], 0)
            }
            Recoding::KMemberP => {
                let pairs = contributions(people);
                let protection = if pairs.is_empty() {
                    Protection::SDiversity(&secrets)
                } else {
                    Protection::RangeDiversity(&pairs)
                };
                let objective = MemberObjective::Protection(protection);
                run(&KMember { objective }, people, &space, vec![anonymity(people, k)], 0)
            }
            Recoding::Toc(weighed) => {
                let toc = Toc {
                    utility_weight: weighed.utility,
                    threshold: weighed.threshold,
                    subspace: weighed.subspace,
                    nearest: weighed.nearest,
                    sensitive: secrets,
                };
                run(&toc, people, &space, vec![anonymity(people, k)], 0)
            }
            Recoding::Upc { loss, range_diversity } => {
                let pairs = contributions(people);
                let upc = Upc {
                    loss_at_most: loss,
                    subspace: None,
                    secrets: secrets_within(people, &pairs, range_diversity),
                };
                // Asked of the repair, too, which makes groups one that look alike.
                let ranges = ranges(people).map(|(about, ranges)| {
                    template(
                        people,
                        Demand::RangeDiversity {
                            about,
                            at_most: range_diversity,
                            ranges: ranges.clone(),
                        },
                    )
                });
                let templates = [anonymity(people, k)].into_iter().chain(ranges).collect();
                run(&upc, people, &space, templates, people.table.rows() as u64)
            }
            Recoding::FullDomain(_) => Err("full-domain generalization makes masks, not groups".into()),
        }
    }
}

fn run(
    method: &dyn Method,
    people: &People,
    space: &Space,
    templates: Vec<Template>,
    left_out: u64,
) -> Result<Grouping> {
    let problem = Problem {
        table: &people.table,
        space,
        requirement: &Requirement { templates },
        rows_left_out_at_most: left_out,
        seed: SEED,
        work: Work::unwatched(),
    };
    Ok(gather(method, &problem).map_err(refused)?)
}

fn by_levels(people: &People, k: u64, asked: Asked) -> Result<Release<'_>> {
    let quasi: Vec<Ladder> = people.known().map(|(id, quasi)| ladder(people, id, quasi)).collect();
    let of_secrets = people
        .secret()
        .map(|(id, secret)| template(people, asked.demand(id, secret)));
    let found = full_domain(&FullDomain {
        table: &people.table,
        quasi: &quasi,
        requirement: &Requirement {
            templates: [anonymity(people, k)].into_iter().chain(of_secrets).collect(),
        },
        populations: &[],
        rows_left_out_at_most: 0,
        objective: FullDomainObjective::Loss,
        work: Work::unwatched(),
    });
    Ok(Release::of_masks(people, &found.map_err(refused)?))
}

fn ladder<'p>(people: &People, id: ColumnId, quasi: &'p Quasi) -> Ladder<'p> {
    let scale = quasi
        .ladder
        .as_deref()
        .map_or(Scale::Values { domain: None }, Scale::Tree);
    Ladder::new(&people.table, id, scale)
}

impl Asked {
    fn demand(self, about: ColumnId, secret: &Secret) -> Demand {
        match self {
            Asked::Diversity => Demand::Diversity {
                about,
                measure: Diversity::Recursive { c: 2.0, l: 2 },
            },
            Asked::Closeness(at_most) => Demand::Closeness {
                about,
                at_most,
                distance: match &secret.values {
                    Values::Tree(tree) => Distance::Taxonomy(Arc::clone(tree)),
                    Values::Numbers => Distance::Ordered,
                    Values::Words => Distance::Equal,
                },
            },
        }
    }
}

fn space_of<'p>(columns: impl Iterator<Item = (ColumnId, &'p Values)>, people: &People) -> Space {
    let columns: Vec<(ColumnId, Scale)> = columns.map(|(id, values)| (id, values.scale())).collect();
    Space::new(&people.table, &columns)
}

fn template(people: &People, demand: Demand) -> Template {
    let of = QuasiIdentifier::all(people.known().map(|(id, _)| id).collect());
    Template { of, demand }
}

fn anonymity(people: &People, k: u64) -> Template {
    template(people, Demand::Anonymity { k, per: Vec::new() })
}

/// The secrets with ranges.
fn ranges(people: &People) -> impl Iterator<Item = (ColumnId, &SensitiveRanges)> {
    people
        .secret()
        .filter_map(|(id, secret)| Some((id, secret.ranges.as_ref()?)))
}

/// What pairs of secret values contribute.
fn contributions(people: &People) -> Vec<(ColumnId, Contributions)> {
    let pairs = ranges(people).map(|(id, ranges)| {
        let dictionary = people.table.column(id).dictionary();
        (id, Contributions::of_column(ranges, dictionary, dictionary))
    });
    pairs.collect()
}

/// Those secrets, each with the range diversity that a group may have in it.
fn secrets_within<'p>(
    people: &'p People,
    pairs: &'p [(ColumnId, Contributions)],
    at_most: f64,
) -> Vec<RangeSecret<'p>> {
    let secret = |(id, contributions): &'p (ColumnId, Contributions)| RangeSecret {
        codes: people.table.column(*id).codes(),
        contributions,
        at_most,
    };
    pairs.iter().map(secret).collect()
}

fn refused(failure: Failure) -> String {
    match failure {
        Failure::Interrupted => "it was stopped".to_owned(),
        Failure::CannotBeMet(_) => "what is asked cannot be met".to_owned(),
        Failure::OnJoin(_) => "a template is about a join".to_owned(),
        Failure::LeavesOut { rows, most } => format!("{rows} rows would be left out, of at most {most}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loukides::people::{LEVEL_2, Normal, normal_ranges};

    const ALL: [Recoding; 6] = [
        Recoding::Mondrian,
        Recoding::KMember,
        Recoding::KMemberP,
        Recoding::Toc(Weighed::EVENLY),
        Recoding::Upc {
            loss: 0.6,
            range_diversity: 0.6,
        },
        Recoding::FullDomain(Asked::Closeness(0.3)),
    ];

    fn people() -> People {
        People::normal(&Normal {
            rows: 300,
            quasi: 3,
            secrets: 1,
            deviation: 4.0,
            ranges: Some(normal_ranges(&LEVEL_2).unwrap()),
        })
        .unwrap()
    }

    /// DM per row is the size of the group of a row, on average: at least `k`.
    #[test]
    fn every_method_keeps_anonymity() {
        let people = people();
        for recoding in ALL {
            let figures = recoding.release(&people, 5).unwrap().figures();
            assert!(figures.discernibility >= 5.0, "{recoding:?}: {figures:?}");
            assert!((0.0..=1.0).contains(&figures.utility), "{recoding:?}: {figures:?}");
        }
    }

    #[test]
    fn upc_keeps_its_bounds() {
        let people = people();
        let upc = Recoding::Upc {
            loss: 0.5,
            range_diversity: 0.5,
        };
        let figures = upc.release(&people, 5).unwrap().figures();
        assert!(
            figures.worst_utility <= 0.5 && figures.worst_protection <= 0.5,
            "{figures:?}"
        );
    }

    #[test]
    fn what_cannot_be_met_is_an_error() {
        let people = people();
        assert!(Recoding::FullDomain(Asked::Diversity).release(&people, 301).is_err());
    }
}
