//! One table from a database: a table or a query of SQLite or PostgreSQL.

use rusqlite::Connection;
use scumble_trial_server::PostgresServer;

use crate::desk::Desk;

/// The patients of the example as statements. The number of a row keeps their order.
fn statements(desk: &Desk) -> String {
    let mut text = "CREATE TABLE patients (number INTEGER PRIMARY KEY, name TEXT, job TEXT, sex TEXT, age INTEGER, \
                    disease TEXT, insured TEXT);\n"
        .to_owned();
    for (number, line) in desk.read("patients.csv").lines().skip(1).enumerate() {
        let cells: Vec<String> = line.split(',').map(|cell| format!("'{cell}'")).collect();
        text.push_str(&format!(
            "INSERT INTO patients VALUES ({number}, {});\n",
            cells.join(", ")
        ));
    }
    text
}

/// What is published must not depend on where the table is.
fn publishes_the_same(desk: &Desk, place: &str) {
    let from_file = desk.read("policy.toml");
    desk.must(&["publish", "policy.toml", "--out", "from-file"]);
    let evaluated = |files: &[&str]| {
        let ended = desk.must(&[&["evaluate"], files, &["--json"]].concat());
        let mut json: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        // Which rows are held out depends on their order, and a database has none of its own.
        assert!(json.as_object_mut().unwrap().shift_remove("classification").is_some());
        json.to_string()
    };
    let known = |policy: &str, released: &str| {
        let evaluated = evaluated(&[released, policy]);
        let attacked = desk.must(&["attack", released, "--policy", policy, "--json"]).out;
        assert!(attacked.contains("\"simulated\": true"), "{attacked}");
        [evaluated, attacked]
    };
    let by_file = known("policy.toml", "from-file/released.csv");
    let query = "query = 'select name, job, sex, age, disease, insured from patients'";
    for (number, rows) in ["table = 'patients'", query].into_iter().enumerate() {
        let policy = from_file.replace("file = \"patients.csv\"", &format!("{place}\n{rows}"));
        desk.put("other.toml", policy.as_bytes());
        let out = format!("from-database-{number}");
        desk.must(&["publish", "other.toml", "--out", &out, "--attack"]);
        let released = format!("{out}/released.csv");
        assert_eq!(desk.read(&released), desk.read("from-file/released.csv"), "{rows}");
        desk.must(&["audit", &released, "other.toml"]);
        desk.must(&["attack", &released, "--policy", "other.toml", "--known", "patients.csv"]);
        // What is measured and what is known are those rows, wherever they are.
        assert_eq!(known("other.toml", &released), by_file, "{rows}");
        let named = evaluated(&["patients.csv", &released, "other.toml"]);
        assert_eq!(named, by_file[0], "{rows}");
    }
    desk.must(&["publish", "other.toml", "--data", "patients.csv", "--out", "from-named"]);
}

/// The data may be elsewhere than the policy says, of a database too.
#[test]
fn a_release_is_measured_and_attacked_with_the_data_that_is_named() {
    let desk = Desk::patients();
    desk.must(&["publish", "policy.toml"]);
    let released = "out/released.csv";
    let evaluated = desk.must(&["evaluate", released, "policy.toml", "--json"]).out;
    let attacked = desk
        .must(&["attack", released, "--policy", "policy.toml", "--json"])
        .out;
    std::fs::rename(desk.path().join("patients.csv"), desk.path().join("moved.csv")).unwrap();
    let missing = desk.run(&["evaluate", released, "policy.toml"]);
    assert!(
        missing.code == Some(2) && missing.err.contains("patients.csv"),
        "{missing:?}"
    );
    let connection = Connection::open(desk.path().join("empty.sqlite")).unwrap();
    connection.execute_batch("CREATE TABLE nobody (job TEXT)").unwrap();
    let of_database = desk
        .read("policy.toml")
        .replace("patients.csv\"", "empty.sqlite\"\ntable = 'nobody'");
    desk.put("other.toml", of_database.as_bytes());
    for policy in ["policy.toml", "other.toml"] {
        let data = ["--data", "moved.csv", "--json"];
        let again = desk.must(&[&["evaluate", released, policy], &data[..]].concat());
        assert_eq!(again.out, evaluated);
        let again = desk.must(&[&["attack", released, "--policy", policy], &data[..]].concat());
        assert_eq!(again.out, attacked);
    }
    let twice = desk.run(&["evaluate", "moved.csv", released, "policy.toml", "--data", "moved.csv"]);
    assert!(
        twice.code == Some(2) && twice.err.contains("the data is named twice"),
        "{twice:?}"
    );
}

/// A table that is not there is told with its line, as when it is published.
#[test]
fn a_table_that_is_not_there_is_told_with_its_line() {
    let desk = Desk::patients();
    let connection = Connection::open(desk.path().join("clinic.sqlite")).unwrap();
    connection.execute_batch(&statements(&desk)).unwrap();
    desk.must(&["publish", "policy.toml"]);
    let wrong = desk
        .read("policy.toml")
        .replace("patients.csv\"", "clinic.sqlite\"\ntable = \"patient\"");
    desk.put("wrong.toml", wrong.as_bytes());
    let released = "out/released.csv";
    for command in [
        &["evaluate", released, "wrong.toml"][..],
        &["attack", released, "--policy", "wrong.toml"],
    ] {
        let ended = desk.run(command);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        let told = "wrong.toml:5: the database has no table `patient`; did you mean `patients`?";
        assert!(ended.err.contains(told), "{}", ended.err);
    }
}

#[test]
fn one_table_of_sqlite_is_published_as_from_a_file() {
    let desk = Desk::patients();
    let connection = Connection::open(desk.path().join("clinic.sqlite")).unwrap();
    connection.execute_batch(&statements(&desk)).unwrap();
    publishes_the_same(&desk, "file = 'clinic.sqlite'");
    // Another database has its rows in the table that the policy names.
    std::fs::rename(desk.path().join("clinic.sqlite"), desk.path().join("moved.sqlite")).unwrap();
    desk.must(&["publish", "other.toml", "--data", "moved.sqlite", "--out", "from-moved"]);
    assert_eq!(
        desk.read("from-moved/released.csv"),
        desk.read("from-file/released.csv")
    );
    std::fs::rename(desk.path().join("moved.sqlite"), desk.path().join("clinic.sqlite")).unwrap();
    let policy = desk.read("policy.toml");
    let wrong = policy.replace("patients.csv\"", "clinic.sqlite\"\ntable = \"patient\"");
    desk.put("wrong.toml", wrong.as_bytes());
    let ended = desk.run(&["publish", "wrong.toml", "--out", "wrong"]);
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    let told = "the database has no table `patient`; did you mean `patients`?";
    assert!(ended.err.contains(&format!("wrong.toml:5: {told}")), "{}", ended.err);
    let unsaid = policy.replace("patients.csv\"", "clinic.sqlite\"");
    desk.put("unsaid.toml", unsaid.as_bytes());
    let ended = desk.run(&["publish", "unsaid.toml", "--out", "wrong"]);
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(
        ended.err.contains("nothing says which of its rows; add `table = "),
        "{}",
        ended.err
    );
}

/// A policy that is saved says there what the flags made of it, wherever it was read from.
#[test]
fn a_saved_policy_publishes_the_same_from_its_own_folder() {
    let desk = Desk::patients();
    let inside = desk.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    for entry in std::fs::read_dir(desk.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::rename(&path, inside.join(path.file_name().unwrap())).unwrap();
        }
    }
    let flags = ["--steps", "2"];
    desk.must(
        &[
            &["publish", "inside/policy.toml", "--save-policy", "saved.toml"],
            &flags[..],
        ]
        .concat(),
    );
    desk.must(&[&["publish", "inside/policy.toml", "--out", "a"], &flags[..]].concat());
    desk.must(&["publish", "saved.toml", "--out", "b"]);
    assert_eq!(desk.read("a/released.csv"), desk.read("b/released.csv"));
}

#[test]
fn one_table_of_postgres_is_published_as_from_a_file() {
    let server = match PostgresServer::start() {
        Ok(server) => server,
        Err(reason) => {
            eprintln!("SKIPPED, and nothing is known of PostgreSQL: {reason}");
            return;
        }
    };
    let desk = Desk::patients();
    let url = server.database("clinic").unwrap();
    let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    client.batch_execute(&statements(&desk)).unwrap();
    publishes_the_same(&desk, &format!("url = '{url}'"));
    let page = desk.read("from-database-0/private/report.md");
    assert!(
        page.contains("postgres://") && !page.contains(server.password()),
        "{page}"
    );
}

/// Tables may come from anything: persons from a file, what hangs off them from a database.
#[test]
fn several_tables_come_from_a_file_and_a_database_together() {
    let desk = Desk::sample("university");
    let connection = Connection::open(desk.path().join("school.sqlite")).unwrap();
    let rows = desk.read("courses.csv");
    let header = rows.lines().next().unwrap();
    let insert = |line: &str| {
        let cells: Vec<String> = line.split(',').map(|cell| format!("'{cell}'")).collect();
        format!("INSERT INTO taken VALUES ({});\n", cells.join(", "))
    };
    let inserts: String = rows.lines().skip(1).map(insert).collect();
    connection
        .execute_batch(&format!("CREATE TABLE taken ({header});\n{inserts}"))
        .unwrap();
    desk.must(&["publish", "policy.toml", "--out", "from-files"]);
    let policy = desk.read("policy.toml");
    let policy = policy.replace("file = \"courses.csv\"", "table = \"taken\"");
    desk.put(
        "mixed.toml",
        format!("[data]\nfile = \"school.sqlite\"\n{policy}").as_bytes(),
    );
    desk.must(&["publish", "mixed.toml", "--out", "mixed"]);
    desk.must(&["audit", "mixed", "mixed.toml"]);
    let sorted = |file: &str| {
        let text = desk.read(file);
        let mut lines: Vec<String> = text
            .lines()
            .map(|line| line.split_once(',').unwrap().1.to_owned())
            .collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("mixed/students.csv"), sorted("from-files/students.csv"));
}
