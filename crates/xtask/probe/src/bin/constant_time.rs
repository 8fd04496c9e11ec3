//! Key generation and signing with every secret marked as undefined, for valgrind's memcheck, which
//! reports each branch and each address that depends on one.
//!
//! `cargo xtask ct` builds and runs it, on several backends:
//! `valgrind --error-exitcode=99 constant_time [--backend NAME] [--leak branch|index]`.
//! With `--leak` it does what the core must not do, to show that it would be seen.

use std::hint::black_box;
use std::process::ExitCode;

use moissanite_core::backend::{Backend, Lanes, Portable, WithBackend, dispatch_to};
use moissanite_core::encode::keys::{self, sk_split_mut};
use moissanite_core::keygen::{self, check_private_key, keygen_internal};
use moissanite_core::params::{Dim, Rnd};
use moissanite_core::prepared::{PreparedSigningKey, PreparedVerifyingKey};
use moissanite_core::secret::Zeroed;
use moissanite_core::sign::{self, MAX_ATTEMPTS, sign_mu};
use moissanite_core::stream::key::{Encoded, PrivateKey, Seeds};
use moissanite_core::stream::matrix::Matrix;
use moissanite_core::verify::{self, Representative, verify};
use moissanite_core::{Dilithium2, MlDsa44, MlDsa65, MlDsa87, ParameterSet, batch, hash, stream};
use moissanite_cpu::memcheck::{count_errors, poison, running_on_valgrind, unpoison};
use moissanite_zk_dilithium::signature::Verifier as _;

/// Signatures of each set, some after attempts that fail the checks on r₀ and z.
const MESSAGES: u16 = 24;
/// Keys made at once, and messages signed at once.
const BATCH: usize = 10;
/// Signatures of zkDilithium, each of six or seven attempts.
const ZK_MESSAGES: u16 = 6;
/// How often a key with the largest t₀ tries to sign, which fails the other two checks: on the
/// number of ones in the hint and, where τ · 2¹² ≥ γ₂ makes that possible, on ct₀. Of this message,
/// the first attempt with ML-DSA-44 does the latter, as one in some thousand.
const ATTEMPTS: u16 = 48;
const LONG_CT0: u16 = 1218;

/// Exit status.
const NO_SUCH_BACKEND: u8 = 3;

fn main() -> ExitCode {
    if !running_on_valgrind() {
        eprintln!("constant_time: only valgrind sees what this program is for");
        return ExitCode::FAILURE;
    }
    let (mut backend, mut leak) = (Portable::NAME.to_owned(), Leak::None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next().as_deref()) {
            ("--backend", Some(name)) => name.clone_into(&mut backend),
            ("--leak", Some("branch")) => leak = Leak::Branch,
            ("--leak", Some("index")) => leak = Leak::Index,
            _ => {
                eprintln!("constant_time: what is {argument}?");
                return ExitCode::FAILURE;
            }
        }
    }
    let run = Run(leak);
    let ran = match backend.as_str() {
        "lanes2" => Some(run.call(Lanes::<2>)),
        "lanes4" => Some(run.call(Lanes::<4>)),
        "lanes8" => Some(run.call(Lanes::<8>)),
        "lanes16" => Some(run.call(Lanes::<16>)),
        name => dispatch_to(name, run),
    };
    match ran {
        Some(true) => ExitCode::SUCCESS,
        Some(false) => ExitCode::FAILURE,
        None => {
            eprintln!("constant_time: no backend {backend} on the CPU that valgrind shows");
            ExitCode::from(NO_SUCH_BACKEND)
        }
    }
}

/// Which leak is planted.
#[derive(Clone, Copy)]
enum Leak {
    None,
    Branch,
    Index,
}

/// Everything, on one backend. Returns whether keys and signatures are right.
struct Run(Leak);

impl WithBackend for Run {
    type Output = bool;
    fn call<B: Backend>(self, backend: B) -> bool {
        run_set::<MlDsa44, B>(backend, self.0)
            && run_set::<MlDsa65, B>(backend, self.0)
            && run_set::<MlDsa87, B>(backend, self.0)
            && (B::NAME != Portable::NAME
                || run_set::<Dilithium2, B>(backend, self.0) && runs_streams())
            && zk_dilithium(backend)
    }
}

/// The same of zkDilithium, whose secret keys and messages go through Poseidon.
fn zk_dilithium<B: Backend>(backend: B) -> bool {
    const NAME: &str = "zkDilithium";
    let mut seed = [7; 32];
    poison(&mut seed);
    let key = step_of(NAME, B::NAME, "keygen", || {
        moissanite_zk_dilithium::SigningKey::from_seed_on(backend, &seed)
    });
    // What is secret in it still is.
    let imported = step_of(NAME, B::NAME, "check of a private key", || {
        moissanite_zk_dilithium::SigningKey::from_bytes(key.as_bytes()).is_ok()
    });
    let prepared = step_of(NAME, B::NAME, "preparing", || key.prepare());
    let signed = step_of(NAME, B::NAME, "signing", || {
        (0..ZK_MESSAGES).all(|message| {
            let mut message = message.to_le_bytes();
            poison(&mut message);
            let signing_key = prepared.on(backend);
            let mut signer = signing_key.signer();
            // The first byte of each two waits for the second.
            for piece in message.chunks(1) {
                signer.update(piece);
            }
            let Ok(signature) = signer.try_sign() else {
                return false;
            };
            unpoison(&mut message);
            let key = key.verifying_key().on(backend);
            key.verify(&message, &signature).is_ok()
        })
    });
    imported && signed
}

/// The path for microcontrollers, which is on one backend.
fn runs_streams() -> bool {
    run_stream::<MlDsa44>() && run_stream::<MlDsa65>() && run_stream::<MlDsa87>()
}

fn run_stream<P: ParameterSet>() -> bool {
    let mut xi = [P::K::N as u8; 32];
    poison(&mut xi);
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    step::<P, Portable, _>("keygen in pieces", || {
        let mut scratch = stream::keygen::Scratch::ZERO;
        stream::keygen::keygen_internal::<P>(&xi, &mut pk, &mut sk, &mut scratch);
    });
    poison_key::<P>(&mut sk);
    let Some(key) = Encoded::new::<P>(sk.as_ref()) else {
        return false;
    };
    let checked = step::<P, Portable, _>("check of a private key in pieces", || {
        let a_hat = Matrix::<P>::new(keys::sk_split::<P>(&sk).rho);
        let mut scratch = stream::keygen::Scratch::ZERO;
        stream::keygen::check_private_key(&a_hat, &key, &mut scratch).is_ok()
    });
    let signed = step::<P, Portable, _>("signing in pieces", || {
        let seeds = Seeds::new::<P>(&xi);
        (0..10).all(|message| {
            signs_in_pieces::<P, _>(&key, &pk, message, MAX_ATTEMPTS)
                && signs_in_pieces::<P, _>(&seeds, &pk, message, MAX_ATTEMPTS)
        })
    });
    sk_split_mut::<P>(&mut sk).t0.fill(0);
    poison_key::<P>(&mut sk);
    step::<P, Portable, _>("signing in pieces with the largest t0", || {
        if let Some(key) = Encoded::new::<P>(sk.as_ref()) {
            signs_in_pieces::<P, _>(&key, &pk, LONG_CT0, ATTEMPTS);
        }
    });
    checked && signed
}

/// Signs a secret message with secret randomness; whether the signature verifies.
fn signs_in_pieces<P: ParameterSet, K: PrivateKey<P>>(
    key: &K,
    pk: &P::PublicKey,
    message: u16,
    attempts: u16,
) -> bool {
    let tr = hash::public_key_hash(pk.as_ref());
    let mut mu = *hash::h::<64>(&[&tr, &message.to_le_bytes()]);
    let mut rnd = Rnd::<P>::ZERO;
    rnd.as_mut().fill(7);
    poison(&mut mu);
    poison(rnd.as_mut());
    let a_hat = Matrix::new(key.rho());
    let mut sigma = Vec::new();
    let mut scratch = stream::sign::Scratch::ZERO;
    let sink = |piece: &[u8]| {
        sigma.extend_from_slice(piece);
        Ok::<_, ()>(())
    };
    let signed = stream::sign::sign_mu(&a_hat, key, &mu, Some(&rnd), attempts, &mut scratch, sink);
    unpoison(&mut mu);
    let mut xof = hash::Shake256::new();
    xof.absorb(&mu);
    let (mut pk, mut sigma) = (pk.as_ref(), sigma.as_slice());
    let mut scratch = stream::verify::Scratch::<P, stream::verify::Again>::ZERO;
    signed.is_ok()
        && stream::verify::verify(&a_hat, &mut pk, &mut xof, &mut sigma, &mut scratch) == Ok(true)
}

fn run_set<P: ParameterSet, B: Backend>(backend: B, leak: Leak) -> bool {
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    step::<P, B, _>("keygen", || {
        let mut xi = [P::K::N as u8; 32];
        poison(&mut xi);
        let mut scratch = keygen::Scratch::ZERO;
        keygen_internal::<P, B>(backend, &xi, &mut pk, &mut sk, &mut scratch);
    });
    if plant::<P>(leak, &mut sk) {
        return true;
    }

    poison_key::<P>(&mut sk);
    let mut same_pk = P::PublicKey::ZERO;
    let checked = step::<P, B, _>("check of a private key", || {
        let mut scratch = keygen::Scratch::ZERO;
        keys::check_ranges::<P, B>(backend, &sk).is_ok()
            && check_private_key::<P, B>(backend, &sk, &mut same_pk, &mut scratch).is_ok()
    });

    let mut key = PreparedSigningKey::<P>::ZERO;
    let prepared = step::<P, B, _>("preparing", || key.set(backend, &sk).is_ok());
    let mut signer = Signer::<P, B>::new(backend, &pk);
    let mut signatures = 0;
    step::<P, B, _>("signing", || {
        for message in 0..MESSAGES {
            signatures += u16::from(signer.sign(&key, message, MAX_ATTEMPTS));
        }
    });

    let batches = step::<P, B, _>("batches", || {
        generates_batch::<P, B>(backend) && signer.sign_batch(&key)
    });

    // A key that no seed gives: t₀ = 2¹² in every coefficient.
    sk_split_mut::<P>(&mut sk).t0.fill(0);
    poison_key::<P>(&mut sk);
    let prepared_again = key.set(backend, &sk).is_ok();
    step::<P, B, _>("signing with the largest t0", || {
        signer.sign(&key, LONG_CT0, ATTEMPTS);
    });
    checked && same_pk == pk && prepared && prepared_again && batches && signatures == MESSAGES
}

/// Makes keys of secret seeds at once; whether the last one is right.
fn generates_batch<P: ParameterSet, B: Backend>(backend: B) -> bool {
    let mut seeds: [[u8; 32]; BATCH] = core::array::from_fn(|i| [i as u8; 32]);
    poison(&mut seeds);
    let mut keys = seeds.map(|_| (P::PublicKey::ZERO, P::PrivateKey::ZERO));
    let items = seeds.iter().zip(&mut keys);
    let items = items.map(|(seed, (pk, sk))| batch::generate::Item::<P>::new(seed, pk, sk));
    let mut items: Vec<_> = items.collect();
    let mut scratch: Vec<_> = (0..batch::lanes::<B>()).map(|_| Zeroed::ZERO).collect();
    let mut rows = keygen::Rows::ZERO;
    batch::generate::generate(backend, &mut items, &mut scratch, &mut rows);
    let (mut pk, mut sk) = (P::PublicKey::ZERO, P::PrivateKey::ZERO);
    let mut scratch = keygen::Scratch::ZERO;
    keygen_internal::<P, B>(backend, &seeds[BATCH - 1], &mut pk, &mut sk, &mut scratch);
    keys[BATCH - 1].0 == pk
}

/// Marks what is secret in a private key.
fn poison_key<P: ParameterSet>(sk: &mut P::PrivateKey) {
    let parts = sk_split_mut::<P>(sk);
    poison(parts.k);
    poison(parts.s1);
    poison(parts.s2);
    poison(parts.t0);
}

/// Signing, with its variables.
struct Signer<P: ParameterSet, B: Backend> {
    backend: B,
    scratch: sign::Scratch<P, B>,
    public_key: PreparedVerifyingKey<P>,
    verifying: verify::Scratch<P>,
    sigma: P::Signature,
}

impl<P: ParameterSet, B: Backend> Signer<P, B> {
    fn new(backend: B, pk: &P::PublicKey) -> Self {
        let mut signer = Self {
            backend,
            scratch: Zeroed::ZERO,
            public_key: Zeroed::ZERO,
            verifying: Zeroed::ZERO,
            sigma: Zeroed::ZERO,
        };
        signer.public_key.set(backend, pk);
        signer
    }

    /// Signs with a secret message and secret randomness; whether the signature verifies.
    fn sign(&mut self, key: &PreparedSigningKey<P>, message: u16, attempts: u16) -> bool {
        let mut mu = *hash::h::<64>(&[key.tr(), &message.to_le_bytes()]);
        let mut rnd = Rnd::<P>::ZERO;
        rnd.as_mut().fill(7);
        poison(&mut mu);
        poison(rnd.as_mut());
        let (backend, sigma) = (self.backend, &mut self.sigma);
        let signed = sign_mu(
            backend,
            key,
            &mu,
            Some(&rnd),
            attempts,
            &mut self.scratch,
            sigma,
        );
        unpoison(&mut mu);
        signed.is_ok()
            && verify(
                backend,
                self.public_key.rows(),
                Representative::Mu(&mu),
                sigma,
                &mut self.verifying,
            )
    }
}

impl<P: ParameterSet, B: Backend> Signer<P, B> {
    /// Signs secret messages with secret randomness at once; whether the signatures verify.
    fn sign_batch(&mut self, key: &PreparedSigningKey<P>) -> bool {
        let mut messages: [[u8; 1]; BATCH] = core::array::from_fn(|i| [i as u8]);
        let mut rnds = [const { Rnd::<P>::ZERO }; BATCH];
        poison(&mut messages);
        rnds.iter_mut().for_each(|rnd| poison(rnd.as_mut()));
        let mut sigmas = [const { P::Signature::ZERO }; BATCH];
        let items = messages.iter().zip(&rnds).zip(&mut sigmas);
        let items = items.map(|((m, rnd), sigma)| batch::sign::Item::new(key, m, Some(rnd), sigma));
        let mut items: Vec<_> = items.collect();
        let mut scratch: Vec<_> = (0..batch::lanes::<B>()).map(|_| Zeroed::ZERO).collect();
        batch::sign::sign(self.backend, b"", MAX_ATTEMPTS, &mut items, &mut scratch);
        let mut signed: Vec<_> = items.iter().map(|i| (*i.mu(), i.result())).collect();
        unpoison(&mut signed[..]);
        signed.iter().zip(&sigmas).all(|((mu, result), sigma)| {
            let rows = self.public_key.rows();
            result.is_ok()
                && verify(
                    self.backend,
                    rows,
                    Representative::Mu(mu),
                    sigma,
                    &mut self.verifying,
                )
        })
    }
}

/// Runs one step and says how many errors memcheck saw in it.
fn step<P: ParameterSet, B: Backend, T>(name: &str, run: impl FnOnce() -> T) -> T {
    step_of(P::NAME, B::NAME, name, run)
}

/// [`step`], of any scheme.
fn step_of<T>(scheme: &str, backend: &str, name: &str, run: impl FnOnce() -> T) -> T {
    let before = count_errors();
    let result = run();
    let errors = count_errors() - before;
    println!("{scheme} on {backend}: {name}: {errors} errors");
    result
}

/// What the core must not do, with what key generation gives; whether it was done.
fn plant<P: ParameterSet>(leak: Leak, sk: &mut P::PrivateKey) -> bool {
    static TABLE: [u8; 256] = [7; 256];
    let parts = sk_split_mut::<P>(sk);
    match leak {
        Leak::None => return false,
        Leak::Branch => {
            if parts.s1.first().is_some_and(|byte| byte & 1 == 1) {
                black_box("odd");
            }
        }
        Leak::Index => {
            black_box(black_box(&TABLE)[usize::from(parts.k[0])]);
        }
    }
    true
}
