//! Recounting templates on what was told, with the audit, before anything that depends on them is told or written.
//!
//! | when | which templates | who is to blame |
//! |---|---|---|
//! | masked columns were told | those that we see to, with our own secrets | who holds another column of it |
//! | all said that theirs hold | those that count records, which all can count | who holds a column of it: it said that it holds |
//! | plain columns were told | those about secrets of others | who holds the secrets |

use std::collections::BTreeMap;

use scumble_privacy::{History, Requirement, Template, recount};
use scumble_table::{Labels, Released, ReleasedColumn};

use crate::cells::{Coded, MaskedColumn};
use crate::duties::Duties;
use crate::fault::Fault;

/// What is known of the joined table.
pub(crate) struct Known<'k> {
    pub duties: &'k Duties,
    pub own: usize,
    pub records: usize,
    /// By place among the quasi columns.
    pub masked: &'k [MaskedColumn],
    pub class: Option<&'k Coded>,
}

impl Known<'_> {
    /// Makes sure that what we see to holds.
    pub fn check_own(&self, plain: &BTreeMap<usize, Coded>) -> Result<(), Fault> {
        self.check(plain, |number| {
            let part = self.duties.part(self.own, number)?;
            let by = self
                .duties
                .holders_of_columns(number)
                .find(|&party| party != self.own)?;
            Some((by, part))
        })
    }

    /// Makes sure that templates without secrets hold, which others see to.
    pub fn check_counts(&self) -> Result<(), Fault> {
        self.check(&BTreeMap::new(), |number| {
            let is_ours = self.duties.part(self.own, number).is_some();
            let is_counted = !is_ours && self.duties.holders_of_secrets(number).next().is_none();
            let by = self.duties.holders_of_columns(number).next()?;
            is_counted.then(|| Some((by, self.duties.part(by, number)?)))?
        })
    }

    /// Makes sure that templates about secrets of others hold on the secrets that they told.
    pub fn check_secrets(&self, plain: &BTreeMap<usize, Coded>) -> Result<(), Fault> {
        for party in 0..self.duties.parties() {
            self.check(plain, |number| {
                let mut holders = self.duties.holders_of_secrets(number);
                let is_theirs = party != self.own && holders.any(|holder| holder == party);
                is_theirs.then(|| Some((party, self.duties.part(party, number)?)))?
            })?;
        }
        Ok(())
    }

    /// Recounts the templates for which there is someone to blame.
    fn check<'t>(
        &self,
        plain: &BTreeMap<usize, Coded>,
        part: impl Fn(usize) -> Option<(usize, &'t Template)>,
    ) -> Result<(), Fault> {
        let parts = (0..self.duties.templates()).filter_map(|number| Some((number, part(number)?)));
        let (blamed, templates): (Vec<(usize, usize)>, Vec<Template>) = parts
            .map(|(number, (by, template))| ((number, by), template.clone()))
            .unzip();
        if templates.is_empty() {
            return Ok(());
        }
        let findings = recount(
            &self.released(plain),
            &Requirement { templates },
            &[],
            &History::default(),
        );
        let unkept = blamed.iter().zip(&findings).find(|(_, finding)| !finding.holds);
        unkept.map_or(Ok(()), |(&(template, by), _)| Err(Fault::Unkept { by, template }))
    }

    /// The release as far as it is known; no template that is counted looks at the rest.
    fn released(&self, plain: &BTreeMap<usize, Coded>) -> Released {
        let unknown = Coded {
            texts: vec![None],
            of_record: vec![0; self.records],
        };
        let column = |place: usize| {
            let masked = self.duties.place_of(place).map(|at| &self.masked[at].cells);
            let class = self.class.filter(|_| self.duties.holder_of(place).is_none());
            let Coded { texts, of_record } = masked.or(plain.get(&place)).or(class).unwrap_or(&unknown);
            let labels = Labels::from_iter(texts.iter().map(Option::as_deref));
            ReleasedColumn::told(place.to_string(), masked.is_some(), labels, of_record, 0.0)
        };
        Released::of_columns(self.records, (0..self.duties.width()).map(column).collect())
    }
}

#[cfg(test)]
mod tests {
    use scumble_privacy::{Demand, Diversity, QuasiIdentifier};
    use scumble_table::ColumnId;

    use super::*;
    use crate::duties::Foreseen;

    /// Party 0 has a column, party 1 another and a secret. Two records at least show the same in the other; whoever shows the
    /// same in the first has two different secrets at least.
    fn duties() -> Duties {
        let template = |of: usize, demand: Demand| Template {
            of: QuasiIdentifier::all(vec![ColumnId(of)]),
            demand,
        };
        let diverse = Demand::Diversity {
            about: ColumnId(2),
            measure: Diversity::Distinct { l: 2 },
        };
        let templates = vec![
            template(1, Demand::Anonymity { k: 2, per: Vec::new() }),
            template(0, diverse),
        ];
        let owners = [Some(0), Some(1), Some(1)];
        let foreseen = Foreseen {
            fan_out: 2,
            refinements: None,
        };
        let quasi = [0, 1].map(|column| (ColumnId(column), foreseen));
        Duties::new(&Requirement { templates }, &quasi, &owners, 2)
    }

    fn cells(of_record: [u32; 4]) -> Coded {
        let texts = of_record.iter().max().map_or(0, |&most| most + 1);
        Coded {
            texts: (0..texts).map(|text| Some(text.to_string())).collect(),
            of_record: of_record.into(),
        }
    }

    /// What is found by a party that was told these columns, of whose secrets it knows this.
    fn found(
        own: usize,
        masked: [[u32; 4]; 2],
        check: impl FnOnce(&Known, &BTreeMap<usize, Coded>) -> Result<(), Fault>,
    ) -> Option<(usize, usize)> {
        let masked = masked.map(|of_record| MaskedColumn {
            mask: String::new(),
            penalty: 0.0,
            cells: cells(of_record),
        });
        let known = Known {
            duties: &duties(),
            own,
            records: 4,
            masked: &masked,
            class: None,
        };
        match check(&known, &BTreeMap::from([(2, cells([0, 1, 0, 1]))])) {
            Ok(()) => None,
            Err(Fault::Unkept { by, template }) => Some((by, template)),
            Err(fault) => panic!("{fault}"),
        }
    }

    const KEPT: [[u32; 4]; 2] = [[0, 0, 1, 1], [0, 1, 0, 1]];

    #[test]
    fn groups_that_are_too_small_are_blamed_on_who_holds_the_column() {
        let counts = |known: &Known, _: &BTreeMap<usize, Coded>| known.check_counts();
        assert_eq!(found(0, KEPT, counts), None);
        assert_eq!(found(0, [KEPT[0], [0, 1, 2, 3]], counts), Some((1, 0)));
    }

    #[test]
    fn our_own_secrets_are_counted_before_they_are_told() {
        let own = |known: &Known, secrets: &BTreeMap<usize, Coded>| known.check_own(secrets);
        assert_eq!(found(1, KEPT, own), None);
        assert_eq!(found(1, [[0, 1, 0, 1], KEPT[1]], own), Some((0, 1)));
    }

    #[test]
    fn secrets_that_are_too_much_alike_are_blamed_on_who_holds_them() {
        let secrets = |known: &Known, secrets: &BTreeMap<usize, Coded>| known.check_secrets(secrets);
        assert_eq!(found(0, KEPT, secrets), None);
        assert_eq!(found(0, [[0, 1, 0, 1], KEPT[1]], secrets), Some((1, 1)));
    }
}
