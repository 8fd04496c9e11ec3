//! All cases of NIST's ACVP vectors that the directory of vectors has, on every backend.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::HashMap;

use crate::backends::on_every_backend;
use moissanite::backend::{Backend, Portable, WithBackend};
use moissanite::prehash::{PreHash, PreHashed};
use moissanite::{
    ExpandedSigningKey, Fips204, MlDsa44, MlDsa65, MlDsa87, Mu, Seed, Signature, SigningKey,
    VerifyingKey, prelude::*, stream,
};
use moissanite_kats::Recorded;
use serde_json::Value;

/// One case: its fields, in hex or in words.
#[derive(Clone, Copy)]
struct Case<'a>(&'a Value);

impl<'a> Case<'a> {
    fn word(self, field: &str) -> &'a str {
        let value = self.0[field].as_str();
        value.unwrap_or_else(|| panic!("no {field} in {}", self.id()))
    }
    fn has(self, field: &str) -> bool {
        self.0.get(field).is_some()
    }
    fn bytes(self, field: &str) -> Vec<u8> {
        hex::decode(self.word(field)).unwrap()
    }
    fn flag(self, field: &str) -> bool {
        self.0[field].as_bool().unwrap()
    }
    fn id(self) -> String {
        let Self(case) = self;
        format!("{} {} {}", case["source"], case["tgId"], case["tcId"])
    }
}

/// The whole file.
struct File(Value);

impl File {
    fn read() -> Option<Self> {
        let json = moissanite_kats::file("mldsa-acvp-sample.json.gz")?;
        let json = flate2::read::GzDecoder::new(&json[..]);
        Some(Self(serde_json::from_reader(json).unwrap()))
    }
    /// The cases of a kind, which are at least `count`.
    fn cases(&self, kind: &str, count: usize) -> Vec<Case<'_>> {
        let cases: Vec<_> = self.0[kind].as_array().unwrap().iter().map(Case).collect();
        assert!(cases.len() >= count, "{kind}: {}", cases.len());
        cases
    }
}

/// A kind of case: what is done with one, on one backend.
trait Kind {
    fn run<P: Fips204, B: Backend>(backend: B, case: Case<'_>);
}

struct All<'a, K>(&'a [Case<'a>], std::marker::PhantomData<K>);

impl<K> Clone for All<'_, K> {
    fn clone(&self) -> Self {
        Self(self.0, self.1)
    }
}

impl<K: Kind> WithBackend for All<'_, K> {
    type Output = ();
    fn call<B: Backend>(self, backend: B) {
        for case in self.0 {
            match case.word("parameterSet") {
                "ML-DSA-44" => K::run::<MlDsa44, B>(backend, *case),
                "ML-DSA-65" => K::run::<MlDsa65, B>(backend, *case),
                "ML-DSA-87" => K::run::<MlDsa87, B>(backend, *case),
                other => panic!("parameter set {other}"),
            }
        }
    }
}

fn run<K: Kind>(kind: &str, count: usize) {
    let Some(file) = File::read() else { return };
    let cases = file.cases(kind, count);
    on_every_backend(&All(&cases, std::marker::PhantomData::<K>));
}

struct KeyGen;
impl Kind for KeyGen {
    fn run<P: Fips204, B: Backend>(backend: B, case: Case<'_>) {
        let seed = Seed::try_from(&case.bytes("seed")[..]).unwrap();
        let key = SigningKey::<P>::from_seed_on(backend, &seed);
        let (pk, sk) = (case.bytes("pk"), case.bytes("sk"));
        assert!(key.verifying_key().as_ref() == pk, "pk of {}", case.id());
        assert!(
            key.as_expanded_bytes().as_ref() == sk,
            "sk of {}",
            case.id()
        );
        assert_eq!(key.as_seed(), Some(&seed));
        let expanded = SigningKey::<P>::from_expanded_bytes(&sk).unwrap();
        assert!(expanded.verifying_key() == key.verifying_key());
    }
}

#[test]
fn key_generation() {
    run::<KeyGen>("keyGen", 21);
}

/// What a case signs or verifies.
enum Input {
    Pure {
        message: Vec<u8>,
        context: Vec<u8>,
    },
    PreHash {
        message: Vec<u8>,
        context: Vec<u8>,
        hash: String,
    },
    Internal {
        message: Vec<u8>,
    },
    Mu(Mu),
}

impl Input {
    fn of<P: Fips204>(case: Case<'_>) -> Self {
        match case.word("mode") {
            "pure" => Self::Pure {
                message: case.bytes("message"),
                context: case.bytes("context"),
            },
            "preHash" => {
                let (message, context) = (case.bytes("message"), case.bytes("context"));
                let hash: String = case.word("hashAlg").into();
                match weak_mu::<P>(case, &message, &context, &hash) {
                    Some(mu) => Self::Mu(mu),
                    None => Self::PreHash {
                        message,
                        context,
                        hash,
                    },
                }
            }
            "internal" => Self::Internal {
                message: case.bytes("message"),
            },
            "externalMu" => Self::Mu(Mu::from_bytes(case.bytes("mu").try_into().unwrap())),
            other => panic!("mode {other}"),
        }
    }
}

/// Runs `$body` with the digest of `$message` by the hash function of that name.
macro_rules! with_hash {
    ($name:expr, $message:expr, |$digest:ident| $body:expr) => {{
        use moissanite::prehash::*;
        macro_rules! digest {
            ($hash:ty) => {{
                let $digest = hashed::<$hash>($name, $message);
                $body
            }};
        }
        match &$name[..] {
            "SHA2-224" => digest!(Sha224),
            "SHA2-256" => digest!(Sha256),
            "SHA2-384" => digest!(Sha384),
            "SHA2-512" => digest!(Sha512),
            "SHA2-512/224" => digest!(Sha512_224),
            "SHA2-512/256" => digest!(Sha512_256),
            "SHA3-224" => digest!(Sha3_224),
            "SHA3-256" => digest!(Sha3_256),
            "SHA3-384" => digest!(Sha3_384),
            "SHA3-512" => digest!(Sha3_512),
            "SHAKE-128" => digest!(Shake128),
            "SHAKE-256" => digest!(Shake256),
            other => panic!("hash function {other}"),
        }
    }};
}
/// Signs with any kind of key, all of which have the same methods.
macro_rules! sign {
    ($key:expr, $input:expr, $rnd:expr, $deterministic:expr) => {{
        let (key, rnd) = (&$key, &mut Recorded($rnd));
        match $input {
            Input::Pure { message, context } => {
                let key = key.with_context(context).unwrap();
                if $deterministic {
                    key.try_sign(message).unwrap()
                } else {
                    // In two parts, as one.
                    let (head, tail) = message.split_at(message.len() >> 1);
                    key.try_multipart_sign_with_rng(rnd, &[head, tail]).unwrap()
                }
            }
            Input::PreHash {
                message,
                context,
                hash,
            } => with_hash!(hash, message, |digest| {
                let key = key.with_context(context).unwrap();
                if $deterministic {
                    key.try_sign_prehashed(&digest).unwrap()
                } else {
                    key.try_sign_prehashed_with_rng(rnd, &digest).unwrap()
                }
            }),
            Input::Internal { message } => key
                .sign_internal(&[message], $rnd.try_into().unwrap())
                .unwrap(),
            Input::Mu(mu) if $deterministic => key.try_sign_mu(mu).unwrap(),
            Input::Mu(mu) => key.try_sign_mu_with_rng(rnd, mu).unwrap(),
        }
    }};
}

/// Verifies with any kind of key.
macro_rules! verify {
    ($key:expr, $input:expr, $signature:expr) => {{
        let (key, signature) = (&$key, $signature);
        match $input {
            Input::Pure { message, context } => key
                .with_context(context)
                .unwrap()
                .verify(message, signature),
            Input::PreHash {
                message,
                context,
                hash,
            } => with_hash!(hash, message, |digest| key
                .with_context(context)
                .unwrap()
                .verify_prehashed(&digest, signature)),
            Input::Internal { message } => key.verify_internal(&[message], signature),
            Input::Mu(mu) => key.verify_mu(mu, signature),
        }
        .is_ok()
    }};
}

/// μ, where the hash function is weaker than the set.
fn weak_mu<P: Fips204>(case: Case<'_>, message: &[u8], context: &[u8], hash: &str) -> Option<Mu> {
    fn strength<H: PreHash>(_: &PreHashed<H>) -> usize {
        H::STRENGTH
    }
    with_hash!(hash, message, |digest| {
        (strength(&digest) < P::LAMBDA).then(|| {
            let key = if case.has("pk") {
                VerifyingKey::<P>::from_bytes(&case.bytes("pk")).unwrap()
            } else {
                let key = signing_key::<P, _>(Portable, case);
                key.verifying_key().clone()
            };
            let key = key.with_context(context).unwrap();
            key.prehashed_mu_of_any_strength(&digest)
        })
    })
}

fn hashed<H: PreHash>(name: &str, message: &[u8]) -> PreHashed<H> {
    assert_eq!(H::NAME, name);
    PreHashed::of(&[message])
}

fn signing_key<P: Fips204, B: Backend>(backend: B, case: Case<'_>) -> SigningKey<P> {
    if case.has("seed") {
        SigningKey::from_seed_on(backend, &Seed::try_from(&case.bytes("seed")[..]).unwrap())
    } else {
        SigningKey::from_expanded_bytes(&case.bytes("sk")).unwrap()
    }
}

/// Checks the signature of a case by any kind of key.
macro_rules! check_signature {
    ($key:expr, $case:expr) => {{
        let (input, rnd) = (Input::of::<P>($case), $case.bytes("rnd"));
        let deterministic = $case.flag("deterministic");
        if deterministic {
            assert_eq!(rnd, [0; 32]);
        }
        let signature: Signature<P> = sign!($key, &input, &rnd[..], deterministic);
        assert!(
            signature.as_ref() == $case.bytes("signature"),
            "{}",
            $case.id()
        );
        signature
    }};
}

struct SigGen;
impl Kind for SigGen {
    fn run<P: Fips204, B: Backend>(backend: B, case: Case<'_>) {
        let key = signing_key::<P, B>(backend, case);
        let signature = check_signature!(key.on(backend), case);
        let public = key.verifying_key().on(backend);
        assert!(verify!(public, &Input::of::<P>(case), &signature));
    }
}

#[test]
fn signature_generation() {
    run::<SigGen>("sigGen", 240);
}

struct SigGenPrepared;
impl Kind for SigGenPrepared {
    fn run<P: Fips204, B: Backend>(backend: B, case: Case<'_>) {
        let prepared = signing_key::<P, B>(backend, case).prepare();
        check_signature!(prepared.on(backend), case);
    }
}

#[test]
fn signature_generation_prepared() {
    run::<SigGenPrepared>("sigGen", 240);
}

/// The two other kinds of key, which sign as one of those above does.
struct SigGenOther;
impl Kind for SigGenOther {
    fn run<P: Fips204, B: Backend>(backend: B, case: Case<'_>) {
        let key = signing_key::<P, B>(backend, case);
        check_signature!(key, case);
        let trusted = ExpandedSigningKey::from_bytes_trusted(key.as_expanded_bytes().as_ref());
        check_signature!(trusted.unwrap(), case);
    }
}

#[test]
fn signature_generation_otherwise() {
    run_on_portable::<SigGenOther>("sigGen", 240);
}

struct SigVer;
impl Kind for SigVer {
    fn run<P: Fips204, B: Backend>(backend: B, case: Case<'_>) {
        let expected = case.flag("testPassed");
        let key = VerifyingKey::<P>::from_bytes(&case.bytes("pk")).unwrap();
        let input = Input::of::<P>(case);
        let signature = Signature::<P>::from_bytes(&case.bytes("signature")).unwrap();
        let (id, reason) = (case.id(), &case.0["reason"]);
        let verdict = verify!(key.on(backend), &input, &signature);
        assert_eq!(verdict, expected, "{id}: {reason}");
        let prepared = key.prepare();
        let verdict = verify!(prepared.on(backend), &input, &signature);
        assert_eq!(verdict, expected, "{id}, prepared: {reason}");
    }
}

#[test]
fn signature_verification() {
    run::<SigVer>("sigVer", 48);
}

fn run_on_portable<K: Kind>(kind: &str, count: usize) {
    let Some(file) = File::read() else { return };
    let cases = file.cases(kind, count);
    All(&cases, std::marker::PhantomData::<K>).call(Portable);
}

struct StreamKeyGen;
impl Kind for StreamKeyGen {
    fn run<P: Fips204, B: Backend>(_: B, case: Case<'_>) {
        let sk = case.bytes("sk");
        let seed = Seed::try_from(&case.bytes("seed")[..]).unwrap();
        let key = stream::SigningKey::<P, _>::from_seed_in(Box::default(), &seed);
        let expanded = stream::SigningKey::<P, _>::from_expanded_bytes(&sk).unwrap();
        let (mut pk, mut same) = (Vec::new(), Vec::new());
        let take = |to: &mut Vec<u8>, piece: &[u8]| {
            to.extend_from_slice(piece);
            Ok::<_, ()>(())
        };
        key.write_public_key(|piece| take(&mut pk, piece)).unwrap();
        expanded
            .write_public_key(|piece| take(&mut same, piece))
            .unwrap();
        assert!(pk == case.bytes("pk") && same == pk, "pk of {}", case.id());
    }
}

#[test]
fn key_generation_in_pieces() {
    run_on_portable::<StreamKeyGen>("keyGen", 21);
}

/// Every cache: nothing of Â kept, some of it, and all.
struct StreamSigGen;
impl Kind for StreamSigGen {
    fn run<P: Fips204, B: Backend>(backend: B, case: Case<'_>) {
        let (mut some, mut all) = (
            stream::CachedMatrix::<9>::new(),
            stream::CachedMatrix::<56>::new(),
        );
        if case.has("seed") {
            let seed = Seed::try_from(&case.bytes("seed")[..]).unwrap();
            let key = stream::SigningKey::<P, _>::from_seed_in(Box::default(), &seed);
            check_signature!(key, case);
            let key = key.keep(&mut some);
            check_signature!(key, case);
        }
        let whole = signing_key::<P, B>(backend, case);
        let sk = whole.as_expanded_bytes().as_ref();
        let key = stream::SigningKey::<P, _>::from_expanded_bytes(sk).unwrap();
        check_signature!(key, case);
        let key = stream::SigningKey::<P, _>::from_expanded_bytes_trusted(sk).unwrap();
        let key = key.keep(&mut all);
        check_signature!(key, case);
    }
}

#[test]
fn signature_generation_in_pieces() {
    run_on_portable::<StreamSigGen>("sigGen", 240);
}

struct StreamSigVer;
impl StreamSigVer {
    fn verdict<P: Fips204, R: stream::ZCache<P>>(
        mut key: stream::VerifyingKey<'_, P, &[u8], R>,
        case: Case<'_>,
    ) -> Result<(), stream::VerifyError> {
        let signature = case.bytes("signature");
        let verify = |mut verifier: stream::Verifier<'_, '_, P, &[u8], R>, message: &[u8]| {
            for piece in message.chunks(100) {
                verifier.update(piece);
            }
            verifier.verify(&signature)
        };
        match Input::of::<P>(case) {
            Input::Pure { message, context } => verify(key.verifier(&context)?, &message),
            Input::Internal { message } => verify(key.verifier_internal()?, &message),
            Input::Mu(mu) => key.verify_mu(&mu, &signature),
            Input::PreHash {
                message,
                context,
                hash,
            } => with_hash!(&hash, &message, |digest| {
                key.verify_prehashed(&context, &digest, &signature)
            }),
        }
    }
}
impl Kind for StreamSigVer {
    fn run<P: Fips204, B: Backend>(_: B, case: Case<'_>) {
        let expected = case.flag("testPassed");
        let (id, reason, pk) = (case.id(), &case.0["reason"], case.bytes("pk"));
        let key = stream::VerifyingKey::<P, _>::from_bytes(&pk).unwrap();
        let (mut some, mut all) = (
            stream::CachedMatrix::<9>::new(),
            stream::CachedMatrix::<56>::new(),
        );
        for key in [key.clone(), key.clone().keep(&mut some), key.keep(&mut all)] {
            for verdict in [
                Self::verdict(key.clone().cache_z(), case),
                Self::verdict(key, case),
            ] {
                assert_eq!(verdict.is_ok(), expected, "{id}: {reason}");
            }
        }
    }
}

#[test]
fn signature_verification_in_pieces() {
    run_on_portable::<StreamSigVer>("sigVer", 48);
}

/// Checks that the cases cover each mode and each hash function.
#[test]
fn coverage() {
    let Some(file) = File::read() else { return };
    let mut modes = HashMap::new();
    let mut hashes = std::collections::HashSet::new();
    for case in file.cases("sigGen", 240) {
        *modes.entry(case.word("mode")).or_insert(0) += 1;
        if case.has("hashAlg") {
            hashes.insert(case.word("hashAlg"));
        }
    }
    assert_eq!(modes.len(), 4);
    assert!(modes.values().all(|count| *count >= 60), "{modes:?}");
    assert_eq!(hashes.len(), 12);
}
