//! JSON lines: one flat object per line; the keys of the first are the columns.
//!
//! Strings are taken by their content, numbers and booleans by their text, so `1.50` stays `1.50`. A key that is
//! absent or null is a missing value.

use std::{borrow::Cow, collections::HashMap, fmt, path::Path};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::blocks::{Block, Blocks, Ends};
use super::file::FileSource;
use super::keep::{Keep, Worker};
use super::opened::TableFile;
use super::parallel::parse_blocks;
use crate::Watch;
use crate::error::{Place, ReadError};

/// A file of JSON lines of which the first object is known.
pub(super) struct JsonLines {
    source: FileSource,
    block_size: usize,
    header: Vec<String>,
    blocks: Blocks,
}

impl JsonLines {
    pub fn open(source: FileSource, block_size: usize) -> Result<Self, ReadError> {
        let mut blocks = Blocks::open(&source.path, Ends::Lines, block_size)?;
        Ok(JsonLines {
            header: first_keys(&source.path, &mut blocks)?,
            source,
            block_size,
            blocks,
        })
    }
}

/// The keys of the first object, which stays in the blocks.
fn first_keys(path: &Path, blocks: &mut Blocks) -> Result<Vec<String>, ReadError> {
    let mut block = Block::default();
    while blocks.next_into(&mut block)? {
        let Some((start, line)) = lines(block.text(path)?).next() else {
            continue;
        };
        let keys = object(path, &block, start, line)?
            .0
            .into_iter()
            .map(|(Text(key), _)| key.into_owned())
            .collect();
        blocks.put_back(&block, start);
        return Ok(keys);
    }
    Err(ReadError::Empty { path: path.into() })
}

impl TableFile for JsonLines {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn rows<'k>(&mut self, keep: &'k Keep<'k>, watch: &dyn Watch) -> Result<Vec<Worker<'k>>, ReadError> {
        let path = &self.source.path;
        let columns = Columns::new(&self.header);
        parse_blocks(&mut self.blocks, keep, watch, |block, worker| {
            for (start, line) in lines(block.text(path)?) {
                let object = object(path, block, start, line)?;
                keep_object(&columns, object, worker).map_err(|fault| fault.at(path, block.line_at(start)))?;
                worker.end_rows(1)?;
            }
            Ok(())
        })
    }

    fn locate(&mut self, rows: &[usize]) -> Result<Vec<Place>, ReadError> {
        let mut again = Blocks::open(&self.source.path, Ends::Lines, self.block_size)?;
        again.locate(rows, |text| lines(text).map(|(start, _)| start).collect())
    }
}

/// The lines that are not blank, each with its start.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line.trim_ascii()))
    });
    starts.filter(|(_, line)| !line.is_empty())
}

fn object<'j>(path: &Path, block: &Block, start: usize, line: &'j str) -> Result<Object<'j>, ReadError> {
    // What the parser says may quote the line, so it is not passed on.
    serde_json::from_str(line).map_err(|_| ReadError::NotAnObject {
        path: path.into(),
        line: block.line_at(start),
    })
}

/// Why an object is not a row.
enum Misfit {
    /// A string with an escape that stands for no character.
    NotText,
    UnknownKey(String),
    RepeatedKey(String),
    Nested(String),
}

impl Misfit {
    fn at(self, path: &Path, line: usize) -> ReadError {
        let path = path.into();
        match self {
            Misfit::NotText => ReadError::NotAnObject { path, line },
            Misfit::UnknownKey(key) => ReadError::UnknownKey { path, line, key },
            Misfit::RepeatedKey(key) => ReadError::RepeatedKey { path, line, key },
            Misfit::Nested(column) => ReadError::Nested { path, line, column },
        }
    }
}

/// Which column a key is.
struct Columns<'h> {
    header: &'h [String],
    by_name: HashMap<&'h str, usize>,
}

impl<'h> Columns<'h> {
    fn new(header: &'h [String]) -> Self {
        let by_name = header.iter().enumerate().map(|(place, name)| (name.as_str(), place));
        Columns {
            header,
            by_name: by_name.collect(),
        }
    }

    /// The column of the key at this place of its object. Objects mostly keep the order of the first.
    fn find(&self, place: usize, key: &str) -> Option<usize> {
        match self.header.get(place) {
            Some(name) if *name == key => Some(place),
            _ => self.by_name.get(key).copied(),
        }
    }
}

fn keep_object(columns: &Columns, object: Object, worker: &mut Worker) -> Result<(), Misfit> {
    let mut given = vec![false; columns.header.len()];
    for (place, (Text(key), value)) in object.0.into_iter().enumerate() {
        let Some(column) = columns.find(place, &key) else {
            return Err(Misfit::UnknownKey(key.into_owned()));
        };
        if std::mem::replace(&mut given[column], true) {
            return Err(Misfit::RepeatedKey(key.into_owned()));
        }
        match value.get() {
            "null" => worker.push_missing(column),
            list if list.starts_with(['[', '{']) => return Err(Misfit::Nested(key.into_owned())),
            string if string.starts_with('"') => {
                let Text(text) = serde_json::from_str(string).map_err(|_| Misfit::NotText)?;
                worker.push(column, &text);
            }
            number => worker.push(column, number),
        }
    }
    for (column, _) in given.iter().enumerate().filter(|(_, given)| !**given) {
        worker.push_missing(column);
    }
    Ok(())
}

/// The keys and values of one line, in their order.
struct Object<'j>(Vec<(Text<'j>, &'j RawValue)>);

/// A string that is borrowed from the line unless it has escapes.
#[derive(Deserialize)]
struct Text<'j>(#[serde(borrow)] Cow<'j, str>);

impl<'j> Deserialize<'j> for Object<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'j> Visitor<'j> for Entries {
            type Value = Object<'j>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'j>>(self, mut map: M) -> Result<Object<'j>, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}
