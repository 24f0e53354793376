//! How the cells of earlier releases are read: by what is declared of their columns.

use scumble::policy::CellsOf;
use scumble_table::{Domain, Forms, SharedForms, Written};

use crate::desk::{
    POLICY, and, assert_message, assert_problems, assert_unparsed, folder, history_in, parse, plan, plan_of, requiring,
};

/// What the cells of a column of the clinic can be.
fn forms(text: &str, column: &str) -> SharedForms {
    plan(text, |plan| {
        let columns = &plan.earlier[0].columns;
        let found = columns.iter().find(|own| own.name == column);
        found.unwrap_or_else(|| panic!("{columns:?}")).forms.clone()
    })
}

const ALL_KNOWN: &str = "anonymity = 4";

/// The policy says of the age that it is a number and of the job that it has a taxonomy; of the zip code nothing.
#[test]
fn without_a_certificate_a_column_is_read_as_the_policy_declares_it() {
    let of = |column: &str| forms(&requiring(ALL_KNOWN), column);
    assert_eq!(of("zip"), Forms::exact(Domain::Words));
    assert_eq!(of("sex"), Forms::exact(Domain::Words));
    assert_eq!((of("age").domain, of("age").written), (Domain::Numbers, Written::Any));
    assert!(matches!(of("job").domain, Domain::Nodes(_)));
}

#[test]
fn a_policy_says_what_the_cells_of_a_release_are() {
    let saying = |cells: &str| format!("{}cells = {{ {cells} }}\n", requiring(ALL_KNOWN));
    let of = |cells: &str, column: &str| forms(&saying(cells), column);
    let any = |domain| Forms {
        domain,
        written: Written::Any,
    };
    assert_eq!(of("zip = 'labels'", "zip"), any(Domain::Words));
    assert_eq!(of("zip = 'numbers'", "zip"), any(Domain::Numbers));
    assert_eq!(of("zip = 'values'", "zip"), Forms::exact(Domain::Words));
    assert_eq!(of("age = 'values'", "age"), Forms::exact(Domain::Numbers));
    let policy = parse(&saying("zip = 'labels'"), folder().path());
    let said = policy.earlier[0].cells[0].1;
    assert_eq!((said.of, said.written), (CellsOf::AsHere, Written::Any));

    assert_problems(
        &and("cells = { zap = 'labels' }\n"),
        &["policy.toml:18: release `clinic` has no column `zap`; did you mean `zip`?"],
    );
    assert_unparsed(
        &and("cells = { zip = 'masks' }\n"),
        &["policy.toml:18: unknown `cells` value `masks`; valid: values, labels, numbers"],
    );
}

/// Every mask that we write, and what its cells are.
#[test]
fn a_certificate_says_what_the_cells_of_a_release_are() {
    let folder = folder();
    let certified = |mask: &str| {
        let certificate = format!(
            r#"{{"version": 1, "method": {{"name": "refine", "rows_suppressed_at_most": 0.0}},
            "rows": {{"published": 3, "left_out": 0, "dropped": 0}}, "require": [],
            "columns": [{{"name": "note", "role": "quasi"{mask}}}], "information_loss": 0.5}}"#
        );
        std::fs::write(folder.path().join("clinic/certificate.json"), certificate).unwrap();
        let text = requiring("anonymity = 4\nof = ['job', 'clinic.note']");
        history_in(folder.path(), &text, |plan, _| {
            let columns = &plan.earlier[0].columns;
            let note = columns.iter().find(|column| column.name == "note").unwrap();
            (note.forms.domain.clone(), note.forms.written)
        })
    };
    assert_eq!(certified(""), (Domain::Words, Written::Exact));
    let masked = |mask: &str| certified(&format!(r#", "mask": {{"operation": {mask}}}"#));
    assert_eq!(
        masked(r#""suppress", "disclosed": []"#),
        (Domain::Words, Written::Suppressed)
    );
    assert_eq!(
        masked(r#""discretize", "intervals": ["*"]"#),
        (Domain::Numbers, Written::Generalized)
    );
    for (form, expected) in [
        ("interval", (Domain::Numbers, Written::Generalized)),
        ("set", (Domain::Words, Written::Sets)),
        ("mean", (Domain::Words, Written::Centres)),
        ("median", (Domain::Words, Written::Centres)),
        ("mode", (Domain::Words, Written::Centres)),
    ] {
        assert_eq!(masked(&format!(r#""group", "form": "{form}""#)), expected, "{form}");
    }
}

/// Without the tree nobody knows what is under a node.
#[test]
fn nodes_of_a_taxonomy_that_nobody_names_cannot_be_matched() {
    let folder = folder();
    let certificate = r#"{"version": 1, "method": {"name": "refine", "rows_suppressed_at_most": 0.0},
        "rows": {"published": 3, "left_out": 0, "dropped": 0}, "require": [],
        "columns": [{"name": "zip", "role": "quasi", "mask": {"operation": "generalize", "cut": ["101", "102"]}}],
        "information_loss": 0.5}"#;
    std::fs::write(folder.path().join("clinic/certificate.json"), certificate).unwrap();
    let policy = parse(POLICY, folder.path());
    let message = plan_of(&policy, |plan| plan.unwrap_err().to_string());
    assert_message(
        &message,
        folder.path(),
        &[
            "policy.toml:14: column `zip` of release `clinic` shows nodes of a taxonomy, and none is named; name it in \
           [columns], or leave the column out of `join`",
        ],
    );
}
