//! [`Dice`]: everything that is random, from one seed, so that a case can be drawn again.

/// Draws from a seed.
pub struct Dice(fastrand::Rng);

impl Dice {
    /// The dice of one case.
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds should not give similar first throws.
        Dice(fastrand::Rng::with_seed(
            seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5C0B,
        ))
    }

    /// A number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { self.0.usize(..end) }
    }

    /// A number from `from` to `to`, both included.
    pub fn from_to(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    /// True in so many of 100 throws.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of these, of which there is at least one.
    pub fn pick<'t, T>(&mut self, these: &'t [T]) -> &'t T {
        &these[self.below(these.len())]
    }

    /// So many of these, in their order; all if there are fewer.
    pub fn some_of<T: Clone>(&mut self, these: &[T], count: usize) -> Vec<T> {
        let mut places: Vec<usize> = (0..these.len()).collect();
        self.0.shuffle(&mut places);
        places.truncate(count);
        places.sort_unstable();
        places.into_iter().map(|place| these[place].clone()).collect()
    }
}
