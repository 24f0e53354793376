//! An agreement is bound as the policy that one who had all columns would write.

#[path = "../../policy/tests/agreement/desk.rs"]
#[expect(dead_code, reason = "a test of the policy crate needs more of it")]
mod desk;
#[path = "../../policy/tests/keys/mod.rs"]
mod keys;

use std::path::Path;

use scumble_bind::bind;
use scumble_policy::{Policy, Problems};

/// The release is what `publish` makes of the joined table, so both must ask for the same.
#[test]
fn the_joined_policy_plans_the_same() {
    let (agreement, taxonomies) = desk::beside_taxonomy(desk::EVERYTHING);
    let taxonomies = taxonomies.unwrap_or_else(|error| panic!("{error}"));
    let header = agreement.header();
    let together = bind(&agreement.policy, &header, &[], &taxonomies).unwrap();

    let joined = agreement.joined_policy("joined.csv");
    let folder = Path::new("deal");
    let policy = Policy::parse(&joined, "joined.toml", folder).unwrap_or_else(|error| panic!("{error}\n{joined}"));
    let taxonomies = policy
        .taxonomies::<Problems>(&mut |path| Ok(desk::sexes(path)))
        .unwrap();
    let alone = bind(&policy, &header, &[], &taxonomies).unwrap();

    assert_eq!(policy.data.file().unwrap(), &folder.join("joined.csv"));
    assert_eq!(alone.requirement, together.requirement);
    assert_eq!(alone.requirement.templates.len(), 17);
    assert_eq!(alone.part_of, together.part_of);
    assert_eq!(alone.class, together.class);
    assert_eq!(policy.columns, agreement.policy.columns);
    assert_eq!(policy.method, agreement.policy.method);
    assert_eq!(policy.release.format, agreement.policy.release.format);
}
