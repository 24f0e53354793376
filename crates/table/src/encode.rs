//! Encoding: from cells to codes, by several workers that each see some blocks of rows.
//!
//! Every worker keeps its own [`Encoder`] per column and numbers values as it meets them. [`merge`]
//! puts the workers' blocks back in row order and replaces those numbers by codes in value order, so the result
//! does not depend on how many workers there were or which block went to whom.

use foldhash::fast::FixedState;
use hashbrown::{HashTable, hash_table::Entry};
use std::hash::BuildHasher;

use crate::{Codes, Dictionary, Texts, ValueOrder, parse_number, with_codes};

const HASH: FixedState = FixedState::with_seed(0);

/// The number that every encoder gives the missing value; other values follow from 1.
const MISSING: u32 = 0;

/// Numbers the distinct texts it is given, in the order it meets them.
#[derive(Debug, Default)]
struct Numbering {
    texts: Texts,
    index: HashTable<Indexed>,
}

/// A text in the index. Its hash is kept because a growing index needs it again, and the texts of a large one are
/// no longer in any cache.
#[derive(Debug)]
struct Indexed {
    hash: u32,
    number: u32,
}

impl Indexed {
    /// The kept half twice: an index takes a slot from the lower bits and a tag from the upper ones.
    fn spread(hash: u32) -> u64 {
        u64::from(hash) << 32 | u64::from(hash)
    }
}

impl Numbering {
    fn number(&mut self, text: &str) -> u32 {
        let Numbering { texts, index } = self;
        let hash = HASH.hash_one(text) as u32;
        let entry = index.entry(
            Indexed::spread(hash),
            |indexed| indexed.hash == hash && texts.at(indexed.number as usize) == text,
            |indexed| Indexed::spread(indexed.hash),
        );
        match entry {
            Entry::Occupied(entry) => entry.get().number,
            Entry::Vacant(entry) => {
                let number = texts.len() as u32;
                entry.insert(Indexed { hash, number });
                texts.push(text);
                number
            }
        }
    }

    /// Gives a text a number of its own, whether or not it was met before.
    fn append(&mut self, text: &str) -> u32 {
        self.texts.push(text) as u32
    }

    /// The texts in the order of their numbers. Frees the index, which is the larger part of a long dictionary.
    fn into_texts(self) -> Texts {
        self.texts
    }

    /// Takes in the texts of another numbering and tells their numbers here.
    fn absorb(&mut self, other: Numbering, order: ValueOrder) -> Vec<u32> {
        if self.texts.is_empty() {
            *self = other;
            return (0..self.texts.len() as u32).collect();
        }
        let texts = other.texts.iter();
        match order {
            ValueOrder::AsMet => texts.map(|text| self.append(text)).collect(),
            _ => texts.map(|text| self.number(text)).collect(),
        }
    }
}

/// A text of at most 16 bytes as integers: equal exactly if the texts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Short {
    head: u64,
    tail: u64,
    length: u32,
}

impl Short {
    /// The first bytes and the last; they overlap where the text is shorter than both, and with the length they tell
    /// every byte.
    #[inline]
    fn new(text: &[u8]) -> Option<Short> {
        let (head, tail) = match *text {
            [] => (0, 0),
            [first, ref rest @ ..] if text.len() < 4 => {
                let at = |place: usize| u64::from(rest.get(place).copied().unwrap_or(0));
                (first.into(), at(0) << 8 | at(1))
            }
            _ if text.len() < 8 => (
                u32::from_le_bytes(*text.first_chunk()?).into(),
                u32::from_le_bytes(*text.last_chunk()?).into(),
            ),
            _ if text.len() <= 16 => (
                u64::from_le_bytes(*text.first_chunk()?),
                u64::from_le_bytes(*text.last_chunk()?),
            ),
            _ => return None,
        };
        let length = text.len() as u32;
        Some(Short { head, tail, length })
    }
}

/// The numbers of short texts met lately. Most columns repeat a few short values, and two integers compare faster
/// than a text is hashed and looked up.
///
/// There are none before a column has many cells in a block: a table of a hundred thousand columns has few, and the slots
/// of all of them would take thousands of MiB.
#[derive(Debug, Default)]
struct Recent {
    /// A text has one slot, which it may lose to another; [`MISSING`] is the number of a slot that is free.
    slots: Vec<(Short, u32)>,
}

impl Recent {
    /// 12 KiB per column, so that the columns of a table stay in the cache of a core together.
    const SLOT_BITS: u32 = 9;

    /// Makes the slots, all of them free.
    #[cold]
    fn open(&mut self) {
        self.slots = vec![(Short::default(), MISSING); 1 << Self::SLOT_BITS];
    }

    #[inline]
    fn slot(&mut self, text: Short) -> &mut (Short, u32) {
        // Multiplying by odd constants without pattern moves every bit of a text into the upper ones.
        let head = (text.head ^ u64::from(text.length)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let tail = text.tail.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        &mut self.slots[((head ^ tail) >> (u64::BITS - Self::SLOT_BITS)) as usize]
    }
}

/// One worker's view of one column.
#[derive(Debug, Default)]
pub struct Encoder {
    values: Numbering,
    recent: Recent,
    block: Vec<u32>,
    is_of_ids: bool,
}

impl Encoder {
    /// An encoder that has seen nothing.
    pub fn new() -> Self {
        Encoder::default()
    }

    /// An encoder of ids: cells that are hardly ever equal, so none is looked up and each is a value of its own. For
    /// [`ValueOrder::AsMet`].
    pub fn of_ids() -> Self {
        Encoder {
            is_of_ids: true,
            ..Encoder::default()
        }
    }

    /// Adds the next cell, `None` if missing.
    #[inline]
    pub fn push(&mut self, cell: Option<&str>) {
        let number = cell.map_or(MISSING, |text| self.number(text));
        self.block.push(number);
    }

    #[inline]
    fn number(&mut self, text: &str) -> u32 {
        if self.is_of_ids {
            return self.values.append(text) + 1;
        }
        let Some(short) = Short::new(text.as_bytes()) else {
            return self.values.number(text) + 1;
        };
        if self.recent.slots.is_empty() {
            if self.block.len() >> Recent::SLOT_BITS == 0 {
                return self.values.number(text) + 1;
            }
            self.recent.open();
        }
        let (recent, number) = self.recent.slot(short);
        if *recent != short || *number == MISSING {
            *recent = short;
            *number = self.values.number(text) + 1;
        }
        *number
    }

    /// Ends a block of rows and returns its numbers, packed.
    pub fn take_block(&mut self) -> Codes {
        let packed = Codes::collect(self.values.texts.len() + 1, self.block.iter().copied());
        self.block.clear();
        packed
    }
}

/// Joins the workers' blocks, each with its place in the file: the different values, and the code of each row.
pub(crate) fn merge(order: ValueOrder, workers: Vec<(Encoder, Vec<(usize, Codes)>)>) -> (Dictionary, Codes) {
    let mut all = Numbering::default();
    let mut blocks = Vec::new();
    let mut numberings = Vec::new();
    for (worker, (encoder, own)) in workers.into_iter().enumerate() {
        numberings.push(all.absorb(encoder.values, order));
        blocks.extend(own.into_iter().map(|(place, codes)| (place, worker, codes)));
    }
    blocks.sort_by_key(|&(place, ..)| place);

    let texts = all.into_texts();
    let is_as_met = matches!(order, ValueOrder::AsMet);
    let (texts, code_of) = match is_as_met {
        true => {
            let as_met = (0..texts.len() as u32).collect();
            (texts, as_met)
        }
        false => ranked(&texts, order),
    };
    let missing = blocks
        .iter()
        .any(|(.., codes)| with_codes!(codes, |c| c.contains(&(MISSING as _))));
    let dictionary = match is_as_met {
        true => Dictionary::unordered(texts, missing),
        false => Dictionary::new(texts, missing),
    };
    let mut codes = Codes::for_distinct(dictionary.len());
    let rows = blocks.iter().map(|(.., codes)| codes.len()).sum();
    with_codes!(&mut codes, |c| c.reserve_exact(rows));
    let maps: Vec<Vec<u32>> = numberings
        .iter()
        .map(|numbers| {
            let missing = dictionary.missing().unwrap_or(0);
            std::iter::once(missing)
                .chain(numbers.iter().map(|&n| code_of[n as usize]))
                .collect()
        })
        .collect();
    for (_, worker, block) in blocks {
        let map = &maps[worker];
        with_codes!(&block, |from| match &mut codes {
            Codes::U8(to) => to.extend(from.iter().map(|&n| map[n as usize] as u8)),
            Codes::U16(to) => to.extend(from.iter().map(|&n| map[n as usize] as u16)),
            Codes::U32(to) => to.extend(from.iter().map(|&n| map[n as usize])),
        });
    }
    (dictionary, codes)
}

/// The texts in value order, and the code that each old number gets.
///
/// Texts of one number are one value where values are numbers. It is then told in no way in particular, but as numbers are
/// written: one of the ways may be that of a row which is not published.
fn ranked(texts: &Texts, order: ValueOrder) -> (Texts, Vec<u32>) {
    let mut ranked = Texts::default();
    let mut code_of = vec![0; texts.len()];
    let numbers: Vec<f64> = match order {
        ValueOrder::Number => texts.iter().map(parse_number).collect::<Option<_>>(),
        ValueOrder::Natural | ValueOrder::Taxonomy(_) | ValueOrder::AsMet => None,
    }
    .unwrap_or_default();
    let value = |at: usize| numbers.get(at).copied();
    let is_same = |a: &usize, b: &usize| value(*a).is_some_and(|number| value(*b) == Some(number));
    for same in order.sort(texts).chunk_by(is_same) {
        let code = match (same, value(same[0])) {
            (&[_, _, ..], Some(number)) => ranked.push(&number.to_string()),
            _ => ranked.push(texts.at(same[0])),
        };
        same.iter().for_each(|&at| code_of[at] = code as u32);
    }
    (ranked, code_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    fn column(order: ValueOrder, cells: &[Option<&str>]) -> Column {
        Column::from_cells("c", order, cells.iter().copied())
    }

    #[test]
    fn numbers_sort_as_numbers_and_missing_comes_last() {
        let ages = column(
            ValueOrder::Natural,
            &[Some("9"), None, Some("10"), Some("9"), Some("9.0")],
        );
        assert_eq!(ages.dictionary().texts().iter().collect::<Vec<_>>(), ["9", "9.0", "10"]);
        assert_eq!(ages.codes().iter().collect::<Vec<_>>(), [0, 3, 2, 0, 1]);
        assert_eq!(ages.dictionary().missing(), Some(3));
    }

    #[test]
    fn one_word_makes_the_order_byte_order() {
        let mixed = column(ValueOrder::Natural, &[Some("9"), Some("10"), Some("x")]);
        assert_eq!(mixed.dictionary().texts().iter().collect::<Vec<_>>(), ["10", "9", "x"]);
    }

    #[test]
    fn texts_of_one_number_are_one_value_of_a_continuous_column() {
        let ages = column(ValueOrder::Number, &[Some("9"), Some("10"), Some("9.0")]);
        assert_eq!(ages.dictionary().numbers(), Some(&[9.0, 10.0][..]));
        assert_eq!(ages.codes().iter().collect::<Vec<_>>(), [0, 1, 0]);
    }

    /// Neither `007` nor `7.0` is shown, of which one may be the text of a row that is left out; `010` is nobody else's.
    #[test]
    fn a_number_written_in_several_ways_is_told_in_none_of_them() {
        let ages = column(ValueOrder::Number, &[Some("007"), Some("7.0"), Some("010")]);
        assert_eq!(ages.dictionary().texts().iter().collect::<Vec<_>>(), ["7", "010"]);
        let zeros = column(ValueOrder::Number, &[Some("-0"), Some("0.0")]);
        assert_eq!(zeros.dictionary().texts().iter().collect::<Vec<_>>(), ["0"]);
    }

    #[test]
    fn ids_are_numbered_as_they_come_from_every_worker() {
        let encoded = |cells: &[Option<&str>]| {
            let mut encoder = Encoder::of_ids();
            cells.iter().for_each(|cell| encoder.push(*cell));
            let block = encoder.take_block();
            (encoder, block)
        };
        let (first, second) = (encoded(&[Some("b"), None, Some("a")]), encoded(&[Some("b"), Some("b")]));
        let workers = vec![(second.0, vec![(1, second.1)]), (first.0, vec![(0, first.1)])];
        let ids = Column::merge("id", ValueOrder::AsMet, workers);
        let texts: Vec<Option<&str>> = ids.codes().iter().map(|code| ids.dictionary().value(code)).collect();
        assert_eq!(texts, [Some("b"), None, Some("a"), Some("b"), Some("b")]);
        assert_eq!(ids.dictionary().texts().len(), 4);
    }

    #[test]
    fn short_texts_are_told_apart() {
        let letters = ["", "a", "b", "aa", "ab", "\0", "\0\0"];
        let texts: Vec<String> = (0..9)
            .flat_map(|repeats| letters.map(|start| start.to_owned() + &"ab".repeat(repeats)))
            .collect();
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            match (Short::new(a.as_bytes()), Short::new(b.as_bytes())) {
                (Some(short_a), Some(short_b)) => assert_eq!(short_a == short_b, a == b, "{a:?} {b:?}"),
                _ => assert!(a.len().max(b.len()) > 16),
            }
        }
    }

    #[test]
    fn the_split_into_blocks_and_workers_does_not_show() {
        let cells: Vec<String> = (0..1000u32)
            .map(|i| (i.wrapping_mul(2654435761) % 300).to_string())
            .collect();
        let whole = column(
            ValueOrder::Natural,
            &cells.iter().map(|c| Some(&c[..])).collect::<Vec<_>>(),
        );
        let mut workers = vec![(Encoder::new(), Vec::new()), (Encoder::new(), Vec::new())];
        for (place, block) in cells.chunks(70).enumerate() {
            let (encoder, blocks) = &mut workers[place % 3 % 2];
            block.iter().for_each(|cell| encoder.push(Some(cell)));
            blocks.push((place, encoder.take_block()));
        }
        assert_eq!(Column::merge("c", ValueOrder::Natural, workers), whole);
    }
}
