//! A [`PostgresServer`] for tests: started in a folder of its own, and gone with it.
//!
//! ```no_run
//! let server = scumble_trial_server::PostgresServer::start()?;
//! let url = server.database("school")?;
//! // postgres://scumble:<password>@127.0.0.1:<port>/school
//! # Ok::<(), String>(())
//! ```
//!
//! Invariant: nothing outside the folder is touched, but for installing PostgreSQL where it is missing and that is
//! allowed; when the value goes, so do the server and the folder.

#[cfg(unix)]
mod certificate;
#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod server;

#[cfg(not(unix))]
pub use elsewhere::PostgresServer;
#[cfg(unix)]
pub use server::PostgresServer;
