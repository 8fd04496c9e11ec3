//! Runs every operation of one set in every form a hundred times. Keys and messages are those of
//! kats/accumulated.json, so that all results are checked against known answers.

#![no_std]
#![no_main]

use bench::{Set, board, operations, say};
use moissanite_core::ParameterSet;
use moissanite_keccak::{Reader, Shake128};

type PublicKey = <Set as ParameterSet>::PublicKey;
type Signature = <Set as ParameterSet>::Signature;

#[cfg(all(feature = "whole", target_arch = "arm"))]
const BACKEND: moissanite::backend::Armv7 = moissanite::backend::Armv7;
#[cfg(all(feature = "whole", not(target_arch = "arm")))]
const BACKEND: moissanite::backend::Portable = moissanite::backend::Portable;

const ROUNDS: usize = 100;
/// In hexadecimal digits.
const DIGEST: &str = include_str!(concat!(env!("OUT_DIR"), "/accumulated"));

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    say!("{info}");
    board::exit(1)
}

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    board::start();
    #[cfg(target_arch = "riscv32")]
    bench::components::portable::<Set>();
    let mut seeds = Shake128::new().squeeze();
    let mut all = Shake128::new();
    for _ in 0..ROUNDS {
        let (public_key, signature) = round(&moissanite::Seed::from(read(&mut seeds)));
        all.absorb(&public_key);
        all.absorb(&signature);
    }
    let digest = read(&mut all.squeeze());
    let digits = DIGEST.as_bytes().chunks(2).map(|byte| {
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
        16 * digit(byte[0]) + digit(byte[1])
    });
    assert!(digits.eq(digest), "not the known answers");
    say!("done");
    board::exit(0)
}

fn read(from: &mut Reader<168>) -> [u8; 32] {
    let mut bytes = [0; 32];
    from.read(&mut bytes);
    bytes
}

/// One key and its signature of the empty message.
fn round(seed: &moissanite::Seed) -> (PublicKey, Signature) {
    let (public_key, signature) = operations::streams::<Set>(seed);
    #[cfg(not(feature = "tiny"))]
    {
        const ENTRIES: usize = bench::entries::<Set>();
        operations::kept::<Set, { ENTRIES / 2 }>("half", seed, &public_key, &signature);
        operations::kept::<Set, ENTRIES>("all", seed, &public_key, &signature);
    }
    #[cfg(feature = "whole")]
    operations::whole::<Set, _>("whole", BACKEND, seed, &public_key, &signature);
    (public_key, signature)
}
