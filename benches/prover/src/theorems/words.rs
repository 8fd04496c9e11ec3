//! Arithmetic of zkDilithium's Poseidon in the words of a register: products, Montgomery reductions with 32 or
//! 52 bits, and representatives.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::claim::{Claim, inputs};
use super::lanes::{Inputs, check_all, shapes};
use crate::machine::{Argument, Call, Executor};
use crate::numbers::{Form, Monomial, Numbers};
use crate::specification::{ZK_DILITHIUM, modulo};
use crate::terms::Name;

/// The words of a call.
const WORDS: u32 = 8;
const Q: i64 = ZK_DILITHIUM.q;

/// For all a from 0 to 2⁵², the outputs are from 0 to `output`, and a/R modulo q, where R is the radix of the
/// backend: 2³² or −2⁵².
pub(super) struct Reduce {
    pub(super) symbol: String,
    pub(super) radix: i128,
    pub(super) output: i128,
}

impl Reduce {
    pub(super) fn new(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_reduce_words"),
            radix: if backend == "avx512" {
                -1 << 52
            } else {
                1 << 32
            },
            output: i128::from(Q) + (1 << 20),
        }
    }
}

impl Claim for Reduce {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let call = Call::new(
            &self.symbol,
            vec![Argument::in_place(inputs("a", WORDS, 64))],
        );
        let outputs = executor.call(&call)?.values(&call, 0)?;
        let mut numbers = Numbers::of_unsigned(Q, |_| (1 << 52) - 1);
        let mut most = 0;
        for (index, output) in (0..).zip(outputs) {
            let number = numbers.of(output);
            let form = number.form.as_deref();
            let form = form.with_context(|| format!("word {index} is not known: {output}"))?;
            // R times the output is a.
            let name = Name { group: "a", index };
            ensure!(
                form.scaled(self.radix, Q) == Form::variable(name),
                "word {index} is another number modulo q"
            );
            ensure!(
                number.low >= 0 && number.high <= self.output,
                "word {index} is from {} to {}",
                number.low,
                number.high
            );
            most = most.max(number.high);
        }
        Ok(format!("out ≤ {most}, documented {}", self.output))
    }
}

/// For all a from 0 to 2⁵¹ and all b and c from 0 to `factor`, a becomes a + bc.
pub(super) struct MultiplyAdd {
    pub(super) symbol: String,
    pub(super) factor: i64,
}

impl MultiplyAdd {
    pub(super) fn new(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_mul_add_words"),
            factor: (1 << 25) - 1,
        }
    }
}

impl Claim for MultiplyAdd {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let [a, b, c] = ["a", "b", "c"].map(|group| {
            let width = if group == "a" { 64 } else { 26 };
            let words = inputs(group, WORDS, width).into_iter();
            words.map(|word| word.zero_extend(64)).collect()
        });
        let arguments = vec![
            Argument::in_place(a),
            Argument::read_only(b),
            Argument::read_only(c),
        ];
        let call = Call::new(&self.symbol, arguments);
        let outputs = executor.call(&call)?.values(&call, 0)?;
        // A prime that is larger than each of these integers, so that they are equal if they are equal
        // modulo it.
        let modulus = (1 << 61) - 1;
        let bound = |name: Name| match name.group {
            "a" => 1 << 51,
            _ => self.factor,
        };
        let mut numbers = Numbers::of_unsigned(modulus, bound);
        for (index, output) in (0..).zip(outputs) {
            let number = numbers.of(output);
            let [a, b, c] = ["a", "b", "c"].map(|group| Name { group, index });
            let terms = [(Monomial::of(a), 1), (Monomial::product(b, c), 1)];
            let expected = Form::from_terms(terms, modulus);
            ensure!(
                number.form.as_deref() == Some(&expected) && number.high < 1 << 53,
                "word {index} is another number: {output}"
            );
        }
        Ok(format!("b, c ≤ {}", self.factor))
    }
}

/// For all a from 0 to 2q − 1, a becomes a modulo q.
pub(super) struct Canonical {
    pub(super) symbol: String,
    /// The first number that is not an input.
    pub(super) end: i64,
}

impl Canonical {
    pub(super) fn new(backend: &str) -> Self {
        Self {
            symbol: format!("{backend}_canonical_words"),
            end: 2 * Q,
        }
    }
}

impl Claim for Canonical {
    fn prove(&self, executor: &mut Executor<'_>) -> Result<String> {
        let call = Call::new(
            &self.symbol,
            vec![Argument::in_place(inputs("a", WORDS, 64))],
        );
        let outputs = executor.call(&call)?.values(&call, 0)?;
        let shapes = [shapes(&outputs, &BTreeMap::from([("a", 64)]))?];
        let inputs = Inputs {
            low: 0,
            high: self.end - 1,
            fixed: None,
        };
        let checked = check_all(&shapes, &inputs, |a| [modulo(a, Q)])?;
        let different = shapes[0].len();
        Ok(format!(
            "{different} different terms, each for all {checked} inputs"
        ))
    }
}
