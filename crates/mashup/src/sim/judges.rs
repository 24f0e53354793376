//! Judges for tests. [`Trusted`] shows nobody anything, like [`Secure`](crate::judge::Secure), but at no cost; what
//! [`Open`] and [`Talkative`] let parties see is what a judge must hide.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::fault::Fault;
use crate::judge::{Asked, Judge, Proposal};
use crate::mail::{Mail, unexpected};
use crate::message::Message;
use crate::secure::{Bound, OTHER, Secrets};

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
    proposals: BTreeMap<usize, Vec<u16>>,
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

/// Whether every part of every group is as the rule says; `None` if what was said does not fit.
fn is_allowed(asked: &Asked, secrets: Secrets<'_>, children: &[u16]) -> Option<bool> {
    let Asked { split, rule } = asked;
    let all_rows = split.rows_of(split.groups() - 1).end;
    let fits = children.len() == all_rows
        && children
            .iter()
            .all(|&child| usize::from(child) < asked.split.children());
    fits.then_some(())?;
    let is_within = |group: usize, part: usize| {
        let rows: Vec<usize> = split
            .rows_of(group)
            .filter(|&row| usize::from(children[row]) == part)
            .collect();
        let sets = secrets
            .sets
            .iter()
            .map(|set| rows.iter().filter(|&&row| set[row]).count());
        let mut of_values: BTreeMap<(usize, u32), usize> = BTreeMap::new();
        for (place, column) in secrets.columns.iter().enumerate() {
            let values = rows
                .iter()
                .map(|&row| column.of_rows[row])
                .filter(|&value| value != OTHER);
            values.for_each(|value| *of_values.entry((place, value)).or_default() += 1);
        }
        let counts: Vec<usize> = sets.chain(of_values.into_values()).collect();
        let is_large = rows.len() >= rule.least as usize;
        rows.is_empty()
            || is_large
                && match &rule.bound {
                    Bound::Share(shares) => counts.iter().all(|&count| count <= shares.most(rows.len())),
                    Bound::Distinct(least) => counts.len() >= *least as usize,
                }
    };
    Some((0..split.groups()).all(|group| (0..asked.split.children()).all(|part| is_within(group, part))))
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

    async fn ask(&self, mail: &Mail, holder: usize, _: &Asked, proposal: &Proposal) -> Result<bool, Fault> {
        let words = postcard::to_stdvec(&proposal.children);
        say(mail, holder, &words.expect("numbers can be written"));
        Ok(hear(mail, holder).await? == [1])
    }

    async fn answer(&self, mail: &Mail, proposer: usize, asked: &Asked, secrets: Secrets<'_>) -> Result<bool, Fault> {
        let malformed = |_| Fault::Malformed { from: proposer };
        let words = hear(mail, proposer).await?;
        let children: Vec<u16> = postcard::from_bytes(&words).map_err(malformed)?;
        let allowed = is_allowed(asked, secrets, &children);
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

    async fn ask(&self, mail: &Mail, holder: usize, _: &Asked, proposal: &Proposal) -> Result<bool, Fault> {
        let told = proposal.children.clone();
        self.heard.borrow_mut().proposals.insert(mail.own(), told);
        say(mail, holder, &[]);
        hear(mail, holder).await?;
        Ok(self.heard.borrow().answers[&holder])
    }

    async fn answer(&self, mail: &Mail, proposer: usize, asked: &Asked, secrets: Secrets<'_>) -> Result<bool, Fault> {
        hear(mail, proposer).await?;
        let allowed = {
            let children = &self.heard.borrow().proposals[&proposer];
            is_allowed(asked, secrets, children).expect("the proposer counts the same rows")
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

    async fn ask(&self, mail: &Mail, holder: usize, asked: &Asked, proposal: &Proposal) -> Result<bool, Fault> {
        let mut sizes = vec![0u32; asked.split.children()];
        proposal
            .children
            .iter()
            .for_each(|&child| sizes[usize::from(child)] += 1);
        let words: Vec<u8> = sizes.into_iter().flat_map(u32::to_le_bytes).collect();
        say(mail, holder, &words);
        self.0.ask(mail, holder, asked, proposal).await
    }

    async fn answer(&self, mail: &Mail, proposer: usize, asked: &Asked, secrets: Secrets<'_>) -> Result<bool, Fault> {
        hear(mail, proposer).await?;
        self.0.answer(mail, proposer, asked, secrets).await
    }
}

impl<J: Judge> Judge for Recorded<J> {
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault> {
        self.record.bids.borrow_mut().push((mail.own(), bid));
        self.judge.winner(mail, bid).await
    }

    async fn ask(&self, mail: &Mail, holder: usize, asked: &Asked, proposal: &Proposal) -> Result<bool, Fault> {
        let allowed = self.judge.ask(mail, holder, asked, proposal).await?;
        let Record { consents, refusals, .. } = &self.record;
        let count = if allowed { consents } else { refusals };
        count.update(|count| count + 1);
        Ok(allowed)
    }

    async fn answer(&self, mail: &Mail, proposer: usize, asked: &Asked, secrets: Secrets<'_>) -> Result<bool, Fault> {
        self.judge.answer(mail, proposer, asked, secrets).await
    }
}
