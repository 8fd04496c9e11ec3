//! The operations that records describe.

use core::convert::Infallible;

use moissanite::rand_core::{TryCryptoRng, TryRng};
use moissanite::stream::{PrivateKey, Seeds, SignError, SigningKey, VerifyError, VerifyingKey};
use moissanite::{Fips204, Mu, MuBuilder, Seed};
use moissanite_keccak::{Reader, Shake128};

use crate::records::{Different, Kind, Part, Records};

/// The length of the longest private key and one byte more, so that a key that is too long stays so.
const MOST_KEY: usize = 4896 + 1;
/// The length of the longest context, in the same way.
const MOST_CONTEXT: usize = 255 + 1;

/// Returns whether a signature is accepted.
pub fn accepts<P: Fips204>(records: &mut Records) -> bool {
    let [public_key, context, message, signature] = core::array::from_fn(|_| records.part());
    let mut key = [0; MOST_KEY];
    let mut memory = [0; MOST_CONTEXT];
    let context = context.bytes(&mut memory);
    let Ok(mut key) = VerifyingKey::<P, _>::from_bytes(public_key.bytes(&mut key)) else {
        return false;
    };
    let message = |mu: &mut MuBuilder| message.pieces(|piece| mu.update(piece));
    let read = |offset: usize, piece: &mut [u8]| -> Result<(), Infallible> {
        signature.read(offset, piece);
        Ok(())
    };
    let verdict = match signature.len == P::SIGNATURE_LEN {
        true => key.verify_pieces_source(context, message, read),
        // A slice of another length, which is refused.
        false => key.verify_pieces(context, message, &[]),
    };
    assert!(verdict != Err(VerifyError::Read), "no source fails");
    verdict.is_ok()
}

/// The parts of a signature.
struct Signature {
    context: Part,
    message: Part,
    rnd: Part,
    public_key: Part,
    signature: Part,
    kind: Kind,
}

/// What becomes of a signature.
#[derive(PartialEq, Eq)]
pub enum Signed {
    /// It is made, byte for byte, and the public key is right.
    Same,
    /// Another signature or public key is made.
    Other,
    /// The private key or the context is refused.
    Refused,
}

/// Signs.
pub fn signs<P: Fips204>(records: &mut Records, kind: Kind) -> Signed {
    let key = records.part();
    let [context, message, rnd, public_key, signature] = core::array::from_fn(|_| records.part());
    let case = Signature {
        context,
        message,
        rnd,
        public_key,
        signature,
        kind,
    };
    if key.len == 32 {
        let mut seeds = Seeds::new();
        let seed = Seed::from(key.array());
        case.make(&SigningKey::<P, _>::from_seed_in(&mut seeds, &seed))
    } else {
        signs_with_expanded::<P>(&key, &case)
    }
}

/// This is not inlined, so that the key is on the stack only here.
#[inline(never)]
fn signs_with_expanded<P: Fips204>(key: &Part, case: &Signature) -> Signed {
    let mut memory = [0; MOST_KEY];
    let key = key.bytes(&mut memory);
    let key = match case.kind {
        Kind::SignedTrusted => SigningKey::<P, _>::from_expanded_bytes_trusted(key),
        _ => SigningKey::from_expanded_bytes(key),
    };
    key.map_or(Signed::Refused, |key| case.make(&key))
}

impl Signature {
    #[inline(never)]
    fn make<P: Fips204, K: PrivateKey<P>>(&self, key: &SigningKey<'_, P, K>) -> Signed {
        if self.public_key.len > 0 {
            let mut compared = 0;
            let written = key.write_public_key(self.public_key.comparison(&mut compared));
            if written.is_err() || compared != self.public_key.len {
                return Signed::Other;
            }
        }
        let mut compared = 0;
        match self.sign(key, &mut compared) {
            Ok(()) if compared == self.signature.len => Signed::Same,
            Err(SignError::ContextTooLong(_)) => Signed::Refused,
            _ => Signed::Other,
        }
    }

    fn sign<P: Fips204, K: PrivateKey<P>>(
        &self,
        key: &SigningKey<'_, P, K>,
        compared: &mut usize,
    ) -> Result<(), SignError<Different>> {
        let sink = self.signature.comparison(compared);
        if self.kind == Kind::SignedMu {
            return key.try_sign_mu_to(&Mu::from_bytes(self.message.array()), sink);
        }
        let mut memory = [0; MOST_CONTEXT];
        let context = self.context.bytes(&mut memory);
        let message = |mu: &mut MuBuilder| self.message.pieces(|piece| mu.update(piece));
        if self.rnd.len == 0 {
            return key.try_sign_pieces(context, message, sink);
        }
        key.try_sign_pieces_with_rng(&mut Recorded(self.rnd), context, message, sink)
    }
}

/// A generator that returns the bytes of a record.
struct Recorded(Part);

impl TryRng for Recorded {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.0.array()))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.0.array()))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        assert!(bytes.len() == self.0.len, "another number of random bytes");
        self.0.read(0, bytes);
        Ok(())
    }
}

impl TryCryptoRng for Recorded {}

/// Returns whether the public keys and signatures of the empty message have this digest, as those of
/// kats/accumulated.json do.
pub fn accumulated<P: Fips204>(records: &mut Records) -> bool {
    let [rounds, digest] = core::array::from_fn(|_| records.part());
    let mut seeds = Shake128::new().squeeze();
    let mut all = Shake128::new();
    for _ in 0..u32::from_le_bytes(rounds.array()) {
        round::<P>(&Seed::from(read(&mut seeds)), &mut all);
    }
    digest.array() == read(&mut all.squeeze())
}

/// Adds a public key and a signature to a digest.
#[inline(never)]
fn round<P: Fips204>(seed: &Seed, all: &mut Shake128) {
    let mut seeds = Seeds::new();
    let key = SigningKey::<P, _>::from_seed_in(&mut seeds, seed);
    let mut absorb = |piece: &[u8]| -> Result<(), Infallible> {
        all.absorb(piece);
        Ok(())
    };
    let Ok(()) = key.write_public_key(&mut absorb);
    let signed = key.try_sign_pieces(b"", |_: &mut MuBuilder| (), absorb);
    assert!(signed.is_ok(), "no signature");
}

fn read(from: &mut Reader<168>) -> [u8; 32] {
    let mut bytes = [0; 32];
    from.read(&mut bytes);
    bytes
}
