//! A small fuzzer for the normal tests: the kept inputs, and seeded mutations of them.
//!
//! It finds less than libFuzzer, but it runs everywhere, in a second, and the same way each time.

use std::fs;
use std::panic;
use std::path::Path;

/// Runs a fuzz body on every file of a corpus and on so many mutations of them.
///
/// # Panics
/// If the body does, with the input that made it; if the corpus is empty.
pub fn rehearse(corpus: &Path, mutations: usize, run: fn(&[u8])) {
    let entries = fs::read_dir(corpus).expect("the corpus is a folder of this repository");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the corpus can be listed").path())
        .collect();
    paths.sort();
    let inputs: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| fs::read(path).expect("an input is a file"))
        .collect();
    assert!(!inputs.is_empty(), "the corpus is empty");
    inputs.iter().for_each(|input| attempt(input, run));
    let mut random = Random(1);
    for _ in 0..mutations {
        let input = &inputs[random.below(inputs.len())];
        let other = &inputs[random.below(inputs.len())];
        attempt(&random.mutate(input, other), run);
    }
}

fn attempt(input: &[u8], run: fn(&[u8])) {
    if panic::catch_unwind(|| run(input)).is_err() {
        panic!("the input is \"{}\"", input.escape_ascii());
    }
}

/// SplitMix64: enough to pick mutations.
struct Random(u64);

impl Random {
    /// A number below `end`; 0 if there is none.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % end.max(1)
    }

    /// A part of `0..len`, often short.
    fn part(&mut self, len: usize) -> std::ops::Range<usize> {
        let start = self.below(len + 1);
        let longest = [4, 16, len][self.below(3)].min(len - start);
        start..start + self.below(longest + 1)
    }

    /// One to four changes: a flipped bit, a byte of the other input, a part removed, repeated or spliced in.
    fn mutate(&mut self, input: &[u8], other: &[u8]) -> Vec<u8> {
        let mut data = input.to_vec();
        for _ in 0..=self.below(4) {
            let part = self.part(data.len());
            let from = self.part(other.len());
            match self.below(5) {
                0 if !data.is_empty() => {
                    let at = self.below(data.len());
                    data[at] ^= 1 << self.below(8);
                }
                1 if !data.is_empty() && !other.is_empty() => {
                    let at = self.below(data.len());
                    data[at] = other[self.below(other.len())];
                }
                2 => drop(data.drain(part)),
                3 => {
                    let repeated = data[part.clone()].to_vec();
                    let at = self.below(data.len() + 1);
                    data.splice(at..at, repeated);
                }
                _ => drop(data.splice(part, other[from].iter().copied())),
            }
        }
        data
    }
}
