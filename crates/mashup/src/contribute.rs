//! The last states: once masking is [`Fixed`], everyone tells what its columns show ([`Told`]), all make sure that it is
//! [`Sound`], and compare what they made of it before anything is written.
//!
//! What a party tells must be what follows from its instructions and from the agreement: as many refinements as it made, and
//! labels that they lead to. It must be the same for all, which digests show, and meet every template that can be counted
//! without the secrets of others. Only then does anyone tell values of columns that are published as they are: a group that
//! somebody made smaller than the agreement allows would give away whose they are.
//!
//! Masked columns are told record by record: which records go together is what all know already. Columns that are published
//! as they are come after, and not by record but by group: of the records that show the same on every masked column and the
//! class, a party tells which tuples of values there are, in value order. So nobody learns which of the records of a group has
//! which; the release, whose rows are sorted, does not say it either. Only if several parties have such columns, and agreed
//! to it, values go record by record, because nothing else could pair them.

use std::collections::BTreeMap;

use scumble_table::{Codes, Labels, Mask, SUPPRESSED, collapse};

use crate::cells::{Coded, MaskedColumn};
use crate::duties::Duties;
use crate::event::Event;
use crate::fault::Fault;
use crate::mail::Mail;
use crate::message::{Digest, Masked, Message, Plain, Shown, Written};
use crate::pack::Packed;
use crate::recount::Known;
use crate::search::Fixed;
use crate::terms::Terms;

/// How columns that are published as they are get to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contribution {
    /// By group: who has which value within a group is not told.
    ByGroup,
    /// Record by record.
    ByRecord,
}

/// All masked columns are known to us.
pub struct Told<'p> {
    mail: Mail,
    duties: &'p Duties,
    records: usize,
    /// The masked columns, in the order of quasi columns.
    pub masked: Vec<MaskedColumn>,
}

/// All know the same of masked columns, and no group is smaller than the agreement allows.
pub struct Sound<'p> {
    told: Told<'p>,
    class: Option<Coded>,
}

/// All columns are known to all, and what is left is to compare.
pub struct Whole {
    mail: Mail,
    /// The columns that are published as they are: who told each, and a digest of it.
    plain: Vec<(usize, Digest)>,
}

impl<'p> Fixed<'p, '_> {
    /// The mask of a column of our own.
    pub fn mask(&self, column: usize) -> Mask {
        self.search.mask(column)
    }

    /// Tells all what our columns show, and is told the same. `own` has the columns that are ours, by their place among the
    /// quasi columns.
    ///
    /// # Errors
    /// If someone tells what does not fit its instructions, or the agreement.
    pub async fn tell(self, mut own: BTreeMap<usize, MaskedColumn>, terms: &impl Terms) -> Result<Told<'p>, Fault> {
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
        let mut elsewhere = vec![0; self.made.elsewhere.len()];
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
            let told = self.read(owner, told)?;
            let refinements = terms.refinements(column, &told).ok_or(does_not_fit(owner))?;
            match self.duties.follows(self.mail.own(), column) {
                true if refinements != self.made.followed[column] => return Err(does_not_fit(owner)),
                true => {}
                false => elsewhere[owner] += refinements,
            }
            masked.insert(column, told);
        }
        let differs = |&party: &usize| elsewhere[party] != self.made.elsewhere[party];
        if let Some(from) = self.mail.others().find(differs) {
            return Err(does_not_fit(from));
        }
        Ok(Told {
            mail: self.mail,
            duties: self.duties,
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
        let column = told.column as usize;
        let labels = told.labels.len() as u32;
        let of_record = match (&told.shown, self.duties.follows(self.mail.own(), column)) {
            (Shown::Values(pairs), true) => labels_of(pairs, &self.search.shown(column), &told.labels),
            (Shown::Records(packed), false) => packed.unpack(self.records, labels),
            _ => None,
        };
        let cells = of_record.map(|of_record| Coded {
            texts: told.labels,
            of_record,
        });
        let is_share = (0.0..=1.0).contains(&told.penalty);
        let cells = cells.filter(|cells| is_share && cells.is_well_formed());
        Ok(MaskedColumn {
            cells: cells.ok_or(does_not_fit(from))?,
            mask: told.mask,
            penalty: told.penalty,
        })
    }
}

/// The fault of a masked column that is not what its holder's instructions led to.
fn does_not_fit(from: usize) -> Fault {
    Fault::Contradiction {
        from,
        what: "a masked column",
    }
}

/// The label of each record by that of the value which it shows. Each value that is shown has one, and two have the same only
/// if one of them is a text that looks like a hidden value.
fn labels_of(pairs: &[(u32, u32)], shown: &[u32], labels: &[Option<String>]) -> Option<Vec<u32>> {
    let known = shown.iter().max().map_or(0, |&most| most as usize + 1);
    let mut is_shown = vec![false; known];
    shown.iter().for_each(|&number| is_shown[number as usize] = true);
    let (mut label_of, mut is_taken) = (Dense::default(), vec![false; labels.len()]);
    for &(number, label) in pairs {
        let is_next = is_shown.get(number as usize) == Some(&true) && label_of.get(number).is_none();
        let text = labels.get(label as usize).filter(|_| is_next)?;
        let was_taken = std::mem::replace(&mut is_taken[label as usize], true);
        if was_taken && text.as_deref() != Some(SUPPRESSED) {
            return None;
        }
        label_of.set(number, label);
    }
    shown.iter().map(|&number| label_of.get(number)).collect()
}

impl<'p> Told<'p> {
    /// Makes sure that what was told meets what can be counted on it, and that all were told the same. `own` are our columns
    /// that are published as they are, by their place in the joined table; nothing of them is told. `class` is known to all.
    ///
    /// # Errors
    /// If a template is not met, or someone was told otherwise.
    pub async fn agree(self, own: &BTreeMap<usize, Coded>, class: Option<&Coded>) -> Result<Sound<'p>, Fault> {
        self.known(class).check_own(own)?;
        let columns = self.masked.iter().enumerate();
        let digests: Vec<(usize, Digest)> = columns
            .map(|(column, masked)| (self.duties.owner_of(column), masked.cells.digest()))
            .collect();
        let heard = digests.iter().map(|&(_, digest)| digest).collect();
        self.mail.send_all(&Message::Heard(heard));
        let theirs = self
            .mail
            .receive_each(self.mail.others(), "what it was told", |message| match message {
                Message::Heard(digests) => Ok(digests),
                other => Err(other),
            })
            .await?;
        for (witness, theirs) in theirs {
            compare_told(self.mail.own(), &digests, witness, &theirs)?;
        }
        self.known(class).check_counts()?;
        Ok(Sound {
            class: class.cloned(),
            told: self,
        })
    }

    fn known<'k>(&'k self, class: Option<&'k Coded>) -> Known<'k> {
        Known {
            duties: self.duties,
            own: self.mail.own(),
            records: self.records,
            masked: &self.masked,
            class,
        }
    }
}

/// Makes sure that a party was told the same as we were, by those who told it.
fn compare_told(own: usize, told: &[(usize, Digest)], witness: usize, theirs: &[Digest]) -> Result<(), Fault> {
    let is_same_length = theirs.len() == told.len();
    let differing = told.iter().zip(theirs).find(|((_, ours), theirs)| ours != *theirs);
    match differing {
        None if is_same_length => Ok(()),
        Some((&(from, _), _)) if is_same_length && from != own && from != witness => {
            Err(Fault::ToldOtherwise { from, witness })
        }
        // We know what we told, and nobody was told otherwise by itself.
        _ => Err(Fault::Contradiction {
            from: witness,
            what: "what it was told",
        }),
    }
}

impl Sound<'_> {
    /// Tells all our columns that are published as they are, and is told the same: each with its place in the joined table.
    /// `columns` says for every such column who has it, in the order of the joined table.
    ///
    /// By group, the records of a group have its values in an order that says nothing, the same for all columns of a party.
    ///
    /// # Errors
    /// If someone tells what does not fit.
    pub async fn contribute(
        self,
        own: BTreeMap<usize, Coded>,
        columns: &[(usize, usize)],
        how: Contribution,
        terms: &impl Terms,
    ) -> Result<(Whole, Vec<MaskedColumn>, BTreeMap<usize, Coded>), Fault> {
        let Told { mail, records, .. } = &self.told;
        let records = *records;
        let group_of = match how {
            Contribution::ByRecord => (0..records as u32).collect(),
            Contribution::ByGroup => self.groups(),
        };
        // Records by group; within a group as they come.
        let slots = sorted_by(records, |record| group_of[record as usize]);
        let codes: Vec<&Vec<u32>> = own.values().map(|cells| &cells.of_record).collect();
        let tuples = sorted_by(records, |record| {
            let tuple: Vec<u32> = codes.iter().map(|codes| codes[record as usize]).collect();
            (group_of[record as usize], tuple)
        });
        let mut digest_of = BTreeMap::new();
        for (&column, cells) in &own {
            let in_order = tuples.iter().map(|&record| cells.of_record[record as usize]);
            let cells = Coded {
                texts: cells.texts.clone(),
                of_record: in_order.collect(),
            };
            digest_of.insert(column, cells.digest());
            let message = Message::Plain(Plain {
                column: column as u32,
                cells: cells.pack(),
            });
            mail.send_all(&message);
        }
        let mut all = own;
        for &(column, owner) in columns.iter().filter(|&&(_, owner)| owner != mail.own()) {
            let plain = mail.receive_as(owner, "a plain column", |message| match message {
                Message::Plain(plain) => Ok(plain),
                other => Err(other),
            });
            let plain = plain.await?;
            in_turn(owner, plain.column, column)?;
            let told = Coded::unpack(plain.cells, records, owner, |told| terms.can_hold(column, told))?;
            digest_of.insert(column, told.digest());
            let mut of_record = vec![0; records];
            for (&record, &text) in slots.iter().zip(&told.of_record) {
                of_record[record as usize] = text;
            }
            let texts = told.texts;
            all.insert(column, Coded { texts, of_record });
        }
        self.told.known(self.class.as_ref()).check_secrets(&all)?;
        let plain = columns
            .iter()
            .filter_map(|(column, owner)| Some((*owner, *digest_of.get(column)?)));
        let plain = plain.collect();
        let mail = mail.clone();
        Ok((Whole { mail, plain }, self.told.masked, all))
    }

    /// The group of each record: those that look the same so far.
    fn groups(&self) -> Vec<u32> {
        let shown = self.told.masked.iter().map(|column| &column.cells).chain(&self.class);
        let codes: Vec<Codes> = shown
            .map(|cells| Codes::collect(cells.texts.len(), cells.of_record.iter().copied()))
            .collect();
        collapse(self.told.records, &codes.iter().collect::<Vec<_>>()).kind_of
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
    pub async fn compare(self, release: Digest) -> Result<(), Fault> {
        let Whole { mail, plain } = self;
        mail.send_all(&Message::Written(Written {
            release,
            plain: plain.iter().map(|&(_, digest)| digest).collect(),
        }));
        let theirs = mail
            .receive_each(mail.others(), "a digest of the release", |message| match message {
                Message::Written(written) => Ok(written),
                other => Err(other),
            })
            .await?;
        for (from, theirs) in theirs {
            compare_told(mail.own(), &plain, from, &theirs.plain)?;
            if theirs.release != release {
                return Err(Fault::OtherRelease { from });
            }
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
