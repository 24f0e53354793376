//! The `[method]` section: how a release is searched for.
//!
//! | `name` | what it does | settings of its own |
//! |---|---|---|
//! | `refine` | one mask per column, refined from the top | `objective`, `weigh`, `steps` |
//! | `full-domain` | one level per column, the best there are | `objective` |
//! | `local` | groups, dense ones first, then improved | |
//! | `toc` | groups that weigh utility against protection | `utility_weight`, `threshold`, `subspace` |
//! | `upc` | groups with a bound on what each loses | `loss_at_most`, `subspace` |
//! | `mondrian` | groups by cutting at medians | `strict` |
//! | `k-member`, `k-member-p` | groups grown one by one, for utility or protection | |
//! | `microaggregation` | groups, shown as their centre | `centre` |
//! | `anatomy` | quasi columns as they are, sensitive ones apart, by group | |
//!
//! Over several tables:
//!
//! | `name` | what it does | settings of its own |
//! |---|---|---|
//! | `entities` | similar persons first, optimal pairs, then exchanges | |
//! | `miracle`, `miraclex` | clusters of persons, opened one by one | `threshold`, `climit` |
//! | `bitmap` | the same on a flat table of bits, for comparison | `threshold`, `climit` |

use scumble_grouping::{Form, FullDomainObjective, Nearest};
use scumble_refine::{Objective, Weigh};

use crate::column::FORMS;
use crate::words::word_of;

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// How rows come to look alike.
    pub approach: Approach,
    /// What a refinement is worth.
    pub objective: Objective,
    /// Other objectives to search by; what a classifier learns best from is published.
    pub rivals: &'static [Objective],
    /// Whose loss that is weighed against.
    pub weigh: Weigh,
    /// The share of rows that may be left out, in [0, 1].
    pub rows_suppressed_at_most: f64,
    /// Fixes what is random.
    pub seed: u64,
    /// Stop after so many steps.
    pub steps: Option<usize>,
}

/// How rows come to look alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Approach {
    /// One mask per column, refined from the top.
    Refine,
    /// One level per column.
    FullDomain(FullDomainObjective),
    /// Rows are gathered into groups.
    Gather(Gathering),
    /// Nothing looks alike: sensitive columns are published apart from the others, and groups join the two.
    Anatomy,
    /// Persons of several tables are gathered, with all their rows.
    Persons(GatheringPersons),
}

/// How persons of several tables are gathered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GatheringPersons {
    /// Similar persons first, optimal pairs, then exchanges between clusters.
    Entities,
    /// Rows are paired by what they and all below them lose.
    Miracle(Opening),
    /// Rows are paired by what they lose themselves.
    MiracleX(Opening),
    /// A flat table of bits, for comparison.
    Bitmap(Opening),
}

/// When a person opens a new cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Opening {
    /// The distance beyond which it does; found from a sample if not given.
    pub threshold: Option<f64>,
    /// How many clusters may be open at once; found from a sample if not given.
    pub climit: Option<usize>,
}

/// How rows are gathered into groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gathering {
    /// Dense cells first, then improvement.
    Local,
    /// A trade-off between utility and protection.
    Toc {
        /// What utility weighs; protection weighs the rest.
        utility_weight: f64,
        /// The value at which a cluster stops to grow; found from a sample if not given.
        threshold: Option<f64>,
        /// The rows of a subspace; found from a sample if not given.
        subspace: Option<usize>,
        /// Which row joins a cluster.
        nearest: Nearest,
    },
    /// Bounds on what each group loses, with templates about ranges.
    Upc {
        /// The largest loss of a group.
        loss_at_most: f64,
        /// The rows of a subspace; found from a sample if not given.
        subspace: Option<usize>,
    },
    /// Cuts at medians.
    Mondrian {
        /// Whether equal values stay together.
        strict: bool,
    },
    /// Groups grown one by one for utility.
    KMember,
    /// Groups grown one by one for protection.
    KMemberP,
    /// Groups shown as their centre.
    Microaggregation {
        /// Which centre numbers have.
        centre: Form,
    },
}

/// The words of the approaches to one table, each with its settings as they are if not given.
pub(crate) const APPROACHES: [(&str, Approach); 10] = [
    ("refine", Approach::Refine),
    ("full-domain", Approach::FullDomain(FullDomainObjective::Loss)),
    ("local", Approach::Gather(Gathering::Local)),
    (
        "toc",
        Approach::Gather(Gathering::Toc {
            utility_weight: 0.5,
            threshold: None,
            subspace: None,
            nearest: Nearest::ToCluster,
        }),
    ),
    (
        "upc",
        Approach::Gather(Gathering::Upc {
            loss_at_most: 0.7,
            subspace: None,
        }),
    ),
    ("mondrian", Approach::Gather(Gathering::Mondrian { strict: true })),
    ("k-member", Approach::Gather(Gathering::KMember)),
    ("k-member-p", Approach::Gather(Gathering::KMemberP)),
    (
        "microaggregation",
        Approach::Gather(Gathering::Microaggregation { centre: Form::Mean }),
    ),
    ("anatomy", Approach::Anatomy),
];

/// The words of the approaches to several tables.
pub(crate) const PERSONS: [(&str, GatheringPersons); 4] = [
    ("miracle", GatheringPersons::Miracle(OPENING)),
    ("miraclex", GatheringPersons::MiracleX(OPENING)),
    ("entities", GatheringPersons::Entities),
    ("bitmap", GatheringPersons::Bitmap(OPENING)),
];

const OPENING: Opening = Opening {
    threshold: None,
    climit: None,
};

/// The word for whatever serves a classifier best, and what is tried for it.
pub(crate) const CLASSIFICATION: (&str, Objective, &[Objective]) =
    ("classification", Objective::InformationGain, &[Objective::GainOnly]);

/// All objectives, with the words that the policy uses.
pub(crate) const OBJECTIVES: [(&str, Objective); 5] = [
    ("information-gain", Objective::InformationGain),
    ("gain-only", Objective::GainOnly),
    ("distortion", Objective::Distortion),
    ("discernibility", Objective::Discernibility),
    ("certainty", Objective::Certainty),
];

/// What a full-domain search makes as small as can be.
pub(crate) const COSTS: [(&str, FullDomainObjective); 2] = [
    ("loss", FullDomainObjective::Loss),
    ("discernibility", FullDomainObjective::Discernibility),
];

/// What the next row of a cluster is nearest to.
pub(crate) const NEAREST: [(&str, Nearest); 2] = [("cluster", Nearest::ToCluster), ("seed", Nearest::ToSeed)];

/// What stands for a group of numbers.
pub(crate) const CENTRES: [(&str, Form); 3] = [("mean", Form::Mean), ("median", Form::Median), ("mode", Form::Mode)];

pub(crate) const WEIGHED: [(&str, Weigh); 2] = [("all", Weigh::All), ("records", Weigh::Records)];

/// The word for what a group is shown as.
pub fn form_word(form: Form) -> &'static str {
    let words = [&FORMS[..], &CENTRES].concat();
    word_of(form, &words)
}

/// What a word says that a group is shown as.
pub fn form_of(word: &str) -> Option<Form> {
    let mut words = FORMS.iter().chain(&CENTRES);
    words.find(|(own, _)| *own == word).map(|&(_, form)| form)
}

impl Approach {
    /// The word that the policy uses.
    pub fn word(self) -> &'static str {
        let same = |other: &Approach| match (self, other) {
            (Approach::Gather(own), Approach::Gather(other)) => {
                std::mem::discriminant(&own) == std::mem::discriminant(other)
            }
            (own, other) => std::mem::discriminant(&own) == std::mem::discriminant(other),
        };
        if let Approach::Persons(gathering) = self {
            return gathering.word();
        }
        let found = APPROACHES.iter().find(|(_, other)| same(other));
        found.map_or("", |&(word, _)| word)
    }

    /// The settings that are its own, by key, as the policy writes them.
    pub fn settings(self) -> Vec<(&'static str, String)> {
        let given = |key, value: Option<String>| value.map(|value| (key, value));
        let rows = |rows: usize| rows.to_string();
        match self {
            Approach::Refine
            | Approach::Anatomy
            | Approach::Gather(Gathering::Local | Gathering::KMember | Gathering::KMemberP) => Vec::new(),
            Approach::Persons(gathering) => {
                let Opening { threshold, climit } = gathering.opening().unwrap_or_default();
                let threshold = given("threshold", threshold.map(|threshold| threshold.to_string()));
                threshold.into_iter().chain(given("climit", climit.map(rows))).collect()
            }
            Approach::FullDomain(cost) => vec![("objective", word_of(cost, &COSTS).to_owned())],
            Approach::Gather(Gathering::Toc {
                utility_weight,
                threshold,
                subspace,
                nearest,
            }) => [
                Some(("utility_weight", utility_weight.to_string())),
                given("threshold", threshold.map(|threshold| threshold.to_string())),
                given("subspace", subspace.map(rows)),
                Some(("nearest", word_of(nearest, &NEAREST).to_owned())),
            ]
            .into_iter()
            .flatten()
            .collect(),
            Approach::Gather(Gathering::Upc { loss_at_most, subspace }) => [
                Some(("loss_at_most", loss_at_most.to_string())),
                given("subspace", subspace.map(rows)),
            ]
            .into_iter()
            .flatten()
            .collect(),
            Approach::Gather(Gathering::Mondrian { strict }) => vec![("strict", strict.to_string())],
            Approach::Gather(Gathering::Microaggregation { centre }) => {
                vec![("centre", word_of(centre, &CENTRES).to_owned())]
            }
        }
    }
}

impl GatheringPersons {
    /// The word that the policy uses.
    pub fn word(self) -> &'static str {
        let same = |other: &GatheringPersons| std::mem::discriminant(&self) == std::mem::discriminant(other);
        let found = PERSONS.iter().find(|(_, other)| same(other));
        found.map_or("", |&(word, _)| word)
    }

    /// When clusters are opened, where the method asks.
    pub fn opening(self) -> Option<Opening> {
        match self {
            GatheringPersons::Entities => None,
            GatheringPersons::Miracle(opening)
            | GatheringPersons::MiracleX(opening)
            | GatheringPersons::Bitmap(opening) => Some(opening),
        }
    }
}

impl Default for Method {
    /// Refinement for certainty, where no row may be left out.
    fn default() -> Self {
        Method {
            approach: Approach::Refine,
            objective: Objective::Certainty,
            rivals: &[],
            weigh: Weigh::default(),
            rows_suppressed_at_most: 0.0,
            seed: 1,
            steps: None,
        }
    }
}

impl Method {
    /// The word that the policy uses for what a refinement is worth.
    pub fn objective_word(&self) -> &'static str {
        if self.rivals.is_empty() {
            word_of(self.objective, &OBJECTIVES)
        } else {
            CLASSIFICATION.0
        }
    }

    /// The word that the policy uses for one objective.
    pub fn word_of_one(objective: Objective) -> &'static str {
        word_of(objective, &OBJECTIVES)
    }

    /// The largest loss that a group may have, if that is bounded.
    pub fn loss_at_most(&self) -> Option<f64> {
        match self.approach {
            Approach::Gather(Gathering::Upc { loss_at_most, .. }) => Some(loss_at_most),
            _ => None,
        }
    }
}
