//! Persons are gathered into clusters, by the method of the policy.

use scumble_privacy::EntityDemand;
use scumble_progress::{Stage, Watch, Work};
use scumble_relational::{Clustering, Clusters, Database, Entities, Method, Tuning};

use super::words::Described;
use crate::error::Error;
use scumble_policy::{DatabasePolicy, EntityApproach, EntityMethod};

/// The share of the work that trying settings takes, where none are given.
const TUNING: f64 = 0.2;

/// Clusters, and the settings that they were found with.
pub(super) struct Found {
    pub clusters: Clusters,
    /// By key, as the policy writes them.
    pub settings: Vec<(&'static str, String)>,
}

/// Gathers the persons of a database.
pub(super) fn search(
    policy: &DatabasePolicy,
    database: &Database,
    demands: &[Described],
    watch: &dyn Watch,
) -> Result<Found, Error> {
    Stage::Searching.run(watch, |work| search_within(policy, database, demands, work))
}

fn search_within(
    policy: &DatabasePolicy,
    database: &Database,
    demands: &[Described],
    work: Work,
) -> Result<Found, Error> {
    let k = usize::try_from(policy.k).unwrap_or(usize::MAX);
    let bounds: Vec<EntityDemand> = demands.iter().map(|described| described.demand.clone()).collect();
    let method = match policy.method.approach {
        EntityApproach::Miracle => Method::Miracle,
        EntityApproach::MiracleX => Method::MiracleX,
        EntityApproach::Bitmap => Method::Bitmap,
        EntityApproach::Entities => {
            let entities = Entities::new(k, policy.method.seed)?.with_bounds(bounds);
            return Ok(Found {
                clusters: entities.run(database, work)?,
                settings: Vec::new(),
            });
        }
    };
    let EntityMethod {
        threshold,
        climit,
        seed,
        ..
    } = policy.method;
    let tuning = Tuning::new(threshold, climit, seed)?;
    let clustering = Clustering::tuned(database, k, method, tuning, work.part(0.0..TUNING))?;
    let settings = vec![
        ("threshold", clustering.threshold().to_string()),
        ("climit", clustering.climit().to_string()),
    ];
    let clusters = clustering.with_bounds(bounds).run(database, work.part(TUNING..1.0))?;
    Ok(Found { clusters, settings })
}
