//! Outputs that each depend on the inputs of their own position alone.
//!
//! Such outputs are the same few terms with other inputs. Each of these terms is evaluated for all inputs
//! that the claim is about.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use crate::evaluate::Evaluation;
use crate::terms::{Name, Renaming, Term, variable, variables};

/// How many inputs are evaluated at once.
const AT_ONCE: usize = 1 << 11;

/// Renames the inputs of the outputs to those of position 0, and returns the different terms. An input of
/// another position is an error.
pub(super) fn shapes(outputs: &[Term], widths: &BTreeMap<&'static str, u32>) -> Result<Vec<Term>> {
    let mut found = Vec::new();
    for (j, output) in (0..).zip(outputs) {
        for name in variables(&[*output]) {
            ensure!(
                name.index == j && widths.contains_key(name.group),
                "output {j} depends on {name}"
            );
        }
        let first = |name: Name| variable(widths[name.group], name.group, 0);
        let shape = Renaming::new(first).apply(*output);
        if !found.contains(&shape) {
            found.push(shape);
        }
    }
    Ok(found)
}

/// Calls a function with consecutive inputs from `low` to `high`, some at a time.
fn each_block(low: i64, high: i64, mut f: impl FnMut(&[i64]) -> Result<()>) -> Result<()> {
    let mut next = low;
    let mut block = Vec::with_capacity(AT_ONCE);
    while next <= high {
        let end = high.min(next + AT_ONCE as i64 - 1);
        block.clear();
        block.extend(next..=end);
        f(&block)?;
        next = end + 1;
    }
    Ok(())
}

/// The inputs of position 0 that a claim is about: an integer, and perhaps another one that has one value.
pub(super) struct Inputs {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) fixed: Option<(&'static str, u64)>,
}

/// Checks that each of the terms has the value that `expected` returns, for all inputs. `expected` writes
/// one value for each term. Values are compared as unsigned integers of the width of the term.
pub(super) fn check_all<const TERMS: usize>(
    shapes: &[Vec<Term>; TERMS],
    inputs: &Inputs,
    expected: impl Fn(i64) -> [i64; TERMS],
) -> Result<u64> {
    let roots: Vec<_> = shapes.iter().flatten().copied().collect();
    let evaluation = Evaluation::of(&roots);
    each_block(inputs.low, inputs.high, |block| {
        let input = |name: Name| match inputs.fixed {
            Some((group, value)) if group == name.group => vec![value; block.len()],
            _ => block.iter().map(|value| *value as u64).collect(),
        };
        let columns = evaluation.run(block.len(), input);
        let mut columns = columns.iter();
        let wanted: Vec<_> = block.iter().map(|value| expected(*value)).collect();
        for (which, shapes) in shapes.iter().enumerate() {
            for (shape, column) in shapes.iter().zip(&mut columns) {
                let ones = crate::terms::mask(shape.width());
                let pairs = column.iter().zip(&wanted).zip(block);
                for ((got, wanted), input) in pairs {
                    let wanted = wanted[which] as u64 & ones;
                    ensure!(
                        *got == wanted,
                        "output number {which} for {input} is {got:#x} instead of {wanted:#x}"
                    );
                }
            }
        }
        Ok(())
    })?;
    Ok((inputs.high - inputs.low + 1) as u64)
}
