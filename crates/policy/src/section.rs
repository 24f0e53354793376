//! A [`Section`] is one table of a policy, or of an agreement, while it is being read.
//!
//! Invariant: the keys that were asked for are the valid ones, but for those that were refused before. So
//! [`Section::finish`] can report every other key, and the list of valid keys in its message is never out of date.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::spanned::Spanned;
use toml::de::{DeTable, DeValue};

use crate::problems::Problems;
use crate::words::{did_you_mean, list, quoted, suggestion};

/// A table of the document.
pub struct Section<'d> {
    /// What messages call it: `[data]`.
    name: String,
    /// Where it begins; none if the document does not have it.
    span: Option<Range<usize>>,
    /// What it holds, in the order of the text.
    items: Vec<Item<'d>>,
    asked: Vec<&'static str>,
    refused: Vec<&'static str>,
}

/// A key with its value.
#[derive(Clone)]
pub struct Item<'d> {
    key: Spanned<&'d str>,
    value: &'d DeValue<'d>,
    span: Range<usize>,
}

impl<'d> Section<'d> {
    /// A table that begins at `span`.
    pub fn new(name: impl Into<String>, span: Range<usize>, table: &'d DeTable<'d>) -> Self {
        let mut items: Vec<Item> = table
            .iter()
            .map(|(key, value)| Item {
                key: Spanned::new(key.span(), key.get_ref().as_ref()),
                value: value.get_ref(),
                span: value.span(),
            })
            .collect();
        // The parser sorts keys by name; the order of the text is the tie order of the search.
        items.sort_by_key(|item| item.key.span().start);
        Section {
            name: name.into(),
            span: Some(span),
            items,
            asked: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// A table that the document does not have: nothing in it is set.
    pub fn absent() -> Self {
        Section {
            name: String::new(),
            span: None,
            items: Vec::new(),
            asked: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Reports something about the table as a whole; one that is absent was reported as that.
    pub fn report(&self, message: impl Into<String>, help: Option<String>, problems: &mut Problems) {
        if let Some(span) = &self.span {
            problems.at(span.clone(), message, help);
        }
    }

    /// Where it begins; the beginning of the document for one that is absent.
    pub fn span(&self) -> Range<usize> {
        self.span.clone().unwrap_or(0..0)
    }

    /// All that it holds, whatever the keys.
    pub fn items(&self) -> &[Item<'d>] {
        &self.items
    }

    /// Whether it has this key. Does not make the key a valid one.
    pub fn has(&self, key: &str) -> bool {
        self.items.iter().any(|item| item.key() == key)
    }

    /// The item with this key, which is a valid one here.
    pub fn item(&mut self, key: &'static str) -> Option<Item<'d>> {
        self.asked.push(key);
        self.items.iter().find(|item| item.key() == key).cloned()
    }

    /// The item with this key, which must be there.
    pub fn needed(&mut self, key: &'static str, help: &str, problems: &mut Problems) -> Option<Item<'d>> {
        let item = self.item(key);
        if item.is_none() {
            self.report(format!("{} has no `{key}`", self.name), Some(help.to_owned()), problems);
        }
        item
    }

    /// The table with this key, which may be left out.
    pub fn table(&mut self, key: &'static str, problems: &mut Problems) -> Section<'d> {
        self.item(key)
            .and_then(|item| item.section(format!("[{key}]"), problems))
            .unwrap_or_else(Section::absent)
    }

    /// The table with this key, which every document has.
    pub fn needed_table(&mut self, key: &'static str, problems: &mut Problems) -> Section<'d> {
        if !self.has(key) {
            problems.overall(format!("there is no [{key}] section"), None);
        }
        self.table(key, problems)
    }

    /// Reports a key that has its place elsewhere, and goes on without it: who asks for it later does not find it.
    pub fn refuse(&mut self, key: &'static str, message: &str, help: &str, problems: &mut Problems) {
        self.refused.push(key);
        if let Some(place) = self.items.iter().position(|item| item.key() == key) {
            let item = self.items.remove(place);
            problems.at(item.key_span(), message, Some(help.to_owned()));
        }
    }

    /// Reports the keys that are not valid here. Those in `later` are known words that this version cannot act on.
    /// Returns whether there was any.
    pub fn finish(&self, later: &[&str], problems: &mut Problems) -> bool {
        let valid = self.asked.iter().copied().filter(|key| !self.refused.contains(key));
        let strange: Vec<&Item> = self
            .items
            .iter()
            .filter(|item| !self.asked.contains(&item.key()))
            .collect();
        for item in &strange {
            if later.contains(&item.key()) {
                not_available(&item.key, valid.clone(), problems);
            } else {
                let message = format!("unknown key {} in {}", quoted(item.key()), self.name);
                let help = did_you_mean(item.key(), valid.clone().chain(later.iter().copied()))
                    .unwrap_or_else(|| format!("valid: {}", list(valid.clone())));
                problems.at(item.key.span(), message, Some(help));
            }
        }
        !strange.is_empty()
    }
}

impl<'d> Item<'d> {
    /// The key.
    pub fn key(&self) -> &'d str {
        self.key.get_ref()
    }

    /// Where the key is.
    pub fn key_span(&self) -> Range<usize> {
        self.key.span()
    }

    /// Where the value is.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value.
    pub fn value(&self) -> &'d DeValue<'d> {
        self.value
    }

    /// Reports that the value is not what the key needs.
    pub fn must_be(&self, what: &str, problems: &mut Problems) {
        let message = format!("{} must be {what}", quoted(self.key()));
        problems.at(self.span(), message, None);
    }

    /// The value as a table of its own, which messages call `name`.
    pub fn section(&self, name: impl Into<String>, problems: &mut Problems) -> Option<Section<'d>> {
        match self.value {
            DeValue::Table(table) => Some(Section::new(name, self.span(), table)),
            _ => self.wrong("a table", problems),
        }
    }

    /// The value as a list of tables, at least one: `[[key]]`.
    pub fn sections(&self, problems: &mut Problems) -> Option<Vec<Section<'d>>> {
        let name = format!("[[{}]]", self.key());
        let section = |value: &'d toml::Spanned<DeValue<'d>>| match value.get_ref() {
            DeValue::Table(table) => Some(Section::new(name.clone(), value.span(), table)),
            _ => None,
        };
        let sections: Option<Vec<Section>> = match self.value {
            DeValue::Array(values) => values.iter().map(section).collect(),
            _ => None,
        };
        let sections = sections.filter(|sections| !sections.is_empty());
        if sections.is_none() {
            let message = format!("{} must be a list of sections", quoted(self.key()));
            problems.at(self.span(), message, Some(format!("write {name}, with two brackets")));
        }
        sections
    }

    /// The value as a text.
    pub fn text(&self, problems: &mut Problems) -> Option<Spanned<String>> {
        match self.value {
            DeValue::String(text) => Some(Spanned::new(self.span(), text.to_string())),
            _ => self.wrong("a text in quotes", problems),
        }
    }

    /// The value as a path, relative to `folder`.
    pub fn path(&self, folder: &Path, problems: &mut Problems) -> Option<Spanned<PathBuf>> {
        match self.text(problems)?.into_inner().as_str() {
            "" => self.wrong("a path", problems),
            path => Some(Spanned::new(self.span(), folder.join(path))),
        }
    }

    /// The value as a list of different texts, at least one.
    pub fn names(&self, problems: &mut Problems) -> Option<Vec<Spanned<String>>> {
        let names = self.texts(problems)?;
        if names.is_empty() {
            return self.wrong("a list of at least one name", problems);
        }
        let mut different: Vec<Spanned<String>> = Vec::new();
        let mut met: HashSet<String> = HashSet::new();
        for name in names {
            if !met.insert(name.get_ref().clone()) {
                let message = format!("{} is twice in {}", quoted(name.get_ref()), quoted(self.key()));
                problems.at(name.span(), message, None);
            } else {
                different.push(name);
            }
        }
        Some(different)
    }

    /// The value as a list of texts.
    pub fn texts(&self, problems: &mut Problems) -> Option<Vec<Spanned<String>>> {
        let DeValue::Array(values) = self.value else {
            return self.wrong("a list of texts, such as [\"a\", \"b\"]", problems);
        };
        let text = |value: &toml::Spanned<DeValue>| match value.get_ref() {
            DeValue::String(text) => Some(Spanned::new(value.span(), text.to_string())),
            _ => None,
        };
        match values.iter().map(text).collect() {
            Some(texts) => Some(texts),
            None => self.wrong("a list of texts, such as [\"a\", \"b\"]", problems),
        }
    }

    /// The value as a whole number, at least `least`.
    pub fn whole(&self, least: u64, problems: &mut Problems) -> Option<u64> {
        let whole = match self.value {
            DeValue::Integer(integer) => u64::from_str_radix(integer.as_str(), integer.radix()).ok(),
            _ => None,
        };
        match whole {
            Some(whole) if whole >= least => Some(whole),
            _ => self.wrong(&format!("a whole number, at least {least}"), problems),
        }
    }

    /// The value as a finite number that `fits`, which messages describe as `what`.
    pub fn number(&self, what: &str, fits: fn(f64) -> bool, problems: &mut Problems) -> Option<f64> {
        match number(self.value) {
            Some(number) if fits(number) => Some(number),
            _ => self.wrong(what, problems),
        }
    }

    /// The value as yes or no.
    pub fn flag(&self, problems: &mut Problems) -> Option<bool> {
        match self.value {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.wrong("true or false", problems),
        }
    }

    /// The value as one of the words in `valid`, of which messages speak as `what`. Words in `later` are known, but
    /// this version cannot act on them.
    pub fn word<T: Copy>(
        &self,
        what: &str,
        valid: &[(&'static str, T)],
        later: &[&str],
        problems: &mut Problems,
    ) -> Option<T> {
        let word = self.text(problems)?;
        let words = valid.iter().map(|&(word, _)| word);
        let meaning = valid.iter().find(|(valid, _)| valid == word.get_ref());
        if meaning.is_none() && later.contains(&word.get_ref().as_str()) {
            not_available(&word, words, problems);
        } else if meaning.is_none() {
            let message = format!("unknown {what} {}", quoted(word.get_ref()));
            problems.at(word.span(), message, Some(suggestion(word.get_ref(), words)));
        }
        meaning.map(|&(_, meaning)| meaning)
    }

    fn wrong<T>(&self, what: &str, problems: &mut Problems) -> Option<T> {
        self.must_be(what, problems);
        None
    }
}

/// A finite number, written with or without a point.
pub fn number(value: &DeValue) -> Option<f64> {
    let number: f64 = match value {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok()? as f64,
        DeValue::Float(float) => float.as_str().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Reports a known word that this version cannot act on.
pub fn not_available<'w>(
    word: &Spanned<impl AsRef<str>>,
    available: impl IntoIterator<Item = &'w str>,
    problems: &mut Problems,
) {
    let message = format!("{} is not available in this version", quoted(word.get_ref().as_ref()));
    problems.at(word.span(), message, Some(format!("available: {}", list(available))));
}
