//! Key paths: which item of a document the bytes of its text are.
//!
//! A path is written as TOML would be indexed, elements of a list counted from 0:
//!
//! ```text
//! data.file
//! columns."zip code".role
//! require[1].about.disease
//! ```
//!
//! Invariant: bytes that are both a list of tables and its first table (`[[require]]`) are the table, which is what a
//! problem there is about.

use std::collections::HashMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_writer::ToTomlKey;

/// The paths of a document by the places of keys and values.
#[derive(Debug, Default)]
pub struct KeyPaths {
    by_place: HashMap<Range<usize>, String>,
}

impl KeyPaths {
    /// The paths of all that a text holds, as far as it is TOML.
    pub fn of(text: &str) -> KeyPaths {
        let (document, _) = DeTable::parse_recoverable(text);
        let mut paths = KeyPaths::default();
        paths.add_table("", document.get_ref());
        paths
    }

    /// The path of the key or value at this place.
    pub fn find(&self, place: &Range<usize>) -> Option<&str> {
        self.by_place.get(place).map(String::as_str)
    }

    fn add_table(&mut self, path: &str, table: &DeTable) {
        for (key, value) in table {
            let dot = if path.is_empty() { "" } else { "." };
            let inner = format!("{path}{dot}{}", key.get_ref().as_ref().to_toml_key());
            self.by_place.insert(key.span(), inner.clone());
            self.add_value(inner, value);
        }
    }

    fn add_value(&mut self, path: String, value: &Spanned<DeValue>) {
        match value.get_ref() {
            DeValue::Table(table) => self.add_table(&path, table),
            DeValue::Array(values) => {
                for (number, element) in values.iter().enumerate() {
                    self.add_value(format!("{path}[{number}]"), element);
                }
            }
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => {}
        }
        // Nothing of what is inside takes the same bytes, but for the first of several tables.
        self.by_place.entry(value.span()).or_insert(path);
    }
}
