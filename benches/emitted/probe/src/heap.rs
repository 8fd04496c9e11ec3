//! A heap without an operating system.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::{addr_of_mut, null_mut};
use core::sync::atomic::{AtomicUsize, Ordering};

const HEAP: usize = 4 << 20;
static mut MEMORY: Memory = Memory([0; HEAP]);
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Memory with an alignment that suffices for every type.
#[repr(align(4096))]
struct Memory([u8; HEAP]);

/// An allocator that never reuses memory.
struct Bump;

#[global_allocator]
static ALLOCATOR: Bump = Bump;

// SAFETY: each piece is allocated once between two calls of `forget_allocations`, and the program has
// one thread.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let at = TAKEN
            .load(Ordering::Relaxed)
            .next_multiple_of(layout.align());
        let end = at + layout.size();
        if end > HEAP {
            return null_mut();
        }
        TAKEN.store(end, Ordering::Relaxed);
        // SAFETY: it is within `MEMORY`.
        unsafe { addr_of_mut!(MEMORY.0).cast::<u8>().add(at) }
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// Makes all memory available again, so that each run has the same addresses.
pub(crate) fn forget_allocations() {
    TAKEN.store(0, Ordering::Relaxed);
}
