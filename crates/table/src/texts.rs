//! [`Texts`]: many strings stored end to end.

use crate::parse_number;

/// Strings stored end to end, which a dictionary of a million values needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    bytes: String,
    ends: Ends,
}

/// Where texts end. Half of each number is kept, and the few places at which the other half grows: columns of keys have
/// as many texts as rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Ends {
    low: Vec<u32>,
    /// From which text on the upper half is one more.
    carries: Vec<usize>,
}

impl Ends {
    fn push(&mut self, end: usize) {
        while end >> 32 > self.carries.len() {
            self.carries.push(self.low.len());
        }
        self.low.push(end as u32);
    }

    #[inline]
    fn at(&self, number: usize) -> usize {
        let high = match self.carries[..] {
            [] => 0,
            _ => self.carries.partition_point(|&from| from <= number),
        };
        high << 32 | self.low[number] as usize
    }
}

impl Texts {
    /// Appends one text and tells its number.
    pub fn push(&mut self, text: &str) -> usize {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        self.len() - 1
    }

    /// The text with this number.
    #[inline]
    pub fn at(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends.at(number - 1) };
        &self.bytes[start..self.ends.at(number)]
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.low.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.low.is_empty()
    }

    /// Lets go of room that nothing is stored in.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.low.shrink_to_fit();
    }

    /// Their numbers in natural order: as numbers if all texts are such, else by their bytes. Bytes decide between equals.
    pub(crate) fn in_natural_order(&self) -> Vec<usize> {
        let numbers = self.iter().map(parse_number).collect::<Option<Vec<f64>>>();
        let by_text = |a: usize, b: usize| self.at(a).cmp(self.at(b));
        let mut order: Vec<usize> = (0..self.len()).collect();
        match numbers {
            Some(numbers) => order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]).then_with(|| by_text(a, b))),
            None => order.sort_by(|&a, &b| by_text(a, b)),
        }
        order
    }

    /// All texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|number| self.at(number))
    }
}

impl<'a> FromIterator<&'a str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'a str>>(texts: I) -> Self {
        let mut all = Texts::default();
        for text in texts {
            all.push(text);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_beyond_four_gibibytes_are_kept() {
        let ends = [0, 7, u32::MAX as usize, 1 << 32, (3 << 32) + 5, (3 << 32) + 5];
        let mut kept = Ends::default();
        ends.iter().for_each(|&end| kept.push(end));
        assert_eq!((0..ends.len()).map(|number| kept.at(number)).collect::<Vec<_>>(), ends);
    }
}
