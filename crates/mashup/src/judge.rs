//! A [`Judge`] answers what parties may only find out together. The one of this program is [`Secure`].

use std::time::Instant;

use crate::channel::SecureChannel;
use crate::computed;
use crate::event::Event;
use crate::fault::Fault;
use crate::mail::Mail;
use crate::secure::{Counted, Maximum, Rule, Secrets, Split};

/// Who wins, and whether a refinement is allowed. Nobody must learn anything else.
pub(crate) trait Judge {
    /// Who bids most; of equal bids, the first party's.
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault>;

    /// Whether the secrets of `holder` allow our split.
    async fn ask(&self, mail: &Mail, holder: usize, asked: &Asked, proposal: &Proposal) -> Result<bool, Fault>;

    /// Whether our secrets allow the split of `proposer`.
    async fn answer(&self, mail: &Mail, proposer: usize, asked: &Asked, secrets: Secrets<'_>) -> Result<bool, Fault>;
}

/// What both sides of a question know.
pub(crate) struct Asked {
    pub split: Split,
    pub rule: Rule,
}

/// What the proposer of a split knows beside that.
pub(crate) struct Proposal {
    pub counted: Counted,
    /// The part of each record, group by group. Nobody else knows it.
    pub children: Vec<u16>,
}

/// Multi-party computation.
pub(crate) struct Secure {
    maximum: Maximum,
}

impl Secure {
    pub fn new(parties: usize) -> Result<Self, Fault> {
        Ok(Secure {
            maximum: Maximum::new(parties)?,
        })
    }
}

impl Judge for Secure {
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault> {
        let start = Instant::now();
        let channel = SecureChannel::of_all(mail);
        let winner = computed::winner(&self.maximum, &channel, mail.own(), bid).await;
        let winner = winner.map_err(|error| channel.fault(error))?;
        mail.note_computed(Event::MAXIMUM, channel.others(), start.elapsed());
        Ok(winner)
    }

    async fn ask(&self, mail: &Mail, holder: usize, asked: &Asked, proposal: &Proposal) -> Result<bool, Fault> {
        let Asked { split, rule } = asked;
        let Proposal { counted, children } = proposal;
        let start = Instant::now();
        let channel = SecureChannel::of_two(mail, mail.own(), holder);
        let allowed = computed::asked(&channel, split, rule, counted, children).await;
        let allowed = allowed.map_err(|error| channel.fault(error))?;
        mail.note_computed(Event::CONSENT, channel.others(), start.elapsed());
        Ok(allowed)
    }

    async fn answer(&self, mail: &Mail, proposer: usize, asked: &Asked, secrets: Secrets<'_>) -> Result<bool, Fault> {
        let start = Instant::now();
        let channel = SecureChannel::of_two(mail, proposer, mail.own());
        let allowed = computed::answered(&channel, &asked.split, &asked.rule, secrets).await;
        let allowed = allowed.map_err(|error| channel.fault(error))?;
        mail.note_computed(Event::CONSENT, channel.others(), start.elapsed());
        Ok(allowed)
    }
}
