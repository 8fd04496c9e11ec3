//! A device that loses its power at each operation of its flash, one after the other, and that starts again each
//! time with the content that its flash has then.
//!
//! Its flash is RAM of the board, which keeps its content when the processor resets. `cargo xtask power-loss` makes
//! the images, starts QEMU once, and reads the figures.
#![no_std]
#![no_main]

mod board;
mod control;
#[path = "../../../tests/device.rs"]
mod device;
#[path = "../../../tests/flash.rs"]
mod flash;
mod reset;
#[path = "../../../../moissanite/examples/bootloader/src/board.rs"]
mod semihosting;

use core::cell::RefCell;
use core::ffi::CStr;
use core::panic::PanicInfo;

use cortex_m_rt::entry;
use embassy_sync::blocking_mutex::Mutex;
use embedded_storage::nor_flash::ReadNorFlash;

use board::Kept;
use device::{Application, Device, End, Layout};
use flash::Flash;

/// The public key that decides what starts.
static VENDOR: &[u8; 1312] = include_bytes!(env!("VENDOR_PUBLIC_KEY"));

const PAGE: usize = 1024;
const LAYOUT: Layout = Layout {
    active: 3 * PAGE,
    state: PAGE,
    page: PAGE,
};

#[entry]
fn main() -> ! {
    // SAFETY: this is the only call after a reset.
    let kept = unsafe { Kept::take(LAYOUT.total()) };
    match start(kept) {
        Ok(true) => reset::reset(),
        Ok(false) => semihosting::stop(c"done\n", 0),
        Err(reason) => semihosting::stop(reason, 1),
    }
}

/// One start of the device. Returns whether there is another one.
fn start(kept: Kept) -> Result<bool, &'static CStr> {
    let Kept {
        control,
        flash,
        old,
        new,
    } = kept;
    if control.begin().ok_or(c"no end of the run\n")? {
        flash.fill(0xff);
        let place = flash.get_mut(..old.len());
        place
            .ok_or(c"the image is too long\n")?
            .copy_from_slice(old);
    }
    let end = {
        let flash = Flash::<_, PAGE>::new(flash, control.power());
        let flash = Mutex::new(RefCell::new(flash));
        let device = Device::new(&flash, LAYOUT);
        boot(&device, old, new, control.works())?
    };
    match end {
        End::Reset => Ok(true),
        End::Updated => Ok(control.end(true).is_some()),
        End::RolledBack => Ok(control.end(false).is_some()),
    }
}

/// Starts the active image, whose program returns its number, and then does what this number does.
fn boot<P: flash::Power>(
    device: &Device<'_, '_, P, PAGE>,
    old: &[u8],
    new: &[u8],
    works: bool,
) -> Result<End, &'static CStr> {
    let image = device
        .boot(VENDOR)
        .map_err(|_| c"an error of the flash\n")?;
    let image = image.ok_or(c"refused: the active image\n")?;
    let mut active = [0; LAYOUT.active];
    let read = device.active().read(0, &mut active);
    read.map_err(|_| c"an error of the flash\n")?;
    // SAFETY: the vendor signed this image, whose program is such a function.
    let number = unsafe { board::call(image.body().start) };
    let expected = if number == 1 { old } else { new };
    if !active.starts_with(expected) || number != image.counter() {
        return Err(c"neither image\n");
    }
    let application = Application {
        vendor: VENDOR,
        offered: new,
        counter: number,
        newest: 2,
        works,
    };
    device
        .run(&application)
        .map_err(|_| c"an error of the update\n")
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    semihosting::stop(c"a panic\n", 1)
}
