//! [`Patience`]: how long a party may keep back a message that another waits for. Signs of life are no message.
//!
//! A party may be late because it works, or because it waits for a third one. Each says in its signs of life which it is
//! ([`Sign`]), so that of three in a row the one who waits for the culprit gives up first, and names it:
//!
//! ```text
//! shop waits for clinic, clinic waits for bank, bank only shows signs of life
//! clinic gives up: `bank` …            shop hears: `clinic` gave up: `bank` …
//! ```
//!
//! Invariant: a party that says that it works has the allowed span, and one that says that it is busy with others has it
//! twice, unless one of these bears it out. So one party alone cannot keep the others waiting, whatever it says.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// What a sign of life says of its sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sign {
    /// Whose message it waits for. None if it works.
    pub(crate) waits_for: Option<usize>,
    /// Whether it got a message of anybody but the receiver since its last sign.
    pub(crate) has_heard: bool,
}

/// The place of nobody.
const NOBODY: u8 = u8::MAX;

impl Sign {
    /// The bytes of a sign; none if it says nothing.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        match self == Sign::default() {
            true => Vec::new(),
            // A checked list has at most 255 parties.
            false => vec![
                self.waits_for.map_or(NOBODY, |party| party as u8),
                u8::from(self.has_heard),
            ],
        }
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Sign> {
        match *bytes {
            [] => Some(Sign::default()),
            [party, heard @ (0 | 1)] => Some(Sign {
                waits_for: (party != NOBODY).then_some(usize::from(party)),
                has_heard: heard == 1,
            }),
            _ => None,
        }
    }
}

/// What this party knows of who waits for whom.
#[derive(Debug)]
pub(crate) struct Patience {
    own: usize,
    span: Duration,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    peers: Vec<Peer>,
    /// Since when this party works, if it does. That time is not held against those it waited for before.
    works: Option<Instant>,
}

#[derive(Clone, Debug, Default)]
struct Peer {
    /// Since when this party waits for its message without an excuse of it, and without one that others bear out.
    waited: Option<(Instant, Instant)>,
    sign: Sign,
    messages: u64,
}

impl Patience {
    pub(crate) fn new(own: usize, parties: usize, span: Duration) -> Patience {
        Patience {
            own,
            span,
            known: Mutex::new(Known {
                peers: vec![Peer::default(); parties],
                works: None,
            }),
        }
    }

    /// This party waits for messages of these and of nobody else.
    pub(crate) fn wait_for(&self, due: &[usize], now: Instant) {
        self.with(|known| {
            let worked = known.works.take().map_or(Duration::ZERO, |since| now - since);
            for (party, peer) in known.peers.iter_mut().enumerate() {
                let waited = peer.waited.map_or((now, now), |(idle, alone)| {
                    (now.min(idle + worked), now.min(alone + worked))
                });
                peer.waited = due.contains(&party).then_some(waited);
            }
        });
    }

    /// This party has got a message, and works.
    pub(crate) fn work(&self, now: Instant) {
        self.with(|known| known.works = Some(now));
    }

    /// A peer gave a sign of life.
    pub(crate) fn sign(&self, from: usize, sign: Sign) {
        self.with(|known| known.peers[from].sign = sign);
    }

    /// A whole message of a peer came, or as much of one as a frame holds.
    pub(crate) fn progressed(&self, from: usize, is_whole: bool, now: Instant) {
        self.with(|known| {
            let peer = &mut known.peers[from];
            peer.waited = peer.waited.map(|_| (now, now));
            peer.messages += u64::from(is_whole);
        });
    }

    /// What to tell a peer, and how many messages of others there have been, of which it was told some before.
    pub(crate) fn sign_for(&self, to: usize, told: u64) -> (Sign, u64) {
        self.with(|known| {
            let others = || known.peers.iter().enumerate().filter(|&(party, _)| party != to);
            let heard = others().map(|(_, peer)| peer.messages).sum();
            let waits_for = others().find(|(_, peer)| known.works.is_none() && peer.waited.is_some());
            let sign = Sign {
                waits_for: waits_for.map(|(party, _)| party),
                has_heard: heard > told,
            };
            (sign, heard)
        })
    }

    /// A peer that was waited for too long.
    pub(crate) fn overdue(&self, now: Instant) -> Option<usize> {
        self.with(|Known { peers, .. }| {
            let excuses: Vec<(bool, bool)> = (0..peers.len()).map(|party| self.excuse(peers, party)).collect();
            let mut overdue = None;
            for (party, (peer, (is_busy, is_borne_out))) in peers.iter_mut().zip(excuses).enumerate() {
                let Some((idle, alone)) = &mut peer.waited else {
                    continue;
                };
                if is_busy {
                    *idle = now;
                }
                if is_busy && is_borne_out {
                    *alone = now;
                }
                let is_late = now - *idle > self.span || now - *alone > 2 * self.span;
                overdue = overdue.or(is_late.then_some(party));
            }
            overdue
        })
    }

    /// Those whose message is waited for.
    pub(crate) fn waited_for(&self) -> Vec<usize> {
        self.with(|Known { peers, .. }| {
            (0..peers.len())
                .filter(|&party| peers[party].waited.is_some())
                .collect()
        })
    }

    /// Whether a peer says that it is busy with others, and whether what one of these says allows that.
    fn excuse(&self, peers: &[Peer], party: usize) -> (bool, bool) {
        let is_other = |other: usize| other != party && other != self.own;
        let Sign { waits_for, has_heard } = peers[party].sign;
        let is_busy = has_heard || waits_for.is_some_and(|other| other != self.own);
        let is_borne_out = (0..peers.len()).filter(|&other| is_other(other)).any(|other| {
            let Sign { waits_for, has_heard } = peers[other].sign;
            has_heard || waits_for.is_none_or(is_other)
        });
        (is_busy, is_borne_out)
    }

    fn with<T>(&self, look: impl FnOnce(&mut Known) -> T) -> T {
        // Nothing in here panics half way.
        look(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Duration = Duration::from_secs(10);

    /// When this party, the first of so many, gives up on whom, if the others give these signs every second.
    fn gives_up(parties: usize, due: usize, sign: impl Fn(u64, usize) -> Sign) -> Option<(u64, usize)> {
        let patience = Patience::new(0, parties, SPAN);
        let start = Instant::now();
        patience.wait_for(&[due], start);
        (1..100).find_map(|second| {
            (1..parties).for_each(|party| patience.sign(party, sign(second, party)));
            let late = patience.overdue(start + Duration::from_secs(second))?;
            Some((second, late))
        })
    }

    fn waits_for(party: usize) -> Sign {
        Sign {
            waits_for: Some(party),
            has_heard: false,
        }
    }

    const HEARD: Sign = Sign {
        waits_for: None,
        has_heard: true,
    };

    #[test]
    fn who_only_shows_signs_of_life_is_given_up() {
        assert_eq!(gives_up(2, 1, |_, _| Sign::default()), Some((11, 1)));
        assert_eq!(gives_up(3, 2, |_, _| Sign::default()), Some((11, 2)));
        // "I wait for you" is no excuse.
        assert_eq!(gives_up(3, 2, |_, _| waits_for(0)), Some((11, 2)));
    }

    /// Of two parties neither can be busy with a third.
    #[test]
    fn whatever_it_says() {
        for lie in [HEARD, waits_for(1), waits_for(77)] {
            assert_eq!(gives_up(2, 1, |_, _| lie), Some((21, 1)), "{lie:?}");
        }
        let by_turns = |second: u64, _| [Sign::default(), HEARD][second as usize % 2];
        assert_eq!(gives_up(2, 1, by_turns), Some((21, 1)));
        // It says that it waits for the other, who waits for it.
        let each_other = |_, party| waits_for(3 - party);
        assert_eq!(gives_up(3, 1, each_other), Some((21, 1)));
    }

    /// The one that waits for the culprit gives up first.
    #[test]
    fn who_waits_for_a_third_is_not_given_up() {
        let third_works = |_, party| match party {
            1 => waits_for(2),
            _ => Sign::default(),
        };
        assert_eq!(gives_up(3, 1, third_works), None);
        // Two that speak with each other for long, while each is waited for.
        assert_eq!(gives_up(3, 1, |_, _| HEARD), None);
        let by_turns = |second: u64, party: usize| match second / 8 % 2 == party as u64 % 2 {
            true => waits_for(3 - party),
            false => Sign::default(),
        };
        assert_eq!(gives_up(3, 1, by_turns), None);
    }

    #[test]
    fn a_message_starts_it_anew_and_nobody_is_late_who_is_not_waited_for() {
        let patience = Patience::new(0, 2, SPAN);
        let at = |start: Instant, second| start + Duration::from_secs(second);
        let start = Instant::now();
        assert_eq!(patience.overdue(at(start, 1000)), None);
        patience.wait_for(&[1], at(start, 0));
        patience.progressed(1, true, at(start, 9));
        assert_eq!(patience.overdue(at(start, 19)), None);
        // To go on waiting is no new start, and to work meanwhile is not its fault.
        patience.wait_for(&[1], at(start, 18));
        patience.work(at(start, 19));
        patience.wait_for(&[1], at(start, 59));
        assert_eq!(patience.overdue(at(start, 59)), None);
        assert_eq!(patience.overdue(at(start, 60)), Some(1));
        patience.wait_for(&[], at(start, 61));
        assert_eq!(patience.overdue(at(start, 99)), None);
    }

    #[test]
    fn what_is_told_of_oneself() {
        let patience = Patience::new(0, 3, SPAN);
        let now = Instant::now();
        assert_eq!(patience.sign_for(1, 0), (Sign::default(), 0));
        patience.wait_for(&[2], now);
        assert_eq!(patience.sign_for(1, 0), (waits_for(2), 0));
        assert_eq!(patience.sign_for(2, 0), (Sign::default(), 0), "it knows");
        patience.progressed(2, true, now);
        patience.work(now);
        assert_eq!(patience.sign_for(1, 0), (HEARD, 1));
        assert_eq!(patience.sign_for(1, 1), (Sign::default(), 1));
    }

    #[test]
    fn a_sign_is_read_as_it_was_written() {
        for sign in [Sign::default(), HEARD, waits_for(0), waits_for(254)] {
            assert_eq!(Sign::of_bytes(&sign.to_bytes()), Some(sign));
        }
        assert_eq!(Sign::of_bytes(&[1]), None);
        assert_eq!(Sign::of_bytes(&[1, 2]), None);
    }
}
