//! [`Duties`]: which party sees to which template, who follows which column, and whose consent a refinement needs.
//!
//! A template that counts records can be seen to by everyone who has a column of it: all know the groups. One that is about
//! a secret can only be seen to by who holds the secret; anyone else who would refine a column of it must ask.
//!
//! | template | bank: age | loans: job, illness | |
//! |---|---|---|---|
//! | anonymity of age, job | sees to it | sees to it | each follows the other's column |
//! | confidence about illness, of age, job | asks loans | sees to it | |
//! | anonymity of job | | sees to it | nobody tells the bank who has which job |

use scumble_privacy::{Demand, Diversity, Requirement, SecretValues, Secrets, Template};
use scumble_table::ColumnId;

use crate::secure::{Bound, Rule, Shares};

/// What the agreement says of a quasi column, by which its owner is held to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreseen {
    /// How many parts a value may be refined into.
    pub fan_out: u32,
    /// How many values may be refined, if that does not depend on the records.
    pub refinements: Option<usize>,
}

/// What each party does.
#[derive(Clone, Debug)]
pub struct Duties {
    parties: usize,
    /// The quasi columns.
    quasi: Vec<ColumnId>,
    /// The owner of each quasi column.
    owner_of: Vec<usize>,
    foreseen: Vec<Foreseen>,
    /// Who holds each column of the joined table; nobody in particular holds the class.
    holder_of: Vec<Option<usize>>,
    /// For each quasi column, whether each party is told who goes where.
    follows: Vec<Vec<bool>>,
    /// For each template, the part that each party sees to.
    parts: Vec<Vec<Option<Template>>>,
    requirement: Requirement,
    consents: Vec<Consent>,
}

/// A template about secrets, of which some columns are not the holder's.
#[derive(Clone, Debug)]
pub(crate) struct Consent {
    /// The template, with no secrets but the holder's.
    pub template: Template,
    /// Its columns, as places among the quasi columns.
    pub columns: Vec<usize>,
    /// Who holds the secrets.
    pub holder: usize,
    /// Every group on these columns has at least so many records, by another template.
    pub least: u32,
}

impl Duties {
    /// The duties of so many parties. `quasi` are the columns that may be refined, with what the agreement foresees of each;
    /// `owner_of` tells for every column of the joined table who holds it, `None` if all know it.
    ///
    /// Every quasi column has an owner, and templates that nobody could see to alone, nor answer questions of, are not
    /// there: whoever made the agreement saw to that.
    pub fn new(
        requirement: &Requirement,
        quasi: &[(ColumnId, Foreseen)],
        owner_of: &[Option<usize>],
        parties: usize,
    ) -> Self {
        let owners: Vec<usize> = quasi.iter().map(|(id, _)| owner_of[id.0].unwrap_or(0)).collect();
        let place = |id: &ColumnId| quasi.iter().position(|(other, _)| other == id);
        let mut duties = Duties {
            parties,
            quasi: quasi.iter().map(|&(id, _)| id).collect(),
            holder_of: owner_of.to_vec(),
            follows: owners
                .iter()
                .map(|&owner| (0..parties).map(|party| party == owner).collect())
                .collect(),
            owner_of: owners,
            foreseen: quasi.iter().map(|&(_, foreseen)| foreseen).collect(),
            parts: Vec::new(),
            requirement: requirement.clone(),
            consents: Vec::new(),
        };
        let columns_of = |template: &Template| template.of.columns.iter().filter_map(place).collect::<Vec<usize>>();
        for template in &requirement.templates {
            duties.add(template, &columns_of(template), owner_of);
        }
        for consent in &mut duties.consents {
            let counts = requirement.templates.iter().filter_map(|template| {
                let Demand::Anonymity { k, per } = &template.demand else {
                    return None;
                };
                per.is_empty().then(|| (*k, columns_of(template)))
            });
            // Groups on more columns are smaller, so those on these columns are at least as large.
            let holds = counts.filter(|(_, columns)| consent.columns.iter().all(|column| columns.contains(column)));
            let least = holds.map(|(k, _)| k).max().unwrap_or(1);
            consent.least = u32::try_from(least).unwrap_or(u32::MAX);
        }
        duties
    }

    fn add(&mut self, template: &Template, columns: &[usize], owner_of: &[Option<usize>]) {
        let counted = template.counted();
        let mut holders: Vec<usize> = counted.iter().filter_map(|id| owner_of[id.0]).collect();
        holders.sort_unstable();
        holders.dedup();
        let has_column = |party: usize| columns.iter().any(|&column| self.owner_of[column] == party);
        let part = |party: usize| match holders.first() {
            None => has_column(party).then(|| template.clone()),
            Some(&first) if holders.contains(&party) => {
                let is_own = |id: ColumnId| owner_of[id.0].map_or(party == first, |owner| owner == party);
                Some(narrowed(template, is_own))
            }
            Some(_) => None,
        };
        let parts: Vec<Option<Template>> = (0..self.parties).map(part).collect();
        let is_in = |party: usize| parts[party].is_some() || has_column(party);
        let follows: Vec<bool> = (0..self.parties).map(is_in).collect();
        for &column in columns {
            self.follows[column]
                .iter_mut()
                .zip(&follows)
                .for_each(|(all, own)| *all |= own);
        }
        for &holder in &holders {
            if let Some(part) = parts[holder]
                .as_ref()
                .filter(|_| columns.iter().any(|&column| self.owner_of[column] != holder))
            {
                self.consents.push(Consent {
                    template: part.clone(),
                    columns: columns.to_vec(),
                    holder,
                    least: 1,
                });
            }
        }
        self.parts.push(parts);
    }

    /// The requirement as a party sees to it, and the templates, by number, that it leaves to others.
    pub fn of_party(&self, party: usize) -> (Requirement, Vec<usize>) {
        let own = self.parts.iter().map(|parts| parts[party].clone());
        let templates = own
            .zip(&self.requirement.templates)
            .map(|(own, whole)| own.unwrap_or_else(|| whole.clone()));
        let elsewhere = self
            .parts
            .iter()
            .enumerate()
            .filter(|(_, parts)| parts[party].is_none());
        let elsewhere = elsewhere.map(|(number, _)| number).collect();
        (
            Requirement {
                templates: templates.collect(),
            },
            elsewhere,
        )
    }

    /// How many parties there are.
    pub(crate) fn parties(&self) -> usize {
        self.parties
    }

    /// How many templates there are.
    pub(crate) fn templates(&self) -> usize {
        self.parts.len()
    }

    /// What a party sees to of a template.
    pub(crate) fn part(&self, party: usize, template: usize) -> Option<&Template> {
        self.parts[template][party].as_ref()
    }

    /// Who holds the quasi columns of a template.
    pub(crate) fn holders_of_columns(&self, template: usize) -> impl Iterator<Item = usize> {
        let columns = self.requirement.templates[template].of.columns.iter();
        columns.filter_map(|id| self.holder_of[id.0])
    }

    /// Who holds the secrets that a template is about.
    pub(crate) fn holders_of_secrets(&self, template: usize) -> impl Iterator<Item = usize> {
        let counted = self.requirement.templates[template].counted();
        counted.into_iter().filter_map(|id| self.holder_of[id.0])
    }

    /// How many columns the joined table has.
    pub(crate) fn width(&self) -> usize {
        self.holder_of.len()
    }

    /// Who holds a column of the joined table; nobody in particular holds the class.
    pub(crate) fn holder_of(&self, column: usize) -> Option<usize> {
        self.holder_of[column]
    }

    /// The place of a column of the joined table among the quasi columns.
    pub(crate) fn place_of(&self, column: usize) -> Option<usize> {
        self.quasi.iter().position(|id| id.0 == column)
    }

    /// Who holds a quasi column.
    pub fn owner_of(&self, column: usize) -> usize {
        self.owner_of[column]
    }

    /// How many quasi columns there are.
    pub fn columns(&self) -> usize {
        self.owner_of.len()
    }

    /// How many parts a value of a column may be refined into.
    pub fn fan_out(&self, column: usize) -> u32 {
        self.foreseen[column].fan_out
    }

    /// How often a party may win with so many records: each time a value of a column of its own is refined, or never will be.
    pub(crate) fn wins_at_most(&self, party: usize, records: usize) -> usize {
        let own = self
            .foreseen
            .iter()
            .zip(&self.owner_of)
            .filter(|&(_, &owner)| owner == party);
        own.map(|(foreseen, _)| foreseen.refinements.unwrap_or(2 * records))
            .sum()
    }

    /// Whether a party has a column that another does not follow.
    pub(crate) fn has_elsewhere(&self, party: usize, other: usize) -> bool {
        (0..self.columns()).any(|column| self.owner_of[column] == party && !self.follows[column][other])
    }

    /// Whether a party is told who goes where when a column is refined.
    pub fn follows(&self, party: usize, column: usize) -> bool {
        self.follows[column][party]
    }

    /// The consents that refining a column needs, with their places.
    pub(crate) fn consents_for(&self, column: usize) -> impl Iterator<Item = (usize, &Consent)> {
        let owner = self.owner_of[column];
        let consents = self.consents.iter().enumerate();
        consents.filter(move |(_, consent)| consent.holder != owner && consent.columns.contains(&column))
    }
}

/// A template about no other secrets than those of some columns.
fn narrowed(template: &Template, is_own: impl Fn(ColumnId) -> bool) -> Template {
    let mut template = template.clone();
    if let Demand::Confidence { about, .. } = &mut template.demand {
        about.retain(|secrets| is_own(secrets.column));
    }
    template
}

impl Consent {
    /// What the template asks of each part of groups of up to so many records; `None` if its holder cannot be asked.
    pub fn rule(&self, largest: u32) -> Option<Rule> {
        let template = &self.template;
        let (bound, enough) = match &template.demand {
            Demand::Confidence { about, .. } => {
                let share = |with: u32, of: u32| template.is_met_by(f64::from(with) / f64::from(of));
                let shares = Shares::new(largest, share);
                // Where every record has a secret, a part must be so large that one record is no too large share.
                let is_every = |secrets: &Secrets| matches!(secrets.values, SecretValues::Every);
                let every = about.iter().any(is_every);
                let enough = (1..=largest).find(|&size| !every || shares.most(size as usize) > 0);
                (Bound::Share(shares), enough.unwrap_or(u32::MAX))
            }
            Demand::Diversity {
                measure: Diversity::Distinct { .. },
                ..
            }
            | Demand::Anonymity { .. } => {
                let enough = (0..=u32::MAX).find(|&count| template.is_met_by(f64::from(count)))?;
                (Bound::Distinct(enough), enough)
            }
            Demand::Diversity {
                measure: Diversity::Entropy { .. } | Diversity::Recursive { .. },
                ..
            }
            | Demand::KMap { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. }
            | Demand::Joined(_) => return None,
        };
        let least = self.least.max(enough);
        Some(Rule { least, bound })
    }

    /// How many sets of secrets the template lists, and of how many columns every value counts.
    pub fn counted(&self) -> (usize, usize) {
        match &self.template.demand {
            Demand::Confidence { about, .. } => {
                about
                    .iter()
                    .fold((0, 0), |(sets, columns), secrets| match &secrets.values {
                        SecretValues::Every => (sets, columns + 1),
                        SecretValues::Sets(listed) => (sets + listed.len(), columns),
                    })
            }
            Demand::Anonymity { .. }
            | Demand::KMap { .. }
            | Demand::Diversity { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. }
            | Demand::Joined(_) => (0, 1),
        }
    }
}
