//! Who can count a template: the parties that hold what it counts by or is about.
//!
//! The groups of a template are known to all, since each refinement tells everybody which records it parts. What else a
//! template needs are values of single records, and those only their owner has. So an owner counts, and may refuse a
//! refinement.
//!
//! | template | of | about or per | who counts |
//! |---|---|---|---|
//! | anonymity | any columns | | everybody |
//! | confidence, distinct diversity | any columns | columns of several parties | each of them |
//! | anonymity `per` columns | any columns | columns of one party | that party |
//! | entropy, closeness and the like | columns of one party | of the same party | that party |
//!
//! The class is known to all, and is nobody's.

use std::collections::BTreeSet;

use scumble_privacy::Diversity;

use super::agreed::Agreement;
use crate::problems::Problems;
use crate::require::{Counting, Kind, Require};

impl Agreement {
    /// The parties that have any of these columns, ascending; the class is nobody's.
    fn parties_with<'n>(&self, columns: impl IntoIterator<Item = &'n str>) -> Vec<usize> {
        let columns = columns.into_iter().filter(|column| !self.is_class(column));
        let parties: BTreeSet<usize> = columns.flat_map(|column| self.owners(column)).copied().collect();
        parties.into_iter().collect()
    }

    /// Reports the sections that nobody could count.
    pub(super) fn check_counting(&self, problems: &mut Problems) {
        for section in &self.policy.require {
            let require = section.get_ref();
            let bounded = require.of.any.and(Some(BOUNDED)).map(owned);
            for (message, help) in bounded.into_iter().chain(self.uncountable(require)) {
                problems.at(section.span(), message, Some(help));
            }
        }
    }

    /// Why nobody can count a section, and what to do.
    fn uncountable(&self, require: &Require) -> Option<(String, String)> {
        match &require.kind {
            Kind::KMap { .. } => Some(owned(K_MAP)),
            Kind::Anonymity {
                per: Counting::Columns(names),
                ..
            } => {
                let names = names.iter().map(|name| name.get_ref().as_str());
                let parties = self.several(names)?;
                let message = format!("nobody has all columns of `per`: they are of {parties}");
                let help = "write one [[require]] for each party, with its columns in `per`";
                Some((message, help.to_owned()))
            }
            kind @ (Kind::Anonymity {
                per: Counting::Records | Counting::Join | Counting::RecordsOf(_),
                ..
            }
            | Kind::Confidence { .. }
            | Kind::AlphaK { .. }
            | Kind::Diversity { .. }
            | Kind::PSensitive { .. }
            | Kind::Closeness { .. }
            | Kind::DeltaDisclosure { .. }
            | Kind::BetaLikeness { .. }
            | Kind::Personal { .. }
            | Kind::RangeDiversity { .. }) => {
                let of = require.of.columns.iter().map(String::as_str);
                let parties = self.several(of.chain(one_party_secrets(kind)?))?;
                let message =
                    format!("no one party has all columns of `of` and what they must not tell: they are of {parties}");
                let instead = match kind {
                    Kind::Diversity { .. } => "use `kind = \"distinct\"`",
                    Kind::Anonymity { .. }
                    | Kind::KMap { .. }
                    | Kind::Confidence { .. }
                    | Kind::AlphaK { .. }
                    | Kind::PSensitive { .. }
                    | Kind::Closeness { .. }
                    | Kind::DeltaDisclosure { .. }
                    | Kind::BetaLikeness { .. }
                    | Kind::Personal { .. }
                    | Kind::RangeDiversity { .. } => "use `diversity`, whose kind is then distinct, or `confidence`",
                };
                Some((message, format!("{instead}, or name columns of one party in `of`")))
            }
        }
    }

    /// The names of the parties that have these columns, if they are several.
    fn several<'n>(&self, columns: impl IntoIterator<Item = &'n str>) -> Option<String> {
        let parties = self.parties_with(columns);
        let names: Vec<&str> = parties.iter().map(|&party| self.parties[party].name.as_str()).collect();
        (names.len() > 1).then(|| names.join(", "))
    }
}

/// Why `of` cannot be bounded, and what to do.
const BOUNDED: (&str, &str) = (
    "`any` makes groups of many sets of columns, and each refinement would tell parties about all of them",
    "write one [[require]] for each set of columns that an adversary may know",
);

/// Why there is no `k-map`, and what to do.
const K_MAP: (&str, &str) = (
    "`k-map` compares with a population, in which somebody would have to look up columns of all parties",
    "require `anonymity`: it makes `k-map` hold for every population that these people are part of",
);

fn owned((message, help): (&str, &str)) -> (String, String) {
    (message.to_owned(), help.to_owned())
}

/// The columns that a section is about, if one party must have them all and those of `of`.
fn one_party_secrets(kind: &Kind) -> Option<Vec<&str>> {
    match kind {
        Kind::Anonymity { .. }
        | Kind::KMap { .. }
        | Kind::Confidence { .. }
        | Kind::AlphaK { .. }
        | Kind::PSensitive { .. }
        | Kind::Diversity {
            measure: Diversity::Distinct { .. },
            ..
        } => None,
        Kind::Diversity { about, .. }
        | Kind::Closeness { about, .. }
        | Kind::DeltaDisclosure { about, .. }
        | Kind::BetaLikeness { about, .. }
        | Kind::RangeDiversity { about, .. } => Some(vec![about]),
        Kind::Personal { about, guarding, .. } => Some(vec![about, guarding]),
    }
}
