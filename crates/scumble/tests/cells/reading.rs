//! How cells are read is part of what a release says about itself.

use std::path::PathBuf;

use scumble::results::Recoding;
use scumble::{Adversary, Unwatched, attack_file};

use crate::desk::Desk;

fn policy(data: &str) -> String {
    format!(
        "[data]\nfile = \"data.csv\"\n{data}\n[columns]\nzip = {{ role = \"quasi\" }}\n\
         disease = {{ role = \"sensitive\" }}\n[[require]]\ndiversity = 2\nabout = \"disease\"\n"
    )
}

/// ` HIV` and `HIV` are two values where blanks count, for whoever publishes and whoever audits.
#[test]
fn publish_and_audit_read_blanks_alike() {
    let rows = "zip,disease\n1,HIV\n1, HIV\n2,HIV\n2, HIV\n";
    let desk = Desk::with(&[("data.csv", rows)]);
    let untrimmed = policy("trim = false");
    let publication = desk.must_publish(&untrimmed);
    let audit = desk.audit(&untrimmed);
    assert!(audit.holds);
    assert_eq!(audit.require[0].level, Some(publication.certificate.require[0].level));
    assert!(
        desk.read("out/certificate.json")
            .contains("\"reading\": {\n    \"trim\": false\n  }")
    );
    // For who lets blanks not count they are one value, before and after.
    assert!(desk.publish(&policy("")).is_err());
    assert!(!desk.audit(&policy("")).holds);
}

#[test]
fn a_certificate_of_usual_reading_says_nothing_of_it() {
    let desk = Desk::with(&[("data.csv", "zip,disease\n1,HIV\n1,Flu\n")]);
    desk.must_publish(&policy(""));
    assert!(!desk.read("out/certificate.json").contains("reading"));
}

/// Without a policy, the certificate beside the file tells.
#[test]
fn an_attack_reads_a_release_as_its_certificate_says() {
    let rows = "zip,disease\n 1,HIV\n 1,Flu\n1,HIV\n1,Flu\n";
    let desk = Desk::with(&[("data.csv", rows)]);
    desk.must_publish(&policy("trim = false"));
    let groups = |released: PathBuf| {
        let adversary = Adversary {
            policy: None,
            known: None,
            is_population: false,
            quasi: vec!["zip".to_owned()],
            sensitive: Vec::new(),
            taxonomies: Vec::new(),
            cells: Vec::new(),
            recoding: Some(Recoding::Global),
            k: 5,
            threshold: 0.5,
        };
        attack_file(&released, &adversary, &Unwatched)
            .unwrap()
            .report
            .risks
            .groups
    };
    assert_eq!(groups(desk.path().join("out/released.csv")), 2);
    desk.put("alone.csv", desk.read("out/released.csv"));
    assert_eq!(groups(desk.path().join("alone.csv")), 1);
}

/// An earlier release is read by its own certificate, whatever the new policy says of its data.
#[test]
fn an_earlier_release_is_read_as_it_was_written() {
    let rows = "zip,disease\n 1,HIV\n 1,Flu\n1,HIV\n1,Flu\n";
    let desk = Desk::with(&[("data.csv", rows)]);
    desk.must_publish(&policy("trim = false"));
    let again = |data: &str| {
        let policy = policy(data).replace("diversity = 2\nabout = \"disease\"", "anonymity = 2\nof = [\"zip\"]");
        format!(
            "{policy}[[earlier]]\nname = \"old\"\nfile = \"out/released.csv\"\njoin = [\"zip\"]\n[release]\nfolder = \"new\"\n"
        )
    };
    desk.must_publish(&again("trim = false"));
    // Of a table in which blanks do not count, ` 1` is not there.
    assert!(desk.publish(&again("")).is_err());
}

#[test]
fn labels_with_blanks_are_refused_where_blanks_do_not_count() {
    let files = [
        ("json", "{\"ANY\": [\" HIV\", \"Flu\"]}"),
        ("levels", "\" HIV\";ANY\nFlu;ANY\n"),
    ];
    for (form, tree) in files {
        let desk = Desk::with(&[("data.csv", "zip,disease\n1, HIV\n1,Flu\n"), ("disease.tree", tree)]);
        let policy = |data| policy(data).replace("\"sensitive\"", "\"sensitive\", taxonomy = \"disease.tree\"");
        let error = desk.publish(&policy("")).unwrap_err().to_string();
        assert!(
            error.contains("disease.tree:1: the label ` HIV` has blanks around it"),
            "{form}: {error}"
        );
        assert!(error.contains("trim = false"), "{error}");
        desk.must_publish(&policy("trim = false"));
        assert!(desk.audit(&policy("trim = false")).holds);
    }
}

/// A no-break space is part of a cell, and so of a label, in whichever form a taxonomy is.
#[test]
fn other_blanks_are_part_of_cells_and_of_labels() {
    for tree in [
        "\u{a0}HIV;ANY\nFlu;ANY\n",
        "ANY\n \u{a0}HIV\n Flu\n",
        "{\"ANY\": [\"\u{a0}HIV\", \"Flu\"]}",
    ] {
        let desk = Desk::with(&[
            ("data.csv", "zip,disease\n1,\u{a0}HIV\n1,Flu\n"),
            ("disease.tree", tree),
        ]);
        let policy = policy("").replace("\"sensitive\"", "\"sensitive\", taxonomy = \"disease.tree\"");
        desk.must_publish(&policy);
        assert!(desk.audit(&policy).holds);
    }
}

/// What is written is read back: blanks, line ends and marks in cells, one column with missing values, a mark of the
/// encoding in a name.
#[test]
fn odd_cells_are_audited_as_they_were_published() {
    let odd = [
        ("zip,disease\n1,\"a\nb\"\n1,\"a\r\nb\"\n1,\n1,\"\"\n", ""),
        ("zip,disease\n1,\"a\nb\"\n1,\"a\r\nb\"\n1,\" \"\n1,  \n", "trim = false"),
        ("zip,disease\n1,?\n1,a\n1,\u{feff}a\n1,b\n", "missing_marks = [\"?\"]"),
        (
            "zip,disease\n\"1\",\"a\"\"b\"\n1,\"a,b\"\n\"\n1\",a\n\"1\n\",b\n",
            "trim = false",
        ),
        ("zip,disease\n1,\u{a0}\n1,\u{2003}\n1,\u{200b}\n1,x\n", ""),
    ];
    for (rows, data) in odd {
        let desk = Desk::with(&[("data.csv", rows)]);
        let policy = policy(data);
        let publication = desk.must_publish(&policy);
        let audit = desk.audit(&policy);
        assert!(audit.holds, "{rows:?}");
        assert_eq!(audit.rows as u64, publication.certificate.rows.published, "{rows:?}");
        let level = publication.certificate.require[0].level;
        assert_eq!(audit.require[0].level, Some(level), "{rows:?}");
    }
}

#[test]
fn one_column_with_missing_values_keeps_its_rows() {
    for (data, trim) in [
        ("zip\n1\n\"\"\n1\n\"\"\n", ""),
        ("zip\n1\n\" \"\n1\n\" \"\n", "trim = false"),
    ] {
        let desk = Desk::with(&[("data.csv", data)]);
        let policy = format!(
            "[data]\nfile = \"data.csv\"\n{trim}\n[columns]\nzip = {{ role = \"quasi\" }}\n[[require]]\nanonymity = 2\n"
        );
        desk.must_publish(&policy);
        let audit = desk.audit(&policy);
        assert!(audit.holds && audit.rows == 4, "{audit:?}");
    }
}

#[test]
fn a_mark_of_the_encoding_in_the_first_name_is_kept() {
    let desk = Desk::with(&[("data.csv", "\"\u{feff}zip\",disease\n1,a\n1,b\n")]);
    let policy = policy("").replace("zip =", "\"\u{feff}zip\" =");
    desk.must_publish(&policy);
    assert!(desk.audit(&policy).holds);
}
