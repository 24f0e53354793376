//! The whole flow in one call, as the command line makes it: policy in, audited release out.

use std::path::{Path, PathBuf};

use scumble_policy::Policy;
use scumble_progress::Watch;

use crate::error::Error;
use crate::folder::{ReleaseFolder, Target};
use crate::found::Data;
use crate::inputs::{Inputs, Sources};
use crate::ledger::{OpenLedger, Remember};
use crate::search::Search;
use crate::study::Questions;

/// What the one who calls decides, beside the policy.
#[derive(Clone, Debug, Default)]
pub struct Options<'o> {
    /// Where to put the release, if not where the policy says.
    pub folder: Option<&'o Path>,
    /// Whether a release that is there already may be replaced.
    pub replace: bool,
    /// Where rows are read from, if not from where the policy says.
    pub sources: Sources,
    /// What is asked of the search.
    pub search: Search,
    /// The ledger of earlier releases, which are then taken into account.
    pub ledger: Option<Remember<'o>>,
    /// Mask exactly as this earlier version of the ledger, instead of searching.
    pub like: Option<&'o str>,
    /// What to find out of the release.
    pub questions: Questions,
}

/// Publishes the data of a policy.
///
/// # Errors
/// Whatever keeps the release from being made; then nothing is written.
pub fn publish(policy: &Policy, options: &Options, watch: &dyn Watch) -> Result<ReleaseFolder, Error> {
    // On a thread of the pool, as all the rest: what one thread has let go of, another may not get from the allocator.
    rayon::join(|| publish_in_pool(policy, options, watch), || ()).0
}

fn publish_in_pool(policy: &Policy, options: &Options, watch: &dyn Watch) -> Result<ReleaseFolder, Error> {
    let settings = &policy.release;
    let folder = options.folder.unwrap_or(&settings.folder);
    let target = Target::open(folder, options.replace)?;
    let file: PathBuf = folder.join(settings.format.file_name());
    let ledger = options
        .ledger
        .as_ref()
        .map(|remember| OpenLedger::open(remember, file, watch))
        .transpose()?;
    let inputs = Inputs::read(policy, &options.sources, ledger.as_ref(), watch)?;
    let mut search = options.search.clone();
    if let Some(like) = options.like {
        search.mask = Some(inputs.version(like)?.clone());
    }
    let data = match options.questions.need_data() {
        true => Data::Kept,
        false => Data::LetGo,
    };
    inputs
        .search(&search, watch)?
        .release(data, watch)?
        .study(&options.questions, watch)?
        .write(target, ledger, watch)
}
