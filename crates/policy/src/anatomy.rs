//! What a policy may ask of anatomy, whose release shows quasi columns as they are and sensitive ones apart, by group.
//!
//! Whoever knows a person finds their row. Where several people look like them, the rows may be in several groups, and
//! what is inferred is a mixture of what each group gives away. So only such templates are kept that are about sensitive
//! columns and hold for every mixture of groups in which they hold.
//!
//! | template | of a mixture of groups that keep it |
//! |---|---|
//! | confidence, diversity, closeness, delta-disclosure, beta-likeness | holds: these are the anti-monotone ones |
//! | personal, range-diversity | may break |
//! | anonymity, k-map, and pairs with one of them | has no meaning: a row is found by its own values |

use crate::spanned::Spanned;

use crate::column::{ColumnPolicy, Role};
use crate::earlier::EarlierPolicy;
use crate::method::{Approach, Method};
use crate::problems::Problems;
use crate::require::{Kind, Require};
use crate::words::quoted;

/// The column with the number of the group, by which the two tables of a release are joined.
pub const GROUP: &str = "group";

/// Reports templates that anatomy cannot keep, and a column in the place of its own.
pub(super) fn check_anatomy(require: &[Spanned<Require>], columns: &[ColumnPolicy], problems: &mut Problems) {
    for section in require {
        if let Some((message, help)) = refusal(&section.get_ref().kind, columns) {
            problems.at(section.span(), message, Some(help.to_owned()));
        }
    }
    if let Some(column) = columns.iter().find(|column| column.name.get_ref() == GROUP) {
        let message = "the method anatomy numbers its groups in a column of this name";
        let help = "rename the column in the data, or choose another method".to_owned();
        problems.at(column.name.span(), message, Some(help));
    }
}

/// Why anatomy cannot keep a template, and what to do; `None` if it can.
fn refusal(kind: &Kind, columns: &[ColumnPolicy]) -> Option<(String, &'static str)> {
    let about: Vec<&str> = match kind {
        Kind::Anonymity { .. } | Kind::KMap { .. } | Kind::AlphaK { .. } | Kind::PSensitive { .. } => {
            let message = "the method anatomy shows quasi columns as they are, so whoever knows them finds the record";
            let help = "ask for something about a sensitive column alone, such as diversity or confidence, or choose \
                        a method that masks, such as refine or local";
            return Some((message.to_owned(), help));
        }
        Kind::Personal { .. } | Kind::RangeDiversity { .. } => {
            let message = "people who look the same may be in several groups of anatomy, which may break this together";
            return Some((message.to_owned(), "choose a method that masks, or ask for confidence"));
        }
        Kind::Confidence { about, .. } => about.iter().map(|about| &about.column.get_ref()[..]).collect(),
        Kind::Diversity { about, .. }
        | Kind::Closeness { about, .. }
        | Kind::DeltaDisclosure { about, .. }
        | Kind::BetaLikeness { about, .. } => vec![about],
    };
    let is_shown = |name: &&str| {
        let mut listed = columns.iter().filter(|column| column.name.get_ref() == name);
        listed.any(|column| column.role != Role::Sensitive)
    };
    about.into_iter().find(is_shown).map(|name| {
        let message = format!("the method anatomy shows {} beside the quasi columns", quoted(name));
        (message, "give it the role sensitive, or choose another method")
    })
}

/// Reports earlier releases, whose join with two tables is not counted.
pub(super) fn check_alone(method: &Method, earlier: &[EarlierPolicy], problems: &mut Problems) {
    for release in earlier.iter().filter(|_| method.approach == Approach::Anatomy) {
        let message = "the method anatomy does not look at the join with earlier releases";
        let help = "take the section out, or use refine".to_owned();
        problems.at(release.name.span(), message, Some(help));
    }
}
