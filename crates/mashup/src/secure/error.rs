//! Why there is no result: the caller's inputs, the peers, or the environment.

/// Why a secure computation has no result. None of it tells a private input.
#[derive(Debug, thiserror::Error)]
pub enum SecureError {
    /// The number of parties is not one that all compute with.
    #[error("2 to 8 parties compute together, not {parties}")]
    Parties {
        /// How many there are.
        parties: usize,
    },
    /// A bid is too large.
    #[error("a bid must be below 2^46")]
    Bid,
    /// What is asked does not make sense.
    #[error("a split {0}")]
    Split(&'static str),
    /// The private inputs of a party do not fit what is asked.
    #[error("the inputs of a split {0}")]
    Inputs(&'static str),
    /// A message did not come, did not go, or is not what the protocol expects.
    #[error("the computation with the other parties failed: {0}")]
    Protocol(#[from] polytune::Error),
    /// A peer sent what no party sends that follows the protocol.
    #[error("the computation with the other parties failed: a message is not one of the protocol")]
    Garbage,
    /// A peer sent more than the computation takes.
    #[error("party {party} of a computation sent more than it takes")]
    TooMuch {
        /// Its place in the computation.
        party: usize,
    },
    /// The system gives no random bits.
    #[error("no random bits from the system: {0}")]
    Random(#[from] getrandom::Error),
}

/// Refuses a number of parties that all cannot compute with.
pub(super) fn check_parties(parties: usize) -> Result<(), SecureError> {
    if (2..=8).contains(&parties) {
        Ok(())
    } else {
        Err(SecureError::Parties { parties })
    }
}
