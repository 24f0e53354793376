//! The level of a template on the join, by definition: all matches are made.

use std::collections::{BTreeMap, BTreeSet};

use scumble_privacy::{Condition, JoinDemand, JoinSecrets, Joined, Per, Place, Rule, SecretValues, THIS};
use scumble_table::{Label, Meaning, Table, Written};

use super::{Cell, Problem, Shown};

/// The number of one record of each release.
type Match = Vec<usize>;

impl Problem {
    /// What the join shows of this table: quasi labels, class, person, secret, guarding.
    fn shown_rows(&self, shown: &[Vec<Shown>]) -> Vec<Vec<Cell>> {
        let row = |row: usize| {
            let own = &self.rows[row];
            let quasi = (0..shown.len()).map(|column| self.label(shown, row, column));
            let others = [
                Some(own.class.clone()),
                Some(own.person.clone()),
                own.secret.clone(),
                own.guarding.clone(),
            ];
            quasi.chain(others).collect()
        };
        (0..self.rows.len()).map(row).collect()
    }

    pub(super) fn level_on_join(&self, of: &[usize], joined: &Joined, shown: &[Vec<Shown>]) -> f64 {
        let mut releases = vec![self.shown_rows(shown)];
        releases.extend(self.history.earlier.iter().map(|earlier| cells(&earlier.table)));
        let cell =
            |matched: &Match, place: Place| releases[place.release][matched[place.release]][place.column.0].clone();
        let mut groups: BTreeMap<Vec<Cell>, Vec<Match>> = BTreeMap::new();
        for matched in self.matches(&releases) {
            let this = of.iter().map(|&column| releases[THIS][matched[THIS]][column].clone());
            let earlier = joined.of.iter().map(|&place| cell(&matched, place));
            groups.entry(this.chain(earlier).collect()).or_default().push(matched);
        }
        let different = |group: &[Match], key: &dyn Fn(&Match) -> Vec<Cell>| {
            let different: BTreeSet<Vec<Cell>> = group.iter().map(key).collect();
            different.len() as f64
        };
        let level = |group: &[Match]| match &joined.demand {
            JoinDemand::Anonymity { per, .. } => match per {
                Per::Join => group.len() as f64,
                Per::Records { release } => different(group, &|matched| vec![Some(matched[*release].to_string())]),
                Per::Columns(places) => different(group, &|matched| {
                    places.iter().map(|&place| cell(matched, place)).collect()
                }),
            },
            JoinDemand::Confidence { about, .. } => {
                let share = |has: &dyn Fn(&Cell) -> bool, place: Place| {
                    let having = group.iter().filter(|matched| has(&cell(matched, place))).count();
                    having as f64 / group.len() as f64
                };
                let of_secrets = |JoinSecrets { place, values }: &JoinSecrets| match values {
                    SecretValues::Every => {
                        let labels: BTreeSet<Cell> = group.iter().map(|matched| cell(matched, *place)).collect();
                        let hides = self.history.forms(*place).written != Written::Exact;
                        let secrets = labels.iter().filter(|label| !hides || label.as_deref() != Some("*"));
                        secrets
                            .map(|label| share(&|cell| cell == label, *place))
                            .fold(0.0, f64::max)
                    }
                    SecretValues::Sets(sets) => sets
                        .iter()
                        .map(|set| share(&|cell| cell.as_ref().is_some_and(|cell| set.contains(cell)), *place))
                        .fold(0.0, f64::max),
                };
                about.iter().map(of_secrets).fold(0.0, f64::max)
            }
        };
        let levels = groups.values().map(|group| level(group));
        match joined.demand {
            JoinDemand::Anonymity { .. } => levels.fold(f64::INFINITY, f64::min),
            JoinDemand::Confidence { .. } => levels.fold(0.0, f64::max),
        }
    }

    /// How many records are in no match before anything is masked: of this table, and for each earlier release those of this
    /// table that match none of its records, and those of it that are in no match.
    pub fn dangling(&self) -> (usize, Vec<(usize, usize)>) {
        let raw = |row: &super::Row| {
            let others = [
                Some(row.class.clone()),
                Some(row.person.clone()),
                row.secret.clone(),
                row.guarding.clone(),
            ];
            row.quasi.iter().cloned().chain(others).collect()
        };
        let mut releases: Vec<Vec<Vec<Cell>>> = vec![self.rows.iter().map(raw).collect()];
        releases.extend(self.history.earlier.iter().map(|earlier| cells(&earlier.table)));
        let matches = self.matches(&releases);
        let in_a_match = |release: usize| {
            let rows: BTreeSet<usize> = matches.iter().map(|matched| matched[release]).collect();
            rows.len()
        };
        let earlier = (1..releases.len()).map(|release| {
            let mut alone = self.clone();
            let is_about = |rule: &Rule| {
                rule.places()
                    .iter()
                    .all(|place| [THIS, release].contains(&place.release))
            };
            alone.history.rules.retain(is_about);
            let pairs = (0..self.rows.len()).filter(|&row| {
                !(0..releases[release].len()).any(|other| {
                    let mut matched = vec![0; release + 1];
                    (matched[THIS], matched[release]) = (row, other);
                    alone.is_match(&releases, &matched)
                })
            });
            (pairs.count(), releases[release].len() - in_a_match(release))
        });
        (self.rows.len() - in_a_match(THIS), earlier.collect())
    }

    /// All matches, one release after the other.
    fn matches(&self, releases: &[Vec<Vec<Cell>>]) -> Vec<Match> {
        let mut matches: Vec<Match> = vec![Vec::new()];
        for release in 0..releases.len() {
            let longer = matches.into_iter().flat_map(|matched| {
                (0..releases[release].len()).map(move |row| {
                    let mut longer = matched.clone();
                    longer.push(row);
                    longer
                })
            });
            matches = longer.filter(|matched| self.is_match(releases, matched)).collect();
        }
        matches
    }

    /// Whether the last record keeps all rules with those before it.
    fn is_match(&self, releases: &[Vec<Vec<Cell>>], matched: &Match) -> bool {
        let last = matched.len() - 1;
        let cell = |place: Place| releases[place.release][matched[place.release]][place.column.0].as_deref();
        let is_decided = |rule: &&Rule| {
            let [a, b] = rule.places().map(|place| place.release);
            a.max(b) == last
        };
        self.history.rules.iter().filter(is_decided).all(|rule| match rule {
            Rule::Agree { a, b } => {
                let [x, y] = [*a, *b].map(|place| Label::parse(cell(place), self.history.forms(place)));
                let hidden = |star: Place, other: Place| {
                    let shown: BTreeSet<Cell> = releases[star.release]
                        .iter()
                        .map(|row| row[star.column.0].clone())
                        .collect();
                    let label = Label::parse(cell(other), self.history.forms(other));
                    let hides = self.history.forms(star).written != Written::Exact;
                    self.is_recoded(star) && hides && cell(star) == Some("*") && is_among(&label, cell(other), &shown)
                };
                x.meets(&y) && !hidden(*a, *b) && !hidden(*b, *a)
            }
            Rule::Never { a, b } => {
                let holds = |condition: &Condition| {
                    let forms = self.history.forms(condition.place);
                    let shown = Label::parse(cell(condition.place), forms);
                    shown.is_within(&Label::parse(Some(&condition.within), forms.domain.in_words()))
                };
                !(holds(a) && holds(b))
            }
        })
    }

    fn is_recoded(&self, place: Place) -> bool {
        let recoded = match place.release {
            THIS => &self.history.recoded,
            release => &self.history.earlier[release - 1].recoded,
        };
        recoded.contains(&place.column)
    }
}

/// Whether all that a label stands for is shown by itself.
fn is_among(label: &Label, cell: Option<&str>, shown: &BTreeSet<Cell>) -> bool {
    let is_shown = |value: Option<&str>| value != Some("*") && shown.contains(&value.map(str::to_owned));
    match label.meaning() {
        Meaning::Itself => is_shown(cell),
        Meaning::Set(members) => members.iter().all(|&member| is_shown(member)),
        _ => false,
    }
}

/// The cells of a table, row by row.
fn cells(table: &Table) -> Vec<Vec<Cell>> {
    let cell = |row: usize, column: &scumble_table::Column| {
        column.dictionary().value(column.codes().at(row)).map(str::to_owned)
    };
    let row = |row: usize| table.columns().iter().map(|column| cell(row, column)).collect();
    (0..table.rows()).map(row).collect()
}
