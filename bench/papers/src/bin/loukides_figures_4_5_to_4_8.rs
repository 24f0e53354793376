//! Figures 4.5 to 4.8 of Loukides 2008: what weights do to utility and protection.

use std::process::ExitCode;

use scumble_papers::loukides::weights_varied;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figures_4_5_to_4_8", weights_varied)
}
