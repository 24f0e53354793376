//! Reading labels as what they stand for on a [`Scale`].

use std::{iter, ptr};

use scumble_table::{
    Dictionary, Domain, Forms, FormsOf, Interval, Label, Meaning, Range, Texts, Written, cover_all, parse_number,
};

use super::{Extent, Places, Scale, Values};

impl Scale<'_> {
    /// What each code of a dictionary of labels stands for, in a column that shows this of its values. Values before masking
    /// are labels too, shown as they are.
    pub fn extents(&self, labels: &Dictionary, written: Written) -> Vec<Extent> {
        let forms = self.forms(written);
        let codes = 0..labels.len() as u32;
        // The values of a list without a tree are their own places, and there may be very many of them.
        let own = matches!(self, Scale::Values(values) if ptr::eq(&*values.dictionary, labels));
        let mut unread = Vec::new();
        let mut extents: Vec<Extent> = codes
            .map(|code| match labels.value(code) {
                None => Extent::Missing,
                Some(_) if own => Extent::Places(Places::single(code)),
                Some(text) => self.read(text, forms).unwrap_or_else(|| {
                    unread.push(code);
                    Extent::Unknown
                }),
            })
            .collect();
        for (extent, code) in self.read_by_values(&unread, labels, forms).into_iter().zip(unread) {
            extents[code as usize] = extent;
        }
        extents
    }

    /// What one word of whoever asks stands for: a value, or a label in any form.
    pub fn extent(&self, label: &str) -> Extent {
        let labels = Dictionary::new(iter::once(label).collect(), false);
        // A dictionary of one label has one extent.
        self.extents(&labels, Written::Any).pop().unwrap_or(Extent::Unknown)
    }

    /// What its labels can be, in a column that shows this of its values. A centre is measured as the value that it shows.
    fn forms(&self, written: Written) -> FormsOf<'_> {
        Forms {
            domain: match self {
                Scale::Numbers { .. } => Domain::Numbers,
                Scale::Values(Values { tree: Some(tree), .. }) => Domain::Nodes(tree.taxonomy),
                Scale::Values(Values { tree: None, .. }) => Domain::Words,
            },
            written: match written {
                Written::Centres => Written::Suppressed,
                Written::Exact | Written::Suppressed | Written::Generalized | Written::Sets | Written::Any => written,
            },
        }
    }

    /// Reads a label that says by itself what it stands for; `None` if that depends on the values of the column.
    fn read(&self, label: &str, forms: FormsOf) -> Option<Extent> {
        let read = Label::parse(Some(label), forms);
        match self {
            Scale::Numbers { range, values, .. } => match (parse_number(label), read.meaning()) {
                (Some(number), _) => Some(single(number, range, values)),
                (None, Meaning::Everything) => Some(Extent::Everything),
                (None, Meaning::Interval(interval)) => Some(clip(*interval, &range.whole())),
                (None, Meaning::Itself) => Some(Extent::Unknown),
                (None, Meaning::Set(_) | Meaning::Masked { .. } | Meaning::Node(..)) => None,
            },
            Scale::Values(Values { place_of, .. }) => {
                let value = || place_of.get(label).map(|&place| Extent::Places(Places::single(place)));
                let is_any = forms.written == Written::Any;
                match read.meaning() {
                    Meaning::Everything => Some(Extent::Everything),
                    Meaning::Node(taxonomy, node) => Some(Extent::Places(Places::under(taxonomy, *node))),
                    // Where nobody says what a cell is, a value of the data is one, whatever it looks like.
                    Meaning::Itself | Meaning::Set(_) | Meaning::Interval(_) | Meaning::Masked { .. } if is_any => {
                        value()
                    }
                    Meaning::Itself => Some(value().unwrap_or(Extent::Unknown)),
                    Meaning::Set(_) | Meaning::Interval(_) | Meaning::Masked { .. } => None,
                }
            }
        }
    }

    /// Reads labels by the values that they cover: sets, masked values, intervals of a column that is not continuous.
    fn read_by_values(&self, codes: &[u32], labels: &Dictionary, forms: FormsOf) -> Vec<Extent> {
        if codes.is_empty() {
            return Vec::new();
        }
        let texts: Texts = codes.iter().filter_map(|&code| labels.value(code)).collect();
        let labels = Dictionary::new(texts, false);
        let values = match self {
            Scale::Numbers { values, .. } => *values,
            Scale::Values(values) => &*values.dictionary,
        };
        let mut covered = vec![Vec::new(); labels.len()];
        let present = values.texts().len();
        for (value, by) in cover_all(values, &labels, forms).into_iter().take(present).enumerate() {
            by.into_iter()
                .for_each(|label| covered[label as usize].push(value as u32));
        }
        covered
            .into_iter()
            .map(|values| self.extent_of_values(values))
            .collect()
    }

    /// The extent of ascending places; in a continuous column the stretch that they span.
    fn extent_of_values(&self, places: Vec<u32>) -> Extent {
        match self {
            Scale::Numbers { values, .. } => {
                let number = |place: &u32| values.numbers()?.get(*place as usize).copied();
                let ends = places.first().and_then(number).zip(places.last().and_then(number));
                ends.map_or(Extent::Unknown, |(from, to)| {
                    Extent::Numbers(Interval { from, to, closed: true })
                })
            }
            Scale::Values(values) => Places::new(places).map_or(Extent::Unknown, |mut places| {
                places.node = values.common_node(places.ends());
                Extent::Places(places)
            }),
        }
    }
}

/// The part of an interval inside the range; a part of nothing is unknown.
fn clip(interval: Interval, whole: &Interval) -> Extent {
    let clipped = Interval {
        from: interval.from.max(whole.from),
        to: interval.to.min(whole.to),
        closed: interval.closed || interval.to > whole.to,
    };
    let known = clipped.from < clipped.to || (clipped.closed && clipped.from == clipped.to);
    if known {
        Extent::Numbers(clipped)
    } else {
        Extent::Unknown
    }
}

/// A single number: one inside the range, which the data may lack (a mean), or any that the data has.
fn single(number: f64, range: &Range, values: &Dictionary) -> Extent {
    let has = |numbers: &[f64]| numbers.binary_search_by(|value| value.total_cmp(&number)).is_ok();
    if range.whole().contains(number) || values.numbers().is_some_and(has) {
        Extent::Numbers(Interval {
            from: number,
            to: number,
            closed: true,
        })
    } else {
        Extent::Unknown
    }
}
