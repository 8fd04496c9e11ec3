//! What a device requires of an image.

use moissanite::ParameterSet;
use moissanite::stream::Source;
use moissanite_core::stream::verify::public_key_hash;

use crate::error::Refused;
use crate::format::{ImageSet, VENDOR_LEN};
use crate::parser::Image;

/// What a device requires of an image in addition to the signature of its vendor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// The lowest accepted rollback counter.
    pub minimum_counter: u32,
    /// The address that the image must name, or `None` for images that name none.
    pub address: Option<u32>,
}

impl Requirements {
    /// Compares an image with the requirements and with the hash of the public key, and returns the offset of
    /// its signature. The signature is not verified here.
    ///
    /// # Errors
    /// [`Refused`], except [`Refused::Signature`].
    pub fn check<P: ImageSet>(
        &self,
        image: &Image,
        vendor: &[u8; VENDOR_LEN],
    ) -> Result<usize, Refused> {
        let signature = image.signature_at::<P>().ok_or(Refused::ParameterSet)?;
        if image.protected().vendor() != vendor {
            return Err(Refused::Vendor);
        }
        if image.counter() < self.minimum_counter {
            return Err(Refused::Counter);
        }
        if image.header().address() != self.address {
            return Err(Refused::Address);
        }
        Ok(signature)
    }
}

/// Returns the hash of a public key that images name: the first 32 bytes of SHAKE256 of its 1,312, 1,952 or
/// 2,592 bytes.
///
/// # Errors
/// The error of the source.
pub fn vendor_hash<P: ParameterSet, K: Source>(mut key: K) -> Result<[u8; VENDOR_LEN], K::Error> {
    let hash = public_key_hash::<P, K>(&mut key)?;
    let mut first = [0; VENDOR_LEN];
    first.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    Ok(first)
}
