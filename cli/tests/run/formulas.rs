//! Cells that a spreadsheet would take for formulas: counted, or written as text.

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
    let text = desk
        .read("policy.toml")
        .replace("folder = \"out\"", "formulas = 'text'");
    desk.put("text.toml", text.as_bytes());
    let ended = desk.must(&["publish", "text.toml", "--out", "text"]);
    assert!(!ended.err.contains("formulas"), "{ended:?}");
    assert!(desk.read("text/courses.csv").contains(",'=Physics,"));
    desk.must(&["audit", "text", "text.toml"]);
}
