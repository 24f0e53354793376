//! Figures 4.9 to 4.11 of Loukides 2008: UM, DM and MPM by k.

use std::process::ExitCode;

use scumble_papers::loukides::measures_by_k;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figures_4_9_to_4_11", measures_by_k)
}
