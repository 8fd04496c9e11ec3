//! FIPS 202, section 3: Keccak-f\[1600\], on lanes of any kind.

/// The operations on lanes: bit strings, or formulas for them.
pub(crate) trait Lane: Clone {
    /// Returns a lane of a constant.
    fn of(bits: u64) -> Self;
    /// Returns the bitwise sum modulo 2.
    fn xor(&self, other: &Self) -> Self;
    /// Returns the bitwise product modulo 2.
    fn and(&self, other: &Self) -> Self;
    /// Returns bit z − offset at each z.
    fn rotate(&self, offset: u32) -> Self;
}

/// The constants that the standard computes.
pub(crate) struct Constants {
    /// The offsets of ρ, of the lane (x, y) at x + 5y.
    pub(crate) offsets: [u32; 25],
    /// The round constants of ι.
    pub(crate) rounds: [u64; 24],
}

impl Constants {
    pub(crate) fn new() -> Self {
        Self {
            offsets: offsets(),
            rounds: std::array::from_fn(round_constant),
        }
    }
}

/// Algorithm 2 (ρ), steps 2 and 3.
fn offsets() -> [u32; 25] {
    let mut offsets = [0; 25];
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        offsets[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    offsets
}

/// Algorithm 5 (rc).
fn rc(t: usize) -> bool {
    if t.is_multiple_of(255) {
        return true;
    }
    let mut r = [true, false, false, false, false, false, false, false, false];
    for _ in 1..=t % 255 {
        // R = 0 || R
        r.rotate_right(1);
        r[0] = false;
        r[0] ^= r[8];
        r[4] ^= r[8];
        r[5] ^= r[8];
        r[6] ^= r[8];
        // Trunc8: R[8] is not read until the next step replaces it.
        r[8] = false;
    }
    r[0]
}

/// Algorithm 6 (ι), steps 2 and 3.
fn round_constant(round: usize) -> u64 {
    (0..=6).fold(0, |bits, j| {
        bits | u64::from(rc(j + 7 * round)) << ((1 << j) - 1)
    })
}

/// Rnd of Algorithm 7 (Keccak-p): θ, ρ, π, χ and ι, of the lanes (x, y) at x + 5y.
pub(crate) fn round<L: Lane>(a: &[L; 25], round: usize, constants: &Constants) -> [L; 25] {
    let at = |x: usize, y: usize| x % 5 + 5 * (y % 5);
    // Algorithm 1 (θ).
    let c: [L; 5] =
        std::array::from_fn(|x| (1..5).fold(a[at(x, 0)].clone(), |sum, y| sum.xor(&a[at(x, y)])));
    let d: [L; 5] = std::array::from_fn(|x| c[(x + 4) % 5].xor(&c[(x + 1) % 5].rotate(1)));
    let a: [L; 25] = std::array::from_fn(|lane| a[lane].xor(&d[lane % 5]));
    // Algorithm 2 (ρ).
    let a: [L; 25] = std::array::from_fn(|lane| a[lane].rotate(constants.offsets[lane]));
    // Algorithm 3 (π): the lane (x, y) is that of (x + 3y, x).
    let a: [L; 25] = std::array::from_fn(|lane| {
        let (x, y) = (lane % 5, lane / 5);
        a[at(x + 3 * y, x)].clone()
    });
    // Algorithm 4 (χ).
    let ones = L::of(u64::MAX);
    let mut a: [L; 25] = std::array::from_fn(|lane| {
        let (x, y) = (lane % 5, lane / 5);
        let product = a[at(x + 1, y)].xor(&ones).and(&a[at(x + 2, y)]);
        a[lane].xor(&product)
    });
    // Algorithm 6 (ι).
    a[0] = a[0].xor(&L::of(constants.rounds[round]));
    a
}

impl Lane for u64 {
    fn of(bits: u64) -> Self {
        bits
    }
    fn xor(&self, other: &Self) -> Self {
        self ^ other
    }
    fn and(&self, other: &Self) -> Self {
        self & other
    }
    fn rotate(&self, offset: u32) -> Self {
        self.rotate_left(offset)
    }
}
