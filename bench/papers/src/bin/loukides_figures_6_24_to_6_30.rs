//! Figures 6.24 to 6.30 of Loukides 2008: UPC beside benchmarks, on made-up people.

use std::process::ExitCode;

use scumble_papers::loukides::synthetic_benchmarks;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figures_6_24_to_6_30", synthetic_benchmarks)
}
