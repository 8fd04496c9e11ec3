//! Execution of the probe as a program of its own, whose trace a debugger or an emulator records.
//!
//! The tracer writes [`TRACE_INPUT`] and [`TRACE_PUBLIC`] into the program's file. The program replaces the
//! values that become public by those of `TRACE_PUBLIC`, or records them there; both are the same
//! instructions, which access the same memory. At its end it writes `TRACE_PUBLIC` to the tracer. The stack
//! is a variable, so that no address depends on the machine that runs the program.

mod system;

use core::arch::naked_asm;
use core::hint::black_box;
use core::ptr::addr_of_mut;

use moissanite_cpu::replay;

use crate::entry::probe;

const STACK: usize = 4 << 20;
/// The most bytes that one run makes public.
const PUBLIC: usize = 2 << 20;
/// The exit status if more bytes become public.
const TOO_MANY: u32 = 4;

/// What the program does.
#[repr(C)]
struct Input {
    backend: u32,
    scheme: u32,
    secret: u32,
    /// All ones if values that become public are replayed, and zero if they are recorded.
    replays: u32,
}

/// The result of the run: its status, and the values that became public.
#[repr(C)]
struct Public {
    status: u32,
    length: u32,
    bytes: [u8; PUBLIC],
}

#[repr(align(4096))]
struct Stack(#[allow(dead_code, reason = "only its address is used")] [u8; STACK]);

// SAFETY: no other symbol has this name. The section is part of the file, so that a tracer can change it.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".data.input")]
static mut TRACE_INPUT: Input = Input {
    backend: 0,
    scheme: 0,
    secret: 0,
    replays: 0,
};

// SAFETY: as above.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".data.public")]
static mut TRACE_PUBLIC: Public = Public {
    status: 0,
    length: 0,
    bytes: [0; PUBLIC],
};

// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
static mut TRACE_STACK: Stack = Stack([0; STACK]);

/// Sets the stack and calls [`run`].
// SAFETY: no other symbol has this name. The system jumps here, and nothing returns.
#[unsafe(no_mangle)]
#[unsafe(naked)]
extern "C" fn _start() -> ! {
    #[cfg(target_arch = "x86_64")]
    naked_asm!(
        "lea rsp, [rip + {stack} + {length}]",
        "call {run}",
        stack = sym TRACE_STACK, length = const STACK, run = sym run,
    );
    #[cfg(target_arch = "aarch64")]
    naked_asm!(
        "adrp x0, {stack} + {length}",
        "add sp, x0, :lo12:{stack} + {length}",
        "bl {run}",
        stack = sym TRACE_STACK, length = const STACK, run = sym run,
    );
    #[cfg(target_arch = "arm")]
    naked_asm!(
        "ldr r0, 1f",
        "mov sp, r0",
        "bl {run}",
        ".balign 4",
        "1: .word {stack} + {length}",
        stack = sym TRACE_STACK, length = const STACK, run = sym run,
    );
    #[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
    naked_asm!(
        "lla sp, {stack} + {length}",
        "call {run}",
        stack = sym TRACE_STACK, length = const STACK, run = sym run,
    );
}

extern "C" fn run() -> ! {
    // SAFETY: nothing else has a reference, and `black_box` hides the values in the program's file.
    let input = unsafe { &*black_box(addr_of_mut!(TRACE_INPUT)) };
    replay::set_hook(exchange);
    let status = probe(input.backend, input.scheme, input.secret);
    // SAFETY: `exchange` has returned for the last time.
    let public = unsafe { &mut *black_box(addr_of_mut!(TRACE_PUBLIC)) };
    if public.status == 0 {
        public.status = status;
    }
    let header = size_of::<Public>() - PUBLIC;
    let length = header + public.length as usize;
    system::end(core::ptr::from_mut(public).cast(), length)
}

/// Makes the bytes and their place in [`TRACE_PUBLIC`] equal: to the latter if values are replayed, and
/// otherwise to the former.
extern "C" fn exchange(at: *mut u8, length: usize) {
    // SAFETY: the program has one thread, and `run` reads this afterwards.
    let public = unsafe { &mut *black_box(addr_of_mut!(TRACE_PUBLIC)) };
    // SAFETY: nothing writes this while the program runs.
    let replays = unsafe { (*black_box(addr_of_mut!(TRACE_INPUT))).replays } as u8;
    let start = public.length as usize;
    let Some(recorded) = public.bytes.get_mut(start..start + length) else {
        public.status = TOO_MANY;
        return;
    };
    // SAFETY: the caller passes a value that it has exclusively.
    let value = unsafe { core::slice::from_raw_parts_mut(at, length) };
    let replays = black_box(replays);
    for (byte, recorded) in value.iter_mut().zip(recorded) {
        let both = *recorded & replays | *byte & !replays;
        *byte = both;
        *recorded = both;
    }
    public.length += length as u32;
}
