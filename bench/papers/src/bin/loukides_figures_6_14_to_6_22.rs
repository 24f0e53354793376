//! Figures 6.14 to 6.22 of Loukides 2008: UPC beside full-domain generalization.

use std::process::ExitCode;

use scumble_papers::loukides::protection_constrained;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figures_6_14_to_6_22", protection_constrained)
}
