//! The verification of signatures of certificates and handshakes.

use core::fmt;
use core::marker::PhantomData;

use moissanite::prelude::*;
use moissanite::{
    Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet, PreparedSigningKey, Signature, SigningKey,
    VerifyingKey,
};
use rustls::SignatureScheme;
use rustls::pki_types::{
    AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm, alg_id,
};

/// ML-DSA-44, for webpki.
pub static ML_DSA_44: &dyn SignatureVerificationAlgorithm = &Verify::<MlDsa44>(PhantomData);
/// ML-DSA-65, for webpki.
pub static ML_DSA_65: &dyn SignatureVerificationAlgorithm = &Verify::<MlDsa65>(PhantomData);
/// ML-DSA-87, for webpki.
pub static ML_DSA_87: &dyn SignatureVerificationAlgorithm = &Verify::<MlDsa87>(PhantomData);

/// All three, for chains of certificates.
pub static ALGORITHMS: &[&dyn SignatureVerificationAlgorithm] = &[
    &Verify::<MlDsa44>(PhantomData),
    &Verify::<MlDsa65>(PhantomData),
    &Verify::<MlDsa87>(PhantomData),
];

/// A signature scheme and its verifiers.
type Mapped = (
    SignatureScheme,
    &'static [&'static dyn SignatureVerificationAlgorithm],
);

/// All three by their schemes in TLS, for handshakes.
pub static MAPPING: &[Mapped] = &[
    (
        SignatureScheme::ML_DSA_44,
        &[&Verify::<MlDsa44>(PhantomData)],
    ),
    (
        SignatureScheme::ML_DSA_65,
        &[&Verify::<MlDsa65>(PhantomData)],
    ),
    (
        SignatureScheme::ML_DSA_87,
        &[&Verify::<MlDsa87>(PhantomData)],
    ),
];

/// The signature scheme of a parameter set in rustls.
pub(crate) trait Tls: Fips204 {
    /// 0x0904, 0x0905 and 0x0906 (draft-ietf-tls-mldsa).
    const SCHEME: SignatureScheme;
    /// The algorithm identifier has no parameters.
    const ID: AlgorithmIdentifier;
    /// [`PreparedSigningKey`]: only of a concrete set does the compiler know that threads can share
    /// it.
    type Prepared: RandomizedSigner<Signature<Self>> + fmt::Debug + Send + Sync + 'static;
    /// Computes what signing needs.
    fn prepare(key: &SigningKey<Self>) -> Self::Prepared;
}

macro_rules! tls {
    ($($set:ty, $id:ident;)*) => { $(
        impl Tls for $set {
            const SCHEME: SignatureScheme = SignatureScheme::$id;
            const ID: AlgorithmIdentifier = alg_id::$id;
            type Prepared = PreparedSigningKey<Self>;
            fn prepare(key: &SigningKey<Self>) -> Self::Prepared {
                key.prepare()
            }
        }
    )* };
}
tls!(MlDsa44, ML_DSA_44; MlDsa65, ML_DSA_65; MlDsa87, ML_DSA_87;);

struct Verify<P>(PhantomData<P>);

impl<P: Tls> SignatureVerificationAlgorithm for Verify<P> {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let key = VerifyingKey::<P>::from_bytes(public_key).map_err(|_| InvalidSignature)?;
        let signature = Signature::from_bytes(signature).map_err(|_| InvalidSignature)?;
        key.verify(message, &signature)
            .map_err(|_| InvalidSignature)
    }
    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        P::ID
    }
    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        P::ID
    }
}

impl<P: ParameterSet> fmt::Debug for Verify<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(P::NAME)
    }
}
