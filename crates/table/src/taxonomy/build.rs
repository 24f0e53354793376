//! Building a taxonomy from values.
