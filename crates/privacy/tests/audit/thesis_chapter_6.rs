//! The worked examples of Fung 2007, chapter 6: what the join of two releases tells.

use std::sync::Arc;

use scumble_privacy::{
    Demand, Earlier, Finding, GroupsAt, History, JoinDemand, JoinSecrets, Joined, Per, Place, QuasiIdentifier, Rule,
    SecretValues, THIS, Template,
};
use scumble_table::{Domain, Taxonomy};

use crate::example::{Example, assert_close, released, table, tree, words};

/// The number of the one earlier release.
const EARLIER: usize = 1;

/// This release, T1, and the earlier one, T2.
struct Releases {
    this: Example,
    history: History,
}

impl Releases {
    /// Records match if they meet on the columns that both have, read with the trees given for some of them.
    fn new(this: &str, earlier: &str, trees: &[(&str, Arc<Taxonomy>)]) -> Self {
        let mut releases = Releases {
            this: released(this),
            history: History::default(),
        };
        releases.history.earlier.push(Earlier {
            name: "earlier".into(),
            table: table(earlier),
            recoded: Vec::new(),
            forms: Vec::new(),
        });
        let names = releases.this.release.columns().iter().map(|column| column.name.clone());
        let shared = names.filter(|name| releases.history.earlier[0].table.find(name).is_some());
        let agree = |name: String| Rule::Agree {
            a: releases.this(&name),
            b: releases.earlier(&name),
        };
        releases.history.rules = shared.map(agree).collect();
        let forms = |name: &str| {
            let tree = trees.iter().find(|(of, _)| *of == name).map(|(_, tree)| tree.clone());
            tree.map_or(Domain::Words, Domain::Nodes).in_words()
        };
        let columns = releases.this.release.columns().iter();
        releases.history.forms = columns.map(|column| forms(&column.name)).collect();
        let earlier = &mut releases.history.earlier[0];
        earlier.forms = earlier
            .table
            .columns()
            .iter()
            .map(|column| forms(&column.name))
            .collect();
        releases
    }

    fn this(&self, column: &str) -> Place {
        let column = self.this.column(column);
        Place { release: THIS, column }
    }

    fn earlier(&self, column: &str) -> Place {
        let column = self.history.earlier[0].table.find(column);
        Place {
            release: EARLIER,
            column: column.expect("the earlier release has the column"),
        }
    }

    /// What is found with a quasi-identifier of these columns of the two releases.
    fn finding(&self, of_this: &str, of_earlier: &str, demand: JoinDemand) -> Finding {
        let of = words(of_earlier).into_iter().map(|name| self.earlier(name)).collect();
        let template = Template {
            of: QuasiIdentifier::all(self.this.columns(of_this)),
            demand: Demand::Joined(Joined { of, demand }),
        };
        self.this.recount_joined(&template, &self.history)
    }

    fn confidence(&self, of_this: &str, of_earlier: &str, place: Place, secret: &str) -> Finding {
        let values = SecretValues::Sets(vec![vec![secret.to_owned()]]);
        let about = vec![JoinSecrets { place, values }];
        self.finding(of_this, of_earlier, JoinDemand::Confidence { at_most: 0.9, about })
    }
}

fn anonymity(per: Per) -> JoinDemand {
    JoinDemand::Anonymity { k: 2, per }
}

fn at(level: f64, groups: u64, rows: u64) -> GroupsAt {
    GroupsAt { level, groups, rows }
}

/// Table 6.1.
fn patients() -> Releases {
    Releases::new(
        "name  job      class
         Alice Banker   c1
         Alice Banker   c1
         Bob   Clerk    c2
         Bob   Driver   c3
         Cathy Engineer c4",
        "job      disease
         Banker   Cancer
         Banker   Cancer
         Clerk    HIV
         Driver   Cancer
         Engineer HIV",
        &[],
    )
}

/// Example 6.0.1, 1 and 2. There are two Bobs and two with HIV, but one match of {Bob, HIV}: the join sharpens. {Alice,
/// Cancer} has four matches, each Alice with each banker: the join weakens.
#[test]
fn example_6_0_1_the_join_sharpens_and_weakens_identification() {
    let found = patients().finding("name", "disease", anonymity(Per::Join));
    assert_eq!(found.level, 1.0);
    assert!(!found.holds);
    // Bob and Cathy have a match of their own, Alice has four.
    assert_eq!(found.spread, [at(1.0, 2, 3), at(4.0, 1, 2)]);
}

/// The four matches of Alice are of two people on either side.
#[test]
fn example_6_0_1_records_are_not_matches() {
    for release in [THIS, EARLIER] {
        let found = patients().finding("name", "disease", anonymity(Per::Records { release }));
        assert_eq!(found.spread, [at(1.0, 2, 3), at(2.0, 1, 2)]);
    }
}

/// Example 6.0.1, 3. All four matches of Alice have Cancer, one of two of Bob and none of Cathy.
#[test]
fn example_6_0_1_the_join_enables_inferences_across_tables() {
    let patients = patients();
    let found = patients.confidence("name", "", patients.earlier("disease"), "Cancer");
    assert_eq!(found.spread, [at(0.0, 1, 1), at(0.5, 1, 2), at(1.0, 1, 2)]);
    assert!(!found.holds);
}

const PATIENT_DATA: &str = "
    pob sex zip
    UK  M   Z3
    UK  M   Z3
    UK  F   Z5
    FR  F   Z5
    FR  M   Z3
    FR  M   Z3
    FR  M   Z3
    US  M   Z3";

/// Table 6.2, with these labels for the jobs and places of birth of the medical tests.
fn tests(jobs_and_places: [&str; 8]) -> Releases {
    let tests = "HIV HIV Eye Eye Allergy Allergy Allergy Allergy";
    let sexes = "M M F F M M M M";
    let mut this = "test job pob sex\n".to_owned();
    for ((test, job_and_place), sex) in words(tests).into_iter().zip(jobs_and_places).zip(words(sexes)) {
        this += &format!("{test} {job_and_place} {sex}\n");
    }
    let places = tree("ANY_PoB\n Europe\n  UK\n  FR\n US");
    Releases::new(&this, PATIENT_DATA, &[("pob", places)])
}

const RAW: [&str; 8] = [
    "Banker UK",
    "Banker UK",
    "Banker UK",
    "Clerk FR",
    "Driver US",
    "Engineer US",
    "Engineer FR",
    "Engineer FR",
];

/// X = {Job, PoB, Zip}, where PoB is that of both tables.
fn confidence_of_hiv(tests: &Releases) -> Finding {
    tests.confidence("job pob", "pob zip", tests.this("test"), "HIV")
}

/// Example 6.1.2: all 4 joined records of {Banker, UK, Z3} have HIV.
#[test]
fn example_6_1_2_bankers_in_z3_have_hiv() {
    let tests = tests(RAW);
    let found = confidence_of_hiv(&tests);
    assert_eq!(found.level, 1.0);
    assert!(!found.holds);
    // The three bankers from the UK are the only group of this release that it is inferred of.
    assert_eq!(found.spread, [at(0.0, 4, 5), at(1.0, 1, 3)]);
    let matches = tests.finding("test job pob", "pob zip", anonymity(Per::Join));
    assert_eq!(
        matches.spread.last(),
        Some(&at(6.0, 1, 2)),
        "two engineers with three of FR"
    );
    assert!(
        matches.spread.contains(&at(4.0, 1, 2)),
        "two bankers with two of UK: {matches:?}"
    );
}

/// Example 6.3.1: 4/12 in the most general table, 4/8 after ANY_PoB -> {Europe, US}.
#[test]
fn example_6_3_1_a_specialization_raises_the_confidence() {
    let most_general = confidence_of_hiv(&tests(["ANY_Job ANY_PoB"; 8]));
    assert_close(most_general.level, 1.0 / 3.0);
    let places = ["Europe", "Europe", "Europe", "Europe", "US", "US", "Europe", "Europe"];
    let specialized = places.map(|place| format!("ANY_Job {place}"));
    let specialized = confidence_of_hiv(&tests(specialized.each_ref().map(String::as_str)));
    assert_close(specialized.level, 0.5);
}

/// Section 6.2.2: the group of c2 vanishes when d becomes d2, and A_Y(X) rises from 1 to 2.
#[test]
fn section_6_2_2_a_specialization_may_raise_the_anonymity() {
    let level = |shown: &str| {
        let this = format!("c d\n c1 d3\n c2 {shown}");
        let domain = tree("any\n d\n  d1\n  d2\n d3");
        let releases = Releases::new(&this, "d y\n d3 y3\n d3 y2\n d1 y1", &[("d", domain)]);
        let y = Per::Columns(vec![releases.earlier("y")]);
        releases.finding("c d", "d", anonymity(y)).level
    };
    assert_eq!((level("d"), level("d2")), (1.0, 2.0));
}

/// No banker is among the drivers: nobody is given away, and there is no group to show.
#[test]
fn releases_without_a_match_give_nobody_away() {
    let releases = Releases::new("name job\n Alice Banker", "job disease\n Driver HIV", &[]);
    let found = releases.finding("name", "disease", anonymity(Per::Join));
    assert_eq!(
        found,
        Finding {
            level: f64::INFINITY,
            holds: true,
            spread: vec![]
        }
    );
    let found = releases.confidence("name", "", releases.earlier("disease"), "HIV");
    assert_eq!(
        found,
        Finding {
            level: 0.0,
            holds: true,
            spread: vec![]
        }
    );
}
