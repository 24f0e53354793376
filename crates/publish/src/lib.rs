//! The flow from policy to audited release; what every edge calls.
