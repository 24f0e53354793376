//! Tables 4.3 to 4.6 of Loukides 2008: δ found on a sample.

use std::process::ExitCode;

use scumble_papers::loukides::threshold_heuristic;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_tables_4_3_to_4_6", threshold_heuristic)
}
