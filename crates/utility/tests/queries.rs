//! Workloads: how they are written, how they are drawn, and the example of the docs.

mod example;

use example::{Example, numbers, tree, words};
use scumble_progress::Work;
use scumble_utility::{GenerateError, Generated, Role, Workload, query_error};

const JOBS: &str = "Engineer;Professional;ANY\nLawyer;Professional;ANY\nJanitor;ANY\n";

fn people() -> Example {
    let columns = vec![
        numbers("age", Role::Quasi, 30.0, 60.0),
        tree("job", Role::Quasi, JOBS),
        words("job title", Role::Quasi),
        words("disease", Role::Sensitive),
        numbers("weight", Role::Other, 40.0, 120.0),
    ];
    let before = "31;Lawyer;Craft and repair;Flu;70.5
        38;Engineer;in sales;HIV;60
        52;Janitor;\"boss\";Flu;80";
    let after = "[30, 40);Professional;*;Flu;70.5
        [30, 40);Professional;*;HIV;60
        52;Janitor;\"boss\";Flu;80";
    Example::new(columns, before, after)
}

/// The data says 1, the release says 2 · (5/10 · 1/2).
#[test]
fn an_answer_is_estimated_under_the_uniform_assumption() {
    let example = people();
    let comparison = example.comparison();
    let workload = Workload::parse("age in [30, 35) and job = Lawyer", &comparison).unwrap();
    let error = query_error(&workload, &comparison, &example.before, Work::unwatched()).unwrap();
    assert_eq!((error.queries, error.answered, error.without_rows), (1, 1, 0));
    assert_eq!(
        (error.average, error.median, error.percentile_95),
        (Some(0.5), Some(0.5), Some(0.5))
    );
}

/// Four people of four ages are shown as one group. Nothing is lost for whoever takes all ages in it for equally likely.
#[test]
fn a_group_that_is_spread_evenly_answers_every_question_about_whole_numbers() {
    let columns = || vec![numbers("age", Role::Quasi, 0.0, 99.0)];
    let before = "31\n32\n33\n34";
    for label in ["[31, 34]", "[31, 35)", "31-34", "]30, 34]"] {
        let example = Example::new(columns(), before, &format!("{label}\n").repeat(4));
        let comparison = example.comparison();
        let asked = "age = 31\nage in [31, 33)\nage in [32, 34]\nage in <33\nage in [20, 90)\nage in [30.5, 33.5)";
        let workload = Workload::parse(asked, &comparison).unwrap();
        let error = query_error(&workload, &comparison, &example.before, Work::unwatched()).unwrap();
        assert_eq!((error.answered, error.percentile_95), (6, Some(0.0)), "{label}");
        for seed in 0..20 {
            let settings = Generated {
                dimensions: 1,
                selectivity: 0.02,
                queries: 50,
                seed,
                sensitive: None,
            };
            let drawn = Workload::generate(&settings, &comparison, &example.before).unwrap();
            let error = query_error(&drawn, &comparison, &example.before, Work::unwatched()).unwrap();
            assert!(error.average.is_none_or(|average| average < 1e-9), "{label}: {error:?}");
        }
    }
}

#[test]
fn queries_that_no_row_meets_are_counted_apart() {
    let example = people();
    let comparison = example.comparison();
    let workload = Workload::parse("age in [40, 50)\njob = Janitor", &comparison).unwrap();
    let error = query_error(&workload, &comparison, &example.before, Work::unwatched()).unwrap();
    assert_eq!((error.answered, error.without_rows, error.average), (1, 1, Some(0.0)));
    let none = query_error(&Workload::default(), &comparison, &example.before, Work::unwatched()).unwrap();
    assert_eq!((none.queries, none.average, none.median), (0, None, None));
}

/// All of these ask for the one row that is shown as it is.
#[test]
fn a_query_may_be_written_in_many_ways() {
    let example = people();
    let comparison = example.comparison();
    let text = "# about the janitor

        age in [50, 60]
        age in [45, 55) and job=Janitor and disease in {Flu|HIV}
        job in{Janitor} and age in >50
        \"job\" = \"Janitor\"
        job title = \"\"\"boss\"\"\"
        job title in {\"boss\"} and job = ANY";
    let workload = Workload::parse(text, &comparison).unwrap();
    assert_eq!(workload.len(), 6);
    let error = query_error(&workload, &comparison, &example.before, Work::unwatched()).unwrap();
    // Only those about the title are uncertain: two of the titles `*` may be it.
    assert_eq!((error.answered, error.median), (6, Some(0.0)));
    let quoted = Workload::parse("job title = \"Craft and repair\" and job = Lawyer", &comparison).unwrap();
    assert_eq!(
        query_error(&quoted, &comparison, &example.before, Work::unwatched())
            .unwrap()
            .answered,
        1
    );
}

#[test]
fn a_line_that_is_no_query_is_named_with_its_number() {
    let example = people();
    let comparison = example.comparison();
    for (line, message) in [
        (
            "salary in [1, 2)",
            "`salary in [1, 2)` does not begin with a column of the release and `=` or `in`; quote a name that has \
             `and` in it",
        ),
        (
            "age",
            "`age` does not begin with a column of the release and `=` or `in`; quote a name that has `and` in it",
        ),
        ("job =", "nothing is asked of column `job`"),
        (
            "job = Nurse",
            "`Nurse` is no value, node, interval or set of column `job`",
        ),
        (
            "age in [70, 80)",
            "`[70, 80)` is no value, node, interval or set of column `age`",
        ),
        (
            "weight = 70.5",
            "column `weight` is continuous; ask for an interval such as `[20, 35)`",
        ),
        (
            "age in {31|38}",
            "column `age` is continuous; ask for an interval such as `[20, 35)`",
        ),
        ("job in {Lawyer|Janitor", "`{` is not closed"),
        ("job = \"Lawyer", "`\"` is not closed"),
        (
            "job in {Lawyer} or job = Janitor",
            "`or job = Janitor` follows a predicate; join predicates by `and`",
        ),
        (
            "job = Lawyer and job = Janitor",
            "column `job` is asked about twice; join both into one",
        ),
        (
            "job = Lawyer and ",
            "`Lawyer and` is no value, node, interval or set of column `job`",
        ),
    ] {
        let error = Workload::parse(&format!("job = Lawyer\n{line}"), &comparison).unwrap_err();
        assert_eq!(error.to_string(), format!("line 2: {message}"));
    }
}

fn census() -> Example {
    let columns = vec![
        numbers("age", Role::Quasi, 0.0, 99.0),
        tree("job", Role::Quasi, JOBS),
        words("country", Role::Quasi),
        words("disease", Role::Sensitive),
    ];
    let row = |n: usize| {
        let job = ["Engineer", "Lawyer", "Janitor"][n % 3];
        let country = ["a", "b", "c", "d", "e"][n * 7 % 5];
        format!("{};{job};{country};{}\n", n * 37 % 100, ["Flu", "HIV"][n % 2])
    };
    let rows: String = (0..300).map(row).collect();
    Example::new(columns, &rows, &rows)
}

#[test]
fn drawn_queries_are_met_by_some_row_and_the_same_for_the_same_seed() {
    let example = census();
    let comparison = example.comparison();
    for dimensions in 1..=3 {
        let settings = |seed| Generated {
            dimensions,
            selectivity: 0.05,
            queries: 200,
            seed,
            sensitive: None,
        };
        let draw = |seed| Workload::generate(&settings(seed), &comparison, &example.before).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        // The release is the data, so every answer is exact.
        let error = query_error(&draw(1), &comparison, &example.before, Work::unwatched()).unwrap();
        assert_eq!((error.queries, error.without_rows), (200, 0));
        assert!(error.percentile_95.unwrap() < 1e-12);
    }
}

#[test]
fn settings_that_no_query_can_meet_are_refused() {
    let example = census();
    let comparison = example.comparison();
    let refused = |settings: Generated| Workload::generate(&settings, &comparison, &example.before).unwrap_err();
    let dimensions = |dimensions| Generated {
        dimensions,
        ..Generated::default()
    };
    assert_eq!(
        refused(dimensions(0)),
        GenerateError::Dimensions {
            dimensions: 0,
            columns: 3
        }
    );
    assert_eq!(
        refused(dimensions(4)),
        GenerateError::Dimensions {
            dimensions: 4,
            columns: 3
        }
    );
    for selectivity in [0.0, -1.0, 1.5] {
        let settings = Generated {
            selectivity,
            ..Generated::default()
        };
        assert_eq!(refused(settings), GenerateError::Selectivity(selectivity));
    }
    let secret = |name: &str, dimensions| Generated {
        sensitive: Some(name.to_owned()),
        dimensions,
        ..Generated::default()
    };
    assert_eq!(refused(secret("salary", 2)), GenerateError::NoColumn("salary".into()));
    let workload = Workload::generate(&secret("disease", 4), &comparison, &example.before).unwrap();
    assert_eq!(workload.len(), 1000);
}

/// Nobody is in a table without rows.
#[test]
fn an_empty_table_has_no_queries() {
    let columns = vec![numbers("age", Role::Quasi, 0.0, 99.0)];
    let example = Example::new(columns, "", "");
    let settings = Generated {
        dimensions: 1,
        ..Generated::default()
    };
    let workload = Workload::generate(&settings, &example.comparison(), &example.before).unwrap();
    assert!(workload.is_empty());
}
