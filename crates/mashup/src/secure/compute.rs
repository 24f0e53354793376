//! One secure computation: a circuit, everybody's private inputs, and nothing learnt but its outputs.
//!
//! Invariant: whatever a peer sends, there is no panic, and no output from which a share is missing. The library
//! underneath panics on some messages that no honest peer sends, and overlooks a missing share ([`outputs`]); both end
//! here as an error.

mod outputs;

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use polytune::channel::Channel;
use polytune::garble_lang::register_circuit::Circuit;

use super::SecureError;
use outputs::WholeOutputs;

/// The party that evaluates what the others garble. Any would do: the work and the messages are nearly the same.
const EVALUATOR: usize = 0;

/// Runs the part of the party `own` in the computation of a circuit. Only `readers` learn the outputs, the others get
/// none.
pub(super) async fn compute(
    channel: &impl Channel,
    circuit: &Circuit,
    own: usize,
    inputs: &[bool],
    readers: &[usize],
) -> Result<Vec<bool>, SecureError> {
    let channel = WholeOutputs::new(channel, circuit);
    let mut computation = pin!(polytune::mpc(&channel, circuit, inputs, EVALUATOR, own, readers, None));
    let outputs = poll_fn(|context| {
        // A computation that panicked is not polled again, so nobody sees the state it was left in.
        match catch_unwind(AssertUnwindSafe(|| computation.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(outputs)) => Poll::Ready(outputs.map_err(SecureError::from)),
            Err(_) => Poll::Ready(Err(SecureError::Garbage)),
        }
    });
    let outputs = outputs.await.map_err(|error| match channel.excessive() {
        Some(party) => SecureError::TooMuch { party },
        None => error,
    })?;
    let expected = if readers.contains(&own) {
        circuit.output_regs.len()
    } else {
        0
    };
    if outputs.len() == expected {
        Ok(outputs)
    } else {
        Err(SecureError::Garbage)
    }
}

#[cfg(test)]
mod tests;
