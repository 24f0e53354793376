//! What databases say of their tables.

use scumble_store::{Connection, Unwatched};
use scumble_table::{Reference, TableSchema};

use crate::server::{database, one_at_a_time, with_server};
use crate::tables::{School, lines, load, opened, source, table};

/// Statements that SQLite and PostgreSQL both take.
const TABLES: &str = "
    CREATE TABLE faculties (name TEXT, year INTEGER, code TEXT UNIQUE, PRIMARY KEY (year, name));
    CREATE TABLE students (sid INTEGER PRIMARY KEY, email TEXT UNIQUE, tutor INTEGER REFERENCES students);
    CREATE TABLE \"odd \"\"table\"\".x\" (
        \"the key\" TEXT PRIMARY KEY, faculty TEXT, year INTEGER, sid INTEGER REFERENCES students (sid),
        mail TEXT REFERENCES students (email),
        FOREIGN KEY (faculty, year) REFERENCES faculties (name, year)
    );
    CREATE TABLE notes (text TEXT, f TEXT, y INTEGER, FOREIGN KEY (y, f) REFERENCES faculties);
    CREATE VIEW emails AS SELECT email FROM students;
";

const ODD: &str = "odd \"table\".x";

fn reference(columns: &[&str], table: &str, to: &[&str]) -> Reference {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Reference {
        columns: owned(columns),
        table: table.to_owned(),
        to: owned(to),
    }
}

fn schema(name: &str, key: &[&str], references: &[Reference]) -> TableSchema {
    TableSchema {
        name: name.to_owned(),
        key: key.iter().map(|name| (*name).to_owned()).collect(),
        references: references.to_vec(),
    }
}

fn tells(connection: &Connection) {
    let describe = |table: &str| connection.describe(table).unwrap();
    assert_eq!(describe("faculties"), Some(schema("faculties", &["year", "name"], &[])));
    // Without columns, the primary key is meant.
    let tutor = reference(&["tutor"], "students", &["sid"]);
    assert_eq!(describe("students"), Some(schema("students", &["sid"], &[tutor])));
    // Columns follow the order of the key that they refer to.
    let faculty = reference(&["y", "f"], "faculties", &["year", "name"]);
    assert_eq!(describe("notes"), Some(schema("notes", &[], &[faculty])));
    assert_eq!(describe("emails"), Some(schema("emails", &[], &[])));
    assert_eq!(describe("nothing"), None);
    let odd = describe(ODD).unwrap();
    assert_eq!((odd.name.as_str(), &odd.key[..]), (ODD, &["the key".to_owned()][..]));
    let references = [
        reference(&["year", "faculty"], "faculties", &["year", "name"]),
        reference(&["sid"], "students", &["sid"]),
        reference(&["mail"], "students", &["email"]),
    ];
    assert_eq!(odd.references.len(), 3);
    for reference in &references {
        assert!(odd.references.contains(reference), "{:?}", odd.references);
    }
    let names = ["emails", "faculties", "notes", ODD, "students"];
    assert_eq!(connection.tables().unwrap(), names);
    assert_eq!(
        source(connection, &table(ODD)).open(&Unwatched).unwrap().header(),
        ["the key", "faculty", "year", "sid", "mail"]
    );
}

#[test]
fn sqlite_tells_keys_and_references() {
    let school = School::new(TABLES);
    tells(&school.open());
}

#[test]
fn sqlite_tells_references_in_the_order_of_their_declaration_and_as_things_are_called() {
    let school = School::new(
        "CREATE TABLE Parents (Id TEXT PRIMARY KEY);
         CREATE TABLE t (a TEXT REFERENCES PARENTS (ID), b TEXT REFERENCES parents, c TEXT REFERENCES nowhere (x));",
    );
    let references = [
        reference(&["a"], "Parents", &["Id"]),
        reference(&["b"], "Parents", &["Id"]),
        reference(&["c"], "nowhere", &["x"]),
    ];
    assert_eq!(
        school.open().describe("T").unwrap(),
        Some(schema("t", &[], &references))
    );
}

#[test]
fn postgres_tells_keys_and_references() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = database(server, "school", TABLES);
        tells(&opened(Connection::postgres(&url)).unwrap());
    });
}

/// Tables outside the search path go by schema and name, in every place where they are named.
#[test]
fn postgres_tells_schemas() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = database(
            server,
            "school",
            "CREATE SCHEMA school; CREATE SCHEMA \"Old School\";
             CREATE TABLE students (sid int PRIMARY KEY);
             CREATE TABLE school.students (sid int PRIMARY KEY);
             CREATE TABLE \"Old School\".courses (
                sid int REFERENCES school.students, old int REFERENCES students, PRIMARY KEY (old, sid));
             INSERT INTO students VALUES (1); INSERT INTO school.students VALUES (2), (10);",
        );
        let connection = opened(Connection::postgres(&url)).unwrap();
        let courses = "Old School.courses";
        assert_eq!(connection.tables().unwrap(), [courses, "school.students", "students"]);
        let references = [
            reference(&["sid"], "school.students", &["sid"]),
            reference(&["old"], "students", &["sid"]),
        ];
        let told = connection.describe(courses).unwrap();
        assert_eq!(told, Some(schema(courses, &["old", "sid"], &references)));
        assert_eq!(connection.describe("courses").unwrap(), None);
        assert_eq!(lines(&load(&connection, &table("students")).unwrap()), ["1"]);
        assert_eq!(
            lines(&load(&connection, &table("school.students")).unwrap()),
            ["2", "10"]
        );

        // The search path of the URL counts.
        let connection = opened(Connection::postgres(format!("{url}?options=-csearch_path%3Dschool"))).unwrap();
        assert_eq!(connection.tables().unwrap(), [courses, "public.students", "students"]);
        let told = connection.describe("school.students").unwrap();
        assert_eq!(told, Some(schema("students", &["sid"], &[])));
        assert_eq!(lines(&load(&connection, &table("students")).unwrap()), ["2", "10"]);
    });
}

/// A table in parts is one table, and a reference to it is one reference.
#[test]
fn postgres_tells_tables_in_parts() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = database(
            server,
            "school",
            "CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id);
             CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10);
             CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10) TO (20);
             CREATE TABLE c (id int REFERENCES p); INSERT INTO p VALUES (11), (2);",
        );
        let connection = opened(Connection::postgres(&url)).unwrap();
        let references = [reference(&["id"], "p", &["id"])];
        assert_eq!(connection.describe("c").unwrap(), Some(schema("c", &[], &references)));
        assert_eq!(lines(&load(&connection, &table("p")).unwrap()), ["2", "11"]);
    });
}
