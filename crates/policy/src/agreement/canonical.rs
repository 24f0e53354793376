//! The canonical form of an agreement: one fact per line, whatever the layout of the file.
//!
//! Invariant: two agreements have the same canonical form if and only if they say the same. Columns keep their order,
//! which decides ties; everything else is numbered or sorted.
//!
//! ```text
//! party.1.name = "bank"
//! columns.sex.role = "quasi"
//! require.1.anonymity = 4
//! taxonomies."sex.csv" = "9c1e…"
//! ```

use std::collections::BTreeMap;

use toml_writer::ToTomlKey;

use super::agreed::Agreement;
use crate::written::{Setting, text, texts};

impl Agreement {
    /// What is agreed on, one fact per line: the same for everybody who agrees, and for nobody else.
    pub fn canonical(&self) -> String {
        let facts = self.policy.facts(&self.folder);
        let mut lines = Lines::default();
        for (number, party) in (1..).zip(&self.parties) {
            let settings = [("name", text(&party.name)), ("address", text(&party.address))];
            lines.section(&format!("party.{number}"), &settings);
        }
        lines.fact("key.column", &text(&self.key));
        // Only where it is so: an agreement that does not speak of it is the same as before there was such a thing.
        if self.same_records {
            lines.fact("key.same_records", "true");
        }
        lines.section("data", &facts.data);
        for (name, settings) in &facts.columns {
            let section = format!("columns.{}", name.to_toml_key());
            lines.section(&section, settings);
            lines.fact(&format!("{section}.party"), &self.owners_of(name));
        }
        for (file, hash) in self.hashes() {
            lines.fact(&format!("taxonomies.{}", file.to_toml_key()), &text(&hash));
        }
        for (number, settings) in (1..).zip(&facts.require) {
            lines.section(&format!("require.{number}"), settings);
        }
        lines.section("method", &facts.method);
        lines.section("release", &facts.release);
        lines.fact("release.by_record", &self.by_record.to_string());
        lines.text
    }

    /// The BLAKE3 hash of the canonical form.
    pub fn hash(&self) -> [u8; 32] {
        *blake3::hash(self.canonical().as_bytes()).as_bytes()
    }

    /// The policy with which `publish` makes the same release of the joined table in `file`, as TOML.
    /// Its paths are relative to the folder of the agreement.
    pub fn joined_policy(&self, file: &str) -> String {
        self.policy.facts(&self.folder).to_toml(file)
    }

    fn owners_of(&self, column: &str) -> String {
        let names = self.owners(column).iter().map(|&party| &self.parties[party].name);
        texts(names)
    }

    /// Taxonomy files with their hashes, sorted by name.
    fn hashes(&self) -> BTreeMap<&str, String> {
        let agreed = self.agreed_taxonomies.iter();
        let pairs = agreed.map(|agreed| (agreed.file.get_ref().as_str(), agreed.hash.get_ref().to_string()));
        pairs.collect()
    }
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn fact(&mut self, key: &str, value: &str) {
        self.text.extend([key, " = ", value, "\n"]);
    }

    fn section(&mut self, name: &str, settings: &[Setting]) {
        for (key, value) in settings {
            self.fact(&format!("{name}.{key}"), value);
        }
    }
}
