//! Earlier releases in a plan: which of their columns are read, and which records of two releases match.
//!
//! | | columns | `join` | matched |
//! |---|---|---|---|
//! | this | name (identifier), job, zip | | job, zip |
//! | clinic2024 | zip, sex, disease | left out | zip with this, sex with survey |
//! | survey | job, zip, sex, smoker | job, sex | job with this, sex with clinic2024 |
//!
//! Invariant: a column takes part in a match exactly if two releases *offer* it. A release offers what it shows and
//! `join` names, or all that it shows if there is no `join`. What somebody knows is another matter: who knows a column of
//! this table knows its copies in all releases, matched or not.

mod bind;
mod check;
mod doubt;
mod forms;
mod history;

pub use doubt::looks_like_a_label;

use std::collections::HashSet;

use scumble_policy::Spanned;
use scumble_privacy::{Place, THIS};

use crate::earlier::{Head, PlannedEarlierColumn};
use crate::plan::Plan;
use scumble_policy::{EarlierPolicy, OfEarlier, Policy, Require, THIS_WORD, Taxonomies, of_release};

impl Plan {
    /// The column of an earlier release that a name such as `clinic2024.zip` stands for, if it is read.
    pub fn elsewhere(&self, name: &str) -> Option<Place> {
        let (release, column) = of_release(name)?;
        let place = self.earlier.iter().position(|earlier| earlier.name == release)?;
        let column = self.earlier[place].find(column)?;
        Some(Place {
            release: place + 1,
            column,
        })
    }

    /// Whether an earlier release has a copy of a column of this table that is not among these.
    pub fn has_copy_outside(&self, name: &str, places: &[Place]) -> bool {
        let mut releases = (1..).zip(&self.earlier);
        releases.any(|(release, earlier)| {
            let mut named = places.iter().filter(|place| place.release == release);
            earlier.copies.iter().any(|copy| copy == name)
                && !named.any(|&place| self.earlier_column(place).name == name)
        })
    }

    /// The column of an earlier release.
    fn earlier_column(&self, place: Place) -> &PlannedEarlierColumn {
        &self.earlier[place.release - 1].columns[place.column.0]
    }
}

/// This table and the earlier releases, as far as their headers tell.
pub(super) struct Releases<'p> {
    policy: &'p Policy,
    taxonomies: &'p Taxonomies,
    /// The columns of this table that are published.
    this: Vec<&'p str>,
    /// The same, to look them up: there may be a hundred thousand.
    is_here: HashSet<&'p str>,
    heads: &'p [Head],
}

impl<'p> Releases<'p> {
    pub fn new(
        policy: &'p Policy,
        header: &'p [String],
        heads: &'p [Head],
        taxonomies: &'p Taxonomies,
    ) -> Releases<'p> {
        let this = header.iter().map(String::as_str);
        let this: Vec<&str> = this.filter(|name| policy.publishes(name)).collect();
        Releases {
            policy,
            taxonomies,
            is_here: this.iter().copied().collect(),
            this,
            heads,
        }
    }

    /// The earlier releases with their numbers.
    fn earlier(&self) -> impl Iterator<Item = (usize, &'p EarlierPolicy, &'p Head)> {
        let releases = (1..).zip(&self.policy.earlier).zip(self.heads);
        releases.map(|((number, release), head)| (number, release, head))
    }

    /// The number of the release with this name.
    fn number(&self, name: &str) -> Option<usize> {
        let mut earlier = self.earlier();
        match name {
            THIS_WORD => Some(THIS),
            _ => earlier
                .find(|(_, release, _)| release.name.get_ref() == name)
                .map(|(number, ..)| number),
        }
    }

    /// The names of a release's columns, in file order; of this table those that are published.
    fn columns(&self, release: usize) -> Vec<&'p str> {
        match release {
            THIS => self.this.clone(),
            _ => self.heads[release - 1].header.iter().map(String::as_str).collect(),
        }
    }

    /// Whether a release offers a column to be matched.
    fn offers(&self, release: usize, column: &str) -> bool {
        if release == THIS {
            return self.is_here.contains(column);
        }
        let shows = self.heads[release - 1].header.iter().any(|name| name == column);
        let join = self.policy.earlier[release - 1].join.as_ref();
        shows && join.is_none_or(|join| join.iter().any(|name| name.get_ref() == column))
    }

    /// Whether another release offers a column that this one offers, too.
    fn is_matched(&self, release: usize, column: &str) -> bool {
        let mut others = (THIS..=self.heads.len()).filter(|&other| other != release);
        self.offers(release, column) && others.any(|other| self.offers(other, column))
    }

    /// The columns of an earlier release that the policy needs, in file order.
    fn needed(&self, release: usize) -> Vec<&'p str> {
        let head = &self.heads[release - 1];
        let name = self.policy.earlier[release - 1].name.get_ref();
        let leaves_out = |Require { of, kind }: &Require| kind.is_joinable() && of.earlier == OfEarlier::Quasi;
        let quasi_is_known = self.policy.require.iter().any(|require| leaves_out(require.get_ref()));
        let is_known = |Require { of, kind }: &Require, column: &str| kind.is_joinable() && of.has_copies_of(column);
        let is_needed = |column: &&str| {
            let mut requirements = self.policy.require.iter().map(Spanned::get_ref);
            let is_named = |(_, named): (_, &Spanned<String>)| of_release(named.get_ref()) == Some((name, *column));
            self.is_matched(release, column)
                || requirements.any(|require| is_known(require, column))
                || (quasi_is_known && head.quasi.iter().any(|quasi| quasi == column))
                || self.mentions().any(is_named)
                || self.is_in_condition(name, column)
        };
        self.columns(release).into_iter().filter(is_needed).collect()
    }

    /// The columns of earlier releases that requirements name, each with the key that it stands in.
    fn mentions(&self) -> impl Iterator<Item = (&'static str, &'p Spanned<String>)> {
        let policy = self.policy;
        let named = policy.require.iter().flat_map(|require| {
            let Require { of, kind } = require.get_ref();
            let of = match &of.earlier {
                OfEarlier::Quasi => &[][..],
                OfEarlier::Listed(names) => names,
            };
            let per = kind.counted();
            let about = kind.secrets().iter().map(|about| ("about", &about.column));
            let of = of.iter().map(|name| ("of", name));
            of.chain(per.iter().map(|name| ("per", name))).chain(about)
        });
        named.filter(|(_, name)| policy.column(name.get_ref()).is_none())
    }

    /// Whether an inconsistent pair speaks of a column.
    fn is_in_condition(&self, release: &str, column: &str) -> bool {
        let conditions = self.policy.inconsistent.iter().flat_map(|pair| &pair.conditions);
        conditions
            .into_iter()
            .any(|condition| condition.release.get_ref() == release && condition.column.get_ref() == column)
    }
}
