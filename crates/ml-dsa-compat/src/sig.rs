//! Signatures.

use core::fmt;
use core::hash::{Hash, Hasher};

use hybrid_array::Array;
use signature::{Error, SignatureEncoding};

use crate::param::{EncodedSignature, MlDsaParams};

/// A well-formed signature: 2,420, 3,309 or 4,627 bytes.
///
/// ```
/// use ml_dsa::{MlDsa44, Signature, SignatureEncoding, Signer, SigningKey};
///
/// let signature = SigningKey::<MlDsa44>::from_seed(&[7; 32].into()).sign(b"message");
/// let bytes = signature.encode();
/// assert_eq!(bytes.len(), 2420);
/// assert_eq!(Signature::<MlDsa44>::decode(&bytes), Some(signature));
/// ```
#[derive(Clone, PartialEq)]
pub struct Signature<P: MlDsaParams>(pub(crate) moissanite::Signature<P::Set>);

impl<P: MlDsaParams> Signature<P> {
    /// Returns the bytes of the signature (FIPS 204, Algorithm 26, sigEncode).
    pub fn encode(&self) -> EncodedSignature<P> {
        P::signature_array(self.0.as_bytes()).clone()
    }

    /// Takes the bytes of a signature (FIPS 204, Algorithm 27, sigDecode), unless the hint is
    /// malformed or a coefficient of z is out of range, in which case no key accepts the signature.
    pub fn decode(enc: &EncodedSignature<P>) -> Option<Self> {
        Self::from_slice(enc)
    }

    /// Returns c̃, the first 32, 48 or 64 bytes.
    pub fn c_tilde(&self) -> &Array<u8, P::Lambda> {
        // A signature begins with c̃ and is many times longer, so there is a first chunk.
        let (chunks, _) = Array::slice_as_chunks(self.0.as_ref());
        &chunks[0]
    }

    fn from_slice(bytes: &[u8]) -> Option<Self> {
        let signature = moissanite::Signature::from_bytes(bytes).ok()?;
        signature.is_well_formed().then_some(Self(signature))
    }
}

impl<P: MlDsaParams> TryFrom<&[u8]> for Signature<P> {
    type Error = Error;
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_slice(bytes).ok_or_else(Error::new)
    }
}

// `From` would need a type of this crate as its first parameter.
#[allow(
    clippy::from_over_into,
    reason = "the array is a type of another crate"
)]
impl<P: MlDsaParams> TryInto<EncodedSignature<P>> for Signature<P> {
    type Error = Error;
    fn try_into(self) -> Result<EncodedSignature<P>, Error> {
        Ok(self.encode())
    }
}

impl<P: MlDsaParams> SignatureEncoding for Signature<P> {
    type Repr = EncodedSignature<P>;
}

impl<P: MlDsaParams> Hash for Signature<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ref().hash(state);
    }
}

impl<P: MlDsaParams> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
