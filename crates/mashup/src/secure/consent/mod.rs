//! Consent: the holder of a sensitive column and the proposer of a refinement find out whether every part that the
//! refinement makes still meets a template.
//!
//! Both know the groups that the refinement would split, and their rows in one order, group by group, and the [`Rule`] that
//! the agreement makes of a template. The proposer alone knows the *child* that each row goes to, the holder alone the
//! secrets. Both learn one bit: all parts are as the rule says.
//!
//! | row | child (proposer) | has HIV (holder) |
//! |---|---|---|
//! | 0 | 0 | yes |
//! | 1 | 0 | no |
//! | 2 | 1 | yes |
//! | 3 | 1 | yes |
//!
//! With confidence at most 1/2 a part of two rows may hold one with HIV. Child 0 has one, child 1 has two, so the answer is
//! no. Neither party learns which child it was: the next best candidate is sought.
//!
//! Invariant: nobody learns which group, child or set decided, and no party puts in more than what it alone knows. How large
//! a part is and what it may have is counted in the circuit, so a proposer that lies can move rows between parts and nothing
//! else; where it makes one too small, the answer is no and tells nothing. One computation covers many groups; where there
//! are too many for one, each outcome is split into two random bits, one for each party, and a last computation joins them.
//!
//! # Source
//! PPMashup §7 lets the holder check a proposed refinement, and thereby see it. This check shows it nothing but the
//! answer.
//!
//! # Cost
//! With `c` children, a row costs `2(c - 1)` ANDs per secret set and `c - 1` for the size of its part, or `2v - 1` per child
//! but one where a column has `v` values; and at most `c - 2` to tell the children apart. What the last child has is what the others
//! leave, which costs nothing per row. An AND is about 2 kB of messages. Without sizes a set alone would cost `2(c - 1)`; but who must not
//! trust the proposer with them has to count, and how many of `n` bits are 1 takes no fewer than `n` ANDs less the ones of `n` in
//! binary (Boyar and Peralta 2008).

mod group;
mod question;
mod rule;
mod secrets;
mod split;

use polytune::channel::Channel;

use crate::secure::SecureError;
use group::{Group, HOLDER, PROPOSER};
use question::Question;

pub use rule::{Bound, Rule, Shares};
pub use secrets::{Counted, Numbered, OTHER, Secrets, Values};
pub use split::Split;

/// The proposer's side: whether the holder's secrets allow a split. `children` tells where each row goes.
pub async fn ask(
    channel: &impl Channel,
    split: &Split,
    rule: &Rule,
    counted: &Counted,
    children: &[u16],
) -> Result<bool, SecureError> {
    split.check_children(children)?;
    counted.check()?;
    let inputs = |group: Group| group.proposer_inputs(children);
    let question = Question {
        channel,
        split,
        rule,
        counted,
        own: PROPOSER,
        inputs,
    };
    question.decide().await
}

/// The holder's side: whether its secrets allow a split.
pub async fn answer(
    channel: &impl Channel,
    split: &Split,
    rule: &Rule,
    secrets: Secrets<'_>,
) -> Result<bool, SecureError> {
    secrets.check(split)?;
    let counted = &secrets.counted();
    counted.check()?;
    let inputs = |group: Group| group.holder_inputs(secrets);
    let question = Question {
        channel,
        split,
        rule,
        counted,
        own: HOLDER,
        inputs,
    };
    question.decide().await
}

#[cfg(test)]
mod tests;
