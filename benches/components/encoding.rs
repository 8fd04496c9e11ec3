//! The encodings of polynomials and hints.

use moissanite_core::ParameterSet;
use moissanite_core::backend::Backend;
use moissanite_core::encode::{bits, hint};
use moissanite_core::poly::{BytePoly, Poly, Vector};
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_keccak::{Keccak, Scalar};

use crate::bench::{Bench, F, uniform};

impl Bench {
    /// Each width is used as in the algorithms: w₁ and t₁ have ranges from zero, and the others
    /// ranges around zero.
    pub(crate) fn encoding<B: Backend>(&mut self, backend: B) {
        const WIDTHS: [(usize, Option<u32>); 8] = [
            (3, Some(2)),
            (4, Some(4)),
            (4, None),
            (6, None),
            (10, None),
            (13, Some(1 << 12)),
            (18, Some(1 << 17)),
            (20, Some(1 << 19)),
        ];
        for (bits, upper) in WIDTHS {
            let mask = (1 << bits) - 1;
            let codes = uniform(7).0.map(|w| w & mask);
            let high = BytePoly(codes.map(|code| code as u8));
            let w =
                Poly::<F>::new(codes.map(|code| upper.map_or(code, |upper| upper as i32 - code)));
            let form = if upper.is_some() {
                "signed"
            } else {
                "unsigned"
            };
            let bytes = vec![0; 32 * bits];
            self.time(
                B::NAME,
                format!("encode, {bits} bits, {form}"),
                (w, high, bytes.clone()),
                |(w, high, bytes)| match upper {
                    Some(upper) => bits::bit_pack(backend, bits, upper, w, bytes),
                    None if bits <= 6 => bits::simple_bit_pack_bytes(backend, bits, high, bytes),
                    None => bits::simple_bit_pack(backend, bits, w, bytes),
                },
                |s| s.2.clone(),
            );
            let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(32 * bits).collect();
            self.time(
                B::NAME,
                format!("decode, {bits} bits, {form}"),
                (bytes, Poly::<F>::ZERO),
                |(bytes, w)| match upper {
                    Some(upper) => bits::bit_unpack(backend, bits, upper, bytes, w),
                    None => bits::simple_bit_unpack(backend, bits, bytes, w),
                },
                |s| s.1.0,
            );
        }
    }

    /// The same code on every backend.
    pub(crate) fn hints<P: ParameterSet<Field = F>>(&mut self) {
        let mut h = Vector::<BytePoly, P::K>::ZERO;
        let ones = h.iter_mut().flat_map(|h| h.0.iter_mut().step_by(23));
        ones.take(P::OMEGA).for_each(|bit| *bit = 1);
        let mut bytes = vec![0; P::OMEGA + P::K::N];
        hint::hint_bit_pack::<P>(&h, &mut bytes);
        self.time(
            Scalar::NAME,
            format!("encode, hints, {}", P::NAME),
            (h, vec![0; bytes.len()]),
            |(h, bytes)| hint::hint_bit_pack::<P>(h, bytes),
            |s| s.1.clone(),
        );
        self.time(
            Scalar::NAME,
            format!("decode, hints, {}", P::NAME),
            (bytes, Vector::<BytePoly, P::K>::ZERO),
            |(bytes, h)| assert!(hint::hint_bit_unpack::<P>(bytes, h).is_some()),
            |s| s.1.iter().map(|h| h.0).collect::<Vec<_>>(),
        );
    }
}
