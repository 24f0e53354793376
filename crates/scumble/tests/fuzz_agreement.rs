//! The fuzz body of the agreement on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/agreement.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn an_agreement_is_right_or_its_problems_are_told() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/agreement");
    mutate::rehearse(&corpus, 5_000, body::run);
}
