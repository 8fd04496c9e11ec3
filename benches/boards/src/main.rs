//! Checks vectors with `moissanite::stream` on a board. The vectors are in a file on the machine that emulates
//! the board, so that the program is the same for all boards and all vectors, and needs less than 16 KiB of RAM.

#![no_std]
#![no_main]

mod checks;
mod host;
mod records;

use core::fmt::Write;

use moissanite::{Fips204, MlDsa44, MlDsa65, MlDsa87};

use self::checks::Signed;
use self::host::{Console, File};
use self::records::{Kind, Records, Set};

// The functions of memory and of registers with the least code, as in the firmware that `cargo xtask tiny` measures.
#[cfg(all(feature = "tiny", target_arch = "arm"))]
core::arch::global_asm!(include_str!("../../../crates/xtask/src/tiny/arm.s"));
#[cfg(all(feature = "tiny", target_arch = "riscv32"))]
core::arch::global_asm!(include_str!("../../../crates/xtask/src/tiny/riscv32.s"));

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = writeln!(Console, "{info}");
    host::exit(1)
}

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(not(target_arch = "arm"), riscv_rt::entry)]
fn main() -> ! {
    let mut records = Records::new(File::open());
    let mut number = 0;
    loop {
        let (kind, set) = records.next();
        if kind == Kind::End {
            break;
        }
        let right = match set {
            Set::MlDsa44 => check::<MlDsa44>(kind, &mut records),
            Set::MlDsa65 => check::<MlDsa65>(kind, &mut records),
            Set::MlDsa87 => check::<MlDsa87>(kind, &mut records),
        };
        assert!(right, "record {number} gives another result");
        number += 1;
    }
    assert!(number > 0, "there are no records");
    let _ = writeln!(Console, "{number} records");
    host::exit(0)
}

/// Checks a record. This is not inlined, so that only one set is on the stack.
#[inline(never)]
fn check<P: Fips204>(kind: Kind, records: &mut Records) -> bool {
    match kind {
        Kind::End => true,
        Kind::Accepted => checks::accepts::<P>(records),
        Kind::Refused => !checks::accepts::<P>(records),
        Kind::Signed | Kind::SignedMu | Kind::SignedTrusted => {
            checks::signs::<P>(records, kind) == Signed::Same
        }
        Kind::NotSigned => checks::signs::<P>(records, kind) == Signed::Refused,
        Kind::Accumulated => checks::accumulated::<P>(records),
    }
}
