//! Reading a taxonomy from text.
