//! Figure 4.3 of Loukides 2008: utility and protection, weighed evenly, by k.

use std::process::ExitCode;

use scumble_papers::loukides::trade_off_by_k;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figure_4_3", trade_off_by_k)
}
