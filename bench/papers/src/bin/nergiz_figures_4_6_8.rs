//! Figures 4, 6 and 8 of Nergiz and Clifton 2008: loss, discernibility and time by k.

use std::process::ExitCode;

use scumble_papers::nergiz::by_k;
use scumble_papers::run;

fn main() -> ExitCode {
    run("nergiz_figures_4_6_8", by_k)
}
