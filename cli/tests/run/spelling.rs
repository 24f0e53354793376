//! How numbers are written, as a user publishes them: a release shows no text, and no end of an interval, that only somebody
//! has who is not in it.

use crate::desk::Desk;

/// All that is given away of a release.
fn given_away(desk: &Desk) -> String {
    desk.read("out/released.csv") + &desk.read("out/certificate.json")
}

/// A table of ages, and the people of a town by age.
fn town(ages: &[(&str, usize)], people: &[(&str, usize)], method: &str, range: &str) -> Desk {
    let lines = |ages: &[(&str, usize)], rest: &str| -> String {
        let lines = ages.iter().map(|(age, count)| format!("{age}{rest}\n").repeat(*count));
        lines.collect()
    };
    let policy = format!(
        "[data]\nfile = 'd.csv'\n[columns]\nage = {{ role = 'quasi', type = 'continuous'{range} }}\n\
         ill = {{ role = 'sensitive' }}\n[[require]]\nk-map = 5\npopulation = 'town.csv'\n[method]\n{method}\n"
    );
    Desk::with(&[
        ("d.csv", &format!("age,ill\n{}", lines(ages, ",flu"))),
        ("town.csv", &format!("age\n{}", lines(people, ""))),
        ("p.toml", &policy),
    ])
}

/// The town writes 01 and 2.0 where the table has 1 and 2, and the table has 2 in two ways.
#[test]
fn a_population_does_not_say_how_the_numbers_of_a_release_are_written() {
    let people = [("01", 5), ("2.0", 5), ("+3", 5)];
    let ages = [("1", 3), ("2", 1), ("02", 2), ("3.50", 1)];
    let people: Vec<(&str, usize)> = people.into_iter().chain([("3.5", 5)]).collect();
    let desk = town(&ages, &people, "name = 'full-domain'", "");
    desk.must(&["publish", "p.toml"]);
    let released = desk.read("out/released.csv");
    assert_eq!(
        released,
        "age,ill\n1,flu\n1,flu\n1,flu\n2,flu\n2,flu\n2,flu\n3.50,flu\n"
    );
    desk.must(&["audit", "out/released.csv", "p.toml"]);
}

/// Nobody of 117 is in the table, nor anybody of 0.5: no interval ends there, and none is parted as if there were halves.
#[test]
fn no_interval_ends_at_somebody_who_is_only_in_the_population() {
    let ages: Vec<String> = (20..52).map(|age| age.to_string()).collect();
    let rows: Vec<(&str, usize)> = ages.iter().map(|age| (&age[..], 1)).collect();
    let people: Vec<(&str, usize)> = ages.iter().map(|age| (&age[..], 2)).collect();
    let people = [&people[..], &[("117", 3), ("0.5", 3)]].concat();
    for method in ["name = 'full-domain'", "name = 'refine'"] {
        let desk = town(&rows, &people, method, "");
        desk.must(&["publish", "p.toml"]);
        let shown = given_away(&desk);
        assert!(shown.contains("[20, ") && shown.contains(", 51]"), "{method}: {shown}");
        assert!(!shown.contains("117") && !shown.contains("0.5"), "{method}: {shown}");
        desk.must(&["audit", "out/released.csv", "p.toml"]);
    }
}

/// Of the row that is left out, or dropped, nobody learns that it had 007.
#[test]
fn the_way_that_a_row_left_out_is_written_in_is_not_shown() {
    let policy = |method: &str| {
        format!(
            "[data]\nfile = 'd.csv'\nmissing = 'drop'\n[columns]\njob = {{ role = 'quasi' }}\n\
             pay = {{ role = 'sensitive', type = 'continuous' }}\n[[require]]\nanonymity = 2\n[method]\n{method}\n\
             rows_suppressed_at_most = 0.5\n"
        )
    };
    let data = "job,pay\ncook,7.0\ncook,7.0\nclerk,8\nclerk,7.0\njudge,007\n,07.0\n";
    for method in [
        "name = 'refine'",
        "name = 'full-domain'",
        "name = 'upc'\nloss_at_most = 0.1",
    ] {
        let desk = Desk::with(&[("d.csv", data), ("p.toml", &policy(method))]);
        desk.must(&["publish", "p.toml"]);
        let released = desk.read("out/released.csv");
        assert_eq!(released.lines().count(), 5, "{method}: {released}");
        assert!(!given_away(&desk).contains("07"), "{method}: {released}");
    }
}
