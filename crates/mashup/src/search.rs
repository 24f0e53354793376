//! The search: a [`Search`] goes round by round until nobody has a refinement left.
//!
//! ```text
//!        ┌──────────────────────────── refused ───────────────────────────┐
//!        ▼                                                                │
//! everyone bids ──► secure maximum: who? ──► the winner asks those whose secrets are concerned
//!        ▲                                                                │
//!        └──── everyone splits the same groups ◄──── instruction ◄── all consent
//! ```
//!
//! # Source
//! Fung 2007, algorithm 5; Mohammed, Fung, Wang and Hung 2009, algorithm 1. Their section 7 has the holder of a secret look
//! at a proposed refinement before it consents, and so see even one that it refuses; here both compute the answer together,
//! and it sees nothing else.

use scumble_refine::{Bid, Instruction, PartySearch};
use scumble_table::Table;

use crate::duties::{Allowed, Consent, Duties};
use crate::event::{Event, Followed};
use crate::fault::Fault;
use crate::held::Held;
use crate::judge::{Judge, Proposal, Secure};
use crate::mail::{Mail, unexpected};
use crate::message::{Ask, Message, Refine, Scope};
use crate::pack::{Packed, width_of};
use crate::secure::{Measure, Split};
use crate::session::Ready;

/// Columns that a bid can tell apart.
const COLUMNS: u64 = 1 << 10;

/// The search of one party together with the others.
struct Search<'p, 't, J> {
    mail: Mail,
    duties: &'p Duties,
    table: &'p Table,
    search: PartySearch<'t>,
    judge: J,
    round: usize,
    refinements: usize,
    made: Made,
}

/// How many refinements were made, as far as we know of what.
pub(crate) struct Made {
    /// Of each quasi column that we follow.
    pub followed: Vec<usize>,
    /// By each party, of columns of its own that we do not follow.
    pub elsewhere: Vec<usize>,
}

/// All masks are fixed, and what they show can be told.
pub struct Fixed<'p, 't> {
    pub(crate) mail: Mail,
    pub(crate) duties: &'p Duties,
    pub(crate) search: PartySearch<'t>,
    pub(crate) made: Made,
    pub(crate) records: usize,
    /// Refinements made by anyone.
    pub refinements: usize,
}

impl Ready {
    /// Searches until nobody has a refinement left, or so many `steps` were made.
    ///
    /// # Errors
    /// If even the most masked table does not meet the requirement, or someone breaks the order.
    pub async fn search<'p, 't>(
        self,
        duties: &'p Duties,
        table: &'p Table,
        search: PartySearch<'t>,
        steps: Option<usize>,
    ) -> Result<Fixed<'p, 't>, Fault> {
        let judge = Secure::new(self.mail.parties())?;
        self.search_with(judge, duties, table, search, steps).await
    }

    /// The same, with this judge.
    pub(crate) async fn search_with<'p, 't>(
        self,
        judge: impl Judge,
        duties: &'p Duties,
        table: &'p Table,
        search: PartySearch<'t>,
        steps: Option<usize>,
    ) -> Result<Fixed<'p, 't>, Fault> {
        let unmet = search.unmet();
        self.mail.send_all(&Message::Start { met: unmet.is_empty() });
        let verdicts = self
            .mail
            .receive_each(self.mail.others(), "a verdict on the start", |message| match message {
                Message::Start { met } => Ok(met),
                other => Err(other),
            })
            .await?;
        let by = match unmet.is_empty() {
            false => Some(self.mail.own()),
            true => verdicts.iter().find(|(_, met)| !met).map(|&(from, _)| from),
        };
        if let Some(by) = by {
            return Err(Fault::CannotBeMet { by, templates: unmet });
        }
        let made = Made {
            followed: vec![0; duties.columns()],
            elsewhere: vec![0; self.mail.parties()],
        };
        let search = Search {
            judge,
            made,
            mail: self.mail,
            duties,
            table,
            search,
            round: 0,
            refinements: 0,
        };
        search.run(self.records, steps).await
    }
}

impl<'p, 't, J: Judge> Search<'p, 't, J> {
    async fn run(mut self, records: usize, steps: Option<usize>) -> Result<Fixed<'p, 't>, Fault> {
        while steps.is_none_or(|most| self.refinements < most) {
            self.round += 1;
            let bid = self.search.bid();
            let winner = self.judge.winner(&self.mail, number(bid)).await?;
            self.mail.note(Event::Won {
                round: self.round,
                by: winner,
            });
            let goes_on = match winner == self.mail.own() {
                true => self.lead(bid.is_some()).await?,
                false => self.follow(winner, bid.is_some()).await?,
            };
            if !goes_on {
                break;
            }
        }
        self.mail.note(Event::Finished {
            rounds: self.round,
            refinements: self.refinements,
        });
        Ok(Fixed {
            mail: self.mail,
            duties: self.duties,
            search: self.search,
            made: self.made,
            records,
            refinements: self.refinements,
        })
    }

    /// Our turn: refine, if those concerned consent. Whether the search goes on.
    async fn lead(&mut self, has_bid: bool) -> Result<bool, Fault> {
        let Some(instruction) = self.search.instruction().filter(|_| has_bid) else {
            self.mail.send_all(&Message::Finished);
            return Ok(false);
        };
        for (place, consent) in self.duties.consents_for(instruction.column) {
            if !self.ask(place, consent, &instruction).await? {
                self.mail.send_all(&Message::Refused);
                self.search.withdraw();
                self.mail.note(Event::Refused {
                    round: self.round,
                    by: self.mail.own(),
                });
                return Ok(true);
            }
        }
        let refine = Message::Refine(Refine {
            column: instruction.column as u32,
            value: instruction.value,
            children: instruction.children,
            child_of: Packed::new(&instruction.child_of, instruction.children),
        });
        for to in self.mail.others() {
            let follows = self.duties.follows(to, instruction.column);
            self.mail.send(to, if follows { &refine } else { &Message::Elsewhere });
        }
        self.search.make();
        self.refined(self.mail.own(), Some(&instruction));
        Ok(true)
    }

    /// Someone else's turn. Whether the search goes on.
    async fn follow(&mut self, winner: usize, has_bid: bool) -> Result<bool, Fault> {
        loop {
            match self.mail.receive(winner).await? {
                Message::Ask(question) => self.answer(winner, question).await?,
                Message::Refused => {
                    self.mail.note(Event::Refused {
                        round: self.round,
                        by: winner,
                    });
                    return Ok(true);
                }
                Message::Refine(refine) => {
                    let instruction = self.read(winner, refine)?;
                    self.refined(winner, Some(&instruction));
                    return Ok(true);
                }
                Message::Elsewhere => {
                    self.refined(winner, None);
                    return Ok(true);
                }
                Message::Finished if has_bid => {
                    return Err(Fault::Contradiction {
                        from: winner,
                        what: "its bid",
                    });
                }
                Message::Finished => return Ok(false),
                other => return Err(unexpected(winner, &other, "what the winner does")),
            }
        }
    }

    /// Follows an instruction, if it is one that its sender may give.
    fn read(&mut self, from: usize, refine: Refine) -> Result<Instruction, Fault> {
        let contradiction = Fault::Contradiction { from, what: "a column" };
        let column = refine.column as usize;
        let is_theirs = column < self.duties.columns() && self.duties.owner_of(column) == from;
        if !is_theirs || !self.duties.follows(self.mail.own(), column) {
            return Err(contradiction);
        }
        let showing = self.search.records_showing(column, refine.value);
        let child_of = showing.and_then(|records| refine.child_of.unpack(records, refine.children));
        let Some(child_of) = child_of else {
            return Err(contradiction);
        };
        let instruction = Instruction {
            column,
            value: refine.value,
            children: refine.children,
            child_of,
        };
        self.search.follow(&instruction).map_err(|_| contradiction)?;
        Ok(instruction)
    }

    fn refined(&mut self, by: usize, instruction: Option<&Instruction>) {
        self.refinements += 1;
        match instruction {
            Some(instruction) => self.made.followed[instruction.column] += 1,
            None => self.made.elsewhere[by] += 1,
        }
        self.mail.note(Event::Refined {
            round: self.round,
            by,
            followed: instruction.map(|instruction| Followed {
                column: instruction.column,
                children: instruction.children,
                records: instruction.child_of.len(),
            }),
        });
    }

    /// Asks the holder of a secret whether we may refine.
    async fn ask(&self, place: usize, consent: &Consent, instruction: &Instruction) -> Result<bool, Fault> {
        let could_be = self.search.fan_out().unwrap_or(instruction.children);
        let (holder, child_bits) = (consent.holder, width_of(could_be).max(1));
        let contradiction = Fault::Contradiction {
            from: holder,
            what: "a question",
        };
        self.mail.send(
            holder,
            &Message::Ask(Ask {
                consent: place as u32,
                column: instruction.column as u32,
                value: instruction.value,
                child_bits,
            }),
        );
        let groups = self
            .search
            .groups(&consent.columns, (instruction.column, instruction.value));
        let scope = self
            .mail
            .receive_as(holder, "the scope of a question", |message| match message {
                Message::Scope(scope) => Ok(scope),
                other => Err(other),
            });
        let scope = scope.await?;
        let settled = scope.settled.unpack(groups.len(), 2);
        let (Some(settled), Some(allowed)) = (settled, consent.allowed()) else {
            return Err(contradiction);
        };
        let children = self.search.by_record(instruction);
        let open = groups.iter().zip(settled).filter(|&(_, settled)| settled == 0);
        let open: Vec<&Vec<u32>> = open.map(|(group, _)| group).collect();
        // The circuit grows with this number, so it is not taken on trust.
        let largest = open.iter().map(|group| group.len()).max().unwrap_or(0);
        if scope.counted as usize > consent.counted_at_most(largest) {
            return Err(contradiction);
        }
        let Some(measure) = measure(&allowed, scope.counted).filter(|_| !open.is_empty()) else {
            return Ok(true);
        };
        let mut thresholds = Vec::new();
        for group in &open {
            let mut sizes = vec![0u32; 1 << child_bits];
            group
                .iter()
                .for_each(|&record| sizes[children[record as usize] as usize] += 1);
            thresholds.extend(sizes.into_iter().map(|size| consent.threshold(&allowed, size)));
        }
        let records = open.iter().copied().flatten();
        let proposal = Proposal {
            measure,
            children: records.map(|&record| children[record as usize] as u16).collect(),
            thresholds,
        };
        let split = split(open.iter().map(|group| group.len()), child_bits)?;
        self.judge.ask(&self.mail, holder, &split, &proposal).await
    }

    /// Answers whether a secret of ours allows a refinement of someone else.
    async fn answer(&self, from: usize, question: Ask) -> Result<(), Fault> {
        let contradiction = Fault::Contradiction {
            from,
            what: "a question",
        };
        let column = question.column as usize;
        let consent = self.duties.consent(question.consent as usize);
        let consent = consent.filter(|consent| consent.holder == self.mail.own() && consent.columns.contains(&column));
        let fits = |_: &&Consent| self.duties.owner_of(column) == from && (1..=16).contains(&question.child_bits);
        let Some(consent) = consent.filter(fits) else {
            return Err(contradiction);
        };
        let groups = self.search.groups(&consent.columns, (column, question.value));
        if groups.iter().all(Vec::is_empty) {
            return Err(contradiction);
        }
        let held = Held::new(&consent.template, self.table);
        let settled: Vec<u32> = groups.iter().map(|group| u32::from(held.is_settled(group))).collect();
        let open = groups.iter().zip(&settled).filter(|&(_, &settled)| settled == 0);
        let open: Vec<&[u32]> = open.map(|(group, _)| &group[..]).collect();
        let secrets = held.of_groups(&open);
        self.mail.send(
            from,
            &Message::Scope(Scope {
                settled: Packed::new(&settled, 2),
                counted: secrets.counted(),
            }),
        );
        let mut consents = true;
        if !open.is_empty() && secrets.counted() > 0 {
            let split = split(open.iter().map(|group| group.len()), question.child_bits)?;
            consents = self.judge.answer(&self.mail, from, &split, secrets.as_input()).await?;
        }
        self.mail.note(Event::Answered {
            from,
            column,
            consent: consents,
        });
        Ok(())
    }
}

/// A bid as the number that is compared: the rank, then the earlier column; 0 for none.
fn number(bid: Option<Bid>) -> u64 {
    bid.map_or(0, |bid| {
        bid.rank * COLUMNS + (COLUMNS - 1).saturating_sub(bid.column as u64)
    })
}

/// The groups that a refinement splits, by their sizes.
fn split(sizes: impl Iterator<Item = usize>, child_bits: u8) -> Result<Split, Fault> {
    let sizes: Vec<u32> = sizes.map(|size| size as u32).collect();
    Ok(Split::new(&sizes, u32::from(child_bits))?)
}

/// What is measured of each part, if anything can be wrong with one.
fn measure(allowed: &Allowed, counted: u32) -> Option<Measure> {
    let counted = counted as usize;
    (counted > 0).then_some(match allowed {
        Allowed::Shares => Measure::SharesAtMost { sets: counted },
        Allowed::Distinct(_) => Measure::DistinctAtLeast { values: counted },
    })
}
