//! Tables 6.3 to 6.5 of Loukides 2008: policies from lenient to strict.

use std::process::ExitCode;

use scumble_papers::loukides::range_policies;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_tables_6_3_to_6_5", range_policies)
}
