//! A [`Wire`] is a relay between a party and those who call it, which does harm after so many bytes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// What becomes of the bytes after the last good one.
#[derive(Clone, Copy, Debug)]
pub enum Harm {
    /// All connections end.
    Cut,
    /// Nothing arrives any more, and nothing ends.
    Hold,
    /// They arrive changed.
    Garble,
}

/// A relay. Its threads end with the connections, or with the tests.
pub struct Wire {
    passed: Arc<AtomicUsize>,
}

impl Wire {
    /// Carries so many good bytes in all, both ways and over all connections, from whoever calls `at` to a party at `to`.
    pub fn new(at: &str, to: &str, good: usize, harm: Harm) -> Wire {
        let passed = Arc::new(AtomicUsize::new(0));
        let listener = TcpListener::bind(at).unwrap();
        let (to, counter) = (to.to_owned(), Arc::clone(&passed));
        thread::spawn(move || {
            for caller in listener.incoming() {
                let (caller, called) = (caller.unwrap(), call(&to));
                for (from, to) in [(&caller, &called), (&called, &caller)] {
                    let ends = [from, to].map(|end| end.try_clone().unwrap());
                    let passed = Arc::clone(&counter);
                    thread::spawn(move || carry(ends, &passed, good, harm));
                }
            }
        });
        Wire { passed }
    }

    /// The bytes that have passed so far.
    pub fn passed(&self) -> usize {
        self.passed.load(Relaxed)
    }
}

/// A connection with a party as soon as it listens.
pub fn call(address: &str) -> TcpStream {
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Carries bytes one way.
fn carry([mut from, mut to]: [TcpStream; 2], passed: &AtomicUsize, good: usize, harm: Harm) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let before = passed.fetch_add(count, Relaxed);
        let intact = good.saturating_sub(before).min(count);
        match harm {
            Harm::Garble => bytes[intact..count].iter_mut().for_each(|byte| *byte ^= 0x55),
            _ if intact == count => {}
            Harm::Cut => {
                let _ = to.write_all(&bytes[..intact]);
                break;
            }
            Harm::Hold => loop {
                thread::park();
            },
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    for end in [from, to] {
        // The other direction may have ended it already.
        let _ = end.shutdown(Shutdown::Both);
    }
}
