//! Any CPU: one lane, and two words, for which all x86-64 CPUs have instructions.

use moissanite_cpu::value_barrier;
use moissanite_keccak::Scalar;

use super::multiply;
use super::u64_lanes::{self, Words};
use super::{Backend, Portable};
use crate::field::Field;
use crate::kernels::pack::{pack_integers, unpack_integers};
#[cfg(not(any(armv7, tiny)))]
use crate::kernels::{ntt::two_layers, reject::take_accepted};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::shape::N;
use crate::simd::WINDOW;
use crate::simd::{Kernel, Simd, sealed};

impl sealed::Sealed for Portable {}

impl Backend for Portable {
    const NAME: &'static str = "portable";
    type Keccak = Scalar;
    type Window<T: Zeroed, D: Dim> = D::Array<T>;
    #[inline]
    fn keccak(self) -> Scalar {
        Scalar::new()
    }
    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

impl Simd for Portable {
    const LANES: usize = 1;
    type V = i32;
    type Chunk = i32;
    type ByteChunk = u8;
    type TripleChunk = [u8; 3];
    type Square = [i32; 1];
    type Twiddle = twiddle::Form;
    type Wide = i64;
    const WORDS: usize = 2;
    type Words = Words;
    type WordChunk = [u64; 2];
    const RADIX: i64 = 1 << 32;

    #[inline(always)]
    fn chunks(w: &[i32; N]) -> &[i32] {
        w
    }
    #[inline(always)]
    fn chunks_mut(w: &mut [i32; N]) -> &mut [i32] {
        w
    }
    #[inline(always)]
    fn byte_chunks(bytes: &[u8]) -> (&[u8], &[u8]) {
        (bytes, &[])
    }
    #[inline(always)]
    fn byte_chunks_mut(bytes: &mut [u8; N]) -> &mut [u8] {
        bytes
    }
    #[inline(always)]
    fn triple_chunks(bytes: &[u8]) -> (&[[u8; 3]], &[u8]) {
        bytes.as_chunks()
    }
    #[inline(always)]
    fn chunk_at(w: &mut [i32], at: usize) -> Option<&mut i32> {
        w.get_mut(at)
    }
    #[inline(always)]
    fn load(self, from: &i32) -> i32 {
        *from
    }
    #[inline(always)]
    fn store(self, v: i32, to: &mut i32) {
        *to = v;
    }
    #[inline(always)]
    fn load_bytes(self, from: &u8) -> i32 {
        i32::from(*from)
    }
    #[inline(always)]
    fn store_bytes(self, v: i32, to: &mut u8) {
        *to = v as u8;
    }
    #[inline(always)]
    fn load_triples(self, [b0, b1, b2]: &[u8; 3]) -> i32 {
        i32::from_le_bytes([*b0, *b1, *b2, 0])
    }
    #[inline(always)]
    fn compress(self, v: i32, mask: i32) -> (i32, usize) {
        (v, usize::from(mask != 0))
    }
    #[inline(always)]
    fn interleave(self, a: i32, b: i32) -> (i32, i32) {
        (a, b)
    }
    #[inline(always)]
    fn pack<const BITS: usize>(self, codes: &[i32], window: &mut [u8; WINDOW]) {
        pack_integers::<BITS>(codes, window);
    }
    #[inline(always)]
    fn unpack<const BITS: usize>(self, window: &[u8; WINDOW], codes: &mut [i32]) {
        unpack_integers::<BITS>(window, codes);
    }
    #[inline(always)]
    fn splat(self, x: i32) -> i32 {
        x
    }
    #[inline(always)]
    fn add(self, a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn sub(self, a: i32, b: i32) -> i32 {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn mul(self, a: i32, b: i32) -> i32 {
        a.wrapping_mul(b)
    }
    #[inline(always)]
    fn and(self, a: i32, b: i32) -> i32 {
        a & b
    }
    #[inline(always)]
    fn or(self, a: i32, b: i32) -> i32 {
        a | b
    }
    #[inline(always)]
    fn shr(self, a: i32, bits: u32) -> i32 {
        a >> bits
    }
    #[inline(always)]
    fn is_negative(self, a: i32) -> i32 {
        // The input is also opaque, because the compiler could otherwise replace the shift by a
        // comparison.
        value_barrier(value_barrier(a) >> 31)
    }
    #[inline(always)]
    fn gt(self, a: i32, b: i32) -> i32 {
        self.is_negative(b.wrapping_sub(a))
    }
    #[inline(always)]
    fn gt_public(self, a: i32, b: i32) -> i32 {
        -i32::from(a > b)
    }
    #[inline(always)]
    fn sum(self, a: i32) -> i32 {
        a
    }

    #[inline(always)]
    fn twiddle<F: Field>(self, k: usize) -> twiddle::Form {
        // This refers to a static copy of the table, instead of a copy on the stack.
        (const { &twiddle::zetas::<F>() })[k & (N - 1)]
    }
    #[inline(always)]
    fn tail_twiddle<F: Field, const INVERSE: bool>(self, _: usize) -> twiddle::Form {
        const { twiddle::form(0, F::Q) } // A square of one lane has no tail.
    }
    #[inline(always)]
    fn twiddle_mul<F: Field>(self, a: i32, zeta: twiddle::Form) -> i32 {
        twiddle::mul::<F>(a, zeta)
    }
    #[inline(always)]
    fn inverse_scale<F: Field>(self) -> twiddle::Form {
        const { twiddle::form(F::INVERSE_SCALE, F::Q) }
    }

    #[inline(always)]
    fn wide_zero(self) -> i64 {
        0
    }
    #[inline(always)]
    fn wide_add(self, acc: i64, a: i32, b: i32) -> i64 {
        acc.wrapping_add(multiply::signed(a, b))
    }
    #[inline(always)]
    fn wide_sub(self, acc: i64, a: i32, b: i32) -> i64 {
        acc.wrapping_sub(multiply::signed(a, b))
    }
    /// Montgomery reduction: for t ≡ −acc / q modulo 2³², acc + tq is a multiple of 2³².
    #[cfg(not(target_arch = "riscv32"))]
    #[inline(always)]
    fn montgomery_reduce<F: Field>(self, acc: i64) -> i32 {
        let t = (acc as i32).wrapping_mul(const { F::Q_INV.wrapping_neg() });
        (self.wide_add(acc, t, F::Q) >> 32) as i32
    }
    /// The same with the difference of the upper halves: RISC-V has no carry, without which a sum of 64 bits takes
    /// four instructions.
    #[cfg(target_arch = "riscv32")]
    #[inline(always)]
    fn montgomery_reduce<F: Field>(self, acc: i64) -> i32 {
        twiddle::difference::<F>((acc >> 32) as i32, (acc as i32).wrapping_mul(F::Q_INV))
    }

    #[inline(always)]
    fn word_chunks(words: &[u64]) -> &[[u64; 2]] {
        words.as_chunks().0
    }
    #[inline(always)]
    fn word_chunks_mut(words: &mut [u64]) -> &mut [[u64; 2]] {
        words.as_chunks_mut().0
    }
    #[inline(always)]
    fn load_words(self, from: &[u64; 2]) -> Words {
        u64_lanes::load(from)
    }
    #[inline(always)]
    fn store_words(self, v: Words, to: &mut [u64; 2]) {
        u64_lanes::store(v, to);
    }
    #[inline(always)]
    fn splat_word(self, x: u64) -> Words {
        u64_lanes::splat(x)
    }
    #[inline(always)]
    fn add_words(self, a: Words, b: Words) -> Words {
        u64_lanes::add(a, b)
    }
    #[inline(always)]
    fn sub_words(self, a: Words, b: Words) -> Words {
        u64_lanes::sub(a, b)
    }
    #[inline(always)]
    fn equal_words(self, a: Words, b: Words) -> Words {
        u64_lanes::equal(a, b)
    }
    #[inline(always)]
    fn and_not_words(self, mask: Words, a: Words) -> Words {
        u64_lanes::and_not(mask, a)
    }
    #[inline(always)]
    fn swap_words(self, a: Words) -> Words {
        u64_lanes::swap(a)
    }
    #[inline(always)]
    fn mul_add_words(self, acc: Words, a: Words, b: Words) -> Words {
        u64_lanes::mul_add(acc, a, b)
    }
    #[inline(always)]
    fn reduce_words<F: Field>(self, acc: Words) -> Words {
        u64_lanes::reduce::<F>(acc)
    }
    #[inline(always)]
    fn canonical_words<F: Field>(self, x: Words) -> Words {
        u64_lanes::canonical::<F>(x)
    }

    #[inline(always)]
    fn square(self) -> [i32; 1] {
        [0]
    }
    #[inline(always)]
    fn transpose(self, _: &mut [i32; 1]) {}
}

/// a · b · 2⁻³² modulo q. Out: |·| < |ab| / 2³² + q/2 + 1.
#[cfg(not(armv7))]
#[inline(always)]
pub(crate) fn montgomery_product<F: Field>(a: i32, b: i32) -> i32 {
    Portable.montgomery_reduce::<F>(multiply::signed(a, b))
}

/// FIPS 204, Algorithm 30 (RejNTTPoly), on eight times three bytes: w_j ← w_j + a_j y_j 2⁻³² for
/// each accepted a_j, from index `filled` on. Returns the new number of coefficients.
#[cfg(not(any(armv7, tiny)))]
pub(crate) fn add_accepted<F: Field>(
    bytes: &[u64; 3],
    y: &[i32; N],
    w: &mut [i32; N],
    filled: usize,
) -> usize {
    take_accepted::<F>(bytes, filled, &mut |j, a| {
        if let (Some(w), Some(y)) = (w.get_mut(j), y.get(j)) {
            *w = w.wrapping_add(montgomery_product::<F>(a, *y));
        }
    })
}

/// FIPS 204, Algorithm 41 (NTT), in place. In: |w_j| ≤ q. Out: |ŵ_j| ≤ 9q.
#[cfg(not(any(armv7, tiny)))]
#[inline(never)]
pub(crate) fn ntt_in_place<F: Field>(w: &mut [i32; N]) {
    for len in [128, 32, 8, 2] {
        two_layers::<F, _, false>(Portable, None, w, len);
    }
}

/// FIPS 204, Algorithm 42 (NTT⁻¹), times 2³², in place. In: |ŵ_j| < q. Out: |w_j| ≤ ¾q.
#[cfg(not(any(armv7, tiny)))]
#[inline(never)]
pub(crate) fn inverse_ntt_in_place<F: Field>(w: &mut [i32; N]) {
    for len in [2, 8, 32, 128] {
        two_layers::<F, _, true>(Portable, None, w, len);
    }
}

/// Products with a constant, for CPUs on which a 64-bit product costs as much as any other.
#[cfg(not(any(target_arch = "arm", target_arch = "riscv32")))]
mod twiddle {
    use crate::field::Field;
    pub(super) use crate::field::plantard_form as form;
    use crate::shape::N;

    pub(super) type Form = i64;

    pub(super) const fn zetas<F: Field>() -> [i64; N] {
        F::PLANTARD_ZETAS
    }

    /// Signed Plantard multiplication: with p = a · ζ' mod 2⁶⁴ and its upper half p₁, ⌊(p₁ + 2)
    /// q / 2³²⌋ ≡ a · ζ.
    ///
    /// p·q is −a·ζ·2⁶⁴ modulo q, and c modulo 2⁶⁴, where c = a · (−ζ2⁶⁴ mod± q). Therefore,
    /// k = (p·q − c) / 2⁶⁴ is an integer and ≡ a·ζ. The last line computes k + ⌊(c + (2³³ − p₀)
    /// q) / 2⁶⁴⌋, whose second term is zero because of 0 ≤ p₀ < 2³² and |c| < 2³¹ q. |p| ≤ 2⁶³
    /// bounds the result by q/2 + 1.
    #[inline(always)]
    pub(super) fn mul<F: Field>(a: i32, zeta: i64) -> i32 {
        // ζ is opaque, because LLVM would otherwise vectorize the inverse NTT with the emulated
        // 64-bit products of x86-64, which takes a quarter longer.
        let zeta = core::hint::black_box(zeta);
        let p1 = i64::from(a).wrapping_mul(zeta) >> 32;
        ((p1.wrapping_add(2)).wrapping_mul(i64::from(F::Q)) >> 32) as i32
    }
}

/// Products with a constant, for CPUs that multiply only two 32-bit numbers. Montgomery
/// multiplication takes three such products.
#[cfg(target_arch = "arm")]
mod twiddle {
    use super::{Portable, Simd};
    use crate::field::Field;
    pub(super) use crate::field::montgomery_form as form;
    use crate::shape::N;

    pub(super) type Form = i32;

    pub(super) const fn zetas<F: Field>() -> [i32; N] {
        F::MONTGOMERY_ZETAS
    }

    /// The bound of the product is |aζ| ≤ 2³⁰ q.
    #[inline(always)]
    pub(super) fn mul<F: Field>(a: i32, zeta: i32) -> i32 {
        Portable.montgomery_reduce::<F>(super::multiply::signed(a, zeta))
    }
}

/// The same for a CPU with instructions for each half of a product, and without a carry. The factor ζ · 2³² · q⁻¹
/// gives the lower half of a · ζ · 2³² · q⁻¹ in one product.
#[cfg(target_arch = "riscv32")]
mod twiddle {
    use crate::field::Field;
    pub(super) use crate::field::montgomery_pair as form;
    use crate::shape::N;

    use moissanite_cpu::value_barrier;

    pub(super) type Form = [i32; 2];

    pub(super) const fn zetas<F: Field>() -> [[i32; 2]; N] {
        F::MONTGOMERY_PAIRS
    }

    /// The bound of the product is |aζ| ≤ 2³⁰ q.
    #[inline(always)]
    pub(super) fn mul<F: Field>(a: i32, [zeta, zeta_q_inv]: [i32; 2]) -> i32 {
        difference::<F>(upper_half(a, zeta), a.wrapping_mul(zeta_q_inv))
    }

    /// (acc − tq) / 2³², for the upper half of acc and t ≡ acc / q modulo 2³²: the lower halves are the same.
    #[inline(always)]
    pub(super) fn difference<F: Field>(upper: i32, t: i32) -> i32 {
        upper.wrapping_sub(upper_half(t, F::Q))
    }

    /// The upper half of a · b. b is opaque, because the compiler would otherwise move its extension to 64 bits out of
    /// loops, and compute the product with three instructions more.
    #[inline(always)]
    fn upper_half(a: i32, b: i32) -> i32 {
        (super::multiply::signed(a, value_barrier(b)) >> 32) as i32
    }
}
