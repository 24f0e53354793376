//! Figure 5 of Nergiz and Clifton 2008: loss by the threshold of the clustering.

use std::process::ExitCode;

use scumble_papers::nergiz::by_threshold;
use scumble_papers::run;

fn main() -> ExitCode {
    run("nergiz_figure_5", by_threshold)
}
