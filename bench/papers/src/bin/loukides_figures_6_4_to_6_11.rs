//! Figures 6.4 to 6.11 of Loukides 2008: UPC beside TOC.

use std::process::ExitCode;

use scumble_papers::loukides::trade_off_or_guarantees;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figures_6_4_to_6_11", trade_off_or_guarantees)
}
