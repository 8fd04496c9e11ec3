//! Key generation, and the check of imported keys.

use super::{Random, backends};
use crate::backend::Backend;
use crate::encode::keys;
use crate::keygen::{InvalidPrivateKey, Scratch, check_private_key, keygen_internal};
use crate::params::{Fips204, MlDsa44, MlDsa65, MlDsa87};
use crate::poly::Poly;
use crate::prepared::SigningState;
use crate::reference;
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;

on_every_backend_and_set! { keys_are_the_references bad_private_keys }

fn keys_are_the_references<P: Fips204, B: Backend>(backend: B) {
    let mut random = Random(26);
    // The scratch memory is reused: a key must not depend on the last one.
    let mut scratch = Scratch::<P, B>::ZERO;
    for _ in 0..4 {
        let xi = random.bytes();
        let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
        keygen_internal::<P, B>(backend, &xi, &mut pk, &mut sk, &mut scratch);
        let expected = reference::keygen::<P>(&xi);
        assert_eq!(pk.as_ref(), expected.0);
        assert_eq!(sk.as_ref(), expected.1);

        let mut same_pk = P::PublicKey::ZERO;
        check_private_key::<P, B>(backend, &sk, &mut same_pk, &mut scratch).unwrap();
        assert!(same_pk == pk);
    }
}

fn bad_private_keys<P: Fips204, B: Backend>(backend: B) {
    use InvalidPrivateKey::{OutOfRange, T0Mismatch, TrMismatch};
    let (right_pk, sk) = reference::keygen::<P>(&[3; 32]);
    let sk: P::PrivateKey = sk.as_slice().try_into().ok().unwrap();
    let mut scratch = Scratch::<P, B>::ZERO;
    let mut check = |change: &dyn Fn(keys::PrivateKeyPartsMut<'_>)| {
        let mut sk = sk.clone();
        change(keys::sk_split_mut::<P>(&mut sk));
        let ranges = keys::check_ranges::<P, B>(backend, &sk);
        let mut prepared = SigningState::<P>::ZERO;
        assert_eq!(ranges, prepared.set(backend, &sk));
        let mut pk = P::PublicKey::ZERO;
        let result = check_private_key::<P, B>(backend, &sk, &mut pk, &mut scratch);
        assert_eq!(ranges.is_err(), result == Err(OutOfRange));
        if result == Err(TrMismatch) {
            assert!(pk.as_ref() == right_pk.as_slice());
        }
        result
    };
    assert_eq!(check(&|_| ()), Ok(()));

    // A coefficient of s₁ and s₂ changes, in each polynomial, at both ends.
    let len = 32 * P::ETA_BITS;
    for (s1, polys) in [(true, P::L::N), (false, P::K::N)] {
        for (i, j) in (0..polys).flat_map(|i| [(i, 0), (i, N - 1)]) {
            let set = |code: i32| {
                move |parts: keys::PrivateKeyPartsMut<'_>| {
                    let s = if s1 { parts.s1 } else { parts.s2 };
                    let s = &mut s[i * len..(i + 1) * len];
                    let mut codes = reference::simple_bit_unpack(P::ETA_BITS, s);
                    // The new code is another one in the range, or the given one.
                    codes[j] = if code < 0 {
                        (codes[j] == 0).into()
                    } else {
                        code
                    };
                    s.copy_from_slice(&reference::simple_bit_pack(P::ETA_BITS, &codes));
                }
            };
            let least = 2 * P::ETA as i32 + 1;
            assert_eq!(check(&set(least)), Err(OutOfRange), "{i} {j}");
            assert_eq!(
                check(&set((1 << P::ETA_BITS) - 1)),
                Err(OutOfRange),
                "{i} {j}"
            );
            assert_eq!(check(&set(-1)), Err(T0Mismatch), "{i} {j}");
        }
    }
    // A bit of t₀ changes in the first and in the last byte of each polynomial.
    for i in 0..P::K::N {
        for at in [i * keys::T0_LEN, (i + 1) * keys::T0_LEN - 1] {
            assert_eq!(
                check(&|parts| parts.t0[at] ^= 0x80),
                Err(T0Mismatch),
                "{at}"
            );
        }
    }
    assert_eq!(check(&|parts| parts.rho[31] ^= 1), Err(T0Mismatch));
    for at in [0, 31, 63] {
        assert_eq!(
            check(&|parts| parts.tr[at] ^= 0x10),
            Err(TrMismatch),
            "{at}"
        );
    }
    // No other part depends on K.
    assert_eq!(check(&|parts| parts.k[0] ^= 1), Ok(()));
}

/// t₀ uses all 13-bit codes, and its ends are not exchanged.
#[test]
fn t0_ends() {
    let mut t0 = Poly::<crate::field::MlDsaField>::ZERO;
    keys::t0_decode(crate::backend::Portable, &[0; keys::T0_LEN], &mut t0);
    assert_eq!(t0.0, [1 << 12; N]);
    keys::t0_decode(crate::backend::Portable, &[0xff; keys::T0_LEN], &mut t0);
    assert_eq!(t0.0, [1 - (1 << 12); N]);
}
