//! Table 4.7 of Loukides 2008: s found on a sample.

use std::process::ExitCode;

use scumble_papers::loukides::subspace_heuristic;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_table_4_7", subspace_heuristic)
}
