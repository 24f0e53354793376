//! A transcript in plain words: what was sent, what was learnt.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use scumble_mashup::Event;
use serde::Serialize;

use crate::error::Error;
use crate::errors::{MashupError, TextError};
use scumble_policy::counted;

use super::transcript::{Head, Line, TRANSCRIPT};

/// What a transcript says.
#[derive(Debug, Serialize)]
pub struct Explained {
    /// This party.
    pub own: String,
    /// The others.
    pub others: Vec<String>,
    /// What happened, in order, in words.
    pub story: Vec<String>,
    /// What was sent, in words: how many messages of which kind and how many bytes, to all others.
    pub sent: Vec<String>,
    /// What was received.
    pub received: Vec<String>,
    /// What this party has learnt of the others' columns, in words.
    pub learnt: Vec<String>,
    /// What the others have learnt of this party's columns.
    pub told: Vec<String>,
    /// What holds of every mashup, if one of the parties lies.
    pub liars: Vec<String>,
}

/// What a party that lies can still do, and what it cannot.
const LIARS: [&str; 6] = [
    "bids can be lied about, so a liar can steer which columns are refined, and how far",
    "of each question about a secret of others, an asker learns yes or no; it can ask once per column value and consent, and \
     only about parts of at least as many records as the agreement asks for; a liar may ask about parts of its own choosing \
     within these bounds",
    "without `same_records` in the agreement, a party that gives a wrong digest of its records gets the hashes of all ids; with \
     it, no hash goes out, and the run ends",
    "a liar can invent records, give any value to its own, and end the run at any time",
    "the library of the secure computation (polytune) is an alpha release: no protection is to be expected from its checks",
    "who lies in its content may be found out only by the audit that each party makes before it writes anything",
];

/// Reads the transcript of a party.
pub fn explain(path: &Path) -> Result<Explained, Error> {
    let text = std::fs::read_to_string(path).map_err(TextError::opening(path))?;
    let wrong = |line: usize| MashupError::Transcript {
        path: path.to_owned(),
        line,
    };
    let mut lines = text.lines().zip(1..);
    let head = lines
        .next()
        .and_then(|(text, _)| serde_json::from_str::<Head>(text).ok());
    let head = head.filter(|head| head.transcript == TRANSCRIPT && head.own < head.parties.len());
    let mut story = Story::new(head.ok_or_else(|| wrong(1))?);
    for (text, number) in lines {
        let Line { at, event } = serde_json::from_str(text).map_err(|_| wrong(number))?;
        story.add(at, &event);
    }
    Ok(story.explained())
}

/// What a transcript calls the message that asks about a secret.
const QUESTION: &str = "a question";

/// Messages of one kind.
#[derive(Default)]
struct Pile {
    messages: usize,
    bytes: usize,
}

struct Story {
    head: Head,
    told: Vec<String>,
    sent: BTreeMap<String, Pile>,
    received: BTreeMap<String, Pile>,
    /// For each column of others, how often they refined it before our eyes; for each of ours, how often we did.
    seen: BTreeMap<usize, usize>,
    shown: BTreeMap<usize, usize>,
    /// For each party, how often it refined a column that we do not follow, and how often it was refused.
    elsewhere: BTreeMap<usize, usize>,
    refused: BTreeMap<usize, usize>,
    maxima: usize,
    asked: usize,
    answered: usize,
    /// Records of our own and those common to all, once they were found.
    records: Option<(usize, usize)>,
    hashes: bool,
    is_over: bool,
}

impl Story {
    fn new(head: Head) -> Self {
        Story {
            head,
            told: Vec::new(),
            sent: BTreeMap::new(),
            received: BTreeMap::new(),
            seen: BTreeMap::new(),
            shown: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            refused: BTreeMap::new(),
            maxima: 0,
            asked: 0,
            answered: 0,
            records: None,
            hashes: false,
            is_over: false,
        }
    }

    fn party(&self, party: usize) -> &str {
        match party == self.head.own {
            true => "we",
            false => self.head.parties.get(party).map_or("?", String::as_str),
        }
    }

    fn column(&self, column: usize) -> &str {
        self.head.columns.get(column).map_or("?", String::as_str)
    }

    fn say(&mut self, at: u64, words: String) {
        self.told.push(format!("{:>8.3} s  {words}", at as f64 / 1000.0));
    }

    fn add(&mut self, at: u64, event: &Event) {
        match event {
            Event::Sent { what, bytes, .. } => {
                self.asked += usize::from(what == QUESTION);
                pile(&mut self.sent, what, 1, *bytes);
            }
            Event::Received { what, bytes, .. } => pile(&mut self.received, what, 1, *bytes),
            Event::Computed {
                what,
                messages,
                sent,
                received,
                seconds,
                ..
            } => {
                pile(&mut self.sent, "a part of a secure computation", *messages, *sent);
                pile(
                    &mut self.received,
                    "a part of a secure computation",
                    *messages,
                    *received,
                );
                self.maxima += usize::from(what == Event::MAXIMUM);
                self.say(
                    at,
                    format!("computed together {what}: {received} bytes received, {seconds:.3} s"),
                );
            }
            Event::Aligned { own, common, hashes } => {
                self.records = Some((*own, *common));
                self.hashes |= hashes;
                self.say(at, format!("{common} of our {own} records are common to all"));
            }
            Event::Won { round, by } => {
                let words = format!("round {round}: {} bid most", self.party(*by));
                self.say(at, words);
            }
            Event::Refused { round, by } => {
                *self.refused.entry(*by).or_default() += 1;
                let words = format!("round {round}: what {} would refine was refused", self.party(*by));
                self.say(at, words);
            }
            Event::Answered { from, column, consent } => {
                self.answered += 1;
                let answer = if *consent { "yes" } else { "no" };
                let words = format!(
                    "{} asked whether our secrets allow to refine `{}`: {answer}",
                    self.party(*from),
                    self.column(*column)
                );
                self.say(at, words);
            }
            Event::Refined { round, by, followed } => {
                let who = self.party(*by);
                let words = match followed {
                    Some(followed) => format!(
                        "round {round}: {who} refined `{}`: {} records in {} parts",
                        self.column(followed.column),
                        followed.records,
                        followed.children
                    ),
                    None => format!("round {round}: {who} refined a column that we do not follow"),
                };
                let times = match followed {
                    Some(followed) if *by == self.head.own => self.shown.entry(followed.column),
                    Some(followed) => self.seen.entry(followed.column),
                    None => self.elsewhere.entry(*by),
                };
                *times.or_default() += 1;
                self.say(at, words);
            }
            Event::Finished { rounds, refinements } => {
                self.say(
                    at,
                    format!("nobody has more to refine: {refinements} refinements in {rounds} rounds"),
                );
            }
            Event::Agreed => {
                self.is_over = true;
                self.say(at, "all made the same release".to_owned());
            }
        }
    }

    fn explained(self) -> Explained {
        let others = self
            .head
            .parties
            .iter()
            .enumerate()
            .filter(|(party, _)| *party != self.head.own);
        let lines = |piles: &BTreeMap<String, Pile>| {
            let line = |(what, pile): (&String, &Pile)| {
                format!("{what}: {}, {} bytes", counted(pile.messages, "message"), pile.bytes)
            };
            piles.iter().map(line).collect()
        };
        let (learnt, told) = self.knowledge();
        Explained {
            own: self.head.parties[self.head.own].clone(),
            others: others.map(|(_, name)| name.clone()).collect(),
            sent: lines(&self.sent),
            received: lines(&self.received),
            learnt,
            told,
            story: self.told,
            liars: LIARS.map(str::to_owned).into(),
        }
    }

    /// What we learnt, and what the others learnt of us.
    fn knowledge(&self) -> (Vec<String>, Vec<String>) {
        let refined = |(column, times): (&usize, &usize)| {
            format!(
                "which records show the same on `{}`, from {}; no finer than the release",
                self.column(*column),
                counted(*times, "refinement")
            )
        };
        let mut learnt: Vec<String> = self.seen.iter().map(refined).collect();
        let mut told: Vec<String> = self.shown.iter().map(refined).collect();
        for (&by, &times) in &self.elsewhere {
            let refinements = counted(times, "refinement");
            learnt.push(format!("that {} made {refinements} elsewhere", self.party(by)));
        }
        let rounds = counted(self.maxima, "round");
        learnt.push(format!("who bid most in each of {rounds}, and no bid"));
        told.push(format!("in which of {rounds} we bid most, and no bid"));
        for (&by, &times) in &self.refused {
            let whose = if by == self.head.own { "ours" } else { self.party(by) };
            learnt.push(format!(
                "that {} of {whose} met with a no",
                counted(times, "refinement")
            ));
        }
        questions(self.asked, "their", &mut learnt, &mut told);
        questions(self.answered, "our", &mut told, &mut learnt);
        self.records_known(&mut learnt, &mut told);
        if self.is_over {
            learnt.push("the release".to_owned());
            told.push("the release".to_owned());
        }
        (learnt, told)
    }
}

impl Story {
    /// What all learnt of each other's records, if it came to that.
    fn records_known(&self, learnt: &mut Vec<String>, told: &mut Vec<String>) {
        let Some((own, common)) = self.records else { return };
        if !self.hashes {
            let same = "that all have the same records; no hash of an id went out";
            learnt.push(same.to_owned());
            told.push(same.to_owned());
            return;
        }
        let commons = counted(common, "record");
        learnt.push(format!(
            "how many records each of them has, and that {commons} are common to all"
        ));
        learnt.push("which of our ids each of them has, and so who else has which".to_owned());
        told.push(format!(
            "that we have {}, and that {commons} are common to all",
            counted(own, "record")
        ));
        told.push("which of their ids we have".to_owned());
        let guesses = "hashes of ids, by which an id that one guesses can be found";
        learnt.push(guesses.to_owned());
        told.push(guesses.to_owned());
    }
}

/// What those who asked and those who answered learnt from so many questions about secrets.
fn questions(times: usize, whose: &str, asker: &mut Vec<String>, answerer: &mut Vec<String>) {
    if times > 0 {
        let questions = counted(times, "question");
        asker.push(format!(
            "yes or no to {questions} about {whose} secrets, and which groups have none; the release shows that, too"
        ));
        answerer.push(format!("which column each of {questions} was about"));
    }
}

fn pile(piles: &mut BTreeMap<String, Pile>, what: &str, messages: usize, bytes: usize) {
    let pile = piles.entry(what.to_owned()).or_default();
    pile.messages += messages;
    pile.bytes += bytes;
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "what {} saw of a mashup with {}", self.own, self.others.join(", "))?;
        let parts = [
            ("what happened", &self.story),
            ("what was sent", &self.sent),
            ("what was received", &self.received),
            ("what we learnt of the others", &self.learnt),
            ("what the others learnt of us", &self.told),
            ("what a party that lies can still do, in every mashup", &self.liars),
        ];
        for (title, lines) in parts {
            write!(f, "\n{title}:")?;
            lines.iter().try_for_each(|line| write!(f, "\n  {line}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
