//! Verification of an image in a slot that is read in pieces.

use core::cell::RefCell;

use moissanite::MuBuilder;
use moissanite::stream::{Source, VerifyingKey};

use crate::error::{Error, Refused};
use crate::format::{CONTEXT, ImageSet};
use crate::parser::{Image, Parser};
use crate::requirements::{Requirements, vendor_hash};

/// The number of bytes that are read at once. A [`Source`] is asked for at most 84.
const PIECE: usize = 64;

/// Reads the image at the beginning of a slot of `capacity` bytes, and returns it if it fulfils the
/// requirements and has the vendor's signature. `slot` is read from offset 0 on, and must not change. The key is
/// the vendor's public key, 1,312, 1,952 or 2,592 bytes; it is read again for each use.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// # use moissanite::{MlDsa65, SigningKey, SysRng, prelude::*};
/// # use moissanite_mcuboot::{Draft, Error, Refused, Requirements, Version, verify};
/// # let key = SigningKey::<MlDsa65>::try_generate(&mut SysRng)?;
/// # let draft = Draft::new(b"the program", Version::new(1, 0, 0, 0), 2)?.with_address(0x8000);
/// # let image = draft.try_sign(&key, &mut SysRng)?;
/// # let public_key = key.verifying_key().to_bytes();
/// let mut device = Requirements { minimum_counter: 2, address: Some(0x8000) };
/// assert!(verify::<MlDsa65, _, _>(&image[..], image.len(), &public_key[..], &device).is_ok());
/// device.minimum_counter = 3;
/// let refused = verify::<MlDsa65, _, _>(&image[..], image.len(), &public_key[..], &device);
/// assert_eq!(refused, Err(Error::Refused(Refused::Counter)));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`].
pub fn verify<P: ImageSet, S: Source, K: Source>(
    mut slot: S,
    capacity: usize,
    mut key: K,
    requirements: &Requirements,
) -> Result<Image, Error<S::Error, K::Error>> {
    let image = parse(&mut slot, capacity)?;
    let mut read_key = |offset: usize, piece: &mut [u8]| key.read(offset, piece);
    let vendor = vendor_hash::<P, _>(&mut read_key).map_err(Error::Key)?;
    let signature = requirements.check::<P>(&image, &vendor)?;
    let mut failed_key = None;
    let read_key = |offset: usize, piece: &mut [u8]| {
        let read = read_key(offset, piece);
        read.map_err(|error| failed_key = Some(error))
    };
    let Ok(mut key) = VerifyingKey::<P, _>::from_source(read_key) else {
        return Err(failed_key.map_or(Refused::Signature.into(), Error::Key));
    };

    // Both the message and the signature are read from the slot, one after the other.
    let slot = RefCell::new((slot, None));
    let read = |offset: usize, piece: &mut [u8]| {
        let (slot, failed) = &mut *slot.borrow_mut();
        slot.read(offset, piece)
            .map_err(|error| *failed = Some(error))
    };
    let message = |message: &mut MuBuilder| {
        message.update(&image.header().to_bytes());
        let streamed = image.streamed();
        for offset in streamed.clone().step_by(PIECE) {
            let mut piece = [0; PIECE];
            let length = streamed.end.saturating_sub(offset).min(PIECE);
            let Some(piece) = piece.get_mut(..length) else {
                return;
            };
            if read(offset, piece).is_err() {
                return;
            }
            message.update(piece);
        }
        message.update(image.protected().as_bytes());
    };
    let bytes = |offset: usize, piece: &mut [u8]| read(signature.saturating_add(offset), piece);
    let verdict = key.verify_pieces_source(CONTEXT, message, bytes);
    match (slot.into_inner().1, failed_key, verdict) {
        (Some(error), _, _) => Err(Error::Slot(error)),
        (None, Some(error), _) => Err(Error::Key(error)),
        (None, None, Ok(())) => Ok(image),
        (None, None, Err(_)) => Err(Refused::Signature.into()),
    }
}

fn parse<S: Source, K>(slot: &mut S, capacity: usize) -> Result<Image, Error<S::Error, K>> {
    let mut parser = Parser::new(capacity);
    let mut buffer = [0; Parser::LONGEST];
    while let Some(wanted) = parser.wanted() {
        let Some(piece) = buffer.get_mut(..wanted.len()) else {
            break;
        };
        slot.read(wanted.start, piece).map_err(Error::Slot)?;
        parser.take(piece)?;
    }
    let image = parser.image().cloned();
    image.ok_or(Error::Malformed(crate::error::Malformed::TooLong))
}
