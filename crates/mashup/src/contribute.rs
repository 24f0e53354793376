//! The last states: once masking is [`Fixed`], everyone tells what its columns show ([`Told`]), and all compare what they
//! made of it before anything is written.
//!
//! Masked columns are told record by record: which records go together is what all know already. Columns that are published
//! as they are come after, and not by record but by group: of the records that show the same on every masked column and the
//! class, a party tells which tuples of values there are, in value order. So nobody learns which of the records of a group has
//! which; the release, whose rows are sorted, does not say it either. Only if several parties have such columns, and agreed
//! to it, values go record by record, because nothing else could pair them.

use std::collections::BTreeMap;

use scumble_table::{Codes, Labels, Mask, collapse};

use crate::cells::Coded;
use crate::event::Event;
use crate::fault::Fault;
use crate::mail::Mail;
use crate::message::{Digest, Masked, Message, Plain, Shown};
use crate::pack::Packed;
use crate::search::Fixed;

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

/// How columns that are published as they are get to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contribution {
    /// By group: who has which value within a group is not told.
    ByGroup,
    /// Record by record.
    ByRecord,
}

/// All masked columns are known to all.
pub struct Told {
    mail: Mail,
    records: usize,
    /// The masked columns, in the order of quasi columns.
    pub masked: Vec<MaskedColumn>,
}

/// All columns are known to all, and what is left is to compare.
pub struct Whole {
    mail: Mail,
}

impl Fixed<'_, '_> {
    /// The mask of a column of our own.
    pub fn mask(&self, column: usize) -> Mask {
        self.search.mask(column)
    }

    /// Tells all what our columns show, and is told the same. `own` has the columns that are ours, by their place among the
    /// quasi columns.
    ///
    /// # Errors
    /// If someone tells what does not fit its instructions.
    pub async fn tell(self, mut own: BTreeMap<usize, MaskedColumn>) -> Result<Told, Fault> {
        for masked in own.values_mut() {
            // In value order, the place of `*` would tell how the hidden values compare with those that are shown.
            let cells = std::mem::replace(&mut masked.cells, Coded::new(&Labels::default(), &[]));
            masked.cells = cells.sorted();
        }
        for (&column, masked) in &own {
            let shown = self.search.shown(column);
            for to in self.mail.others() {
                self.mail.send(to, &self.message(column, masked, &shown, to));
            }
        }
        let mut masked = own;
        for column in 0..self.duties.columns() {
            let owner = self.duties.owner_of(column);
            if owner == self.mail.own() {
                continue;
            }
            let told = self.mail.receive_as(owner, "a masked column", |message| match message {
                Message::Masked(told) => Ok(told),
                other => Err(other),
            });
            let told = told.await?;
            in_turn(owner, told.column, column)?;
            masked.insert(column, self.read(owner, told)?);
        }
        Ok(Told {
            mail: self.mail,
            records: self.records,
            masked: masked.into_values().collect(),
        })
    }

    /// What a party is told of a column of ours.
    fn message(&self, column: usize, masked: &MaskedColumn, shown: &[u32], to: usize) -> Message {
        let Coded { texts, of_record } = &masked.cells;
        let shown = match self.duties.follows(to, column) {
            true => {
                let mut label_of = Dense::default();
                shown
                    .iter()
                    .zip(of_record)
                    .for_each(|(&number, &label)| label_of.set(number, label));
                Shown::Values(label_of.pairs())
            }
            false => Shown::Records(Packed::new(of_record, texts.len() as u32)),
        };
        Message::Masked(Masked {
            column: column as u32,
            mask: masked.mask.clone(),
            penalty: masked.penalty,
            labels: texts.clone(),
            shown,
        })
    }

    fn read(&self, from: usize, told: Masked) -> Result<MaskedColumn, Fault> {
        let contradiction = Fault::Contradiction {
            from,
            what: "a masked column",
        };
        let column = told.column as usize;
        let labels = told.labels.len() as u32;
        let of_record = match (&told.shown, self.duties.follows(self.mail.own(), column)) {
            (Shown::Values(pairs), true) => {
                let shown = self.search.shown(column);
                let known = shown.iter().max().map_or(0, |&most| most + 1);
                let mut label_of = Dense::default();
                let fitting = pairs
                    .iter()
                    .filter(|&&(number, label)| number < known && label < labels);
                fitting.for_each(|&(number, label)| label_of.set(number, label));
                shown.iter().map(|&number| label_of.get(number)).collect()
            }
            (Shown::Records(packed), false) => packed.unpack(self.records, labels),
            _ => None,
        };
        Ok(MaskedColumn {
            cells: Coded {
                texts: told.labels,
                of_record: of_record.ok_or(contradiction)?,
            },
            mask: told.mask,
            penalty: told.penalty,
        })
    }
}

impl Told {
    /// Tells all our columns that are published as they are, and is told the same: each with its place in the joined table.
    /// `columns` says for every such column who has it, in the order of the joined table; `class` is known to all.
    ///
    /// By group, the records of a group have its values in an order that says nothing, the same for all columns of a party.
    ///
    /// # Errors
    /// If someone tells what does not fit.
    pub async fn contribute(
        self,
        own: BTreeMap<usize, Coded>,
        columns: &[(usize, usize)],
        class: Option<&Coded>,
        how: Contribution,
    ) -> Result<(Whole, Vec<MaskedColumn>, BTreeMap<usize, Coded>), Fault> {
        if columns.is_empty() {
            return Ok((Whole { mail: self.mail }, self.masked, own));
        }
        let group_of = match how {
            Contribution::ByRecord => (0..self.records as u32).collect(),
            Contribution::ByGroup => self.groups(class),
        };
        // Records by group; within a group as they come.
        let slots = sorted_by(self.records, |record| group_of[record as usize]);
        let codes: Vec<&Vec<u32>> = own.values().map(|cells| &cells.of_record).collect();
        let tuples = sorted_by(self.records, |record| {
            let tuple: Vec<u32> = codes.iter().map(|codes| codes[record as usize]).collect();
            (group_of[record as usize], tuple)
        });
        for (&column, cells) in &own {
            let in_order = tuples.iter().map(|&record| cells.of_record[record as usize]);
            let cells = Coded {
                texts: cells.texts.clone(),
                of_record: in_order.collect(),
            };
            let message = Message::Plain(Plain {
                column: column as u32,
                cells: cells.pack(),
            });
            self.mail.send_all(&message);
        }
        let mut all = own;
        for &(column, owner) in columns.iter().filter(|&&(_, owner)| owner != self.mail.own()) {
            let plain = self.mail.receive_as(owner, "a plain column", |message| match message {
                Message::Plain(plain) => Ok(plain),
                other => Err(other),
            });
            let plain = plain.await?;
            in_turn(owner, plain.column, column)?;
            let told = Coded::unpack(plain.cells, self.records, owner)?;
            let mut of_record = vec![0; self.records];
            for (&record, &text) in slots.iter().zip(&told.of_record) {
                of_record[record as usize] = text;
            }
            let texts = told.texts;
            all.insert(column, Coded { texts, of_record });
        }
        Ok((Whole { mail: self.mail }, self.masked, all))
    }

    /// The group of each record: those that look the same so far.
    fn groups(&self, class: Option<&Coded>) -> Vec<u32> {
        let shown = self.masked.iter().map(|column| &column.cells).chain(class);
        let codes: Vec<Codes> = shown
            .map(|cells| Codes::collect(cells.texts.len(), cells.of_record.iter().copied()))
            .collect();
        collapse(self.records, &codes.iter().collect::<Vec<_>>()).kind_of
    }
}

/// Makes sure that a party tells its columns in their order.
fn in_turn(from: usize, told: u32, due: usize) -> Result<(), Fault> {
    let what = "the order of its columns";
    match told as usize == due {
        true => Ok(()),
        false => Err(Fault::Contradiction { from, what }),
    }
}

/// Labels by the number of a value. There are few numbers, and they are asked for once per record.
#[derive(Default)]
struct Dense(Vec<Option<u32>>);

impl Dense {
    fn set(&mut self, number: u32, label: u32) {
        let place = number as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        self.0[place] = Some(label);
    }

    fn get(&self, number: u32) -> Option<u32> {
        self.0.get(number as usize).copied().flatten()
    }

    fn pairs(self) -> Vec<(u32, u32)> {
        let numbered = self.0.into_iter().zip(0..);
        numbered.filter_map(|(label, number)| Some((number, label?))).collect()
    }
}

/// The records in the order of a key, those with the same as they come.
fn sorted_by<K: Ord>(records: usize, key: impl Fn(u32) -> K) -> Vec<u32> {
    let mut order: Vec<u32> = (0..records as u32).collect();
    order.sort_by_cached_key(|&record| key(record));
    order
}

impl Whole {
    /// Makes sure that all are about to write the same bytes.
    ///
    /// # Errors
    /// If someone is not.
    pub async fn compare(self, digest: Digest) -> Result<(), Fault> {
        let mail = self.mail;
        mail.send_all(&Message::Written(digest));
        let theirs = mail
            .receive_each(mail.others(), "a digest of the release", |message| match message {
                Message::Written(digest) => Ok(digest),
                other => Err(other),
            })
            .await?;
        if let Some(&(from, _)) = theirs.iter().find(|(_, theirs)| *theirs != digest) {
            return Err(Fault::OtherRelease { from });
        }
        mail.send_all(&Message::Agreed);
        let last = mail.receive_each(mail.others(), "a last word", |message| match message {
            Message::Agreed => Ok(()),
            other => Err(other),
        });
        last.await?;
        mail.note(Event::Agreed);
        Ok(())
    }
}
