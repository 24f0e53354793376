//! What must hold of a message of a party, whatever the bytes.

use scumble_mashup::{Message, Packed, Shown};

/// Numbers of records for which a receiver might unpack what it got.
const RECORDS: [usize; 6] = [0, 1, 3, 8, 100, 10_000];

/// Reads a message. It is read or refused; and if it is read, it stays the same when it is written and read again, and its
/// numbers are as many as are asked for and below their bound, or refused.
pub fn run(data: &[u8]) {
    let Ok((number, message)) = Message::decode(0, data) else {
        return;
    };
    let written = message.encode(number);
    let (number_again, again) = Message::decode(0, &written).expect("what was written can be read");
    // As bytes: a penalty that is not a number is not equal to itself.
    assert_eq!((number, &written), (number_again, &again.encode(number_again)));
    if let Some(packed) = packed(&message) {
        RECORDS.iter().for_each(|&records| unpack(packed, records));
    }
}

fn packed(message: &Message) -> Option<&Packed> {
    match message {
        Message::Class(cells) => Some(&cells.of_record),
        Message::Plain(plain) => Some(&plain.cells.of_record),
        Message::Scope(scope) => Some(&scope.settled),
        Message::Refine(refine) => Some(&refine.child_of),
        Message::Masked(masked) => match &masked.shown {
            Shown::Records(packed) => Some(packed),
            Shown::Values(_) => None,
        },
        _ => None,
    }
}

fn unpack(packed: &Packed, records: usize) {
    for count in [0, 1, 2, 5, u32::MAX] {
        if let Some(numbers) = packed.unpack(records, count) {
            assert_eq!(numbers.len(), records);
            assert!(numbers.iter().all(|&number| number < count));
        }
    }
}
