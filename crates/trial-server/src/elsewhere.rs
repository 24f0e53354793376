//! No server: it is started, owned and stopped in the ways of Unix.

use std::path::PathBuf;

/// There is none.
pub enum PostgresServer {}

impl PostgresServer {
    /// Says why there is no server.
    ///
    /// # Errors
    /// Always.
    pub fn start() -> Result<Self, String> {
        Err("a server for tests is started on Unix alone".to_owned())
    }

    /// Makes a database.
    ///
    /// # Errors
    /// Never: there is no server to ask.
    pub fn database(&self, _name: &str) -> Result<String, String> {
        match *self {}
    }

    /// The password.
    pub fn password(&self) -> &str {
        match *self {}
    }

    /// The certificate of the authority.
    pub fn authority(&self) -> PathBuf {
        match *self {}
    }

    /// Ends the server.
    pub fn stop(&mut self) {
        match *self {}
    }
}
