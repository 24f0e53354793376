//! The `[taxonomies]` section: the content of each taxonomy file by its hash, so that all parties mean the same tree.

use std::path::Path;

use crate::spanned::Spanned;
use blake3::Hash;
use toml::de::DeValue;

use super::agreed::{AgreedTaxonomy, Agreement};
use crate::problems::Problems;
use crate::section::{Item, Section};
use crate::taxonomies::{Taxonomies, TextOf};
use crate::words::quoted;
use crate::written::{relative, text};

/// Reads the section; whether a column has such a taxonomy is not checked here.
pub(super) fn read_taxonomies(section: &Section, folder: &Path, problems: &mut Problems) -> Vec<AgreedTaxonomy> {
    let items = section.items().iter();
    items.filter_map(|item| read_taxonomy(item, folder, problems)).collect()
}

fn read_taxonomy(item: &Item, folder: &Path, problems: &mut Problems) -> Option<AgreedTaxonomy> {
    if let DeValue::Table(_) = item.value() {
        // TOML reads `sex.csv = …` as a table in a table.
        let help = "put a file name with a dot in quotes".to_owned();
        problems.at(
            item.key_span(),
            format!("{} is no file", quoted(item.key())),
            Some(help),
        );
        return None;
    }
    let hash = item.text(problems)?;
    let Ok(known) = Hash::from_hex(hash.get_ref()) else {
        item.must_be("64 hexadecimal digits, the BLAKE3 hash of the file", problems);
        return None;
    };
    Some(AgreedTaxonomy {
        file: Spanned::new(item.key_span(), relative(&folder.join(item.key()), folder)),
        hash: Spanned::new(hash.span(), known),
    })
}

impl Agreement {
    /// All taxonomies, from the texts of their files, each of which must hold what was agreed on.
    ///
    /// # Errors
    /// Everything that is wrong with any of them, at once. Of a file whose hash is wrong, or not agreed on, the help
    /// says the hash.
    pub fn taxonomies<E: From<Problems>>(&self, text_of: &mut TextOf<E>) -> Result<Taxonomies, E> {
        self.policy.taxonomies_that(text_of, &mut |file, content, problems| {
            let actual = blake3::hash(content.as_bytes());
            let name = relative(file.get_ref(), &self.folder);
            let (line, shown) = (format!("`{} = \"{actual}\"`", text(&name)), quoted(&name));
            match self
                .agreed_taxonomies
                .iter()
                .find(|agreed| *agreed.file.get_ref() == name)
            {
                Some(agreed) if *agreed.hash.get_ref() == actual => {}
                Some(agreed) => {
                    let message = format!("the taxonomy file {shown} does not hold what was agreed on");
                    let help = format!("get the file that the others have, or agree on this one: {line}");
                    problems.at(agreed.hash.span(), message, Some(help));
                }
                None => {
                    let message = format!("[taxonomies] does not say what {shown} holds");
                    problems.at(file.span(), message, Some(format!("add {line}")));
                }
            }
        })
    }
}
