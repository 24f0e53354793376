//! The party protocol.
