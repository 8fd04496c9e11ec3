//! The backends: the CPUs that run the kernels.
//!
//! A backend is a zero-sized token. A token proves that the CPU has the instructions of the
//! backend, because only `detect` returns one. A kernel is a struct of its arguments.
//! [`Backend::run`] is the only place that calls code compiled for these instructions, so that
//! other crates can add kernels without `unsafe`.

use moissanite_keccak::Keccak;

use crate::field::Field;
use crate::kernels::{arith, challenge, ntt, reject, round};
use crate::params::ParameterSet;
use crate::poly::{BytePoly, Challenge, NttPoly, Poly, Rotations, Small};
use crate::secret::Zeroed;
use crate::shape::Dim;
use crate::simd::sealed;
pub use crate::simd::{Kernel, Simd};

#[cfg(armv7)]
mod armv7;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(tiny, test))]
pub(crate) mod compact;
mod lanes;
pub(crate) mod multiply;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_feature = "simd128")]
mod simd128;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_feature = "simd128"
))]
mod tables;
mod u64_lanes;

#[cfg(armv7)]
pub(crate) use armv7::{add_accepted, inverse_ntt_in_place, montgomery_product, ntt_in_place};
#[cfg(tiny)]
pub(crate) use compact::{inverse_ntt_in_place, ntt_in_place};
pub use lanes::Lanes;
pub use moissanite_cpu::Portable;
#[cfg(target_feature = "simd128")]
pub use moissanite_cpu::Simd128;
#[cfg(target_arch = "x86_64")]
pub use moissanite_cpu::{Avx2, Avx512};
#[cfg(target_arch = "aarch64")]
pub use moissanite_cpu::{Neon, Sha3};
#[cfg(not(armv7))]
pub(crate) use portable::montgomery_product;
#[cfg(not(any(armv7, tiny)))]
pub(crate) use portable::{add_accepted, inverse_ntt_in_place, ntt_in_place};
pub use u64_lanes::{mul_add_word, reduce_word};

/// The backend of cores with Thumb-2, for which this crate is compiled.
#[cfg(armv7)]
#[derive(Clone, Copy, Debug)]
pub struct Armv7;

/// The largest number of Keccak states that a backend permutes at once.
pub(crate) const MAX_KECCAK_WIDTH: usize = 8;
/// The number of polynomials of y that are computed alongside a hash: four of eight states cost
/// little more than one.
pub(crate) const SPARE_MASKS: usize = 3;
/// The largest L of all sets.
const MAX_COLUMNS: usize = 7;
/// The window holds L polynomials that are in use, seven that are left over, and those that are
/// computed alongside a hash; or L − 1 that are left over, and a batch.
type WideWindow<T> = [T; MAX_COLUMNS + MAX_KECCAK_WIDTH - 1 + SPARE_MASKS];

/// Operations on whole polynomials. They are long enough that a call costs nothing in comparison,
/// so that the code above this trait needs neither `#[target_feature]` nor `unsafe`. Each kernel
/// documents the bounds of its inputs and outputs.
pub trait Backend: Copy + Send + Sync + sealed::Sealed + 'static {
    /// The name with which [`dispatch_to`] selects the backend.
    const NAME: &'static str;
    /// The token for the Keccak states that this CPU permutes at once.
    type Keccak: Keccak;
    /// A window for the `D` polynomials that are needed at a time, if polynomials are generated in
    /// batches of the number of Keccak states: see [`crate::sample::Rows`].
    type Window<T: Zeroed, D: Dim>: Zeroed + AsRef<[T]> + AsMut<[T]>;
    /// Returns the token for the Keccak states.
    fn keccak(self) -> Self::Keccak;

    /// Runs a kernel in code compiled for this backend's instructions.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    /// FIPS 204, Algorithm 41 (NTT). In: |w_j| ≤ q. Out: |ŵ_j| ≤ 9q.
    #[inline]
    fn ntt<F: Field>(self, w: &Poly<F>, w_hat: &mut NttPoly<F>) {
        self.run(ntt::Ntt { w, w_hat });
    }
    /// FIPS 204, Algorithm 42 (NTT⁻¹), times 2³². In: |ŵ_j| < q. Out: |w_j| ≤ ¾q.
    #[inline]
    fn inverse_ntt<F: Field>(self, w_hat: &NttPoly<F>, w: &mut Poly<F>) {
        self.run(ntt::InverseNtt { w_hat, w });
    }
    /// out ← Σ_j a_j ∘ b_j · 2⁻³². In: at most 14 terms, |a_j| < q, |b_j| ≤ 9q. Out: |·| < q.
    #[inline]
    fn inner_product<F: Field>(self, a: &[NttPoly<F>], b: &[NttPoly<F>], out: &mut NttPoly<F>) {
        self.run(arith::InnerProduct {
            a,
            b,
            minus: None,
            out,
        });
    }
    /// out ← (Σ_j a_j ∘ b_j − c ∘ d) · 2⁻³², with the bounds of [`Self::inner_product`], and |c|,
    /// |d| ≤ 9q.
    #[inline]
    fn inner_product_minus<F: Field>(
        self,
        a: &[NttPoly<F>],
        b: &[NttPoly<F>],
        (c, d): (&NttPoly<F>, &NttPoly<F>),
        out: &mut NttPoly<F>,
    ) {
        self.run(arith::InnerProduct {
            a,
            b,
            minus: Some((c, d)),
            out,
        });
    }
    /// a ← a + b.
    #[inline]
    fn add<F: Field>(self, a: &mut Poly<F>, b: &Poly<F>) {
        self.run(arith::Add { a, b });
    }
    /// Returns the positions where c is ±1.
    #[inline]
    fn challenge<F: Field>(self, c: &Poly<F>) -> Challenge {
        self.run(challenge::Find { c })
    }
    /// acc ← acc + c·s, where ‖s‖∞ ≤ `largest`.
    #[inline]
    fn add_product<F: Field, T: Small>(
        self,
        acc: &mut Poly<F>,
        c: &Challenge,
        s: &Rotations<T>,
        largest: u32,
    ) {
        self.run(challenge::AddProduct {
            acc,
            c,
            s,
            subtract: false,
            largest: largest as usize,
        });
    }
    /// acc ← acc − c·s, where ‖s‖∞ ≤ `largest`.
    #[inline]
    fn sub_product<F: Field, T: Small>(
        self,
        acc: &mut Poly<F>,
        c: &Challenge,
        s: &Rotations<T>,
        largest: u32,
    ) {
        self.run(challenge::AddProduct {
            acc,
            c,
            s,
            subtract: true,
            largest: largest as usize,
        });
    }
    /// FIPS 204, Algorithm 35 (Power2Round): t becomes t₀. In: |t_j| < q.
    #[inline]
    fn power2round<F: Field>(self, t: &mut Poly<F>, t1: &mut Poly<F>) {
        self.run(round::Power2Round { t, t1 });
    }
    /// FIPS 204, Algorithm 36 (Decompose): w becomes w₀. In: |w_j| < q.
    #[inline]
    fn decompose<P: ParameterSet>(self, w: &mut Poly<P::Field>, w1: &mut BytePoly) {
        self.run(round::Decompose::<P> { w, w1 });
    }
    /// FIPS 204, Algorithm 39 (MakeHint), for r = w₀ − cs₂ + ct₀: w₁ becomes h. Returns the number
    /// of ones.
    #[inline]
    fn make_hint<P: ParameterSet>(self, r: &Poly<P::Field>, w1: &mut BytePoly) -> i32 {
        self.run(round::MakeHint::<P> { r, w1 })
    }
    /// FIPS 204, Algorithm 40 (UseHint): h becomes w₁. In: |w_j| < q.
    #[inline]
    fn use_hint<P: ParameterSet>(self, w: &Poly<P::Field>, h: &mut BytePoly) {
        self.run(round::UseHint::<P> { w, h });
    }
    /// Returns all ones if ‖w‖∞ ≥ bound, else zero. In: centered w.
    #[inline]
    fn norm_at_least<F: Field>(self, w: &Poly<F>, bound: u32) -> i32 {
        self.run(round::NormAtLeast { w, bound })
    }
    /// FIPS 204, Algorithm 30 (RejNTTPoly), on one block of XOF output.
    #[inline]
    fn reject_uniform<F: Field, const LEN: usize>(
        self,
        block: &[u8; LEN],
        a: &mut NttPoly<F>,
        filled: usize,
    ) -> usize {
        self.run(reject::RejectUniform {
            block,
            a_hat: a,
            filled,
        })
    }
    /// FIPS 204, Algorithm 31 (RejBoundedPoly), on one block of XOF output.
    #[inline]
    fn reject_bounded<F: Field, const LEN: usize>(
        self,
        block: &[u8; LEN],
        eta: u32,
        s: &mut Poly<F>,
        filled: usize,
    ) -> usize {
        self.run(reject::RejectBounded {
            block,
            s,
            filled,
            eta,
        })
    }
}

/// An operation that is generic over the backend.
pub trait WithBackend {
    /// The type of the result.
    type Output;
    /// Runs the operation on this backend.
    fn call<B: Backend>(self, backend: B) -> Self::Output;
}

/// The choice of the backend that runs an operation.
pub trait Choice: Copy {
    /// Runs an operation on the chosen backend.
    fn run<O: WithBackend>(self, op: O) -> O::Output;
}

/// The best backend that this CPU supports: [`dispatch`].
#[derive(Clone, Copy, Debug)]
pub struct Best;
impl Choice for Best {
    #[inline]
    fn run<O: WithBackend>(self, op: O) -> O::Output {
        dispatch(op)
    }
}

/// A given backend.
#[derive(Clone, Copy, Debug)]
pub struct Named<B>(pub B);
impl<B: Backend> Choice for Named<B> {
    #[inline]
    fn run<O: WithBackend>(self, op: O) -> O::Output {
        op.call(self.0)
    }
}

/// Runs `op` on the best backend that this CPU supports.
#[inline]
pub fn dispatch<O: WithBackend>(op: O) -> O::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(avx512) = Avx512::detect() {
            return op.call(avx512);
        }
        if let Some(avx2) = Avx2::detect() {
            return op.call(avx2);
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        if let Some(sha3) = Sha3::detect() {
            return op.call(sha3);
        }
        if let Some(neon) = Neon::detect() {
            return op.call(neon);
        }
    }
    #[cfg(target_feature = "simd128")]
    if let Some(simd128) = Simd128::detect() {
        return op.call(simd128);
    }
    #[cfg(armv7)]
    return op.call(Armv7);
    #[cfg(not(armv7))]
    op.call(Portable)
}

/// Returns the names that [`dispatch_to`] accepts, and whether this CPU supports each backend, with
/// the best one first.
pub fn all() -> impl Iterator<Item = (&'static str, bool)> {
    [
        #[cfg(target_arch = "x86_64")]
        (Avx512::NAME, Avx512::detect().is_some()),
        #[cfg(target_arch = "x86_64")]
        (Avx2::NAME, Avx2::detect().is_some()),
        #[cfg(target_arch = "aarch64")]
        (Sha3::NAME, Sha3::detect().is_some()),
        #[cfg(target_arch = "aarch64")]
        (Neon::NAME, Neon::detect().is_some()),
        #[cfg(target_feature = "simd128")]
        (Simd128::NAME, Simd128::detect().is_some()),
        #[cfg(armv7)]
        (Armv7::NAME, true),
        (Portable::NAME, true),
    ]
    .into_iter()
}

/// Returns the names of the backends that this CPU supports, with the best one first.
pub fn available() -> impl Iterator<Item = &'static str> {
    all().filter_map(|(name, has)| has.then_some(name))
}

/// Runs `op` on the backend with this name, or returns `None` if this CPU does not support it.
pub fn dispatch_to<O: WithBackend>(name: &str, op: O) -> Option<O::Output> {
    match name {
        #[cfg(target_arch = "x86_64")]
        Avx512::NAME => Avx512::detect().map(|backend| op.call(backend)),
        #[cfg(target_arch = "x86_64")]
        Avx2::NAME => Avx2::detect().map(|backend| op.call(backend)),
        #[cfg(target_arch = "aarch64")]
        Sha3::NAME => Sha3::detect().map(|backend| op.call(backend)),
        #[cfg(target_arch = "aarch64")]
        Neon::NAME => Neon::detect().map(|backend| op.call(backend)),
        #[cfg(target_feature = "simd128")]
        Simd128::NAME => Simd128::detect().map(|backend| op.call(backend)),
        #[cfg(armv7)]
        Armv7::NAME => Some(op.call(Armv7)),
        Portable::NAME => Some(op.call(Portable)),
        _ => None,
    }
}
