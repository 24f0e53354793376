//! A [`Way`] to gather students, and the [`Figures`] of what came of it.

use std::time::Instant;

use scumble_relational::{Clustering, Clusters, Database, Entities, Method, Release};

use crate::{Result, smallest};

/// "We fixed the cluster limit to be 150."
const CLIMIT: usize = 150;

/// What is random in our own method.
const SEED: u64 = 1;

/// Each time is the shortest of so many.
const TURNS: usize = 3;

/// How students are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Miracle,
    MiracleX,
    /// A method for one table, on a column for every value of the child tables.
    Bitmap,
    /// Our own method, which has neither a threshold nor a limit.
    Entities,
}

/// What became of the students.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    /// LM, a share of the quasi cells.
    pub(super) loss: f64,
    /// DM, divided by the number of students: with how many one can be mistaken, oneself included.
    pub(super) alike: f64,
    /// From the database in memory to the clusters.
    pub(super) seconds: f64,
}

impl Way {
    pub(super) const ALL: [Way; 4] = [Way::Miracle, Way::MiracleX, Way::Bitmap, Way::Entities];

    pub(super) fn name(self) -> &'static str {
        match self {
            Way::Miracle => "MiRaCle",
            Way::MiracleX => "MiRaCleX",
            Way::Bitmap => "bitmap",
            Way::Entities => "entities (ours)",
        }
    }

    /// What becomes of the students of a database.
    pub(super) fn measure(self, database: &Database, k: usize, threshold: f64) -> Result<Figures> {
        let turns = (0..TURNS).map(|_| {
            let start = Instant::now();
            let clusters = self.gather(database, k, threshold)?;
            Ok((start.elapsed().as_secs_f64(), clusters))
        });
        let turns = turns.collect::<Result<Vec<(f64, Clusters)>>>()?;
        let release = Release::new(database, &turns[0].1);
        Ok(Figures {
            loss: release.loss(),
            alike: release.discernibility() as f64 / database.persons() as f64,
            seconds: smallest(turns.iter().map(|(seconds, _)| *seconds)),
        })
    }

    fn gather(self, database: &Database, k: usize, threshold: f64) -> Result<Clusters> {
        let by = |method: Method| -> Result<Clusters> {
            Ok(Clustering::new(k, threshold, CLIMIT, method)?.run(database, || true)?)
        };
        match self {
            Way::Miracle => by(Method::Miracle),
            Way::MiracleX => by(Method::MiracleX),
            Way::Bitmap => by(Method::Bitmap),
            Way::Entities => Ok(Entities::new(k, SEED)?.run(database, || true)?),
        }
    }
}
