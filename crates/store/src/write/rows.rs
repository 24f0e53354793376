//! [`Rows`]: the rows of a release in the order in which they are written.
//!
//! A value is known by its rank among the values that its column shows. Sorting works on keys, the ranks of a row side
//! by side in one integer, the first column highest:
//!
//! | job | sex | ranks | key (1 bit, 1 bit) |
//! |---|---|---|---|
//! | Lawyer | F | 1, 0 | `10` |
//! | Engineer | M | 0, 1 | `01` |
//! | Engineer | F | 0, 0 | `00` |
//!
//! Invariant: keys compare as their rows do. If all columns fit, a key is its row, and the numbers of the rows are
//! not needed. If they do not fit, keys of the first columns carry the row number in their lowest bits, and rows that
//! tie are keyed anew by the next columns.

use std::ops::{BitOrAssign, Range, Shl};

use rayon::prelude::*;
use scumble_progress::{Interrupted, Work};
use scumble_table::{Codes, Dictionary, ReleasedColumn, RowOrder, with_codes};

use super::error::WriteError;

/// The rows of a release, in order.
pub(super) struct Rows<'r> {
    columns: Vec<PublishedColumn<'r>>,
    count: usize,
    order: Order,
}

/// A column that is written: the values that it shows and, for each code, the rank of its value.
pub(super) struct PublishedColumn<'r> {
    pub name: &'r str,
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "of all that is written, only Parquet has types to choose")
    )]
    pub masked: bool,
    pub values: Dictionary,
    rank_of_code: Vec<u32>,
    codes: &'r Codes,
}

/// What tells which row comes next.
enum Order {
    Input,
    /// Keys of all columns, sorted.
    Narrow(Keys<u64>),
    /// Keys of all columns, sorted.
    Wide(Keys<u128>),
    /// Row numbers in their lowest [`ROW_BITS`], sorted by the columns of the rows.
    Numbered(Vec<u128>),
}

/// One key of all columns per row, and where each column stands in it.
struct Keys<K> {
    sorted: Vec<K>,
    fields: Vec<Field>,
}

/// Room for a trillion rows.
const ROW_BITS: u32 = 40;
const ROW: u128 = (1 << ROW_BITS) - 1;

/// Rows keyed as one task, column after column: few enough that their keys stay in the cache.
const BLOCK: usize = 4096;

impl<'r> Rows<'r> {
    /// Those of the columns that are published, each with so many rows, in this order.
    pub fn new(columns: &[&'r ReleasedColumn], count: usize, order: RowOrder, work: Work) -> Result<Self, WriteError> {
        let published = columns.par_iter().filter(|column| column.published);
        let columns: Vec<PublishedColumn> = published.map(|column| publish(column)).collect();
        if columns.is_empty() {
            return Err(WriteError::NoColumns);
        }
        let order = match order {
            RowOrder::Input => Order::Input,
            RowOrder::Sorted => sort(&columns, count, work)?,
        };
        Ok(Rows { columns, count, order })
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The columns, in file order.
    pub fn columns(&self) -> &[PublishedColumn<'r>] {
        &self.columns
    }

    /// Calls `show` with the place in `range` and the rank of every value that `range` of the rows shows in a column.
    pub fn ranks(&self, column: usize, range: Range<usize>, mut show: impl FnMut(usize, u32)) {
        let PublishedColumn {
            codes, rank_of_code, ..
        } = &self.columns[column];
        match &self.order {
            Order::Input => with_codes!(codes, |codes| for (place, &code) in codes[range].iter().enumerate() {
                show(place, rank_of_code[code as usize]);
            }),
            Order::Narrow(Keys { sorted, fields }) => {
                let Field { shift, mask } = fields[column];
                sorted[range]
                    .iter()
                    .enumerate()
                    .for_each(|(place, key)| show(place, (key >> shift) as u32 & mask));
            }
            Order::Wide(Keys { sorted, fields }) => {
                let Field { shift, mask } = fields[column];
                sorted[range]
                    .iter()
                    .enumerate()
                    .for_each(|(place, key)| show(place, (key >> shift) as u32 & mask));
            }
            Order::Numbered(keys) => with_codes!(codes, |codes| for (place, key) in keys[range].iter().enumerate() {
                show(place, rank_of_code[codes[(key & ROW) as usize] as usize]);
            }),
        }
    }
}

fn publish(column: &ReleasedColumn) -> PublishedColumn<'_> {
    let (values, rank_of_code) = column.shown();
    PublishedColumn {
        name: &column.name,
        masked: column.masked,
        values,
        rank_of_code,
        codes: column.codes(),
    }
}

impl PublishedColumn<'_> {
    /// How many bits hold every rank; none if there is but one.
    fn bits(&self) -> u32 {
        let highest = self.values.len().saturating_sub(1);
        usize::BITS - highest.leading_zeros()
    }
}

/// Where the rank of a column stands in a key. A column of one value stands nowhere: its mask is 0.
#[derive(Clone, Copy)]
struct Field {
    shift: u32,
    mask: u32,
}

/// Lays the columns side by side, the last one just above the lowest `free` bits.
fn fields(columns: &[PublishedColumn], free: u32) -> Vec<Field> {
    let mut used = free;
    let mut fields: Vec<Field> = columns
        .iter()
        .rev()
        .map(|column| {
            let bits = column.bits();
            let field = Field {
                shift: if bits == 0 { 0 } else { used },
                mask: ((1u64 << bits) - 1) as u32,
            };
            used += bits;
            field
        })
        .collect();
    fields.reverse();
    fields
}

/// The order of the released values, in the narrowest keys that do.
fn sort(columns: &[PublishedColumn], rows: usize, work: Work) -> Result<Order, Interrupted> {
    let bits: u32 = columns.iter().map(PublishedColumn::bits).sum();
    Ok(if bits <= u64::BITS {
        Order::Narrow(sorted_keys(columns, rows, work)?)
    } else if bits <= u128::BITS {
        Order::Wide(sorted_keys(columns, rows, work)?)
    } else {
        Order::Numbered(sorted_numbers(columns, rows, work)?)
    })
}

/// One key of all columns per row, in ascending order.
fn sorted_keys<K>(columns: &[PublishedColumn], rows: usize, work: Work) -> Result<Keys<K>, Interrupted>
where
    K: Copy + Default + Ord + Send + From<u32> + Shl<u32, Output = K> + BitOrAssign,
{
    let mut keys = vec![K::default(); rows];
    let fields = fields(columns, 0);
    keys.par_chunks_mut(BLOCK).enumerate().for_each(|(block, keys)| {
        for (column, field) in varying(columns, &fields) {
            with_codes!(
                column.codes,
                |codes| for (key, &code) in keys.iter_mut().zip(&codes[block * BLOCK..]) {
                    *key |= K::from(column.rank_of_code[code as usize]) << field.shift;
                }
            );
        }
    });
    work.go_on()?;
    keys.par_sort_unstable();
    Ok(Keys { sorted: keys, fields })
}

/// The columns that have a place in the key.
fn varying<'c, 'r>(
    columns: &'c [PublishedColumn<'r>],
    fields: &'c [Field],
) -> impl Iterator<Item = (&'c PublishedColumn<'r>, &'c Field)> {
    columns.iter().zip(fields).filter(|(_, field)| field.mask != 0)
}

/// Row numbers sorted by the values of the rows, as many columns at a time as fit above the number.
fn sorted_numbers(mut columns: &[PublishedColumn], rows: usize, work: Work) -> Result<Vec<u128>, Interrupted> {
    let mut numbered: Vec<u128> = (0..rows as u128).collect();
    let mut ties = vec![&mut numbered[..]];
    while !columns.is_empty() && !ties.is_empty() {
        work.go_on()?;
        let (fitting, rest) = columns.split_at(how_many_fit(columns, u128::BITS - ROW_BITS));
        let fields = fields(fitting, ROW_BITS);
        ties = ties
            .into_par_iter()
            .flat_map_iter(|tie| {
                tie.par_chunks_mut(BLOCK)
                    .for_each(|keys| key_anew(keys, fitting, &fields));
                tie.par_sort_unstable();
                tie.chunk_by_mut(|a, b| a >> ROW_BITS == b >> ROW_BITS)
                    .filter(|tie| tie.len() > 1)
            })
            .collect();
        columns = rest;
    }
    Ok(numbered)
}

/// How many of the first columns fit in so many bits; two always do.
fn how_many_fit(columns: &[PublishedColumn], bits: u32) -> usize {
    let mut free = bits;
    let fits = |column: &&PublishedColumn| {
        let left = free.checked_sub(column.bits());
        free = left.unwrap_or(0);
        left.is_some()
    };
    columns.iter().take_while(fits).count()
}

/// Keeps the row numbers and puts the ranks of these columns above them.
fn key_anew(keys: &mut [u128], columns: &[PublishedColumn], fields: &[Field]) {
    keys.iter_mut().for_each(|key| *key &= ROW);
    for (column, field) in varying(columns, fields) {
        with_codes!(column.codes, |codes| for key in keys.iter_mut() {
            let code = codes[(*key & ROW) as usize];
            *key |= u128::from(column.rank_of_code[code as usize]) << field.shift;
        });
    }
}
