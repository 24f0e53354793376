//! Persons are gathered into clusters, by the method of the policy.

use scumble_privacy::EntityDemand;
use scumble_progress::{Stage, Watch, Work};
use scumble_relational::{Clustering, Clusters, Database, Entities, Method, Tuning};

use super::words::Described;
use crate::error::Error;
use scumble_policy::{Approach, GatheringPersons, Policy};

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
    policy: &Policy,
    database: &Database,
    demands: &[Described],
    watch: &dyn Watch,
) -> Result<Found, Error> {
    Stage::Searching.run(watch, |work| search_within(policy, database, demands, work))
}

fn search_within(policy: &Policy, database: &Database, demands: &[Described], work: Work) -> Result<Found, Error> {
    let k = usize::try_from(policy.persons_alike()).unwrap_or(usize::MAX);
    let bounds: Vec<EntityDemand> = demands.iter().map(|described| described.demand.clone()).collect();
    let (method, opening) = match gathering(policy) {
        GatheringPersons::Miracle(opening) => (Method::Miracle, opening),
        GatheringPersons::MiracleX(opening) => (Method::MiracleX, opening),
        GatheringPersons::Bitmap(opening) => (Method::Bitmap, opening),
        GatheringPersons::Entities => {
            let entities = Entities::new(k, policy.method.seed)?.with_bounds(bounds);
            return Ok(Found {
                clusters: entities.run(database, work)?,
                settings: Vec::new(),
            });
        }
    };
    let tuning = Tuning::new(opening.threshold, opening.climit, policy.method.seed)?;
    let clustering = Clustering::tuned(database, k, method, tuning, work.part(0.0..TUNING))?;
    let settings = vec![
        ("threshold", clustering.threshold().to_string()),
        ("climit", clustering.climit().to_string()),
    ];
    let clusters = clustering.with_bounds(bounds).run(database, work.part(TUNING..1.0))?;
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
