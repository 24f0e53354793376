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
//! - *Stayed*: an adversary who knows that an engineer is in both versions looks at what both have, and finds HIV alone.
//! - *Came*, *gone*: an adversary who knows that an engineer is in one version only looks at what that one has more of.
//!
//! The adversary takes nobody for new or gone who need not be: of each value as many stayed as can have. Masked alike,
//! every person is in the group that shows the same in both versions, so these are the multiset intersection of the two
//! groups, and what is left of each.
//!
//! Where the versions are masked differently, or rows were gathered into groups one by one, a person of a new group may
//! have been in any old group whose labels meet those of the new one, and groups of one version may overlap. Each such
//! pair is looked at:
//!
//! | old | new | engineers who stayed | |
//! |---|---|---|---|
//! | Professional: HIV, Flu | Engineer: HIV, Flu; Lawyer: Flu, Cold | HIV, and perhaps Flu | **HIV** is 1 of 1 in the worst case |
//!
//! How many people of a value stayed between two groups may then differ from one way of staying to another; `staying.rs`
//! says between which numbers. The template must hold in every such way: of the worst numbers, of every pair of groups
//! that meet, and of who came to or left each group. So it holds of every mixture of these, which is what somebody
//! whose values are in several groups is inferred from. For anonymity the rows that may be theirs count, which are
//! those of the smaller group.
//!
//! # What this does not say
//! That nothing else can be learned. A sensitive value that changed between the versions is not followed, columns outside the
//! template may tell that two rows are one, and three versions may tell together what no two of them tell.
//!
//! # Cost
//! One numbering of the rows of both versions per template. Each pair of groups that meet is looked at twice, and for each
//! value one largest flow is found in each set of groups that hang together.

mod flow;
mod groups;
mod meeting;
mod staying;
mod versions;
mod worst;

use std::collections::BTreeMap;

use rayon::prelude::*;
use scumble_table::{Codes, Column, ColumnId, Mask, Released, Table, ValueOrder};

use super::counted::{Counted, counted};
use super::kinds::{Count, Kinds, size};
use super::measure::Measure;
use super::rows::Rows;
use crate::{Demand, Requirement, Sense, Template};
use groups::Groups;
use staying::{Span, Staying};
pub use versions::{Masking, Republication};
use worst::worst_level;

/// What two versions tell together.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The templates that could be compared, in the order of the requirement.
    pub templates: Vec<ComparedTemplate>,
    /// The other templates.
    pub skipped: Vec<Skipped>,
}

/// A template by which two versions are not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its place in the requirement.
    pub number: usize,
    /// Why.
    pub reason: WhySkipped,
}

/// Why two versions are not compared by a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhySkipped {
    /// Versions are compared for anonymity of records, confidence and diversity on all columns of the quasi-identifier.
    Kind,
    /// A version lacks one of its columns, or shows a sensitive one in another way.
    Columns,
    /// It is about a column that is shown in a way which does not say what is behind it.
    Untold,
    /// So many groups of both versions meet that they cannot be gone through.
    TooMany,
}

impl WhySkipped {
    /// Whether the template is about what two versions tell together, so that nothing is known of who is exposed.
    pub fn is_open(self) -> bool {
        match self {
            WhySkipped::Kind | WhySkipped::Columns => false,
            WhySkipped::Untold | WhySkipped::TooMany => true,
        }
    }
}

/// What two versions tell together of one template.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedTemplate {
    /// Its place in the requirement.
    pub number: usize,
    /// Who is in both versions.
    pub stayed: Part,
    /// Who is only in the new version.
    pub came: Part,
    /// Who is only in the old version.
    pub gone: Part,
}

/// What is found of one part of the groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The level of the worst group, in the worst way of staying; `None` if there is nobody in the part.
    pub level: Option<f64>,
    /// Whether the template holds.
    pub holds: bool,
    /// Of those who stayed, the records of the new version in groups that break the template with some old group; of those
    /// who came or are gone, the records that may be of the part in groups that break it.
    pub exposed: u64,
}

impl ComparedTemplate {
    /// Whether the template holds of every part.
    pub fn holds(&self) -> bool {
        [self.stayed, self.came, self.gone].iter().all(|part| part.holds)
    }
}

impl Republication<'_> {
    /// Compares the versions by each template. The columns of the requirement are those of the new version; it may lack the
    /// last of them. Both versions together have at most `u32::MAX` rows, as any table that is counted.
    pub fn compare(&self, requirement: &Requirement) -> Comparison {
        let both = self.both();
        let mut comparison = Comparison {
            templates: Vec::new(),
            skipped: Vec::new(),
        };
        for (number, template) in requirement.templates.iter().enumerate() {
            match self.compare_template(number, template, &both) {
                Ok(compared) => comparison.templates.push(compared),
                Err(reason) => comparison.skipped.push(Skipped { number, reason }),
            }
        }
        comparison
    }

    /// Why versions cannot be compared by a template, if so.
    fn check(&self, template: &Template) -> Result<(), WhySkipped> {
        let of = &template.of;
        let sensitive = sensitive(&template.demand).filter(|_| of.known() == of.columns.len());
        let sensitive = sensitive.ok_or(WhySkipped::Kind)?;
        let is_in = |id: &ColumnId| id.0 < self.new.columns().len();
        let old = self.old.places();
        let is_in_both = |id: &ColumnId| is_in(id) && old.contains_key(&self.new.column(*id).name[..]);
        let is_untold = |id: &ColumnId| matches!(self.masking[id.0], Masking::Untold);
        if !of.columns.iter().chain(&sensitive).all(is_in_both) || !self.are_alike(&sensitive) {
            return Err(WhySkipped::Columns);
        }
        if of.columns.iter().any(is_untold) {
            return Err(WhySkipped::Untold);
        }
        Ok(())
    }

    fn are_alike(&self, columns: &[ColumnId]) -> bool {
        let is_alike = |id: &ColumnId| matches!(self.masking[id.0], Masking::Alike);
        columns.iter().all(is_alike)
    }

    fn compare_template(
        &self,
        number: usize,
        template: &Template,
        both: &Released,
    ) -> Result<ComparedTemplate, WhySkipped> {
        self.check(template)?;
        let rows = Rows::new(both, None, &[]);
        let groups = Groups::new(self, &template.of.columns, &rows).ok_or(WhySkipped::TooMany)?;
        let [mut stayed, mut came, mut gone] = std::array::from_fn(|_| Tally::new(template, &groups));
        for Counted { values, measure } in counted(&template.demand, &rows) {
            let kinds = Kinds::new(groups.numbering(), &values);
            let histograms = kinds.histograms(&kinds.numbered_by(groups.numbering()));
            let histograms: Vec<&[Count]> = histograms.iter().collect();
            let staying = Staying::new(&groups, &histograms);
            let sense = template.sense();
            let level_in_both = |new: usize| {
                let levels = groups.met_by(new).map(|old| {
                    let in_both = staying.between(new, old);
                    worst_level(&measure, sense, &candidates(&measure, in_both))
                });
                levels.fold(None, |a, b| worse(sense, a, b))
            };
            let levels: Vec<Option<f64>> = groups.new_ones().into_par_iter().map(level_in_both).collect();
            for (new, level) in levels.into_iter().enumerate() {
                if !stayed.see(level) {
                    stayed.expose(new, size(histograms[new]));
                }
            }
            for (tally, these) in [(&mut came, groups.new_ones()), (&mut gone, groups.old_ones())] {
                // Where it is not certain to which groups people came, they may be in several, and count once.
                let mut broken: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
                for group in these {
                    let alone = staying.alone_in(group);
                    if !tally.see(worst_level(&measure, sense, &alone)) {
                        let (people, most) = broken.entry(groups.component(group)).or_default();
                        *people += alone.iter().map(|span| span.most).sum::<u64>();
                        *most = staying.alone_around(group);
                    }
                }
                for (component, (people, most)) in broken {
                    tally.expose(component as usize, people.min(most));
                }
            }
        }
        Ok(ComparedTemplate {
            number,
            stayed: stayed.part(),
            came: came.part(),
            gone: gone.part(),
        })
    }

    /// The rows of the new version followed by those of the old one, so that equal labels have equal codes. A column that
    /// the old one lacks is missing there; no template that looks at it is compared.
    fn both(&self) -> Released {
        let places = self.old.places();
        let column = |column: &Column| {
            let mut new = column.clone();
            let mut old = match places.get(&column.name[..]) {
                Some(&id) => self.old.column(id).clone(),
                None => Column::from_cells("", ValueOrder::Natural, std::iter::repeat_n(None, self.old.rows())),
            };
            Column::unite(&mut [&mut new, &mut old], ValueOrder::Natural);
            let codes = new.codes().iter().chain(old.codes().iter());
            let codes = Codes::collect(new.dictionary().len(), codes);
            new.with_codes(codes)
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

/// Of those who stayed between two groups, what a measure counts. Anonymity counts the rows that may be somebody's, whether
/// or not the people of all of them stayed; every other measure counts people.
fn candidates(measure: &Measure, stayed: Vec<Span>) -> Vec<Span> {
    let all = |span: Span| Span {
        least: span.most,
        ..span
    };
    match measure {
        Measure::Rows => stayed.into_iter().map(all).collect(),
        Measure::Different
        | Measure::People
        | Measure::LargestShare
        | Measure::LargestShareOf(_)
        | Measure::Entropy
        | Measure::Recursive { .. }
        | Measure::Distance(_)
        | Measure::Disclosure(_)
        | Measure::Gain(_)
        | Measure::EnhancedGain(_)
        | Measure::Guarded(_)
        | Measure::RangeDiversity(_) => stayed,
    }
}

/// The worse of the levels that there are.
fn worse(sense: Sense, a: Option<f64>, b: Option<f64>) -> Option<f64> {
    [a, b].into_iter().flatten().reduce(|a, b| sense.worse(a, b))
}

/// The worst level of a part so far, and who is exposed.
struct Tally<'t> {
    template: &'t Template,
    level: Option<f64>,
    /// By group, or by component; it is exposed once, however many secrets break in it.
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

    /// Adds the level of a group; whether the template holds of it.
    fn see(&mut self, level: Option<f64>) -> bool {
        self.level = worse(self.template.sense(), self.level, level);
        self.holds(level)
    }

    /// Adds people of a group or component of whom the template does not hold.
    fn expose(&mut self, place: usize, people: u64) {
        self.exposed[place] = self.exposed[place].max(people);
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
