//! Attacking a release of several tables, as someone would who knows some rows of a person.

use std::collections::BTreeMap;
use std::path::Path;

use scumble_attack::{EntityAttack, EntityAttackSettings, attack_entities};
use scumble_privacy::{OriginalTable, ReleasedDatabase};
use scumble_progress::{Stage, Watch};

use super::audit::ReleasedFiles;
use super::certify::singled_out;
use super::load::{database, load, places};
use super::released::originals;
use crate::error::Error;
use crate::texts::read_taxonomies;
use scumble_policy::Policy;

/// Attacks the folder of a release. What is known is taken from the data of the policy.
pub fn attack_database(folder: &Path, policy: &Policy, watch: &dyn Watch) -> Result<EntityAttack, Error> {
    let taxonomies = read_taxonomies(policy)?;
    let (plan, rows) = load(policy, &BTreeMap::new(), &taxonomies, watch)?;
    let places = places(&plan, &database(&plan, &rows)?);
    let files = ReleasedFiles { folder, policy };
    let released = files.read_checked(&plan, &places, watch)?;
    let originals = originals(&plan, &rows, &places);
    Ok(EntityAttack {
        singled_out: singled_out(&plan, &places, &released, policy.persons_alike()),
        ..attack(&released, &originals, policy.method.seed, watch)?
    })
}

/// Attacks a release beside the tables that it was made from.
pub(super) fn attack(
    released: &ReleasedDatabase,
    originals: &[OriginalTable],
    seed: u64,
    watch: &dyn Watch,
) -> Result<EntityAttack, Error> {
    let settings = EntityAttackSettings {
        seed,
        ..EntityAttackSettings::default()
    };
    Stage::Attacking.run(watch, |work| Ok(attack_entities(released, originals, settings, work)?))
}
