//! [`attack`]: linkage, inference and risks of one release in one go.

use scumble_progress::{Interrupted, Work};
use scumble_table::{ColumnId, Table};
use serde::Serialize;

use crate::inference::{Inference, inference};
use crate::known::{Known, Recoding};
use crate::link::Links;
use crate::linkage::{Linkage, linkage};
use crate::risk::{PopulationRisks, Risks, population_risks, risks_of_table};
use crate::singled::SingledOut;

/// A release and the one who attacks it.
pub struct Attack<'a> {
    /// The release, every value as a reader sees it.
    pub released: &'a Table,
    /// The columns by which people may be found in it.
    pub quasi: Vec<ColumnId>,
    /// What the adversary knows; without it only the risks of the release itself are counted.
    pub known: Option<Known<'a>>,
}

/// What an attack found. It holds counts, shares and column names, and no cell of either table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackReport {
    /// The risks of the release itself.
    pub risks: Risks,
    /// Rows that stand out on the columns published as they are, and on all together; whoever knows how the columns of the
    /// release are shown adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub singled_out: Option<SingledOut>,
    /// What the adversary gets out of what they know.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub known: Option<KnownReport>,
}

/// What the adversary gets out of what they know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnownReport {
    /// The columns that they know of each person.
    pub shared: Vec<String>,
    /// Columns whose labels overlap, `*` aside. The labels of a global recoding never do: attack it as a local one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overlapping: Vec<String>,
    /// How far people are narrowed down.
    pub linkage: Linkage,
    /// How confidently each sensitive column is guessed.
    pub inference: Vec<Inference>,
    /// The risks with the known table as the population, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationRisks>,
}

/// The share of an attack that is to find out who may be whose.
const LINKING: f64 = 0.6;

/// Attacks a release.
///
/// # Errors
/// [`Interrupted`] if it should stop.
pub fn attack(attack: &Attack, work: Work) -> Result<AttackReport, Interrupted> {
    work.go_on()?;
    let risks = risks_of_table(attack.released, &attack.quasi);
    work.go_on()?;
    let known = attack.known.as_ref();
    let known = known.map(|known| known.attack(attack.released, work)).transpose()?;
    work.go_on()?;
    Ok(AttackReport {
        risks,
        singled_out: None,
        known,
    })
}

impl Known<'_> {
    fn attack(&self, released: &Table, work: Work) -> Result<KnownReport, Interrupted> {
        let looking = work.phase("linking people", 0.0..LINKING);
        let links = Links::new(self.table, released, &self.shared, self.recoding, looking)?;
        let names = self.shared.iter().map(|on| released.column(on.released).name.clone());
        let shared: Vec<String> = names.collect();
        let linkage = linkage(&links, &shared, self.k);
        work.go_on()?;
        let inferred = work.phase("inferring secrets", LINKING..1.0).count(self.secrets.len());
        let infer = |secret| {
            let inference = inference(&links, released, self, secret);
            inferred.go_on(1)?;
            Ok(inference)
        };
        Ok(KnownReport {
            overlapping: self.overlapping(released),
            linkage,
            inference: self.secrets.iter().map(infer).collect::<Result<_, _>>()?,
            population: self.is_population.then(|| population_risks(shared.clone(), &links)),
            shared,
        })
    }

    /// The columns that belie a global recoding.
    fn overlapping(&self, released: &Table) -> Vec<String> {
        let on = match self.recoding {
            Recoding::Global => &self.shared[..],
            Recoding::Local => &[],
        };
        let overlaps = on.iter().filter(|on| on.overlaps(self.table, released));
        overlaps.map(|on| released.column(on.released).name.clone()).collect()
    }
}
