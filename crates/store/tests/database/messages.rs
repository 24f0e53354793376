//! What is said when a database cannot be read: where and why, and neither a cell nor a password.

use std::sync::atomic::{AtomicUsize, Ordering};

use scumble_fault::{Blame, Fault};
use scumble_store::{Connection, ConnectionError, Loaded, ReadError, RowsOf, Unwatched, Watch};
use scumble_table::Range;
use scumble_table::Reading;
use scumble_trial_server::PostgresServer;

use crate::server::{database, one_at_a_time, with_server};
use crate::tables::{School, lines, load, opened, query, source, table};

/// A cell that no message may show.
const SECRET: &str = "hiv-positive";

fn school() -> School {
    School::new(&format!(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, photo BLOB);
         INSERT INTO t VALUES (10, '{SECRET}', x'ff00'), (2, '1', NULL), (3, '7', x'00');
         CREATE TABLE none (x); CREATE VIEW broken AS SELECT gone FROM t;"
    ))
}

fn message(outcome: Result<Loaded, ReadError>) -> String {
    let message = outcome.expect_err("a refusal").to_string();
    assert!(!message.contains(SECRET), "{message}");
    message
}

fn refused(opened: Result<Connection, ConnectionError>) -> String {
    opened.expect_err("a refusal").to_string()
}

#[test]
fn files_that_are_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let message = refused(opened(Connection::sqlite(folder.path().join(name))));
        message.replace(&format!("{}/", folder.path().display()), "")
    };
    std::fs::write(folder.path().join("text.sqlite"), "sid,gpa\n".repeat(100)).unwrap();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    assert_eq!(
        open("missing.sqlite"),
        "missing.sqlite: cannot be read: entity not found; check the path and its permissions"
    );
    assert_eq!(
        open("folder"),
        "folder: cannot be read: is a directory; check the path and its permissions"
    );
    assert_eq!(
        open("text.sqlite"),
        "text.sqlite: not a readable SQLite file; check that it is whole, and a SQLite database"
    );
    assert!(!folder.path().join("missing.sqlite").exists());
}

#[test]
fn a_file_that_somebody_else_holds() {
    let school = school();
    let writer = rusqlite::Connection::open(school.path()).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = opened(Connection::sqlite(school.path())).expect_err("a refusal");
    assert_eq!(error.fault(), Fault::Environment);
    assert!(
        error
            .to_string()
            .contains("school.sqlite: cannot be read: resource busy"),
        "{error}"
    );
    writer.execute_batch("COMMIT").unwrap();
    assert!(opened(Connection::sqlite(school.path())).is_ok());
}

#[test]
fn tables_that_sqlite_cannot_give() {
    let school = school();
    let connection = school.open();
    let told = |rows: &RowsOf| message(load(&connection, rows));
    assert_eq!(told(&table("nothing")), "the database has no table `nothing`");
    assert_eq!(
        told(&table("none")),
        "table `none` has no rows; there must be at least one"
    );
    // Rows are counted in the order of the key.
    assert_eq!(
        told(&table("t")),
        "table `t`: row 2: column `photo` holds bytes that are no text; make the column an identifier, or convert it"
    );
    assert_eq!(
        told(&table("broken")),
        "table `broken`: the database does not give its rows: no such column: gone"
    );
    // What is skipped is not asked for.
    let open = || source(&connection, &table("t")).open(&Unwatched).unwrap();
    let skip = [Reading::Text, Reading::Text, Reading::Skip];
    let loaded = open().read(&skip, false, &Unwatched).unwrap();
    assert_eq!(lines(&loaded), ["2 1", "3 7", &format!("10 {SECRET}")]);
    assert_eq!(loaded.bytes_read, (1 + 1 + 1 + 1 + 2 + SECRET.len()) as u64);
    let none = open().read(&[Reading::Skip; 3], false, &Unwatched).unwrap();
    assert_eq!((none.rows_read, none.table.columns().len()), (3, 0));
}

#[test]
fn bytes_that_are_no_text() {
    let school = School::new("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('a'), (CAST(x'c3' AS TEXT));");
    // The missing one is the last.
    assert_eq!(
        message(load(&school.open(), &table("t"))),
        "table `t`: row 2: column `x` holds bytes that are no text; make the column an identifier, or convert it"
    );
}

#[test]
fn queries_that_are_not_one_select() {
    let school = school();
    let connection = school.open();
    let told = |text: &str| message(load(&connection, &query(text)));
    for (text, reason) in [
        ("SELECT x FROM t; DELETE FROM t", "it has more than one statement"),
        ("SELECT x FROM t WHERE id = ?", "it has parameters"),
        ("DELETE FROM t RETURNING x", "it is no SELECT"),
        ("PRAGMA table_list", "it is no SELECT"),
        ("SELECT y FROM t", "no such column: y"),
        ("", "it is no SELECT"),
    ] {
        let expected = format!("the query: {reason}; write one SELECT, which changes nothing");
        assert_eq!(told(text), expected, "{text}");
    }
    assert_eq!(
        told("SELECT x, id AS x FROM t"),
        "the query: columns 1 and 2 have the same name; rename one, with AS"
    );
    assert_eq!(
        told("SELECT x AS \"\" FROM t"),
        "the query: column 1 has no name; give it one, with AS"
    );
    // What SQLite says of a cell is not passed on.
    assert_eq!(
        told("SELECT json_extract(x, '$') AS j FROM t ORDER BY id"),
        "the query: the database does not give its rows: SQL logic error"
    );
    let loaded = load(
        &connection,
        &query("WITH q AS (SELECT id, x FROM t) SELECT x AS a, id AS A FROM q;"),
    )
    .unwrap();
    assert_eq!(lines(&loaded), ["1 2", "7 3", &format!("{SECRET} 10")]);
}

#[test]
fn values_that_do_not_fit_their_column() {
    let school = school();
    let range = Some(Range::new(0.0, 5.0).unwrap());
    let readings = [Reading::Text, Reading::Number { range }, Reading::Skip];
    let opened = source(&school.open(), &table("t")).open(&Unwatched).unwrap();
    let outcome = opened.read(&readings, false, &Unwatched);
    assert_eq!(
        message(outcome),
        "table `t`: row 3: column `x`: text instead of a number in 1 row (row 3); correct it, mark it as missing, or do \
         not call the column continuous\n\
         table `t`: row 2: column `x`: a number outside [0, 5] in 1 row (row 2); correct it or widen the range"
    );
}

/// Asks to stop after some looks.
struct Impatient(AtomicUsize);

impl Watch for Impatient {
    fn should_stop(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 1
    }
}

const ENDLESS: &str = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT ";

fn interrupted(connection: &Connection, text: &str) {
    let watch = Impatient(AtomicUsize::new(0));
    let opened = source(connection, &query(text)).open(&watch).unwrap();
    let error = opened
        .read(&[Reading::Text], false, &watch)
        .expect_err("an interruption");
    assert_eq!(error.fault(), Fault::Interrupted, "{error}");
    assert_eq!(error.to_string(), "the query: interrupted");
}

#[test]
fn reading_can_be_interrupted_between_rows_and_before_the_first() {
    let school = school();
    interrupted(&school.open(), &format!("{ENDLESS} x FROM n"));
    interrupted(&school.open(), &format!("{ENDLESS} count(*) AS c FROM n"));
    let _one = one_at_a_time();
    with_server(|server| {
        let url = server.database("school").unwrap();
        let open = || opened(Connection::postgres(&url)).unwrap();
        interrupted(&open(), "SELECT x FROM generate_series(1, 1000000000) AS x");
        interrupted(&open(), "SELECT pg_sleep(1000)::text AS x");
        let authority = server.authority();
        let url = format!("{url}?sslmode=require&sslrootcert={}", authority.display());
        interrupted(
            &opened(Connection::postgres(&url)).unwrap(),
            "SELECT pg_sleep(1000)::text AS x",
        );
    });
}

#[test]
fn servers_that_do_not_let_us_in() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = server.database("school").unwrap();
        let at = |url: &str| url.split('@').nth(1).unwrap().split('?').next().unwrap().to_owned();
        let told = |url: &str| {
            let message = refused(opened(Connection::postgres(url)));
            assert!(!message.contains(server.password()), "{message}");
            let begin = format!("cannot connect to the PostgreSQL database at {}: ", at(url));
            message
                .strip_prefix(&begin)
                .unwrap_or_else(|| panic!("{message}"))
                .to_owned()
        };
        let wrong = url.replace(server.password(), "wrong-password");
        let message = told(&wrong);
        assert_eq!(
            message,
            "password authentication failed for user \"scumble\"; check user, password and name in the URL"
        );
        assert_eq!(
            told(&url.replace("/school", "/schol")),
            "database \"schol\" does not exist; check user, password and name in the URL"
        );
        assert_eq!(
            told(&url.replace(&format!(":{}", server.password()), "")),
            "it asks for a password; write it into the URL, or into the environment variable PGPASSWORD"
        );
        // Nobody listens on the first port.
        let port = at(&url)
            .split('/')
            .next()
            .unwrap()
            .split(':')
            .nth(1)
            .unwrap()
            .to_owned();
        let message = told(&url.replace(&port, "1"));
        assert!(message.starts_with("Connection refused"), "{message}");
        assert!(
            message.ends_with("; check host and port in the URL, and that the server is up"),
            "{message}"
        );
        let message = told(&format!(
            "{}?sslmode=disable",
            url.replace("127.0.0.1", "no-such-host.invalid")
        ));
        assert!(message.contains("failed to lookup address information"), "{message}");
    });
}

/// Encrypted if it should be, and only with a server whose certificate can be trusted.
#[test]
fn connections_are_encrypted_if_the_url_asks_for_it() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = database(server, "school", "CREATE TABLE t (x int)");
        let encrypted = |url: &str| {
            let ssl = query("SELECT ssl::text AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
            let connection = opened(Connection::postgres(url)).unwrap();
            lines(&load(&connection, &ssl).unwrap()).concat()
        };
        let trusted = format!("{url}?sslmode=verify-full&sslrootcert={}", server.authority().display());
        assert_eq!(encrypted(&url), "false");
        assert_eq!(encrypted(&trusted), "true");
        // An authority that the system does not trust, or another name.
        for distrusted in [
            format!("{url}?sslmode=require"),
            trusted.replace("127.0.0.1", "localhost"),
        ] {
            let message = refused(opened(Connection::postgres(&distrusted)));
            assert!(
                message.contains("cannot connect") && !message.contains(server.password()),
                "{message}"
            );
        }
        let nothing = format!("{url}?sslmode=require&sslrootcert=/no/such/file");
        let message = refused(opened(Connection::postgres(&nothing)));
        assert!(
            message.ends_with("/no/such/file: not a readable file of PEM certificates"),
            "{message}"
        );
    });
}

#[test]
fn rows_that_postgres_cannot_give() {
    let _one = one_at_a_time();
    with_server(|server| {
        let url = database(
            server,
            "school",
            &format!(
                "CREATE TABLE t (id int, x text); INSERT INTO t VALUES (1, '{SECRET}'); CREATE TABLE none (x text);
                 CREATE FUNCTION change() RETURNS text LANGUAGE sql AS 'INSERT INTO none VALUES (1) RETURNING x';
                 CREATE FUNCTION tell(text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE ''%'', $1; END';"
            ),
        );
        let told = |rows: &RowsOf| {
            let connection = opened(Connection::postgres(&url)).unwrap();
            let message = message(load(&connection, rows));
            assert!(!message.contains(server.password()), "{message}");
            message
        };
        assert_eq!(told(&table("nothing")), "the database has no table `nothing`");
        assert_eq!(
            told(&table("none")),
            "table `none` has no rows; there must be at least one"
        );
        for (text, reason) in [
            (
                "SELECT x FROM t; DELETE FROM t",
                "cannot insert multiple commands into a prepared statement (SQLSTATE 42601)",
            ),
            ("SELECT x FROM t WHERE id = $1", "it has parameters"),
            ("DELETE FROM t RETURNING x", "it is no SELECT"),
            ("SHOW server_version", "it is no SELECT"),
            ("SELEC x FROM t", "syntax error at or near \"SELEC\" (SQLSTATE 42601)"),
            ("SELECT y FROM t", "column \"y\" does not exist (SQLSTATE 42703)"),
            (
                "SELECT x FROM nothing",
                "relation \"nothing\" does not exist (SQLSTATE 42P01)",
            ),
            ("", "it is no SELECT"),
        ] {
            let expected = format!("the query: {reason}; write one SELECT, which changes nothing");
            assert_eq!(told(&query(text)), expected, "{text}");
        }
        // What it says while it reads may quote a cell.
        for (text, reason) in [
            (
                "SELECT x::int AS n FROM t",
                "a value does not fit what is done with it (SQLSTATE 22P02)",
            ),
            ("SELECT x::regclass AS n FROM t", "the server failed (SQLSTATE 42P01)"),
            ("SELECT tell(x) AS n FROM t", "the server failed (SQLSTATE P0001)"),
            (
                "SELECT change() AS n FROM t",
                "it would change something (SQLSTATE 25006)",
            ),
        ] {
            let expected = format!("the query: the database does not give its rows: {reason}");
            assert_eq!(told(&query(text)), expected, "{text}");
        }
        assert_eq!(
            told(&query("SELECT x, id AS x FROM t")),
            "the query: columns 1 and 2 have the same name; rename one, with AS"
        );
    });
}

#[test]
fn a_server_that_goes_away() {
    let _one = one_at_a_time();
    let mut server = match PostgresServer::start() {
        Ok(server) => server,
        Err(reason) => return eprintln!("SKIPPED, and nothing is known of PostgreSQL: {reason}"),
    };
    let url = database(&server, "school", "CREATE TABLE t (x int); INSERT INTO t VALUES (1);");
    let connection = opened(Connection::postgres(&url)).unwrap();
    server.stop();
    let error = load(&connection, &table("t")).unwrap_err();
    assert_eq!(error.fault(), Fault::Environment);
    let at = url.split('@').nth(1).unwrap();
    assert_eq!(
        error.to_string(),
        format!("the connection to the PostgreSQL database at {at} is lost; check the server, then try again")
    );
}
