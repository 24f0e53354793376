//! The level of a template on the join, straight from its definition: every record with every other, cell by cell.

use std::collections::{BTreeMap, BTreeSet};

use scumble_privacy::{
    Condition, Demand, History, JoinDemand, JoinSecrets, Joined, Per, Place, Rule, SecretValues, THIS, Template,
};
use scumble_table::{Domain, Forms, Written};

use crate::example::Cells;
use crate::join_reading::{Value, is_plain, stands_for};

/// The records of all releases, this one first, and what the history says of them.
pub struct Records<'a> {
    releases: &'a [Vec<Cells>],
    history: &'a History,
    join: Vec<Match>,
}

/// One record of each release, as its number.
type Match = Vec<usize>;

impl<'a> Records<'a> {
    /// All records, and all their matches.
    pub fn new(releases: &'a [Vec<Cells>], history: &'a History) -> Self {
        let mut records = Records {
            releases,
            history,
            join: Vec::new(),
        };
        let all_hold = |tuple: &Match| history.rules.iter().all(|rule| records.holds(rule, tuple));
        records.join = records.every_tuple().into_iter().filter(all_hold).collect();
        records
    }

    pub fn releases(&self) -> &'a [Vec<Cells>] {
        self.releases
    }

    pub fn history(&self) -> &'a History {
        self.history
    }

    /// For each group of this release that has a match, the worst level that it has a part in, and its records.
    pub fn levels(&self, template: &Template) -> Vec<(f64, u64)> {
        let Demand::Joined(joined) = &template.demand else {
            panic!("the template is on the join");
        };
        let of_this: Vec<Place> = template
            .of
            .columns
            .iter()
            .map(|&column| Place { release: THIS, column })
            .collect();
        let mut worst: BTreeMap<Cells, f64> = BTreeMap::new();
        for matches in self.groups(&of_this, joined).values() {
            let level = self.level(&joined.demand, matches);
            let group = worst.entry(self.shown(&matches[0], &of_this)).or_insert(level);
            *group = template.sense().worse(*group, level);
        }
        let records = |group: &Cells| {
            let shown = |record: &Cells| -> Cells { of_this.iter().map(|at| record[at.column.0].clone()).collect() };
            self.releases[THIS]
                .iter()
                .filter(|record| shown(record) == *group)
                .count() as u64
        };
        worst.iter().map(|(group, level)| (*level, records(group))).collect()
    }

    /// The matches by what they show on the quasi-identifier.
    fn groups(&self, of_this: &[Place], joined: &Joined) -> BTreeMap<Cells, Vec<Match>> {
        let of = [of_this, &joined.of].concat();
        let mut groups: BTreeMap<Cells, Vec<Match>> = BTreeMap::new();
        for found in &self.join {
            groups.entry(self.shown(found, &of)).or_default().push(found.clone());
        }
        groups
    }

    fn every_tuple(&self) -> Vec<Match> {
        self.releases.iter().fold(vec![Match::new()], |tuples, release| {
            let longer = |tuple: &Match| {
                let tuple = tuple.clone();
                (0..release.len()).map(move |record| [&tuple[..], &[record]].concat())
            };
            tuples.iter().flat_map(longer).collect()
        })
    }

    fn holds(&self, rule: &Rule, tuple: &Match) -> bool {
        match rule {
            Rule::Agree { a, b } => {
                let are_numbers = self.are_numbers(*a, *b);
                let values = |place: &Place| {
                    let forms = self.history.forms(*place);
                    stands_for(self.cell(tuple, *place), forms, are_numbers)
                };
                !values(a).is_disjoint(&values(b))
                    && !self.star_is_something_else(tuple, *a, *b)
                    && !self.star_is_something_else(tuple, *b, *a)
            }
            Rule::Never { a, b } => !(self.is_so(a, tuple) && self.is_so(b, tuple)),
        }
    }

    fn are_numbers(&self, a: Place, b: Place) -> bool {
        [a, b]
            .iter()
            .any(|place| self.history.forms(*place).domain == Domain::Numbers)
    }

    /// Whether all that the cell of a condition may stand for is what the condition says.
    fn is_so(&self, condition: &Condition, tuple: &Match) -> bool {
        let forms = self.history.forms(condition.place);
        let are_numbers = forms.domain == Domain::Numbers;
        let cell = self.cell(tuple, condition.place);
        let said = stands_for(Some(&condition.within), forms.domain.in_words(), are_numbers);
        let mut values = stands_for(cell, forms, are_numbers);
        if values.len() > 1 {
            values.remove(&cell.map(str::to_owned) as &Value);
        }
        let everything = stands_for(Some("*"), Domain::Words.in_words(), are_numbers);
        values.is_subset(&said) || said == everything
    }

    /// Whether `star` shows `*` in a column recoded as a whole, which shows all that may be behind the other label.
    fn star_is_something_else(&self, tuple: &Match, star: Place, other: Place) -> bool {
        let recoded = match star.release {
            THIS => &self.history.recoded,
            earlier => &self.history.earlier[earlier - 1].recoded,
        };
        let are_numbers = self.are_numbers(star, other);
        let as_compared = |cell: Option<&str>| stands_for(cell, Forms::exact(Domain::Words), are_numbers);
        let is_shown = |value: Option<&str>| {
            let cells = self.releases[star.release]
                .iter()
                .map(|record| record[star.column.0].as_deref());
            let shown = cells.filter(|cell| *cell != Some("*"));
            shown.into_iter().any(|cell| as_compared(cell) == as_compared(value))
        };
        let (cell, forms) = (self.cell(tuple, other), self.history.forms(other));
        let is_set = forms.written == Written::Sets;
        let all_shown = match cell {
            Some("{a|b}") if is_set => is_shown(Some("a")) && is_shown(Some("b")),
            Some("{b|}") if is_set => is_shown(Some("b")) && is_shown(None),
            // A value of a tree is a node, and of nodes it is not asked.
            _ => is_plain(cell, forms) && (cell.is_none() || forms.taxonomy().is_none()) && is_shown(cell),
        };
        let is_star = self.cell(tuple, star) == Some("*") && self.history.forms(star).written != Written::Exact;
        is_star && recoded.contains(&star.column) && all_shown
    }

    fn level(&self, demand: &JoinDemand, matches: &[Match]) -> f64 {
        match demand {
            JoinDemand::Anonymity { per: Per::Join, .. } => matches.len() as f64,
            JoinDemand::Anonymity {
                per: Per::Records { release },
                ..
            } => {
                let records: BTreeSet<usize> = matches.iter().map(|tuple| tuple[*release]).collect();
                records.len() as f64
            }
            JoinDemand::Anonymity {
                per: Per::Columns(places),
                ..
            } => {
                let shown: BTreeSet<Cells> = matches.iter().map(|tuple| self.shown(tuple, places)).collect();
                shown.len() as f64
            }
            JoinDemand::Confidence { about, .. } => {
                let confidence = about.iter().map(|secrets| self.confidence(secrets, matches));
                confidence.fold(0.0, f64::max)
            }
        }
    }

    fn confidence(&self, secrets: &JoinSecrets, matches: &[Match]) -> f64 {
        let cells: Vec<Option<&str>> = matches.iter().map(|tuple| self.cell(tuple, secrets.place)).collect();
        let share_of = |is_secret: &dyn Fn(Option<&str>) -> bool| {
            cells.iter().filter(|cell| is_secret(**cell)).count() as f64 / cells.len() as f64
        };
        let shares: Vec<f64> = match &secrets.values {
            SecretValues::Every => {
                let hides = self.history.forms(secrets.place).written != Written::Exact;
                let labels = cells.iter().filter(|cell| **cell != Some("*") || !hides);
                labels.map(|label| share_of(&|cell| cell == *label)).collect()
            }
            SecretValues::Sets(sets) => {
                let is_in = |set: &[String], cell: Option<&str>| set.iter().any(|secret| Some(&secret[..]) == cell);
                sets.iter().map(|set| share_of(&|cell| is_in(set, cell))).collect()
            }
        };
        shares.into_iter().fold(0.0, f64::max)
    }

    fn cell(&self, tuple: &Match, place: Place) -> Option<&str> {
        self.releases[place.release][tuple[place.release]][place.column.0].as_deref()
    }

    fn shown(&self, tuple: &Match, places: &[Place]) -> Cells {
        places
            .iter()
            .map(|&place| self.cell(tuple, place).map(str::to_owned))
            .collect()
    }
}
