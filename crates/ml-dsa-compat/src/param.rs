//! The parameter sets: their sizes as types, and the conversions between arrays of `moissanite` and of
//! `hybrid-array`.
//!
//! The module is private, as in the published crate, so only the three sets implement its traits. Generic
//! code reaches the sizes through its bound: `P::SignatureSize`.

use core::fmt::Debug;

use hybrid_array::sizes::{
    U4, U5, U6, U7, U8, U32, U48, U64, U1312, U1952, U2420, U2560, U2592, U3309, U4032, U4627,
    U4896,
};
use hybrid_array::{Array, ArraySize};
use moissanite::{Fips204, ParameterSet as Numbers};

/// 32 bytes.
pub type B32 = Array<u8, U32>;
/// The seed of a private key: 32 secret bytes.
pub type Seed = B32;

/// The bytes of a signature (FIPS 204, Algorithm 26, sigEncode): 2,420, 3,309 or 4,627.
pub type EncodedSignature<P> = Array<u8, <P as SignatureParams>::SignatureSize>;
/// The bytes of a public key (FIPS 204, Algorithm 22, pkEncode): 1,312, 1,952 or 2,592.
pub type EncodedVerifyingKey<P> = Array<u8, <P as VerifyingKeyParams>::VerifyingKeySize>;
/// The bytes of an expanded private key (FIPS 204, Algorithm 24, skEncode): 2,560, 4,032 or 4,896,
/// of which all but the first 32 are secret.
pub type ExpandedSigningKeyBytes<P> = Array<u8, <P as SigningKeyParams>::SigningKeySize>;

/// The dimensions of a set.
pub trait ParameterSet {
    /// The rows of the matrix.
    type K: ArraySize;
    /// The columns of the matrix.
    type L: ArraySize;
    /// The bytes of c̃.
    type Lambda: ArraySize;
    /// The set that computes.
    #[doc(hidden)]
    type Set: Fips204;
}

/// The size of expanded private keys.
pub trait SigningKeyParams: ParameterSet {
    /// The number of bytes.
    type SigningKeySize: ArraySize;
    #[doc(hidden)]
    fn expanded_array(bytes: &<Self::Set as Numbers>::PrivateKey) -> &ExpandedSigningKeyBytes<Self>
    where
        Self: Sized;
}

/// The size of public keys.
pub trait VerifyingKeyParams: ParameterSet {
    /// The number of bytes.
    type VerifyingKeySize: ArraySize;
    #[doc(hidden)]
    fn verifying_key_array(bytes: &<Self::Set as Numbers>::PublicKey) -> &EncodedVerifyingKey<Self>
    where
        Self: Sized;
}

/// The size of signatures.
pub trait SignatureParams: ParameterSet {
    /// The number of bytes.
    type SignatureSize: ArraySize;
    #[doc(hidden)]
    fn signature_array(bytes: &<Self::Set as Numbers>::Signature) -> &EncodedSignature<Self>
    where
        Self: Sized;
}

/// A parameter set of FIPS 204: [`MlDsa44`], [`MlDsa65`] or [`MlDsa87`].
pub trait MlDsaParams:
    SigningKeyParams + VerifyingKeyParams + SignatureParams + Debug + Default + PartialEq + Clone
{
}

impl<T> MlDsaParams for T where
    T: SigningKeyParams
        + VerifyingKeyParams
        + SignatureParams
        + Debug
        + Default
        + PartialEq
        + Clone
{
}

macro_rules! parameter_set {
    ($(#[$doc:meta])* $name:ident, $k:ty, $l:ty, $lambda:ty, $signing:ty, $verifying:ty, $signature:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name;

        impl ParameterSet for $name {
            type K = $k;
            type L = $l;
            type Lambda = $lambda;
            type Set = moissanite::$name;
        }
        impl SigningKeyParams for $name {
            type SigningKeySize = $signing;
            fn expanded_array(bytes: &<Self::Set as Numbers>::PrivateKey) -> &ExpandedSigningKeyBytes<Self> {
                bytes.into()
            }
        }
        impl VerifyingKeyParams for $name {
            type VerifyingKeySize = $verifying;
            fn verifying_key_array(bytes: &<Self::Set as Numbers>::PublicKey) -> &EncodedVerifyingKey<Self> {
                bytes.into()
            }
        }
        impl SignatureParams for $name {
            type SignatureSize = $signature;
            fn signature_array(bytes: &<Self::Set as Numbers>::Signature) -> &EncodedSignature<Self> {
                bytes.into()
            }
        }
    };
}
parameter_set!(
    /// ML-DSA-44, of NIST's security category 2.
    MlDsa44, U4, U4, U32, U2560, U1312, U2420
);
parameter_set!(
    /// ML-DSA-65, of NIST's security category 3.
    MlDsa65, U6, U5, U48, U4032, U1952, U3309
);
parameter_set!(
    /// ML-DSA-87, of NIST's security category 5.
    MlDsa87, U8, U7, U64, U4896, U2592, U4627
);
