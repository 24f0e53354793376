//! What a release is still good for, measured against the data that it was made from.
