//! The first states: [`Session`] once all have greeted each other, [`Aligned`] once they know their common records,
//! [`Ready`] once all know the class.
//!
//! Ids are compared as hashes under a secret that the parties make together, new in every session. If the digests of all
//! hashes are the same, all have the same records and no hash is sent. Otherwise the hashes themselves are, and a party
//! that guesses an id can tell whether others have it; outsiders cannot, and hashes of two sessions cannot be compared.
//!
//! So whoever gives a wrong digest gets all hashes. Where the parties agreed that they have the same records
//! ([`Session::align_same`]) no hash ever goes out, and no digest either: all parties know the secret, so a digest could be
//! compared with that of one's own records and one more, for any number of guesses. It is compared in secret, once.

use std::time::Instant;

use blake3::Hasher;
use rayon::prelude::*;

use crate::cells::Coded;
use crate::channel::SecureChannel;
use crate::computed::compared;
use crate::event::Event;
use crate::fault::Fault;
use crate::mail::Mail;
use crate::message::{Digest, Message, PROTOCOL};
use crate::secure::Same;

/// Bytes of the hash of an id.
const ID_BYTES: usize = 16;

/// All have greeted each other, and have the same agreement.
pub struct Session {
    pub(crate) mail: Mail,
    secret: Digest,
}

/// All know which records are common, and their order.
pub struct Aligned {
    session: Session,
    rows: Vec<u32>,
}

/// All know the class, and the search can begin.
pub struct Ready {
    pub(crate) mail: Mail,
    pub(crate) records: usize,
}

impl Session {
    /// Greets everyone.
    ///
    /// # Errors
    /// If someone has another agreement, or speaks another version of the protocol.
    pub async fn greet(mail: Mail, agreement: &str) -> Result<Session, Fault> {
        let mut own = Digest::default();
        getrandom::fill(&mut own).map_err(|_| Fault::NoRandomness)?;
        Session::greet_with(mail, agreement, own).await
    }

    /// The same, with this part of the secret of the session.
    pub(crate) async fn greet_with(mail: Mail, agreement: &str, own: Digest) -> Result<Session, Fault> {
        let digest = *blake3::hash(agreement.as_bytes()).as_bytes();
        mail.send_all(&Message::Greeting {
            protocol: PROTOCOL,
            agreement: digest,
            secret: own,
        });
        let greetings = mail
            .receive_each(mail.others(), "a greeting", |message| match message {
                Message::Greeting {
                    protocol,
                    agreement,
                    secret,
                } => Ok((protocol, agreement, secret)),
                other => Err(other),
            })
            .await?;
        if let Some(&(from, (theirs, ..))) = greetings.iter().find(|(_, (theirs, ..))| *theirs != PROTOCOL) {
            return Err(Fault::Version {
                from,
                theirs,
                ours: PROTOCOL,
            });
        }
        let differing: Vec<usize> = greetings
            .iter()
            .filter(|(_, (_, theirs, _))| *theirs != digest)
            .map(|&(from, _)| from)
            .collect();
        if let Some(&from) = differing.first() {
            let text = Message::Agreement(agreement.to_owned());
            differing.iter().for_each(|&to| mail.send(to, &text));
            let theirs = mail.receive_as(from, "an agreement", |message| match message {
                Message::Agreement(theirs) => Ok(theirs),
                other => Err(other),
            });
            let theirs = theirs.await?;
            return Err(Fault::OtherAgreement { from, theirs });
        }
        let mut hasher = Hasher::new_derive_key("scumble mashup session secret");
        let mut secrets: Vec<(usize, Digest)> = greetings.iter().map(|&(from, (.., secret))| (from, secret)).collect();
        secrets.push((mail.own(), own));
        secrets.sort_unstable();
        hasher.update(&digest);
        secrets.iter().for_each(|(_, secret)| {
            hasher.update(secret);
        });
        Ok(Session {
            secret: *hasher.finalize().as_bytes(),
            mail,
        })
    }

    /// Finds the records that all have, by their ids; a record without one is not common. The order of records is that of
    /// their hashes.
    ///
    /// # Errors
    /// If an id of ours stands twice, no record is common, or someone contradicts itself.
    pub async fn align<'i>(
        self,
        ids: &(impl Fn(usize) -> Option<&'i str> + Sync),
        rows: usize,
    ) -> Result<Aligned, Fault> {
        let own = self.hash_ids(ids, rows)?;
        let hashes = bytes_of(&own);
        let digest = self.digest(&hashes);
        self.mail.send_all(&Message::Records {
            count: own.len() as u64,
            digest,
        });
        let mail = &self.mail;
        let of_others = mail
            .receive_each(mail.others(), "a digest of records", |message| match message {
                Message::Records { count, digest } => Ok((count, digest)),
                other => Err(other),
            })
            .await?;
        let all_same = of_others
            .iter()
            .all(|&(_, theirs)| theirs == (own.len() as u64, digest));
        let common: Vec<(u128, u32)> = match all_same {
            true => own,
            false => {
                mail.send_all(&Message::Ids(hashes));
                self.intersect(own, &of_others).await?
            }
        };
        self.aligned(rows, common, !all_same)
    }

    /// The same for parties that agreed to have the same records. Nobody learns anything of the records of others but
    /// whether they are the same as those of each other party.
    ///
    /// # Errors
    /// If an id of ours stands twice, there is no record, or someone has other records.
    pub async fn align_same<'i>(
        self,
        ids: &(impl Fn(usize) -> Option<&'i str> + Sync),
        rows: usize,
    ) -> Result<Aligned, Fault> {
        let own = self.hash_ids(ids, rows)?;
        let digest = self.digest(&bytes_of(&own));
        let number = digest.first_chunk().expect("a digest has 32 bytes");
        let start = Instant::now();
        let channel = SecureChannel::of_all(&self.mail);
        let same = Same::new(self.mail.parties())?;
        let same = compared(&same, &channel, self.mail.own(), u128::from_be_bytes(*number)).await;
        let same = same.map_err(|error| channel.fault(error))?;
        self.mail.note_computed(Event::SAME, channel.others(), start.elapsed());
        match other_records(self.mail.own(), &same) {
            Some(fault) => Err(fault),
            None => self.aligned(rows, own, false),
        }
    }

    fn aligned(self, rows: usize, common: Vec<(u128, u32)>, hashes: bool) -> Result<Aligned, Fault> {
        if common.is_empty() {
            return Err(Fault::NothingInCommon);
        }
        self.mail.note_records(common.len());
        self.mail.note(Event::Aligned {
            own: rows,
            common: common.len(),
            hashes,
        });
        Ok(Aligned {
            session: self,
            rows: common.into_iter().map(|(_, row)| row).collect(),
        })
    }

    /// The hashes of our own ids with their rows, ascending.
    fn hash_ids<'i>(
        &self,
        ids: &(impl Fn(usize) -> Option<&'i str> + Sync),
        rows: usize,
    ) -> Result<Vec<(u128, u32)>, Fault> {
        let secret = self.secret;
        let hash = |id: &str| {
            let digest = blake3::keyed_hash(&secret, id.as_bytes());
            let start = digest.as_bytes().first_chunk().expect("a digest has 32 bytes");
            u128::from_be_bytes(*start)
        };
        let mut hashed: Vec<(u128, u32)> = (0..rows)
            .into_par_iter()
            .filter_map(|row| Some((hash(ids(row)?), row as u32)))
            .collect();
        hashed.par_sort_unstable();
        let repeated = hashed.windows(2).find(|pair| pair[0].0 == pair[1].0);
        match repeated {
            None => Ok(hashed),
            Some(pair) => Err(Fault::RepeatedId {
                first: pair[0].1 as usize + 1,
                second: pair[1].1 as usize + 1,
            }),
        }
    }

    /// Our own records that all others have, too.
    async fn intersect(
        &self,
        own: Vec<(u128, u32)>,
        announced: &[(usize, (u64, Digest))],
    ) -> Result<Vec<(u128, u32)>, Fault> {
        let mut common = own;
        for &(from, (count, digest)) in announced {
            let contradiction = Fault::Contradiction {
                from,
                what: "its records",
            };
            let hashes = self.mail.receive_as(from, "hashes of ids", |message| match message {
                Message::Ids(hashes) => Ok(hashes),
                other => Err(other),
            });
            let hashes = hashes.await?;
            let is_announced = hashes.len() as u64 == count.saturating_mul(ID_BYTES as u64);
            if !is_announced || self.digest(&hashes) != digest {
                return Err(contradiction);
            }
            let (theirs, _) = hashes.as_chunks::<ID_BYTES>();
            let theirs: Vec<u128> = theirs.iter().map(|&hash| u128::from_be_bytes(hash)).collect();
            if !theirs.is_sorted_by(|a, b| a < b) {
                return Err(contradiction);
            }
            let mut theirs = theirs.into_iter().peekable();
            common.retain(|&(hash, _)| {
                while theirs.next_if(|&other| other < hash).is_some() {}
                theirs.next_if_eq(&hash).is_some()
            });
        }
        Ok(common)
    }

    fn digest(&self, bytes: &[u8]) -> Digest {
        *blake3::keyed_hash(&self.secret, bytes).as_bytes()
    }
}

/// The hashes of ids, one after the other.
fn bytes_of(hashed: &[(u128, u32)]) -> Vec<u8> {
    hashed.iter().flat_map(|(hash, _)| hash.to_be_bytes()).collect()
}

/// The fault of those with other records, where `same` says of each party who has the same as it: of those who differ from
/// most, or else from us.
fn other_records(own: usize, same: &[Vec<usize>]) -> Option<Fault> {
    let most = same.iter().find(|alike| 2 * alike.len() > same.len());
    let right = most.unwrap_or(&same[own]);
    let by: Vec<usize> = (0..same.len()).filter(|party| !right.contains(party)).collect();
    let are_ours = by.contains(&own);
    (!by.is_empty()).then_some(Fault::OtherRecords { by, are_ours })
}

impl Aligned {
    /// Our own row of each common record, in the order that all keep.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Makes sure that all hold the same class, and gives it to those who do not have it. `own` are our classes by
    /// record, if we are a holder; the class by record is returned. `can_be` says whether classes that we are told can be.
    ///
    /// # Errors
    /// If someone holds other classes, or such as cannot be.
    pub async fn share_class(
        self,
        holders: &[usize],
        own: Option<Coded>,
        can_be: impl FnOnce(&Coded) -> bool,
    ) -> Result<(Ready, Option<Coded>), Fault> {
        let Session { mail, .. } = &self.session;
        let records = self.rows.len();
        let Some(&first) = holders.first() else {
            return Ok((self.ready(records), None));
        };
        let class = match own {
            Some(own) => {
                if first == mail.own() {
                    let class = Message::Class(own.pack());
                    let without = mail.others().filter(|party| !holders.contains(party));
                    without.for_each(|to| mail.send(to, &class));
                }
                own
            }
            None => {
                let cells = mail.receive_as(first, "classes", |message| match message {
                    Message::Class(cells) => Ok(cells),
                    other => Err(other),
                });
                Coded::unpack(cells.await?, records, first, can_be)?
            }
        };
        self.compare_class(holders, first, &class).await?;
        Ok((self.ready(records), Some(class)))
    }

    /// Makes sure that all hold the same classes, or were told the same.
    async fn compare_class(&self, holders: &[usize], first: usize, class: &Coded) -> Result<(), Fault> {
        let Session { mail, .. } = &self.session;
        let digest = self.digest_of(class);
        mail.send_all(&Message::ClassDigest(digest));
        let theirs = mail
            .receive_each(mail.others(), "a digest of classes", |message| match message {
                Message::ClassDigest(digest) => Ok(digest),
                other => Err(other),
            })
            .await?;
        let differing = theirs.iter().filter(|(_, theirs)| *theirs != digest);
        let differing: Vec<usize> = differing.map(|&(from, _)| from).collect();
        let holder = differing.iter().copied().find(|from| holders.contains(from));
        let is_holder = holders.contains(&mail.own());
        match (holder, differing.first()) {
            (None, None) => Ok(()),
            (Some(from), _) if is_holder => Err(Fault::OtherClass { from }),
            // Its digest is not that of what it told us.
            (Some(from), _) if from == first => Err(Fault::Contradiction { from, what: "a class" }),
            (Some(witness), _) => Err(Fault::ToldOtherwise { from: first, witness }),
            // We know what we told.
            (None, Some(&from)) if first == mail.own() => Err(Fault::Contradiction { from, what: "a class" }),
            (None, Some(&witness)) => Err(Fault::ToldOtherwise { from: first, witness }),
        }
    }

    fn ready(&self, records: usize) -> Ready {
        Ready {
            mail: self.session.mail.clone(),
            records,
        }
    }

    /// A digest of cells that does not depend on the order of their texts.
    fn digest_of(&self, cells: &Coded) -> Digest {
        let of_text = cells.texts.iter().map(|text| match text {
            Some(text) => self.session.digest(text.as_bytes()),
            None => Digest::default(),
        });
        let of_text: Vec<Digest> = of_text.collect();
        let of_records = cells.of_record.iter().flat_map(|&text| of_text[text as usize]);
        self.session.digest(&of_records.collect::<Vec<u8>>())
    }
}
