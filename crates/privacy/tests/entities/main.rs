//! The audit of several tables: the paper's example, planted faults, and a slow version that writes every person's tree
//! out as text.

mod agrees_with_slow;
mod compared;
mod paper;
mod plain;
mod planted;
mod random;
mod slow;
mod slow_compared;
