//! What two canonical forms of an agreement differ in, in plain words.
//!
//! The other form comes from another party, so nothing about it is sure: whatever it holds, each line of the answer is
//! short, and one line.

use std::collections::{BTreeMap, BTreeSet};

use crate::words::{LONGEST_SHOWN, shown};

/// As many differences as are told.
const MOST: usize = 20;

/// The differences of two canonical forms, at most 20: `require.1.anonymity: 4 here, 5 there`, `columns.job: only
/// here`. There are none if and only if the forms are equal.
pub fn differences(own: &str, other: &str) -> Vec<String> {
    if own == other {
        return Vec::new();
    }
    let (here, there) = (Form::read(own), Form::read(other));
    let mut told = here.beside(&there);
    told.extend(there.only(&here, "there"));
    if told.is_empty() {
        told.push(order(&here, &there));
    }
    if told.len() > MOST {
        let more = told.len() - (MOST - 1);
        told.truncate(MOST - 1);
        told.push(format!("and {more} more"));
    }
    told
}

/// Facts by key, the keys in their order, and the sections that they are in.
struct Form<'t> {
    keys: Vec<&'t str>,
    values: BTreeMap<&'t str, &'t str>,
    sections: BTreeSet<&'t str>,
}

impl<'t> Form<'t> {
    fn read(text: &'t str) -> Self {
        let facts: Vec<(&str, &str)> = text.lines().map(split_fact).collect();
        Form {
            keys: facts.iter().map(|&(key, _)| key).collect(),
            sections: facts.iter().map(|&(key, _)| section_of(key)).collect(),
            values: facts.into_iter().collect(),
        }
    }

    /// The facts that are different there or are not there at all, in order.
    fn beside(&self, there: &Form) -> Vec<String> {
        let mut told = Vec::new();
        for key in &self.keys {
            match there.values.get(key) {
                Some(value) if *value == self.values[key] => {}
                Some(value) => {
                    let (here, there) = apart(self.values[key], value);
                    told.push(format!("{}: {here} here, {there} there", shown(key)));
                }
                None => told.push(only(there.missing_part(key), "here")),
            }
        }
        told.dedup();
        told
    }

    /// The facts that are only here, which the one who is told calls `place`.
    fn only(&self, other: &Form, place: &str) -> Vec<String> {
        let missing = self.keys.iter().filter(|key| !other.values.contains_key(*key));
        let mut told: Vec<String> = missing.map(|key| only(other.missing_part(key), place)).collect();
        told.dedup();
        told
    }

    /// What of a key that is not here is missing: the whole section, such as `columns.job`, if nothing of it is here.
    fn missing_part<'k>(&self, key: &'k str) -> &'k str {
        let section = section_of(key);
        match self.sections.contains(section) {
            true => key,
            false => section,
        }
    }
}

/// As many characters as are told of what two long values have in common before they part.
const IN_COMMON: usize = 20;

/// Two different values on one line each. Of long ones, a part that shows the difference.
fn apart(here: &str, there: &str) -> (String, String) {
    let fits = |value: &str| value.chars().nth(LONGEST_SHOWN).is_none();
    if fits(here) && fits(there) {
        return (shown(here), shown(there));
    }
    let common = here.chars().zip(there.chars()).take_while(|(a, b)| a == b).count();
    let skipped = common.saturating_sub(IN_COMMON);
    let part = |value: &str| {
        let part: String = value.chars().skip(skipped).collect();
        format!("{}{}", if skipped > 0 { "…" } else { "" }, shown(&part))
    };
    (part(here), part(there))
}

fn only(what: &str, place: &str) -> String {
    format!("{}: only {place}", shown(what))
}

/// The first facts that stand in another order, of forms with the same facts.
fn order(here: &Form, there: &Form) -> String {
    let different = here.keys.iter().zip(&there.keys).find(|(here, there)| here != there);
    match different {
        Some((here, there)) => {
            let (here, there) = (shown(section_of(here)), shown(section_of(there)));
            format!("order: {here} here, where {there} is there")
        }
        None => "the other text is not in canonical form".to_owned(),
    }
}

/// The key and the value of a line; quotes in a key may hold anything.
fn split_fact(line: &str) -> (&str, &str) {
    let mut spaces = outside_quotes(line).filter(|&(_, c)| c == ' ');
    let end = spaces.next().map_or(line.len(), |(end, _)| end);
    let (key, value) = line.split_at(end);
    (key, value.strip_prefix(" = ").unwrap_or(value))
}

/// The section of a key: its first two words.
fn section_of(key: &str) -> &str {
    let second_dot = outside_quotes(key).filter(|&(_, c)| c == '.').nth(1);
    &key[..second_dot.map_or(key.len(), |(at, _)| at)]
}

/// The characters that are in no quotes, with their places.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    let mut is_escaped = false;
    text.char_indices().filter(move |&(_, c)| match quote {
        Some(open) => {
            if !is_escaped && c == open {
                quote = None;
            }
            // Only double quotes know escapes.
            is_escaped = !is_escaped && c == '\\' && open == '"';
            false
        }
        None if c == '"' || c == '\'' => {
            quote = Some(c);
            false
        }
        None => true,
    })
}
