//! k-map: how many people of a population look like each released group.

use scumble_privacy::{Demand, Finding, History, Population, QuasiIdentifier, Requirement, Template, recount};

use crate::example::{Example, released, template, words};

fn k_map(people: &Example, k: u64, any: Option<usize>, populations: &[Population]) -> Finding {
    let of = QuasiIdentifier {
        columns: people.columns("job sex"),
        any,
    };
    let demand = Demand::KMap { k, population: 0 };
    people.recount(&Template { of, demand }, populations)
}

fn population(people: &Example, lines: &str) -> Population {
    let cells = |line: &str| words(line).into_iter().map(|cell| Some(cell.to_owned())).collect();
    let lines: Vec<_> = lines.lines().map(cells).collect();
    people.population(&people.columns("job sex"), &lines)
}

const RELEASE: &str = "
    job    sex
    Lawyer F
    Cook   M";

/// One lawyer is released, and the town has three that look like her; the cook has two.
#[test]
fn the_fewest_people_that_look_like_a_released_row() {
    let release = released(RELEASE);
    let town = population(&release, "Lawyer F\nLawyer F\nLawyer F\nCook M\nCook M\nCook F");
    assert_eq!(k_map(&release, 2, None, &[town]).level, 2.0);
}

/// Two, one and no cook in the town.
#[test]
fn the_bound_and_one_person_either_side() {
    let release = released(RELEASE);
    let holds = |town: &str| k_map(&release, 1, None, &[population(&release, town)]).holds;
    assert!(holds("Lawyer F\nCook M\nCook M"));
    assert!(holds("Lawyer F\nCook M"));
    assert!(!holds("Lawyer F\nLawyer F"));
}

/// The only bishop of the town is not in the release, so the release cannot point at her.
#[test]
fn people_like_nobody_released_do_not_count() {
    let release = released(RELEASE);
    let town = population(&release, "Lawyer F\nLawyer F\nCook M\nCook M\nBishop F\nBishop M");
    assert_eq!(k_map(&release, 2, None, &[town]).level, 2.0);
}

/// Whoever knows the job alone sees three lawyers, whatever their sex; who knows the sex alone sees the bishop too.
#[test]
fn a_person_without_a_label_counts_where_it_is_not_known() {
    let release = released(RELEASE);
    let town = population(
        &release,
        "Lawyer F\nLawyer M\nLawyer M\nBishop F\nBishop F\nCook M\nCook M\nCook F",
    );
    assert_eq!(k_map(&release, 2, None, std::slice::from_ref(&town)).level, 1.0);
    assert_eq!(k_map(&release, 2, Some(1), &[town]).level, 3.0);
}

/// What is not given is not taken for granted.
#[test]
fn of_an_unknown_population_nobody_looks_like_anyone() {
    let release = released(RELEASE);
    assert_eq!(k_map(&release, 1, None, &[]).level, 0.0);
    let without_sex = Population::new(2, vec![(release.column("job"), vec![Some(0), Some(1)])]);
    assert_eq!(k_map(&release, 1, None, &[without_sex]).level, 0.0);
    let no_such_label = Population::new(
        1,
        release
            .columns("job sex")
            .into_iter()
            .map(|id| (id, vec![Some(9)]))
            .collect(),
    );
    assert_eq!(k_map(&release, 1, None, &[no_such_label]).level, 0.0);
}

/// Templates on the same columns may share their groups, but not with those that count in another population.
#[test]
fn each_template_counts_in_its_own_population() {
    let release = released(RELEASE);
    let village = population(&release, "Lawyer F\nCook M");
    let town = population(&release, "Lawyer F\nLawyer F\nCook M\nCook M");
    let in_population = |population| template(&[0, 1], Demand::KMap { k: 1, population });
    let records = template(&[0, 1], Demand::Anonymity { k: 1, per: vec![] });
    let requirement = Requirement {
        templates: vec![records.clone(), in_population(0), in_population(1), records],
    };
    let found = recount(&release.release, &requirement, &[village, town], &History::default());
    let levels: Vec<f64> = found.iter().map(|finding| finding.level).collect();
    assert_eq!(levels, [1.0, 1.0, 2.0, 1.0]);
}
