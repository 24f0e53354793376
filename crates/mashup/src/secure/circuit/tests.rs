//! Every part of a circuit against plain arithmetic, and its ANDs against what the module promises.

use proptest::prelude::*;

use super::*;

/// Runs what is built from two numbers, one of each of two parties. Gives the number that comes out, and the ANDs.
fn run(a: (u64, usize), b: (u64, usize), build: impl Fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>) -> (u64, usize) {
    let mut circuit = Builder::new(2);
    let (first, second) = (circuit.number(0, a.1), circuit.number(1, b.1));
    let outputs = build(&mut circuit, &first, &second);
    let ands = circuit.ands();
    let circuit = circuit.finish(&outputs);
    circuit.validate().unwrap();
    assert_eq!(circuit.and_ops, ands);
    let bits = circuit.eval(&[bits_of(a.0, a.1).collect(), bits_of(b.0, b.1).collect()]);
    (
        bits.iter().rev().fold(0, |number, &bit| number << 1 | u64::from(bit)),
        ands,
    )
}

/// A number and its width.
fn number() -> impl Strategy<Value = (u64, usize)> {
    (1usize..20).prop_flat_map(|width| (0..1u64 << width, Just(width)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn numbers_of_different_widths_are_compared_and_added(a in number(), b in number()) {
        let bits = a.1.max(b.1);
        let greater = run(a, b, |circuit, a, b| vec![circuit.greater_than(a, b)]);
        prop_assert_eq!(greater.0, u64::from(a.0 > b.0));
        prop_assert!(greater.1 <= bits);
        let differ = run(a, b, |circuit, a, b| vec![circuit.differ(a, b)]);
        prop_assert_eq!(differ.0, u64::from(a.0 != b.0));
        prop_assert!(differ.1 < bits);
        let (most, least) = if a.0 < b.0 { (b, a) } else { (a, b) };
        let difference = run(most, least, |circuit, a, b| circuit.difference(a, b));
        prop_assert_eq!(difference.0, most.0 - least.0);
        prop_assert!(difference.1 < bits.max(1));
        let sum = run(a, b, |circuit, a, b| circuit.sum(a, b));
        prop_assert_eq!(sum.0, a.0 + b.0);
        prop_assert!(sum.1 <= bits);
    }

    #[test]
    fn one_of_two_numbers_is_selected(a in number(), b in number()) {
        // The lowest bit of the first number selects.
        let selected = run(a, b, |circuit, a, b| circuit.select(a[0], a, b));
        prop_assert_eq!(selected.0, if a.0 & 1 == 1 { a.0 } else { b.0 });
        prop_assert!(selected.1 <= a.1.max(b.1));
    }

    #[test]
    fn bits_are_counted(a in number(), b in number()) {
        let counted = run(a, b, |circuit, a, b| circuit.count(&[a, b].concat()));
        prop_assert_eq!(counted.0, u64::from(a.0.count_ones() + b.0.count_ones()));
        prop_assert!(counted.1 < a.1 + b.1);
    }

    #[test]
    fn all_and_any_look_at_every_bit(a in number(), b in number()) {
        let all = run(a, b, |circuit, a, b| vec![circuit.all(&[a, b].concat())]);
        prop_assert_eq!(all.0, u64::from(a.0 + 1 == 1 << a.1 && b.0 + 1 == 1 << b.1));
        let any = run(a, b, |circuit, a, b| vec![circuit.any(&[a, b].concat())]);
        prop_assert_eq!(any.0, u64::from(a.0 != 0 || b.0 != 0));
        prop_assert!(all.1 < a.1 + b.1 && any.1 < a.1 + b.1);
    }

    #[test]
    fn a_bit_is_spread_to_the_wire_that_a_number_says(bit in 0u64..2, wires in 1usize..40, place in any::<u64>()) {
        let place = place % wires as u64;
        let spread = run((bit, 1), (place, width(wires - 1)), |circuit, a, b| circuit.spread(a[0], b, wires));
        prop_assert_eq!(spread.0, bit << place);
        prop_assert_eq!(spread.1, wires - 1);
    }

    #[test]
    fn known_bits_cost_nothing(a in number(), known in any::<bool>()) {
        let known = Bit::Known(known);
        let folded = run(a, (0, 1), |circuit, a, _| {
            let and = circuit.and(known, a[0]);
            let xor = circuit.xor(a[0], known);
            let same = circuit.xor(a[0], a[0]);
            let not = circuit.not(known);
            vec![and, xor, same, not, known]
        });
        let (a, known) = (a.0 & 1, u64::from(known == Bit::Known(true)));
        prop_assert_eq!(folded.0, a & known | (a ^ known) << 1 | (known ^ 1) << 3 | known << 4);
        prop_assert_eq!(folded.1, 0);
    }
}

#[test]
fn a_width_holds_every_number_up_to_the_largest() {
    assert_eq!([0, 1, 2, 3, 4, 7, 8].map(width), [0, 1, 2, 2, 3, 3, 4]);
}

/// Whatever the number, one wire carries 1; it is the one that the number says, if there is one.
#[test]
fn one_of_all_wires_carries_1() {
    for (wires, ands) in [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 3), (7, 4), (8, 4), (9, 5)] {
        let bits = width(wires - 1);
        for number in 0..1u64 << bits {
            let (chosen, cost) = run((number, bits), (0, 1), |circuit, number, _| {
                circuit.one_of(number, wires)
            });
            assert_eq!(chosen.count_ones(), 1, "{number} of {wires}");
            assert!(number as usize >= wires || chosen == 1 << number, "{number} of {wires}");
            assert_eq!(cost, ands, "{wires}");
        }
    }
}
