//! The fuzz body of the messages of parties on its kept inputs and on mutations of them.

#[path = "../../../fuzz/bodies/message.rs"]
mod body;
#[path = "../../../fuzz/bodies/mutate.rs"]
mod mutate;

use std::path::Path;

use scumble_mashup::{Fault, Message};

#[test]
fn a_message_is_read_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/message");
    mutate::rehearse(&corpus, 20_000, body::run);
}

/// A length is a promise of bytes that do not follow; room is made only for what is there.
#[test]
fn a_length_without_bytes_is_refused() {
    let empty = [
        Message::Ids(Vec::new()),
        Message::Secure(Vec::new()),
        Message::Agreement(String::new()),
    ];
    for message in empty {
        let mut bytes = message.encode(0);
        assert_eq!(bytes.pop(), Some(0), "the length is the last byte");
        bytes.extend([0x80; 8]);
        // 2^60, seven bits to a byte.
        bytes.push(0x10);
        assert!(matches!(Message::decode(3, &bytes), Err(Fault::Malformed { from: 3 })));
    }
}
