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
//! What a winner may do follows from the agreement, and everyone holds it to that:
//!
//! | the winner | must |
//! |---|---|
//! | asks | ask about each of its values once for each consent, in their order, about one refinement per turn |
//! | refines | have asked all whose consent it needs, have had a yes of each, and make what it had sealed when it asked |
//! | refines | leave every template met that a follower sees to, and make no more parts than the agreement foresees |
//! | is refused | have had a no |
//!
//! # Source
//! Fung 2007, algorithm 5; Mohammed, Fung, Wang and Hung 2009, algorithm 1. Their section 7 has the holder of a secret look
//! at a proposed refinement before it consents, and so see even one that it refuses; here both compute the answer together,
//! and it sees nothing else.

use std::collections::BTreeSet;

use scumble_refine::{Bid, Instruction, PartySearch};
use scumble_table::Table;

use crate::duties::{Consent, Duties};
use crate::event::{Event, Followed};
use crate::fault::Fault;
use crate::held::Held;
use crate::judge::{Asked, Judge, Proposal, Secure};
use crate::mail::{Mail, unexpected};
use crate::message::{Ask, Digest, Message, Refine, Scope};
use crate::pack::Packed;
use crate::secure::{Counted, Split, Values};
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
    records: usize,
    round: usize,
    refinements: usize,
    made: Made,
    /// How often each party has won.
    wins: Vec<usize>,
    /// What we were asked about so far: consent, column and value.
    questions: BTreeSet<(u32, u32, u32)>,
}

/// What a winner asked us in its turn, and what we answered.
#[derive(Default)]
struct Questions {
    /// The refinement that all of them are about.
    about: Option<Ask>,
    /// The consents that we were asked for, with our answers.
    answers: Vec<(u32, bool)>,
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
        self.begin(judge, duties, table, search).await?.run(steps).await
    }

    /// Makes sure that all can begin.
    async fn begin<'p, 't, J: Judge>(
        self,
        judge: J,
        duties: &'p Duties,
        table: &'p Table,
        search: PartySearch<'t>,
    ) -> Result<Search<'p, 't, J>, Fault> {
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
        Ok(Search {
            judge,
            made,
            wins: vec![0; self.mail.parties()],
            mail: self.mail,
            duties,
            table,
            search,
            records: self.records,
            round: 0,
            refinements: 0,
            questions: BTreeSet::new(),
        })
    }
}

impl<'p, 't, J: Judge> Search<'p, 't, J> {
    async fn run(mut self, steps: Option<usize>) -> Result<Fixed<'p, 't>, Fault> {
        while steps.is_none_or(|most| self.refinements < most) {
            self.round += 1;
            let bid = self.search.bid();
            let winner = self.judge.winner(&self.mail, number(bid)).await?;
            self.mail.note(Event::Won {
                round: self.round,
                by: winner,
            });
            self.wins[winner] += 1;
            // The one win more is to say that nothing is left.
            if self.wins[winner] > self.duties.wins_at_most(winner, self.records) + 1 {
                return Err(contradiction(winner, "how often it can win"));
            }
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
            records: self.records,
            refinements: self.refinements,
        })
    }

    /// Our turn: refine, if those concerned consent. Whether the search goes on.
    async fn lead(&mut self, has_bid: bool) -> Result<bool, Fault> {
        let Some(instruction) = self.search.instruction().filter(|_| has_bid) else {
            self.mail.send_all(&Message::Finished);
            return Ok(false);
        };
        let mut opening = Digest::default();
        getrandom::fill(&mut opening).map_err(|_| Fault::NoRandomness)?;
        let sealed = seal(&opening, &instruction);
        for (place, consent) in self.duties.consents_for(instruction.column) {
            if !self.ask(place, consent, &instruction, sealed).await? {
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
            opening,
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
        let mut questions = Questions::default();
        loop {
            match self.mail.receive(winner).await? {
                Message::Ask(question) => self.answer(winner, question, &mut questions).await?,
                Message::Refused => {
                    self.check_refused(winner, &questions)?;
                    self.mail.note(Event::Refused {
                        round: self.round,
                        by: winner,
                    });
                    return Ok(true);
                }
                Message::Refine(refine) => {
                    let instruction = self.read(winner, refine, &questions)?;
                    self.refined(winner, Some(&instruction));
                    return Ok(true);
                }
                Message::Elsewhere => {
                    let can_be = self.duties.has_elsewhere(winner, self.mail.own()) && questions.about.is_none();
                    if !can_be {
                        return Err(contradiction(winner, "where it refines"));
                    }
                    self.refined(winner, None);
                    return Ok(true);
                }
                Message::Finished if has_bid || questions.about.is_some() => {
                    return Err(contradiction(winner, "its bid"));
                }
                Message::Finished => return Ok(false),
                other => return Err(unexpected(winner, &other, "what the winner does")),
            }
        }
    }

    /// Makes sure that a refinement was refused by someone, as far as we can tell: whoever is asked last and consents knows
    /// that nobody refused.
    fn check_refused(&self, winner: usize, questions: &Questions) -> Result<(), Fault> {
        let Some(about) = &questions.about else {
            return Ok(());
        };
        let last = self.duties.consents_for(about.column as usize).last();
        let last = last.map(|(place, _)| (place as u32, true));
        if questions.answers.last().copied() == last {
            return Err(contradiction(winner, "a refusal"));
        }
        Ok(())
    }

    /// Follows an instruction, if it is one that its sender may give.
    fn read(&mut self, from: usize, refine: Refine, questions: &Questions) -> Result<Instruction, Fault> {
        let misfit = || contradiction(from, "a column");
        let column = refine.column as usize;
        let is_theirs = column < self.duties.columns() && self.duties.owner_of(column) == from;
        if !is_theirs || !self.duties.follows(self.mail.own(), column) || refine.children > self.duties.fan_out(column)
        {
            return Err(misfit());
        }
        let showing = self.search.records_showing(column, refine.value);
        let child_of = showing.and_then(|records| refine.child_of.unpack(records, refine.children));
        let instruction = Instruction {
            column,
            value: refine.value,
            children: refine.children,
            child_of: child_of.ok_or_else(misfit)?,
        };
        self.check_asked(from, &instruction, &refine.opening, questions)?;
        self.search.follow(&instruction).map_err(|_| misfit())?;
        // Whoever refines sees to the same, or asked us: a refinement that breaks it was not made as agreed.
        if !self.search.unmet().is_empty() {
            return Err(Fault::Breaks { from });
        }
        Ok(instruction)
    }

    /// Makes sure that we consented to a refinement as often as it needs our consent, and that it is the one that we were
    /// asked about.
    fn check_asked(
        &self,
        from: usize,
        instruction: &Instruction,
        opening: &Digest,
        questions: &Questions,
    ) -> Result<(), Fault> {
        let ours = self.duties.consents_for(instruction.column);
        let ours = ours.filter(|(_, consent)| consent.holder == self.mail.own());
        let needed: Vec<(u32, bool)> = ours.map(|(place, _)| (place as u32, true)).collect();
        let is_sealed =
            |about: &Ask| about.sealed == seal(opening, instruction) && instruction.children <= about.children;
        if questions.answers != needed || !questions.about.as_ref().is_none_or(is_sealed) {
            return Err(contradiction(from, "what it asked"));
        }
        Ok(())
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
    async fn ask(
        &self,
        place: usize,
        consent: &Consent,
        instruction: &Instruction,
        sealed: Digest,
    ) -> Result<bool, Fault> {
        let parts = self.search.fan_out().unwrap_or(instruction.children);
        let holder = consent.holder;
        let misfit = || contradiction(holder, "the scope of a question");
        self.mail.send(
            holder,
            &Message::Ask(Ask {
                consent: place as u32,
                column: instruction.column as u32,
                value: instruction.value,
                children: parts,
                sealed,
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
        let settled = scope.settled.unpack(groups.len(), 2).ok_or_else(misfit)?;
        let open = groups.iter().zip(settled).filter(|&(_, settled)| settled == 0);
        let open: Vec<&[u32]> = open.map(|(group, _)| &group[..]).collect();
        let counted = counted(consent, &scope, largest(&open)).ok_or_else(misfit)?;
        if open.is_empty() || counted.is_empty() {
            return Ok(true);
        }
        let asked = asked(consent, &open, parts)?.ok_or_else(misfit)?;
        let child_of = self.search.by_record(instruction);
        let records = open.iter().copied().flatten();
        let children = records.map(|&record| child_of[record as usize] as u16).collect();
        let proposal = Proposal { counted, children };
        self.judge.ask(&self.mail, holder, &asked, &proposal).await
    }

    /// Answers whether a secret of ours allows a refinement of someone else, if it is one that may be asked about.
    async fn answer(&mut self, from: usize, question: Ask, questions: &mut Questions) -> Result<(), Fault> {
        let misfit = || contradiction(from, "a question");
        let column = question.column as usize;
        let consent = self.asked_for(from, &question, questions).ok_or_else(misfit)?;
        let groups = self.search.groups(&consent.columns, (column, question.value));
        let rule = consent.rule(largest(&groups.iter().map(Vec::as_slice).collect::<Vec<_>>()));
        let rule = rule.filter(|_| !groups.is_empty()).ok_or_else(misfit)?;
        let is_new = self
            .questions
            .insert((question.consent, question.column, question.value));
        if !is_new {
            return Err(misfit());
        }
        let held = Held::new(&consent.template, self.table);
        let is_settled = |group: &Vec<u32>| held.is_settled(group, &rule, consent.least);
        let settled: Vec<bool> = groups.iter().map(is_settled).collect();
        let open = groups.iter().zip(&settled).filter(|&(_, &settled)| !settled);
        let open: Vec<&[u32]> = open.map(|(group, _)| &group[..]).collect();
        let secrets = held.of_groups(&open, &rule);
        let counted = secrets.as_input().counted();
        let columns = counted.columns.iter();
        self.mail.send(
            from,
            &Message::Scope(Scope {
                settled: Packed::new(&settled.into_iter().map(u32::from).collect::<Vec<_>>(), 2),
                columns: columns.map(|values| (values.compared as u32, values.others)).collect(),
            }),
        );
        let mut consents = true;
        if !open.is_empty() && !counted.is_empty() {
            let asked = asked(consent, &open, question.children)?.ok_or_else(misfit)?;
            consents = self.judge.answer(&self.mail, from, &asked, secrets.as_input()).await?;
        }
        questions.answers.push((question.consent, consents));
        questions.about = Some(question);
        self.mail.note(Event::Answered {
            from,
            column,
            consent: consents,
        });
        Ok(())
    }

    /// The consent of ours that a question is about, if its sender may ask it now.
    fn asked_for(&self, from: usize, question: &Ask, questions: &Questions) -> Option<&'p Consent> {
        let column = question.column as usize;
        let is_theirs = column < self.duties.columns() && self.duties.owner_of(column) == from;
        if !is_theirs || !(1..=self.duties.fan_out(column)).contains(&question.children) {
            return None;
        }
        // All questions of a turn are about one refinement, and whoever is refused asks no more.
        let is_same = questions.about.as_ref().is_none_or(|about| {
            let same = Ask {
                consent: question.consent,
                ..*about
            };
            same == *question
        });
        let goes_on = questions
            .answers
            .iter()
            .all(|&(place, consents)| consents && place < question.consent);
        if !is_same || !goes_on {
            return None;
        }
        let mut needed = self.duties.consents_for(column);
        let (_, consent) = needed.find(|&(place, _)| place == question.consent as usize)?;
        (consent.holder == self.mail.own()).then_some(consent)
    }
}

/// A bid as the number that is compared: the rank, then the earlier column; 0 for none.
fn number(bid: Option<Bid>) -> u64 {
    bid.map_or(0, |bid| {
        bid.rank * COLUMNS + (COLUMNS - 1).saturating_sub(bid.column as u64)
    })
}

fn contradiction(from: usize, what: &'static str) -> Fault {
    Fault::Contradiction { from, what }
}

/// A refinement, sealed: nobody can tell from it what the refinement is, and nobody can open it as another.
fn seal(opening: &Digest, instruction: &Instruction) -> Digest {
    let mut hasher = blake3::Hasher::new_keyed(opening);
    let numbers = [instruction.column as u32, instruction.value, instruction.children];
    for number in numbers.iter().chain(&instruction.child_of) {
        hasher.update(&number.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// The records of the largest group.
fn largest(groups: &[&[u32]]) -> u32 {
    groups.iter().map(|group| group.len() as u32).max().unwrap_or(0)
}

/// What both sides of a question know; nothing if it is not one that can be asked.
fn asked(consent: &Consent, open: &[&[u32]], children: u32) -> Result<Option<Asked>, Fault> {
    let Some(rule) = consent.rule(largest(open)) else {
        return Ok(None);
    };
    let sizes: Vec<u32> = open.iter().map(|group| group.len() as u32).collect();
    let split = Split::new(&sizes, children)?;
    Ok(Some(Asked { split, rule }))
}

/// What is counted, if the holder tells what can be. The circuit grows with these numbers, so they are not taken on trust.
fn counted(consent: &Consent, scope: &Scope, largest: u32) -> Option<Counted> {
    let (sets, columns) = consent.counted();
    let fits = scope.columns.len() == columns && scope.columns.iter().all(|&(compared, _)| compared <= largest);
    let values = |&(compared, others): &(u32, bool)| Values {
        compared: compared as usize,
        others,
    };
    fits.then(|| Counted {
        sets,
        columns: scope.columns.iter().map(values).collect(),
    })
}

#[cfg(test)]
pub(crate) mod tricks;
