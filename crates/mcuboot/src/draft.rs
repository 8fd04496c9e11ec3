//! Images of the vendor.

use alloc::vec::Vec;
use core::fmt;

use moissanite::signature::rand_core::TryCryptoRng;
use moissanite::{SigningKey, prelude::*};
use sha2::{Digest, Sha256};

use crate::format::{CONTEXT, DIGEST, DIGEST_LEN, HEADER_LEN, INFO_LEN, ImageSet, MAGIC_OF_AREA};
use crate::header::{Header, Version};
use crate::protected::{Protected, info};
use crate::requirements::vendor_hash;

/// An image that is not signed yet.
///
/// ```
/// use moissanite::{MlDsa44, SigningKey, SysRng, prelude::*};
/// use moissanite_mcuboot::{Draft, Version};
///
/// let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
/// let draft = Draft::new(b"the program", Version::new(1, 0, 0, 0), 1)?.with_header_size(512)?;
/// let image = draft.try_sign(&key, &mut SysRng)?;
/// assert_eq!(image.len(), 512 + 11 + 48 + 4 + 36 + 4 + 2420);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    header: Header,
    body: &'a [u8],
    counter: u32,
}

impl<'a> Draft<'a> {
    /// An image with a header of 32 bytes, for any address. `body` is the program, and has at least one byte.
    ///
    /// # Errors
    /// [`DraftError::Body`].
    pub fn new(body: &'a [u8], version: Version, counter: u32) -> Result<Self, DraftError> {
        const { assert!(HEADER_LEN <= u16::MAX as usize) };
        let length = u32::try_from(body.len()).map_err(|_| DraftError::Body)?;
        if length == 0 {
            return Err(DraftError::Body);
        }
        let header = Header {
            address: None,
            size: HEADER_LEN as u16,
            body: length,
            version,
        };
        Ok(Self {
            header,
            body,
            counter,
        })
    }

    /// Sets the number of bytes before the program, which are the header and zeros. Vector tables of Cortex-M
    /// begin at a multiple of their size, for example of 512.
    ///
    /// # Errors
    /// [`DraftError::HeaderSize`] if it is less than 32.
    pub fn with_header_size(mut self, size: u16) -> Result<Self, DraftError> {
        if usize::from(size) < HEADER_LEN {
            return Err(DraftError::HeaderSize);
        }
        self.header.size = size;
        Ok(self)
    }

    /// Sets the address of the slot for which the program was linked.
    #[must_use]
    pub fn with_address(mut self, address: u32) -> Self {
        self.header.address = Some(address);
        self
    }

    /// Returns the signed bytes, for a key in another device: it signs them with pure ML-DSA and the context
    /// [`CONTEXT`](crate::format::CONTEXT). `vendor` is the [`vendor_hash`] of its public key.
    #[must_use]
    pub fn message(&self, vendor: [u8; 32]) -> Vec<u8> {
        let mut message = self.header.to_bytes().to_vec();
        message.resize(usize::from(self.header.size), 0);
        message.extend(self.body);
        message.extend(Protected::new(self.counter, vendor).as_bytes());
        message
    }

    /// Returns the image with a signature of [`Self::message`].
    #[must_use]
    pub fn with_signature<P: ImageSet>(
        &self,
        vendor: [u8; 32],
        signature: &moissanite::Signature<P>,
    ) -> Vec<u8> {
        let mut image = self.message(vendor);
        let digest = Sha256::digest(&image);
        // A signature has at most 4,627 bytes.
        let signature = signature.as_ref();
        let area = 3 * INFO_LEN + DIGEST_LEN + signature.len();
        image.extend(info(MAGIC_OF_AREA, area as u16));
        image.extend(info(DIGEST, DIGEST_LEN as u16));
        image.extend(digest);
        image.extend(info(P::SIGNATURE_TYPE, signature.len() as u16));
        image.extend(signature);
        image
    }

    /// Signs the image, hedged with 32 bytes from `rng`.
    ///
    /// # Errors
    /// The random number generator failed.
    pub fn try_sign<P: ImageSet, R: TryCryptoRng + ?Sized>(
        &self,
        key: &SigningKey<P>,
        rng: &mut R,
    ) -> Result<Vec<u8>, moissanite::signature::Error> {
        let public_key = key.verifying_key();
        let vendor = vendor_hash::<P, _>(public_key.as_ref())
            .map_err(|_| moissanite::signature::Error::new())?;
        let signature = key
            .with_context(CONTEXT)
            .map_err(|_| moissanite::signature::Error::new())?
            .try_sign_with_rng(rng, &self.message(vendor))?;
        Ok(self.with_signature(vendor, &signature))
    }
}

/// The reason why there is no image with these values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DraftError {
    /// The program is empty or does not fit 4 GiB.
    Body,
    /// The header would have fewer than 32 bytes.
    HeaderSize,
}

impl fmt::Display for DraftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Body => "the program is empty or longer than 4 GiB",
            Self::HeaderSize => "the header has at least 32 bytes",
        })
    }
}
impl core::error::Error for DraftError {}
