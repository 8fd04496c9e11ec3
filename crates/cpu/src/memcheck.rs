//! Valgrind's memcheck as a check of constant time.
//!
//! Memcheck reports every branch and every address that depends on undefined memory. If a secret is
//! marked as undefined ([`poison`]), memcheck reports every branch and every table index that
//! depends on the secret. Values that become public on purpose are marked as defined again
//! ([`unpoison`]).
//!
//! The functions issue *client requests* (valgrind manual, section 3.1; the numbers below are from
//! `valgrind.h` and `memcheck.h`, whose interface is fixed). Outside valgrind, and on every target
//! but 64-bit x86 Linux, they do nothing.
#![allow(unsafe_code, reason = "a client request is a sequence of instructions")]

/// `VG_USERREQ__RUNNING_ON_VALGRIND`: the depth of nested valgrinds.
const RUNNING_ON_VALGRIND: usize = 0x1001;
/// `VG_USERREQ__COUNT_ERRORS`: the number of errors that the tool has found so far.
const COUNT_ERRORS: usize = 0x1201;
/// `VG_USERREQ_TOOL_BASE('M', 'C')`, where memcheck's own requests begin.
const MEMCHECK: usize = 0x4d43_0000;
/// `VG_USERREQ__MAKE_MEM_UNDEFINED` (address, length).
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
/// `VG_USERREQ__MAKE_MEM_DEFINED` (address, length).
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;

/// Marks the bytes of `value` (but not the memory that it points to) as secret.
///
/// The compiler must not know the value as a constant: pass test data through
/// [`core::hint::black_box`] first.
#[inline(always)]
pub fn poison<T: ?Sized>(value: &mut T) {
    mark(MAKE_MEM_UNDEFINED, value);
}

/// Marks the bytes of `value` (but not the memory that it points to) as public.
#[inline(always)]
pub fn unpoison<T: ?Sized>(value: &mut T) {
    mark(MAKE_MEM_DEFINED, value);
}

/// Returns whether the program runs under valgrind, so that a constant-time check can fail without
/// it.
#[must_use]
pub fn running_on_valgrind() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// Returns the number of errors that valgrind has reported so far, or 0 without valgrind.
#[must_use]
pub fn count_errors() -> usize {
    request(COUNT_ERRORS, 0, 0)
}

/// This takes `&mut` and passes the address to an `asm!` block that may write all memory, so the
/// compiler must assume that the value has changed. It loads the value again, with the new mark,
/// instead of using a copy in a register.
#[inline(always)]
fn mark<T: ?Sized>(code: usize, value: &mut T) {
    let length = size_of_val(value);
    let address = core::ptr::from_mut(value).expose_provenance();
    request(code, address, length);
}

/// The instruction sequence by which valgrind recognises a request: rotations of `rdi` that cancel
/// out (3 + 13 + 61 + 51 = 128 bits), then an exchange of `rbx` with itself.
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
#[inline(always)]
fn request(code: usize, address: usize, length: usize) -> usize {
    let arguments = [code, address, length, 0, 0, 0];
    let mut result = 0_usize;
    // SAFETY: without valgrind, the sequence changes nothing but the flags; valgrind reads the six
    // words at `rax`, which live until the end of this function, and writes `rdx`. The requests
    // used here change valgrind's marks, never memory. Neither `nomem` nor `readonly` is given, so
    // no load or store of memory whose address is known moves across.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") result,
            options(nostack),
        );
    }
    result
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(miri))))]
#[inline(always)]
fn request(_code: usize, _address: usize, _length: usize) -> usize {
    0
}
