//! Random arrays of every type, with the values at its edges, bytes under missing cells, and shapes that store a value once for
//! many rows.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryViewArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray,
    GenericBinaryArray, GenericStringArray, NullArray, OffsetSizeTrait, PrimitiveArray, RunArray, StringViewArray,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::DataType;
use proptest::collection::vec;
use proptest::prelude::*;

/// Arrays of one type, or of a few.
pub(super) type Arrays = BoxedStrategy<ArrayRef>;

const ROWS: std::ops::Range<usize> = 0..24;

/// Arrays of numbers of one type, with a number under every missing cell, too.
pub(super) fn of<T: ArrowPrimitiveType>(kind: DataType, values: impl Strategy<Value = T::Native> + 'static) -> Arrays {
    let cells = vec((values, prop::bool::weighted(0.8)), ROWS);
    let array = move |cells: Vec<(T::Native, bool)>| {
        let (values, valid): (Vec<_>, Vec<_>) = cells.into_iter().unzip();
        let array = PrimitiveArray::<T>::new(values.into(), Some(NullBuffer::from(valid)));
        Arc::new(array.with_data_type(kind.clone())) as ArrayRef
    };
    cells.prop_map(array).boxed()
}

pub(super) fn nulls() -> Arrays {
    ROWS.prop_map(|rows| Arc::new(NullArray::new(rows)) as ArrayRef).boxed()
}

pub(super) fn truths() -> Arrays {
    vec(any::<Option<bool>>(), ROWS)
        .prop_map(|cells| Arc::new(BooleanArray::from(cells)) as ArrayRef)
        .boxed()
}

/// Cells that are mostly text, with their bytes also where they are missing.
fn cells(odd: f64) -> impl Strategy<Value = Vec<(Vec<u8>, bool)>> {
    let text = prop_oneof!["", "[ab]{1,3}", "[aé語😀]{4,12}"].prop_map(String::into_bytes);
    let cell = (text, prop::bool::weighted(odd)).prop_map(|(mut cell, odd)| {
        if odd {
            // Half of a character at the end: not text by itself, but perhaps with the next cell.
            cell.push(0xc3);
        }
        cell
    });
    vec((cell, prop::bool::weighted(0.8)), ROWS)
}

fn binary_of<O: OffsetSizeTrait>(cells: &[(Vec<u8>, bool)]) -> GenericBinaryArray<O> {
    let offsets = OffsetBuffer::from_lengths(cells.iter().map(|(cell, _)| cell.len()));
    let bytes: Vec<u8> = cells.iter().flat_map(|(cell, _)| cell.clone()).collect();
    let valid: NullBuffer = cells.iter().map(|(_, valid)| *valid).collect::<Vec<_>>().into();
    GenericBinaryArray::new(offsets, Buffer::from_vec(bytes), Some(valid))
}

pub(super) fn strings<O: OffsetSizeTrait>() -> Arrays {
    let string = |cells: Vec<_>| GenericStringArray::<O>::try_from_binary(binary_of(&cells)).expect("text");
    cells(0.0)
        .prop_map(move |cells| Arc::new(string(cells)) as ArrayRef)
        .boxed()
}

pub(super) fn binaries<O: OffsetSizeTrait>() -> Arrays {
    let some = prop_oneof![cells(0.0), cells(0.03)];
    some.prop_map(|cells| Arc::new(binary_of::<O>(&cells)) as ArrayRef)
        .boxed()
}

pub(super) fn binary_views() -> Arrays {
    let some = prop_oneof![cells(0.0), cells(0.03)];
    some.prop_map(|cells| Arc::new(BinaryViewArray::from(&binary_of::<i32>(&cells))) as ArrayRef)
        .boxed()
}

pub(super) fn string_views() -> Arrays {
    strings::<i32>()
        .prop_map(|array| Arc::new(StringViewArray::from(array.as_string::<i32>())) as ArrayRef)
        .boxed()
}

pub(super) fn fixed_size_binaries() -> Arrays {
    let cells = vec(any::<Option<[u8; 3]>>(), ROWS);
    let array =
        |cells: Vec<Option<[u8; 3]>>| FixedSizeBinaryArray::try_from_sparse_iter_with_size(cells.into_iter(), 3);
    cells
        .prop_map(move |cells| Arc::new(array(cells).expect("three bytes")) as ArrayRef)
        .boxed()
}

/// The arrays as they are, as dictionaries, as runs, and as those of those; parts of all these.
pub(super) fn shaped(arrays: Arrays) -> Arrays {
    let once = prop_oneof![dictionaries(arrays.clone()), runs(arrays.clone())].boxed();
    let twice = prop_oneof![dictionaries(once.clone()), runs(once.clone())].boxed();
    part(prop_oneof![4 => arrays, 4 => once, 1 => twice].boxed())
}

fn part(arrays: Arrays) -> Arrays {
    let ends = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        any::<bool>(),
    );
    let part = |(array, (one, other, whole)): (ArrayRef, (prop::sample::Index, prop::sample::Index, bool))| {
        let (one, other) = (one.index(array.len() + 1), other.index(array.len() + 1));
        if whole {
            array
        } else {
            array.slice(one.min(other), one.abs_diff(other))
        }
    };
    (arrays, ends).prop_map(part).boxed()
}

/// Dictionaries with values that no row has, and rows that have none.
fn dictionaries(values: Arrays) -> Arrays {
    let keys = vec(any::<Option<prop::sample::Index>>(), ROWS);
    let dictionary = |(values, keys, kind): (ArrayRef, Vec<Option<prop::sample::Index>>, u8)| {
        let keys = keys
            .iter()
            .map(|key| key.filter(|_| !values.is_empty()).map(|key| key.index(values.len())));
        let keys: Vec<Option<usize>> = keys.collect();
        match kind {
            0 => keyed::<Int8Type>(&keys, values),
            1 => keyed::<Int16Type>(&keys, values),
            2 => keyed::<Int32Type>(&keys, values),
            3 => keyed::<Int64Type>(&keys, values),
            4 => keyed::<UInt8Type>(&keys, values),
            5 => keyed::<UInt16Type>(&keys, values),
            6 => keyed::<UInt32Type>(&keys, values),
            _ => keyed::<UInt64Type>(&keys, values),
        }
    };
    (part(values), keys, 0_u8..8).prop_map(dictionary).boxed()
}

fn keyed<K: ArrowDictionaryKeyType>(keys: &[Option<usize>], values: ArrayRef) -> ArrayRef {
    let keys: PrimitiveArray<K> = keys.iter().map(|key| key.map(K::Native::usize_as)).collect();
    Arc::new(DictionaryArray::new(keys, values))
}

fn runs(values: Arrays) -> Arrays {
    let runs = |(values, lengths, kind): (ArrayRef, Vec<usize>, u8)| {
        let mut end = 0;
        let ends = lengths.iter().take(values.len()).map(|length| {
            end += length;
            end
        });
        let ends: Vec<usize> = ends.collect();
        match kind {
            0 => ending::<Int16Type>(&ends, values),
            1 => ending::<Int32Type>(&ends, values),
            _ => ending::<Int64Type>(&ends, values),
        }
    };
    (part(values), vec(1_usize..4, ROWS.end), 0_u8..3)
        .prop_map(runs)
        .boxed()
}

fn ending<E: RunEndIndexType>(ends: &[usize], values: ArrayRef) -> ArrayRef {
    let values = values.slice(0, ends.len());
    let ends = PrimitiveArray::<E>::from_iter_values(ends.iter().copied().map(E::Native::usize_as));
    Arc::new(RunArray::try_new(&ends, &values).expect("an end for each value"))
}
