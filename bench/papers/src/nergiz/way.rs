//! A [`Way`] to gather students, and the [`Figures`] of what came of it.

use std::time::Instant;

use scumble_progress::Work;
use scumble_relational::{Clustering, Clusters, Database, Entities, Method, Release, Tuning};

use crate::{Result, smallest};

/// "We fixed the cluster limit to be 150."
const CLIMIT: usize = 150;

/// Fixes what is random: in our own method, and in the sample that a threshold is found from.
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
    /// Those of the paper.
    pub(super) const OF_THE_PAPER: [Way; 3] = [Way::Miracle, Way::MiracleX, Way::Bitmap];
    /// Those, and ours.
    pub(super) const ALL: [Way; 4] = [Way::Miracle, Way::MiracleX, Way::Bitmap, Way::Entities];

    pub(super) fn name(self) -> &'static str {
        match self {
            Way::Miracle => "MiRaCle",
            Way::MiracleX => "MiRaCleX",
            Way::Bitmap => "bitmap",
            Way::Entities => "entities (ours)",
        }
    }

    /// What becomes of the students of a database, with the threshold that suits them best if none is given.
    pub(super) fn measure(self, database: &Database, k: usize, threshold: Option<f64>) -> Result<Figures> {
        let settings = self.settings(database, k, threshold)?;
        let turns = (0..TURNS).map(|_| {
            let start = Instant::now();
            let clusters = match &settings {
                Some(clustering) => clustering.run(database, Work::unwatched())?,
                None => Entities::new(k, SEED)?.run(database, Work::unwatched())?,
            };
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

    /// The settings of algorithm 2; our own method has none.
    fn settings(self, database: &Database, k: usize, threshold: Option<f64>) -> Result<Option<Clustering>> {
        let method = match self {
            Way::Miracle => Method::Miracle,
            Way::MiracleX => Method::MiracleX,
            Way::Bitmap => Method::Bitmap,
            Way::Entities => return Ok(None),
        };
        let tuning = Tuning::new(threshold, Some(CLIMIT), SEED)?;
        Ok(Some(Clustering::tuned(database, k, method, tuning, Work::unwatched())?))
    }
}
