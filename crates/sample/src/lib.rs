//! The shipped examples and a synthetic census of any size.
