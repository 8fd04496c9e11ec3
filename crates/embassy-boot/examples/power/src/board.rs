//! The memory of the board that outlives a reset.

use core::slice;

use crate::control::Control;

/// The flash of the device.
const FLASH: usize = 0x2110_0000;
/// The old image and the new one: a length of four bytes, and the image.
const IMAGES: [usize; 2] = [0x2120_0000, 0x2130_0000];
/// What the job writes and reads.
const CONTROL: usize = 0x2140_0000;
/// More bytes than an image has.
const LONGEST: usize = 1 << 20;

/// Everything that outlives a reset.
pub struct Kept {
    /// What the device does next.
    pub control: &'static mut Control,
    /// The content of flash.
    pub flash: &'static mut [u8],
    /// The old image.
    pub old: &'static [u8],
    /// The new image.
    pub new: &'static [u8],
}

impl Kept {
    /// Returns the memory.
    ///
    /// # Safety
    /// It must be called once after a reset.
    pub unsafe fn take(flash: usize) -> Self {
        let image = |at: usize| {
            // SAFETY: the job writes a length and that many bytes to this RAM, which nothing else uses.
            unsafe {
                let length = (at as *const u32).read() as usize;
                slice::from_raw_parts((at + 4) as *const u8, length.min(LONGEST))
            }
        };
        let [old, new] = IMAGES.map(image);
        // SAFETY: the board has RAM at both addresses, outside of the region of the linker, and the caller makes
        // each reference once. All bytes are valid numbers.
        unsafe {
            Self {
                control: &mut *(CONTROL as *mut Control),
                flash: slice::from_raw_parts_mut(FLASH as *mut u8, flash),
                old,
                new,
            }
        }
    }
}

/// Calls the program of an image, which is one function that returns a number.
///
/// # Safety
/// There must be such a function at this offset of the flash.
pub unsafe fn call(offset: usize) -> u32 {
    let address = (FLASH + offset) | 1;
    // SAFETY: the caller ensures that Thumb code of this type is there.
    let function: extern "C" fn() -> u32 = unsafe { core::mem::transmute(address) };
    function()
}
