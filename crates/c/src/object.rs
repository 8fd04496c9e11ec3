//! Objects in memory of the caller, which are wiped.

use core::marker::PhantomData;
use core::ptr;

use zeroize::Zeroize;

use crate::caller::Caller;
use crate::status::{MOISSANITE_ERROR_STATE, Status};

/// A type of memory in the header, and the Rust type that is in it.
///
/// # Safety
/// The memory is an array of integers, so that all bytes are valid. `Slot::within` asserts that it is large
/// enough for the object.
pub(crate) unsafe trait Memory {
    /// The object.
    type Content;
    /// A number that no other kind has.
    const KIND: u32;
    /// Drops an object, whose memory is then wiped.
    ///
    /// # Safety
    /// The content is initialised, and is not used afterwards.
    unsafe fn drop(content: *mut Self::Content) {
        // SAFETY: The contract of this function.
        unsafe { ptr::drop_in_place(content) };
    }
}

/// An object with a word that shows that it is there.
#[repr(C)]
struct Slot<T> {
    word: u32,
    content: T,
}

impl<T> Slot<T> {
    /// The place of the slot in memory `M`, whose type can be less aligned.
    fn within<M: Memory<Content = T>>(memory: *mut M) -> *mut Self {
        const {
            let aligned = align_of::<Self>().saturating_sub(align_of::<M>());
            assert!(size_of::<Self>() + aligned <= size_of::<M>());
        }
        // Alignments are powers of two.
        let skipped = memory.addr().wrapping_neg() & (align_of::<Self>() - 1);
        memory.wrapping_byte_add(skipped).cast()
    }
}

/// The word of an object, which depends on its address: a copy at another address is not an object.
fn word<M: Memory>(memory: *const M) -> u32 {
    const MIX: u32 = 0x9e37_79b9;
    (memory.addr() as u32).wrapping_mul(MIX) ^ M::KIND
}

/// An object that an operation uses. Until it is dropped, the memory shows no object, so that a callback of the
/// operation cannot use it.
///
/// This has a pointer and not a reference, because an object may contain pointers to parts of itself.
pub(crate) struct Object<'a, M: Memory> {
    memory: *mut M,
    slot: *mut Slot<M::Content>,
    caller: PhantomData<&'a Caller>,
}

impl<'a, M: Memory> Object<'a, M> {
    /// Puts an object into memory, which may have any content. `make` gets the place of the content, and must
    /// initialise it if it returns `Ok`. What was there before is overwritten, but its destructor is not called.
    pub(crate) fn create(
        caller: &'a Caller,
        memory: *mut M,
        make: impl FnOnce(*mut M::Content) -> Result<(), Status>,
    ) -> Result<(), Status> {
        clear(caller.changed(memory)?);
        let slot = Slot::within(memory);
        // SAFETY: `changed` has checked the memory, in which the slot is. The pointer is only computed.
        let result = make(unsafe { &raw mut (*slot).content });
        match result {
            // SAFETY: As above, and there is no reference to the memory here.
            Ok(()) => unsafe { (*slot).word = word(memory) },
            // SAFETY: As above; all bytes are valid for an array of integers.
            Err(_) => clear(unsafe { &mut *memory }),
        }
        result
    }

    /// Takes an object that is in this memory.
    pub(crate) fn open(caller: &'a Caller, memory: *mut M) -> Result<Self, Status> {
        caller.changed(memory)?;
        let slot = Slot::within(memory);
        let expected = word(memory);
        // SAFETY: `changed` has checked the memory, in which the slot is. There is no reference to it here.
        let found = unsafe { core::mem::replace(&mut (*slot).word, 0) };
        if found != expected {
            // SAFETY: As above.
            unsafe { (*slot).word = found };
            return Err(MOISSANITE_ERROR_STATE);
        }
        Ok(Self {
            memory,
            slot,
            caller: PhantomData,
        })
    }

    /// The place of the object.
    pub(crate) fn pointer(&self) -> *mut M::Content {
        // SAFETY: `open` has checked the memory. The pointer is only computed.
        unsafe { &raw mut (*self.slot).content }
    }

    /// The object.
    pub(crate) fn content(&mut self) -> &mut M::Content {
        // SAFETY: `open` has found the word that shows that the content is initialised, and has removed it, so that
        // there is no second `Object` of this memory.
        unsafe { &mut *self.pointer() }
    }

    /// Drops the object and wipes its memory.
    pub(crate) fn destroy(self) {
        let memory = self.memory;
        // SAFETY: The content is initialised, and nothing uses it afterwards, because the word is not restored.
        unsafe { M::drop(self.pointer()) };
        core::mem::forget(self);
        // SAFETY: All bytes are valid for an array of integers, and there is no reference to them.
        clear(unsafe { &mut *memory });
    }
}

impl<M: Memory> Drop for Object<'_, M> {
    fn drop(&mut self) {
        // SAFETY: `open` has checked the memory, and there is no reference to the word.
        unsafe { (*self.slot).word = word(self.memory) };
    }
}

/// Wipes memory of any content. An object in it is dropped, if there is one.
pub(crate) fn wipe<M: Memory>(caller: &Caller, memory: *mut M) -> Result<(), Status> {
    match Object::open(caller, memory) {
        Ok(object) => object.destroy(),
        // SAFETY: `open` has checked the memory before it has read the word.
        Err(MOISSANITE_ERROR_STATE) => clear(unsafe { &mut *memory }),
        Err(status) => return Err(status),
    }
    Ok(())
}

fn clear<M: Memory>(memory: &mut M) {
    let bytes = ptr::from_mut(memory).cast::<u8>();
    // SAFETY: The memory is an array of integers.
    let bytes = unsafe { core::slice::from_raw_parts_mut(bytes, size_of::<M>()) };
    bytes.zeroize();
}
