//! Top-down refinement: the search for the most useful release that is still safe.
