//! The fuzz body of the reader of Arrow on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/arrow.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn an_arrow_file_is_read_whole_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/arrow");
    mutate::rehearse(&corpus, 1_000, body::run);
}
