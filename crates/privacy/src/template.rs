//! [`Template`]s: conditions on the groups of a release.
//!
//! A group is the rows that show the same values on the quasi-identifier. Every template measures each group and holds
//! if the worst of them, its *level*, keeps the bound:
//!
//! | group | diseases | size | distinct | largest confidence | distance from the whole (equal) |
//! |---|---|---|---|---|---|
//! | Engineer, M | Flu, Flu, HIV | 3 | 2 | 2/3 | 1/6 |
//! | Lawyer, F | Flu, HIV, HIV | 3 | 2 | 2/3 | 1/6 |
//!
//! Invariant: all but [`Demand::Personal`], [`Demand::RangeDiversity`] and [`Demand::Joined`] are anti-monotone. Splitting
//! a group, by refining a value or by adding a column, never makes the level better: sizes and distinct counts fall, and a
//! share or distance of the whole is an average of those of its parts, so one part is at least as bad.
//!
//! What is asked of a template is asked of every kind by name. A kind that is added does not compile until each of these
//! questions has an answer for it.

use std::sync::Arc;

use scumble_table::{ColumnId, SensitiveRanges, Taxonomy};

use crate::{JoinDemand, Joined, SecretValues, Secrets, THIS};

/// A list of templates that must all hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requirement {
    /// The templates, in policy order.
    pub templates: Vec<Template>,
}

impl Requirement {
    /// The templates that are about the join with earlier releases, by number.
    pub fn on_join(&self) -> Vec<usize> {
        let numbered = self.templates.iter().enumerate();
        numbered
            .filter(|(_, template)| template.joined().is_some())
            .map(|(number, _)| number)
            .collect()
    }
}

/// One condition on a release.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// What an adversary may know of a person.
    pub of: QuasiIdentifier,
    /// What must hold of every group.
    pub demand: Demand,
}

/// The quasi-identifier X.
#[derive(Clone, Debug, PartialEq)]
pub struct QuasiIdentifier {
    /// Its columns.
    pub columns: Vec<ColumnId>,
    /// The most columns that one adversary knows: the template must hold for every such subset. `None` for all.
    pub any: Option<usize>,
}

/// What must hold of every group.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// At least `k` records, or with `per` at least `k` different combinations of values on these columns.
    Anonymity {
        /// The bound.
        k: u64,
        /// Y: the columns whose different combinations are counted; empty for records.
        per: Vec<ColumnId>,
    },
    /// At least `k` people of a population look like the group.
    KMap {
        /// The bound.
        k: u64,
        /// The place of the population among those given to the audit and to the search.
        population: usize,
    },
    /// At most this share of a group has a secret.
    Confidence {
        /// The bound, in (0, 1].
        at_most: f64,
        /// The secrets.
        about: Vec<Secrets>,
    },
    /// Sensitive values are well represented.
    Diversity {
        /// The sensitive column.
        about: ColumnId,
        /// How well.
        measure: Diversity,
    },
    /// The sensitive values of a group are distributed almost as in the whole release.
    Closeness {
        /// The sensitive column.
        about: ColumnId,
        /// The bound on the earth mover's distance, in [0, 1].
        at_most: f64,
        /// How far values are from each other.
        distance: Distance,
    },
    /// No sensitive value is much more or much less frequent than in the whole release: |ln(p/q)| stays below. A value
    /// that a group lacks is infinitely less frequent.
    DeltaDisclosure {
        /// The sensitive column.
        about: ColumnId,
        /// The bound, above 0; it is not reached.
        below: f64,
    },
    /// No sensitive value is much more frequent than in the whole release: (p − q)/q.
    BetaLikeness {
        /// The sensitive column.
        about: ColumnId,
        /// The bound, above 0.
        at_most: f64,
        /// Whether the gain of a value is also at most −ln q, which holds frequent values closer.
        enhanced: bool,
    },
    /// Nobody is inferred to be under their own guarding node with more confidence than this.
    ///
    /// Not anti-monotone: a part may hold only people who guard nothing.
    Personal {
        /// The sensitive column.
        about: ColumnId,
        /// The column with each person's guarding node; missing for none.
        guarding: ColumnId,
        /// The bound, in (0, 1].
        at_most: f64,
        /// The tree of sensitive values; its root guards nothing.
        taxonomy: Arc<Taxonomy>,
    },
    /// Sensitive ranges are not given away: the range diversity `rd`, how surely the rows of a group lie in the ranges of
    /// each other's values, is at most this (Loukides, definition 5.1.4).
    ///
    /// Not anti-monotone: where ranges overlap, the values of two parts may lie in the ranges of each other, and those
    /// within a part in none but their own.
    RangeDiversity {
        /// The sensitive column.
        about: ColumnId,
        /// The bound, in [0, 1].
        at_most: f64,
        /// What must not be learnt of each of its values.
        ranges: SensitiveRanges,
    },
    /// Something of the groups that the join with earlier releases makes.
    ///
    /// Not anti-monotone: a whole group of the join can vanish when its labels stop meeting.
    Joined(Joined),
}

/// How well sensitive values are represented in a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Diversity {
    /// At least `l` different values.
    Distinct {
        /// The bound.
        l: u64,
    },
    /// Their entropy is at least that of `l` equally frequent values; the level is 2 to the entropy in bits.
    Entropy {
        /// The bound, at least 1.
        l: f64,
    },
    /// The most frequent value is less frequent than `c` times the `l`-th and all that follow together (Fung 2.1.2);
    /// the level is the largest `l` of which this is true.
    Recursive {
        /// The factor, above 0.
        c: f64,
        /// The bound.
        l: u64,
    },
}

/// How far two sensitive values are from each other, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Distance {
    /// All are equally far.
    Equal,
    /// By how many values lie between, in value order; the ends are at 1.
    Ordered,
    /// By the height of their lowest common ancestor over the height of the tree. A missing value is under the root.
    Taxonomy(Arc<Taxonomy>),
}

/// Which levels are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// High ones: the level is at least the bound.
    AtLeast,
    /// Low ones: the level is at most the bound.
    AtMost,
}

impl Sense {
    /// The worse of two levels. What is no number is worse than any: it keeps no bound, and so nothing it is a part of does.
    pub fn worse(self, a: f64, b: f64) -> f64 {
        match self {
            // `f64::min` and `f64::max` would pass over what is no number.
            _ if a.is_nan() || b.is_nan() => f64::NAN,
            Sense::AtLeast => a.min(b),
            Sense::AtMost => a.max(b),
        }
    }

    /// The level of no group at all, which every other is worse than.
    pub fn best(self) -> f64 {
        match self {
            Sense::AtLeast => f64::INFINITY,
            Sense::AtMost => f64::NEG_INFINITY,
        }
    }
}

/// The kind of a template, by the word that policies and certificates have for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TemplateKind {
    /// Enough records, or different values.
    Anonymity,
    /// Enough people of a population.
    KMap,
    /// Secrets are not inferred.
    Confidence,
    /// Sensitive values are well represented.
    Diversity,
    /// They are distributed as in the whole.
    Closeness,
    /// None is much more or less frequent than in the whole.
    DeltaDisclosure,
    /// None is much more frequent than in the whole.
    BetaLikeness,
    /// Nobody is placed under their own guarding node.
    Personal,
    /// Sensitive ranges are not given away.
    RangeDiversity,
}

impl TemplateKind {
    /// All of them.
    pub const ALL: [TemplateKind; 9] = [
        TemplateKind::Anonymity,
        TemplateKind::KMap,
        TemplateKind::Confidence,
        TemplateKind::Diversity,
        TemplateKind::Closeness,
        TemplateKind::DeltaDisclosure,
        TemplateKind::BetaLikeness,
        TemplateKind::Personal,
        TemplateKind::RangeDiversity,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            TemplateKind::Anonymity => "anonymity",
            TemplateKind::KMap => "k-map",
            TemplateKind::Confidence => "confidence",
            TemplateKind::Diversity => "diversity",
            TemplateKind::Closeness => "closeness",
            TemplateKind::DeltaDisclosure => "delta-disclosure",
            TemplateKind::BetaLikeness => "beta-likeness",
            TemplateKind::Personal => "personal",
            TemplateKind::RangeDiversity => "range-diversity",
        }
    }

    /// Which levels are good.
    pub fn sense(self) -> Sense {
        match self {
            TemplateKind::Anonymity | TemplateKind::KMap | TemplateKind::Diversity => Sense::AtLeast,
            TemplateKind::Confidence
            | TemplateKind::Closeness
            | TemplateKind::DeltaDisclosure
            | TemplateKind::BetaLikeness
            | TemplateKind::Personal
            | TemplateKind::RangeDiversity => Sense::AtMost,
        }
    }

    /// The kind that has this word.
    pub fn of_word(word: &str) -> Option<TemplateKind> {
        TemplateKind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// Two figures closer than this share of them are equal: they differ by rounding.
const ROUNDING: f64 = 1e-9;

impl Template {
    /// Which levels are good.
    pub fn sense(&self) -> Sense {
        self.template_kind().sense()
    }

    /// What the level must keep.
    pub fn bound(&self) -> f64 {
        match self.demand {
            Demand::Anonymity { k, .. } | Demand::KMap { k, .. } => k as f64,
            Demand::Diversity { measure, .. } => match measure {
                Diversity::Distinct { l } | Diversity::Recursive { l, .. } => l as f64,
                Diversity::Entropy { l } => l,
            },
            Demand::Confidence { at_most, .. }
            | Demand::Closeness { at_most, .. }
            | Demand::BetaLikeness { at_most, .. }
            | Demand::Personal { at_most, .. }
            | Demand::RangeDiversity { at_most, .. } => at_most,
            Demand::DeltaDisclosure { below, .. } => below,
            Demand::Joined(ref joined) => match joined.demand {
                JoinDemand::Anonymity { k, .. } => k as f64,
                JoinDemand::Confidence { at_most, .. } => at_most,
            },
        }
    }

    /// Whether a level keeps the bound. What is no number keeps none.
    pub fn is_met_by(&self, level: f64) -> bool {
        let (bound, slack) = (self.bound(), self.slack());
        match self.sense() {
            Sense::AtLeast => level >= bound - slack,
            Sense::AtMost if self.is_strict() => level < bound - slack,
            Sense::AtMost => level <= bound + slack,
        }
    }

    /// How far a level may be off the bound by rounding alone.
    ///
    /// Counts are whole. A share is one count over another, rounded once as the bound was when it was read, so the two
    /// compare as what they stand for: a share is wrongly taken for equal only if it is closer than 10⁻¹⁶, which takes a
    /// bound of more than five digits and billions of rows. All other levels are sums of rounded figures, or logarithms,
    /// which no decimal is ever equal to; the search and the audit find them on different ways.
    fn slack(&self) -> f64 {
        let of_rounding = ROUNDING * self.bound().abs();
        match &self.demand {
            Demand::Anonymity { .. } | Demand::KMap { .. } | Demand::Confidence { .. } | Demand::Personal { .. } => 0.0,
            Demand::Diversity { measure, .. } => match measure {
                Diversity::Distinct { .. } | Diversity::Recursive { .. } => 0.0,
                Diversity::Entropy { .. } => of_rounding,
            },
            Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::RangeDiversity { .. } => of_rounding,
            Demand::Joined(joined) => match joined.demand {
                JoinDemand::Anonymity { .. } | JoinDemand::Confidence { .. } => 0.0,
            },
        }
    }

    /// Whether the bound itself is too bad a level.
    fn is_strict(&self) -> bool {
        match &self.demand {
            Demand::DeltaDisclosure { .. } => true,
            Demand::Anonymity { .. }
            | Demand::KMap { .. }
            | Demand::Confidence { .. }
            | Demand::Diversity { .. }
            | Demand::Closeness { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. }
            | Demand::Joined(_) => false,
        }
    }

    /// Whether the level counts something, so that it is a whole number.
    pub fn counts(&self) -> bool {
        match &self.demand {
            Demand::Anonymity { .. } | Demand::KMap { .. } => true,
            Demand::Diversity { measure, .. } => match measure {
                Diversity::Distinct { .. } | Diversity::Recursive { .. } => true,
                Diversity::Entropy { .. } => false,
            },
            Demand::Confidence { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. } => false,
            Demand::Joined(joined) => match joined.demand {
                JoinDemand::Anonymity { .. } => true,
                JoinDemand::Confidence { .. } => false,
            },
        }
    }

    /// The columns of this table, beside those of `of`, that it counts by or is about.
    pub fn counted(&self) -> Vec<ColumnId> {
        match &self.demand {
            Demand::Anonymity { per, .. } => per.clone(),
            Demand::KMap { .. } => Vec::new(),
            Demand::Confidence { about, .. } => about.iter().map(|secrets| secrets.column).collect(),
            Demand::Diversity { about, .. }
            | Demand::Closeness { about, .. }
            | Demand::DeltaDisclosure { about, .. }
            | Demand::BetaLikeness { about, .. }
            | Demand::RangeDiversity { about, .. } => vec![*about],
            Demand::Personal { about, guarding, .. } => vec![*about, *guarding],
            Demand::Joined(joined) => {
                let own = joined.counted().into_iter().filter(|place| place.release == THIS);
                own.map(|place| place.column).collect()
            }
        }
    }

    /// The place of the population that it counts in, of a k-map.
    pub fn population(&self) -> Option<usize> {
        match self.demand {
            Demand::KMap { population, .. } => Some(population),
            Demand::Anonymity { .. }
            | Demand::Confidence { .. }
            | Demand::Diversity { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. }
            | Demand::Joined(_) => None,
        }
    }

    /// Whether a template that fails, fails for every finer table too.
    pub fn is_anti_monotone(&self) -> bool {
        match self.demand {
            Demand::Anonymity { .. }
            | Demand::KMap { .. }
            | Demand::Confidence { .. }
            | Demand::Diversity { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. } => true,
            Demand::Personal { .. } | Demand::RangeDiversity { .. } | Demand::Joined(_) => false,
        }
    }

    /// What it demands of the join with earlier releases, if it is about that.
    pub fn joined(&self) -> Option<&Joined> {
        match &self.demand {
            Demand::Joined(joined) => Some(joined),
            Demand::Anonymity { .. }
            | Demand::KMap { .. }
            | Demand::Confidence { .. }
            | Demand::Diversity { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. } => None,
        }
    }

    /// Whether groups are compared with the release as a whole, so that leaving out a row changes every group.
    pub fn compares_with_the_whole(&self) -> bool {
        match self.demand {
            Demand::Closeness { .. } | Demand::DeltaDisclosure { .. } | Demand::BetaLikeness { .. } => true,
            Demand::Anonymity { .. }
            | Demand::KMap { .. }
            | Demand::Confidence { .. }
            | Demand::Diversity { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. }
            | Demand::Joined(_) => false,
        }
    }

    /// The records that every group must have, of a template that counts those of this table; `None` of any other.
    pub fn records(&self) -> Option<u64> {
        match &self.demand {
            Demand::Anonymity { k, per } => per.is_empty().then_some(*k),
            Demand::KMap { .. }
            | Demand::Confidence { .. }
            | Demand::Diversity { .. }
            | Demand::Closeness { .. }
            | Demand::DeltaDisclosure { .. }
            | Demand::BetaLikeness { .. }
            | Demand::Personal { .. }
            | Demand::RangeDiversity { .. }
            | Demand::Joined(_) => None,
        }
    }

    /// Its kind. One on the join with earlier releases is of the kind that it has on one table.
    pub fn template_kind(&self) -> TemplateKind {
        match &self.demand {
            Demand::Anonymity { .. } => TemplateKind::Anonymity,
            Demand::KMap { .. } => TemplateKind::KMap,
            Demand::Confidence { .. } => TemplateKind::Confidence,
            Demand::Diversity { .. } => TemplateKind::Diversity,
            Demand::Closeness { .. } => TemplateKind::Closeness,
            Demand::DeltaDisclosure { .. } => TemplateKind::DeltaDisclosure,
            Demand::BetaLikeness { .. } => TemplateKind::BetaLikeness,
            Demand::Personal { .. } => TemplateKind::Personal,
            Demand::RangeDiversity { .. } => TemplateKind::RangeDiversity,
            Demand::Joined(joined) => match joined.demand {
                JoinDemand::Anonymity { .. } => TemplateKind::Anonymity,
                JoinDemand::Confidence { .. } => TemplateKind::Confidence,
            },
        }
    }

    /// The word for its kind.
    pub fn kind(&self) -> &'static str {
        self.template_kind().word()
    }

    /// Whether `wider`, holding, makes this one hold too: the same kind and Y, on a superset of the columns, with a
    /// bound at least as strict (Theorem 4.1.1, with the inequality that its proof uses; Theorem 5.1.1).
    pub fn implied_by(&self, wider: &Template) -> bool {
        let stricter = match self.sense() {
            Sense::AtLeast => wider.bound() >= self.bound(),
            Sense::AtMost => wider.bound() <= self.bound(),
        };
        self.is_anti_monotone()
            && self.of.is_within(&wider.of)
            && self.demand.is_about_no_more_than(&wider.demand)
            && stricter
    }
}

impl QuasiIdentifier {
    /// All of these columns.
    pub fn all(columns: Vec<ColumnId>) -> Self {
        QuasiIdentifier { columns, any: None }
    }

    /// How many of the columns one adversary knows.
    pub fn known(&self) -> usize {
        self.any.unwrap_or(usize::MAX).min(self.columns.len())
    }

    /// Whether every set of columns known here is within one known there.
    fn is_within(&self, wider: &QuasiIdentifier) -> bool {
        within(&self.columns, &wider.columns) && self.known() <= wider.known()
    }
}

impl Demand {
    /// Whether this is the same demand, the bound aside, on no more secrets.
    fn is_about_no_more_than(&self, other: &Demand) -> bool {
        match self {
            Demand::Anonymity { per: a, .. } => {
                matches!(other, Demand::Anonymity { per: b, .. } if within(a, b) && within(b, a))
            }
            Demand::KMap { population: a, .. } => matches!(other, Demand::KMap { population: b, .. } if a == b),
            Demand::Confidence { about: a, .. } => {
                let is_among = |secrets: &Secrets, b: &[Secrets]| b.iter().any(|wider| secrets.is_within(wider));
                matches!(other, Demand::Confidence { about: b, .. } if a.iter().all(|secrets| is_among(secrets, b)))
            }
            Demand::Diversity { about: a, measure: x } => {
                matches!(other, Demand::Diversity { about: b, measure: y } if a == b && x.is_measured_as(y))
            }
            Demand::Closeness {
                about: a, distance: x, ..
            } => matches!(other, Demand::Closeness { about: b, distance: y, .. } if a == b && x == y),
            Demand::DeltaDisclosure { about: a, .. } => {
                matches!(other, Demand::DeltaDisclosure { about: b, .. } if a == b)
            }
            Demand::BetaLikeness {
                about: a, enhanced: x, ..
            } => matches!(other, Demand::BetaLikeness { about: b, enhanced: y, .. } if a == b && x <= y),
            // These may hold of fewer columns and not of more, or the other way round.
            Demand::Personal { .. } | Demand::RangeDiversity { .. } | Demand::Joined(_) => false,
        }
    }
}

impl Secrets {
    fn is_within(&self, wider: &Secrets) -> bool {
        self.column == wider.column
            && match (&self.values, &wider.values) {
                (SecretValues::Sets(these), SecretValues::Sets(those)) => these.iter().all(|set| those.contains(set)),
                (SecretValues::Sets(these), SecretValues::Every) => these.iter().all(|set| set.len() == 1),
                (SecretValues::Every, SecretValues::Every) => true,
                (SecretValues::Every, SecretValues::Sets(_)) => false,
            }
    }
}

impl Diversity {
    fn is_measured_as(&self, other: &Diversity) -> bool {
        match self {
            Diversity::Recursive { c, .. } => {
                matches!(other, Diversity::Recursive { c: stricter, .. } if stricter <= c)
            }
            Diversity::Distinct { .. } => matches!(other, Diversity::Distinct { .. }),
            Diversity::Entropy { .. } => matches!(other, Diversity::Entropy { .. }),
        }
    }
}

fn within(a: &[ColumnId], b: &[ColumnId]) -> bool {
    a.iter().all(|column| b.contains(column))
}
