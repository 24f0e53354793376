//! Judges for tests. [`Trusted`] shows nobody anything, like [`Secure`](crate::judge::Secure), but at no cost; what
//! [`Open`] and [`Talkative`] let parties see is what a judge must hide.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::fault::Fault;
use crate::judge::{Judge, Proposal};
use crate::mail::{Mail, unexpected};
use crate::message::Message;
use crate::secure::{Secrets, Split};

/// Everyone says everything.
pub struct Open;

/// Everyone tells a third party in private, and says to the others only that it did.
#[derive(Clone, Default)]
pub struct Trusted {
    heard: Rc<RefCell<Heard>>,
}

/// What the third party of [`Trusted`] has heard, by party.
#[derive(Default)]
struct Heard {
    bids: BTreeMap<usize, u64>,
    proposals: BTreeMap<usize, (Vec<u16>, Vec<u32>)>,
    answers: BTreeMap<usize, bool>,
}

/// A judge that also tells the holder how large the parts of a refinement are.
pub struct Talkative<J>(pub J);

/// A judge of which it is written down what was bid and what was refused.
pub struct Recorded<J> {
    pub judge: J,
    pub record: Record,
}

/// What was written down of all parties.
#[derive(Clone, Default)]
pub struct Record {
    /// Who bid what.
    pub bids: Rc<RefCell<Vec<(usize, u64)>>>,
    pub consents: Rc<Cell<usize>>,
    pub refusals: Rc<Cell<usize>>,
}

fn say(mail: &Mail, to: usize, words: &[u8]) {
    mail.send(to, &Message::Secure(words.to_vec()));
}

async fn hear(mail: &Mail, from: usize) -> Result<Vec<u8>, Fault> {
    match mail.receive(from).await? {
        Message::Secure(words) => Ok(words),
        other => Err(unexpected(from, &other, "a word to the judge")),
    }
}

/// Of the largest bids, the first party's.
fn first_of_largest(bids: &BTreeMap<usize, u64>) -> usize {
    let largest = bids.values().max();
    let first = bids.iter().find(|(_, bid)| Some(*bid) == largest);
    first.map_or(0, |(&party, _)| party)
}

/// Whether every part of every group is within its threshold; `None` if what was said does not fit.
fn is_allowed(split: &Split, secrets: Secrets<'_>, children: &[u16], thresholds: &[u32]) -> Option<bool> {
    let parts = thresholds.len() / split.groups();
    let all_rows = split.rows_of(split.groups() - 1).end;
    (children.len() == all_rows && thresholds.len() == parts * split.groups()).then_some(())?;
    let is_within = |group: usize, part: usize| {
        let rows = || split.rows_of(group).filter(|&row| usize::from(children[row]) == part);
        let threshold = thresholds[group * parts + part] as usize;
        match secrets {
            Secrets::Sets(sets) => sets
                .iter()
                .all(|set| rows().filter(|&row| set[row]).count() <= threshold),
            Secrets::Values { of_rows, .. } => {
                rows().map(|row| of_rows[row]).collect::<BTreeSet<u32>>().len() >= threshold
            }
        }
    };
    Some((0..split.groups()).all(|group| (0..parts).all(|part| is_within(group, part))))
}

impl Judge for Open {
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault> {
        mail.others().for_each(|to| say(mail, to, &bid.to_le_bytes()));
        let mut bids = BTreeMap::from([(mail.own(), bid)]);
        for from in mail.others() {
            let bid = hear(mail, from).await?.try_into();
            bids.insert(from, u64::from_le_bytes(bid.map_err(|_| Fault::Malformed { from })?));
        }
        Ok(first_of_largest(&bids))
    }

    async fn ask(&self, mail: &Mail, holder: usize, _: &Split, proposal: &Proposal) -> Result<bool, Fault> {
        let words = postcard::to_stdvec(&(&proposal.children, &proposal.thresholds));
        say(mail, holder, &words.expect("numbers can be written"));
        Ok(hear(mail, holder).await? == [1])
    }

    async fn answer(&self, mail: &Mail, proposer: usize, split: &Split, secrets: Secrets<'_>) -> Result<bool, Fault> {
        let malformed = |_| Fault::Malformed { from: proposer };
        let words = hear(mail, proposer).await?;
        let (children, thresholds): (Vec<u16>, Vec<u32>) = postcard::from_bytes(&words).map_err(malformed)?;
        let allowed = is_allowed(split, secrets, &children, &thresholds);
        let allowed = allowed.ok_or(Fault::Malformed { from: proposer })?;
        say(mail, proposer, &[u8::from(allowed)]);
        Ok(allowed)
    }
}

impl Judge for Trusted {
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault> {
        self.heard.borrow_mut().bids.insert(mail.own(), bid);
        mail.others().for_each(|to| say(mail, to, &[]));
        for from in mail.others() {
            hear(mail, from).await?;
        }
        let winner = first_of_largest(&self.heard.borrow().bids);
        // Nobody may bid again before all have read who won.
        mail.others().for_each(|to| say(mail, to, &[]));
        for from in mail.others() {
            hear(mail, from).await?;
        }
        Ok(winner)
    }

    async fn ask(&self, mail: &Mail, holder: usize, _: &Split, proposal: &Proposal) -> Result<bool, Fault> {
        let told = (proposal.children.clone(), proposal.thresholds.clone());
        self.heard.borrow_mut().proposals.insert(mail.own(), told);
        say(mail, holder, &[]);
        hear(mail, holder).await?;
        Ok(self.heard.borrow().answers[&holder])
    }

    async fn answer(&self, mail: &Mail, proposer: usize, split: &Split, secrets: Secrets<'_>) -> Result<bool, Fault> {
        hear(mail, proposer).await?;
        let allowed = {
            let (children, thresholds) = &self.heard.borrow().proposals[&proposer];
            is_allowed(split, secrets, children, thresholds).expect("the proposer counts the same rows")
        };
        self.heard.borrow_mut().answers.insert(mail.own(), allowed);
        say(mail, proposer, &[]);
        Ok(allowed)
    }
}

impl<J: Judge> Judge for Talkative<J> {
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault> {
        self.0.winner(mail, bid).await
    }

    async fn ask(&self, mail: &Mail, holder: usize, split: &Split, proposal: &Proposal) -> Result<bool, Fault> {
        let mut sizes = vec![0u32; proposal.thresholds.len() / split.groups()];
        proposal
            .children
            .iter()
            .for_each(|&child| sizes[usize::from(child)] += 1);
        let words: Vec<u8> = sizes.into_iter().flat_map(u32::to_le_bytes).collect();
        say(mail, holder, &words);
        self.0.ask(mail, holder, split, proposal).await
    }

    async fn answer(&self, mail: &Mail, proposer: usize, split: &Split, secrets: Secrets<'_>) -> Result<bool, Fault> {
        hear(mail, proposer).await?;
        self.0.answer(mail, proposer, split, secrets).await
    }
}

impl<J: Judge> Judge for Recorded<J> {
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault> {
        self.record.bids.borrow_mut().push((mail.own(), bid));
        self.judge.winner(mail, bid).await
    }

    async fn ask(&self, mail: &Mail, holder: usize, split: &Split, proposal: &Proposal) -> Result<bool, Fault> {
        let allowed = self.judge.ask(mail, holder, split, proposal).await?;
        let Record { consents, refusals, .. } = &self.record;
        let count = if allowed { consents } else { refusals };
        count.update(|count| count + 1);
        Ok(allowed)
    }

    async fn answer(&self, mail: &Mail, proposer: usize, split: &Split, secrets: Secrets<'_>) -> Result<bool, Fault> {
        self.judge.answer(mail, proposer, split, secrets).await
    }
}
