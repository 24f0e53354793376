//! Figures 6.32 to 6.35 of Loukides 2008: U and P varied.

use std::process::ExitCode;

use scumble_papers::loukides::bounds_varied;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figures_6_32_to_6_35", bounds_varied)
}
