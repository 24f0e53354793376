//! [`Codes`]: one small integer per row, stored in the narrowest width that holds them all.

/// The codes of one column, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// Up to 256 distinct values.
    U8(Vec<u8>),
    /// Up to 65,536 distinct values.
    U16(Vec<u16>),
    /// More.
    U32(Vec<u32>),
}

/// Runs one body for whichever width the codes have; `$codes` is bound to a slice of `u8`, `u16` or `u32`.
///
/// Hot loops dispatch once per column instead of once per row.
#[macro_export]
macro_rules! with_codes {
    ($value:expr, |$codes:ident| $body:expr) => {
        match $value {
            $crate::Codes::U8($codes) => $body,
            $crate::Codes::U16($codes) => $body,
            $crate::Codes::U32($codes) => $body,
        }
    };
}

impl Codes {
    /// An empty list, wide enough for `distinct` different codes.
    pub fn for_distinct(distinct: usize) -> Self {
        if distinct <= 1 << 8 {
            Codes::U8(Vec::new())
        } else if distinct <= 1 << 16 {
            Codes::U16(Vec::new())
        } else {
            Codes::U32(Vec::new())
        }
    }

    /// Collects `codes`, all below `distinct`.
    pub fn collect(distinct: usize, codes: impl IntoIterator<Item = u32>) -> Self {
        let mut all = Codes::for_distinct(distinct);
        match &mut all {
            Codes::U8(v) => v.extend(codes.into_iter().map(|c| c as u8)),
            Codes::U16(v) => v.extend(codes.into_iter().map(|c| c as u16)),
            Codes::U32(v) => v.extend(codes),
        }
        all
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        with_codes!(self, |codes| codes.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of one row.
    #[inline]
    pub fn at(&self, row: usize) -> u32 {
        match self {
            Codes::U8(v) => v[row].into(),
            Codes::U16(v) => v[row].into(),
            Codes::U32(v) => v[row],
        }
    }

    /// All codes in row order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Codes::U8(v) => Box::new(v.iter().map(|&c| c.into())),
            Codes::U16(v) => Box::new(v.iter().map(|&c| c.into())),
            Codes::U32(v) => Box::new(v.iter().copied()),
        }
    }

    /// What each row has, given what each code stands for.
    pub fn look_up(&self, of_code: &[u32]) -> Vec<u32> {
        crate::with_codes!(self, |codes| codes.iter().map(|&code| of_code[code as usize]).collect())
    }

    /// The codes of some rows, in this order.
    pub fn pick(&self, rows: &[u32]) -> Codes {
        fn picked<T: Copy>(codes: &[T], rows: &[u32]) -> Vec<T> {
            rows.iter().map(|&row| codes[row as usize]).collect()
        }
        match self {
            Codes::U8(codes) => Codes::U8(picked(codes, rows)),
            Codes::U16(codes) => Codes::U16(picked(codes, rows)),
            Codes::U32(codes) => Codes::U32(picked(codes, rows)),
        }
    }

    /// The codes of the rows for which `keep` is true.
    pub(crate) fn kept(&self, keep: &[bool]) -> Codes {
        fn kept<T: Copy>(codes: &[T], keep: &[bool]) -> Vec<T> {
            let rows = keep.iter().filter(|&&keep| keep).count();
            let mut all = Vec::with_capacity(rows);
            all.extend(codes.iter().zip(keep).filter(|(_, keep)| **keep).map(|(&code, _)| code));
            all
        }
        match self {
            Codes::U8(codes) => Codes::U8(kept(codes, keep)),
            Codes::U16(codes) => Codes::U16(kept(codes, keep)),
            Codes::U32(codes) => Codes::U32(kept(codes, keep)),
        }
    }

    /// Keeps the rows for which `keep` is true.
    pub fn retain_rows(&mut self, keep: &[bool]) {
        with_codes!(self, |codes| {
            let mut row = 0;
            codes.retain(|_| {
                row += 1;
                keep[row - 1]
            });
            codes.shrink_to_fit();
        });
    }
}
