//! Doubling products, and the Barrett products that are made of them.

use anyhow::{Result, bail, ensure};

use crate::terms::{Barrett, Node, Term, constant, signed};

/// Returns ⌊(2ab + 2³¹) / 2³²⌋ of a constant and a term. It saturates only if both are −2³¹.
pub(super) fn doubling_high(a: Term, b: Term) -> Result<Term> {
    let (term, factor) = match (a.value(), b.value()) {
        (_, Some(factor)) => (a, factor),
        (Some(factor), _) => (b, factor),
        _ => bail!("there is no model of a doubling product of two inputs"),
    };
    let factor = factor as i32;
    ensure!(
        term.width() == 32 && factor != i32::MIN,
        "there is no model of this form"
    );
    Ok(term.doubling_high(factor))
}

/// Returns sum ± ab. Where that is a Barrett product by its definition, it is written as one, because a sum
/// loses which of its terms belong together.
pub(super) fn multiply_add(addend: Term, a: Term, b: Term, minus: bool) -> Term {
    for (high, factor) in [(a, b), (b, a)] {
        if let (Node::DoublingHigh(x, by), Some(factor)) = (&*high.node(), factor.value()) {
            let q = signed(factor, 32) * if minus { 1 } else { -1 };
            if let Some(product) = barrett(*x, *by, q, addend) {
                return product;
            }
        }
    }
    // The multiple of q is subtracted first.
    if let Node::Sum { terms, constant: 0 } = &*addend.node()
        && let [(high, factor)] = terms[..]
        && let Node::DoublingHigh(x, by) = *high.node()
        && !minus
        && let Some(product) = barrett(x, by, -signed(factor, 32), a.multiply(b))
    {
        return product;
    }
    let product = a.multiply(b);
    if minus {
        addend.minus(product)
    } else {
        addend.plus(product)
    }
}

/// Returns the Barrett product of x if `product` is the product of x and the number that the factor is an
/// approximation of.
fn barrett(x: Term, factor: i32, q: i64, product: Term) -> Option<Term> {
    let zeta = (2 * i128::from(factor) * i128::from(q) + (1 << 31)) >> 32;
    let by = Barrett {
        zeta: zeta.try_into().ok()?,
        factor,
        q: q.try_into().ok()?,
    };
    let expected = x.multiply(constant(32, by.zeta as u64));
    (product == expected).then(|| x.barrett(by))
}
