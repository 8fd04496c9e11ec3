//! The scratch project: programs that call operations, without an operating system or start-up code. Their profile
//! is that of a user's firmware.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::document::SETS;
use crate::process;

/// A program.
pub(super) struct Program {
    /// What the program does, for people.
    pub(super) name: &'static str,
    /// Functions of [`SOURCE`].
    operations: &'static [&'static str],
}

const fn program(name: &'static str, operations: &'static [&'static str]) -> Program {
    Program { name, operations }
}

/// The programs whose flash is measured, of ML-DSA-87.
pub(super) const MEASURED: [Program; 5] = [
    program("keygen", &["keygen"]),
    program("sign", &["sign"]),
    program("verify", &["verify"]),
    program("keygen and sign", &["keygen", "sign"]),
    program("all", &["keygen", "sign", "verify"]),
];
/// The programs that are searched for panics, of each set: all operations of the streams, and of the other types.
pub(super) const STREAMS: Program = program(
    "streams",
    &[
        "keygen", "sign", "expanded", "hedged", "kept", "verify", "source", "pieces", "hardened",
    ],
);
pub(super) const WHOLE: Program = program(
    "whole",
    &[
        "whole_keygen",
        "whole_sign",
        "whole_expanded",
        "whole_verify",
    ],
);
const MEASURED_SET: &str = "ML-DSA-87";
const PROFILE: &str =
    "[profile.release]\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\nopt-level = \"z\"\n";
/// The functions of memory and of registers with the least code.
const ARM: &str = include_str!("arm.s");
const RISCV32: &str = include_str!("riscv32.s");
const SOURCE: &str = r#"
#![no_std]
#![no_main]
#![allow(unused)]
use core::convert::Infallible;
use core::hint::black_box;
use moissanite::rand_core::{TryCryptoRng, TryRng};
use moissanite::stream::{CachedMatrix, Seeds, SigningKey, VerifyingKey};
use moissanite::prelude::*;
use moissanite::{ParameterSet, Seed, SET as Set, SigningKeyIn, SigningKeySpace};

#[cfg(all(feature = "memory", target_arch = "arm"))]
core::arch::global_asm!(include_str!("../arm.s"));
#[cfg(all(feature = "memory", target_arch = "riscv32"))]
core::arch::global_asm!(include_str!("../riscv32.s"));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
fn input<const N: usize>() -> &'static [u8; N] {
    unsafe { &*black_box(0x2000_0000 as *const [u8; N]) }
}
fn output(piece: &[u8]) -> Result<(), Infallible> {
    black_box(piece);
    Ok(())
}
fn keygen() -> bool {
    let mut seeds = Seeds::new();
    let key = SigningKey::<Set, _>::from_seed_in(&mut seeds, &Seed::from_bytes(input()));
    key.write_public_key(output).is_ok()
}
fn sign() -> bool {
    let mut seeds = Seeds::new();
    let key = SigningKey::<Set, _>::from_seed_in(&mut seeds, &Seed::from_bytes(input()));
    key.try_sign_pieces(b"", |mu| mu.update(input::<32>()), output).is_ok()
}
fn expanded() -> bool {
    let key = SigningKey::<Set, _>::from_expanded_bytes(input::<{ Set::PRIVATE_KEY_LEN }>());
    key.is_ok_and(|key| key.try_sign_pieces(b"", |mu| mu.update(input::<32>()), output).is_ok())
}
fn source() -> bool {
    let read = |offset: usize, piece: &mut [u8]| -> Result<(), ()> {
        black_box((offset, piece));
        Ok(())
    };
    let key = VerifyingKey::<Set, _>::from_source(read);
    key.is_ok_and(|key| {
        key.cache_z().verify_pieces_source(b"", |mu| mu.update(input::<32>()), read).is_ok()
    })
}
struct Random;
impl TryRng for Random {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(black_box(0))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(black_box(0))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        black_box(bytes);
        Ok(())
    }
}
impl TryCryptoRng for Random {}
fn hedged() -> bool {
    let mut seeds = Seeds::new();
    let key = SigningKey::<Set, _>::from_seed_in(&mut seeds, &Seed::from_bytes(input()));
    let message = |mu: &mut moissanite::MuBuilder| mu.update(input::<32>());
    key.try_sign_pieces_with_rng(&mut Random, b"", message, output).is_ok()
}
fn kept() -> bool {
    let mut matrix = CachedMatrix::<4>::new();
    let bytes = input::<{ Set::PRIVATE_KEY_LEN }>();
    let key = SigningKey::<Set, _>::from_expanded_bytes(bytes);
    key.is_ok_and(|key| {
        let key = key.keep(&mut matrix);
        let mu = key.mu(b"");
        mu.is_ok_and(|mu| key.try_sign_mu_to(&mu.finish(), output).is_ok())
    })
}
fn pieces() -> bool {
    let mut matrix = CachedMatrix::<4>::new();
    let key = VerifyingKey::<Set, _>::from_bytes(input::<{ Set::PUBLIC_KEY_LEN }>());
    let signature = input::<{ Set::SIGNATURE_LEN }>();
    key.is_ok_and(|key| {
        let mut key = key.keep(&mut matrix);
        let first = key.verifier(b"").is_ok_and(|mut verifier| {
            verifier.update(input::<32>());
            verifier.verify(signature).is_ok()
        });
        let mu = key.mu(b"");
        first && mu.is_ok_and(|mu| key.verify_mu(&mu.finish(), signature).is_ok())
    })
}
fn hardened() -> bool {
    let key = VerifyingKey::<Set, _>::from_bytes(input::<{ Set::PUBLIC_KEY_LEN }>());
    let signature = input::<{ Set::SIGNATURE_LEN }>();
    key.is_ok_and(|mut key| {
        let verdict = key.verify_hardened(b"", |mu| mu.update(input::<32>()), signature);
        black_box(verdict.unlock(black_box(0), || loop {}));
        true
    })
}
fn verify() -> bool {
    let key = VerifyingKey::<Set, _>::from_bytes(input::<{ Set::PUBLIC_KEY_LEN }>());
    let signature = input::<{ Set::SIGNATURE_LEN }>();
    key.is_ok_and(|mut key| key.verify_pieces(b"", |mu| mu.update(input::<32>()), signature).is_ok())
}
fn whole_keygen() -> bool {
    let mut space = SigningKeySpace::<Set>::new();
    let key = SigningKeyIn::from_seed_in(&mut space, &Seed::from_bytes(input()));
    output(key.verifying_key().as_ref()).is_ok()
}
fn whole_sign() -> bool {
    let mut space = SigningKeySpace::<Set>::new();
    let key = SigningKeyIn::from_seed_in(&mut space, &Seed::from_bytes(input()));
    let signature = key.try_sign_with_rng(&mut Random, input::<32>());
    signature.is_ok_and(|signature| output(signature.as_ref()).is_ok())
}
fn whole_expanded() -> bool {
    let mut space = SigningKeySpace::<Set>::new();
    let bytes = input::<{ Set::PRIVATE_KEY_LEN }>();
    SigningKeyIn::from_expanded_bytes_in(&mut space, bytes).is_ok_and(|key| {
        let signature = key.try_sign(input::<32>());
        signature.is_ok_and(|signature| output(signature.as_ref()).is_ok())
    })
}
fn whole_verify() -> bool {
    let key = moissanite::VerifyingKey::<Set>::from_bytes(input::<{ Set::PUBLIC_KEY_LEN }>());
    let signature = moissanite::Signature::from_bytes(input::<{ Set::SIGNATURE_LEN }>());
    matches!((key, signature), (Ok(key), Ok(signature))
        if key.verify(input::<32>(), &signature).is_ok())
}
#[unsafe(no_mangle)]
pub extern "C" fn _start() -> ! {
    loop {
        BODY
    }
}
"#;

impl Program {
    /// Returns the name of the file of the program that is measured.
    pub(super) fn measured_file(&self) -> String {
        self.name.replace(' ', "_")
    }

    /// Returns the name of the file of the program of a set.
    pub(super) fn file(&self, set: &str) -> String {
        format!("{}_{}", self.name, set.to_lowercase())
    }

    /// Returns the source of the program of a set.
    fn source(&self, set: &str) -> String {
        let calls = self.operations.iter();
        let calls: String = calls
            .map(|operation| format!("black_box({operation}());"))
            .collect();
        let set = set.replace("ML-DSA-", "MlDsa");
        SOURCE.replace("SET", &set).replace("BODY", &calls)
    }
}

/// Writes the project, and returns its folder.
pub(super) fn write() -> Result<PathBuf> {
    let project = process::target_directory()?.join("tiny");
    process::make_empty(&project.join("src/bin"))?;
    let facade = process::root().join("crates/moissanite");
    let manifest = format!(
        "[package]\nname = \"tiny\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         moissanite = {{ path = {facade:?}, default-features = false }}\n\
         [features]\ntiny = [\"moissanite/tiny\"]\nmemory = []\n{PROFILE}"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::write(project.join("src/arm.s"), ARM)?;
    fs::write(project.join("src/riscv32.s"), RISCV32)?;
    fs::copy(
        process::root().join("Cargo.lock"),
        project.join("Cargo.lock"),
    )?;
    let mut files: Vec<_> = MEASURED
        .iter()
        .map(|program| (program.measured_file(), program.source(MEASURED_SET)))
        .collect();
    for program in [STREAMS, WHOLE] {
        files.extend(SETS.map(|set| (program.file(set), program.source(set))));
    }
    for (name, source) in files {
        let path = project.join("src/bin").join(name);
        fs::write(path.with_extension("rs"), source)?;
    }
    Ok(project)
}
