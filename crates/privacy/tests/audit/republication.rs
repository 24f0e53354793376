//! Two versions of a release: worked examples, and random ones against the definition.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use scumble_privacy::{
    ComparedTemplate, Comparison, Demand, Diversity, Masking, Part, QuasiIdentifier, Republication, Requirement,
    Skipped, Template, WhySkipped,
};
use scumble_table::{Column, ColumnId, Forms, Label, Table, Taxonomy, ValueOrder};

use crate::agrees_with_definitions::quasi_identifier;
use crate::definitions::{HEADER, every_kind, levels};
use crate::example::{Cells, each, every, template, tree, words};

/// Reads a header line and one line per row, cells between spaces.
fn version(text: &str) -> Table {
    let mut lines = text.lines().map(words).filter(|line| !line.is_empty());
    let header = lines.next().expect("a version has a header");
    let rows: Vec<Cells> = lines
        .map(|line| line.iter().map(|&cell| Some(cell.to_owned())).collect())
        .collect();
    table(&header, &rows)
}

pub fn table(header: &[&str], rows: &[Cells]) -> Table {
    let column = |(place, name): (usize, &&str)| {
        let cells = rows.iter().map(|row| row[place].as_deref());
        Column::from_cells(name, ValueOrder::Natural, cells)
    };
    Table::new(rows.len(), header.iter().enumerate().map(column).collect())
}

const JOB: usize = 0;
const DISEASE: ColumnId = ColumnId(1);

const ALIKE: [Masking; 2] = [Masking::Alike, Masking::Alike];

fn compare(old: &str, new: &str, masking: &[Masking], templates: Vec<Template>) -> Comparison {
    let (old, new) = (&version(old), &version(new));
    Republication { old, new, masking }.compare(&Requirement { templates })
}

/// Compares by one demand of the groups on `job`.
fn compare_by(old: &str, new: &str, masking: &[Masking], demand: Demand) -> ComparedTemplate {
    let mut compared = compare(old, new, masking, vec![template(&[JOB], demand)]).templates;
    assert_eq!(compared.len(), 1);
    compared.remove(0)
}

fn confidence(at_most: f64) -> Demand {
    let about = every(DISEASE);
    Demand::Confidence { at_most, about }
}

fn anonymity(k: u64) -> Demand {
    Demand::Anonymity { k, per: vec![] }
}

fn holds(level: f64) -> Part {
    Part {
        level: Some(level),
        holds: true,
        exposed: 0,
    }
}

fn fails(level: f64, exposed: u64) -> Part {
    Part {
        level: Some(level),
        holds: false,
        exposed,
    }
}

const NOBODY: Part = Part {
    level: None,
    holds: true,
    exposed: 0,
};

/// Fung 2.1.3: Bob's group had HIV and Flu, and every record with Flu was removed. Each version has one record of each
/// disease per group, but Bob, who is in both, must have HIV.
#[test]
fn what_both_versions_have_gives_the_disease_away() {
    let old = "job disease\nEngineer HIV\nEngineer Flu\nLawyer HIV\nLawyer Flu";
    let new = "job disease\nEngineer HIV\nEngineer Cold\nLawyer HIV\nLawyer Flu";
    let compared = compare_by(old, new, &ALIKE, confidence(0.5));
    assert_eq!(compared.stayed, fails(1.0, 2), "both engineers of the new version");
    assert_eq!(compared.came, fails(1.0, 1), "Cold");
    assert_eq!(compared.gone, fails(1.0, 1), "Flu");
    assert!(!compared.holds());
}

#[test]
fn the_same_version_again_tells_nothing_new() {
    let version = "job disease\nEngineer HIV\nEngineer Flu\nLawyer HIV\nLawyer Flu";
    let compared = compare_by(version, version, &ALIKE, confidence(0.5));
    assert_eq!(compared.stayed, holds(0.5));
    assert_eq!((compared.came, compared.gone), (NOBODY, NOBODY));
    assert!(compared.holds());
}

/// Two, three and one engineers came to two; cooks are new altogether, and the lawyers are gone.
#[test]
fn whoever_came_or_went_is_a_group_of_their_own() {
    let old = "job disease\nEngineer Flu\nEngineer Flu\nLawyer Flu\nLawyer Flu";
    let of = |came: usize| {
        let new = format!(
            "job disease\n{}{}",
            "Engineer Flu\n".repeat(2 + came),
            "Cook Flu\n".repeat(3)
        );
        compare_by(old, &new, &ALIKE, anonymity(2))
    };
    assert_eq!(of(2).came, holds(2.0));
    assert_eq!(of(3).came, holds(3.0));
    assert_eq!(of(1).came, fails(1.0, 1));
    assert_eq!(of(1).gone, holds(2.0));
    assert_eq!(of(1).stayed, holds(2.0));
}

/// Of {HIV, Flu, Cold} and {HIV, Flu, Cough} two diseases are in both.
#[test]
fn diversity_is_that_of_what_both_have() {
    let old = "job disease\nCook HIV\nCook Flu\nCook Cold";
    let new = "job disease\nCook HIV\nCook Flu\nCook Cough";
    let distinct = |l| Demand::Diversity {
        about: DISEASE,
        measure: Diversity::Distinct { l },
    };
    assert_eq!(compare_by(old, new, &ALIKE, distinct(2)).stayed, holds(2.0));
    assert_eq!(compare_by(old, new, &ALIKE, distinct(3)).stayed, fails(2.0, 3));
}

/// No engineer has a disease of an earlier engineer, so none of them was there before.
#[test]
fn groups_with_nothing_in_common_are_about_nobody() {
    let compared = compare_by(
        "job disease\nCook Flu",
        "job disease\nCook HIV",
        &ALIKE,
        confidence(0.5),
    );
    assert_eq!(compared.stayed, NOBODY);
}

#[test]
fn columns_are_matched_by_name() {
    let old = "disease job\nHIV Cook\nFlu Cook";
    let new = "job disease\nCook Flu\nCook HIV";
    assert_eq!(compare_by(old, new, &ALIKE, confidence(0.5)).stayed, holds(0.5));
}

#[test]
fn nothing_is_told_by_a_version_without_rows() {
    let (none, some) = ("job disease", "job disease\nCook Flu\nCook HIV");
    let first = compare_by(none, some, &ALIKE, confidence(0.5));
    assert_eq!((first.stayed, first.came, first.gone), (NOBODY, holds(0.5), NOBODY));
    let last = compare_by(some, none, &ALIKE, confidence(0.5));
    assert_eq!((last.stayed, last.came, last.gone), (NOBODY, NOBODY, holds(0.5)));
}

/// A group is exposed once, though both of its secrets are inferred.
#[test]
fn secrets_of_two_columns_expose_a_person_once() {
    let old = "job disease town\nCook Flu Rome\nCook HIV Oslo";
    let new = "job disease town\nCook Flu Rome\nCook Cold Bonn";
    let about = [every(DISEASE), each(ColumnId(2), "Rome")].concat();
    let masking = [const { Masking::Alike }; 3];
    let compared = compare_by(old, new, &masking, Demand::Confidence { at_most: 0.5, about });
    assert_eq!(compared.stayed, fails(1.0, 2));
}

mod masked_differently {
    use super::*;

    fn differs(taxonomy: Option<Arc<Taxonomy>>, recoded: bool) -> Masking {
        Masking::Differs {
            taxonomy,
            old_recoded: recoded,
            new_recoded: recoded,
        }
    }

    fn about_hiv() -> Demand {
        let about = each(DISEASE, "HIV");
        Demand::Confidence { at_most: 0.5, about }
    }

    /// Jobs are shown in more detail than before: an engineer may have been any professional.
    ///
    /// | new | meets | in both |
    /// |---|---|---|
    /// | Engineer: HIV, Flu | Professional: HIV, Cold, Cold | HIV |
    /// | Lawyer: Cold, Cold | the same | Cold, Cold |
    /// | Cook: Flu, HIV | Cook: Flu, HIV | Flu, HIV |
    #[test]
    fn a_person_may_have_been_in_every_group_that_meets_theirs() {
        let jobs = tree("Any\n Professional\n  Engineer\n  Lawyer\n Cook");
        let old = "job disease\nProfessional HIV\nProfessional Cold\nProfessional Cold\nCook Flu\nCook HIV";
        let new = "job disease\nEngineer HIV\nEngineer Flu\nLawyer Cold\nLawyer Cold\nCook Flu\nCook HIV";
        let masking = [differs(Some(jobs), true), Masking::Alike];

        let compared = compare_by(old, new, &masking, about_hiv());
        assert_eq!(compared.stayed, fails(1.0, 2), "the engineers");
        assert_eq!(compared.came, holds(0.0), "the flu of an engineer is new");
        assert_eq!(compared.gone, NOBODY);

        assert_eq!(compare_by(old, new, &masking, anonymity(2)).stayed, holds(2.0));
        assert_eq!(compare_by(old, new, &masking, anonymity(3)).stayed, fails(2.0, 6));
    }

    /// If the old version shows every cook as such, no cook was behind its `*`.
    #[test]
    fn a_star_may_be_anybody_unless_the_column_was_recoded_as_a_whole() {
        let old = "job disease\n* Flu\n* Flu\nCook HIV\nCook Flu";
        let new = "job disease\nCook Flu\nCook HIV";
        let stayed = |recoded| {
            let masking = [differs(None, recoded), Masking::Alike];
            compare_by(old, new, &masking, confidence(0.5)).stayed
        };
        assert_eq!(stayed(true), holds(0.5));
        assert_eq!(stayed(false), fails(1.0, 2));
    }

    /// What each pair of groups has in common has HIV in half of its rows or in none. But the person with HIV is an engineer
    /// in both versions, and whoever has the flu may be a lawyer.
    #[test]
    fn who_may_as_well_be_elsewhere_hides_nobody() {
        let old = "job disease\n{e|l} HIV\n{e|l} Flu";
        let new = "job disease\ne HIV\ne Flu\nl Flu\nl Cold";
        let masking = [differs(None, false), Masking::Alike];
        let compared = compare_by(old, new, &masking, about_hiv());
        assert_eq!(compared.stayed, fails(1.0, 2));
        let all_stay = "job disease\n{e|l} HIV\n{e|l} Flu\n{e|l} Flu\n{e|l} Cold";
        assert!(compare_by(all_stay, new, &masking, about_hiv()).holds());
    }

    /// The versions share no group, and together they tell that one person came: one with HIV.
    #[test]
    fn one_who_came_is_seen_through_other_masks() {
        let old = "job disease\n{e|l} HIV\n{e|l} Flu\n{e|l} Cold";
        let new = "job disease\ne HIV\ne Flu\nl HIV\nl Cold";
        let masking = [differs(None, false), Masking::Alike];
        let compared = compare_by(old, new, &masking, confidence(0.5));
        assert_eq!(compared.came, fails(1.0, 1), "an engineer or a lawyer");
        assert_eq!(compared.gone, NOBODY);
        let left = compare_by(new, old, &masking, confidence(0.5));
        assert_eq!((left.came, left.gone), (NOBODY, fails(1.0, 1)));
    }

    /// Both versions show the same groups, which overlap: whoever is in the middle may be in either.
    #[test]
    fn groups_that_overlap_are_not_told_apart() {
        let version = "job disease\n{a|b} HIV\n{a|b} Flu\n{b|c} HIV\n{b|c} Cold";
        let masking = [differs(None, false), Masking::Alike];
        let compared = compare_by(version, version, &masking, confidence(0.5));
        assert_eq!(
            compared.stayed,
            fails(1.0, 4),
            "the HIV that a version shows of one group may be that of a `b` in the other"
        );
        let apart = "job disease\n{a|b} HIV\n{a|b} Flu\n{c|d} HIV\n{c|d} Cold";
        assert!(compare_by(apart, apart, &masking, confidence(0.5)).holds());
    }
}

mod skipped {
    use super::*;

    const VERSION: &str = "job disease\nCook Flu";

    #[test]
    fn what_cannot_be_compared_is_listed() {
        let of = |any| QuasiIdentifier {
            columns: vec![ColumnId(JOB)],
            any,
        };
        let per = vec![DISEASE];
        let demand = anonymity(1);
        let templates = vec![
            template(&[JOB], Demand::Anonymity { k: 1, per }),
            template(&[JOB], anonymity(1)),
            template(&[JOB], Demand::KMap { k: 1, population: 0 }),
            Template {
                of: of(Some(0)),
                demand,
            },
        ];
        let compared = compare(VERSION, VERSION, &ALIKE, templates);
        let skipped = |number| Skipped {
            number,
            reason: WhySkipped::Kind,
        };
        assert_eq!(compared.skipped, [0, 2, 3].map(skipped));
        assert_eq!(compared.templates[0].number, 1);
    }

    #[test]
    fn secrets_must_be_masked_alike_and_in_both_versions() {
        let differs = Masking::Differs {
            taxonomy: None,
            old_recoded: true,
            new_recoded: true,
        };
        let demands = || vec![template(&[JOB], confidence(0.5)), template(&[JOB], anonymity(1))];
        let skipped = |old, masking: &[Masking]| -> Vec<usize> {
            let skipped = compare(old, VERSION, masking, demands()).skipped;
            assert!(skipped.iter().all(|skipped| skipped.reason == WhySkipped::Columns));
            skipped.iter().map(|skipped| skipped.number).collect()
        };
        assert_eq!(skipped(VERSION, &[Masking::Alike, differs]), [0]);
        assert_eq!(skipped("job\nCook", &ALIKE), [0]);
        assert_eq!(skipped("disease\nFlu", &ALIKE), [0, 1]);
    }

    /// Whose values a mean stands for, nobody can tell.
    #[test]
    fn what_does_not_say_what_is_behind_it_is_not_compared() {
        let templates = vec![template(&[JOB], confidence(0.5))];
        let compared = compare(VERSION, VERSION, &[Masking::Untold, Masking::Alike], templates);
        assert_eq!(compared.templates, []);
        assert_eq!(compared.skipped[0].reason, WhySkipped::Untold);
        assert!(compared.skipped[0].reason.is_open());
    }
}

mod definition {
    use super::*;

    /// What the definitions say of one template: stayed, came, gone.
    pub fn expected(template: &Template, old: &[Cells], new: &[Cells], alike: &[bool]) -> [Part; 3] {
        let singles = one_secret_each(template);
        let parts = |kind: Kind| {
            let levels: Vec<Found> = singles
                .iter()
                .flat_map(|single| found(single, kind, old, new, alike))
                .collect();
            part(template, &levels)
        };
        [parts(Kind::Stayed), parts(Kind::Came), parts(Kind::Gone)]
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Stayed,
        Came,
        Gone,
    }

    /// The level of one part of a group, and whom it exposes if it breaks.
    struct Found {
        group: Cells,
        level: f64,
        people: u64,
    }

    /// Secrets of several columns are counted one by one.
    fn one_secret_each(template: &Template) -> Vec<Template> {
        let Demand::Confidence { at_most, about } = &template.demand else {
            return vec![template.clone()];
        };
        let single = |secrets: &scumble_privacy::Secrets| Template {
            of: template.of.clone(),
            demand: Demand::Confidence {
                at_most: *at_most,
                about: vec![secrets.clone()],
            },
        };
        about.iter().map(single).collect()
    }

    fn found(template: &Template, kind: Kind, old: &[Cells], new: &[Cells], alike: &[bool]) -> Vec<Found> {
        let columns = &template.of.columns;
        let (these, those) = if kind == Kind::Gone { (old, new) } else { (new, old) };
        let those = groups(those, columns);
        let mut all = Vec::new();
        for (group, rows) in groups(these, columns) {
            let looked_at = |part: Vec<Cells>, people: usize| {
                // All rows of the part show the same, so they are one group or none.
                let level = levels(template, columns, &part, &[]).first().map(|&(level, _)| level)?;
                Some(Found {
                    group: group.clone(),
                    level,
                    people: people as u64,
                })
            };
            if kind == Kind::Stayed {
                for (_, others) in those.iter().filter(|(other, _)| meet(&group, other, columns, alike)) {
                    let (in_both, _) = split(template, &rows, others);
                    all.extend(looked_at(in_both, rows.len()));
                }
            } else {
                let others = those.get(&group).map_or(&[][..], |others| others);
                let (_, only_here) = split(template, &rows, others);
                let people = only_here.len();
                all.extend(looked_at(only_here, people));
            }
        }
        all
    }

    fn groups(rows: &[Cells], columns: &[ColumnId]) -> BTreeMap<Cells, Vec<Cells>> {
        let mut groups: BTreeMap<Cells, Vec<Cells>> = BTreeMap::new();
        for row in rows {
            let shown = columns.iter().map(|id| row[id.0].clone()).collect();
            groups.entry(shown).or_default().push(row.clone());
        }
        groups
    }

    fn meet(a: &Cells, b: &Cells, columns: &[ColumnId], alike: &[bool]) -> bool {
        let on_column = |(place, id): (usize, &ColumnId)| {
            let (a, b) = (a[place].as_deref(), b[place].as_deref());
            a == b || (!alike[id.0] && Label::parse(a, Forms::any(None)).meets(&Label::parse(b, Forms::any(None))))
        };
        columns.iter().enumerate().all(on_column)
    }

    /// Pairs each row with one of the others that has the same value: those that find one, and those that do not.
    fn split(template: &Template, rows: &[Cells], others: &[Cells]) -> (Vec<Cells>, Vec<Cells>) {
        let value = |row: &Cells| match &template.demand {
            Demand::Confidence { about, .. } => row[about[0].column.0].clone(),
            Demand::Diversity { about, .. } => row[about.0].clone(),
            _ => None,
        };
        let mut free: Vec<Option<String>> = others.iter().map(value).collect();
        rows.iter().cloned().partition(|row| {
            let partner = free.iter().position(|other| *other == value(row));
            partner.map(|place| free.swap_remove(place)).is_some()
        })
    }

    fn part(template: &Template, found: &[Found]) -> Part {
        let worse = |a, b| template.sense().worse(a, b);
        let mut exposed: BTreeMap<&Cells, u64> = BTreeMap::new();
        for broken in found.iter().filter(|found| !template.is_met_by(found.level)) {
            let people = exposed.entry(&broken.group).or_default();
            *people = broken.people.max(*people);
        }
        Part {
            level: found.iter().map(|found| found.level).reduce(worse),
            holds: exposed.is_empty(),
            exposed: exposed.values().sum(),
        }
    }
}

/// Rows of the columns of [`HEADER`]; labels of the first three may stand for several values.
fn rows() -> impl Strategy<Value = Vec<Cells>> {
    let one_of = |values: &'static [&'static str]| {
        let cell = prop::sample::select(values).prop_map(str::to_owned);
        prop::option::weighted(0.9, cell)
    };
    let quasi = move || one_of(&["p", "q", "{p|q}", "*"]);
    let row = (
        quasi(),
        quasi(),
        quasi(),
        one_of(&["v0", "v1", "v2"]),
        one_of(&["x", "y"]),
    );
    let row = row.prop_map(|(a, b, c, disease, guard)| vec![a, b, c, disease, guard]);
    prop::collection::vec(row, 0..30)
}

fn is_compared(template: &Template) -> bool {
    let kind = match &template.demand {
        Demand::Anonymity { per, .. } => per.is_empty(),
        Demand::Confidence { .. } | Demand::Diversity { .. } => true,
        _ => false,
    };
    kind && template.of.known() == template.of.columns.len()
}

fn agree(found: &Part, expected: &Part) -> bool {
    let same_level = match (found.level, expected.level) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        (a, b) => a == b,
    };
    same_level && (found.holds, found.exposed) == (expected.holds, expected.exposed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_parts_are_those_of_the_definition(
        old in rows(),
        new in rows(),
        of in quasi_identifier(),
        alike in prop::array::uniform3(any::<bool>()),
    ) {
        let masking = |&alike: &bool| match alike {
            true => Masking::Alike,
            false => Masking::Differs { taxonomy: None, old_recoded: false, new_recoded: false },
        };
        // The sensitive columns are masked alike.
        let alike = [&alike[..], &[true, true]].concat();
        let masking: Vec<Masking> = alike.iter().map(masking).collect();
        let template = |demand| Template { of: of.clone(), demand };
        let templates: Vec<Template> = every_kind().into_iter().map(template).collect();
        let versions = (table(&HEADER, &old), table(&HEADER, &new));
        let republication = Republication { old: &versions.0, new: &versions.1, masking: &masking };
        let compared = republication.compare(&Requirement { templates: templates.clone() });

        let (expected, skipped): (Vec<usize>, Vec<usize>) =
            (0..templates.len()).partition(|&number| is_compared(&templates[number]));
        prop_assert_eq!(compared.skipped.iter().map(|found| found.number).collect::<Vec<_>>(), skipped);
        prop_assert_eq!(compared.templates.iter().map(|found| found.number).collect::<Vec<_>>(), expected);

        let all_alike = of.columns.iter().all(|id| alike[id.0]);
        for found in &compared.templates {
            let template = &templates[found.number];
            let [stayed, came, gone] = definition::expected(template, &old, &new, &alike);
            if all_alike {
                for (found, expected) in [(&found.stayed, &stayed), (&found.came, &came), (&found.gone, &gone)] {
                    prop_assert!(agree(found, expected), "{found:?}, not {expected:?}: {template:?}");
                }
            } else {
                // In the best of cases the people of two groups are what both have.
                prop_assert!(stayed.holds || !found.stayed.holds, "{found:?}, {stayed:?}: {template:?}");
            }
        }
    }
}
