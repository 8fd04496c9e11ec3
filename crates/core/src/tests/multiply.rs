//! Compares products that are computed from those of the halves with the products of the CPU.

use proptest::prelude::*;

use crate::backend::multiply::halves;

const EDGES: [i32; 9] = [
    0,
    1,
    -1,
    0xffff,
    0x1_0000,
    -0x1_0000,
    8_380_416,
    i32::MAX,
    i32::MIN,
];

fn compare(a: i32, b: i32) {
    assert_eq!(halves::signed(a, b), i64::from(a) * i64::from(b));
    let (a, b) = (a.cast_unsigned(), b.cast_unsigned());
    assert_eq!(halves::unsigned(a, b), u64::from(a) * u64::from(b));
}

#[test]
fn edges() {
    for a in EDGES {
        for b in EDGES {
            compare(a, b);
        }
    }
}

proptest! {
    #[test]
    fn any(a: i32, b: i32) {
        compare(a, b);
    }
}
