//! The kinds of requirement: [`KINDS`] lists them, each with the function that reads the rest of its section.
//!
//! Invariant: a function asks for every key that its kind may have, so the valid keys in a message are those of the
//! kind.

use std::path::Path;

use scumble_privacy::Diversity;
use toml::de::DeValue;

use super::about::{read_column, read_sensitive_column, read_share, read_values};
use crate::column::{ColumnKind, Role};
use crate::earlier::{JOIN_WORD, THIS_WORD};
use crate::parse::columns::Columns;
use crate::problems::Problems;
use crate::require::{Counting, DISTANCES, DistanceKind, Kind, LIKENESSES};
use crate::section::{Item, Section};
use crate::spanned::Spanned;
use crate::words::quoted;

/// The key of a kind, and what reads the rest of a section that has it.
pub(super) type KnownKind = (&'static str, ReadKind);

type ReadKind = fn(&Item, &mut Section, &Around, &mut Problems) -> Option<Kind>;

/// Every kind of requirement.
pub(super) const KINDS: [KnownKind; 11] = [
    ("anonymity", read_anonymity),
    ("confidence", read_confidence),
    ("diversity", read_diversity),
    ("closeness", read_closeness),
    ("alpha", read_alpha_k),
    ("p-sensitive", read_p_sensitive),
    ("delta-disclosure", read_delta_disclosure),
    ("beta-likeness", read_beta_likeness),
    ("k-map", read_k_map),
    ("personal", read_personal),
    ("range-diversity", read_range_diversity),
];

/// Keys that some kinds have.
pub(super) const FURTHER: [&str; 9] = [
    "of",
    "per",
    "about",
    "kind",
    "c",
    "distance",
    "k",
    "population",
    "guarding",
];

/// What the rest of the policy says.
pub(super) struct Around<'p> {
    pub columns: &'p Columns,
    pub folder: &'p Path,
}

fn read_anonymity(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let k = kind.whole(1, problems);
    let per = match section.item("per") {
        Some(item) => read_per(&item, around.columns, problems),
        None => Some(Counting::Records),
    };
    Some(Kind::Anonymity { k: k?, per: per? })
}

/// `per = "this"`, `"join"`, the name of an earlier release, or a list of columns.
fn read_per(item: &Item, columns: &Columns, problems: &mut Problems) -> Option<Counting> {
    if let DeValue::String(word) = item.value() {
        return match word.as_ref() {
            THIS_WORD => Some(Counting::Records),
            _ if !columns.may_follow_others() => {
                item.must_be("a list of columns, such as [\"patient\"]", problems);
                None
            }
            JOIN_WORD => Some(Counting::Join),
            release => Some(Counting::RecordsOf(Spanned::new(item.span(), release.to_owned()))),
        };
    }
    let names: Vec<Spanned<String>> = item
        .names(problems)?
        .iter()
        .map(|name| columns.without_this(name))
        .collect();
    let own = names.iter().filter(|name| !columns.may_be_elsewhere(name.get_ref()));
    let own: Vec<Spanned<String>> = own.cloned().collect();
    columns.check(item, &own, &Role::WORDS.map(|(_, role)| role), problems);
    Some(Counting::Columns(names))
}

fn read_confidence(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let at_most = read_share(kind, problems);
    let about = read_values(kind, at_most, section, around.columns, problems);
    Some(Kind::Confidence {
        at_most: at_most?,
        about: about?,
    })
}

fn read_alpha_k(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let alpha = read_share(kind, problems);
    let k = read_k(kind, section, problems);
    let about = read_values(kind, alpha, section, around.columns, problems);
    Some(Kind::AlphaK {
        alpha: alpha?,
        k: k?,
        about: about?,
    })
}

fn read_p_sensitive(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let p = kind.whole(1, problems);
    let k = read_k(kind, section, problems);
    let about = read_column(kind, section, around.columns, problems);
    Some(Kind::PSensitive {
        p: p?,
        k: k?,
        about: about?.into_inner(),
    })
}

/// The `k` that stands beside another bound.
fn read_k(kind: &Item, section: &mut Section, problems: &mut Problems) -> Option<u64> {
    match section.item("k") {
        Some(k) => k.whole(1, problems),
        None => {
            let message = format!("{} has no `k`", quoted(kind.key()));
            let help = "add how many rows a group must have, such as `k = 4`".to_owned();
            section.report(message, Some(help), problems);
            None
        }
    }
}

/// How diversity is measured, before its bound is known.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    Distinct,
    Entropy,
    Recursive,
}

const MEASURES: [(&str, Measure); 3] = [
    ("distinct", Measure::Distinct),
    ("entropy", Measure::Entropy),
    ("recursive", Measure::Recursive),
];

fn read_diversity(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let measure = match section.item("kind") {
        Some(item) => item.word("kind of diversity", &MEASURES, &[], problems),
        None => Some(Measure::Distinct),
    };
    let c = read_c(measure, section, problems);
    let about = read_column(kind, section, around.columns, problems);
    let measure = match measure? {
        Measure::Distinct => Diversity::Distinct {
            l: read_whole(kind, problems)?,
        },
        Measure::Entropy => Diversity::Entropy {
            l: kind.number("a number, at least 1", |l| l >= 1.0, problems)?,
        },
        Measure::Recursive => Diversity::Recursive {
            l: read_whole(kind, problems)?,
            c: c?,
        },
    };
    Some(Kind::Diversity {
        measure,
        about: about?.into_inner(),
    })
}

/// The factor of recursive diversity, which no other has.
fn read_c(measure: Option<Measure>, section: &mut Section, problems: &mut Problems) -> Option<f64> {
    match (section.item("c"), measure) {
        (Some(c), Some(Measure::Recursive) | None) => c.number("a number above 0", |c| c > 0.0, problems),
        (Some(c), Some(_)) => {
            let help = "add `kind = \"recursive\"` or take it out".to_owned();
            problems.at(c.key_span(), "`c` is for recursive diversity", Some(help));
            None
        }
        (None, Some(Measure::Recursive)) => {
            let help = "add the factor, such as `c = 2.0`".to_owned();
            section.report("recursive diversity has no `c`", Some(help), problems);
            None
        }
        (None, _) => None,
    }
}

/// A whole number, which may be written with a point: `3.0`.
fn read_whole(item: &Item, problems: &mut Problems) -> Option<u64> {
    let fits = |whole: f64| whole.fract() == 0.0 && (1.0..u32::MAX.into()).contains(&whole);
    let whole = item.number("a whole number, at least 1", fits, problems)?;
    Some(whole as u64)
}

fn read_closeness(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let at_most = kind.number(
        "a distance: at least 0 and at most 1",
        |bound| (0.0..=1.0).contains(&bound),
        problems,
    );
    let named = section.item("distance");
    let about = read_column(kind, section, around.columns, problems);
    let distance = match &named {
        Some(item) => item.word("distance", &DISTANCES, &[], problems),
        None => Some(usual_distance(about.as_ref(), around)),
    };
    if let (Some(item), Some(DistanceKind::Taxonomy), Some(about)) = (&named, distance, &about) {
        check_taxonomy(about, item, around, problems);
    }
    Some(Kind::Closeness {
        at_most: at_most?,
        distance: distance?,
        about: about?.into_inner(),
    })
}

/// The distance that says most of what is known of a column.
fn usual_distance(about: Option<&Spanned<String>>, around: &Around) -> DistanceKind {
    match about.and_then(|name| around.columns.kind(name.get_ref())) {
        Some(ColumnKind::Categorical { taxonomy: Some(_) }) => DistanceKind::Taxonomy,
        Some(ColumnKind::Continuous { .. }) => DistanceKind::Ordered,
        _ => DistanceKind::Equal,
    }
}

/// Reports, at `place`, a column that needs a taxonomy and surely has none.
fn check_taxonomy(about: &Spanned<String>, place: &Item, around: &Around, problems: &mut Problems) {
    match around.columns.kind(about.get_ref()) {
        None | Some(ColumnKind::Categorical { taxonomy: Some(_) }) => {}
        Some(_) => {
            let message = format!("column {} has no taxonomy, and this needs one", quoted(about.get_ref()));
            let help = "name its `taxonomy` in [columns]".to_owned();
            problems.at(place.span(), message, Some(help));
        }
    }
}

fn read_delta_disclosure(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let below = kind.number("a number above 0", |bound| bound > 0.0, problems);
    let about = read_column(kind, section, around.columns, problems);
    Some(Kind::DeltaDisclosure {
        below: below?,
        about: about?.into_inner(),
    })
}

fn read_beta_likeness(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let at_most = kind.number("a number above 0", |bound| bound > 0.0, problems);
    let enhanced = match section.item("kind") {
        Some(item) => item.word("kind of likeness", &LIKENESSES, &[], problems),
        None => Some(false),
    };
    let about = read_column(kind, section, around.columns, problems);
    Some(Kind::BetaLikeness {
        at_most: at_most?,
        enhanced: enhanced?,
        about: about?.into_inner(),
    })
}

fn read_k_map(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let k = kind.whole(1, problems);
    let population = match section.item("population") {
        Some(item) => item.path(around.folder, problems),
        None => {
            let help = "add `population = \"population.csv\"`, a table of people with the columns of `of`".to_owned();
            section.report("`k-map` names no population", Some(help), problems);
            None
        }
    };
    Some(Kind::KMap {
        k: k?,
        population: population?,
    })
}

fn read_personal(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let at_most = read_share(kind, problems);
    let about = read_column(kind, section, around.columns, problems);
    if let Some(about) = &about {
        check_taxonomy(about, kind, around, problems);
    }
    let guarding = match section.item("guarding") {
        Some(item) => item.text(problems).inspect(|name| {
            let fitting = [Role::Identifier, Role::Other];
            around
                .columns
                .check(&item, std::slice::from_ref(name), &fitting, problems);
        }),
        None => {
            let help = "add `guarding = \"column\"`, the column with the node that each person guards".to_owned();
            section.report("`personal` names no guarding nodes", Some(help), problems);
            None
        }
    };
    Some(Kind::Personal {
        at_most: at_most?,
        about: about?.into_inner(),
        guarding: guarding?.into_inner(),
    })
}

fn read_range_diversity(kind: &Item, section: &mut Section, around: &Around, problems: &mut Problems) -> Option<Kind> {
    let at_most = kind.number(
        "a number: at least 0 and at most 1",
        |bound| (0.0..=1.0).contains(&bound),
        problems,
    );
    let about = read_sensitive_column(kind, section, around.columns, problems);
    if let Some(about) = &about {
        check_ranges(about, around, problems);
    }
    Some(Kind::RangeDiversity {
        at_most: at_most?,
        about: about?.into_inner(),
    })
}

/// Reports a sensitive column that surely has no sensitive ranges.
fn check_ranges(about: &Spanned<String>, around: &Around, problems: &mut Problems) {
    let column = around.columns.find(about.get_ref());
    let column = column.filter(|column| column.role == Role::Sensitive);
    if column.is_some_and(|column| column.sensitive_ranges.is_none()) {
        let message = format!(
            "column {} has no `sensitive_ranges`, and this needs them",
            quoted(about.get_ref())
        );
        let help = "say in [columns] which range of each value must not be learnt, such as `sensitive_ranges = 10`";
        problems.at(about.span(), message, Some(help.to_owned()));
    }
}
