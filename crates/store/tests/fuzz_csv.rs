//! The fuzz body of the reader of separated text on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/csv.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn a_table_is_read_whole_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/csv");
    mutate::rehearse(&corpus, 2_000, body::run);
}
