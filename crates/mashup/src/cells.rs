//! [`Coded`]: the cells of a column, record by record, as they go to others: only texts that some record has.

use scumble_table::{Column, Labels};

use crate::fault::Fault;
use crate::message::Cells;
use crate::pack::Packed;

/// The cells of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coded {
    /// The different texts, `None` for missing.
    pub texts: Vec<Option<String>>,
    /// The place of each record's text.
    pub of_record: Vec<u32>,
}

impl Coded {
    /// The cells without texts that no record has. These may be of records that are not common to all.
    pub fn new(texts: &Labels, of_record: &[u32]) -> Self {
        let mut used = vec![false; texts.len()];
        of_record.iter().for_each(|&text| used[text as usize] = true);
        let mut place_of = vec![0; texts.len()];
        let mut kept = Vec::new();
        for place in (0..texts.len()).filter(|&place| used[place]) {
            place_of[place] = kept.len() as u32;
            kept.push(texts.at(place).map(str::to_owned));
        }
        Coded {
            texts: kept,
            of_record: of_record.iter().map(|&text| place_of[text as usize]).collect(),
        }
    }

    /// The cells of a column.
    pub fn of_column(column: &Column) -> Self {
        let dictionary = column.dictionary();
        let texts: Labels = (0..dictionary.len() as u32)
            .map(|code| dictionary.value(code))
            .collect();
        let same: Vec<u32> = (0..texts.len() as u32).collect();
        Coded::new(&texts, &column.codes().look_up(&same))
    }

    /// The same cells with their texts in byte order, the missing one first: an order that tells nothing.
    pub(crate) fn sorted(self) -> Self {
        let mut order: Vec<u32> = (0..self.texts.len() as u32).collect();
        order.sort_by_key(|&place| &self.texts[place as usize]);
        let mut place_of = vec![0; order.len()];
        (0..).zip(&order).for_each(|(new, &old)| place_of[old as usize] = new);
        Coded {
            of_record: self.of_record.iter().map(|&text| place_of[text as usize]).collect(),
            texts: order.iter().map(|&place| self.texts[place as usize].clone()).collect(),
        }
    }

    /// The text of a record.
    pub fn text(&self, record: usize) -> Option<&str> {
        self.texts[self.of_record[record] as usize].as_deref()
    }

    pub(crate) fn pack(&self) -> Cells {
        Cells {
            texts: self.texts.clone(),
            of_record: Packed::new(&self.of_record, self.texts.len() as u32),
        }
    }

    pub(crate) fn unpack(cells: Cells, records: usize, from: usize) -> Result<Self, Fault> {
        let of_record = cells.of_record.unpack(records, cells.texts.len() as u32);
        Ok(Coded {
            of_record: of_record.ok_or(Fault::Contradiction { from, what: "a column" })?,
            texts: cells.texts,
        })
    }
}
