//! One PostgreSQL server for all tests of a process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use postgres::{Client, NoTls};
use scumble_trial_server::PostgresServer;

/// Runs a test with a server, or says loudly that it was not run. Tests that stop the server start their own.
pub fn with_server(test: impl FnOnce(&PostgresServer)) {
    match PostgresServer::start() {
        Ok(server) => test(&server),
        Err(reason) => eprintln!("SKIPPED, and nothing is known of PostgreSQL: {reason}"),
    }
}

/// A database with what some statements make in it.
pub fn database(server: &PostgresServer, name: &str, statements: &str) -> String {
    let url = server.database(name).unwrap();
    execute(&url, statements);
    url
}

pub fn execute(url: &str, statements: &str) {
    let mut client = Client::connect(url, NoTls).unwrap();
    client.batch_execute(statements).unwrap();
}

/// Keeps tests from starting more servers at a time than a small machine can bear.
pub fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}
