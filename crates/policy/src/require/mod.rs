//! A [`Require`] is one `[[require]]` section: what must hold, in the words of the policy.
//!
//! Invariant: a section is of one kind. `Policy::plan` makes one or more templates of it: one
//! per bound, and two where the kind is a pair of demands, as (α, k)-anonymity is.

mod about;

use std::path::PathBuf;

use scumble_privacy::Diversity;

pub use about::{About, AboutValues};

use crate::spanned::Spanned;

/// One section. Columns are given by name; all are listed in the policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Require {
    /// What an adversary may know of a person.
    pub of: Of,
    /// What must hold of every group.
    pub kind: Kind,
}

/// The quasi-identifier X.
#[derive(Clone, Debug, PartialEq)]
pub struct Of {
    /// Its columns; all quasi columns if the policy names none. Copies of them in earlier releases are known, too.
    pub columns: Vec<String>,
    /// Those of them, named as `this.job`, of which only this table's copy is known.
    pub this_alone: Vec<String>,
    /// Its columns of earlier releases, beside such copies.
    pub earlier: OfEarlier,
    /// The most of them that one adversary knows, fewer than there are; `None` for all.
    pub any: Option<usize>,
}

/// What an adversary may know of a person from earlier releases, beside the columns that they share with this one.
#[derive(Clone, Debug, PartialEq)]
pub enum OfEarlier {
    /// What those releases mask, as far as it is known: the policy names no columns at all.
    Quasi,
    /// These, named as `clinic2024.job`.
    Listed(Vec<Spanned<String>>),
}

/// Y: what anonymity counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Counting {
    /// Records of this table.
    Records,
    /// Matches of records of all releases.
    Join,
    /// Records of the earlier release with this name.
    RecordsOf(Spanned<String>),
    /// Different combinations of values on these columns, of which those of earlier releases are named as
    /// `clinic2024.patient`.
    Columns(Vec<Spanned<String>>),
}

impl Require {
    /// A section that names no columns: it is of all quasi columns.
    pub fn of_all(kind: Kind) -> Require {
        Require {
            of: Of {
                columns: Vec::new(),
                this_alone: Vec::new(),
                earlier: OfEarlier::Quasi,
                any: None,
            },
            kind,
        }
    }
}

impl Of {
    /// Whether the copies of a column in earlier releases are known with it.
    pub fn has_copies_of(&self, column: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| name == column);
        is_in(&self.columns) && !is_in(&self.this_alone)
    }

    /// How many sets of columns one adversary may know.
    pub(crate) fn subsets(&self) -> u128 {
        let n = self.columns.len() as u128;
        let known = self.any.map_or(n, |any| any as u128).min(n);
        // One factor after the other, each product being a number of subsets itself.
        (0..known.min(n - known)).fold(1, |subsets: u128, at| subsets.saturating_mul(n - at) / (at + 1))
    }
}

/// What must hold of every group.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `anonymity = k`: enough records.
    Anonymity {
        /// The bound, at least 1.
        k: u64,
        /// What is counted.
        per: Counting,
    },
    /// `k-map = k`: enough people of a population look like the group.
    KMap {
        /// The bound, at least 1.
        k: u64,
        /// The file with the population.
        population: Spanned<PathBuf>,
    },
    /// `confidence = h`: no secret is inferred with more confidence.
    Confidence {
        /// The bound of values that have none of their own, in (0, 1].
        at_most: f64,
        /// The secrets.
        about: Vec<About>,
    },
    /// `alpha = α, k = k`: both confidence and anonymity.
    AlphaK {
        /// The bound of values that have none of their own, in (0, 1].
        alpha: f64,
        /// The bound on records, at least 1.
        k: u64,
        /// The secrets.
        about: Vec<About>,
    },
    /// `diversity = l`: sensitive values are well represented.
    Diversity {
        /// How well.
        measure: Diversity,
        /// The sensitive column.
        about: String,
    },
    /// `p-sensitive = p, k = k`: both distinct diversity and anonymity.
    PSensitive {
        /// The bound on different values, at least 1.
        p: u64,
        /// The bound on records, at least 1.
        k: u64,
        /// The sensitive column.
        about: String,
    },
    /// `closeness = t`: sensitive values are distributed almost as in the whole.
    Closeness {
        /// The bound, in [0, 1].
        at_most: f64,
        /// How far values are from each other.
        distance: DistanceKind,
        /// The sensitive column.
        about: String,
    },
    /// `delta-disclosure = δ`: no sensitive value is much more or less frequent than in the whole.
    DeltaDisclosure {
        /// The bound, above 0; it is not reached.
        below: f64,
        /// The sensitive column.
        about: String,
    },
    /// `beta-likeness = β`: no sensitive value is much more frequent than in the whole.
    BetaLikeness {
        /// The bound, above 0.
        at_most: f64,
        /// Whether frequent values are held closer.
        enhanced: bool,
        /// The sensitive column.
        about: String,
    },
    /// `personal = h`: nobody is inferred to be under their own guarding node with more confidence.
    Personal {
        /// The bound, in (0, 1].
        at_most: f64,
        /// The sensitive column, which has a taxonomy.
        about: String,
        /// The column with the guarding nodes.
        guarding: String,
    },
    /// `range-diversity = P`: sensitive ranges are not given away more surely.
    RangeDiversity {
        /// The bound, in [0, 1].
        at_most: f64,
        /// The sensitive column, which has sensitive ranges.
        about: String,
    },
}

/// How far two sensitive values are from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceKind {
    /// All are equally far.
    Equal,
    /// By how many values lie between.
    Ordered,
    /// By their lowest common ancestor in the taxonomy of the column.
    Taxonomy,
}

/// The words of the distances.
pub(crate) const DISTANCES: [(&str, DistanceKind); 3] = [
    ("equal", DistanceKind::Equal),
    ("ordered", DistanceKind::Ordered),
    ("taxonomy", DistanceKind::Taxonomy),
];

/// Whether a likeness is enhanced.
pub(crate) const LIKENESSES: [(&str, bool); 2] = [("basic", false), ("enhanced", true)];

/// What there is to say of a kind beside its bound. What a kind has nothing of is empty, and what it is not is false.
#[derive(Default)]
struct Parts<'k> {
    secrets: &'k [About],
    counted: &'k [Spanned<String>],
    guarding: Option<&'k str>,
    population: Option<&'k Spanned<PathBuf>>,
    counts_records: bool,
    is_joinable: bool,
    compares_with_the_whole: bool,
}

impl Kind {
    /// All that is asked of kinds, told kind by kind in this one place.
    fn parts(&self) -> Parts<'_> {
        match self {
            Kind::Anonymity { per, .. } => Parts {
                counted: match per {
                    Counting::Columns(columns) => columns,
                    Counting::Records | Counting::Join | Counting::RecordsOf(_) => &[],
                },
                counts_records: *per == Counting::Records,
                is_joinable: true,
                ..Parts::default()
            },
            Kind::KMap { population, .. } => Parts {
                population: Some(population),
                ..Parts::default()
            },
            Kind::Confidence { about, .. } | Kind::AlphaK { about, .. } => Parts {
                secrets: about,
                is_joinable: true,
                ..Parts::default()
            },
            Kind::Closeness { .. } | Kind::DeltaDisclosure { .. } | Kind::BetaLikeness { .. } => Parts {
                compares_with_the_whole: true,
                ..Parts::default()
            },
            Kind::Personal { guarding, .. } => Parts {
                guarding: Some(guarding),
                ..Parts::default()
            },
            Kind::Diversity { .. } | Kind::PSensitive { .. } | Kind::RangeDiversity { .. } => Parts::default(),
        }
    }

    /// The file of the people among whom somebody is to hide.
    pub fn population(&self) -> Option<&Spanned<PathBuf>> {
        self.parts().population
    }

    /// The secrets that are listed one by one.
    pub fn secrets(&self) -> &[About] {
        self.parts().secrets
    }

    /// The columns whose different values it counts.
    pub fn counted(&self) -> &[Spanned<String>] {
        self.parts().counted
    }

    /// The column with the nodes that people guard.
    pub fn guarding(&self) -> Option<&str> {
        self.parts().guarding
    }

    pub(crate) fn secrets_mut(&mut self) -> &mut [About] {
        match self {
            Kind::Confidence { about, .. } | Kind::AlphaK { about, .. } => about,
            Kind::Anonymity { .. }
            | Kind::KMap { .. }
            | Kind::Diversity { .. }
            | Kind::PSensitive { .. }
            | Kind::Closeness { .. }
            | Kind::DeltaDisclosure { .. }
            | Kind::BetaLikeness { .. }
            | Kind::Personal { .. }
            | Kind::RangeDiversity { .. } => &mut [],
        }
    }

    /// The columns that it is about, by name.
    pub(crate) fn about_mut(&mut self) -> Vec<&mut String> {
        match self {
            Kind::Confidence { about, .. } | Kind::AlphaK { about, .. } => {
                about.iter_mut().map(|about| about.column.get_mut()).collect()
            }
            Kind::Diversity { about, .. }
            | Kind::PSensitive { about, .. }
            | Kind::Closeness { about, .. }
            | Kind::DeltaDisclosure { about, .. }
            | Kind::BetaLikeness { about, .. }
            | Kind::Personal { about, .. }
            | Kind::RangeDiversity { about, .. } => vec![about],
            Kind::Anonymity { .. } | Kind::KMap { .. } => Vec::new(),
        }
    }

    /// Whether it counts records of this table, and nothing else.
    pub fn counts_records(&self) -> bool {
        self.parts().counts_records
    }

    /// Whether it can be asked of the join with earlier releases.
    pub fn is_joinable(&self) -> bool {
        self.parts().is_joinable
    }

    /// Whether groups are compared with the release as a whole.
    pub(crate) fn compares_with_the_whole(&self) -> bool {
        self.parts().compares_with_the_whole
    }
}
