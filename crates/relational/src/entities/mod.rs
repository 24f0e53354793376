//! [`Entities`]: our own way to gather persons, which loses less than MiRaCle.
mod exchange;
mod group;
mod growth;
mod kinds;
mod neighbours;
mod pairing;

use rayon::prelude::*;

use crate::Database;
use crate::cluster::{Cluster, Clusters, Interrupted, SettingError};
use crate::secrets::{self, Bounds, SecretBound};
use crate::tree::Tree;

use exchange::Exchange;
use group::Persons;
use kinds::Kinds;
use neighbours::Neighbours;
pub(crate) use pairing::{Pairing, Ruler};

/// How persons are gathered: settings that have been checked.
#[derive(Clone, Debug)]
pub struct Entities {
    k: usize,
    seed: u64,
    bounds: Vec<SecretBound>,
}

/// At least so many neighbours of each person are known.
const NEIGHBOURS: usize = 16;

impl Entities {
    /// Clusters of at least `k` persons. Where it could go one way or the other, the seed decides.
    pub fn new(k: usize, seed: u64) -> Result<Entities, SettingError> {
        if k == 0 {
            return Err(SettingError::NoMembers);
        }
        Ok(Entities {
            k,
            seed,
            bounds: Vec::new(),
        })
    }

    /// The same, so that these bounds hold of the release.
    pub fn with_bounds(self, bounds: Vec<SecretBound>) -> Entities {
        Entities { bounds, ..self }
    }

    /// Gathers the persons of a database. `go_on` is asked again and again.
    pub fn run(&self, database: &Database, go_on: impl Fn() -> bool + Sync) -> Result<Clusters, Interrupted> {
        let all = 0..database.persons() as u32;
        if database.persons() < self.k {
            return Ok(Clusters::new(Vec::new(), all.collect()));
        }
        let trees: Vec<Tree> = all.into_par_iter().map(|person| Tree::of(database, person)).collect();
        let persons = Persons {
            database,
            ruler: Ruler::new(database),
            trees: &trees,
            kinds: &Kinds::new(database, &trees),
        };
        let near = Neighbours::new(&persons, NEIGHBOURS.max(2 * self.k), self.seed, &go_on).ok_or(Interrupted)?;
        let gather = |bounds: Option<&Bounds>| {
            let grown = growth::grow(&persons, &near, self.k, bounds, &go_on).ok_or(Interrupted)?;
            let groups = Exchange::new(&persons, &near, self.k, grown)
                .run(bounds, &go_on)
                .ok_or(Interrupted)?;
            let clusters: Vec<Cluster> = groups.par_iter().map(|group| persons.cluster(group)).collect();
            Ok(Clusters::new(clusters, Vec::new()))
        };
        secrets::keep(database, self.k, &self.bounds, gather, &go_on)
    }
}
