//! The attack by joining: the example of the thesis, and nested loops that follow the definitions word by word.

mod jobs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use scumble_attack::{Exposure, JoinKnown, JoinReport, VIOLATED, attack_by_join};
use scumble_privacy::{
    Condition, Demand, Earlier, History, JoinDemand, JoinSecrets, Joined, Per, Place, QuasiIdentifier, Rule,
    SecretValues, THIS, Template,
};
use scumble_progress::Work;
use scumble_table::{Column, ColumnId, Forms, Label, SharedForms, Table, Taxonomy, ValueOrder};
use serde_json::json;

use jobs::jobs;

type Row = Vec<Option<&'static str>>;

fn table(rows: &[Row], columns: usize) -> Table {
    let column = |place: usize| {
        let cells = rows.iter().map(|row| row[place]);
        Column::from_cells(&format!("column {place}"), ValueOrder::Natural, cells)
    };
    Table::new(rows.len(), (0..columns).map(column).collect())
}

fn place(release: usize, column: usize) -> Place {
    let column = ColumnId(column);
    Place { release, column }
}

fn agree(a: Place, b: Place) -> Rule {
    Rule::Agree { a, b }
}

/// A release of any tool, with the tree of its first column.
fn forms() -> Vec<SharedForms> {
    (0..COLUMNS).map(|column| Forms::any(tree(column))).collect()
}

fn history(earlier: &[Vec<Row>], columns: usize, rules: Vec<Rule>) -> History {
    let earlier = earlier.iter().enumerate().map(|(number, rows)| Earlier {
        name: format!("release {number}"),
        table: table(rows, columns),
        recoded: Vec::new(),
        forms: forms(),
    });
    History {
        earlier: earlier.collect(),
        rules,
        recoded: Vec::new(),
        forms: forms(),
    }
}

/// Table 6.1 of Fung 2007: name and job now, job and disease before, and jobs are shown as `jobs`.
fn patients(jobs: [&'static str; 5]) -> JoinReport {
    let names = ["Alice", "Alice", "Bob", "Bob", "Cathy"];
    let this: Vec<Row> = names
        .iter()
        .zip(jobs)
        .map(|(name, job)| vec![Some(*name), Some(job)])
        .collect();
    let earlier = vec![
        vec![Some("Banker"), Some("Cancer")],
        vec![Some("Banker"), Some("Cancer")],
        vec![Some("Clerk"), Some("HIV")],
        vec![Some("Driver"), Some("Cancer")],
        vec![Some("Engineer"), Some("HIV")],
    ];
    let disease = place(1, 1);
    let history = history(&[earlier], 2, vec![agree(place(THIS, 1), place(1, 0))]);
    let known = JoinKnown {
        of: vec![place(THIS, 0), disease],
        secrets: vec![JoinSecrets {
            place: disease,
            values: SecretValues::Every,
        }],
    };
    attack_by_join(&table(&this, 2), &history, &known, Work::unwatched()).unwrap()
}

fn below(exposure: &Exposure) -> Vec<u64> {
    exposure.violating.iter().map(|violating| violating.rows).collect()
}

/// Only Cathy is alone, but {Bob, HIV} and {Bob, Cancer} are one record each. Of four groups, Alice has one.
#[test]
fn the_join_of_table_6_1_singles_out_both_bobs() {
    let report = patients(["Banker", "Banker", "Clerk", "Driver", "Engineer"]);
    assert_eq!(report.records, 5);
    let (alone, joined) = (&report.alone, &report.joined);
    assert_eq!((alone.records, alone.groups, alone.smallest), (5, 3, 1));
    assert_eq!((joined.records, joined.groups, joined.smallest), (5, 4, 1));
    assert_eq!((below(alone), below(joined)), (vec![1, 5, 5], vec![3, 5, 5]));
    assert_eq!((alone.average, joined.average), (0.6, 0.8));
}

/// Knowing the disease is no help if one wants to find it out: whoever is in a group that shows it has it.
#[test]
fn a_known_secret_is_certain() {
    let report = patients(["Banker", "Banker", "Clerk", "Driver", "Engineer"]);
    assert_eq!(report.alone.certain[0].records, 0, "this release has no diseases");
    assert_eq!(report.joined.certain[0].records, 5);
    assert_eq!(report.joined.certain[0].release.as_deref(), Some("release 0"));
}

/// With all jobs suppressed everybody matches everybody: the join tells no more than the name.
#[test]
fn a_masked_join_column_singles_out_nobody_further() {
    let report = patients(["*"; 5]);
    assert_eq!(below(&report.joined), below(&report.alone));
    assert_eq!(report.joined.average, report.alone.average);
    assert_eq!(report.joined.groups, 6, "three names with two diseases");
}

/// A record without a match is in no group of the join.
#[test]
fn of_a_record_that_matches_nothing_the_join_tells_nothing() {
    let report = patients(["Banker", "Banker", "Pilot", "Driver", "Pilot"]);
    assert_eq!((report.records, report.alone.records, report.joined.records), (5, 5, 3));
    let report = patients(["Pilot"; 5]);
    assert_eq!(
        (report.joined.groups, report.joined.smallest, report.joined.average),
        (0, 0, 0.0)
    );
}

/// 300 labels on either side that all overlap are more matches than are kept at once.
#[test]
fn many_records_match_many_records() {
    let ages = |from: u32| -> Vec<String> { (0..300).map(|end| format!("[{from}, {})", 1000 + end)).collect() };
    let table = |ages: &[String]| {
        let cells = ages.iter().map(|age| Some(&age[..]));
        Table::new(300, vec![Column::from_cells("age", ValueOrder::Natural, cells)])
    };
    let mut history = history(&[vec![]], 1, vec![agree(place(THIS, 0), place(1, 0))]);
    history.earlier[0].table = table(&ages(500));
    let joined = attack_by_join(&table(&ages(0)), &history, &JoinKnown::default(), Work::unwatched())
        .unwrap()
        .joined;
    assert_eq!((joined.records, joined.groups, joined.smallest), (300, 1, 300));
}

/// The report has no cell of either table.
#[test]
fn reports_are_written_as_counts_and_names() {
    let report = patients(["Banker", "Banker", "Clerk", "Driver", "Engineer"]);
    let expected = json!({
        "records": 5,
        "groups": 4,
        "smallest": 1,
        "violating": [{"k": 2, "rows": 3}, {"k": 3, "rows": 5}, {"k": 5, "rows": 5}],
        "average": 0.8,
        "certain": [{"release": "release 0", "column": "column 1", "records": 5}],
    });
    assert_eq!(serde_json::to_value(&report.joined).unwrap(), expected);
}

/// The columns and secrets of all templates on the join, each once; other templates add nothing.
#[test]
fn the_adversary_knows_what_the_templates_say() {
    let secrets = JoinSecrets {
        place: place(1, 1),
        values: SecretValues::Every,
    };
    let on_join = |of_this: Vec<usize>, of: Vec<Place>, demand| Template {
        of: QuasiIdentifier::all(of_this.into_iter().map(ColumnId).collect()),
        demand: Demand::Joined(Joined { of, demand }),
    };
    let confidence = JoinDemand::Confidence {
        at_most: 0.5,
        about: vec![secrets.clone()],
    };
    let anonymity = JoinDemand::Anonymity { k: 2, per: Per::Join };
    let alone = Template {
        of: QuasiIdentifier::all(vec![ColumnId(7)]),
        demand: Demand::Anonymity { k: 2, per: vec![] },
    };
    assert_eq!(JoinKnown::of_templates(std::slice::from_ref(&alone)), None);
    let templates = [
        on_join(vec![1, 0], vec![place(1, 0)], confidence.clone()),
        on_join(vec![0], vec![place(1, 0), place(1, 2)], anonymity),
        on_join(vec![0], vec![], confidence),
        alone,
    ];
    let known = JoinKnown::of_templates(&templates).unwrap();
    assert_eq!(known.of, [place(THIS, 0), place(THIS, 1), place(1, 0), place(1, 2)]);
    assert_eq!(known.secrets, [secrets]);
}

/// The columns of the random releases: a job, a tag and a secret.
const COLUMNS: usize = 3;
const SECRET: usize = 2;
const LABELS: [&[Option<&str>]; COLUMNS] = [
    &[
        Some("ANY"),
        Some("Professional"),
        Some("Engineer"),
        Some("Lawyer"),
        Some("Janitor"),
        None,
    ],
    &[Some("a"), Some("b"), Some("{a|b}"), Some("*"), None],
    &[Some("s"), Some("t"), Some("*"), None],
];

fn tree(column: usize) -> Option<Arc<Taxonomy>> {
    (column == 0).then(|| Arc::new(jobs()))
}

/// Two or three releases, this one first.
fn releases() -> impl Strategy<Value = Vec<Vec<Row>>> {
    let row = LABELS.map(select).prop_map(Vec::from);
    prop::collection::vec(prop::collection::vec(row, 1..10), 2..=3)
}

/// Some of the rules that three releases can have on the job and the tag, and one of what cannot be.
fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let pairs = [(0, 1), (0, 2), (1, 2)];
    let agree = |column: usize| pairs.map(|(a, b)| agree(place(a, column), place(b, column)));
    let condition = |place: Place, within: &str| Condition {
        place,
        within: within.to_owned(),
    };
    let never = Rule::Never {
        a: condition(place(1, SECRET), "s"),
        b: condition(place(THIS, 0), "Professional"),
    };
    let all: Vec<Rule> = agree(0).into_iter().chain(agree(1)).chain([never]).collect();
    subsequence(all, 0..=7)
}

fn known() -> impl Strategy<Value = Vec<Place>> {
    let all = (0..3).flat_map(|release| (0..COLUMNS).map(move |column| place(release, column)));
    subsequence(all.collect::<Vec<_>>(), 0..=5)
}

/// The definitions, record by record.
struct Slow<'r> {
    releases: &'r [Vec<Row>],
    rules: &'r [Rule],
    of: Vec<Place>,
}

impl Slow<'_> {
    fn cell(&self, found: &[usize], place: Place) -> Option<&'static str> {
        self.releases[place.release][found[place.release]][place.column.0]
    }

    fn holds(&self, rule: &Rule, found: &[usize]) -> bool {
        match rule {
            Rule::Agree { a, b } => {
                let forms = forms();
                let label = |at: &Place| Label::parse(self.cell(found, *at), forms[at.column.0].as_ref());
                label(a).meets(&label(b))
            }
            Rule::Never { a, b } => {
                let is_so = |condition: &Condition| {
                    let forms = &forms()[condition.place.column.0];
                    let within = Label::parse(Some(&condition.within), forms.as_ref().domain.in_words());
                    Label::parse(self.cell(found, condition.place), forms.as_ref()).is_within(&within)
                };
                !(is_so(a) && is_so(b))
            }
        }
    }

    /// All matches, as numbers of records, by what they show on what is known.
    fn groups(&self) -> Vec<Vec<Vec<usize>>> {
        let every = self
            .releases
            .iter()
            .fold(vec![Vec::new()], |tuples: Vec<Vec<usize>>, release| {
                let longer = |tuple: Vec<usize>| (0..release.len()).map(move |row| [&tuple[..], &[row]].concat());
                tuples.into_iter().flat_map(longer).collect()
            });
        let mut groups: BTreeMap<Row, Vec<Vec<usize>>> = BTreeMap::new();
        for found in every {
            if self.rules.iter().all(|rule| self.holds(rule, &found)) {
                let shown = self.of.iter().map(|&at| self.cell(&found, at)).collect();
                groups.entry(shown).or_default().push(found);
            }
        }
        groups.into_values().collect()
    }

    fn gives_away(&self, group: &[Vec<usize>], secrets: &JoinSecrets) -> bool {
        let labels: BTreeSet<_> = group.iter().map(|found| self.cell(found, secrets.place)).collect();
        match &secrets.values {
            SecretValues::Every => labels.len() == 1 && !labels.contains(&Some("*")),
            SecretValues::Sets(sets) => sets.iter().any(|set| {
                let in_set = |label: &Option<&str>| label.is_some_and(|label| set.iter().any(|text| text == label));
                labels.iter().all(in_set)
            }),
        }
    }

    fn check(&self, exposure: &Exposure, secrets: &[JoinSecrets]) -> Result<(), TestCaseError> {
        let groups = self.groups();
        let of_this = |group: &[Vec<usize>]| group.iter().map(|found| found[THIS]).collect::<BTreeSet<_>>();
        let mut candidates: BTreeMap<usize, usize> = BTreeMap::new();
        for group in &groups {
            let records = of_this(group);
            for &record in &records {
                let fewest = candidates.entry(record).or_insert(records.len());
                *fewest = records.len().min(*fewest);
            }
        }
        prop_assert_eq!(exposure.groups as usize, groups.len());
        prop_assert_eq!(exposure.records as usize, candidates.len());
        prop_assert_eq!(
            exposure.smallest as usize,
            candidates.values().copied().min().unwrap_or(0)
        );
        for (violating, k) in exposure.violating.iter().zip(VIOLATED) {
            let fewer = candidates.values().filter(|&&size| (size as u64) < k).count();
            prop_assert_eq!((violating.k, violating.rows), (k, fewer as u64));
        }
        let hits: f64 = candidates.values().map(|&size| 1.0 / size as f64).sum();
        prop_assert!((exposure.average - hits / candidates.len().max(1) as f64).abs() < 1e-9);
        for (certain, secrets) in exposure.certain.iter().zip(secrets) {
            let given = |group: &&Vec<Vec<usize>>| {
                secrets.place.release < self.releases.len() && self.gives_away(group, secrets)
            };
            let records: BTreeSet<usize> = groups.iter().filter(given).flat_map(|group| of_this(group)).collect();
            prop_assert_eq!(certain.records as usize, records.len(), "{:?}", secrets);
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_attack_finds_what_nested_loops_find(releases in releases(), rules in rules(), of in known()) {
        let exists = |place: &Place| place.release < releases.len();
        let rules: Vec<Rule> = rules.into_iter().filter(|rule| rule.places().iter().all(exists)).collect();
        let of: Vec<Place> = of.into_iter().filter(exists).collect();
        let secrets = |release: usize| {
            let sets = SecretValues::Sets(vec![vec!["s".into(), "*".into()], vec!["t".into()]]);
            [SecretValues::Every, sets].map(|values| JoinSecrets { place: place(release, SECRET), values })
        };
        let secrets: Vec<JoinSecrets> = (0..releases.len()).flat_map(secrets).collect();
        let known = JoinKnown { of: of.clone(), secrets: secrets.clone() };
        let history = history(&releases[1..], COLUMNS, rules.clone());
        let report = attack_by_join(&table(&releases[THIS], COLUMNS), &history, &known, Work::unwatched()).unwrap();

        prop_assert_eq!(report.records as usize, releases[THIS].len());
        let of_this = of.iter().copied().filter(|place| place.release == THIS).collect();
        Slow { releases: &releases[..1], rules: &[], of: of_this }.check(&report.alone, &secrets)?;
        Slow { releases: &releases, rules: &rules, of }.check(&report.joined, &secrets)?;
    }
}
