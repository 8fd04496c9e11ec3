//! Dilithium of NIST's third round (specification of 2021-02-08, with SHAKE), for keys and
//! signatures from before FIPS 204.
//!
//! The types are those of ML-DSA, with another set: `SigningKey<Dilithium3>`.
//!
//! ```
//! use moissanite::{prelude::*, Dilithium3, SigningKey, VerifyingKey, SysRng};
//!
//! let key = SigningKey::<Dilithium3>::try_generate(&mut SysRng)?;
//! let signature: [u8; 3293] = key.try_sign(b"message")?.to_bytes();
//!
//! let public_key: [u8; 1952] = key.verifying_key().to_bytes();
//! let public_key = VerifyingKey::<Dilithium3>::from_bytes(&public_key)?;
//! public_key.verify(b"message", &moissanite::Signature::from_bytes(&signature)?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | set | became | public key | private key | signature |
//! | --- | --- | --- | --- | --- |
//! | [`Dilithium2`] | [`MlDsa44`] | 1,312 | 32 or 2,528 | 2,420 |
//! | [`Dilithium3`] | [`MlDsa65`] | 1,952 | 32 or 4,000 | 3,293 |
//! | [`Dilithium5`] | [`MlDsa87`] | 2,592 | 32 or 4,864 | 4,595 |
//!
//! `sign` and `try_sign` are deterministic, which is the default of this scheme: ρ', the seed of
//! the masks, is H(K ‖ μ). The methods with a random number generator are hedged like those of
//! ML-DSA: they draw 32 bytes, and ρ' is H(K ‖ these bytes ‖ μ). With a broken or predictable
//! generator, they are as secure as deterministic signing. The randomized mode of the
//! specification, where ρ' consists only of 64 bytes of the generator, is not as secure: one
//! signature with a known ρ', or two with the same ρ', reveal the private key. Verification is the
//! same for all ways to compute ρ'. `sign_mu_with_rho_prime` (feature `hazmat`) is for the test
//! vectors of the specification.
//!
//! [`VerifyingKey::message_mu`] hashes a message in pieces:
//!
//! ```
//! use moissanite::{Dilithium3, SigningKey, SysRng};
//!
//! let key = SigningKey::<Dilithium3>::try_generate(&mut SysRng)?;
//! let mut mu = key.verifying_key().message_mu();
//! mu.update(b"a long ");
//! mu.update(b"message");
//! let mu = mu.finish();
//! let signature = key.try_sign_mu(&mu)?;
//! key.verifying_key().verify_mu(&mu, &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is missing
//!
//! Contexts, HashML-DSA, μ with a context, and key documents exist only for FIPS 204; their use
//! with a set of round 3 does not compile. For ML-DSA, this compiles:
//!
//! ```
//! # use moissanite::{prelude::*, MlDsa65 as Set, SigningKey, SysRng};
//! let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
//! key.with_context(b"context")?.try_sign(b"message")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! ```compile_fail,E0599
//! # use moissanite::{prelude::*, Dilithium3 as Set, SigningKey, SysRng};
//! let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
//! key.with_context(b"context")?.try_sign(b"message")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![cfg_attr(
    feature = "hash-ml-dsa",
    doc = r#"
```
# use moissanite::{prehash::{PreHashed, Sha512}, MlDsa65 as Set, SigningKey, SysRng};
let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
key.try_sign_prehashed(&PreHashed::<Sha512>::of(&[b"message"]))?;
# Ok::<(), Box<dyn std::error::Error>>(())
```
```compile_fail,E0599
# use moissanite::{prehash::{PreHashed, Sha512}, Dilithium3 as Set, SigningKey, SysRng};
let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
key.try_sign_prehashed(&PreHashed::<Sha512>::of(&[b"message"]))?;
# Ok::<(), Box<dyn std::error::Error>>(())
```
"#
)]
//!
//! ```
//! # use moissanite::{MlDsa65 as Set, SigningKey, SysRng};
//! let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
//! let mu = key.verifying_key().mu(b"")?.finish();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! ```compile_fail,E0599
//! # use moissanite::{Dilithium3 as Set, SigningKey, SysRng};
//! let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
//! let mu = key.verifying_key().mu(b"")?.finish();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![cfg_attr(
    all(feature = "pkcs8", feature = "alloc"),
    doc = r#"
```
# use moissanite::{pkcs8::EncodePrivateKey, MlDsa65 as Set, SigningKey, SysRng};
let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
key.to_pkcs8_der()?;
# Ok::<(), Box<dyn std::error::Error>>(())
```
```compile_fail,E0599
# use moissanite::{pkcs8::EncodePrivateKey, Dilithium3 as Set, SigningKey, SysRng};
let key = SigningKey::<Set>::try_generate(&mut SysRng)?;
key.to_pkcs8_der()?;
# Ok::<(), Box<dyn std::error::Error>>(())
```
"#
)]
//!
//! A key, a signature or a μ of one scheme is not accepted as one of the other:
//!
//! ```
//! # use moissanite::{prelude::*, MlDsa44 as Old, MlDsa44, SigningKey, SysRng};
//! let signature = SigningKey::<Old>::try_generate(&mut SysRng)?.try_sign(b"message")?;
//! let _ = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?.verifying_key().verify(b"message", &signature);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! ```compile_fail,E0308
//! # use moissanite::{prelude::*, Dilithium2 as Old, MlDsa44, SigningKey, SysRng};
//! let signature = SigningKey::<Old>::try_generate(&mut SysRng)?.try_sign(b"message")?;
//! let _ = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?.verifying_key().verify(b"message", &signature);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![doc = include_str!("../docs/migration.md")]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use signature::rand_core::TryCryptoRng;

#[cfg(feature = "alloc")]
use crate::batch::{self, InvalidSignatures, MissingSignatures, VerifyItem};
#[cfg(feature = "alloc")]
use crate::key_traits::{AnyPreparedSigningKey, AnyVerifyingKey, hedge};
#[cfg(feature = "alloc")]
use crate::sig::Signature;
#[cfg(doc)]
use crate::verifying::VerifyingKey;
#[cfg(feature = "alloc")]
use moissanite_core::ParameterSet;
#[cfg(feature = "alloc")]
use moissanite_core::scheme::Round3;
#[cfg(doc)]
use moissanite_core::{Dilithium2, Dilithium3, Dilithium5, MlDsa44, MlDsa65, MlDsa87};

/// The function [`batch::verify_batch`] for round 3, which has no contexts.
///
/// ```
/// use moissanite::{prelude::*, round3::verify_batch, Dilithium2, SigningKey, SysRng};
///
/// let key = SigningKey::<Dilithium2>::try_generate(&mut SysRng)?;
/// let signature = key.try_sign(b"message")?;
/// let public_key = key.verifying_key().prepare();
/// verify_batch(&[(&public_key, b"message", &signature)])?;
/// let error = verify_batch(&[
///     (&public_key, b"message".as_slice(), &signature),
///     (&public_key, b"another".as_slice(), &signature),
/// ]);
/// assert!(error.unwrap_err().invalid().eq([1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Not all signatures are valid.
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub fn verify_batch<K: AnyVerifyingKey<Set: ParameterSet<Scheme = Round3>>>(
    items: &[VerifyItem<'_, K>],
) -> Result<(), InvalidSignatures> {
    batch::verify(&[], items)
}

/// The function [`batch::sign_batch`] for round 3, which has no contexts.
///
/// # Errors
/// Not all items were signed.
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub fn sign_batch<K: AnyPreparedSigningKey<Set: ParameterSet<Scheme = Round3>>>(
    items: &[(&K, &[u8])],
) -> Result<Vec<Signature<K::Set>>, MissingSignatures<K::Set>> {
    batch::sign(&[], items, || Ok(None))
}

/// The function [`batch::sign_batch_with_rng`] for round 3, which has no contexts.
///
/// # Errors
/// Not all items were signed.
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub fn sign_batch_with_rng<K: AnyPreparedSigningKey<Set: ParameterSet<Scheme = Round3>>, R>(
    rng: &mut R,
    items: &[(&K, &[u8])],
) -> Result<Vec<Signature<K::Set>>, MissingSignatures<K::Set>>
where
    R: TryCryptoRng + ?Sized,
{
    batch::sign(&[], items, || hedge(rng).map(Some))
}
