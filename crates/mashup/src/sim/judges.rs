//! A judge that decides in the open. What it lets everyone see is what [`Secure`](crate::judge::Secure) must hide.

use crate::fault::Fault;
use crate::judge::{Judge, Proposal};
use crate::mail::Mail;
use crate::message::Message;
use crate::secure::{Measure, Secrets, Split};

#[derive(Clone, Copy)]
pub struct Open;

async fn take(mail: &Mail, from: usize) -> Result<Vec<u8>, Fault> {
    match mail.receive(from).await? {
        Message::Secure(bytes) => Ok(bytes),
        other => Err(crate::mail::unexpected(from, &other, "an open word")),
    }
}

impl Judge for Open {
    async fn winner(&self, mail: &Mail, bid: u64) -> Result<usize, Fault> {
        mail.send_all(&Message::Secure(bid.to_le_bytes().to_vec()));
        let mut bids = vec![bid; mail.parties()];
        for from in mail.others() {
            bids[from] = u64::from_le_bytes(take(mail, from).await?.try_into().unwrap());
        }
        let most = *bids.iter().max().unwrap();
        Ok(bids.iter().position(|&bid| bid == most).unwrap())
    }

    async fn ask(&self, mail: &Mail, holder: usize, _: &Split, proposal: &Proposal) -> Result<bool, Fault> {
        let words = (
            matches!(proposal.measure, Measure::SharesAtMost { .. }),
            &proposal.children,
            &proposal.thresholds,
        );
        mail.send(holder, &Message::Secure(postcard::to_stdvec(&words).unwrap()));
        Ok(take(mail, holder).await? == [1])
    }

    async fn answer(&self, mail: &Mail, proposer: usize, split: &Split, secrets: Secrets<'_>) -> Result<bool, Fault> {
        let words = take(mail, proposer).await?;
        let (_, children, thresholds): (bool, Vec<u16>, Vec<u32>) = postcard::from_bytes(&words).unwrap();
        let parts = thresholds.len() / split.groups();
        let allowed = (0..split.groups()).all(|group| {
            (0..parts).all(|part| {
                let rows = || split.rows_of(group).filter(|&row| usize::from(children[row]) == part);
                let threshold = thresholds[group * parts + part] as usize;
                match secrets {
                    Secrets::Sets(sets) => sets
                        .iter()
                        .all(|set| rows().filter(|&row| set[row]).count() <= threshold),
                    Secrets::Values { of_rows, .. } => {
                        let values: std::collections::BTreeSet<u32> = rows().map(|row| of_rows[row]).collect();
                        values.len() >= threshold
                    }
                }
            })
        });
        mail.send(proposer, &Message::Secure(vec![u8::from(allowed)]));
        Ok(allowed)
    }
}
