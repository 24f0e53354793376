//! Tables of databases, read as a caller does it.

mod messages;
mod same_as_file;
mod schema;
mod server;
mod tables;
