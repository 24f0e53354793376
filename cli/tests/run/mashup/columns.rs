//! What of a party's columns goes out: what the agreement lists, and what is nearly unique only if it says so.

use serde_json::json;

use super::company::{Company, Owned, Split};
use crate::formulas::found_in;

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

/// The numbers are those of the joined release, whose rows nobody has in this order.
#[test]
fn the_report_of_formulas_tells_every_party_the_rows_of_the_release() {
    let mut split = Split::small(2);
    let lines = split.table.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line},note\n"),
        row => format!("{line},{}\n", ["=1+1", "fine", "@x", "-5"][row * 5 % 4]),
    });
    split.table = lines.collect();
    split.columns.push(Owned::new("note", "role = 'other'", &[1]));
    let company = Company::of(&split);
    let ended = company.run(&[]);
    company.succeeded(&ended);
    for (ended, name) in ended.iter().zip(&company.names) {
        let found = found_in(&company.desk, &format!("out-{name}/released.csv"), "released.csv");
        assert_eq!(found[0]["cells"], 12, "{found:?}");
        let report = company.desk.json(&format!("out-{name}/private/formulas.json"));
        assert_eq!(report["columns"], json!(found));
        assert!(ended.err.contains("`note` (12 cells) in rows "), "{ended:?}");
    }
}
