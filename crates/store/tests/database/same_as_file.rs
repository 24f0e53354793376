//! A table of a database is that of a file with the same cells.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use scumble_store::{Connection, Loaded, ReadError};

use crate::server::{database, execute, one_at_a_time, with_server};
use crate::tables::{Case, School, any_case, lines, load, opened, query, table};

fn assert_same(of_database: Result<Loaded, ReadError>, of_file: Result<Loaded, ReadError>) {
    let (database, file) = match (of_database, of_file) {
        (Err(ReadError::AllDropped { rows, .. }), Err(ReadError::AllDropped { rows: of_file, .. })) => {
            assert_eq!(rows, of_file);
            return;
        }
        (database, file) => (database.unwrap(), file.unwrap()),
    };
    assert_eq!(database.table, file.table);
    assert_eq!(database.header, file.header);
    assert_eq!(
        (database.rows_read, database.rows_dropped),
        (file.rows_read, file.rows_dropped)
    );
}

/// Reads a case from a database, with a key and by a query; without a key, the first column still decides.
fn check(case: &Case, connection: &Connection) {
    let folder = tempfile::tempdir().unwrap();
    assert_same(
        case.read_database(connection, &table("t")),
        case.read_file(folder.path()),
    );
    let all = query("SELECT * FROM t -- in any order\n;");
    assert_same(case.read_database(connection, &all), case.read_file(folder.path()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn sqlite(case in any_case(), key in prop_oneof![Just(vec![]), Just(vec![0]), Just(vec![0, 1])]) {
        let school = School::new(&case.statements(&key));
        check(&case, &school.open());
    }
}

#[test]
fn postgres() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = server.database("school").unwrap();
        let mut runner = TestRunner::new(Config::with_cases(60));
        let case = (any_case(), prop_oneof![Just(vec![]), Just(vec![0])]);
        let outcome = runner.run(&case, |(case, key)| {
            execute(&url, &format!("DROP TABLE IF EXISTS t; {}", case.statements(&key)));
            check(&case, &opened(Connection::postgres(&url)).unwrap());
            Ok(())
        });
        outcome.unwrap();
    });
}

/// Every storage class of SQLite; a column may hold all of them.
#[test]
fn whatever_sqlite_stores_is_read_as_text() {
    let school = School::new(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, any);
         INSERT INTO t VALUES (10, 9223372036854775807), (9, -0.1), (8, 1e300 * 10), (7, 2.0), (6, 'x y'), (5, ''),
                              (4, NULL), (3, 0.30000000000000004), (2, 9e999), (-1, 'é');",
    );
    let loaded = load(&school.open(), &table("t")).unwrap();
    let number = format!("8 1{}", "0".repeat(301));
    assert_eq!(
        lines(&loaded),
        [
            "-1 é",
            "2 inf",
            "3 0.30000000000000004",
            "4 -",
            "5 -",
            "6 x y",
            "7 2",
            &number,
            "9 -0.1",
            "10 9223372036854775807"
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_real_reads_back_the_same(number in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
        let school = School::new(&format!("CREATE TABLE t (x REAL); INSERT INTO t VALUES ({number:e});"));
        let loaded = load(&school.open(), &table("t")).unwrap();
        prop_assert_eq!(lines(&loaded)[0].parse::<f64>().unwrap().to_bits(), number.to_bits());
    }
}

#[test]
fn tables_without_rowid_and_views_are_tables() {
    let school = School::new(
        "CREATE TABLE t (a TEXT, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID;
         INSERT INTO t VALUES ('x', 'n10'), ('y', 'n9'), ('x', 'n9');
         CREATE VIEW v AS SELECT b, count(*) AS n FROM t GROUP BY b;",
    );
    let connection = school.open();
    assert_eq!(
        lines(&load(&connection, &table("T")).unwrap()),
        ["x n9", "y n9", "x n10"]
    );
    assert_eq!(lines(&load(&connection, &table("v")).unwrap()), ["n9 2", "n10 1"]);
}

/// The text of a type does not depend on what the server or the user prefers.
#[test]
fn whatever_postgres_stores_is_read_as_text() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = database(
            server,
            "school",
            "CREATE TYPE mood AS ENUM ('sad', 'glad');
             CREATE TABLE t (id bigint PRIMARY KEY, b boolean, d date, m timestamptz, n numeric, f float8, a int[], e mood,
                             u uuid, y bytea, i interval, c char(4), j jsonb, z text);
             INSERT INTO t VALUES
               (10, true, '2024-02-29', '2024-02-29 12:00+02', 1.50, 0.1, '{1,NULL}', 'glad',
                '00000000-0000-0000-0000-000000000001', '\\x00ff', '1 day 2 hours', 'ab', '{\"k\": 1}', 'x'),
               (9, false, NULL, NULL, 'NaN', 1, '{}', 'sad', NULL, '', NULL, '', 'null', '');
             ALTER ROLE scumble SET DateStyle = 'German';
             ALTER ROLE scumble SET TimeZone = 'Asia/Tokyo';
             ALTER ROLE scumble SET extra_float_digits = -3;
             ALTER ROLE scumble SET bytea_output = 'escape';
             ALTER ROLE scumble SET IntervalStyle = 'sql_standard';",
        );
        let loaded = load(&opened(Connection::postgres(&url)).unwrap(), &table("t")).unwrap();
        assert_eq!(
            lines(&loaded),
            [
                "9 false - - NaN 1 {} sad - \\x - - null -",
                "10 true 2024-02-29 2024-02-29 10:00:00+00 1.50 0.1 {1,NULL} glad \
                 00000000-0000-0000-0000-000000000001 \\x00ff P1DT2H ab {\"k\": 1} x"
            ]
        );
    });
}

/// Who reads sees the database as it was when it was opened.
#[test]
fn all_tables_are_read_as_they_were_at_one_moment() {
    let school = School::new("CREATE TABLE t (x); INSERT INTO t VALUES (1); PRAGMA user_version = 1;");
    let writer = rusqlite::Connection::open(school.path()).unwrap();
    writer.pragma_update(None, "journal_mode", "wal").unwrap();
    let connection = school.open();
    writer.execute_batch("INSERT INTO t VALUES (2)").unwrap();
    assert_eq!(lines(&load(&connection, &table("t")).unwrap()), ["1"]);
    assert_eq!(lines(&load(&school.open(), &table("t")).unwrap()), ["1", "2"]);

    let _one = one_at_a_time();
    with_server(|server| {
        let url = database(server, "school", "CREATE TABLE t (x int); INSERT INTO t VALUES (1);");
        let connection = opened(Connection::postgres(&url)).unwrap();
        execute(&url, "INSERT INTO t VALUES (2)");
        assert_eq!(lines(&load(&connection, &table("t")).unwrap()), ["1"]);
    });
}
