//! SHAKE over one state: any number of bytes in, any number out (FIPS 202, sections 4 and 6.2).
use crate::backend::{Keccak, Scalar};
use crate::state::State;
use core::fmt;
use core::mem::take;

/// Bytes per block of SHAKE128: 1600 bits less a capacity of 2 * 128.
pub const SHAKE128_RATE: usize = (1600 - 2 * 128) >> 3;
/// Bytes per block of SHAKE256: 1600 bits less a capacity of 2 * 256.
pub const SHAKE256_RATE: usize = (1600 - 2 * 256) >> 3;

/// The two bits 11 that make it SHAKE, two more 11 of RawSHAKE, and the first bit of pad10*1, from
/// the low end of the byte (FIPS 202, appendix B.2).
pub(crate) const SUFFIX: u8 = 0b0001_1111;
/// The last bit of pad10*1.
pub(crate) const LAST: u8 = 0b1000_0000;

/// SHAKE128: 128 bits of security against every attack.
pub type Shake128 = Shake<SHAKE128_RATE>;
/// SHAKE256: 256 bits of security against every attack but collisions of short outputs.
pub type Shake256 = Shake<SHAKE256_RATE>;

/// SHAKE taking in its message, piece by piece. Wiped when dropped.
///
/// `RATE` is [`SHAKE128_RATE`] or [`SHAKE256_RATE`]. `K` is the code that permutes its one state;
/// only tests and benches name another than the default.
///
/// ```
/// use moissanite_keccak::Shake256;
///
/// let mut hasher = Shake256::new();
/// hasher.absorb(b"any number ");
/// hasher.absorb(b"of pieces");
/// let mut reader = hasher.squeeze();
/// let (mut c_tilde, mut more) = ([0; 32], [0; 1000]);
/// reader.read(&mut c_tilde);
/// reader.read(&mut more);
/// ```
#[derive(Clone)]
pub struct Shake<const RATE: usize, K: Keccak<Lane = [u64; 1]> = Scalar> {
    keccak: K,
    pub(crate) state: State<[u64; 1]>,
    /// How many bytes of the current block are in, and after the padding: are out.
    ///
    /// Below RATE while it takes in: a full block is permuted at once, as the padding needs another
    /// one anyway. At RATE while it gives out, the next byte asked for costs a permutation, which
    /// a reader that is dropped first never pays.
    at: usize,
}

impl<const RATE: usize> Shake<RATE> {
    /// The empty message, by the fastest scalar code that this CPU has.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self::on(Scalar::new())
    }
}

impl<const RATE: usize> Default for Shake<RATE> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> Shake<RATE, K> {
    /// The empty message, by the code that `keccak` names.
    #[inline]
    #[must_use]
    pub fn on(keccak: K) -> Self {
        const { assert!(RATE == SHAKE128_RATE || RATE == SHAKE256_RATE) }
        Self {
            keccak,
            state: State::ZERO,
            at: 0,
        }
    }

    /// Appends to the message.
    pub fn absorb(&mut self, mut bytes: &[u8]) {
        if self.at > 0 {
            let (head, rest) = bytes.split_at(bytes.len().min(RATE - self.at));
            self.state.xor_bytes(0, self.at, head);
            self.at += head.len();
            if self.at < RATE {
                return;
            }
            self.keccak.permute(&mut self.state);
            bytes = rest;
        }
        let (blocks, rest) = bytes.as_chunks::<RATE>();
        for block in blocks {
            self.state.xor_bytes(0, 0, block);
            self.keccak.permute(&mut self.state);
        }
        self.state.xor_bytes(0, 0, rest);
        self.at = rest.len();
    }

    /// Ends the message.
    #[must_use]
    pub fn squeeze(mut self) -> Reader<RATE, K> {
        self.pad();
        Reader(Self {
            keccak: self.keccak,
            // Not moved out: what a move leaves behind is not wiped, what `take` leaves is zero.
            state: take(&mut self.state),
            at: self.at,
        })
    }

    /// Ends the message, to be read where it was taken in, without a second state. Once the reader
    /// is dropped, this is the empty message.
    #[must_use]
    pub fn squeeze_in_place(&mut self) -> InPlace<'_, RATE, K> {
        self.pad();
        InPlace(self)
    }

    fn pad(&mut self) {
        self.state.xor_byte(0, self.at, SUFFIX);
        self.state.xor_byte(0, RATE - 1, LAST);
        self.at = RATE;
    }

    /// After [`Self::pad`].
    #[inline(always)]
    fn lanes<const COUNT: usize>(&mut self) -> [u64; COUNT] {
        const { assert!((RATE >> 3).is_multiple_of(COUNT)) }
        debug_assert!(self.at.is_multiple_of(8 * COUNT));
        if self.at == RATE {
            self.keccak.permute(&mut self.state);
            self.at = 0;
        }
        let first = self.at >> 3;
        self.at += 8 * COUNT;
        core::array::from_fn(|lane| self.state.word(0, first + lane))
    }

    /// After [`Self::pad`].
    fn read(&mut self, mut out: &mut [u8]) {
        while !out.is_empty() {
            if self.at == RATE {
                self.keccak.permute(&mut self.state);
                self.at = 0;
            }
            let length = out.len().min(RATE - self.at);
            let (piece, rest) = out.split_at_mut(length);
            self.state.copy_bytes(0, self.at, piece);
            self.at += length;
            out = rest;
        }
    }
}

/// SHAKE giving out its bytes, piece by piece. Wiped when dropped.
#[derive(Clone)]
pub struct Reader<const RATE: usize, K: Keccak<Lane = [u64; 1]> = Scalar>(
    pub(crate) Shake<RATE, K>,
);

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> Reader<RATE, K> {
    /// Fills `out` with the next bytes.
    pub fn read(&mut self, out: &mut [u8]) {
        self.0.read(out);
    }
}

/// [`Reader`] of a state that stays where it is.
pub struct InPlace<'a, const RATE: usize, K: Keccak<Lane = [u64; 1]> = Scalar>(
    &'a mut Shake<RATE, K>,
);

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> InPlace<'_, RATE, K> {
    /// Fills `out` with the next bytes.
    pub fn read(&mut self, out: &mut [u8]) {
        self.0.read(out);
    }

    /// The next 8 `COUNT` bytes, eight in each word, the first the lowest: a part of a block, of
    /// which nothing but such parts has been read.
    #[inline(always)]
    pub fn lanes<const COUNT: usize>(&mut self) -> [u64; COUNT] {
        self.0.lanes()
    }
}

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> Drop for InPlace<'_, RATE, K> {
    fn drop(&mut self) {
        (self.0.state, self.0.at) = (State::ZERO, 0);
    }
}

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> fmt::Debug for Shake<RATE, K> {
    /// Without the contents, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shake").finish_non_exhaustive()
    }
}

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> fmt::Debug for Reader<RATE, K> {
    /// Without the contents, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> fmt::Debug for InPlace<'_, RATE, K> {
    /// Without the contents, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InPlace").finish_non_exhaustive()
    }
}
