//! The same tables from files, from SQLite and from PostgreSQL.

use rusqlite::Connection;
use scumble_trial_server::PostgresServer;

use crate::desk::Desk;

/// The tables of the example, with keys that the database knows.
const TABLES: &str = "
    CREATE TABLE students (sid TEXT PRIMARY KEY, gpa TEXT);
    CREATE TABLE courses (
        scid TEXT PRIMARY KEY, sid TEXT NOT NULL REFERENCES students (sid), course TEXT, grade INTEGER
    );
    CREATE TABLE books (scid TEXT NOT NULL REFERENCES courses (scid), book TEXT);
";

/// The policy of the example, with nothing said of keys.
fn policy(desk: &Desk, place: &str) -> String {
    let written = desk.read("policy.toml");
    let columns = &written[written.find("[columns]").unwrap()..];
    format!(
        "[data]\n{place}\n[person]\ntable = 'students'\n[[tables]]\nname = 'courses'\n[[tables]]\nname = 'books'\n{columns}"
    )
}

/// One statement per row of the example.
fn inserts(desk: &Desk) -> String {
    let mut statements = String::new();
    for table in ["students", "courses", "books"] {
        for line in desk.read(&format!("{table}.csv")).lines().skip(1) {
            let cells: Vec<String> = line.split(',').map(|cell| format!("'{cell}'")).collect();
            statements.push_str(&format!("INSERT INTO {table} VALUES ({});\n", cells.join(", ")));
        }
    }
    statements
}

/// What is published must not depend on where the tables are.
fn publishes_the_same(desk: &Desk) {
    desk.must(&["publish", "policy.toml", "--out", "from-files"]);
    desk.must(&["publish", "other.toml", "--out", "from-database"]);
    for table in ["students", "courses", "books"] {
        let read = |folder: &str| desk.read(&format!("{folder}/{table}.csv"));
        assert_eq!(read("from-database"), read("from-files"), "{table}");
    }
    desk.must(&["audit", "from-database", "other.toml"]);
    desk.must(&["attack", "from-database", "--policy", "other.toml"]);
}

fn sqlite(desk: &Desk, statements: &str) {
    let connection = Connection::open(desk.path().join("school.sqlite")).unwrap();
    connection.execute_batch(statements).unwrap();
}

#[test]
fn sqlite_tells_keys_and_what_hangs_off_what() {
    let desk = Desk::sample("university");
    sqlite(&desk, &format!("{TABLES}{}", inserts(&desk)));
    desk.put("other.toml", policy(&desk, "file = 'school.sqlite'").as_bytes());
    publishes_the_same(&desk);
}

#[test]
fn postgres_tells_keys_and_what_hangs_off_what() {
    let server = match PostgresServer::start() {
        Ok(server) => server,
        Err(reason) => {
            eprintln!("SKIPPED, and nothing is known of PostgreSQL: {reason}");
            return;
        }
    };
    let desk = Desk::sample("university");
    let url = server.database("school").unwrap();
    let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    client.batch_execute(&format!("{TABLES}{}", inserts(&desk))).unwrap();
    desk.put("other.toml", policy(&desk, &format!("url = '{url}'")).as_bytes());
    publishes_the_same(&desk);
    // The page shows the policy, and not the password in it.
    let page = desk.read("from-database/private/report.md");
    assert!(
        page.contains("postgres://") && !page.contains(server.password()),
        "{page}"
    );
}

#[test]
fn a_folder_of_files_is_found_by_the_names_of_the_tables() {
    let desk = Desk::sample("university");
    std::fs::create_dir(desk.path().join("school")).unwrap();
    for table in ["students", "courses", "books"] {
        let file = format!("{table}.csv");
        std::fs::rename(desk.path().join(&file), desk.path().join("school").join(&file)).unwrap();
    }
    let policy = desk.read("policy.toml").replace(
        "[person]\nfile = \"students.csv\"",
        "[data]\nfolder = \"school\"\n\n[person]\nname = \"students\"",
    );
    let policy = policy
        .replace("file = \"courses.csv\"\n", "")
        .replace("file = \"books.csv\"\n", "");
    desk.put("policy.toml", policy.as_bytes());
    desk.must(&["publish", "policy.toml"]);
    desk.must(&["audit", "out", "policy.toml"]);
}

const HELP: &str = "a row belongs to one person: make one of the columns an identifier, so that it is not published";

/// What is printed for tables in SQLite whose statements were changed.
fn refused(changes: &[(&str, &str)], more: &str) -> String {
    let desk = Desk::sample("university");
    let tables = changes.iter().fold(TABLES.to_owned(), |tables, (from, to)| {
        assert!(tables.contains(from), "{from}");
        tables.replace(from, to)
    });
    sqlite(&desk, &tables);
    desk.put(
        "other.toml",
        format!("{}\n{more}", policy(&desk, "file = 'school.sqlite'")).as_bytes(),
    );
    let told = desk.run(&["publish", "other.toml"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    told.err
}

/// A table that hangs off two others has rows of two persons, as far as the database can tell.
#[test]
fn a_second_foreign_key_is_refused() {
    let owner = "CREATE TABLE books (owner TEXT REFERENCES students (sid), ";
    let told = refused(&[("CREATE TABLE books (", owner)], "");
    assert!(told.contains("table `books` hangs off both `"), "{told}");
    assert!(told.contains(HELP), "{told}");
    // Twice the same table is two persons, too, and so is a table that refers to itself.
    let tutor = ("grade INTEGER", "grade INTEGER, tutor TEXT REFERENCES students (sid)");
    let told = refused(&[tutor], "");
    let twice = "table `courses` refers to `students` by `tutor`, too, which leads to another person";
    assert!(told.contains(twice) && told.contains(HELP), "{told}");
    let told = refused(&[("gpa TEXT", "gpa TEXT, tutor TEXT REFERENCES students (sid)")], "");
    assert!(
        told.contains("table `students` refers to `students` by `tutor`"),
        "{told}"
    );
}

/// What is not published leads nowhere.
#[test]
fn a_second_foreign_key_that_is_not_published_is_none() {
    let desk = Desk::sample("university");
    let tutors = TABLES.replace("grade INTEGER", "grade INTEGER, tutor TEXT REFERENCES students (sid)");
    let inserts = inserts(&desk).replace("INSERT INTO courses", "INSERT INTO courses (scid, sid, course, grade)");
    sqlite(&desk, &format!("{tutors}{inserts}"));
    let policy = policy(&desk, "file = 'school.sqlite'");
    let policy = policy.replace("[columns]", "[columns]\ncourses.tutor = { role = 'identifier' }");
    desk.put("other.toml", policy.as_bytes());
    publishes_the_same(&desk);
    assert!(!desk.read("from-database/courses.csv").contains("tutor"));
}

#[test]
fn a_look_up_that_leads_to_persons_is_refused() {
    let advice = (
        "CREATE TABLE books",
        "CREATE TABLE advice (aid TEXT PRIMARY KEY, sid TEXT REFERENCES students);\nCREATE TABLE books",
    );
    let told = refused(&[advice], "[[lookups]]\nname = 'advice'\n");
    assert!(
        told.contains("look-up `advice` refers to `students` by `sid`, so its rows are about persons"),
        "{told}"
    );
}

#[test]
fn a_database_that_is_not_there() {
    let desk = Desk::sample("university");
    desk.put("other.toml", policy(&desk, "file = 'school.sqlite'").as_bytes());
    let told = desk.run(&["publish", "other.toml"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(told.err.contains("school.sqlite: cannot be read"), "{told:?}");
    // A server that does not answer is no fault of the policy, and its password is not told.
    let url = "url = 'postgres://me:secret-word@127.0.0.1:1/school'";
    desk.put("other.toml", policy(&desk, url).as_bytes());
    let told = desk.run(&["publish", "other.toml"]);
    assert_eq!(told.code, Some(3), "{told:?}");
    assert!(
        told.err.contains("127.0.0.1:1/school") && !told.err.contains("secret-word"),
        "{told:?}"
    );
}

#[test]
fn a_table_that_the_database_does_not_have() {
    let desk = Desk::sample("university");
    sqlite(&desk, &format!("{TABLES}{}", inserts(&desk)));
    let wrong = policy(&desk, "file = 'school.sqlite'").replace("name = 'books'", "name = 'books'\ntable = 'boks'");
    desk.put("other.toml", wrong.as_bytes());
    let told = desk.run(&["publish", "other.toml"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(
        told.err
            .contains("the database has no table `boks`; did you mean `books`?"),
        "{told:?}"
    );
}
