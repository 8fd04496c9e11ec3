//! Many messages of any lengths, hashed in several states at once.
use crate::backend::Keccak;
use crate::hashing::Hashing;
use crate::state::State;

/// The largest number of states that a token permutes at once.
const MAX_WIDTH: usize = 8;

/// SHAKE256 of any number of messages of any lengths, each in `PARTS` parts one after the other:
/// writes the first `LEN` bytes of each hash, at most a block.
///
/// Each state hashes one message and then takes the next, until none is left. The last remaining
/// message is hashed in a single state. Lengths are public.
///
/// ```
/// use moissanite_keccak::{Lanes, Shake256, hash_many};
///
/// let messages = [[&b"prefix"[..], b"one"], [b"", b"two"], [b"prefix", &[7; 300]]];
/// let mut hashes = [[0; 64]; 3];
/// hash_many(Lanes::<4>, messages.into_iter().zip(&mut hashes));
///
/// for (message, hash) in messages.iter().zip(hashes) {
///     let mut hasher = Shake256::new();
///     hasher.absorb(message[0]);
///     hasher.absorb(message[1]);
///     let mut expected = [0; 64];
///     hasher.squeeze().read(&mut expected);
///     assert_eq!(hash, expected);
/// }
/// ```
pub fn hash_many<'m, K: Keccak, const PARTS: usize, const LEN: usize>(
    keccak: K,
    messages: impl IntoIterator<Item = ([&'m [u8]; PARTS], &'m mut [u8; LEN])>,
) {
    hash_waiting(keccak, &mut messages.into_iter());
}

/// The body of [`hash_many`], compiled once for all iterators.
fn hash_waiting<'m, K: Keccak, const PARTS: usize, const LEN: usize>(
    keccak: K,
    waiting: &mut dyn Iterator<Item = ([&'m [u8]; PARTS], &'m mut [u8; LEN])>,
) {
    const { assert!(K::WIDTH <= MAX_WIDTH) }
    let mut states = State::ZERO;
    let mut places = [const { None::<(Hashing, [&'m [u8]; PARTS], &'m mut [u8; LEN])> }; MAX_WIDTH];
    loop {
        let (mut taken, mut width) = (0, 0);
        for (instance, place) in places.iter_mut().take(K::WIDTH).enumerate() {
            if place.is_none()
                && let Some((message, hash)) = waiting.next()
            {
                let (hashing, ..) = place.insert((Hashing::new(), message, hash));
                hashing.load(&mut states, instance);
            }
            if place.is_some() {
                taken += 1;
                width = instance + 1;
            }
        }
        if taken == 0 {
            return;
        }
        let last = taken == 1;
        if !last {
            for (instance, place) in places.iter_mut().enumerate() {
                if let Some((hashing, message, _)) = place {
                    hashing.absorb_block(*message, &mut states, instance);
                }
            }
            keccak.permute_first(width, &mut states);
        }
        for (instance, place) in places.iter_mut().enumerate() {
            if let Some((hashing, message, hash)) = place
                && (last || hashing.blocks_left(*message) == 0)
            {
                hashing.store(&states, instance);
                hashing.finish(*message, hash);
                *place = None;
            }
        }
    }
}
