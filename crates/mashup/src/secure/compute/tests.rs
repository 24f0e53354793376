//! Whatever arrives, the answer is right or there is none.

use polytune::garble_lang::register_circuit::Circuit;

use super::compute;
use super::outputs::bytes_at_most;
use crate::secure::circuit::{Bit, Builder};
use crate::secure::network::{Message, Network, Spoil, Task};
use crate::secure::{Maximum, SecureError};

type Answers = Vec<Option<Result<usize, SecureError>>>;

/// Two parties look for the larger of 9 and 5, so 0 is the right answer.
fn compare(network: &Network) -> Answers {
    let maximum = Maximum::new(2).unwrap();
    let lines = [network.line(0), network.line(1)];
    let zeroth: Task<'_, _> = Box::pin(maximum.winner(&lines[0], 0, 9));
    let first: Task<'_, _> = Box::pin(maximum.winner(&lines[1], 1, 5));
    network.run(vec![zeroth, first])
}

fn compare_with_spoilt(which: impl Fn(Message<'_>) -> bool + 'static, change: fn(&mut Vec<u8>)) -> Answers {
    compare(&Network::with_spoilt(
        2,
        Spoil {
            which: Box::new(which),
            change,
        },
    ))
}

/// The contents of a message begin after its length.
fn contents(message: &mut [u8]) -> &mut [u8] {
    let length = message.len().min(8);
    &mut message[length..]
}

const ZEROS: fn(&mut Vec<u8>) = |message| contents(message).fill(0);

const CHANGES: [fn(&mut Vec<u8>); 7] = [
    ZEROS,
    |message| contents(message).fill(1),
    |message| message.clear(),
    |message| message.truncate(message.len() / 2),
    |message| message.iter_mut().take(1).for_each(|byte| *byte ^= 1),
    |message| message.iter_mut().skip(7).take(1).for_each(|byte| *byte ^= 0x40),
    |message| message.iter_mut().last().into_iter().for_each(|byte| *byte ^= 1),
];

/// Every message of a computation is spoilt in its turn. Nobody panics, and nobody believes that 5 is larger than 9.
#[test]
fn a_spoilt_message_never_makes_a_wrong_answer() {
    let network = Network::new(2);
    assert!(compare(&network).iter().all(|answer| matches!(answer, Some(Ok(0)))));
    for number in 0..network.messages() {
        let answers = compare_with_spoilt(move |message| message.number == number, CHANGES[number % CHANGES.len()]);
        assert!(
            !answers.iter().any(|answer| matches!(answer, Some(Ok(1..)))),
            "message {number}: {answers:?}"
        );
    }
}

/// The library would take the missing share for 0, and turn the output over in half of all computations.
#[test]
fn a_missing_share_of_an_output_is_noticed() {
    for party in [0, 1] {
        let from_party = move |message: Message<'_>| message.phase == "output wire shares" && message.from == party;
        let answers = compare_with_spoilt(from_party, ZEROS);
        assert!(
            matches!(answers[1 - party], Some(Err(SecureError::Protocol(_)))),
            "{answers:?}"
        );
    }
}

/// Gates that cannot be decrypted make the library panic.
#[test]
fn a_panic_of_the_library_is_an_error() {
    let answers = compare_with_spoilt(|message| message.phase == "preprocessed gates", ZEROS);
    assert!(matches!(answers[0], Some(Err(SecureError::Garbage))), "{answers:?}");
}

/// Whoever sends more than the circuit takes is named.
#[test]
fn a_peer_that_sends_too_much_is_named() {
    for party in [0, 1] {
        let from_party = move |message: Message<'_>| message.from == party;
        let answers = compare_with_spoilt(from_party, |message| message.resize(16 << 20, 0));
        assert!(
            matches!(answers[1 - party], Some(Err(SecureError::TooMuch { party: by })) if by == party),
            "{answers:?}"
        );
    }
}

/// A circuit in which each party has so many inputs, and so many ANDs are made of them.
fn circuit(parties: usize, inputs: usize, ands: usize) -> Circuit {
    let mut circuit = Builder::new(parties);
    let mut bits: Vec<Bit> = (0..parties).flat_map(|party| circuit.number(party, inputs)).collect();
    let mut outputs = Vec::new();
    for round in 0..ands {
        let (a, b) = (round % bits.len(), (round * 7 + 1) % bits.len());
        let made = circuit.and(bits[a], bits[b]);
        bits[a] = circuit.xor(bits[a], made);
        outputs.push(bits[a]);
    }
    circuit.finish(&outputs[outputs.len() - 1..])
}

/// What honest parties send is at most half of what is allowed, for few inputs and many, few ANDs and many, 2 to 8 parties.
#[test]
fn honest_parties_send_at_most_half_of_what_is_allowed() {
    for (parties, inputs, ands) in [
        (2, 1, 1),
        (2, 3000, 10),
        (2, 10, 5000),
        (2, 500, 8000),
        (3, 46, 400),
        (8, 46, 600),
    ] {
        let circuit = circuit(parties, inputs, ands);
        let network = Network::new(parties);
        let lines: Vec<_> = (0..parties).map(|party| network.line(party)).collect();
        let (own, everybody) = (vec![true; inputs], Vec::from_iter(0..parties));
        let party =
            |party: usize| -> Task<'_, _> { Box::pin(compute(&lines[party], &circuit, party, &own, &everybody)) };
        let ended = network.run((0..parties).map(party).collect());
        assert!(ended.iter().all(|ended| matches!(ended, Some(Ok(_)))));
        let (sent, allowed) = (network.most_bytes(), bytes_at_most(&circuit));
        assert!(
            2 * sent <= allowed,
            "{parties} parties, {inputs} inputs, {ands} ANDs: {sent} of {allowed}"
        );
    }
}
