//! The secure computations over a [`SecureChannel`], each as a boxed future.
//!
//! They are large and deep. And an `async fn` is compiled where it is polled, which is in whatever crate drives a machine: made into
//! trait objects by plain functions, they are compiled here, once, and as well as this crate is.

use std::pin::Pin;

use crate::channel::SecureChannel;
use crate::secure::{Counted, Maximum, Rule, Same, Secrets, SecureError, Split, answer, ask};

type Computed<'c, T> = Pin<Box<dyn Future<Output = Result<T, SecureError>> + 'c>>;

/// Who bids most.
#[inline(never)]
pub fn winner<'c>(maximum: &'c Maximum, channel: &'c SecureChannel, own: usize, bid: u64) -> Computed<'c, usize> {
    Box::pin(maximum.winner(channel, own, bid))
}

/// Who holds the same number as whom.
#[inline(never)]
pub fn compared<'c>(
    same: &'c Same,
    channel: &'c SecureChannel,
    own: usize,
    number: u128,
) -> Computed<'c, Vec<Vec<usize>>> {
    Box::pin(same.compare(channel, own, number))
}

/// Whether the secrets of the other allow our split.
#[inline(never)]
pub fn asked<'c>(
    channel: &'c SecureChannel,
    split: &'c Split,
    rule: &'c Rule,
    counted: &'c Counted,
    children: &'c [u16],
) -> Computed<'c, bool> {
    Box::pin(ask(channel, split, rule, counted, children))
}

/// Whether our secrets allow the split of the other.
#[inline(never)]
pub fn answered<'c>(
    channel: &'c SecureChannel,
    split: &'c Split,
    rule: &'c Rule,
    secrets: Secrets<'c>,
) -> Computed<'c, bool> {
    Box::pin(answer(channel, split, rule, secrets))
}
