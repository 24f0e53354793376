//! The audit of every kind of template: worked examples, the bound and one row either side of it, and a plain recount.

mod agrees_with_definitions;
mod anonymity;
mod closeness;
mod confidence;
mod definitions;
mod disclosure;
mod diversity;
mod example;
mod implied;
mod join_agrees_with_definitions;
mod join_definitions;
mod join_reading;
mod joined;
mod k_map;
mod never_better_when_finer;
mod passing;
mod personal;
mod range_diversity;
mod republication;
mod subsets;
mod thesis_chapter_6;
mod worlds;
