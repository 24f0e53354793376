//! Cells that a spreadsheet would take for formulas: told by file, column and row, or written as text.

use serde_json::{Value, json};

use crate::desk::Desk;

const COMMENTS: &str = "job,note,more\n\
    Cook,=1+1,-5\n\
    Cook,'=1+1,+2.5\n\
    Cook,fine,-\n\
    Cook,@x,3\n";

fn comments(release: &str) -> Desk {
    let policy = format!(
        "[data]\nfile = 'data.csv'\n[columns]\njob = {{ role = 'quasi' }}\nnote = {{ role = 'sensitive' }}\n\
         more = {{ role = 'class' }}\n\
         [[require]]\nanonymity = 4\n[[require]]\ndiversity = 4\nabout = 'note'\n[release]\n{release}\n"
    );
    Desk::with(&[("data.csv", COMMENTS), ("policy.toml", &policy)])
}

#[test]
fn formulas_are_counted_by_column_and_no_value_is_told() {
    let desk = comments("");
    let ended = desk.must(&["publish", "policy.toml"]);
    assert!(
        ended.err.contains("formulas") && ended.err.contains("`note` (2 cells)"),
        "{ended:?}"
    );
    let told = ended.err.lines().find(|line| line.contains("formulas")).unwrap();
    assert!(!told.contains("more") && !ended.err.contains("1+1"), "{ended:?}");
    assert!(desk.read("out/released.csv").contains("\nCook,=1+1,-5\n"));
    let page = desk.read("out/private/report.md");
    assert!(page.contains("formulas"), "{page}");

    let desk = comments("format = 'parquet'");
    let ended = desk.must(&["publish", "policy.toml"]);
    assert!(!ended.err.contains("formulas"), "{ended:?}");
}

/// Reads a released file as a spreadsheet does, and says as `private/formulas.json` which cells begin like a formula. No cell
/// has quotes or commas.
pub fn found_in(desk: &Desk, file: &str, name: &str) -> Vec<Value> {
    let text = desk.read(file);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let begins = |cell: &str| cell.starts_with(['=', '+', '-', '@']) && cell.len() > 1 && cell.parse::<f64>().is_err();
    let mut found = Vec::new();
    for (place, column) in rows[0].iter().enumerate() {
        let numbers = (1..).zip(&rows).filter(|(_, row)| begins(row[place]));
        let numbers: Vec<usize> = numbers.map(|(number, _)| number).collect();
        if !numbers.is_empty() {
            found.push(json!({ "file": name, "column": column, "cells": numbers.len(), "rows": ranges(&numbers) }));
        }
    }
    found
}

fn ranges(numbers: &[usize]) -> Vec<String> {
    let range = |run: &[usize]| match run {
        [alone] => alone.to_string(),
        several => format!("{}-{}", several[0], several[several.len() - 1]),
    };
    numbers.chunk_by(|a, b| a + 1 == *b).map(range).collect()
}

/// Rows are sorted when they are written, so the rows of the data would be others. The last column is sensitive and has
/// its formulas scattered; the name of the first is a formula itself.
#[test]
fn the_report_tells_the_rows_of_the_released_file() {
    let mut data = String::from("=key,job,day,note\n");
    for row in 0..200 {
        let note = ["=1+1", "fine", "@x", "-5", "+41 44", "-"][row * 7 % 13 % 6];
        let (key, job) = (["b", "=a"][row % 2], ["Cook", "+Nurse", "Zoo"][row * 5 % 3]);
        data += &format!("{key},{job},{},{note}\n", row % 17);
    }
    let policy = "[data]\nfile = 'data.csv'\n[columns]\n\"=key\" = { role = 'quasi' }\njob = { role = 'quasi' }\n\
                  day = { role = 'other' }\nnote = { role = 'sensitive' }\n[[require]]\nanonymity = 4\n[release]\n";
    let desk = Desk::with(&[("data.csv", &data), ("policy.toml", policy)]);
    let ended = desk.must(&["publish", "policy.toml"]);
    let report = desk.json("out/private/formulas.json");
    let found = found_in(&desk, "out/released.csv", "released.csv");
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(report["columns"], json!(found));
    assert_eq!(
        found[0]["rows"],
        json!(["1-101"]),
        "the header is row 1, and `=a` before `b`"
    );
    let cells = found[2]["cells"].as_u64().unwrap();
    let told = ended.err.lines().find(|line| line.contains("formulas")).unwrap();
    let listed = format!("`note` ({cells} cells) in rows ");
    let after = told
        .split(&listed)
        .nth(1)
        .unwrap()
        .split(" of released.csv")
        .next()
        .unwrap();
    let (first, more) = after.split_once(" and ").unwrap();
    let all = found[2]["rows"].as_array().unwrap();
    assert_eq!(
        first.split(", ").collect::<Vec<_>>(),
        all[..10].iter().map(|rows| rows.as_str().unwrap()).collect::<Vec<_>>()
    );
    assert_eq!(more, format!("{} more", cells - rows_in(&all[..10])));
    assert!(
        told.ends_with("row 1 is the header, and private/formulas.json lists all rows"),
        "{told}"
    );
    assert!(!desk.read("out/private/formulas.json").contains("41 44"));

    // In the order of the data the numbers are others, and again those of the file.
    desk.put(
        "input.toml",
        format!("{policy}order = 'input'\nfolder = 'input'\n").as_bytes(),
    );
    desk.must(&["publish", "input.toml"]);
    let report = desk.json("input/private/formulas.json");
    let in_order = found_in(&desk, "input/released.csv", "released.csv");
    assert_eq!(report["columns"], json!(in_order));
    assert_ne!(in_order, found);

    // A release without formulas that replaces this one has no report of them.
    desk.put("data.csv", data.replace(['=', '+', '@'], "").as_bytes());
    desk.put("plain.toml", policy.replace("=key", "key").as_bytes());
    let ended = desk.must(&["publish", "plain.toml", "--force"]);
    assert!(
        !ended.err.contains("formulas") && !desk.has("out/private/formulas.json"),
        "{ended:?}"
    );
}

fn rows_in(ranges: &[Value]) -> u64 {
    let rows = ranges.iter().map(|range| {
        let (first, last) = range
            .as_str()
            .unwrap()
            .split_once('-')
            .unwrap_or((range.as_str().unwrap(), ""));
        let first: u64 = first.parse().unwrap();
        last.parse::<u64>().unwrap_or(first) - first + 1
    });
    rows.sum()
}

/// A Parquet file says of every cell that it is text, so nobody is warned; but whoever makes a CSV file of it may look the
/// rows up.
#[test]
fn a_parquet_release_has_the_same_report_as_a_csv_release() {
    let reports = ["format = 'csv'", "format = 'parquet'"].map(|format| {
        let desk = comments(format);
        desk.must(&["publish", "policy.toml"]);
        desk.json("out/private/formulas.json")
    });
    let rows = |report: &Value| report["columns"][0]["rows"].clone();
    assert_eq!(rows(&reports[0]), json!(["3-4"]));
    assert_eq!(rows(&reports[0]), rows(&reports[1]));
    assert_eq!(reports[1]["columns"][0]["file"], "released.parquet");
}

/// The secrets are in another file, in another order.
#[test]
fn formulas_of_secrets_that_are_apart_are_told_by_the_file_that_they_are_in() {
    let mut data = String::from("job,disease\n");
    for row in 0..40 {
        data += &format!(
            "{},{}\n",
            ["+Nurse", "Cook"][row % 2],
            ["Flu", "=HIV", "Cold", "@Ulcer"][row / 2 % 4]
        );
    }
    let policy = "[data]\nfile = 'data.csv'\n[columns]\njob = { role = 'quasi' }\ndisease = { role = 'sensitive' }\n\
                  [[require]]\ndiversity = 2\nabout = 'disease'\n[method]\nname = 'anatomy'\n";
    let desk = Desk::with(&[("data.csv", &data), ("policy.toml", policy)]);
    let ended = desk.must(&["publish", "policy.toml"]);
    let mut found = found_in(&desk, "out/released.csv", "released.csv");
    found.extend(found_in(&desk, "out/released-secrets.csv", "released-secrets.csv"));
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(desk.json("out/private/formulas.json")["columns"], json!(found));
    assert!(ended.err.contains(" of released-secrets.csv"), "{ended:?}");
}

/// Four different notes stay four, in the file and for whoever audits it.
#[test]
fn formulas_written_as_text_are_audited_as_what_they_are() {
    let desk = comments("formulas = 'text'");
    let ended = desk.must(&["publish", "policy.toml"]);
    assert!(!ended.err.contains("formulas"), "{ended:?}");
    let released = desk.read("out/released.csv");
    for cell in [",'=1+1,-5\n", ",''=1+1,+2.5\n", ",fine,-\n", ",'@x,3\n"] {
        assert!(released.contains(cell), "{cell:?}: {released}");
    }
    assert_eq!(desk.json("out/certificate.json")["formulas"], "text");
    let audit = desk.must(&["audit", "out/released.csv", "policy.toml"]);
    assert!(audit.out.contains('4'), "{audit:?}");
    let evaluated = desk
        .must(&["evaluate", "data.csv", "out/released.csv", "policy.toml", "--json"])
        .out;
    let evaluated: serde_json::Value = serde_json::from_str(&evaluated).unwrap();
    assert_eq!(evaluated["information_loss"]["rows_released"], 4);
}

#[test]
fn formulas_of_several_tables_are_told_with_their_table() {
    let desk = Desk::sample("university");
    let courses = desk.read("courses.csv").replace("Physics", "=Physics");
    let tree = desk.read("course-tree.csv").replace("Physics", "=Physics");
    desk.put("courses.csv", courses.as_bytes());
    desk.put("course-tree.csv", tree.as_bytes());
    let ended = desk.must(&["publish", "policy.toml"]);
    assert!(ended.err.contains("`courses.course` (2 cells)"), "{ended:?}");
    let found = found_in(&desk, "out/courses.csv", "courses.csv");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(desk.json("out/private/formulas.json")["columns"], json!(found));
    let rows: Vec<&str> = found[0]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rows| rows.as_str().unwrap())
        .collect();
    let told = format!("`courses.course` (2 cells) in rows {} of courses.csv", rows.join(", "));
    assert!(ended.err.contains(&told), "{ended:?}");
    let text = desk
        .read("policy.toml")
        .replace("folder = \"out\"", "formulas = 'text'");
    desk.put("text.toml", text.as_bytes());
    let ended = desk.must(&["publish", "text.toml", "--out", "text"]);
    assert!(!ended.err.contains("formulas"), "{ended:?}");
    assert!(desk.read("text/courses.csv").contains(",'=Physics,"));
    desk.must(&["audit", "text", "text.toml"]);
}
