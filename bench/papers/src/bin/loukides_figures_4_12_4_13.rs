//! Figures 4.12 and 4.13 of Loukides 2008: how far counts are off.

use std::process::ExitCode;

use scumble_papers::loukides::query_answering;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figures_4_12_4_13", query_answering)
}
