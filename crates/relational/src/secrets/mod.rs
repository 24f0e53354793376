//! Bounds on secrets: what must hold in every group of rows that cannot be told apart.
//!
//! Two students are shown alike, with two courses each; `confidence` of an F at most 1/2:
//!
//! | course | shown as | grade of S1 | of S2 | group | persons with an F |
//! |---|---|---|---|---|---|
//! | Math, CS | Science | F | A | 1 | 1 of 2: kept |
//! | Physics, Biology | Science | A | F | 1 | with the row above, 2 of 2: broken |
//!
//! Alone, each row would keep the bound. But both look the same, so whoever finds S1 knows that one of the two rows is
//! an F, and the same of S2.
//!
//! A group is rows of persons who are shown the same tree; the rows show the same, with all below them, and their
//! parents are in one group, too. Diversity counts rows; confidence counts persons, by whether they have the secret in
//! any row of the group.
//!
//! Every bound that holds in two groups with different persons holds in both together, beside the same whole. So clusters
//! that each keep the bounds do so together, if they happen to look alike. Bounds that compare with the whole do so with
//! what is published (see [`compared`]); while persons are gathered, and nobody knows what will be, with the data.

mod bounds;
mod compared;
mod groups;
mod repair;

use scumble_privacy::EntityDemand;
use scumble_progress::Interrupted;

use crate::Database;
use crate::clusters::Clusters;
use crate::pairing::Ruler;

pub(crate) use bounds::{Bounds, MOST_MEMBERS, is_full};

/// Clusters that keep all bounds. `gather` finds clusters, with an eye on the bounds if there are any.
///
/// Clusters that are found without them are taken if they keep them. Else both ways are gone, and a third without those whose
/// secret is so rare that many others would have to be put together with them; what loses less in the end is taken.
pub(crate) fn keep<'t>(
    database: &Database<'t>,
    k: usize,
    demands: &[EntityDemand],
    gather: impl Fn(Option<&Bounds<'_, 't>>) -> Result<Clusters, Interrupted>,
    go_on: &impl Fn() -> bool,
) -> Result<Clusters, Interrupted> {
    let ask = || if go_on() { Ok(()) } else { Err(Interrupted) };
    let careless = gather(None)?;
    let bounds = Bounds::new(database, demands);
    ask()?;
    if bounds.bounds.is_empty() || bounds.broken(careless.clusters()).is_empty() {
        return Ok(careless);
    }
    let careful = repair::repair(&bounds, k, gather(Some(&bounds))?, go_on)?;
    let spared = repair::spare(&bounds, k, careless.clusters(), careless.left_out());
    ask()?;
    let careless = repair::repair(&bounds, k, careless, go_on)?;
    let ruler = Ruler::new(database);
    let lost = |clusters: &Clusters| {
        let clusters = clusters.clusters().iter();
        clusters
            .map(|cluster| repair::balance(database, ruler, cluster))
            .sum::<i64>()
    };
    ask()?;
    let best = if lost(&careful) < lost(&careless) {
        careful
    } else {
        careless
    };
    let spared = spared.map(|spared| repair::repair(&bounds, k, spared, go_on));
    Ok(match spared.transpose()? {
        Some(spared) if lost(&spared) < lost(&best) => spared,
        Some(_) | None => best,
    })
}
