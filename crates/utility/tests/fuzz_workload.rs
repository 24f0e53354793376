//! The fuzz body of labels and queries on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/workload.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn whatever_the_labels_figures_are_figures() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/workload");
    mutate::rehearse(&corpus, 3_000, body::run);
}
