//! Figure 4.1 of Loukides 2008: runtime of Mondrian, k-member and TOC by rows.

use std::process::ExitCode;

use scumble_papers::loukides::runtime_by_rows;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figure_4_1", runtime_by_rows)
}
