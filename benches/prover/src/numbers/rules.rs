//! The products modulo q that kernels compute without a division.
//!
//! All divisions by powers of two here round to minus infinity, as shifts do. `mod±` is the representative
//! from −m/2 to m/2 − 1, as truncation to a width gives it.
//!
//! **Montgomery.** v = Σ aᵢbᵢ − tq has 64 bits and does not wrap, and its lower half is zero for every
//! input, by the normal form of terms. Its upper half is then v / 2³², without a remainder, so it is
//! 2⁻³² v modulo q, and its interval is that of v divided by 2³².
//!
//! **Montgomery with 52 bits.** u = ⌊tq / 2⁵²⌋, where t = cv modulo 2⁵² and cq is 1 modulo 2⁵². Then tq is v
//! modulo 2⁵², so that tq = v + 2⁵²u for 0 ≤ v < 2⁵². So u is −2⁻⁵² v modulo q, and 0 ≤ u < q since t < 2⁵².
//!
//! **Plantard.** ⌊(p₁ + 2) q / 2³²⌋, where p₁ is the upper half of p = aζ' mod± 2⁶⁴. Let p = aζ' − 2⁶⁴k,
//! p = 2³² p₁ + p₀ with 0 ≤ p₀ < 2³², and ζ'q = C + 2⁶⁴M with C = ζ'q mod± 2⁶⁴. Then
//!
//! 2³² (p₁ + 2) q = (p − p₀ + 2³³) q = aζ'q − 2⁶⁴kq + (2³³ − p₀) q = 2⁶⁴ (aM − kq) + aC + (2³³ − p₀) q.
//!
//! Division by 2⁶⁴ gives aM − kq + ⌊(aC + (2³³ − p₀) q) / 2⁶⁴⌋. The last summand is zero if
//! 0 ≤ aC + (2³³ − p₀) q < 2⁶⁴ for all a and p₀, which is checked at the extreme points. The result is then
//! aM modulo q. Because p₁ has 32 bits, it is from ⌊(−2³¹ + 2) q / 2³²⌋ to ⌊(2³¹ + 1) q / 2³²⌋.
//!
//! **Barrett.** aζ − tq with t = ⌊(2ab + 2³¹) / 2³²⌋, modulo 2³². As an integer it is
//! a (ζ − bq / 2³¹) + q (ab / 2³¹ − t), where |ab / 2³¹ − t| ≤ ½. So its absolute value is at most
//! (|a| · |2³¹ζ − bq| + 2³⁰ q) / 2³¹. If this fits 32 bits, nothing wraps, and it is aζ modulo q.

use std::rc::Rc;

use anyhow::{Result, ensure};

use super::{Number, Numbers};
use crate::random::Random;
use crate::specification::{Field, ML_DSA, ZK_DILITHIUM, transform::zetas};
use crate::terms::{Barrett, Name, Node, Term, barrett_value, high_52_value, mask, signed};

/// The constants of a Plantard product.
struct Plantard {
    /// C above.
    rest: i128,
    /// M above.
    factor: i128,
}

impl Plantard {
    fn new(zeta: i64, q: i64) -> Self {
        let product = i128::from(zeta) * i128::from(q);
        let rest = i128::from(product as i64);
        Self {
            rest,
            factor: (product - rest) >> 64,
        }
    }

    /// Whether the rule holds for all |a| ≤ `most`: the sum above is linear, so its ends suffice.
    fn holds(&self, most: i128, q: i64) -> bool {
        let q = i128::from(q);
        let product = most * self.rest.abs();
        let (least, largest) = ((1 << 33) - ((1 << 32) - 1), 1 << 33);
        least * q - product >= 0 && largest * q + product < 1 << 64
    }

    /// Returns the smallest and the largest result.
    fn interval(q: i64) -> (i128, i128) {
        let at = |upper: i128| ((upper + 2) * i128::from(q)) >> 32;
        (at(-(1 << 31)), at((1 << 31) - 1))
    }
}

/// Returns the largest absolute value of a Barrett product.
fn barrett_bound(most: i128, by: Barrett) -> i128 {
    let q = i128::from(by.q);
    let error = ((i128::from(by.zeta) << 31) - i128::from(by.factor) * q).abs();
    (most * error + (q << 30)) >> 31
}

/// Returns 2⁻³² modulo q.
fn inverse_of_radix(q: i64) -> i128 {
    inverse_of_power(q, 32)
}

/// Returns 2⁻ᵏ modulo q.
fn inverse_of_power(q: i64, k: u32) -> i128 {
    // 2 · (q + 1) / 2 = 1 modulo q.
    (0..k).fold(1, |product, _| {
        product * i128::from((q + 1) / 2) % i128::from(q)
    })
}

impl<F: Fn(Name) -> i64> Numbers<F> {
    /// Returns the integer that the upper half of a term with 64 bits is.
    pub(super) fn upper_half(&mut self, of: Term) -> Option<Number> {
        let whole = &self.known[&of];
        if of.slice(0, 32).value() != Some(0) {
            return self.plantard(of);
        }
        // An interval of all 64 bits may be one of a value that wraps; it is still right.
        let factor = inverse_of_radix(self.q);
        let form = whole.form.as_ref().map(|form| form.scaled(factor, self.q));
        let number = Number {
            low: -(-whole.low >> 32),
            high: whole.high >> 32,
            form: form.map(Rc::new),
        };
        self.applied.montgomery += 1;
        Some(number)
    }

    fn plantard(&mut self, of: Term) -> Option<Number> {
        // (p₁ + 2) q
        let (upper, q, twice) = single(of)?;
        let Node::SignExtend(upper) = *upper.node() else {
            return None;
        };
        let (Node::Slice { of: p, low: 32 }, 32) = (&*upper.node(), upper.width()) else {
            return None;
        };
        if q != self.q || twice != 2 * self.q || p.width() != 64 {
            return None;
        }
        // aζ'
        let (a, zeta, 0) = single(*p)? else {
            return None;
        };
        let Node::SignExtend(word) = *a.node() else {
            return None;
        };
        let rule = Plantard::new(zeta, q);
        let a = &self.known[&a];
        if word.width() != 32 || !rule.holds(a.most(), q) {
            return None;
        }
        let (low, high) = Plantard::interval(q);
        let form = a.form.as_ref().map(|form| form.scaled(rule.factor, q));
        let form = form.map(Rc::new);
        self.applied.plantard += 1;
        Some(Number { low, high, form })
    }

    /// Returns the integer that the upper half of a product with q is.
    pub(super) fn montgomery_52(&mut self, t: Term, by: u64) -> Option<Number> {
        // t = cv modulo 2⁵²
        let (low, factor, 0) = single(t)? else {
            return None;
        };
        let factor = factor as u64 & mask(52);
        if by != self.q as u64 || factor.wrapping_mul(by) & mask(52) != 1 {
            return None;
        }
        let v = match &*low.node() {
            Node::Slice { of, low: 0 } => self.known.get(of)?,
            _ => return None,
        };
        if v.low < 0 || v.high >= 1 << 52 {
            return None;
        }
        let scale = -inverse_of_power(self.q, 52);
        let form = v.form.as_ref().map(|form| form.scaled(scale, self.q));
        let (low, high) = (0, i128::from(self.q) - 1);
        let form = form.map(Rc::new);
        self.applied.montgomery += 1;
        Some(Number { low, high, form })
    }

    pub(super) fn barrett(&mut self, a: Term, by: Barrett) -> Option<Number> {
        let a = &self.known[&a];
        let bound = barrett_bound(a.most(), by);
        if i64::from(by.q) != self.q || bound >= 1 << 31 {
            return None;
        }
        let form = a
            .form
            .as_ref()
            .map(|form| form.scaled(by.zeta.into(), self.q));
        self.applied.barrett += 1;
        Some(Number {
            low: -bound,
            high: bound,
            form: form.map(Rc::new),
        })
    }
}

/// Returns the parts of a sum factor · term + constant.
fn single(sum: Term) -> Option<(Term, i64, i64)> {
    match &*sum.node() {
        Node::Sum { terms, constant } => match terms[..] {
            [(term, factor)] => {
                let width = sum.width();
                Some((term, signed(factor, width), signed(*constant, width)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Computes the products of all 256 constants of the transforms of both fields with extreme and random factors
/// in exact arithmetic, and checks what the rules say about them. Returns the number of products.
pub(crate) fn check() -> Result<usize> {
    Ok(check_field(ML_DSA)? + check_field(ZK_DILITHIUM)?)
}

fn check_field(field: Field) -> Result<usize> {
    let q = field.q;
    let mut random = Random::new(1);
    let mut factors = vec![0, 1, -1, i32::MAX, -i32::MAX, i32::MIN];
    for bit in 0..31 {
        factors.extend([1 << bit, -1 << bit, (1 << bit) - 1]);
    }
    for multiple in [1, 2, 4, 9, 128, 255] {
        factors.extend([-1, 0, 1].map(|near| multiple * q as i32 + near));
        factors.extend([-1, 0, 1].map(|near| -multiple * q as i32 + near));
    }
    factors.extend((0..1000).map(|_| random.next() as i32));
    for zeta in zetas(field) {
        let zeta = centred(zeta.into(), q);
        for a in &factors {
            check_montgomery(zeta, i128::from(*a), q)?;
            check_montgomery_52(zeta, i128::from(*a), q)?;
            check_plantard(zeta, i128::from(*a), q)?;
            check_barrett(zeta, *a, q)?;
        }
    }
    Ok(4 * 256 * factors.len())
}

/// Returns the representative modulo q of the least absolute value.
fn centred(value: i128, q: i64) -> i128 {
    let q = i128::from(q);
    let value = value.rem_euclid(q);
    if value > q / 2 { value - q } else { value }
}

/// Returns 1/q modulo 2⁶⁴, by Newton's method.
fn inverse_of_q(q: i64) -> i64 {
    (0..6).fold(1_i64, |x, _| {
        x.wrapping_mul(2_i64.wrapping_sub(q.wrapping_mul(x)))
    })
}

fn check_montgomery(zeta: i128, a: i128, q: i64) -> Result<()> {
    let radix = centred(zeta << 32, q);
    let t = (a * radix * i128::from(inverse_of_q(q))) as i32;
    let v = a * radix - i128::from(t) * i128::from(q);
    ensure!(v & 0xffff_ffff == 0, "the lower half of {v} is not zero");
    let result = v >> 32;
    let expected = centred(v * inverse_of_radix(q), q);
    ensure!(
        centred(result, q) == expected && expected == centred(a * zeta, q),
        "a Montgomery product of {a} and {zeta} is {result}"
    );
    Ok(())
}

fn check_montgomery_52(zeta: i128, a: i128, q: i64) -> Result<()> {
    let v = (a * zeta).rem_euclid(1 << 52);
    let c = inverse_of_q(q) as u64 & mask(52);
    let t = (v as u64).wrapping_mul(c) & mask(52);
    let result = i128::from(high_52_value(t, q as u64));
    let expected = centred(-v * inverse_of_power(q, 52), q);
    ensure!(
        centred(result, q) == expected && result < q.into(),
        "a Montgomery product with 52 bits of {v} is {result}"
    );
    Ok(())
}

fn check_plantard(zeta: i128, a: i128, q: i64) -> Result<()> {
    let radix = centred(zeta << 64, q);
    let constant = (-radix).wrapping_mul(i128::from(inverse_of_q(q))) as i64;
    let rule = Plantard::new(constant, q);
    ensure!(
        rule.holds(1 << 31, q),
        "the bounds of Plantard's product by {zeta}"
    );
    let upper = (a * i128::from(constant)) as i64 >> 32;
    let result = (i128::from(upper + 2) * i128::from(q)) >> 32;
    let (low, high) = Plantard::interval(q);
    ensure!(
        centred(result, q) == centred(a * rule.factor, q)
            && centred(rule.factor, q) == centred(zeta, q)
            && (low..=high).contains(&result),
        "a Plantard product of {a} and {zeta} is {result}"
    );
    Ok(())
}

fn check_barrett(zeta: i128, a: i32, q: i64) -> Result<()> {
    let wide = i128::from(q);
    let factor = ((zeta << 31) + wide / 2).div_euclid(wide);
    let by = Barrett {
        zeta: zeta as i32,
        factor: factor as i32,
        q: q as i32,
    };
    let bound = barrett_bound(i128::from(a).abs(), by);
    let result = i128::from(barrett_value(a, by));
    ensure!(
        bound < 1 << 31
            && result.abs() <= bound
            && centred(result, q) == centred(i128::from(a) * zeta, q),
        "a Barrett product of {a} and {zeta} is {result}"
    );
    Ok(())
}
