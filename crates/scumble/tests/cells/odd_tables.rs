//! Odd tables end in a release that holds, or in an error that says what to do: never in a crash.

use std::panic::{AssertUnwindSafe, catch_unwind};

use scumble::errors::SearchError;
use scumble::{Error, Fault, Options, Policy, Unwatched, publish};

use crate::desk::Desk;

fn refused(desk: &Desk, policy: &str) -> Error {
    match desk.publish(policy) {
        Ok(_) => panic!("published\n{policy}"),
        Err(error) => error,
    }
}

#[test]
fn dropping_every_row_is_an_error_that_says_so() {
    let desk = Desk::with(&[("data.csv", "age,job\n,a\n3,\n,\n")]);
    for method in ["refine", "full-domain", "local", "upc", "mondrian"] {
        let policy = format!(
            "[data]\nfile = \"data.csv\"\nmissing = \"drop\"\n[columns]\nage = {{ role = \"quasi\", type = \"continuous\" }}\n\
             job = {{ role = \"quasi\" }}\n[[require]]\nanonymity = 2\n[method]\nname = \"{method}\"\n"
        );
        let error = refused(&desk, &policy);
        assert_eq!(error.fault(), Fault::Input, "{error}");
        assert!(
            error.to_string().contains("each of its 3 rows lacks a value"),
            "{error}"
        );
    }
}

/// A word in a row that is dropped does not make the order of the others that of words.
#[test]
fn numbers_are_in_order_when_the_one_word_is_dropped() {
    let desk = Desk::with(&[("data.csv", "zip,s\n1,9\n1,10\n2,10\n2,100\n1,100\n2,9\n,word\n")]);
    let policy = "[data]\nfile = \"data.csv\"\nmissing = \"drop\"\n[columns]\nzip = { role = \"quasi\" }\n\
                  s = { role = \"sensitive\" }\n[[require]]\ncloseness = 0.4\ndistance = \"ordered\"\nabout = \"s\"\n";
    let publication = desk.must_publish(policy);
    let audit = desk.audit(policy);
    assert_eq!(audit.require[0].level, Some(publication.certificate.require[0].level));
}

/// In the order of the file, D is before A: as text it would be after it.
const ORDERED: &str = "D;ANY\nC;ANY\nB;ANY\nA;ANY\n";

/// The distance by hand: groups of equal secrets against all, over the four values in the order of the tree.
fn ordered_level(groups: &[Vec<String>]) -> f64 {
    let place = |secret: &String| "DCBA".find(&secret[..]).unwrap();
    let shares = |secrets: &[&String]| {
        let mut shares = [0.0; 4];
        secrets
            .iter()
            .for_each(|secret| shares[place(secret)] += 1.0 / secrets.len() as f64);
        shares
    };
    let all: Vec<&String> = groups.iter().flatten().collect();
    let whole = shares(&all);
    let distance = |group: &Vec<String>| {
        let own = shares(&group.iter().collect::<Vec<_>>());
        let mut moved = 0.0;
        let passing = own.iter().zip(&whole).map(|(own, whole)| {
            moved += own - whole;
            f64::abs(moved)
        });
        passing.sum::<f64>() / 3.0
    };
    groups.iter().map(distance).fold(0.0, f64::max)
}

#[test]
fn secrets_apart_are_ordered_as_their_tree_is() {
    let secrets: Vec<&str> = "A B C D A A B C D D A B C A B D".split(' ').collect();
    let lines = secrets
        .iter()
        .enumerate()
        .map(|(row, secret)| format!("{row},{secret}\n"));
    let data = format!("zip,s\n{}", lines.collect::<String>());
    let desk = Desk::with(&[("data.csv", &data), ("s.csv", ORDERED)]);
    let mut found = 0;
    for bound in [0.05, 0.1, 0.2, 0.3, 0.5] {
        let policy = format!(
            "[data]\nfile = \"data.csv\"\n[columns]\nzip = {{ role = \"quasi\" }}\n\
             s = {{ role = \"sensitive\", taxonomy = \"s.csv\" }}\n[[require]]\ncloseness = {bound}\n\
             distance = \"ordered\"\nabout = \"s\"\n[method]\nname = \"anatomy\"\n"
        );
        let publication = match desk.publish(&policy) {
            Ok(publication) => publication,
            Err(Error::Search(SearchError::CannotBeMet(_))) => continue,
            Err(error) => panic!("{error}"),
        };
        found += 1;
        let text = desk.read("out/released-secrets.csv");
        let rows = text.lines().skip(1).map(|line| line.split_once(',').unwrap());
        let mut groups: Vec<Vec<String>> = Vec::new();
        for (group, secret) in rows {
            let place = group.parse::<usize>().unwrap() - 1;
            groups.resize(groups.len().max(place + 1), Vec::new());
            groups[place].push(secret.to_owned());
        }
        let level = publication.certificate.require[0].level.number();
        assert!(
            (level - ordered_level(&groups)).abs() < 1e-9,
            "{level} {}",
            ordered_level(&groups)
        );
        let audit = desk.audit(&policy);
        assert!(audit.holds, "{audit:?}");
        assert_eq!(audit.require[0].level, Some(publication.certificate.require[0].level));
    }
    assert!(found > 2);
}

/// `a|b` beside `c` would be read as three values, `{a` as the beginning of a set, and `*` as a group that tells nothing.
#[test]
fn values_that_cannot_be_told_in_a_set_are_refused() {
    for value in ["a|b", "{a", "{a|b}", "*"] {
        for method in ["upc", "local", "toc", "mondrian", "k-member", "k-member-p"] {
            let desk = Desk::with(&[("data.csv", &format!("town,s\n{value},1\nb,2\nc,1\nd,2\n"))]);
            let policy = format!(
                "[data]\nfile = \"data.csv\"\n[columns]\ntown = {{ role = \"quasi\" }}\ns = {{ role = \"sensitive\" }}\n\
                 [[require]]\nanonymity = 2\n[method]\nname = \"{method}\"\n"
            );
            let error = refused(&desk, &policy).to_string();
            assert!(error.contains("groups show column `town` as sets"), "{error}");
            // The star is in the message itself.
            assert!(value == "*" || !error.contains(value), "{error}");
            // Masks and centres show no sets.
            desk.must_publish(&policy.replace(method, "refine"));
            desk.must_publish(&policy.replace(method, "microaggregation"));
        }
    }
}

#[test]
fn a_continuous_column_may_be_shown_as_sets() {
    let desk = Desk::with(&[("data.csv", "age,s\n1,1\n2,2\n90,1\n91,2\n50,1\n51,3\n52,4\n3,4\n")]);
    for method in ["upc", "local", "mondrian", "toc"] {
        for range in ["", ", range = [0, 100]"] {
            let policy = format!(
                "[data]\nfile = \"data.csv\"\n[columns]\n\
                 age = {{ role = \"quasi\", type = \"continuous\", form = \"set\"{range} }}\ns = {{ role = \"sensitive\" }}\n\
                 [[require]]\nanonymity = 2\n[method]\nname = \"{method}\"\n"
            );
            desk.must_publish(&policy);
            assert!(desk.audit(&policy).holds);
        }
    }
}

/// Groups 20, 40 and 29, 31 show the same mean; together three of four have what one of them guards.
#[test]
fn groups_that_show_one_centre_are_one_to_a_reader() {
    let tree = "HIV;ANY\nFlu;ANY\n";
    let mut rng = fastrand::Rng::with_seed(7);
    let mut published = 0;
    for case in 0..300 {
        let rows = rng.usize(4..14);
        let line = |rng: &mut fastrand::Rng| {
            let (disease, guard) = (["HIV", "Flu"][rng.usize(0..2)], ["HIV", "Flu", "", ""][rng.usize(0..4)]);
            format!("{},{disease},{guard}\n", [10, 20, 30, 40, 29, 31][rng.usize(0..6)])
        };
        let data = format!(
            "age,disease,guard\n{}",
            (0..rows).map(|_| line(&mut rng)).collect::<String>()
        );
        let desk = Desk::with(&[("data.csv", &data), ("d.csv", tree)]);
        for centre in ["mean", "median", "mode"] {
            let policy = format!(
                "[data]\nfile = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\", type = \"continuous\" }}\n\
                 disease = {{ role = \"sensitive\", taxonomy = \"d.csv\" }}\nguard = {{ role = \"identifier\" }}\n\
                 [[require]]\nanonymity = 2\n[[require]]\npersonal = 0.6\nabout = \"disease\"\nguarding = \"guard\"\n\
                 [method]\nname = \"microaggregation\"\ncentre = \"{centre}\"\n"
            );
            match desk.publish(&policy) {
                Ok(_) => published += 1,
                Err(error) => assert_eq!(error.fault(), Fault::Requirement, "case {case}: {error}\n{data}"),
            }
        }
    }
    assert!(published > 300, "{published}");
}

/// Nobody is near anybody, and all but one may be left out: no release is empty, whatever the budget.
#[test]
fn an_empty_release_is_an_error_that_says_what_would_help() {
    let desk = Desk::with(&[("data.csv", "age,s\n1,1\n50,1\n99,1\n")]);
    let upc = "[data]\nfile = \"data.csv\"\n[columns]\nage = { role = \"quasi\", type = \"continuous\", range = [0, 100] }\n\
               s = { role = \"sensitive\" }\n[[require]]\nanonymity = 2\n[method]\nname = \"upc\"\nloss_at_most = 0.1\n\
               rows_suppressed_at_most = 0.9999999999999999\n";
    let refine = upc.replace("name = \"upc\"\nloss_at_most = 0.1", "name = \"refine\"");
    let refine = refine.replace("anonymity = 2", "anonymity = 4");
    for policy in [upc, &refine, &refine.replace("refine", "full-domain")] {
        let error = refused(&desk, policy);
        assert_eq!(error.fault(), Fault::Requirement, "{error}");
        let told = error.to_string();
        assert!(
            told.contains("loosen the bounds") || told.contains("can be met"),
            "{told}"
        );
    }
    let nothing = Error::from(SearchError::NothingReleased { rows: 3 });
    assert_eq!(nothing.fault(), Fault::Requirement);
    assert!(nothing.to_string().contains("all 3 rows would have to be left out"));
}

#[test]
fn a_small_mean_is_not_zero() {
    let desk = Desk::with(&[("data.csv", "dose,s\n0.00001,1\n0.00003,2\n0.5,1\n0.7,2\n")]);
    let policy = "[data]\nfile = \"data.csv\"\n[columns]\ndose = { role = \"quasi\", type = \"continuous\" }\n\
                  s = { role = \"sensitive\" }\n[[require]]\nanonymity = 2\n[method]\nname = \"microaggregation\"\n";
    desk.must_publish(policy);
    assert_eq!(desk.released("dose"), ["0.00002", "0.00002", "0.6", "0.6"]);
}

const METHODS: [&str; 11] = [
    "refine",
    "full-domain",
    "local",
    "toc",
    "upc",
    "mondrian",
    "k-member",
    "k-member-p",
    "microaggregation",
    "microaggregation\"\ncentre = \"median",
    "anatomy",
];

/// Every method, on every odd table, with every kind of column: a release that its audit passes, or an error of the input
/// or the requirement.
#[test]
fn no_method_crashes_on_odd_tables() {
    let tables = [
        "age,job,town,s\n",
        "age,job,town,s\n1,a,x,HIV\n",
        "age,job,town,s\n,,,\n,,,\n,,,\n",
        "age,job,town,s\n1,a,x,HIV\n1,a,x,HIV\n1,a,x,HIV\n1,a,x,HIV\n",
        "age,job,town,s\n1,a,x,HIV\n2,b,y,Flu\n3,c,z,HIV\n4,a,*,Flu\n",
        "age,job,town,s\n,a,x,HIV\n2,,y,Flu\n3,c,,\n4,a,z,Flu\n",
        "age,job,town,s\n1e308,a,[1; 2],HIV\n-1e308,b,*,Flu\n0,c,1-5,HIV\n-0,a,A*,Flu\n1e-308,b,x,Flu\n",
        "age,job,town,s\n1.7976931348623157e308,a,x,HIV\n-1.7976931348623157e308,b,y,Flu\n1e308,c,x,HIV\n5e-324,a,y,Flu\n",
        "age,job,town,s\n0.1,a,\u{a0},1\n0.2,b,\u{200b},1.0\n0.3,c,x,01\n0.1,a,x,1\n0.2,b,x,2\n",
    ];
    let requirements = [
        "anonymity = 2",
        "diversity = 2\nabout = \"s\"",
        "anonymity = 2\n[[require]]\nconfidence = 0.7\nabout = { s = \"*\" }",
        "closeness = 0.5\nabout = \"s\"",
        "range-diversity = 0.9\nabout = \"s\"",
    ];
    for (number, table) in tables.iter().enumerate() {
        let desk = Desk::with(&[("data.csv", table), ("job.csv", "a;A;J\nb;A;J\nc;B;J\n")]);
        for method in METHODS {
            for requirement in requirements {
                for (data, columns, more) in [
                    ("", ["", ""], ""),
                    (
                        "missing = \"drop\"",
                        [", range = [-1e308, 1e308]", ""],
                        "rows_suppressed_at_most = 0.6\n",
                    ),
                    ("", ["", ", form = \"set\""], "rows_suppressed_at_most = 0.3\n"),
                ] {
                    let ranges = if requirement.starts_with("range") {
                        ", type = \"continuous\", sensitive_ranges = 10"
                    } else {
                        ""
                    };
                    let policy = format!(
                        "[data]\nfile = \"data.csv\"\n{data}\n[columns]\n\
                         age = {{ role = \"quasi\", type = \"continuous\"{} }}\n\
                         job = {{ role = \"quasi\", taxonomy = \"job.csv\"{} }}\ntown = {{ role = \"quasi\" }}\n\
                         s = {{ role = \"sensitive\"{ranges} }}\n[[require]]\n{requirement}\n[method]\nname = \"{method}\"\n{more}",
                        columns[0], columns[1]
                    );
                    ends_well(&desk, &policy, number);
                }
            }
        }
    }
}

fn ends_well(desk: &Desk, policy: &str, table: usize) {
    let Ok(read) = Policy::parse(policy, "policy.toml", desk.path()) else {
        return;
    };
    let options = Options {
        replace: true,
        ..Options::default()
    };
    let ended = catch_unwind(AssertUnwindSafe(|| publish(&read.clone(), &options, &Unwatched)));
    match ended {
        Err(_) => panic!("a crash on table {table}\n{policy}"),
        Ok(Ok(_)) => assert!(desk.audit(policy).holds, "table {table}\n{policy}"),
        Ok(Err(error)) => {
            let fault = error.fault();
            assert!(
                matches!(fault, Fault::Input | Fault::Requirement),
                "table {table}: {error}\n{policy}"
            );
        }
    }
}
