//! The fuzz body of the reader of workbooks on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/workbook.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

#[test]
fn a_workbook_is_read_whole_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/workbook");
    mutate::rehearse(&corpus, 400, body::run);
}
