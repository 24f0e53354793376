//! Releases that are wrong, written by hand: the checker must flag each, by its rule, and nothing in the right one beside
//! it. One for every definition, because a checker that never fails shows nothing.

use scumble_proof::case::{Case, Next};
use scumble_proof::check::{inspect, inspect_masked, inspect_versions};
use scumble_proof::csv;
use scumble_proof::definitions::Past;
use scumble_proof::definitions::families::{Bound, Family, Member, anonymity, secrets};
use scumble_proof::definitions::labels::Made;
use scumble_proof::definitions::templates;
use scumble_proof::findings::Findings;
use scumble_proof::policy::{
    About, Column, Demand, Earlier, Inconsistent, Kind, Method, Per, Policy, Ranges, Require, Role, Secrets, Spread,
};
use scumble_proof::release::Release;
use scumble_proof::table::{Reading, Row, Table};
use scumble_proof::tree::{Form, Node, Tree};
use serde_json::{Value, json};

fn column(name: &str, role: Role, kind: Kind) -> Column {
    Column {
        name: name.to_owned(),
        role,
        kind,
        form: None,
        ranges: None,
    }
}

/// ANY over Viral (HIV, Flu) and Ulcer.
fn diseases() -> Tree {
    let node = |label: &str, parent| Node {
        label: label.to_owned(),
        parent,
    };
    Tree {
        nodes: vec![
            node("ANY", None),
            node("Viral", Some(0)),
            node("HIV", Some(1)),
            node("Flu", Some(1)),
            node("Ulcer", Some(0)),
        ],
        form: Form::Levels,
    }
}

fn table(text: &str) -> Table {
    let mut records = csv::read(text).unwrap().into_iter();
    let header = records.next().unwrap();
    let row = |(person, cells)| Row { person, cells };
    Table {
        header,
        rows: records.enumerate().map(row).collect(),
    }
}

/// A table with the columns `q` (quasi) and `s` (sensitive, of this kind).
fn case(kind: Kind, demand: Demand, data: &str) -> Case {
    Case {
        seed: 0,
        data: table(data),
        policy: Policy {
            reading: Reading {
                trim: true,
                marks: Vec::new(),
                drop: false,
            },
            columns: vec![
                column("q", Role::Quasi, Kind::Plain),
                column("s", Role::Sensitive, kind),
            ],
            require: vec![Require {
                of: None,
                any: None,
                demand,
            }],
            method: Method {
                name: "refine",
                settings: Vec::new(),
                budget: None,
            },
            earlier: Vec::new(),
            inconsistent: Vec::new(),
            publish_unlisted: false,
            input_order: false,
        },
        population: None,
        earlier: Vec::new(),
        next: None,
        planted: None,
        twice: false,
        tamper: None,
        mask_again: false,
        other: None,
    }
}

fn certificate(case: &Case, rows: usize, level: Value) -> Value {
    let template = &templates(&case.policy)[0];
    json!({
        "rows": { "published": rows, "left_out": case.data.rows.len() - rows, "dropped": 0 },
        "require": [{ "kind": template.kind, "bound": template.bound, "level": level, "holds": true }],
        "columns": [],
        "information_loss": 0.5,
    })
}

fn found(case: &Case, released: &str, level: Value) -> Vec<&'static str> {
    let rows = csv::read(released).unwrap().len() - 1;
    found_with(case, released, &certificate(case, rows, level))
}

fn found_with(case: &Case, released: &str, certificate: &Value) -> Vec<&'static str> {
    let release = Release::parse(released, None, &certificate.to_string()).unwrap();
    let mut findings = Findings::default();
    inspect(case, &case.data, &release, &[], &mut findings);
    findings.faults.iter().map(|fault| fault.rule).collect()
}

/// Of data that is published as it is, a level that is certified wrongly, and a bound that is not kept.
fn finds(kind: Kind, demand: impl Fn(f64) -> Demand, data: &str, kept: f64, broken: f64, level: f64) {
    let right = case(kind.clone(), demand(kept), data);
    let name = templates(&right.policy)[0].kind;
    assert_eq!(found(&right, data, json!(level)), [""; 0], "{name}");
    let one = |found: Vec<&'static str>, word: &str| {
        let [rule] = found[..] else { panic!("{name}: {found:?}") };
        assert!(rule.contains(name) && rule.contains(word), "{name}: {rule}");
    };
    one(found(&right, data, json!(level + 0.001)), "wrong");
    let wrong = case(kind, demand(broken), data);
    one(found(&wrong, data, json!(broken)), "broken");
}

const TWO_AND_TWO: &str = "q,s\na,HIV\na,HIV\na,Flu\nb,Flu\nb,Ulcer\n";

fn every() -> Vec<About> {
    let column = "s".to_owned();
    let secrets = Secrets::Every;
    vec![About { column, secrets }]
}

#[test]
fn a_group_that_is_too_small() {
    finds(
        Kind::Plain,
        |k| Demand::Anonymity(k as usize, Per::This),
        TWO_AND_TWO,
        2.0,
        3.0,
        2.0,
    );
    let per = || Per::Columns(vec!["s".to_owned()]);
    finds(
        Kind::Plain,
        |k| Demand::Anonymity(k as usize, per()),
        "q,s\na,x\na,x\n",
        1.0,
        2.0,
        1.0,
    );
}

/// Of the population, one person is an `1-3`, and nobody who is a 2 looks so.
#[test]
fn a_population_of_others() {
    let data = "q,s\n1-3,x\n";
    let people = table("q,s\n1-3,x\n2,x\n2,x\n2,x\n2,x\n2,x\n");
    let with = |k| Case {
        population: Some(people.clone()),
        ..case(Kind::Plain, Demand::KMap(k), data)
    };
    assert_eq!(found(&with(1), data, json!(1)), [""; 0]);
    assert_eq!(found(&with(1), data, json!(5)), ["the level of k-map is wrong"]);
    assert_eq!(found(&with(5), data, json!(5)), ["k-map is broken"]);
}

#[test]
fn a_secret_that_is_too_likely() {
    finds(
        Kind::Plain,
        |bound| Demand::Confidence(bound, every()),
        TWO_AND_TWO,
        0.7,
        0.6,
        2.0 / 3.0,
    );
    let viral = || {
        let secrets = Secrets::Listed(vec!["Viral".to_owned()]);
        let column = "s".to_owned();
        vec![About { column, secrets }]
    };
    finds(
        Kind::Tree(diseases()),
        |bound| Demand::Confidence(bound, viral()),
        TWO_AND_TWO,
        1.0,
        0.9,
        1.0,
    );
}

#[test]
fn values_that_are_not_spread() {
    let distinct = |l: f64| Demand::Diversity(Spread::Distinct(l as usize), "s".to_owned());
    finds(Kind::Plain, distinct, TWO_AND_TWO, 2.0, 3.0, 2.0);
    let entropy = |l: f64| Demand::Diversity(Spread::Entropy(l), "s".to_owned());
    let shares: [f64; 2] = [2.0 / 3.0, 1.0 / 3.0];
    let level = shares.iter().map(|share| -share * share.ln()).sum::<f64>().exp();
    finds(Kind::Plain, entropy, TWO_AND_TWO, 1.8, 1.95, level);
    // 55 is not less than 0.55 · 100, which floating point takes for 55.00000000000001.
    let exact = format!(
        "q,s\n{}{}{}",
        "a,x\n".repeat(55),
        "a,y\n".repeat(50),
        "a,z\n".repeat(50)
    );
    let recursive = |l: f64| {
        let spread = Spread::Recursive {
            hundredths: 55,
            l: l as usize,
        };
        Demand::Diversity(spread, "s".to_owned())
    };
    finds(Kind::Plain, recursive, &exact, 1.0, 2.0, 1.0);
}

#[test]
fn a_group_unlike_the_whole() {
    let by = |distance: &'static str| move |bound: f64| Demand::Closeness(bound, Some(distance), "s".to_owned());
    // a: 2/3 HIV, 1/3 Flu; the whole: 2/5 HIV, 2/5 Flu, 1/5 Ulcer. b: 1/2 Flu, 1/2 Ulcer.
    finds(Kind::Plain, by("equal"), TWO_AND_TWO, 0.5, 0.3, 0.4);
    // b: 2/5 of HIV go one step and 3/10 of the rest another, of two steps.
    finds(Kind::Tree(diseases()), by("ordered"), TWO_AND_TWO, 0.5, 0.3, 0.35);
    // b: 1/10 of Ulcer is too much, and 3/10 go to HIV from above; 1/10 from its sibling, at half the height.
    finds(Kind::Tree(diseases()), by("taxonomy"), TWO_AND_TWO, 0.5, 0.3, 0.35);
    let delta = |bound: f64| Demand::Delta(bound, "s".to_owned());
    finds(
        Kind::Plain,
        delta,
        "q,s\na,x\na,x\na,y\nb,x\nb,y\nb,y\n",
        0.5,
        0.4,
        1.5_f64.ln(),
    );
    let beta = |bound: f64| Demand::Beta(bound, false, "s".to_owned());
    finds(Kind::Plain, beta, TWO_AND_TWO, 2.0, 1.0, 1.5);
}

/// Of nine in ten, a group of nothing else gains a ninth, and −ln 0.9 is less.
#[test]
fn a_frequent_value_made_certain() {
    let data = format!("q,s\n{}b,x\nb,y\n", "a,x\n".repeat(8));
    let likeness = |enhanced| Demand::Beta(0.2, enhanced, "s".to_owned());
    let group = data.replace("b,x\nb,y", "a,x\na,y");
    let enhanced = case(Kind::Plain, likeness(true), &group);
    assert_eq!(found(&enhanced, &group, json!(0.0)), [""; 0]);
    let split = format!("q,s\n{}b,y\n", "a,x\n".repeat(9));
    let broken = case(Kind::Plain, Demand::Beta(10.0, true, "s".to_owned()), &split);
    assert_eq!(found(&broken, &split, json!(9.0)), ["beta-likeness is broken"]);
}

/// Anna guards HIV; the column of the nodes is published here, so that it can be recounted.
#[test]
fn a_node_that_somebody_guards() {
    let data = "q,s,guard\na,HIV,HIV\na,HIV,ANY\na,Flu,\nb,Flu,\n";
    let with = |bound| {
        let mut case = case(
            Kind::Tree(diseases()),
            Demand::Personal(bound, "s".to_owned(), "guard".to_owned()),
            data,
        );
        case.policy.columns.push(column("guard", Role::Other, Kind::Plain));
        case
    };
    assert_eq!(found(&with(0.7), data, json!(2.0 / 3.0)), [""; 0]);
    assert_eq!(found(&with(0.7), data, json!(0.5)), ["the level of personal is wrong"]);
    assert_eq!(found(&with(0.5), data, json!(0.5)), ["personal is broken"]);
}

#[test]
fn a_range_that_is_given_away() {
    let check = |kind: Kind, ranges: Ranges, data: &str, level: f64| {
        let with = |bound| {
            let mut case = case(kind.clone(), Demand::RangeDiversity(bound, "s".to_owned()), data);
            case.policy.columns[1].ranges = Some(ranges.clone());
            case
        };
        assert_eq!(found(&with(level + 0.01), data, json!(level)), [""; 0]);
        assert_eq!(
            found(&with(level + 0.01), data, json!(0.0)),
            ["the level of range-diversity is wrong"]
        );
        assert_eq!(
            found(&with(level - 0.01), data, json!(0.0)),
            ["range-diversity is broken"]
        );
    };
    // The range is too long for a number, and the classes are two.
    check(
        Kind::Numbers(None),
        Ranges::Width(10),
        "q,s\na,-1e308\na,1.5e308\n",
        0.5,
    );
    check(
        Kind::Numbers(None),
        Ranges::Width(1),
        "q,s\na,10000000000000000\na,10000000000000004\n",
        0.5,
    );
    // 4 pairs of 9 are of 0 and 4, which are 4/10 apart, so 0.6 close; 10 is by itself: (2 + 2·0.6 + 1)/9.
    let domain = Kind::Numbers(Some(("0".to_owned(), "10".to_owned())));
    check(domain, Ranges::Width(5), "q,s\na,0\na,4\na,10\n", 4.2 / 9.0);
    // HIV and Flu are half close under Viral; Ulcer's parent is the root, under which the others are not close to it.
    check(
        Kind::Tree(diseases()),
        Ranges::Level(1),
        "q,s\na,HIV\na,Flu\na,Ulcer\n",
        4.0 / 9.0,
    );
    check(Kind::Plain, Ranges::Level(1), "q,s\na,x\na,y\na,\n", 3.0 / 9.0);
}

#[test]
fn a_set_of_columns_that_somebody_may_know() {
    let data = "q,p,s\na,x,1\na,y,1\nb,x,1\nb,y,1\n";
    let with = |any| {
        let mut case = case(Kind::Plain, Demand::Anonymity(2, Per::This), data);
        case.policy.columns.insert(1, column("p", Role::Quasi, Kind::Plain));
        case.policy.require[0].any = Some(any);
        case
    };
    assert_eq!(found(&with(1), data, json!(2)), [""; 0]);
    assert_eq!(found(&with(2), data, json!(2)), ["anonymity is broken"]);
}

/// In a column of words `1-5` is a word, and does not meet 3.
#[test]
fn a_word_that_looks_like_a_label() {
    let data = "q,s\n3,a\n1-5,b\n1-5,a\n1-5,b\n";
    let with = |k, of: &[&str], join: Option<&[&str]>| {
        let mut case = case(Kind::Plain, Demand::Anonymity(k, Per::This), data);
        case.policy.require[0].of = Some(of.iter().map(|&name| name.to_owned()).collect());
        case.policy.earlier = vec![Earlier {
            name: "old".to_owned(),
            file: "old.csv".to_owned(),
            join: join.map(|join| join.iter().map(|&name| name.to_owned()).collect()),
            report_dangling: false,
        }];
        case
    };
    let old = |case: &Case, rows: &[[&str; 3]]| Past {
        name: "old".to_owned(),
        join: case.policy.earlier[0].join.clone(),
        header: ["q", "s", "ward"].map(str::to_owned).to_vec(),
        rows: rows
            .iter()
            .map(|row| row.iter().map(|&cell| Some(cell.to_owned())).collect())
            .collect(),
        made: Made::Elsewhere,
    };
    let found = |case: &Case, past: Past, level: u64| {
        let release = Release::parse(data, None, &certificate(case, 4, json!(level)).to_string()).unwrap();
        let mut findings = Findings::default();
        inspect(case, &case.data, &release, &[past], &mut findings);
        findings.faults.iter().map(|fault| fault.rule).collect::<Vec<_>>()
    };
    let wards = [["3", "a", "W"], ["1-5", "b", "V"], ["1-5", "a", "V"]];
    let by_ward = with(4, &["old.ward"], Some(&["q"]));
    assert_eq!(found(&by_ward, old(&by_ward, &wards), 4), ["anonymity is broken"]);
    let one = with(1, &["old.ward"], Some(&["q"]));
    assert_eq!(found(&one, old(&one, &wards), 1), [""; 0]);
    // Both copies of `s` are known, though records are joined by `q` alone: (3, a, a) is one record.
    let copies = with(2, &["s"], Some(&["q"]));
    assert_eq!(found(&copies, old(&copies, &wards), 2), ["anonymity is broken"]);
    let own = with(2, &["this.s"], Some(&["q"]));
    assert_eq!(found(&own, old(&own, &wards), 2), [""; 0]);
}

/// Everything under `Viral` but HIV is gone from the tree, so `Viral` beside ward W is HIV beside W, which nobody is. `ANY` may
/// be anything, a missing value among them.
#[test]
fn a_match_that_a_pair_of_the_policy_rules_out() {
    let mut tree = diseases();
    tree.nodes.remove(3);
    let found = |cell: &str, level: u64| {
        let data = format!("q,s\n{cell},x\n");
        let mut case = case(Kind::Plain, Demand::Anonymity(1, Per::Release("old".to_owned())), &data);
        case.policy.columns[0].kind = Kind::Tree(tree.clone());
        case.policy.earlier = vec![Earlier {
            name: "old".to_owned(),
            file: "old.csv".to_owned(),
            join: None,
            report_dangling: true,
        }];
        case.policy.inconsistent = vec![Inconsistent {
            this: ("q".to_owned(), "HIV".to_owned()),
            release: "old".to_owned(),
            that: ("ward".to_owned(), "W".to_owned()),
        }];
        let past = Past {
            name: "old".to_owned(),
            join: None,
            header: vec!["q".to_owned(), "ward".to_owned()],
            rows: ["V", "W"]
                .map(|ward| vec![Some("ANY".to_owned()), Some(ward.to_owned())])
                .to_vec(),
            made: Made::ByMasks,
        };
        let release = Release::parse(&data, None, &certificate(&case, 1, json!(level)).to_string()).unwrap();
        let mut findings = Findings::default();
        inspect(&case, &case.data, &release, &[past], &mut findings);
        findings.faults.iter().map(|fault| fault.rule).collect::<Vec<_>>()
    };
    for (cell, level) in [("HIV", 1), ("Viral", 1), ("Ulcer", 2)] {
        assert_eq!(found(cell, level), [""; 0], "{cell}");
        assert_eq!(found(cell, 3 - level), ["the level of anonymity is wrong"], "{cell}");
    }
    // Of the data itself, `ANY` is no value.
    assert!(!found("ANY", 2).contains(&"the level of anonymity is wrong"));
}

/// The people who are a `b` are not behind the star of a release that has the masks of one which shows `b`.
#[test]
fn people_whom_borrowed_masks_would_show() {
    let data = "q,s\na,x\nc,x\n";
    let case = Case {
        population: Some(table("q,s\na,x\na,x\na,x\nb,x\nc,x\nc,x\n")),
        ..case(Kind::Plain, Demand::KMap(1), data)
    };
    let count = |is_borrowed: bool, level: u64| {
        let certificate = certificate(&case, 2, json!(level));
        let release = Release::parse("q,s\na,x\n*,x\n", None, &certificate.to_string()).unwrap();
        let mask = json!({ "operation": "suppress", "disclosed": ["a", "b"] });
        let lent = json!({ "columns": [{ "name": "q", "mask": mask }] });
        let lender = Release::parse("q,s\n", None, &lent.to_string()).unwrap();
        let mut findings = Findings::default();
        inspect_masked(
            &case,
            &case.data,
            &release,
            &[],
            is_borrowed.then_some(&lender),
            &mut findings,
        );
        findings.faults.iter().map(|fault| fault.rule).collect::<Vec<_>>()
    };
    assert_eq!((count(true, 2), count(false, 3)), (Vec::new(), Vec::new()));
    assert_eq!(count(true, 3), ["the level of k-map is wrong"]);
    assert_eq!(count(false, 2), ["the level of k-map is wrong"]);
}

/// Whoever is an `a` is shown as such where values are suppressed, and elsewhere may be behind the star, too.
#[test]
fn a_star_that_may_hide_what_is_shown_beside_it() {
    let data = "q,s\na,HIV\na,Flu\nb,HIV\nb,Cold\n";
    let shown = "q,s\na,HIV\na,Flu\n*,HIV\n*,Cold\n";
    let mut case = case(Kind::Plain, Demand::Confidence(0.5, every()), data);
    case.next = Some(Next {
        data: table(data),
        like: false,
        report_newcomers: true,
    });
    let compare = |mask: Value| {
        let mut certificate = certificate(&case, 4, json!(0.5));
        certificate["columns"] = json!([{ "name": "q", "mask": mask }]);
        let release = || Release::parse(shown, None, &certificate.to_string()).unwrap();
        let mut findings = Findings::default();
        inspect_versions(&case, &release(), &release(), &mut findings);
        findings.faults.iter().map(|fault| fault.rule).collect::<Vec<_>>()
    };
    let suppressed = json!({ "operation": "suppress", "disclosed": ["a"] });
    assert_eq!(compare(suppressed), [""; 0]);
    let grouped = json!({ "operation": "group", "form": "set" });
    assert_eq!(compare(grouped), ["somebody in both versions is exposed"]);
}

/// Whoever is 8001 and in both versions has HIV.
#[test]
fn somebody_who_is_in_two_versions() {
    let node = |label: &str, parent| Node {
        label: label.to_owned(),
        parent,
    };
    let zip = Tree {
        nodes: vec![
            node("CH", None),
            node("80", Some(0)),
            node("8001", Some(1)),
            node("8002", Some(1)),
            node("90", Some(0)),
            node("9001", Some(4)),
        ],
        form: Form::Levels,
    };
    let first = "q,s\n8001,HIV\n8001,Flu\n8002,Cough\n8002,Ulcer\n9001,Cold\n9001,Asthma\n";
    let mut next = table(first);
    next.rows.retain(|row| !["Flu", "Ulcer"].contains(&&row.cells[1][..]));
    let mut case = case(Kind::Plain, Demand::Confidence(0.5, every()), first);
    case.policy.columns[0].kind = Kind::Tree(zip);
    case.policy.method.name = "mondrian";
    case.next = Some(Next {
        data: next,
        like: false,
        report_newcomers: true,
    });
    let compare = |first: &str, second: &str| {
        let release = |text: &str| {
            let text = format!("q,s\n{text}");
            let rows = csv::read(&text).unwrap().len() - 1;
            let mut certificate = certificate(&case, rows, json!(0.5));
            certificate["rows"]["left_out"] = json!(0);
            Release::parse(&text, None, &certificate.to_string()).unwrap()
        };
        let mut findings = Findings::default();
        inspect_versions(&case, &release(first), &release(second), &mut findings);
        findings.faults.iter().map(|fault| fault.rule).collect::<Vec<_>>()
    };
    let (fine, coarse) = (
        "8001,HIV\n8001,Flu\n8002,Cough\n8002,Ulcer\n9001,Cold\n9001,Asthma\n",
        "80,HIV\n80,Cough\n9001,Cold\n9001,Asthma\n",
    );
    assert_eq!(compare(fine, coarse), ["somebody in both versions is exposed"]);
    let coarse_before = fine.replace("8001", "80").replace("8002", "80");
    assert_eq!(compare(&coarse_before, coarse), [""; 0]);
}

#[test]
fn somebody_who_came() {
    let first = "q,s\na,x\na,y\n";
    let mut case = case(Kind::Plain, Demand::Confidence(0.6, every()), first);
    let next = "q,s\na,x\na,y\na,z\n";
    case.next = Some(Next {
        data: table(next),
        like: true,
        report_newcomers: false,
    });
    let mut certified = certificate(&case, 2, json!(0.5));
    certified["columns"] = json!([{ "name": "q", "mask": { "operation": "suppress", "disclosed": ["a"] } }]);
    let release = |text: &str| Release::parse(text, None, &certified.to_string()).unwrap();
    let mut findings = Findings::default();
    inspect_versions(&case, &release(first), &release(next), &mut findings);
    let rules: Vec<_> = findings.faults.iter().map(|fault| fault.rule).collect();
    assert_eq!(rules, ["somebody who came or left is exposed"]);
}

/// Templates of two tables are counted by group, whatever the people show.
#[test]
fn secrets_apart_that_are_alike() {
    let data = "q,s\na,x\na,x\nb,y\nb,z\n";
    let with = |l| {
        let mut case = case(
            Kind::Plain,
            Demand::Diversity(Spread::Distinct(l), "s".to_owned()),
            data,
        );
        case.policy.method.name = "anatomy";
        case
    };
    let found = |case: &Case, secrets: &str, level: u64| {
        let people = "q,group\na,1\na,2\nb,1\nb,2\n";
        let certificate = certificate(case, 4, json!(level)).to_string();
        let release = Release::parse(people, Some(secrets), &certificate).unwrap();
        let mut findings = Findings::default();
        inspect(case, &case.data, &release, &[], &mut findings);
        findings.faults.iter().map(|fault| fault.rule).collect::<Vec<_>>()
    };
    let right = "group,s\n1,x\n1,y\n2,x\n2,z\n";
    assert_eq!(found(&with(2), right, 2), [""; 0]);
    assert_eq!(
        found(&with(2), "group,s\n1,x\n1,x\n2,y\n2,z\n", 2),
        ["diversity is broken"]
    );
    assert_eq!(
        found(&with(1), "group,s\n1,x\n1,y\n2,x\n2,y\n", 2),
        ["secrets apart are not those of the data"]
    );
    assert_eq!(
        found(&with(1), "group,s\n1,x\n1,y\n1,z\n2,x\n", 1),
        ["secrets apart have other groups than the people"]
    );
}

#[test]
fn columns_that_nobody_asked_for() {
    let data = "q,s,id,loose\na,x,t1,u\na,y,t2,u\n";
    let mut case = case(Kind::Plain, Demand::Anonymity(1, Per::This), data);
    case.policy.columns.push(column("id", Role::Identifier, Kind::Plain));
    case.policy.columns.push(column("loose", Role::Unlisted, Kind::Plain));
    assert_eq!(found(&case, "q,s\na,x\na,y\n", json!(2)), [""; 0]);
    assert_eq!(
        found(&case, "q,s,id\na,x,t1\na,y,t2\n", json!(2)),
        ["an identifier is published"]
    );
    assert_eq!(
        found(&case, "q,s,loose\na,x,u\na,y,u\n", json!(2)),
        ["a column that is not listed is published"]
    );
    assert_eq!(found(&case, "q\na\na\n", json!(2)), ["a column is lacking"]);
    case.planted = Some("t1".to_owned());
    assert_eq!(
        found(&case, "q,s\na,x\nt1,y\n", json!(1))[0],
        "a cell that must not be published is"
    );
}

#[test]
fn cells_that_are_not_those_of_the_data() {
    let data = "q,s\na,x\nb,y\n";
    let with = || case(Kind::Plain, Demand::Anonymity(1, Per::This), data);
    let wrong = "a released cell does not cover its value";
    assert_eq!(found(&with(), "q,s\n*,x\nb,y\n", json!(1)), [""; 0]);
    assert_eq!(found(&with(), "q,s\nb,x\na,y\n", json!(1)), [wrong]);
    assert_eq!(found(&with(), "q,s\n*,x\n*,x\n", json!(2)), [wrong]);
    assert_eq!(
        found(&with(), "q,s\n*,x\n", json!(1)),
        ["more rows are left out than may be"]
    );
    let mut certified = certificate(&with(), 2, json!(1));
    certified["rows"] = json!({ "published": 1, "left_out": 0, "dropped": 1 });
    assert!(found_with(&with(), data, &certified).contains(&"rows are miscounted"));
    let mut numbers = case(Kind::Plain, Demand::Anonymity(1, Per::This), "q,s\n1,x\n5,y\n");
    numbers.policy.columns[0].kind = Kind::Numbers(None);
    assert_eq!(found(&numbers, "q,s\n\"[1, 5)\",x\n\"[5, 9]\",y\n", json!(1)), [""; 0]);
    assert_eq!(found(&numbers, "q,s\n\"[1, 5)\",x\n\"[1, 5)\",y\n", json!(2)), [wrong]);
}

/// 4711 is nobody's who is published, and ends an interval.
#[test]
fn a_value_of_somebody_who_is_left_out() {
    let data = "q,s,tag\n20,x,t0\n30,x,t1\n4711,x,t2\n";
    let mut case = case(Kind::Plain, Demand::Anonymity(1, Per::This), data);
    case.policy.columns[0].kind = Kind::Numbers(Some(("0".to_owned(), "10000".to_owned())));
    case.policy.columns.push(column("tag", Role::Sensitive, Kind::Plain));
    case.policy.method.budget = Some(40);
    let told = ["a value of a row left out is published"];
    assert_eq!(
        found(&case, "q,s,tag\n\"[0, 30)\",x,t0\n\"[30, 10000]\",x,t1\n", json!(1)),
        [""; 0]
    );
    assert_eq!(
        found(&case, "q,s,tag\n\"[0, 30)\",x,t0\n\"[30, 4711)\",x,t1\n", json!(1)),
        told
    );
    let mut certified = certificate(&case, 2, json!(1));
    let mask = json!({ "operation": "discretize", "intervals": ["[0, 30)", "[30, 4711)", "[4711, 10000]"] });
    certified["columns"] = json!([{ "name": "q", "mask": mask }]);
    assert_eq!(
        found_with(&case, "q,s,tag\n\"[0, 30)\",x,t0\n20,x,t0\n", &certified).first(),
        Some(&"a row is published twice")
    );
    assert_eq!(found_with(&case, "q,s,tag\n20,x,t0\n30,x,t1\n", &certified), told);
}

/// `01` is how the row writes it that is left out, or somebody of a population; 117 is nobody's but theirs.
#[test]
fn a_text_of_somebody_who_is_not_in_the_release() {
    let data = "q,s,tag\n1,7.0,t0\n1.00,7,t1\n01,007,t2\n";
    let mut case = case(Kind::Numbers(None), Demand::Anonymity(1, Per::This), data);
    case.policy.columns[0].kind = Kind::Numbers(None);
    case.policy.columns.push(column("tag", Role::Sensitive, Kind::Plain));
    case.policy.method.budget = Some(40);
    let people = table("q\n01\n117\n");
    case.population = Some(people);
    let found = |rows: &str| found(&case, &format!("q,s,tag\n{rows}"), json!(2));
    let written = "a number is written in a way that no published row has";
    assert_eq!(found("1,7,t0\n1,7,t1\n"), [""; 0]);
    assert_eq!(found("1.00,7.0,t0\n1.00,7.0,t1\n"), [""; 0]);
    assert_eq!(found("01,7,t0\n01,7,t1\n"), [written]);
    assert_eq!(found("1,007,t0\n1,007,t1\n"), [written]);
    assert_eq!(
        found("\"[1, 117]\",7,t0\n\"[1, 117]\",7,t1\n"),
        ["a value of a row left out is published"]
    );
}

#[test]
fn a_certificate_that_tells_too_much_or_nothing() {
    let data = "q,s\na,x\n";
    let case = case(Kind::Plain, Demand::Anonymity(1, Per::This), data);
    let with = |key: &str, value: Value| {
        let mut certified = certificate(&case, 1, json!(1));
        certified[key] = value;
        found_with(&case, data, &certified)
    };
    let mask = json!([{ "name": "q", "mask": { "operation": "suppress", "disclosed": ["a", null] } }]);
    assert_eq!(
        with("columns", mask),
        ["the certificate tells of a missing value that no row shows"]
    );
    assert_eq!(
        with("information_loss", Value::Null),
        ["the information loss is no share"]
    );
    assert_eq!(with("require", json!([])), ["the certificate has other templates"]);
    let lower = json!([{ "kind": "anonymity", "bound": 0, "level": 1, "holds": true }]);
    assert_eq!(with("require", lower), ["the certificate has other templates"]);
    let fails = json!([{ "kind": "anonymity", "bound": 1, "level": 1, "holds": false }]);
    assert_eq!(with("require", fails), ["a release is certified that does not hold"]);
    let certified = certificate(&case, 0, Value::Null);
    assert!(found_with(&case, "q,s\n", &certified).contains(&"an empty release is published"));
}

/// Anna has two visits and Bob one, so that nobody looks like either, whatever each row shows.
#[test]
fn persons_whose_rows_are_not_alike() {
    let member = |quasi: &str, secret: &str| Member {
        quasi: vec![Some(quasi.to_owned())],
        secret: Some(secret.to_owned()),
    };
    let person = |rows: &[(&str, &str)]| Family {
        own: member("F", "x"),
        rows: rows.iter().map(|(quasi, secret)| member(quasi, secret)).collect(),
    };
    let alike = [
        person(&[("a", "HIV"), ("b", "Flu")]),
        person(&[("b", "Flu"), ("a", "Flu")]),
    ];
    assert_eq!(anonymity(&alike), Some(2.0));
    let unlike = [person(&[("a", "HIV"), ("a", "Flu")]), person(&[("a", "Flu")])];
    assert_eq!(anonymity(&unlike), Some(1.0));
    // Among the visits that show b, everybody has Flu; of those that show a, one of two has HIV.
    let share = Bound::Confidence(0.5, Secrets::Every);
    assert_eq!(secrets(&alike, true, &Kind::Plain, &share), Some(1.0));
    assert_eq!(
        secrets(&alike, true, &Kind::Plain, &Bound::Diversity(Spread::Distinct(2))),
        Some(1.0)
    );
    // Two visits of one person that look the same are both theirs: one of one person has HIV, in one row of two.
    let twice = [person(&[("a", "HIV"), ("a", "Flu")])];
    assert_eq!(secrets(&twice, true, &Kind::Plain, &share), Some(1.0));
    assert_eq!(
        secrets(&twice, true, &Kind::Plain, &Bound::Diversity(Spread::Distinct(2))),
        Some(2.0)
    );
}
