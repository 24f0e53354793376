//! The fuzz body of the entries of a ledger on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/ledger.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn a_ledger_is_read_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/ledger");
    mutate::rehearse(&corpus, 500, body::run);
}
