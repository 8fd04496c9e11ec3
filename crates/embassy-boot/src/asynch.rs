//! For flash with `async`: applications with `FirmwareUpdater`.

use embassy_boot::{FirmwareUpdater, FirmwareUpdaterError, State};
use embedded_storage::nor_flash::NorFlashErrorKind;
use embedded_storage_async::nor_flash::NorFlash;
use moissanite::stream::VerifyingKey;
use moissanite_mcuboot::format::CONTEXT;
use moissanite_mcuboot::{
    Error, Image, ImageSet, Malformed, Parser, Refused, Requirements, Source, vendor_hash,
};

use crate::error::UpdateError;
use crate::window::{self, LEN, Read, Window};

/// Verifies the image in the DFU partition, and marks it to be swapped in at the next reset, as
/// [`crate::blocking::verify_and_mark_updated`] does.
///
/// The streams read the signature several times and cannot wait for it, so it is first read to `signature`, which
/// needs at least 2,420, 3,309 or 4,627 bytes. The public key is read without waiting.
///
/// # Errors
/// [`UpdateError`].
pub async fn verify_and_mark_updated<P: ImageSet, DFU: NorFlash, STATE: NorFlash, K: Source>(
    updater: &mut FirmwareUpdater<'_, DFU, STATE>,
    active_len: usize,
    key: K,
    requirements: &Requirements,
    signature: &mut [u8],
) -> Result<Image, UpdateError<K::Error>> {
    const { window::check(DFU::READ_SIZE) };
    let signature = signature
        .get_mut(..P::SIGNATURE_LEN)
        .ok_or(UpdateError::Buffer)?;
    // `mark_updated` itself does not check this.
    if updater.get_state().await.map_err(UpdateError::State)? == State::Swap {
        return Err(UpdateError::NotBooted);
    }
    let image = verify::<P, _, _, _>(updater, active_len, key, requirements, signature).await?;
    updater.mark_updated().await.map_err(UpdateError::State)?;
    Ok(image)
}

async fn verify<P: ImageSet, DFU: NorFlash, STATE: NorFlash, K: Source>(
    updater: &mut FirmwareUpdater<'_, DFU, STATE>,
    active_len: usize,
    mut key: K,
    requirements: &Requirements,
    signature: &mut [u8],
) -> Result<Image, UpdateError<K::Error>> {
    let image = parse(updater, active_len).await?;
    let key_error = |error| UpdateError::Image(Error::Key(error));
    let mut read_key = |offset: usize, piece: &mut [u8]| key.read(offset, piece);
    let vendor = vendor_hash::<P, _>(&mut read_key).map_err(key_error)?;
    let place = requirements.check::<P>(&image, &vendor)?;
    read(updater, place, signature).await?;

    let mut failed = None;
    let read_key = |offset: usize, piece: &mut [u8]| {
        let read = read_key(offset, piece);
        read.map_err(|error| failed = Some(error))
    };
    let verdict = async {
        let Ok(mut key) = VerifyingKey::<P, _>::from_source(read_key) else {
            return Ok(false);
        };
        let Ok(mut message) = key.verifier(CONTEXT) else {
            return Ok(false);
        };
        message.update(&image.header().to_bytes());
        let streamed = image.streamed();
        for offset in streamed.clone().step_by(LEN) {
            let mut piece = [0; LEN];
            let length = streamed.end.saturating_sub(offset).min(LEN);
            let piece = piece.get_mut(..length).unwrap_or_default();
            read(updater, offset, piece).await?;
            message.update(piece);
        }
        message.update(image.protected().as_bytes());
        Ok(message.verify(signature).is_ok())
    }
    .await;
    match (failed, verdict) {
        (_, Err(error)) => Err(error),
        (Some(error), Ok(_)) => Err(key_error(error)),
        (None, Ok(true)) => Ok(image),
        (None, Ok(false)) => Err(Refused::Signature.into()),
    }
}

async fn parse<DFU: NorFlash, STATE: NorFlash, K>(
    updater: &mut FirmwareUpdater<'_, DFU, STATE>,
    active_len: usize,
) -> Result<Image, UpdateError<K>> {
    let mut parser = Parser::new(active_len);
    let mut buffer = [0; Parser::LONGEST];
    while let Some(wanted) = parser.wanted() {
        let piece = buffer.get_mut(..wanted.len()).unwrap_or_default();
        read(updater, wanted.start, piece).await?;
        parser.take(piece)?;
    }
    parser.image().cloned().ok_or(Malformed::TooLong.into())
}

/// Fills `piece` with the bytes of the DFU partition from `offset` on.
async fn read<DFU: NorFlash, STATE: NorFlash, K>(
    updater: &mut FirmwareUpdater<'_, DFU, STATE>,
    offset: usize,
    piece: &mut [u8],
) -> Result<(), UpdateError<K>> {
    let failed = |error| UpdateError::Image(Error::Slot(error));
    let outside = || failed(FirmwareUpdaterError::Flash(NorFlashErrorKind::OutOfBounds));
    let mut window: Window = embassy_boot::AlignedBuffer([0; LEN]);
    let (mut at, mut rest) = (offset, piece);
    while !rest.is_empty() {
        let next = Read::first(at, rest.len(), DFU::READ_SIZE).ok_or_else(outside)?;
        let bytes = next.buffer(&mut window).ok_or_else(outside)?;
        updater.read_dfu(next.from, bytes).await.map_err(failed)?;
        let wanted = rest.len();
        rest = next.copy(&window, rest).ok_or_else(outside)?;
        at = at.saturating_add(wanted.saturating_sub(rest.len()));
    }
    Ok(())
}
