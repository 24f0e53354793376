//! [`Local`]: dense cells first, then improvement until no gain.

mod dense;
mod improve;

use scumble_level::Conditions;

use crate::{Failure, Method, Problem};

/// Our own method.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local;

impl Method for Local {
    fn groups(&self, problem: &Problem, conditions: &Conditions) -> Result<Vec<Vec<u32>>, Failure> {
        let rows: Vec<u32> = (0..problem.table.rows() as u32).collect();
        let groups = dense::dense_first(problem, conditions, &rows)?;
        improve::improve(problem, conditions, groups)
    }
}
