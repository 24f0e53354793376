//! Files in and out: table formats, atomic writing.
