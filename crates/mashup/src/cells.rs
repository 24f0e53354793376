//! [`Coded`]: the cells of a column, masked or not, record by record, as they go to others: only texts that some record has.

use std::collections::BTreeSet;

use scumble_table::{Column, Labels};

use crate::fault::Fault;
use crate::message::{Cells, Digest};
use crate::pack::Packed;

/// The cells of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coded {
    /// The different texts, `None` for missing.
    pub texts: Vec<Option<String>>,
    /// The place of each record's text.
    pub of_record: Vec<u32>,
}

/// A masked column, as all will know it.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskedColumn {
    /// The mask, as the certificate has it.
    pub mask: String,
    /// The average certainty penalty of its cells.
    pub penalty: f64,
    /// What it shows.
    pub cells: Coded,
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

    /// The cells that a party sent, if `can_be` finds nothing wrong with them, either.
    pub(crate) fn unpack(
        cells: Cells,
        records: usize,
        from: usize,
        can_be: impl FnOnce(&Coded) -> bool,
    ) -> Result<Self, Fault> {
        let of_record = cells.of_record.unpack(records, cells.texts.len() as u32);
        let told = of_record.map(|of_record| Coded {
            of_record,
            texts: cells.texts,
        });
        told.filter(|told| told.is_well_formed() && can_be(told))
            .ok_or(Fault::Contradiction { from, what: "a column" })
    }

    /// Whether texts differ, are of some record, and none is empty: two of one text would count as two values and be one in
    /// the file, and an empty one is a missing one there.
    pub(crate) fn is_well_formed(&self) -> bool {
        let mut used = vec![false; self.texts.len()];
        self.of_record.iter().for_each(|&text| used[text as usize] = true);
        let differ = self.texts.iter().collect::<BTreeSet<_>>().len() == self.texts.len();
        differ && !used.contains(&false) && !self.texts.contains(&Some(String::new()))
    }

    /// A digest of what each record has, whatever the order of texts.
    pub(crate) fn digest(&self) -> Digest {
        let sorted = self.clone().sorted();
        let bytes = postcard::to_stdvec(&(sorted.texts, sorted.of_record));
        *blake3::hash(&bytes.expect("texts and numbers can be written")).as_bytes()
    }
}
