//! Links between parties.
