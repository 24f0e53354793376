//! Figure 4.4 of Loukides 2008: utility and protection by weight.

use std::process::ExitCode;

use scumble_papers::loukides::trade_off_by_weight;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figure_4_4", trade_off_by_weight)
}
