//! From names to places: the earlier releases of a plan, its rules, and what a template on the join speaks of.

use scumble_privacy::{Condition, Place, Rule, THIS, Template};
use scumble_table::ColumnId;

use super::Releases;
use crate::earlier::{PlannedEarlier, PlannedEarlierColumn};
use crate::plan::Plan;
use crate::warning::PlanWarning;
use scumble_policy::{InconsistentCondition, Of, OfEarlier};

impl Releases<'_> {
    /// Fills in the earlier releases and what their records must keep to match.
    pub fn bind(&self, plan: &mut Plan) {
        let columns = plan.columns.iter();
        plan.forms = columns.map(|column| self.forms(THIS, &column.name)).collect();
        plan.earlier = self.planned();
        plan.history_rules = self.agreements(plan);
        plan.history_rules.extend(self.inconsistencies(plan));
    }

    fn planned(&self) -> Vec<PlannedEarlier> {
        let planned = self.earlier().map(|(number, release, head)| {
            let columns = self.needed(number).into_iter().map(|name| PlannedEarlierColumn {
                name: name.to_owned(),
                forms: self.forms(number, name),
                is_declared: self.declared(number, name).is_some(),
            });
            let copies = self
                .columns(number)
                .into_iter()
                .filter(|name| self.is_here.contains(name));
            let mut planned = PlannedEarlier {
                name: release.name.get_ref().clone(),
                columns: columns.collect(),
                copies: copies.map(str::to_owned).collect(),
                quasi: Vec::new(),
                recoded: Vec::new(),
                on_dangling: release.on_dangling,
            };
            planned.quasi = planned.find_all(&head.quasi);
            planned.recoded = planned.find_all(&head.recoded);
            planned
        });
        planned.collect()
    }

    /// A rule for each two releases and each column that both offer.
    fn agreements(&self, plan: &Plan) -> Vec<Rule> {
        let releases = THIS..=self.heads.len();
        let pairs = releases
            .clone()
            .flat_map(|a| (a + 1..=self.heads.len()).map(move |b| (a, b)));
        let rules = pairs.flat_map(|(a, b)| {
            let columns = self.columns(a).into_iter();
            let common = columns.filter(move |column| self.offers(a, column) && self.offers(b, column));
            common.map(move |column| Rule::Agree {
                a: place(plan, a, column),
                b: place(plan, b, column),
            })
        });
        rules.collect()
    }

    fn inconsistencies(&self, plan: &Plan) -> Vec<Rule> {
        let condition = |condition: &InconsistentCondition| {
            let release = self.number(condition.release.get_ref());
            let column = condition.column.get_ref();
            Condition {
                place: place(plan, release.expect("the releases of conditions were checked"), column),
                within: condition.within.get_ref().clone(),
            }
        };
        let pairs = self.policy.inconsistent.iter();
        pairs
            .map(|pair| {
                let [a, b] = pair.conditions.each_ref().map(condition);
                Rule::Never { a, b }
            })
            .collect()
    }
}

/// A column that is matched, or that a condition is about.
fn place(plan: &Plan, release: usize, name: &str) -> Place {
    let column = match release {
        THIS => plan.columns.find(name),
        _ => plan.earlier[release - 1].find(name),
    };
    Place {
        release,
        column: column.expect("what is published, or decides what matches, is read"),
    }
}

impl Plan {
    /// The columns of earlier releases in a quasi-identifier, ascending: all copies of those of this table, whether they
    /// are matched or not, and what is named, or all quasi columns if nothing is. Of two copies one may be more specific
    /// and tell more, so whoever knows the value knows what both show (thesis, section 6.1).
    pub fn places_of(&self, of: &Of) -> Vec<Place> {
        let copies = (1..).zip(&self.earlier).flat_map(|(release, earlier)| {
            let columns = earlier.columns.iter().enumerate();
            let copies = columns.filter(|(_, column)| of.has_copies_of(&column.name));
            copies.map(move |(column, _)| Place {
                release,
                column: ColumnId(column),
            })
        });
        let mut places: Vec<Place> = copies.collect();
        match &of.earlier {
            OfEarlier::Quasi => places.extend(self.quasi_places()),
            OfEarlier::Listed(names) => places.extend(names.iter().filter_map(|name| self.elsewhere(name.get_ref()))),
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn quasi_places(&self) -> impl Iterator<Item = Place> {
        let releases = (1..).zip(&self.earlier);
        releases.flat_map(|(release, earlier)| earlier.quasi.iter().map(move |&column| Place { release, column }))
    }

    /// What to know of templates beside earlier releases: those that are not about the join, and those that leave out a
    /// column which decides what matches.
    pub fn join_warnings(&self) -> Vec<PlanWarning> {
        if self.earlier.is_empty() {
            return Vec::new();
        }
        let warning = |template: &Template| {
            let Some(joined) = template.joined() else {
                return Some(PlanWarning::ThisTableAlone(self.describe(template)));
            };
            let outside = self.join_columns_outside(&template.of.columns, &joined.of);
            (!outside.is_empty()).then(|| PlanWarning::JoinColumnOutside {
                template: self.describe(template),
                columns: outside.into_iter().map(|place| self.place_name(place)).collect(),
            })
        };
        self.requirement.templates.iter().filter_map(warning).collect()
    }

    fn join_columns_outside(&self, of_this: &[ColumnId], of_earlier: &[Place]) -> Vec<Place> {
        let is_known = |place: &Place| match place.release {
            THIS => of_this.contains(&place.column),
            _ => of_earlier.contains(place),
        };
        let places = self.history_rules.iter().flat_map(Rule::places);
        let mut outside: Vec<Place> = places.filter(|place| !is_known(place)).collect();
        outside.sort_unstable();
        outside.dedup();
        outside
    }

    /// What messages call a column: `zip`, or `clinic2024.zip` for one of an earlier release.
    pub fn place_name(&self, place: Place) -> String {
        match place.release {
            THIS => self.columns[place.column.0].name.clone(),
            release => {
                let column = &self.earlier_column(place).name;
                format!("{}.{column}", self.earlier[release - 1].name)
            }
        }
    }
}
