//! The fuzz body of the policy on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/policy.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn a_policy_is_right_or_its_problems_are_told() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/policy");
    mutate::rehearse(&corpus, 5_000, body::run);
}
