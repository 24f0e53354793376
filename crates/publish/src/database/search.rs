//! Persons are gathered into clusters, by the method of the policy.

use scumble_privacy::EntityDemand;
use scumble_progress::{Stage, Watch, Work};
use scumble_relational::{
    Clustering, Clusters, Database, Entities, Method, SecretBound, SecretDemand, TableId, Tuning,
};

use super::words::Described;
use crate::error::Error;
use scumble_policy::{Approach, GatheringPersons, Policy};

/// Clusters, and the settings that they were found with.
pub(super) struct Found {
    pub clusters: Clusters,
    /// By key, as the policy writes them.
    pub settings: Vec<(&'static str, String)>,
}

/// Gathers the persons of a database.
pub(super) fn search(
    policy: &Policy,
    database: &Database,
    demands: &[Described],
    watch: &dyn Watch,
) -> Result<Found, Error> {
    Stage::Searching.run(watch, |work| search_within(policy, database, demands, work))
}

fn search_within(policy: &Policy, database: &Database, demands: &[Described], work: Work) -> Result<Found, Error> {
    let go_on = || !work.should_stop();
    let stopped = |_| Error::Interrupted;
    let k = usize::try_from(policy.persons_alike()).unwrap_or(usize::MAX);
    let bounds: Vec<SecretBound> = demands
        .iter()
        .filter_map(|described| bound(&described.demand))
        .collect();
    let (method, opening) = match gathering(policy) {
        GatheringPersons::Miracle(opening) => (Method::Miracle, opening),
        GatheringPersons::MiracleX(opening) => (Method::MiracleX, opening),
        GatheringPersons::Bitmap(opening) => (Method::Bitmap, opening),
        GatheringPersons::Entities => {
            let entities = Entities::new(k, policy.method.seed)?.with_bounds(bounds);
            return Ok(Found {
                clusters: entities.run(database, go_on).map_err(stopped)?,
                settings: Vec::new(),
            });
        }
    };
    let tuning = Tuning::new(opening.threshold, opening.climit, policy.method.seed)?;
    let clustering = Clustering::tuned(database, k, method, tuning, go_on).map_err(stopped)?;
    let settings = vec![
        ("threshold", clustering.threshold().to_string()),
        ("climit", clustering.climit().to_string()),
    ];
    let clusters = clustering.with_bounds(bounds).run(database, go_on).map_err(stopped)?;
    Ok(Found { clusters, settings })
}

/// How the persons of a policy are gathered.
fn gathering(policy: &Policy) -> GatheringPersons {
    match policy.method.approach {
        Approach::Persons(gathering) => gathering,
        Approach::Refine | Approach::FullDomain(_) | Approach::Gather(_) | Approach::Anatomy => {
            unreachable!("the policy was checked: persons are gathered")
        }
    }
}

/// What the search must keep of secrets; it always keeps the number of persons.
fn bound(demand: &EntityDemand) -> Option<SecretBound> {
    let (table, column, demand) = match demand {
        EntityDemand::Anonymity { .. } => return None,
        EntityDemand::Confidence { at_most, table, about } => {
            let demand = SecretDemand::Confidence {
                at_most: *at_most,
                values: about.values.clone(),
            };
            (*table, about.column, demand)
        }
        EntityDemand::Diversity { table, about, measure } => (*table, *about, SecretDemand::Diversity(*measure)),
    };
    Some(SecretBound {
        table: TableId(table),
        column,
        demand,
    })
}
