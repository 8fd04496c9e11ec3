//! The secrets of each scheme, computed from a seed, and the inputs of the operations.

use anyhow::{Context, Result, bail, ensure};
use moissanite::keys::PrivateKeyForm;
use moissanite::{
    Dilithium2, Dilithium3, Dilithium5, Fips204, MlDsa44, MlDsa65, MlDsa87, ParameterSet, Seed,
};
use moissanite_composite::{Composite, MlDsa44Ed25519, MlDsa65Ed25519, ed25519};
use moissanite_core::backend::{Backend, Portable, WithBackend, dispatch_to};
use moissanite_core::field::{Field, MlDsaField};
use moissanite_core::hash::{MuBuilder, h};
use moissanite_core::poly::{NttPoly, Poly};
use moissanite_core::prepared::SigningState;
use moissanite_core::scheme::Scheme;
use moissanite_core::secret::Zeroed;
use moissanite_core::shape::Dim;
use moissanite_core::shape::N;
use moissanite_core::sign::{self, Rnd};
use pkcs8::{EncodePrivateKey, LineEnding};
use sha2::{Digest, Sha512};

use super::needles::Needles;

/// The message that operations sign; zkDilithium signs it in one piece and in several.
const MESSAGE: &[u8] = b"message";
/// The message representative of the operation that takes one.
const MU: [u8; 64] = [7; 64];
/// The byte that the random generator of hedged operations repeats.
const RANDOM: u8 = 7;
/// The number of polynomials of y among which zkDilithium's signature is searched.
const ZK_MASKS: u16 = 128;
/// The largest number of polynomials of y that are computed beyond the last attempt.
const AHEAD: u16 = 16;

/// Returns the seed from which all secrets follow.
pub(crate) fn seed(scheme: &str) -> Vec<u8> {
    let seed = Sha512::digest(format!("a seed to look for, of {scheme}"));
    let len = if scheme.starts_with("MLDSA") { 64 } else { 32 };
    seed[..len].to_vec()
}

/// Returns the input of this name for an operation.
pub(crate) fn input(scheme: &str, name: &str) -> Result<Vec<u8>> {
    if name == "seed" {
        return Ok(seed(scheme));
    }
    match scheme {
        "ML-DSA-44" => document::<MlDsa44>(name),
        "ML-DSA-65" => document::<MlDsa65>(name),
        "ML-DSA-87" => document::<MlDsa87>(name),
        "Dilithium2" => expanded_input::<Dilithium2>(name),
        "Dilithium3" => expanded_input::<Dilithium3>(name),
        "Dilithium5" => expanded_input::<Dilithium5>(name),
        "zkDilithium" => zk_input(name),
        "MLDSA44-Ed25519" => composite_input::<MlDsa44Ed25519>(scheme, name),
        "MLDSA65-Ed25519" => composite_input::<MlDsa65Ed25519>(scheme, name),
        "Ed25519" => {
            let seed = array(&seed(scheme))?;
            encoded(&ed25519::SigningKey::from_seed(&seed), name)
        }
        _ => bail!("there is no scheme {scheme}"),
    }
}

/// Returns the sequences that an operation on this backend must not leave.
pub(crate) fn needles(scheme: &str, backend: &str) -> Result<Needles> {
    let mut needles = Needles::new();
    let seed = seed(scheme);
    match scheme {
        "ML-DSA-44" => lattice::<MlDsa44>(&seed, backend, &mut needles)?,
        "ML-DSA-65" => lattice::<MlDsa65>(&seed, backend, &mut needles)?,
        "ML-DSA-87" => lattice::<MlDsa87>(&seed, backend, &mut needles)?,
        "Dilithium2" => lattice::<Dilithium2>(&seed, backend, &mut needles)?,
        "Dilithium3" => lattice::<Dilithium3>(&seed, backend, &mut needles)?,
        "Dilithium5" => lattice::<Dilithium5>(&seed, backend, &mut needles)?,
        "zkDilithium" => zk(&seed, backend, &mut needles)?,
        "MLDSA44-Ed25519" => {
            lattice::<MlDsa44>(&seed[..32], backend, &mut needles)?;
            ed25519_halves(&seed[32..], &mut needles);
        }
        "MLDSA65-Ed25519" => {
            lattice::<MlDsa65>(&seed[..32], backend, &mut needles)?;
            ed25519_halves(&seed[32..], &mut needles);
        }
        "Ed25519" => ed25519_halves(&seed, &mut needles),
        _ => bail!("there is no scheme {scheme}"),
    }
    Ok(needles)
}

fn array<const LEN: usize>(seed: &[u8]) -> Result<Seed<LEN>> {
    Ok(Seed::from_bytes(
        seed.first_chunk().context("a seed has more bytes")?,
    ))
}

fn lattice_key<P: ParameterSet>() -> Result<moissanite::SigningKey<P>> {
    Ok(moissanite::SigningKey::from_seed(&array(&seed(P::NAME))?))
}

fn document<P: Fips204>(name: &str) -> Result<Vec<u8>> {
    let key = lattice_key::<P>()?;
    let der = |form| anyhow::Ok(key.to_pkcs8(form)?);
    let pem = |form| {
        let der = der(form)?;
        let pem = der.to_pem("PRIVATE KEY", LineEnding::LF)?;
        Ok(pem.as_bytes().to_vec())
    };
    match name {
        "pkcs8-seed" => Ok(der(PrivateKeyForm::Seed)?.as_bytes().to_vec()),
        "pkcs8-expanded" => Ok(der(PrivateKeyForm::Expanded)?.as_bytes().to_vec()),
        "pkcs8-both" => Ok(der(PrivateKeyForm::Both)?.as_bytes().to_vec()),
        "pkcs8-bad-both" => {
            let mut bad = der(PrivateKeyForm::Both)?.as_bytes().to_vec();
            if let Some(last) = bad.last_mut() {
                *last ^= 1;
            }
            Ok(bad)
        }
        "pem-seed" => pem(PrivateKeyForm::Seed),
        "pem-expanded" => pem(PrivateKeyForm::Expanded),
        "pem-both" => pem(PrivateKeyForm::Both),
        "jwk" => Ok(token_key::<P>()?.to_private_jwk()?.as_bytes().to_vec()),
        "cose-key" => Ok(token_key::<P>()?.to_private_cose_key()?.to_vec()),
        _ => expanded_input::<P>(name),
    }
}

fn token_key<P: Fips204>() -> Result<moissanite_tokens::SigningKey> {
    let names = moissanite_tokens::Algorithm::from_jose_name(P::NAME);
    let algorithm = names.context("a set without tokens")?;
    let seed = array(&seed(P::NAME))?;
    Ok(moissanite_tokens::SigningKey::from_seed(algorithm, &seed))
}

fn expanded_input<P: ParameterSet>(name: &str) -> Result<Vec<u8>> {
    let key = lattice_key::<P>()?;
    let expanded = key.as_expanded_bytes().as_ref();
    let json = |bytes: &[u8]| format!("\"{}\"", hex::encode(bytes)).into_bytes();
    match name {
        "json-seed" => Ok(json(&seed(P::NAME))),
        "json-expanded" => Ok(json(expanded)),
        _ => spoiled(expanded, name, 64 + P::TR_LEN),
    }
}

fn zk_input(name: &str) -> Result<Vec<u8>> {
    let key = moissanite_zk_dilithium::SigningKey::from_seed(&array(&seed("zkDilithium"))?);
    spoiled(key.as_bytes(), name, 96)
}

/// Returns an expanded key, or one with an error in its last byte or in the first byte of s₁.
fn spoiled(expanded: &[u8], name: &str, s1: usize) -> Result<Vec<u8>> {
    let mut bytes = expanded.to_vec();
    match name {
        "expanded" => {}
        "bad-t0" => bytes[expanded.len() - 1] ^= 1,
        "bad-range" => bytes[s1] = 0xff,
        _ => bail!("there is no input {name}"),
    }
    Ok(bytes)
}

fn composite_input<C: Composite>(scheme: &str, name: &str) -> Result<Vec<u8>> {
    let seed = array(&seed(scheme))?;
    let ssh = || moissanite_ssh::PrivateKey::from_seed(&seed);
    match name {
        "openssh" => return Ok(ssh().to_openssh()?.as_bytes().to_vec()),
        "openssh-encrypted" => {
            let text = ssh().to_encrypted_openssh(&mut moissanite_ssh::SysRng, b"passphrase", 1)?;
            return Ok(text.into_bytes());
        }
        _ => {}
    }
    encoded(
        &moissanite_composite::SigningKey::<C>::from_seed(&seed),
        name,
    )
}

fn encoded(key: &impl EncodePrivateKey, name: &str) -> Result<Vec<u8>> {
    Ok(match name {
        "pkcs8-seed" => key.to_pkcs8_der()?.as_bytes().to_vec(),
        "pem-seed" => key.to_pkcs8_pem(LineEnding::LF)?.as_bytes().to_vec(),
        _ => bail!("there is no input {name}"),
    })
}

/// ML-DSA and round-3 Dilithium.
fn lattice<P: ParameterSet>(seed: &[u8], backend: &str, needles: &mut Needles) -> Result<()> {
    let seed = array(seed)?;
    let key = moissanite::SigningKey::<P>::from_seed(&seed);
    let seed = seed.as_bytes();
    let dimensions = P::Scheme::dimensions(P::K::N as u8, P::L::N as u8);
    let seeds = h::<128>(&[seed, dimensions.as_ref()]);
    let expanded = key.as_expanded_bytes().as_ref();
    let (small, t0) = expanded[64 + P::TR_LEN..].split_at(32 * P::ETA_BITS * (P::L::N + P::K::N));
    let tr = *h::<64>(&[key.verifying_key().as_ref()]);

    seeded(seed, &seeds, needles);
    needles.add_bytes("s1 ‖ s2, packed", small);
    needles.add_bytes("t0, packed", t0);
    for (r, t0) in t0.chunks_exact(416).enumerate() {
        let t0 = unpacked(t0, 13, 1 << 12);
        needles.add_polynomial(&format!("t0[{r}]"), &t0, None);
    }
    let backend = Ntt::<MlDsaField>::of(backend);
    add_small(
        small,
        P::ETA_BITS,
        P::ETA as i32,
        P::L::N,
        &backend,
        needles,
    )?;

    let mut prepared = Box::<SigningState<P>>::default();
    let set = prepared.set(Portable, key.as_expanded_bytes());
    ensure!(set.is_ok(), "the key is out of range");
    let rnd = [RANDOM; 32];
    let mu_of = |context: &[u8]| {
        let mut mu = MuBuilder::<P::Scheme>::new(&tr);
        mu.pure(context);
        mu.update(MESSAGE);
        mu.finish()
    };
    let mut mus = vec![
        ("", mu_of(b"")),
        ("given μ, ", MU),
        ("with a context, ", mu_of(b"context")),
    ];
    if P::TR_LEN == 64 {
        let mut mu = MuBuilder::new(&tr);
        mu.pre_hashed(b"");
        // SHA-512: 2.16.840.1.101.3.4.2.3.
        mu.update(&[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3]);
        mu.update(&Sha512::digest(MESSAGE));
        mus.push(("pre-hashed, ", mu.finish()));
    }
    for (what, mu) in mus {
        let ways = [
            ("", Rnd::Deterministic, P::Scheme::NO_RND),
            ("hedged, ", Rnd::Hedged(&rnd), &rnd),
        ];
        for (hedged, rnd, hashed) in ways {
            let rho_second = *h::<64>(&[&expanded[32..64], hashed, &mu]);
            let count = attempts(&prepared, &mu, rnd)? * P::L::N as u16 + AHEAD;
            let what = format!("{hedged}{what}");
            masks(
                &what,
                &rho_second,
                P::Z_BITS,
                P::GAMMA1,
                count,
                &backend,
                needles,
            )?;
        }
    }
    Ok(())
}

/// Returns the number of attempts of a signature.
fn attempts<P: ParameterSet>(key: &SigningState<P>, mu: &[u8; 64], rnd: Rnd<'_>) -> Result<u16> {
    let mut scratch = Box::new(sign::Scratch::<P, Portable>::ZERO);
    let mut sigma = P::Signature::ZERO;
    let mut signs =
        |most| sign::sign_mu(Portable, key, mu, rnd, most, &mut scratch, &mut sigma).is_ok();
    let count = (1..sign::MAX_ATTEMPTS).find(|most| signs(*most));
    count.context("there is no signature")
}

fn zk(seed: &[u8], backend: &str, needles: &mut Needles) -> Result<()> {
    const ETA_BITS: usize = 3;
    let seed = array(seed)?;
    let key = moissanite_zk_dilithium::SigningKey::from_seed(&seed);
    let seed = seed.as_bytes();
    let expanded = key.as_bytes();
    seeded(seed, &h::<128>(&[seed]), needles);
    let small = &expanded[96..96 + 8 * 32 * ETA_BITS];
    needles.add_bytes("s1 ‖ s2, packed", small);
    let backend = Ntt::<ZkField>::of(backend);
    add_small(small, ETA_BITS, 2, 4, &backend, needles)?;
    let digest = h::<64>(&[&expanded[64..96], MESSAGE]);
    let rho_second = h::<64>(&[&expanded[32..64], &*digest]);
    masks("", &rho_second, 18, 1 << 17, ZK_MASKS, &backend, needles)
}

/// The field of zkDilithium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ZkField;
impl Field for ZkField {
    const Q: i32 = 7_340_033;
    const ZETA: i32 = 3_483_618;
}

/// The seed, ρ' and K.
fn seeded(seed: &[u8; 32], seeds: &[u8; 128], needles: &mut Needles) {
    needles.add_bytes("seed", seed);
    needles.add_bytes("ρ'", &seeds[32..96]);
    needles.add_bytes("K", &seeds[96..]);
}

/// s₁ and s₂, and their NTT.
fn add_small<F: Field>(
    packed: &[u8],
    bits: usize,
    eta: i32,
    columns: usize,
    ntt: &Ntt<'_, F>,
    needles: &mut Needles,
) -> Result<()> {
    for (r, bytes) in packed.chunks_exact(32 * bits).enumerate() {
        let name = match r.checked_sub(columns) {
            None => format!("s1[{r}]"),
            Some(r) => format!("s2[{r}]"),
        };
        let s = unpacked(bytes, bits, eta);
        needles.add_polynomial(&name, &s, Some(eta));
        needles.add_polynomial(&format!("NTT({name})"), &ntt.ntt(&s)?, None);
    }
    Ok(())
}

/// ρ'', and y in three forms: the output of the hash, the coefficients, and the NTT.
fn masks<F: Field>(
    what: &str,
    rho_second: &[u8; 64],
    bits: usize,
    gamma1: u32,
    count: u16,
    ntt: &Ntt<'_, F>,
    needles: &mut Needles,
) -> Result<()> {
    needles.add_bytes(&format!("{what}ρ''"), rho_second);
    for nonce in 0..count {
        let bytes = h::<640>(&[rho_second, &nonce.to_le_bytes()]);
        let bytes = &bytes[..32 * bits];
        let name = format!("{what}y[{nonce}]");
        needles.add_mask(&format!("{name}, packed"), bytes);
        let y = unpacked(bytes, bits, gamma1 as i32);
        needles.add_polynomial(&name, &y, None);
        needles.add_polynomial(&format!("NTT({name})"), &ntt.ntt(&y)?, None);
    }
    Ok(())
}

/// Returns `most` minus numbers of a given number of bits (FIPS 204, Algorithm 19, BitUnpack).
fn unpacked(bytes: &[u8], bits: usize, most: i32) -> [i32; N] {
    let bit = |at: usize| i32::from(bytes[at >> 3] >> (at & 7) & 1);
    core::array::from_fn(|i| most - (0..bits).map(|j| bit(i * bits + j) << j).sum::<i32>())
}

/// The NTT with the representatives of a backend.
struct Ntt<'a, F> {
    backend: &'a str,
    field: std::marker::PhantomData<F>,
}

impl<'a, F: Field> Ntt<'a, F> {
    fn of(backend: &'a str) -> Self {
        Self {
            backend,
            field: std::marker::PhantomData,
        }
    }

    fn ntt(&self, w: &[i32; N]) -> Result<[i32; N]> {
        struct Run<F>(Poly<F>);
        impl<F: Field> WithBackend for Run<F> {
            type Output = [i32; N];
            fn call<B: Backend>(self, backend: B) -> [i32; N] {
                let mut w_hat = NttPoly::<F>::ZERO;
                backend.ntt(&self.0, &mut w_hat);
                w_hat.0
            }
        }
        dispatch_to(self.backend, Run(Poly::<F>::new(*w))).context("no such backend")
    }
}

/// The values computed from an Ed25519 seed: the scalar, in bytes and in the library's limbs of 52 bits, the
/// prefix, and the hash from which the nonce is computed.
fn ed25519_halves(seed: &[u8], needles: &mut Needles) {
    let hash = Sha512::digest(seed);
    needles.add_bytes("Ed25519 seed", seed);
    needles.add_bytes("SHA-512 of the Ed25519 seed", &hash);
    let mut scalar: [u8; 32] = core::array::from_fn(|i| hash[i]);
    scalar[0] &= 248;
    scalar[31] = scalar[31] & 127 | 64;
    needles.add_bytes("Ed25519 scalar", &scalar);
    let nonce = Sha512::digest([&hash[32..], MESSAGE].concat());
    needles.add_bytes("hash of the Ed25519 nonce", &nonce);
}
