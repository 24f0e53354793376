//! Figure 4.2 of Loukides 2008: runtime of TOC by the size of subspaces.

use std::process::ExitCode;

use scumble_papers::loukides::runtime_by_subspace;
use scumble_papers::run;

fn main() -> ExitCode {
    run("loukides_figure_4_2", runtime_by_subspace)
}
