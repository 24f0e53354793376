//! The fuzz body of the taxonomy readers on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/taxonomy.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn the_readers_hold_on_the_corpus_and_its_mutations() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/taxonomy");
    mutate::rehearse(&corpus, 20_000, body::run);
}
