//! [`Counting`]: what is counted of the matches that show the same.
//!
//! Every match has a *y* and a weight; both come from the parts that it is of.
//!
//! | demand | y | weight | a y that occurs again |
//! |---|---|---|---|
//! | matches | | rows of all | adds |
//! | records of a release | its part | rows of that release | is counted already |
//! | columns | labels on them | 1 | is counted already |
//! | confidence | the label that may be a secret | rows of all | adds |

use scumble_table::{ColumnId, Dictionary};

use super::super::numbering::Numbering;
use super::side::{Side, columns_of};
use crate::{History, JoinDemand, JoinSecrets, Per, Place, SecretValues, Sense, THIS};

/// One thing to count.
pub(super) enum Counting {
    /// All matches.
    Matches,
    /// Different records of a release.
    Records { release: usize },
    /// Different labels: for each release, on these columns.
    Different(Vec<Vec<ColumnId>>),
    /// The largest share of matches that have a secret.
    Inferred { place: Place, secrets: Secrets },
}

/// Which labels are secrets.
pub(super) enum Secrets {
    /// Each label but a `*` that hides, which tells nothing.
    Each { star: Option<usize> },
    /// For each set, whether each label is in it.
    Sets(Vec<Vec<bool>>),
}

/// The places that a demand looks at, beside the quasi-identifier.
pub(super) fn places(demand: &JoinDemand) -> Vec<Place> {
    match demand {
        JoinDemand::Anonymity {
            per: Per::Columns(places),
            ..
        } => places.clone(),
        JoinDemand::Anonymity { .. } => Vec::new(),
        JoinDemand::Confidence { about, .. } => about.iter().map(|secrets| secrets.place).collect(),
    }
}

impl Counting {
    /// All that a demand counts; its level is the worst of them.
    pub(super) fn all(demand: &JoinDemand, history: &History, sides: &[Side]) -> Vec<Counting> {
        match demand {
            JoinDemand::Anonymity { per, .. } => vec![match per {
                Per::Join => Counting::Matches,
                Per::Records { release } => Counting::Records { release: *release },
                Per::Columns(places) => {
                    Counting::Different((0..sides.len()).map(|number| columns_of(number, places)).collect())
                }
            }],
            JoinDemand::Confidence { about, .. } => {
                let inferred = |about: &JoinSecrets| Counting::Inferred {
                    place: about.place,
                    secrets: Secrets::new(about, history, sides[about.place.release].labels(about.place.column)),
                };
                about.iter().map(inferred).collect()
            }
        }
    }

    /// The y of each kind of a release. `parts` numbers the kinds by their parts.
    pub(super) fn y(&self, release: usize, side: &Side, parts: impl FnOnce() -> Numbering) -> Numbering {
        match self {
            Counting::Records { release: counted } if *counted == release => parts(),
            Counting::Different(columns) => side.number(&columns[release]),
            Counting::Inferred { place, .. } if place.release == release => side.shown(place.column).clone(),
            Counting::Matches | Counting::Records { .. } | Counting::Inferred { .. } => side.number(&[]),
        }
    }

    /// Whether parts of a release weigh as many rows as they have.
    pub(super) fn weighs(&self, release: usize) -> bool {
        match self {
            Counting::Matches | Counting::Inferred { .. } => true,
            Counting::Records { release: counted } => *counted == release,
            Counting::Different(_) => false,
        }
    }

    /// Whether a y that occurs again adds.
    pub(super) fn adds(&self) -> bool {
        match self {
            Counting::Matches | Counting::Inferred { .. } => true,
            Counting::Records { .. } | Counting::Different(_) => false,
        }
    }

    /// What is measured of matches that show the same, given the weight of each y.
    pub(super) fn measure(&self, weights: impl Iterator<Item = (usize, u128)> + Clone) -> Measured {
        match self {
            Counting::Inferred { secrets, .. } => Measured {
                share: secrets.largest_share(weights),
                ..Measured::ONE
            },
            Counting::Matches | Counting::Records { .. } | Counting::Different(_) => Measured {
                count: sum(weights.map(|(_, weight)| weight)),
                ..Measured::ONE
            },
        }
    }

    /// What rows of this release are measured as by themselves. Where all of them match the same, it is a factor of
    /// what is measured of their matches; the other is [`measure_others`](Self::measure_others).
    pub(super) fn measure_this(&self, weights: impl Iterator<Item = (usize, u128)> + Clone) -> Measured {
        match self {
            Counting::Inferred { place, .. } if place.release != THIS => Measured::ONE,
            Counting::Matches | Counting::Records { .. } | Counting::Different(_) | Counting::Inferred { .. } => {
                self.measure(weights)
            }
        }
    }

    /// What matches of all other releases are measured as by themselves.
    pub(super) fn measure_others(&self, weights: impl Iterator<Item = (usize, u128)> + Clone) -> Measured {
        match self {
            Counting::Inferred { place, .. } if place.release == THIS => Measured::ONE,
            Counting::Matches | Counting::Records { .. } | Counting::Different(_) | Counting::Inferred { .. } => {
                self.measure(weights)
            }
        }
    }
}

impl Secrets {
    fn new(about: &JoinSecrets, history: &History, labels: &Dictionary) -> Self {
        match &about.values {
            SecretValues::Every => Secrets::Each {
                star: labels
                    .texts()
                    .iter()
                    .position(|text| history.hides(about.place, Some(text))),
            },
            SecretValues::Sets(sets) => {
                let is_in = |set: &[String], code| labels.value(code).is_some_and(|text| set.iter().any(|s| s == text));
                let members = |set: &Vec<String>| (0..labels.len() as u32).map(|code| is_in(set, code)).collect();
                Secrets::Sets(sets.iter().map(members).collect())
            }
        }
    }

    fn largest_share(&self, weights: impl Iterator<Item = (usize, u128)> + Clone) -> f64 {
        let largest = match self {
            Secrets::Each { star } => {
                let secret = weights.clone().filter(|(label, _)| Some(*label) != *star);
                secret.map(|(_, weight)| weight).max()
            }
            Secrets::Sets(sets) => {
                let in_set = |set: &Vec<bool>| {
                    let members = weights.clone().filter(|(label, _)| set[*label]);
                    sum(members.map(|(_, weight)| weight))
                };
                sets.iter().map(in_set).max()
            }
        };
        largest.unwrap_or(0) as f64 / sum(weights.map(|(_, weight)| weight)) as f64
    }
}

/// A level before it is rounded: a count, or a share of one.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    count: u128,
    share: f64,
}

impl Measured {
    const ONE: Measured = Measured { count: 1, share: 1.0 };

    /// The level.
    pub(super) fn level(self) -> f64 {
        self.count as f64 * self.share
    }

    /// The worse of two. Good counts are high and good shares are low; where one is measured, the other is the same.
    pub(super) fn worse(self, other: Measured, sense: Sense) -> Measured {
        let is_worse = match sense {
            Sense::AtLeast => self.count < other.count,
            Sense::AtMost => self.share.is_nan() || self.share > other.share,
        };
        if is_worse { self } else { other }
    }

    /// The product.
    pub(super) fn times(self, other: Measured) -> Measured {
        Measured {
            count: product(self.count, other.count),
            share: self.share * other.share,
        }
    }
}

/// The product of two counts.
pub(super) fn product(a: u128, b: u128) -> u128 {
    a.checked_mul(b).expect(FITS)
}

/// The sum of counts.
pub(super) fn sum(counts: impl Iterator<Item = u128>) -> u128 {
    counts.fold(0, |sum, count| sum.checked_add(count).expect(FITS))
}

const FITS: &str = "no count is above the product of the rows of all releases, which fits in 128 bits";
