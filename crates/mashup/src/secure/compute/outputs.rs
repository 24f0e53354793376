//! A channel that refuses a peer's shares of the outputs where one is missing.
//!
//! An output is the XOR of everybody's shares. The library takes a share that a peer leaves out for 0, so that a peer
//! could turn an output over by saying nothing. Every other share is authenticated.
//!
//! It also refuses more bytes than the circuit can ask a peer for.
//!
//! The layout of the message is that of the one version of the library that we allow: its length in 8 bytes, then for
//! every register a 0, or a 1 before the bit and its authentication.

use std::cell::{Cell, RefCell};

use polytune::channel::Channel;
use polytune::garble_lang::register_circuit::Circuit;

/// What the library calls the message that holds the shares of the outputs.
const OUTPUT_SHARES: &str = "output wire shares";

/// How many bytes follow the 1 of a register: the bit, and 128 bits that authenticate it.
const SHARE_BYTES: usize = 1 + 16;

/// A channel for one computation.
pub(super) struct WholeOutputs<'a, C> {
    channel: &'a C,
    circuit: &'a Circuit,
    /// The bytes of each party so far.
    received: RefCell<Vec<usize>>,
    /// A party that sent too many.
    excessive: Cell<Option<usize>>,
}

/// The bytes that one peer sends for a circuit, and then some: a fixed part for the public-key operations that begin it,
/// and so much for each party and each AND, register and input.
pub(super) fn bytes_at_most(circuit: &Circuit) -> usize {
    let parties = circuit.input_regs.len();
    let wires = circuit.and_ops + circuit.max_reg_count + circuit.input_regs.iter().sum::<usize>();
    FIXED_BYTES.saturating_add(wires.saturating_mul(parties).saturating_mul(WIRE_BYTES))
}

const FIXED_BYTES: usize = 2 << 20;
const WIRE_BYTES: usize = 2 << 10;

/// Why nothing was received.
#[derive(Debug)]
pub(super) enum Unreceived<E> {
    /// What the channel says.
    Channel(E),
    /// A peer left out its share of an output.
    MissingShare,
    /// A peer sent more than the circuit asks for.
    TooMuch,
}

impl<C: Channel> Channel for WholeOutputs<'_, C> {
    type SendError = C::SendError;
    type RecvError = Unreceived<C::RecvError>;

    async fn send_bytes_to(&self, party: usize, data: Vec<u8>, phase: &str) -> Result<(), Self::SendError> {
        self.channel.send_bytes_to(party, data, phase).await
    }

    async fn recv_bytes_from(&self, party: usize, phase: &str) -> Result<Vec<u8>, Self::RecvError> {
        let data = self
            .channel
            .recv_bytes_from(party, phase)
            .await
            .map_err(Unreceived::Channel)?;
        let mut received = self.received.borrow_mut();
        received[party] += data.len();
        if received[party] > bytes_at_most(self.circuit) {
            self.excessive.set(Some(party));
            return Err(Unreceived::TooMuch);
        }
        if phase == OUTPUT_SHARES && !self.is_whole(&data) {
            return Err(Unreceived::MissingShare);
        }
        Ok(data)
    }
}

impl<'a, C> WholeOutputs<'a, C> {
    pub(super) fn new(channel: &'a C, circuit: &'a Circuit) -> Self {
        WholeOutputs {
            channel,
            circuit,
            received: RefCell::new(vec![0; circuit.input_regs.len()]),
            excessive: Cell::new(None),
        }
    }

    /// The party that sent too much, if that is what ended the computation.
    pub(super) fn excessive(&self) -> Option<usize> {
        self.excessive.get()
    }

    fn is_whole(&self, message: &[u8]) -> bool {
        let mut shared = vec![false; self.circuit.max_reg_count];
        let mut at = size_of::<u64>();
        for shared in &mut shared {
            *shared = message.get(at) == Some(&1);
            at += if *shared { 1 + SHARE_BYTES } else { 1 };
        }
        message.len() == at && self.circuit.output_regs.iter().all(|&output| shared[output])
    }
}
