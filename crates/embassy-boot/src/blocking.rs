//! For flash without `async`: applications with `BlockingFirmwareUpdater`, and boot loaders.

use embassy_boot::{BlockingFirmwareUpdater, FirmwareUpdaterError, State};
use embedded_storage::nor_flash::{NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash};
use moissanite_mcuboot::{Error, Image, ImageSet, Requirements, Source};

use crate::error::UpdateError;
use crate::window::{self, LEN, Read, Window};

/// Verifies the image in the DFU partition, and marks it to be swapped in at the next reset. Nothing is marked
/// unless the image is well-formed, fulfils the requirements and has the signature of `key`, the vendor's
/// public key of 1,312, 1,952 or 2,592 bytes.
///
/// `active_len` is the size of the active partition, in which the image must fit. `READ_SIZE` of the flash must
/// be a power of two of at most 64.
///
/// The DFU partition must not change between this call and the next reset: write nothing to it.
///
/// ```
/// use embassy_boot::BlockingFirmwareUpdater;
/// use embedded_storage::nor_flash::NorFlash;
/// use moissanite::MlDsa44;
/// use moissanite_embassy_boot::{Requirements, blocking};
///
/// /// Returns whether the device should reset to start the new image.
/// fn finish_update<DFU: NorFlash, STATE: NorFlash>(
///     updater: &mut BlockingFirmwareUpdater<'_, DFU, STATE>,
///     vendor: &[u8],
///     counter: u32,
/// ) -> bool {
///     const ACTIVE_LEN: usize = 256 << 10;
///     let requirements = Requirements { minimum_counter: counter, address: None };
///     blocking::verify_and_mark_updated::<MlDsa44, _, _, _>(updater, ACTIVE_LEN, vendor, &requirements)
///         .is_ok()
/// }
/// ```
///
/// # Errors
/// [`UpdateError`], except [`UpdateError::Buffer`].
pub fn verify_and_mark_updated<P: ImageSet, DFU: NorFlash, STATE: NorFlash, K: Source>(
    updater: &mut BlockingFirmwareUpdater<'_, DFU, STATE>,
    active_len: usize,
    key: K,
    requirements: &Requirements,
) -> Result<Image, UpdateError<K::Error>> {
    const { window::check(DFU::READ_SIZE) };
    // `mark_updated` itself does not check this.
    if updater.get_state().map_err(UpdateError::State)? == State::Swap {
        return Err(UpdateError::NotBooted);
    }
    let slot = |offset: usize, piece: &mut [u8]| {
        read(offset, piece, DFU::READ_SIZE, |from, bytes| {
            updater.read_dfu(from, bytes)
        })
    };
    let image = moissanite_mcuboot::verify::<P, _, _>(slot, active_len, key, requirements)
        .map_err(UpdateError::Image)?;
    updater.mark_updated().map_err(UpdateError::State)?;
    Ok(image)
}

/// Verifies the image in a partition. A boot loader calls this for the active partition, after
/// `BootLoader::prepare_boot` and before it starts the image.
///
/// `READ_SIZE` of the flash must be a power of two of at most 64.
///
/// # Errors
/// [`Error`].
pub fn verify_partition<P: ImageSet, F: ReadNorFlash, K: Source>(
    partition: &mut F,
    key: K,
    requirements: &Requirements,
) -> Result<Image, Error<FirmwareUpdaterError, K::Error>> {
    const { window::check(F::READ_SIZE) };
    let capacity = partition.capacity();
    let slot = |offset: usize, piece: &mut [u8]| {
        read(offset, piece, F::READ_SIZE, |from, bytes| {
            let read = partition.read(from, bytes);
            read.map_err(|error| FirmwareUpdaterError::Flash(error.kind()))
        })
    };
    moissanite_mcuboot::verify::<P, _, _>(slot, capacity, key, requirements)
}

/// Fills `piece` with the bytes from `offset` on.
fn read(
    offset: usize,
    piece: &mut [u8],
    size: usize,
    mut flash: impl FnMut(u32, &mut [u8]) -> Result<(), FirmwareUpdaterError>,
) -> Result<(), FirmwareUpdaterError> {
    const OUTSIDE: FirmwareUpdaterError =
        FirmwareUpdaterError::Flash(NorFlashErrorKind::OutOfBounds);
    let mut window: Window = embassy_boot::AlignedBuffer([0; LEN]);
    let (mut at, mut rest) = (offset, piece);
    while !rest.is_empty() {
        let next = Read::first(at, rest.len(), size).ok_or(OUTSIDE)?;
        flash(next.from, next.buffer(&mut window).ok_or(OUTSIDE)?)?;
        let wanted = rest.len();
        rest = next.copy(&window, rest).ok_or(OUTSIDE)?;
        at = at.saturating_add(wanted.saturating_sub(rest.len()));
    }
    Ok(())
}
