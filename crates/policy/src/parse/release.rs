//! Reading the `[release]` section.

use std::path::Path;

use crate::problems::Problems;
use crate::release::{FORMATS, Formulas, ORDERS, Release, UNLISTED};
use crate::section::Section;
use crate::spanned::Spanned;

/// What to write.
pub fn read_release(mut section: Section, folder: &Path, problems: &mut Problems) -> Release {
    let path = section.item("folder").and_then(|item| item.path(folder, problems));
    let format = section.item("format");
    let format = format.and_then(|item| item.word("format", &FORMATS, &[], problems));
    let order = section.item("order");
    let order = order.and_then(|item| item.word("order", &ORDERS, &[], problems));
    let formulas = section.item("formulas");
    let formulas = formulas.and_then(|item| item.word("`formulas` value", &Formulas::WORDS, &[], problems));
    let unlisted = section.item("unlisted");
    let unlisted = unlisted.and_then(|item| item.word("`unlisted` value", &UNLISTED, &[], problems));
    section.finish(&[], problems);
    let usual = Release::to_folder(path.map_or_else(|| folder.join("out"), Spanned::into_inner));
    Release {
        format: format.unwrap_or(usual.format),
        order: order.unwrap_or(usual.order),
        formulas: formulas.unwrap_or(usual.formulas),
        unlisted: unlisted.unwrap_or(usual.unlisted),
        ..usual
    }
}
