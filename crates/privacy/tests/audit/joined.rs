//! The join with earlier releases: what matches, and counts that are larger than the releases.

use scumble_privacy::{
    Condition, Demand, Earlier, History, JoinDemand, Joined, Per, Place, QuasiIdentifier, Rule, THIS, Template,
};
use scumble_table::{ColumnId, Domain};

use crate::example::{released, table, tree};

fn history(earlier: &[&str], rules: Vec<Rule>) -> History {
    let earlier = earlier.iter().map(|text| Earlier {
        name: "earlier".into(),
        table: table(text),
        recoded: Vec::new(),
        forms: Vec::new(),
    });
    History {
        earlier: earlier.collect(),
        rules,
        recoded: Vec::new(),
        forms: Vec::new(),
    }
}

fn place(release: usize, column: usize) -> Place {
    let column = ColumnId(column);
    Place { release, column }
}

fn agree(a: Place, b: Place) -> Rule {
    Rule::Agree { a, b }
}

/// The smallest group on the first column of this release.
fn level(this: &str, history: &History, per: Per) -> f64 {
    let demand = Demand::Joined(Joined {
        of: Vec::new(),
        demand: JoinDemand::Anonymity { k: 2, per },
    });
    let of = QuasiIdentifier::all(vec![ColumnId(0)]);
    released(this).recount_joined(&Template { of, demand }, history).level
}

/// The banker is in zip 1 or 2 for all that the first release tells, and 2 or 3 for the second: only zip 2 is both.
#[test]
fn earlier_releases_must_agree_with_each_other() {
    let this = "job\n Banker";
    let jobs_and_zips = ["job zip\n Banker 1\n Banker 2", "job zip\n Banker 2\n Banker 3"];
    let with_this = [agree(place(THIS, 0), place(1, 0)), agree(place(THIS, 0), place(2, 0))];
    let free = history(&jobs_and_zips, with_this.to_vec());
    assert_eq!(level(this, &free, Per::Join), 4.0);
    let tied = [&with_this[..], &[agree(place(1, 1), place(2, 1))]].concat();
    assert_eq!(level(this, &history(&jobs_and_zips, tied), Per::Join), 1.0);
}

/// House numbers that look like intervals: the record in house 3 matches the record in house 3, and no other.
#[test]
fn a_house_number_that_looks_like_an_interval_matches_itself_alone() {
    let this = "job house\n x 3\n y 1-5\n y 1-5\n y 1-5";
    let history = history(
        &["house\n 3\n 1-5\n 1-5\n 1-5"],
        vec![agree(place(THIS, 1), place(1, 0))],
    );
    assert_eq!(level(this, &history, Per::Join), 1.0);
    assert_eq!(level("job house\n x A+\n y A*", &history, Per::Join), f64::INFINITY);
}

/// Whoever is certainly a man is certainly not pregnant; of `Any` and of `*` nothing is certain.
#[test]
fn what_cannot_be_of_one_person_does_not_match() {
    let rule = Rule::Never {
        a: Condition {
            place: place(THIS, 0),
            within: "Male".into(),
        },
        b: Condition {
            place: place(1, 0),
            within: "Pregnant".into(),
        },
    };
    let mut history = history(&["condition\n Pregnant\n Pregnant\n Flu\n *"], vec![rule]);
    let sexes = tree("Any\n Male\n  Single_Male\n  Married_Male\n Female");
    history.forms = vec![Domain::Nodes(sexes).in_words()];
    history.earlier[0].forms = vec![Domain::Words.in_words()];
    let matches = |sex: &str| level(&format!("sex\n {sex}"), &history, Per::Join);
    let found = ["Female", "Any", "Male", "Single_Male"].map(matches);
    assert_eq!(found, [4.0, 4.0, 2.0, 2.0]);
}

/// 300 labels on either side that all overlap are more matches than are kept apart at once.
#[test]
fn many_parts_match_many_parts() {
    let overlapping = |from: u32| (0..300).map(move |end| format!("[{from},{})\n", 1000 + end));
    let this: String = overlapping(0).map(|age| format!("x {age}")).collect();
    let earlier: String = overlapping(500).collect();
    let mut history = history(&[&format!("age\n{earlier}")], vec![agree(place(THIS, 1), place(1, 0))]);
    history.forms = vec![Domain::Words.in_words(), Domain::Numbers.in_words()];
    history.earlier[0].forms = vec![Domain::Numbers.in_words()];
    let this = format!("job age\n{this}");
    let level = |per| level(&this, &history, per);
    assert_eq!(level(Per::Join), 90_000.0);
    assert_eq!(level(Per::Records { release: THIS }), 300.0);
    assert_eq!(level(Per::Columns(vec![place(1, 0)])), 300.0);
}

/// 70,000 records in each of four releases have 70,000⁴ matches, which is above 2⁶⁴.
#[test]
fn a_lossy_join_may_be_larger_than_any_table() {
    let many = "job #\n x 70000";
    let history = history(&[many; 3], Vec::new());
    assert_eq!(level(many, &history, Per::Join), 70_000f64.powi(4));
    assert_eq!(level(many, &history, Per::Records { release: 2 }), 70_000.0);
}

/// An earlier release without records matches nothing, even if no rule asks for anything.
#[test]
fn nothing_matches_an_empty_release() {
    let history = history(&["job"], Vec::new());
    assert_eq!(level("job\n x", &history, Per::Join), f64::INFINITY);
}
