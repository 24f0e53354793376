//! What cells of a release and words of its certificate tell, from the data to the audit of the file.

mod alike;
mod desk;
mod left_out;
mod odd_tables;
mod reading;
