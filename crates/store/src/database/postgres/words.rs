//! What a server says, as far as it may be passed on.
//!
//! | when | what | passed on |
//! |---|---|---|
//! | connecting | password authentication failed for user "ann" | all of it |
//! | before rows are read | column "gpe" does not exist | all of it, and the code |
//! | while they are read | invalid input syntax for type integer: "secret" | the code, and what it means |
//!
//! Invariant: what a server says after it has seen a cell is not passed on. Even "relation does not exist" may quote
//! one, from a cast to `regclass`.

use std::error::Error as _;

use postgres::Error;
use postgres::error::SqlState;

/// Why a server does not let us in.
pub(super) fn refusal(error: &Error) -> String {
    if let Some(said) = error.as_db_error() {
        return format!("{}; check user, password and name in the URL", said.message());
    }
    let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    match reason.as_str() {
        // The words of the client.
        "password missing" => {
            "it asks for a password; write it into the URL, or into the environment variable PGPASSWORD".to_owned()
        }
        "server does not support TLS" => {
            "it does not encrypt connections, and the URL asks for that; set up TLS there, or drop `sslmode`".to_owned()
        }
        _ => format!("{reason}; check host and port in the URL, and that the server is up"),
    }
}

/// What is wrong with a statement that has read nothing yet.
pub(super) fn said_before_reading(error: &Error) -> String {
    match error.as_db_error() {
        // A constant of the statement is computed, and may be a value.
        Some(said) if !said.code().code().starts_with("22") => {
            format!("{} (SQLSTATE {})", said.message(), said.code().code())
        }
        _ => said_while_reading(error),
    }
}

/// What is wrong while rows are read.
pub(super) fn said_while_reading(error: &Error) -> String {
    match error.code() {
        Some(code) => format!("{} (SQLSTATE {})", meaning(code), code.code()),
        None => "the answer is not understood".to_owned(),
    }
}

fn meaning(code: &SqlState) -> &'static str {
    match code.code() {
        "25006" => "it would change something",
        "42501" => "permission denied",
        "57014" => "it was cancelled",
        code if code.starts_with("22") => "a value does not fit what is done with it",
        code if code.starts_with("53") => "the server is out of resources",
        _ => "the server failed",
    }
}

/// Whether the server is gone.
pub(super) fn is_lost(error: &Error) -> bool {
    match error.code() {
        // The operator ends the connection or the server.
        Some(code) => code.code().starts_with("57P") || code.code().starts_with("08"),
        None => error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>()),
    }
}
