//! Re-publication: what two versions of a release tell together that neither tells alone.
//!
//! The columns are the same, the people are not: rows came, rows went. No identifier links the versions, so people are
//! compared by what the releases show (Fung 2.1.3; Loukides 7.2). Both versions here are masked alike, and confidence
//! must be at most 2/3:
//!
//! | job | old | new | stayed | came | gone |
//! |---|---|---|---|---|---|
//! | Engineer | HIV, Flu | HIV, Cold | **HIV** | **Cold** | **Flu** |
//! | Lawyer | HIV, Flu | HIV, Flu | HIV, Flu | | |
//!
//! - *Stayed*: an adversary who knows that an engineer is in both versions looks at what both have, and finds HIV alone. The
//!   candidates are the multiset intersection of the groups; one that is empty is about nobody.
//! - *Came*, *gone*: an adversary who knows that an engineer is in one version only looks at what that one has more of.
//!
//! Each part is a group like any other: if it is not empty, the template must hold of it.
//!
//! Where the versions are masked differently, a person of a new group may have been in any old group whose labels meet
//! those of the new one, and each such pair is looked at. That errs on the side of caution: most of these pairs have
//! nobody in common, and which do cannot be told from the releases. A difference then has no meaning, so there is no
//! came and no gone.
//!
//! # What this does not say
//! That nothing else can be learned. A sensitive value that changed between the versions is not followed, three
//! versions may tell together what no two of them tell, and differences of versions that are masked differently are
//! not looked at.
//!
//! # Cost
//! One numbering of the rows of both versions per template. Masked alike, each group is looked at once; else each pair
//! of groups that meet.

mod groups;
mod meeting;

use std::sync::Arc;

use rayon::prelude::*;
use scumble_table::{Codes, Column, ColumnId, Mask, Released, Table, Taxonomy, ValueOrder};

use super::counted::{Counted, counted};
use super::kinds::{Count, Kinds, size};
use super::measure::Measure;
use super::rows::Rows;
use crate::{Demand, Requirement, Sense, Template};
use groups::Groups;

/// Two versions of a release.
#[derive(Clone, Copy, Debug)]
pub struct Republication<'a> {
    /// What was published, as labels.
    pub old: &'a Table,
    /// What is to be published, as labels. Columns are matched by name.
    pub new: &'a Table,
    /// For each column of the new version, how it was masked beside the old one.
    pub masking: &'a [Masking],
}

/// How a column is masked in two versions.
#[derive(Clone, Debug)]
pub enum Masking {
    /// Every value is shown in the same way in both.
    Alike,
    /// A value may be shown in different ways.
    Differs {
        /// The tree that the labels of both are read with.
        taxonomy: Option<Arc<Taxonomy>>,
        /// Whether each version recodes the column as a whole, so that no value which it shows is behind its `*`.
        recoded: bool,
    },
}

/// What two versions tell together.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The templates that could be compared, in the order of the requirement.
    pub templates: Vec<ComparedTemplate>,
    /// The places of the other templates. Two versions are compared for anonymity of records, confidence and diversity
    /// on all columns of the quasi-identifier, if both versions have the columns and the sensitive ones are masked alike.
    pub skipped: Vec<usize>,
}

/// What two versions tell together of one template.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedTemplate {
    /// Its place in the requirement.
    pub number: usize,
    /// What both versions have.
    pub stayed: Part,
    /// What only the new version has; `None` if its columns are not all masked alike.
    pub came: Option<Part>,
    /// What only the old version has; `None` likewise.
    pub gone: Option<Part>,
}

/// What is found of one part of the groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The level of the worst group; `None` if there is nobody in the part.
    pub level: Option<f64>,
    /// Whether the template holds.
    pub holds: bool,
    /// Of those who stayed, the records of the new version in groups that break the template with some old group; of those
    /// who came or are gone, the records of the part in groups that break it.
    pub exposed: u64,
}

impl ComparedTemplate {
    /// Whether the template holds of every part.
    pub fn holds(&self) -> bool {
        let parts = [Some(self.stayed), self.came, self.gone];
        parts.iter().flatten().all(|part| part.holds)
    }
}

impl Republication<'_> {
    /// Compares the versions by each template. The columns of the requirement are those of the new version. Both versions
    /// together have at most `u32::MAX` rows, as any table that is counted.
    pub fn compare(&self, requirement: &Requirement) -> Comparison {
        let both = self.both();
        let (compared, skipped): (Vec<_>, Vec<_>) = requirement
            .templates
            .iter()
            .enumerate()
            .partition(|(_, template)| self.can_compare(template));
        Comparison {
            templates: compared
                .into_iter()
                .map(|(number, template)| self.compare_template(number, template, &both))
                .collect(),
            skipped: skipped.into_iter().map(|(number, _)| number).collect(),
        }
    }

    fn can_compare(&self, template: &Template) -> bool {
        let of = &template.of;
        let is_in_both = |id: &ColumnId| self.old.find(&self.new.column(*id).name).is_some();
        sensitive(&template.demand).is_some_and(|sensitive| {
            of.known() == of.columns.len()
                && of.columns.iter().chain(&sensitive).all(is_in_both)
                && self.are_alike(&sensitive)
        })
    }

    fn are_alike(&self, columns: &[ColumnId]) -> bool {
        let is_alike = |id: &ColumnId| matches!(self.masking[id.0], Masking::Alike);
        columns.iter().all(is_alike)
    }

    fn compare_template(&self, number: usize, template: &Template, both: &Released) -> ComparedTemplate {
        let rows = Rows::new(both, None, &[]);
        let groups = Groups::new(self, &template.of.columns, &rows);
        let [mut stayed, mut came, mut gone] = std::array::from_fn(|_| Tally::new(template, &groups));
        for Counted { values, measure } in counted(&template.demand, &rows) {
            let kinds = Kinds::new(groups.numbering(), &values);
            let histograms = kinds.histograms(&kinds.numbered_by(groups.numbering()));
            let histograms: Vec<&[Count]> = histograms.iter().collect();
            let level_in_both = |new: usize| {
                let mut worst = None;
                groups.for_each_old(new, |old| {
                    let in_both = left(histograms[new], histograms[old], u64::min);
                    worst = worse(template.sense(), worst, level_of(&measure, &in_both));
                });
                worst
            };
            let levels: Vec<Option<f64>> = groups.new_ones().into_par_iter().map(level_in_both).collect();
            for (new, level) in levels.into_iter().enumerate() {
                stayed.add(new, level, size(histograms[new]));
            }
            for (these, those) in groups.others().unwrap_or_default().iter().enumerate() {
                let those = those.map_or(&[][..], |those| histograms[those]);
                let only_here = left(histograms[these], those, u64::saturating_sub);
                let is_new = groups.new_ones().contains(&these);
                let tally = if is_new { &mut came } else { &mut gone };
                tally.add(these, level_of(&measure, &only_here), size(&only_here));
            }
        }
        let if_alike = |tally: Tally| groups.others().map(|_| tally.part());
        ComparedTemplate {
            number,
            stayed: stayed.part(),
            came: if_alike(came),
            gone: if_alike(gone),
        }
    }

    /// The rows of the new version followed by those of the old one, so that equal labels have equal codes. A column that
    /// the old one lacks is missing there; no template that looks at it is compared.
    fn both(&self) -> Released {
        let column = |column: &Column| {
            let mut new = column.clone();
            let mut old = match self.old.find(&column.name) {
                Some(id) => self.old.column(id).clone(),
                None => Column::from_cells("", ValueOrder::Natural, std::iter::repeat_n(None, self.old.rows())),
            };
            Column::unite(&mut [&mut new, &mut old], ValueOrder::Natural);
            let codes = new.codes().iter().chain(old.codes().iter());
            let codes = Codes::collect(new.dictionary().len(), codes);
            Column::new(&column.name, new.dictionary().clone(), codes)
        };
        let columns: Vec<Column> = self.new.columns().par_iter().map(column).collect();
        let masks = vec![(Mask::Exact, None, true); columns.len()];
        Released::new(Table::new(self.new.rows() + self.old.rows(), columns), &masks, None)
    }
}

/// The columns that a demand counts values of; `None` if versions are not compared by it.
fn sensitive(demand: &Demand) -> Option<Vec<ColumnId>> {
    match demand {
        Demand::Anonymity { per, .. } => per.is_empty().then(Vec::new),
        Demand::Confidence { about, .. } => Some(about.iter().map(|secrets| secrets.column).collect()),
        Demand::Diversity { about, .. } => Some(vec![*about]),
        Demand::KMap { .. }
        | Demand::Closeness { .. }
        | Demand::DeltaDisclosure { .. }
        | Demand::BetaLikeness { .. }
        | Demand::Personal { .. }
        | Demand::RangeDiversity { .. }
        | Demand::Joined(_) => None,
    }
}

/// What `keep` leaves of each value of these, given how often these and those have it. Histograms are in value order.
fn left(these: &[Count], those: &[Count], keep: impl Fn(u64, u64) -> u64) -> Vec<Count> {
    let mut those = those.iter().peekable();
    let left_of = |count: &Count| {
        while those.next_if(|other| other.value < count.value).is_some() {}
        let other = those.next_if(|other| other.value == count.value);
        let rows = keep(count.rows, other.map_or(0, |other| other.rows));
        (rows > 0).then_some(Count { rows, ..*count })
    };
    these.iter().filter_map(left_of).collect()
}

/// The level of what a part has of a group; `None` if that is nothing.
fn level_of(measure: &Measure, part: &[Count]) -> Option<f64> {
    (!part.is_empty()).then(|| measure.level(part))
}

/// The worse of the levels that there are.
fn worse(sense: Sense, a: Option<f64>, b: Option<f64>) -> Option<f64> {
    [a, b].into_iter().flatten().reduce(|a, b| sense.worse(a, b))
}

/// The worst level of a part so far, and who is exposed.
struct Tally<'t> {
    template: &'t Template,
    level: Option<f64>,
    /// By group; a group is exposed once, however many secrets break in it.
    exposed: Vec<u64>,
}

impl<'t> Tally<'t> {
    fn new(template: &'t Template, groups: &Groups) -> Self {
        Tally {
            template,
            level: None,
            exposed: vec![0; groups.numbering().count()],
        }
    }

    /// Adds the level of a group. If the template does not hold of it, these people are exposed.
    fn add(&mut self, group: usize, level: Option<f64>, people: u64) {
        if !self.holds(level) {
            self.exposed[group] = self.exposed[group].max(people);
        }
        self.level = worse(self.template.sense(), self.level, level);
    }

    fn holds(&self, level: Option<f64>) -> bool {
        level.is_none_or(|level| self.template.is_met_by(level))
    }

    fn part(self) -> Part {
        Part {
            level: self.level,
            holds: self.holds(self.level),
            exposed: self.exposed.iter().sum(),
        }
    }
}
