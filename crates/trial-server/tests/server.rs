//! A server that starts, lets in who has the password, and leaves nothing behind.

use std::panic::{AssertUnwindSafe, catch_unwind};

use postgres::{Client, NoTls};
use scumble_trial_server::PostgresServer;

fn server() -> Option<PostgresServer> {
    PostgresServer::start()
        .inspect_err(|reason| eprintln!("SKIPPED, and nothing is known of PostgreSQL: {reason}"))
        .ok()
}

#[test]
fn only_the_password_opens_a_database() {
    let Some(server) = server() else { return };
    let url = server.database("school").expect("a database");
    let mut client = Client::connect(&url, NoTls).expect("a connection");
    let name: String = client
        .query_one("SELECT current_database()::text", &[])
        .expect("a row")
        .get(0);
    assert_eq!(name, "school");
    assert!(Client::connect(&url.replace(server.password(), "wrong"), NoTls).is_err());
    assert!(server.database("school").is_err(), "it is there already");
}

#[test]
fn servers_side_by_side_are_gone_when_a_test_panics() {
    let (Some(first), Some(second)) = (server(), server()) else {
        return;
    };
    let urls = [&first, &second].map(|server| server.database("school").expect("a database"));
    assert_ne!(urls[0], urls[1]);
    let folder = first.authority().parent().expect("a folder").to_owned();
    assert!(folder.exists());
    let panicked = catch_unwind(AssertUnwindSafe(move || {
        let _server = first;
        panic!("as a test that fails");
    }));
    assert!(panicked.is_err());
    assert!(!folder.exists());
    assert!(Client::connect(&urls[0], NoTls).is_err());
    assert!(Client::connect(&urls[1], NoTls).is_ok());
}
