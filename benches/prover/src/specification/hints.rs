//! FIPS 204, section 7.1: the encoding of hints. The loops are those of the standard, for polynomials with any
//! number of coefficients; their conditions have names, which the theorems use.

/// Algorithm 21 (HintBitUnpack): whether a counter ends a polynomial whose positions begin at the index.
pub(crate) fn is_counter(index: usize, counter: usize, omega: usize) -> bool {
    !(counter < index || counter > omega)
}

/// Algorithm 21: whether a position may follow another one of the same polynomial.
pub(crate) fn may_follow(before: u64, position: u64) -> bool {
    before < position
}

/// Algorithm 21: whether a byte may be that of a position that belongs to no polynomial.
pub(crate) fn may_be_unused(byte: u64) -> bool {
    byte == 0
}

/// Algorithm 20 (HintBitPack): h has at most ω ones.
#[cfg(test)]
fn hint_bit_pack(h: &[Vec<bool>], omega: usize) -> Vec<u8> {
    let mut y = vec![0; omega + h.len()];
    let mut index = 0;
    for (i, h_i) in h.iter().enumerate() {
        for (j, one) in h_i.iter().enumerate() {
            if *one {
                y[index] = j as u8;
                index += 1;
            }
        }
        y[omega + i] = index as u8;
    }
    y
}

/// Algorithm 21 (HintBitUnpack). The value is none where the standard returns ⊥.
#[cfg(test)]
fn hint_bit_unpack(y: &[u8], omega: usize, n: usize) -> Option<Vec<Vec<bool>>> {
    let mut h = vec![vec![false; n]; y.len() - omega];
    let mut index = 0;
    for (i, h_i) in h.iter_mut().enumerate() {
        let counter = usize::from(y[omega + i]);
        if !is_counter(index, counter, omega) {
            return None;
        }
        let first = index;
        while index < counter {
            if index > first && !may_follow(y[index - 1].into(), y[index].into()) {
                return None;
            }
            h_i[usize::from(y[index])] = true;
            index += 1;
        }
    }
    let rest = &y[index..omega];
    let unused = rest.iter().all(|byte| may_be_unused(u64::from(*byte)));
    unused.then_some(h)
}

/// All strings of bytes of which each is below its bound, and all hints: decoding accepts exactly the
/// encodings, and both functions are inverse to each other.
#[test]
fn decoding_accepts_exactly_the_encodings() {
    for (omega, k, n) in [
        (0, 2, 2),
        (1, 1, 6),
        (3, 2, 4),
        (4, 2, 5),
        (3, 3, 4),
        (4, 3, 3),
    ] {
        // A counter may be up to two more than ω.
        let bound = |at: usize| if at < omega { n } else { omega + 3 };
        let mut accepted = 0;
        let mut y = vec![0; omega + k];
        loop {
            if let Some(h) = hint_bit_unpack(&y, omega, n) {
                assert_eq!(hint_bit_pack(&h, omega), y);
                accepted += 1;
            }
            // The next string.
            let Some(at) = (0..y.len()).find(|at| usize::from(y[*at]) + 1 < bound(*at)) else {
                break;
            };
            y[..at].fill(0);
            y[at] += 1;
        }
        let mut encoded = 0;
        for ones in 0..1_u32 << (k * n) {
            if ones.count_ones() as usize <= omega {
                let one = |i: usize, j: usize| ones >> (i * n + j) & 1 == 1;
                let row = |i| (0..n).map(|j| one(i, j)).collect();
                let h: Vec<Vec<bool>> = (0..k).map(row).collect();
                let y = hint_bit_pack(&h, omega);
                assert_eq!(hint_bit_unpack(&y, omega, n), Some(h));
                encoded += 1;
            }
        }
        assert_eq!(accepted, encoded);
    }
}
