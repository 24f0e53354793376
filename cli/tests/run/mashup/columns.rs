//! What of a party's columns goes out: what the agreement lists, and what is nearly unique only if it says so.

use super::company::{Company, Owned, Split};

/// The second party also has a number of its own for each person, as other.
fn with_visit(what: &str) -> Company {
    let mut split = Split::small(2);
    let lines = split.table.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line},visit\n"),
        row => format!("{line},V{row}\n"),
    });
    split.table = lines.collect();
    split.columns.push(Owned::new("visit", what, &[1]));
    Company::of(&split)
}

/// Whose column it is is told; the others learn nothing of it.
#[test]
fn a_column_that_is_not_listed_stays_with_its_party_which_is_told() {
    let company = Company::small(2);
    let bank = company.desk.read("bank.csv");
    let more: Vec<String> = bank
        .lines()
        .enumerate()
        .map(|(row, line)| match row {
            0 => format!("{line},note"),
            row => format!("{line},n{row}"),
        })
        .collect();
    company.desk.put("bank.csv", (more.join("\n") + "\n").as_bytes());
    let ended = company.run(&[]);
    company.succeeded(&ended);
    let warning = "not published, because [columns] does not list them: note";
    assert!(ended[0].err.contains(warning), "{:?}", ended[0]);
    assert!(!ended[1].err.contains("note"), "{:?}", ended[1]);
    assert!(!company.desk.read("out-bank/released.csv").contains("note"));
    // What is alone on the columns published as they are, all can count.
    for ended in &ended {
        assert!(
            ended
                .out
                .contains("on the columns published as they are: 0 of 24 rows alone"),
            "{ended:?}"
        );
    }
    assert_eq!(
        company.desk.json("out-bank/certificate.json")["singled_out"]["as_they_are"]["uniques"],
        0
    );
}

#[test]
fn a_nearly_unique_column_is_not_told_to_the_others() {
    let company = with_visit("role = 'other'");
    // The other party need not be there: nobody is waited for.
    let refused = company.start("clinic", &[]).end();
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("column `visit` cannot be published as other"),
        "{refused:?}"
    );
    company.nothing_written();
    let company = with_visit("role = 'other', unique = true");
    let release = company.must();
    assert!(release.lines().next().unwrap().contains("visit"), "{release}");
}
