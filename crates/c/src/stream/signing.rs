//! Private keys from seeds, and their signatures.

use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use moissanite::stream::{Held, MatrixEntry, PrivateKey, Seeds, SignError, SigningKey};
use moissanite::{Mu, Seed, SigningError};

use super::callbacks::{Generator, Random, Reader, Sink, Source, Writer};
use super::set::{MuOf, Set};
use super::verifying::read_message;
use crate::algorithm::{Algorithm, MOISSANITE_MU_LENGTH, MOISSANITE_SEED_LENGTH, with_set};
use crate::caller::{Caller, called};
use crate::digest::{Hash, MuBytes};
use crate::message::{self, Message, MessageMemory};
use crate::object::{self, Memory, Object};
use crate::status::{
    MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_FAULT, MOISSANITE_ERROR_RANDOM, Status,
};

/// The bytes of a private key of the streams.
pub const MOISSANITE_STREAM_KEY_SIZE: usize = 320;

/// A private key for firmware, in memory of the caller: a variable, a static, or memory from malloc. It must not be
/// copied. Except for the hash of its public key, it is secret. moissanite_stream_key_wipe wipes it.
#[repr(C)]
pub struct StreamKeyMemory {
    /// Not to be used by programs.
    memory: [u64; 40],
}

const _: () = assert!(size_of::<StreamKeyMemory>() == MOISSANITE_STREAM_KEY_SIZE);

// SAFETY: The memory is an array of integers.
unsafe impl Memory for StreamKeyMemory {
    type Content = StreamKey;
    const KIND: u32 = 0x6b65_7973;
    /// Dropping the key wipes the seeds through its pointer, so that they are not dropped a second time.
    unsafe fn drop(content: *mut StreamKey) {
        // SAFETY: The contract of this function.
        unsafe { core::ptr::drop_in_place(&raw mut (*content).key) };
    }
}

/// The values that are computed from a seed, and a key that points to them.
pub(crate) struct StreamKey {
    key: AnyKey,
    /// The entries of the matrix to which the key points, in memory of the caller.
    kept: (*const u8, usize),
    seeds: Seeds,
}

/// The bytes of an entry of a matrix.
pub const MOISSANITE_MATRIX_ENTRY_SIZE: usize = 768;

/// Memory for an entry of the matrix of a public key, for moissanite_stream_key_keep. It is not secret.
#[repr(C)]
pub struct MatrixEntryMemory {
    /// Not to be used by programs.
    memory: [u64; 96],
}

const _: () = {
    assert!(size_of::<MatrixEntryMemory>() == MOISSANITE_MATRIX_ENTRY_SIZE);
    assert!(size_of::<MatrixEntry>() == MOISSANITE_MATRIX_ENTRY_SIZE);
    assert!(align_of::<MatrixEntry>() <= align_of::<MatrixEntryMemory>());
};

/// The seeds of a key, in the same memory as the key, which stays at its place: a copy of the memory at another
/// address is not an object.
struct InPlace(NonNull<Seeds>);

impl Deref for InPlace {
    type Target = Seeds;
    fn deref(&self) -> &Seeds {
        // SAFETY: `generate` has initialised the seeds, and this value is at most as long in their memory as they
        // are. Only this value is used to access them.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for InPlace {
    fn deref_mut(&mut self) -> &mut Seeds {
        // SAFETY: As in `deref`.
        unsafe { self.0.as_mut() }
    }
}

/// A key of a set.
type Key<P> = SigningKey<'static, P, Held<InPlace>>;

/// Defines [`AnyKey`].
macro_rules! keys {
    ($($feature:literal $set:ident),*) => {
        /// A key of any set.
        enum AnyKey {
            $(#[cfg(feature = $feature)] $set(Key<moissanite::$set>),)*
        }
        $(
            #[cfg(feature = $feature)]
            impl From<Key<moissanite::$set>> for AnyKey {
                fn from(key: Key<moissanite::$set>) -> Self {
                    Self::$set(key)
                }
            }
        )*
        impl AnyKey {
            /// The same key, with stored entries of the matrix.
            fn keep_in(self, entries: &'static mut [MatrixEntry]) -> Self {
                match self {
                    $(#[cfg(feature = $feature)] Self::$set(key) => Self::$set(key.keep_in(entries)),)*
                }
            }
        }
    };
}
keys!(
    "ml-dsa-44" MlDsa44, "ml-dsa-65" MlDsa65, "ml-dsa-87" MlDsa87,
    "dilithium" Dilithium2, "dilithium" Dilithium3, "dilithium" Dilithium5
);

/// Evaluates an expression with the key of any set.
macro_rules! with_key {
    ($any:expr, $key:ident => $body:expr) => {
        match *$any {
            #[cfg(feature = "ml-dsa-44")]
            AnyKey::MlDsa44(ref $key) => $body,
            #[cfg(feature = "ml-dsa-65")]
            AnyKey::MlDsa65(ref $key) => $body,
            #[cfg(feature = "ml-dsa-87")]
            AnyKey::MlDsa87(ref $key) => $body,
            #[cfg(feature = "dilithium")]
            AnyKey::Dilithium2(ref $key) => $body,
            #[cfg(feature = "dilithium")]
            AnyKey::Dilithium3(ref $key) => $body,
            #[cfg(feature = "dilithium")]
            AnyKey::Dilithium5(ref $key) => $body,
        }
    };
}

impl AnyKey {
    #[inline(never)]
    fn start(&self, context: &[u8]) -> Result<Message, Status> {
        with_key!(self, key => Set::start_signing(key, context))
    }

    fn write_public_key(&self, sink: &Writer) -> Result<(), Status> {
        with_key!(self, key => key.write_public_key(|piece| sink.write(piece)))
    }

    #[inline(never)]
    fn digest_mu(&self, context: &[u8], hash: Hash, digest: &[u8]) -> Result<MuBytes, Status> {
        with_key!(self, key => Set::digest_mu_signing(key, context, hash, digest))
    }

    fn sign_mu(
        &self,
        random: Option<Generator>,
        mu: &[u8; MOISSANITE_MU_LENGTH],
        sink: &Writer,
    ) -> Result<(), Status> {
        with_key!(self, key => sign(key, random, mu, sink))
    }
}

/// Starts a key: generates the key of a seed (FIPS 204, Algorithm 6, ML-DSA.KeyGen_internal). Every seed of
/// MOISSANITE_SEED_LENGTH random bytes gives a key. The seed is secret; it is not needed afterwards, and the caller
/// wipes it. The memory can have any content; a key that is there is overwritten.
///
/// Errors: MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_ALGORITHM,
/// MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_key_from_seed(
    key: *mut StreamKeyMemory,
    algorithm: Algorithm,
    seed: *const u8,
    seed_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let seed = Seed::from_bytes(caller.fixed::<MOISSANITE_SEED_LENGTH>(seed, seed_length)?);
        Object::create(caller, key, |place| {
            with_set!(algorithm, Set => {
                // SAFETY: `create` has checked the place, and wipes it or keeps it at its address.
                unsafe { generate::<Set>(place, &seed) };
                Ok(())
            })
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Writes the public key, of as many bytes as the algorithm has. It is computed again, which takes as long as
/// generating the key.
///
/// Errors: MOISSANITE_ERROR_WRITE if the sink failed, and may have a part; MOISSANITE_ERROR_NULL,
/// MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if there is no key, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_key_write_public_key(
    key: *mut StreamKeyMemory,
    public_key: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let sink = Writer::new(caller, public_key)?;
        with_object(caller, key, |key| key.write_public_key(&sink))
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Starts a message that is to be signed, in pieces. moissanite_message_update takes the pieces,
/// moissanite_message_finish gives the message representative, and moissanite_stream_sign_mu signs it with the same
/// key. The context has at most MOISSANITE_MAX_CONTEXT_LENGTH bytes and may be empty; algorithms of round 3 have
/// none.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_STATE if
/// there is no key, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_key_start_message(
    key: *mut StreamKeyMemory,
    message: *mut MessageMemory,
    context: *const u8,
    context_length: usize,
) -> Status {
    let body = |caller: &Caller| {
        let context = caller.bytes(context, context_length)?;
        with_object(caller, key, |key| {
            message::start(caller, message, || key.start(context))
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a message (FIPS 204, Algorithm 2, ML-DSA.Sign), and writes the signature, of as many bytes as the algorithm
/// has. This needs about 6 to 9 KiB of stack on a Cortex-M4, by the algorithm.
///
/// The message is the first message_length bytes of its source. The signature is hedged with 32 bytes of the
/// generator, or deterministic if random is null: then the same message gives the same signature. The context is as
/// in moissanite_stream_key_start_message. No address, branch or division depends on the key or the random bytes.
///
/// Errors: MOISSANITE_ERROR_RANDOM, MOISSANITE_ERROR_READ or MOISSANITE_ERROR_WRITE if a callback failed;
/// MOISSANITE_ERROR_FAULT if the machine is faulty; MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT,
/// MOISSANITE_ERROR_CONTEXT, MOISSANITE_ERROR_STATE if there is no key, MOISSANITE_ERROR_OVERLAP. After
/// MOISSANITE_ERROR_WRITE and MOISSANITE_ERROR_FAULT, the sink may have the beginning of a signature: discard it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_sign(
    key: *mut StreamKeyMemory,
    random: *const Random,
    context: *const u8,
    context_length: usize,
    message: *const Source,
    message_length: usize,
    signature: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let random = Generator::new(caller, random)?;
        let context = caller.bytes(context, context_length)?;
        let message = Reader::new(caller, message)?;
        let sink = Writer::new(caller, signature)?;
        with_object(caller, key, |key| {
            let mut mu = [0; MOISSANITE_MU_LENGTH];
            hash(key, context, message, message_length, &mut mu)?;
            key.sign_mu(random, &mu, &sink)
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a message representative of MOISSANITE_MU_LENGTH bytes (FIPS 204, Algorithm 7, from line 7 on), which must
/// have been computed with the public key of this key: the signature of another one is not valid.
///
/// Errors: as moissanite_stream_sign, and MOISSANITE_ERROR_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_sign_mu(
    key: *mut StreamKeyMemory,
    random: *const Random,
    mu: *const u8,
    mu_length: usize,
    signature: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let random = Generator::new(caller, random)?;
        let mu = caller.fixed::<MOISSANITE_MU_LENGTH>(mu, mu_length)?;
        let sink = Writer::new(caller, signature)?;
        with_object(caller, key, |key| key.sign_mu(random, mu, &sink))
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Signs a digest (FIPS 204, Algorithm 4, HashML-DSA.Sign), of the length of the hash function. Such a signature does
/// not verify as one of the message. Use it only if a protocol requires it: moissanite_stream_sign takes long messages
/// too. The generator, the context and the signature are as there.
///
/// Errors: MOISSANITE_ERROR_HASH if the hash function is unknown or too weak; MOISSANITE_ERROR_LENGTH for the digest;
/// MOISSANITE_ERROR_UNSUPPORTED for round 3; and as moissanite_stream_sign.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_sign_digest(
    key: *mut StreamKeyMemory,
    random: *const Random,
    hash: Hash,
    context: *const u8,
    context_length: usize,
    digest: *const u8,
    digest_length: usize,
    signature: *const Sink,
) -> Status {
    let body = |caller: &Caller| {
        let random = Generator::new(caller, random)?;
        let context = caller.bytes(context, context_length)?;
        let digest = caller.bytes(digest, digest_length)?;
        let sink = Writer::new(caller, signature)?;
        with_object(caller, key, |key| {
            let mu = key.digest_mu(context, hash, digest)?;
            key.sign_mu(random, &mu, &sink)
        })
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Computes entries of the matrix of the public key, and keeps them in the given memory: signing then takes fewer
/// cycles, and gives the same signatures. The matrix has 16 entries for ML-DSA-44, 30 for ML-DSA-65 and 56 for
/// ML-DSA-87; fewer can be kept, and more are not used. They replace those that the key has kept before.
///
/// The memory must stay valid, and must not be written to, until the key is wiped or moissanite_stream_key_keep is
/// called again. With other entries, signatures can reveal the key. A count of zero keeps no entries.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_LENGTH, MOISSANITE_ERROR_ALIGNMENT, MOISSANITE_ERROR_STATE if there
/// is no key, MOISSANITE_ERROR_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_key_keep(
    key: *mut StreamKeyMemory,
    entries: *mut MatrixEntryMemory,
    entries_count: usize,
) -> Status {
    let body = |caller: &Caller| {
        if entries_count != 0 {
            caller.places(entries, entries_count)?;
        }
        let object = Object::open(caller, key)?;
        // SAFETY: `open` has found an object, and `places` has checked the memory, which the caller keeps.
        unsafe { keep(object.pointer(), entries.cast(), entries_count) };
        Ok(())
    };
    // SAFETY: All pointers are arguments of this function.
    unsafe { called(body) }
}

/// Wipes the memory of a key, which may have any content.
///
/// Errors: MOISSANITE_ERROR_NULL, MOISSANITE_ERROR_ALIGNMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moissanite_stream_key_wipe(key: *mut StreamKeyMemory) -> Status {
    // SAFETY: The pointer is an argument of this function.
    unsafe { called(|caller| object::wipe(caller, key)) }
}

/// Generates a key in its place.
///
/// # Safety
/// The place is valid, and the key is used and dropped only there.
#[inline(never)]
unsafe fn generate<P: Set>(place: *mut StreamKey, seed: &Seed)
where
    AnyKey: From<Key<P>>,
{
    // SAFETY: The place is valid. The pointer to the seeds is the only access to them, also after this function.
    unsafe {
        let seeds = &raw mut (*place).seeds;
        seeds.write(Seeds::new());
        let key = Key::<P>::from_seed_in(InPlace(NonNull::new_unchecked(seeds)), seed);
        (&raw mut (*place).key).write(key.into());
        (&raw mut (*place).kept).write((core::ptr::null(), 0));
    }
}

/// Gives a key its stored entries.
///
/// # Safety
/// There is an object at `place`. Unless `count` is zero, the entries are memory of this number of entries, which
/// stays valid and is not written to as long as the key uses it.
#[inline(never)]
unsafe fn keep(place: *mut StreamKey, entries: *mut MatrixEntry, count: usize) {
    let kept: &'static mut [MatrixEntry] = if count == 0 {
        &mut []
    } else {
        for i in 0..count {
            // SAFETY: The contract of this function; the types have the same size.
            unsafe { entries.add(i).write(MatrixEntry::new()) };
        }
        // SAFETY: The contract of this function, and the loop has initialised the entries. The lifetime is that of
        // the key, which is not used after the memory ends.
        unsafe { core::slice::from_raw_parts_mut(entries, count) }
    };
    let memory = (entries.cast_const().cast(), size_of_val(kept));
    // SAFETY: The contract of this function. The key is moved, and stored again before it is used.
    unsafe {
        let key = &raw mut (*place).key;
        key.write(key.read().keep_in(kept));
        (&raw mut (*place).kept).write(memory);
    }
}

/// Runs an operation with a key of the caller.
fn with_object(
    caller: &Caller,
    memory: *mut StreamKeyMemory,
    operation: impl FnOnce(&AnyKey) -> Result<(), Status>,
) -> Result<(), Status> {
    let object = Object::open(caller, memory)?;
    // SAFETY: `open` has found an object, which is initialised.
    let (kept, length) = unsafe { (*object.pointer()).kept };
    caller.bytes(kept, length)?;
    // SAFETY: `open` has found an object, which is initialised. The seeds beside the key are not a part of this
    // reference.
    operation(unsafe { &(*object.pointer()).key })
}

/// Computes μ. This is not inlined, so that the hash is not on the stack afterwards.
#[inline(never)]
fn hash(
    key: &AnyKey,
    context: &[u8],
    message: Reader,
    length: usize,
    mu: &mut [u8; MOISSANITE_MU_LENGTH],
) -> Result<(), Status> {
    let mut hash = key.start(context)?;
    read_message(&mut hash, message, length)?;
    hash.finish(mu);
    Ok(())
}

/// Signs μ with a key of any form.
pub(super) fn sign<P: Set, K: PrivateKey<P>>(
    key: &SigningKey<'static, P, K>,
    random: Option<Generator>,
    mu: &[u8; MOISSANITE_MU_LENGTH],
    sink: &Writer,
) -> Result<(), Status> {
    let mu: MuOf<P> = Mu::from_bytes(*mu);
    let write = |piece: &[u8]| sink.write(piece);
    let signed = match random {
        Some(mut random) => key.try_sign_mu_with_rng_to(&mut random, &mu, write),
        None => key.try_sign_mu_to(&mu, write),
    };
    signed.map_err(|error| match error {
        SignError::Signing(SigningError::Rng) => MOISSANITE_ERROR_RANDOM,
        SignError::ContextTooLong(_) => MOISSANITE_ERROR_CONTEXT,
        SignError::Sink(status) => status,
        _ => MOISSANITE_ERROR_FAULT,
    })
}
