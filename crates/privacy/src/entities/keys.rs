//! [`Keys`] of a table: which row has a key.
//!
//! | courses.scid | row | | books.scid | row of courses |
//! |---|---|---|---|---|
//! | 7 | 0 | | 9 | 1 |
//! | 9 | 1 | | 8 | none |
//!
//! Keys are equal if their texts are, column by column. A key without all its parts is none. Of two rows with one key,
//! the first has it.
//!
//! # Cost
//! A text is looked up once for each different one of a column, not for each row.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use rayon::prelude::*;
use scumble_table::{Column, ReleasedColumn};

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// A column, released or original, whose cells are texts.
#[derive(Clone, Copy)]
pub(super) enum Cells<'a> {
    Released(&'a ReleasedColumn),
    Original(&'a Column),
}

impl<'a> Cells<'a> {
    /// How many different values it may have; a value is a number below.
    pub(super) fn values(self) -> u32 {
        match self {
            Cells::Released(column) => column.labels().len() as u32,
            Cells::Original(column) => column.dictionary().len() as u32,
        }
    }

    /// The text of a value. An empty one is missing: a reader sees an empty cell either way.
    pub(super) fn text(self, value: u32) -> Option<&'a str> {
        let text = match self {
            Cells::Released(column) => column.labels().at(value as usize),
            Cells::Original(column) => column.dictionary().value(value),
        };
        text.filter(|text| !text.is_empty())
    }

    /// The name of the column.
    pub(super) fn name(self) -> &'a str {
        match self {
            Cells::Released(column) => &column.name,
            Cells::Original(column) => &column.name,
        }
    }

    /// What each row has, given what each value stands for.
    pub(super) fn look_up(self, of_value: &[u32]) -> Vec<u32> {
        match self {
            Cells::Released(column) => {
                let labels = column.label_of_code().iter();
                let of_code: Vec<u32> = labels.map(|&label| of_value[label as usize]).collect();
                column.codes().look_up(&of_code)
            }
            Cells::Original(column) => column.codes().look_up(of_value),
        }
    }
}

/// The rows of a table by their key.
pub(super) struct Keys<'a> {
    /// For each column of the key, the number of each text.
    texts: Vec<Texts<'a>>,
    /// For each column but the first, the number of those before it and of its own, together.
    pairs: Vec<HashMap<(u32, u32), u32>>,
    /// The first row with each number.
    row_of: Vec<u32>,
}

/// A row without a key of its own.
pub(super) enum KeyFault {
    /// This column of the key is empty.
    Empty(usize),
    /// An earlier row has the key.
    SameAs(u32),
}

impl<'a> Keys<'a> {
    /// The keys of so many rows, and the rows that have none of their own, ascending.
    pub(super) fn new(columns: &[Cells<'a>], rows: usize) -> (Self, Vec<(usize, KeyFault)>) {
        let mut keys = Keys {
            texts: columns.iter().map(|&cells| Texts::of(cells)).collect(),
            pairs: vec![HashMap::new(); columns.len().saturating_sub(1)],
            row_of: Vec::new(),
        };
        let parts = keys.parts(columns);
        let numbers = keys.pair_up(&parts, rows);
        let mut faults = Vec::new();
        for (row, number) in numbers.into_iter().enumerate() {
            if number == NONE {
                let empty = parts.iter().position(|part| part[row] == NONE);
                faults.push((row, KeyFault::Empty(empty.unwrap_or(0))));
                continue;
            }
            let place = number as usize;
            if place >= keys.row_of.len() {
                keys.row_of.resize(place + 1, NONE);
            }
            match &mut keys.row_of[place] {
                first if *first == NONE => *first = row as u32,
                first => faults.push((row, KeyFault::SameAs(*first))),
            }
        }
        (keys, faults)
    }

    /// For each of so many rows of a table that hangs off this one, the row here; [`NONE`] if there is none.
    pub(super) fn find(&self, columns: &[Cells], rows: usize) -> Vec<u32> {
        if columns.len() != self.texts.len() {
            return vec![NONE; rows];
        }
        let parts = self.parts(columns);
        let mut parts = parts.into_iter();
        let mut numbers = parts.next().unwrap_or_else(|| vec![NONE; rows]);
        for (part, pairs) in parts.zip(&self.pairs) {
            let pair = |(number, own): (&mut u32, u32)| *number = pairs.get(&(*number, own)).copied().unwrap_or(NONE);
            numbers.iter_mut().zip(part).for_each(pair);
        }
        let row_of = |number: u32| self.row_of.get(number as usize).copied().unwrap_or(NONE);
        numbers.iter_mut().for_each(|number| *number = row_of(*number));
        numbers
    }

    /// Whether some row has this text as its key of one column.
    pub(super) fn has(&self, text: &str) -> bool {
        let number = self.texts.first().and_then(|texts| texts.number(text));
        number.is_some_and(|number| self.row_of.get(number as usize).is_some_and(|&row| row != NONE))
    }

    /// For each column, the number of the text of each row; [`NONE`] for what is no text of the key.
    fn parts(&self, columns: &[Cells]) -> Vec<Vec<u32>> {
        let part = |(&cells, texts): (&Cells, &Texts)| {
            let number = |value: u32| cells.text(value).and_then(|text| texts.number(text));
            let of_value = (0..cells.values()).into_par_iter();
            let of_value: Vec<u32> = of_value.map(|value| number(value).unwrap_or(NONE)).collect();
            cells.look_up(&of_value)
        };
        columns.iter().zip(&self.texts).map(part).collect()
    }

    /// One number for all parts of a key, in the order in which keys are met.
    fn pair_up(&mut self, parts: &[Vec<u32>], rows: usize) -> Vec<u32> {
        let Some((first, others)) = parts.split_first() else {
            return vec![NONE; rows];
        };
        let mut numbers = first.clone();
        for (part, pairs) in others.iter().zip(&mut self.pairs) {
            for (number, &own) in numbers.iter_mut().zip(part) {
                let next = pairs.len() as u32;
                *number = match (*number, own) {
                    (NONE, _) | (_, NONE) => NONE,
                    pair => *pairs.entry(pair).or_insert(next),
                };
            }
        }
        numbers
    }
}

/// A number for each text of a column; equal texts have one, whatever values they are of. The texts stay in the column:
/// those of a key are as many as its rows.
struct Texts<'a> {
    cells: Cells<'a>,
    /// The first value with each text.
    values: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<'a> Texts<'a> {
    fn of(cells: Cells<'a>) -> Self {
        let hasher = DefaultHashBuilder::default();
        let mut values = HashTable::with_capacity(cells.values() as usize);
        let hash_of = |&value: &u32| hasher.hash_one(cells.text(value));
        for value in 0..cells.values() {
            if let Some(text) = cells.text(value) {
                let is_same = |&other: &u32| cells.text(other) == Some(text);
                values.entry(hash_of(&value), is_same, hash_of).or_insert(value);
            }
        }
        Texts { cells, values, hasher }
    }

    fn number(&self, text: &str) -> Option<u32> {
        let is_same = |&value: &u32| self.cells.text(value) == Some(text);
        self.values.find(self.hasher.hash_one(Some(text)), is_same).copied()
    }
}

/// What the rows of a column show, as numbers: equal exactly if the texts are.
pub(super) fn shown(cells: Cells) -> Vec<u32> {
    let texts = Texts::of(cells);
    let missing = cells.values();
    let number = |value: u32| cells.text(value).and_then(|text| texts.number(text)).unwrap_or(missing);
    cells.look_up(&(0..cells.values()).map(number).collect::<Vec<u32>>())
}

#[cfg(test)]
mod tests {
    use scumble_table::ValueOrder;

    use super::*;

    fn column(cells: &[&'static str]) -> Column {
        let cells = cells.iter().map(|&cell| Some(cell).filter(|cell| !cell.is_empty()));
        Column::from_cells("key", ValueOrder::Natural, cells)
    }

    #[test]
    fn keys_of_two_columns_are_found_part_by_part() {
        let own = [column(&["a", "a", "b", "", "a"]), column(&["1", "2", "1", "1", "2"])];
        let cells: Vec<Cells> = own.iter().map(Cells::Original).collect();
        let (keys, faults) = Keys::new(&cells, 5);
        assert!(matches!(
            faults[..],
            [(3, KeyFault::Empty(0)), (4, KeyFault::SameAs(1))]
        ));
        let others = [column(&["b", "a", "b", "c", ""]), column(&["1", "2", "2", "1", "1"])];
        let cells: Vec<Cells> = others.iter().map(Cells::Original).collect();
        assert_eq!(keys.find(&cells, 5), [2, 1, NONE, NONE, NONE]);
        assert_eq!(keys.find(&cells[..1], 5), [NONE; 5]);
    }
}
