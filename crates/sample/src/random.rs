//! [`Random`]: numbers without pattern, the same for the same seed on every machine.
//!
//! Only whole numbers are used: functions such as `exp` may differ in their last bit between systems, and one such bit
//! would change every row after it.

/// SplitMix64, by Steele, Lea and Flood: *Fast splittable pseudorandom number generators*, OOPSLA 2014.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end - 1`. The upper half of the product is uniform but for a bias of `end / 2^64`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u32
    }

    /// A number from `first` to `last`.
    pub(crate) fn between(&mut self, first: u32, last: u32) -> u32 {
        first + self.below(last - first + 1)
    }

    /// True so often in a hundred.
    pub(crate) fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }

    /// The place of one of the weights; a place is as likely as its weight is large. Not all weights are 0.
    pub(crate) fn place(&mut self, weights: impl IntoIterator<Item = u32> + Clone) -> usize {
        let mut left = self.below(weights.clone().into_iter().sum());
        let reached = |weight: u32| match left.checked_sub(weight) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        };
        weights
            .into_iter()
            .position(reached)
            .expect("a number below the sum of all weights is used up by them")
    }

    /// One of the values, as likely as its weight is large.
    pub(crate) fn pick<T: Copy>(&mut self, weighted: &[(T, u32)]) -> T {
        weighted[self.place(weighted.iter().map(|&(_, weight)| weight))].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation (prng.di.unimi.it/splitmix64.c) from state 1234567.
    #[test]
    fn numbers_are_those_of_the_reference() {
        let mut random = Random::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| random.next()), expected);
    }

    #[test]
    fn a_place_is_as_likely_as_its_weight() {
        let mut random = Random::new(1);
        let mut met = [0; 3];
        for _ in 0..10_000 {
            met[random.place([1, 0, 3])] += 1;
        }
        assert_eq!(met[1], 0);
        assert!((2_300..2_700).contains(&met[0]), "{met:?}");
    }
}
