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

use scumble_grouping::{Form, FullDomainObjective, Nearest};
use scumble_refine::{Objective, Weigh};
use toml::Spanned;

use super::anatomy::check_anatomy;
use super::columns::{Columns, FORMS};
use super::database::EntityApproach;
use super::section::{Item, Section};
use super::words::quoted;
use crate::column::{ColumnPolicy, Role};
use crate::problems::Problems;
use crate::require::{Counting, Kind, Require};
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

/// The words of the approaches, each with its settings as they are if not given.
const APPROACHES: [(&str, Approach); 10] = [
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

/// The word for whatever serves a classifier best, and what is tried for it.
const CLASSIFICATION: (&str, Objective, &[Objective]) =
    ("classification", Objective::InformationGain, &[Objective::GainOnly]);

/// All objectives, with the words that the policy uses.
const OBJECTIVES: [(&str, Objective); 5] = [
    ("information-gain", Objective::InformationGain),
    ("gain-only", Objective::GainOnly),
    ("distortion", Objective::Distortion),
    ("discernibility", Objective::Discernibility),
    ("certainty", Objective::Certainty),
];

/// What a full-domain search makes as small as can be.
const COSTS: [(&str, FullDomainObjective); 2] = [
    ("loss", FullDomainObjective::Loss),
    ("discernibility", FullDomainObjective::Discernibility),
];

/// What the next row of a cluster is nearest to.
const NEAREST: [(&str, Nearest); 2] = [("cluster", Nearest::ToCluster), ("seed", Nearest::ToSeed)];

/// What stands for a group of numbers.
const CENTRES: [(&str, Form); 3] = [("mean", Form::Mean), ("median", Form::Median), ("mode", Form::Mode)];

pub(super) const WEIGHED: [(&str, Weigh); 2] = [("all", Weigh::All), ("records", Weigh::Records)];

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

pub(super) fn read_method(mut section: Section, columns: &Columns, problems: &mut Problems) -> Method {
    let name = section.item("name");
    let approach = name.and_then(|item| read_name(&item, problems));
    let approach = approach.unwrap_or(Approach::Refine);
    let (objective, rivals) = match approach {
        Approach::Refine => read_objective(section.item("objective"), columns, problems),
        _ => (Objective::Certainty, &[][..]),
    };
    let refine = approach == Approach::Refine;
    let weigh = if refine { section.item("weigh") } else { None };
    let weigh = weigh.and_then(|item| item.word("`weigh` value", &WEIGHED, &[], problems));
    let steps = if refine { section.item("steps") } else { None };
    let steps = steps.and_then(|item| item.whole(0, problems));
    let approach = read_approach(approach, &mut section, problems);
    let share = section
        .item("rows_suppressed_at_most")
        .and_then(|item| read_budget(item, approach, problems));
    let seed = section.item("seed").and_then(|item| item.whole(0, problems));
    section.finish(&[], problems);
    let mut method = Method {
        approach,
        objective,
        rivals,
        weigh: weigh.unwrap_or_default(),
        rows_suppressed_at_most: share.unwrap_or(0.0),
        seed: seed.unwrap_or(1),
        steps: steps.map(|steps| usize::try_from(steps).unwrap_or(usize::MAX)),
    };
    // A bound on the loss of every group can only be kept if rows that fit nowhere may go.
    if share.is_none() && method.loss_at_most().is_some() {
        method.rows_suppressed_at_most = 1.0;
    }
    method
}

/// The word of an approach; one for several tables is known, too.
fn read_name(item: &Item, problems: &mut Problems) -> Option<Approach> {
    let word = item.text(problems)?;
    if EntityApproach::WORDS.iter().any(|(known, _)| known == word.get_ref()) {
        let message = format!("the method {} is for several tables", quoted(word.get_ref()));
        let help = "name them in [person] and [[tables]], or choose a method for one table".to_owned();
        problems.at(item.span(), message, Some(help));
        return None;
    }
    item.word("method", &APPROACHES, &[], problems)
}

/// The share of rows that may be left out.
fn read_budget(item: Item, approach: Approach, problems: &mut Problems) -> Option<f64> {
    let fits = |share| (0.0..1.0).contains(&share);
    let share = item.number("a share: at least 0 and below 1", fits, problems)?;
    if share > 0.0 && approach == Approach::Anatomy {
        let help = "take it out; a value that too many rows have makes larger groups instead".to_owned();
        problems.at(item.span(), "the method anatomy leaves no row out", Some(help));
    }
    Some(share)
}

/// The settings of an approach that are its own.
fn read_approach(approach: Approach, section: &mut Section, problems: &mut Problems) -> Approach {
    let share = |item: Item, problems: &mut Problems| {
        let fits = |share| (0.0..=1.0).contains(&share);
        item.number("a number from 0 to 1", fits, problems)
    };
    let rows = |item: Item, problems: &mut Problems| item.whole(1, problems).map(|rows| rows as usize);
    let mut read = approach;
    match &mut read {
        Approach::FullDomain(cost) => {
            if let Some(item) = section.item("objective") {
                *cost = item.word("objective", &COSTS, &[], problems).unwrap_or(*cost);
            }
        }
        Approach::Gather(Gathering::Toc {
            utility_weight,
            threshold,
            subspace,
            nearest,
        }) => {
            let weight = section.item("utility_weight").and_then(|item| share(item, problems));
            *utility_weight = weight.unwrap_or(*utility_weight);
            *threshold = section.item("threshold").and_then(|item| share(item, problems));
            *subspace = section.item("subspace").and_then(|item| rows(item, problems));
            if let Some(item) = section.item("nearest") {
                let to = item.word("`nearest` value", &NEAREST, &[], problems);
                *nearest = to.unwrap_or(*nearest);
            }
        }
        Approach::Gather(Gathering::Upc { loss_at_most, subspace }) => {
            let most = section.item("loss_at_most").and_then(|item| share(item, problems));
            *loss_at_most = most.unwrap_or(*loss_at_most);
            *subspace = section.item("subspace").and_then(|item| rows(item, problems));
        }
        Approach::Gather(Gathering::Mondrian { strict }) => {
            let flag = section.item("strict").and_then(|item| item.flag(problems));
            *strict = flag.unwrap_or(*strict);
        }
        Approach::Gather(Gathering::Microaggregation { centre }) => {
            if let Some(item) = section.item("centre") {
                *centre = item.word("centre", &CENTRES, &[], problems).unwrap_or(*centre);
            }
        }
        Approach::Refine
        | Approach::Anatomy
        | Approach::Gather(Gathering::Local | Gathering::KMember | Gathering::KMemberP) => {}
    }
    read
}

/// Reports what an approach cannot keep, and forms that it does not show.
pub(super) fn check_approach(
    approach: Approach,
    require: &[Spanned<Require>],
    columns: &[ColumnPolicy],
    problems: &mut Problems,
) {
    let gathers = matches!(approach, Approach::Gather(_));
    let shows_forms = gathers && !matches!(approach, Approach::Gather(Gathering::Microaggregation { .. }));
    for form in columns.iter().filter_map(|column| column.form.as_ref()) {
        if !shows_forms {
            let message = format!("`form` has no meaning for the method {}", approach.word());
            let help = "take it out, or choose a method that gathers rows, such as local".to_owned();
            problems.at(form.span(), message, Some(help));
        }
    }
    if approach == Approach::Anatomy {
        check_anatomy(require, columns, problems);
    }
    let quasi = columns.iter().filter(|column| column.role == Role::Quasi).count();
    for section in require.iter().filter(|_| gathers) {
        let Require { kind, of, .. } = section.get_ref();
        let message = match kind {
            Kind::KMap { .. } => {
                "whoever looks like a group may look like others, too, so it is not known whom it hides among"
            }
            Kind::Personal { .. } | Kind::RangeDiversity { .. } if of.columns.len() < quasi => {
                "groups that keep this may break it together, so it must be of every quasi column"
            }
            Kind::Anonymity {
                per: Counting::Join | Counting::RecordsOf(_),
                ..
            } => "this method does not look at the join with earlier releases",
            Kind::Anonymity { .. }
            | Kind::Confidence { .. }
            | Kind::AlphaK { .. }
            | Kind::Diversity { .. }
            | Kind::PSensitive { .. }
            | Kind::Closeness { .. }
            | Kind::DeltaDisclosure { .. }
            | Kind::BetaLikeness { .. }
            | Kind::Personal { .. }
            | Kind::RangeDiversity { .. } => continue,
        };
        let help = "choose the method refine or full-domain, or ask for something else".to_owned();
        problems.at(section.span(), message, Some(help));
    }
}

/// The objective and its rivals; if none is named, the one that uses what the policy has.
fn read_objective(item: Option<Item>, columns: &Columns, problems: &mut Problems) -> (Objective, &'static [Objective]) {
    let (word, first, rivals) = CLASSIFICATION;
    let known: Vec<(&str, (Objective, &[Objective]))> = OBJECTIVES
        .iter()
        .map(|&(word, objective)| (word, (objective, &[][..])))
        .chain([(word, (first, rivals))])
        .collect();
    let chosen = item
        .as_ref()
        .and_then(|item| item.word("objective", &known, &[], problems));
    let needs_class = matches!(chosen, Some((Objective::InformationGain | Objective::GainOnly, _)));
    if let (Some(item), true) = (item, needs_class && columns.surely_without_class()) {
        let message = "this objective needs a class column";
        let help = "give one column the role class, or choose distortion, discernibility or certainty".to_owned();
        problems.at(item.span(), message, Some(help));
    }
    chosen.unwrap_or(match columns.class() {
        Some(_) => (Objective::InformationGain, &[]),
        None => (Objective::Certainty, &[]),
    })
}
