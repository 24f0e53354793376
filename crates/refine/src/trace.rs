//! The [`Trace`]: every refinement of a search, in order.

/// The steps of a search. Stopping after step `n` gives the release of step `n`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The level of each template before the first step.
    pub start: Vec<f64>,
    /// The information loss before the first step.
    pub start_information_loss: f64,
    /// The refinements made.
    pub steps: Vec<Step>,
}

/// One refinement.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The place of the column among the quasi columns.
    pub column: usize,
    /// The masked value refined; for a suppressed column, the value disclosed (`None` is the missing value).
    pub value: Option<String>,
    /// What is shown instead (`None` is the missing value).
    pub into: Vec<Option<String>>,
    /// What the objective gained.
    pub gain: f64,
    /// What the templates lost on average.
    pub loss: f64,
    /// What the refinement was chosen by.
    pub score: f64,
    /// The level of each template after it.
    pub levels: Vec<f64>,
    /// The average certainty penalty of the quasi cells after it, those of rows left out included: 0 if all are shown
    /// as they are, 1 if nothing is told of any.
    pub information_loss: f64,
    /// Rows left out so far.
    pub left_out: u64,
}
