//! What the `[[require]]` sections of a policy over several tables ask of persons.
//!
//! What is counted is persons who look the same in all their rows, so the quasi-identifier is every quasi column of every
//! table, and `of` has nothing to say.

use std::ops::Range;

use scumble_privacy::Diversity;

use crate::persons::{Persons, TablePolicy};
use crate::require::{About, AboutValues, Counting, DistanceKind, Kind, Require};
use crate::spanned::Spanned;

/// Something that must not be inferred of persons.
#[derive(Clone, Debug, PartialEq)]
pub struct SecretPolicy {
    /// The table, by its place.
    pub table: usize,
    /// The sensitive column, at the place of the kind (`diversity`) that is asked of it.
    pub column: Spanned<String>,
    /// What must hold of it.
    pub demand: SecretDemand,
}

/// What must hold of a sensitive column.
#[derive(Clone, Debug, PartialEq)]
pub enum SecretDemand {
    /// No value is inferred with more confidence.
    Confidence {
        /// The bound, in (0, 1].
        at_most: f64,
        /// The values; an inner node of the taxonomy is all leaves under it. `None` for each that there is.
        values: Option<Vec<Spanned<String>>>,
    },
    /// Values are well represented.
    Diversity(Diversity),
    /// Values are distributed almost as in the whole.
    Closeness {
        /// The bound, in [0, 1].
        at_most: f64,
        /// How far values are from each other.
        distance: DistanceKind,
    },
    /// No value is much more or less frequent than in the whole.
    DeltaDisclosure {
        /// The bound, above 0; it is not reached.
        below: f64,
    },
    /// No value is much more frequent than in the whole.
    BetaLikeness {
        /// The bound, above 0.
        at_most: f64,
        /// Whether frequent values are held closer.
        enhanced: bool,
    },
}

/// Why a section cannot be asked of persons, and what to do.
pub(crate) struct Refusal {
    pub place: Range<usize>,
    pub why: &'static str,
    pub help: &'static str,
}

/// What is asked of the persons of some tables.
pub(crate) struct Asked<'p> {
    persons: &'p Persons,
    /// How many persons must look the same, if any section says it: of several bounds, the strictest.
    pub k: Option<u64>,
    /// What must not be inferred of them.
    pub secrets: Vec<SecretPolicy>,
    /// What a checked policy has none of.
    pub refusals: Vec<Refusal>,
}

impl<'p> Asked<'p> {
    pub fn of(require: &[Spanned<Require>], persons: &'p Persons) -> Asked<'p> {
        let mut asked = Asked {
            persons,
            k: None,
            secrets: Vec::new(),
            refusals: Vec::new(),
        };
        for section in require {
            asked.read(&section.get_ref().kind, section);
        }
        asked
    }

    fn read(&mut self, kind: &Kind, section: &Spanned<Require>) {
        let place = section.span();
        match kind {
            Kind::Anonymity { k, per } => match per {
                Counting::Records => self.at_least(*k),
                Counting::Join | Counting::RecordsOf(_) | Counting::Columns(_) => {
                    self.refuse(section, PERSONS_ARE_COUNTED, "take out `per`");
                }
            },
            Kind::AlphaK { alpha, k, about } => {
                self.at_least(*k);
                about.iter().for_each(|about| self.confidence(*alpha, about, &place));
            }
            Kind::Confidence { at_most, about } => {
                about.iter().for_each(|about| self.confidence(*at_most, about, &place));
            }
            Kind::PSensitive { p, k, about } => {
                self.at_least(*k);
                self.add(about, SecretDemand::Diversity(Diversity::Distinct { l: *p }), &place);
            }
            Kind::Diversity { measure, about } => self.add(about, SecretDemand::Diversity(*measure), &place),
            Kind::Closeness {
                at_most,
                distance,
                about,
            } => {
                let (at_most, distance) = (*at_most, *distance);
                self.add(about, SecretDemand::Closeness { at_most, distance }, &place);
            }
            Kind::DeltaDisclosure { below, about } => {
                self.add(about, SecretDemand::DeltaDisclosure { below: *below }, &place);
            }
            Kind::BetaLikeness {
                at_most,
                enhanced,
                about,
            } => {
                let (at_most, enhanced) = (*at_most, *enhanced);
                self.add(about, SecretDemand::BetaLikeness { at_most, enhanced }, &place);
            }
            Kind::KMap { .. } => self.refuse(section, NO_POPULATION, "ask for `anonymity`"),
            Kind::Personal { .. } => self.refuse(section, NO_GUARDING, "ask for `confidence`"),
            Kind::RangeDiversity { .. } => self.refuse(section, NO_RANGES, "ask for `closeness`"),
        }
    }

    /// Of several bounds, the strictest.
    fn at_least(&mut self, k: u64) {
        self.k = self.k.max(Some(k));
    }

    /// Values with a bound of their own are a demand of their own; the others have the usual one.
    fn confidence(&mut self, usual: f64, about: &About, place: &Range<usize>) {
        let column = about.column.get_ref();
        match &about.values {
            AboutValues::Every => {
                let demand = SecretDemand::Confidence {
                    at_most: usual,
                    values: None,
                };
                self.add(column, demand, place);
            }
            AboutValues::Listed(listed) => {
                for values in listed.chunk_by(|(_, a), (_, b)| a == b) {
                    let demand = SecretDemand::Confidence {
                        at_most: values[0].1,
                        values: Some(values.iter().map(|(value, _)| value.clone()).collect()),
                    };
                    self.add(column, demand, place);
                }
            }
        }
    }

    fn add(&mut self, column: &str, demand: SecretDemand, place: &Range<usize>) {
        let of_table = |(number, table): (usize, &TablePolicy)| {
            let name = column.strip_prefix(table.name.get_ref().as_str())?.strip_prefix('.')?;
            Some((number, name))
        };
        let found = self.persons.tables.iter().enumerate().find_map(of_table);
        let is_lookup = |name: &str| self.persons.lookups.iter().any(|lookup| lookup.name.get_ref() == name);
        if found.is_none() && column.split_once('.').is_some_and(|(table, _)| is_lookup(table)) {
            self.refusals.push(Refusal {
                place: place.clone(),
                why: OF_A_LOOKUP,
                help: "join the column to the table that refers to it",
            });
            return;
        }
        // Without a table it is a column of persons, which are first.
        let (table, name) = found.unwrap_or((0, column));
        self.secrets.push(SecretPolicy {
            table,
            column: Spanned::new(place.clone(), name.to_owned()),
            demand,
        });
    }

    fn refuse(&mut self, section: &Spanned<Require>, why: &'static str, help: &'static str) {
        let place = section.span();
        self.refusals.push(Refusal { place, why, help });
    }
}

/// Why nothing is asked of a look-up.
const OF_A_LOOKUP: &str = "this is about a look-up, whose rows are published as they are and are no persons'";

/// Why a kind is not for several tables.
const PERSONS_ARE_COUNTED: &str = "over several tables persons are counted, who have one row each in their own table";
const NO_POPULATION: &str =
    "`k-map` is not counted over several tables: a person is all rows of theirs, and a population has one row for each";
const NO_GUARDING: &str = "`personal` is not counted over several tables: two groups that keep it may break it together, \
                           and persons who look alike are put together";
const NO_RANGES: &str = "`range-diversity` is not counted over several tables: two groups that keep it may break it \
                         together, and persons who look alike are put together";
