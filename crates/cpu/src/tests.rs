//! Tests that tokens have size zero and agree with the detection of `std`.
extern crate std;
use super::*;

#[test]
fn portable_is_free() {
    assert_eq!(size_of::<Portable>(), 0);
    assert_eq!(Portable::NAME, "portable");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn x86_64_tokens_agree_with_std() {
    use std::arch::is_x86_feature_detected as has;
    assert_eq!(size_of::<(Bmi2, Avx2, Avx512)>(), 0);
    let bmi2 = has!("bmi1") && has!("bmi2");
    let avx2 = has!("avx2") && bmi2 && has!("popcnt");
    assert_eq!(Bmi2::detect().is_some(), bmi2);
    assert_eq!(Avx2::detect().is_some(), avx2);
    let avx512 = avx2
        && has!("avx512f")
        && has!("avx512vl")
        && has!("avx512bw")
        && has!("avx512dq")
        && has!("avx512ifma")
        && has!("avx512vbmi")
        && has!("avx512vbmi2");
    assert_eq!(Avx512::detect().is_some(), avx512);
}

#[cfg(target_arch = "aarch64")]
#[test]
fn aarch64_tokens_agree_with_std() {
    use std::arch::is_aarch64_feature_detected as has;
    assert_eq!(size_of::<(Neon, Sha3)>(), 0);
    let little_endian = cfg!(target_endian = "little");
    assert_eq!(Neon::detect().is_some(), has!("neon") && little_endian);
    let sha3 = has!("sha2") && has!("sha3") && little_endian;
    assert_eq!(Sha3::detect().is_some(), sha3);
}

/// `cargo test -p moissanite-cpu --features memcheck --no-run`, then the test binary under
/// `valgrind`: a branch on a poisoned byte is one error, on an unpoisoned byte none.
#[cfg(feature = "memcheck")]
#[test]
fn memcheck_sees_a_secret_branch() {
    use core::hint::black_box;
    use std::println;

    #[inline(never)]
    fn branch(byte: &u8) -> u8 {
        if black_box(*byte) == 3 {
            black_box(5)
        } else {
            black_box(7)
        }
    }
    let mut secret = black_box([3_u8; 40]);
    let before = memcheck::count_errors();
    memcheck::poison(&mut secret);
    black_box(branch(&secret[17]));
    let poisoned = memcheck::count_errors();
    memcheck::unpoison(&mut secret[..]);
    black_box(branch(&secret[17]));
    let after = memcheck::count_errors();
    if memcheck::running_on_valgrind() {
        assert_eq!((poisoned - before, after - poisoned), (1, 0));
    } else {
        println!("not on valgrind: only the no-op is tested");
        assert_eq!((before, poisoned, after), (0, 0, 0));
    }
}
