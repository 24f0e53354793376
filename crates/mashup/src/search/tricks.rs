//! A winner that does not do as it should, for tests: it bids more than anybody can, and asks and refines as it likes.

use scumble_refine::{Instruction, PartySearch};
use scumble_table::Table;

use super::{Search, seal};
use crate::duties::Duties;
use crate::event::Event;
use crate::fault::Fault;
use crate::judge::Judge;
use crate::message::{Ask, Digest, Message, Refine};
use crate::pack::Packed;
use crate::session::Ready;

/// More than anybody bids.
const MORE: u64 = 1 << 45;

/// What opens its seals; nobody else can guess that it is always the same.
const OPENING: Digest = [7; 32];

/// What such a winner does in its turns. Its first column is 0, and it refines the value 0 of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trick {
    /// It asks about one record alone, and then does what follows from the answer.
    OneRecord,
    /// It asks about so many records apart from all others, and then does what follows from the answer.
    Few(u32),
    /// It asks again about the same value in its next turn, after it was refused.
    AskAgain,
    /// It asks twice in one turn, about other parts the second time.
    AskTwice,
    /// It asks for a consent that is somebody else's, or that there is not.
    OtherConsent,
    /// It asks about a column of somebody else.
    OtherColumn,
    /// It asks about more parts than a value can have.
    ManyParts,
    /// It refines without having asked.
    Unasked,
    /// It refines although it was refused.
    InSpite,
    /// It refines otherwise than it asked.
    Otherwise,
    /// It says that it was refused, although all consent.
    NotRefused,
    /// It says that it has nothing left, after it asked.
    Finished,
    /// It says that it refined a column that nobody follows, and has none.
    Elsewhere,
    /// It splits the records as nobody may, one by one.
    OneByOne,
    /// It is refused for ever.
    ForEver,
}

impl Ready {
    /// Plays a trick; the fault that ends it. `target` is the record that it is after.
    pub(crate) async fn play<J: Judge>(
        self,
        trick: Trick,
        target: u32,
        judge: J,
        duties: &Duties,
        table: &Table,
        search: PartySearch<'_>,
    ) -> Fault {
        let mut search = match self.begin(judge, duties, table, search).await {
            Ok(search) => search,
            Err(fault) => return fault,
        };
        loop {
            if let Err(fault) = search.play(trick, target).await {
                return fault;
            }
        }
    }
}

impl<J: Judge> Search<'_, '_, J> {
    /// One turn of ours.
    async fn play(&mut self, trick: Trick, target: u32) -> Result<(), Fault> {
        self.round += 1;
        let winner = self.judge.winner(&self.mail, MORE).await?;
        assert_eq!(winner, self.mail.own(), "nobody bids more");
        let half: Vec<u32> = (0..self.records as u32).map(|record| record % 2).collect();
        let apart = |few: u32| -> Vec<u32> {
            let last = (target + few).min(self.records as u32);
            let chosen = last.saturating_sub(few)..last;
            (0..self.records as u32)
                .map(|record| u32::from(chosen.contains(&record)))
                .collect()
        };
        match trick {
            Trick::OneRecord => self.ask_and_do(apart(1)).await,
            Trick::Few(few) => self.ask_and_do(apart(few)).await,
            Trick::AskAgain => self.asked(&apart(1)).await.map(|_| self.say(&Message::Refused)),
            Trick::AskTwice => {
                self.asked(&half).await?;
                self.asked(&apart(1)).await.map(drop)
            }
            Trick::OtherConsent => self.send_question(99, 0, 2).await,
            Trick::OtherColumn => self.send_question(0, 1, 2).await,
            Trick::ManyParts => self.send_question(0, 0, 60_000).await,
            Trick::Unasked => self.refine(&half).await,
            Trick::InSpite => {
                let allowed = self.asked(&apart(1)).await?;
                assert!(!allowed, "one record is too few");
                self.refine(&half).await
            }
            Trick::Otherwise => {
                let allowed = self.asked(&half).await?;
                assert!(allowed, "halves are alike");
                let other: Vec<u32> = half.iter().map(|part| 1 - part).collect();
                self.refine(&other).await
            }
            Trick::NotRefused => {
                let allowed = self.asked(&half).await?;
                assert!(allowed, "halves are alike");
                self.say(&Message::Refused);
                Ok(())
            }
            Trick::Finished => {
                self.asked(&half).await?;
                self.say(&Message::Finished);
                self.wait().await
            }
            Trick::Elsewhere => {
                self.say(&Message::Elsewhere);
                Ok(())
            }
            Trick::OneByOne => self.refine(&(0..self.records as u32).collect::<Vec<_>>()).await,
            Trick::ForEver => {
                self.say(&Message::Refused);
                Ok(())
            }
        }
    }

    fn say(&self, message: &Message) {
        self.mail.send_all(message);
    }

    /// Waits for what never comes.
    async fn wait(&self) -> Result<(), Fault> {
        for from in self.mail.others() {
            self.mail.receive(from).await?;
        }
        Ok(())
    }

    /// Asks all who must be asked about this split, and notes what they say.
    async fn asked(&self, child_of: &[u32]) -> Result<bool, Fault> {
        let instruction = of_root(child_of);
        let mut allowed = true;
        for (place, consent) in self.duties.consents_for(0) {
            let sealed = seal(&OPENING, &instruction);
            allowed = allowed && self.ask(place, consent, &instruction, sealed).await?;
        }
        self.mail.note(Event::Answered {
            from: self.mail.own(),
            column: 0,
            consent: allowed,
        });
        Ok(allowed)
    }

    async fn ask_and_do(&mut self, child_of: Vec<u32>) -> Result<(), Fault> {
        if self.asked(&child_of).await? {
            return self.refine(&child_of).await;
        }
        self.say(&Message::Refused);
        self.wait().await
    }

    /// Sends a question, and waits for what comes of it.
    async fn send_question(&self, consent: u32, column: u32, children: u32) -> Result<(), Fault> {
        self.say(&Message::Ask(Ask {
            consent,
            column,
            value: 0,
            children,
            sealed: OPENING,
        }));
        self.wait().await
    }

    /// Refines, and waits for what comes of it.
    async fn refine(&self, child_of: &[u32]) -> Result<(), Fault> {
        let Instruction {
            column,
            value,
            children,
            child_of,
        } = of_root(child_of);
        self.say(&Message::Refine(Refine {
            column: column as u32,
            value,
            children,
            child_of: Packed::new(&child_of, children),
            opening: OPENING,
        }));
        self.wait().await
    }
}

/// The value that all records show at first, split like this.
fn of_root(child_of: &[u32]) -> Instruction {
    Instruction {
        column: 0,
        value: 0,
        children: child_of.iter().max().map_or(0, |&child| child + 1),
        child_of: child_of.to_vec(),
    }
}
