//! The shipped example: tables II and III of Nergiz and Clifton.

use serde_json::{Value, json};

use crate::desk::{Desk, Ended};

pub fn json_of(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"))
}

/// S1 and S2 are shown alike, S3 and S4 are; rows are sorted, keys are numbers, and nothing tells who was who.
#[test]
fn the_students_are_published_as_in_table_iii() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    assert_eq!(
        desk.read("out/students.csv"),
        "sid,gpa\n1,2.34\n2,3.12\n3,3.72\n4,4.00\n"
    );
    assert_eq!(
        desk.read("out/courses.csv"),
        "scid,sid,course,grade\n\
         1,1,Physics,62\n2,1,Science,78\n3,1,Social,42\n\
         4,2,History,85\n5,2,Religion,75\n\
         6,3,Physics,91\n7,3,Science,93\n8,3,Social,85\n\
         9,4,History,98\n10,4,Religion,96\n"
    );
    // Calculus and American History are gone: only one student of each pair had them.
    assert_eq!(
        desk.read("out/books.csv"),
        "scid,book\n1,Dyn\n2,Discrete\n6,Dyn\n7,Discrete\n"
    );
}

#[test]
fn the_certificate_says_what_was_kept_and_lost() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    let certificate = desk.json("out/certificate.json");
    assert_eq!(certificate["method"]["name"], "miracle");
    assert_eq!(
        certificate["method"]["settings"],
        json!({"climit": "10", "threshold": "0.5"})
    );
    assert_eq!(
        certificate["persons"],
        json!({"published": 4, "left_out": 0, "dropped": 0})
    );
    assert_eq!(certificate["classes"], 2);
    assert_eq!(
        certificate["tables"][1]["rows"],
        json!({"published": 10, "left_out": 1, "dropped": 0})
    );
    assert_eq!(certificate["tables"][1]["parent"], "students");
    assert_eq!(
        certificate["tables"][1]["columns"][0],
        json!({"name": "scid", "role": "key"})
    );
    let course = &certificate["tables"][1]["columns"][2]["masked"];
    assert_eq!((&course["exact"], &course["generalized"]), (&json!(6), &json!(4)));
    // Four cells show Science or Social (3/7 each); a course and two books of 17 are removed (1 each).
    let loss = certificate["information_loss"].as_f64().unwrap();
    assert!((loss - (4.0 * 3.0 / 7.0 + 3.0) / 17.0).abs() < 1e-12, "{loss}");
    assert_eq!(certificate["discernibility"], 8);
    assert_eq!(certificate["require"][0]["level"], 2);
    assert_eq!(certificate["require"][1]["about"], json!({"courses.grade": "*"}));
    assert_eq!(certificate["require"][1]["of"], json!(["courses.course", "books.book"]));
}

#[test]
fn the_files_pass_the_audit_with_and_without_the_private_folder() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    let audit = desk.must(&["audit", "out", "policy.toml"]);
    assert_eq!(
        audit.out,
        "students: 4 rows, courses: 10 rows, books: 4 rows\n  \
         holds  anonymity 2 of students: 2\n  \
         holds  diversity 2 (distinct) about courses.grade: 2\n  \
         every row and value was compared with the data\n  \
         on the columns published as they are: 4 of 4 persons alone, 4 with fewer than 5 alike\n  \
         on these and the masked ones: 4 of 4 persons alone, 4 with fewer than 5 alike\n"
    );
    std::fs::remove_dir_all(desk.path().join("out/private")).unwrap();
    let audit = json_of(&desk.must(&["audit", "out", "policy.toml", "--json"]));
    assert_eq!(audit["compared_with_data"], false);
    assert_eq!(audit["holds"], true);
}

/// Whoever knows a course finds at least two students; Physics of S3 and the third course were removed.
#[test]
fn who_knows_some_courses_finds_at_least_two_students() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    let attack = json_of(&desk.must(&["attack", "out", "--policy", "policy.toml", "--json"]));
    let known = attack["known"].as_array().unwrap();
    let of = |table: &str, rows: u64| {
        let found = known
            .iter()
            .find(|known| known["table"] == table && known["known"] == rows);
        found.unwrap_or_else(|| panic!("{table} {rows}")).clone()
    };
    let one = of("courses", 1);
    assert_eq!((&one["sets"], &one["worst"]), (&json!(11), &json!(2)));
    assert_eq!(of("courses", 2)["worst"], 2);
    assert_eq!(of("books", 1)["worst"], 2);
    let told = desk.must(&["attack", "out", "--policy", "policy.toml"]).out;
    assert!(told.contains("courses"), "{told}");
}

#[test]
fn the_page_tells_each_table_and_the_attack() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml", "--attack"]);
    let page = desk.read("out/private/report.md");
    for part in [
        "| courses | students | 11 | 10 (90.9 %) | 1 (9.1 %) |",
        "| courses.course | 6 | 4 |",
        "loss of the quasi cells (LM): 27.7 %",
        "discernibility (DM): 8",
        "## Attacked",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(desk.has("out/private/attack.json"));
}

/// A second run never clobbers a release unless told to, and then leaves no table of the old one behind.
#[test]
fn a_release_is_replaced_whole() {
    let desk = Desk::sample("university");
    desk.must(&["publish", "policy.toml"]);
    let again = desk.run(&["publish", "policy.toml"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    let fewer = desk.read("policy.toml");
    let books = fewer.find("[[tables]]\nname = \"books\"").unwrap();
    let columns = fewer.find("[columns]").unwrap();
    let fewer = format!("{}{}", &fewer[..books], &fewer[columns..]).replace("books.book", "# books.book");
    desk.put("fewer.toml", fewer.as_bytes());
    desk.must(&["publish", "fewer.toml", "--force"]);
    assert!(!desk.has("out/books.csv"));
    desk.must(&["audit", "out", "fewer.toml"]);
}

/// With k = 1 everything is published as it is but for the keys; read from that, the release is the same.
#[test]
fn parquet_in_and_out() {
    let desk = Desk::sample("university");
    let policy = desk.read("policy.toml");
    let required = &policy[policy.find("[[require]]").unwrap()..policy.find("[method]").unwrap()];
    let raw = policy
        .replace(required, "[[require]]\nanonymity = 1\n")
        .replace("folder = \"out\"", "folder = \"raw\"\nformat = \"parquet\"");
    desk.put("raw.toml", raw.as_bytes());
    desk.must(&["publish", "raw.toml"]);
    desk.must(&["audit", "raw", "raw.toml"]);
    let from_parquet = ["students", "courses", "books"].iter().fold(policy, |policy, table| {
        policy.replace(
            &format!("file = \"{table}.csv\""),
            &format!("file = \"raw/{table}.parquet\""),
        )
    });
    desk.put("from-parquet.toml", from_parquet.as_bytes());
    desk.must(&["publish", "from-parquet.toml", "--out", "from-parquet"]);
    desk.must(&["publish", "policy.toml"]);
    for table in ["courses.csv", "books.csv"] {
        let read = |folder: &str| desk.read(&format!("{folder}/{table}"));
        assert_eq!(read("from-parquet"), read("out"), "{table}");
    }
}

/// Who is known to be one of two students is not known to have any grade; a bound on one grade is kept by itself.
#[test]
fn confidence_is_bounded_in_every_group() {
    let desk = Desk::sample("university");
    for (about, written) in [
        ("{ courses.grade = \"*\" }", json!("*")),
        ("{ courses.grade = [\"85\"] }", json!(["85"])),
    ] {
        let policy = desk.read("policy.toml");
        let policy = policy
            .replace("diversity = 2 ", "confidence = 0.5 ")
            .replace("\"courses.grade\"", about);
        desk.put("confidence.toml", policy.as_bytes());
        desk.must(&["publish", "confidence.toml", "--force"]);
        let asked = desk.json("out/certificate.json")["require"][1].clone();
        assert_eq!(
            (&asked["kind"], &asked["level"]),
            (&json!("confidence"), &json!(0.5)),
            "{asked}"
        );
        assert_eq!(asked["about"], json!({ "courses.grade": written }), "{asked}");
        desk.must(&["audit", "out", "confidence.toml"]);
    }
}

#[test]
fn every_method_meets_the_policy() {
    let desk = Desk::sample("university");
    for method in ["miracle", "miraclex", "entities", "bitmap"] {
        let policy = desk
            .read("policy.toml")
            .replace("name = \"miracle\"", &format!("name = \"{method}\""));
        let policy = policy
            .replace("threshold = 0.5\nclimit = 10\n", "")
            .replace("\"out\"", &format!("{method:?}"));
        desk.put("own.toml", policy.as_bytes());
        desk.must(&["publish", "own.toml"]);
        let audit = json_of(&desk.must(&["audit", method, "own.toml", "--json"]));
        assert_eq!(audit["holds"], true, "{method}: {audit}");
    }
}
