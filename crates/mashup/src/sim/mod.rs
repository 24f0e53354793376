//! Whole mashups in one process: any number of parties, any order of delivery, and a judge that hides nothing, so that
//! thousands of tables can be tried.

mod drive;
mod equal;
mod judges;
mod world;
