//! SHAKE with one state, for any number of input and output bytes (FIPS 202, sections 4 and 6.2).
use crate::backend::{Keccak, Scalar};
#[cfg(tiny)]
use crate::compact;
use crate::state::State;
use core::fmt;
use core::mem::take;

/// The number of bytes per block of SHAKE128: 1600 bits minus a capacity of 2 * 128.
pub const SHAKE128_RATE: usize = (1600 - 2 * 128) >> 3;
/// The number of bytes per block of SHAKE256: 1600 bits minus a capacity of 2 * 256.
pub const SHAKE256_RATE: usize = (1600 - 2 * 256) >> 3;

/// From the low end of the byte: the suffix 11 of SHAKE, the suffix 11 of RawSHAKE, and the first
/// bit of pad10*1 (FIPS 202, appendix B.2).
pub(crate) const SUFFIX: u8 = 0b0001_1111;
/// The last bit of pad10*1.
pub(crate) const LAST: u8 = 0b1000_0000;

/// SHAKE128: 128 bits of security against every attack.
pub type Shake128 = Shake<SHAKE128_RATE>;
/// SHAKE256: 256 bits of security against every attack, except collisions of short outputs.
pub type Shake256 = Shake<SHAKE256_RATE>;

/// SHAKE while it absorbs a message, piece by piece. It is wiped when it is dropped.
///
/// `RATE` is [`SHAKE128_RATE`] or [`SHAKE256_RATE`]. `K` is the code that permutes its one state;
/// only tests and benches use another than the default.
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
    /// The number of absorbed bytes of the current block or, after the padding, of its squeezed
    /// bytes.
    ///
    /// While absorbing, this is less than RATE: a full block is permuted at once, because the
    /// padding needs another block anyway. While squeezing, it can be RATE: the permutation then
    /// happens when the next byte is read, so that a reader that is dropped does not need it.
    at: usize,
}

impl<const RATE: usize> Shake<RATE> {
    /// Begins a message, with the fastest scalar code of this CPU.
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
    /// Begins a message, with the code of `keccak`.
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
    #[cfg(tiny)]
    pub fn absorb(&mut self, bytes: &[u8]) {
        self.at = compact::absorb(&mut self.state, RATE, self.at, bytes);
    }

    /// Appends to the message.
    #[cfg(not(tiny))]
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
            // `take` leaves zeros; a move would leave a copy that is not wiped.
            state: take(&mut self.state),
            at: self.at,
        })
    }

    /// Ends the message, and reads the output from the same state. After the reader is dropped,
    /// this is the empty message.
    #[must_use]
    pub fn squeeze_in_place(&mut self) -> InPlace<'_, RATE, K> {
        self.pad();
        InPlace(self)
    }

    fn pad(&mut self) {
        self.xor_byte(self.at, SUFFIX);
        self.xor_byte(RATE - 1, LAST);
        self.at = RATE;
    }

    #[inline(always)]
    fn xor_byte(&mut self, at: usize, byte: u8) {
        #[cfg(tiny)]
        compact::xor_byte(&mut self.state, at, byte);
        #[cfg(not(tiny))]
        self.state.xor_byte(0, at, byte);
    }

    /// Call this after [`Self::pad`] only.
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

    /// Call this after [`Self::pad`] only.
    #[cfg(tiny)]
    fn read(&mut self, out: &mut [u8]) {
        self.at = compact::read(&mut self.state, RATE, self.at, out);
    }

    /// Call this after [`Self::pad`] only.
    #[cfg(not(tiny))]
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

/// SHAKE while it returns its output, piece by piece. It is wiped when it is dropped.
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

/// A [`Reader`] of a borrowed state.
pub struct InPlace<'a, const RATE: usize, K: Keccak<Lane = [u64; 1]> = Scalar>(
    &'a mut Shake<RATE, K>,
);

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> InPlace<'_, RATE, K> {
    /// Fills `out` with the next bytes.
    pub fn read(&mut self, out: &mut [u8]) {
        self.0.read(out);
    }

    /// Returns the next 8 · `COUNT` bytes as little-endian words of eight bytes. They are a part of
    /// one block, from which only such parts have been read.
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
    /// The contents are not shown, because they can be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shake").finish_non_exhaustive()
    }
}

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> fmt::Debug for Reader<RATE, K> {
    /// The contents are not shown, because they can be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl<const RATE: usize, K: Keccak<Lane = [u64; 1]>> fmt::Debug for InPlace<'_, RATE, K> {
    /// The contents are not shown, because they can be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InPlace").finish_non_exhaustive()
    }
}
