//! The values of terms for many concrete inputs at once.

use rustc_hash::FxHashMap;

use crate::terms::{Name, Node, Term, in_order, mask, signed};
use crate::terms::{barrett_value, doubling_high_value, high_52_value};

/// Terms, prepared for evaluation. Each input of the terms is a column of values.
pub(crate) struct Evaluation {
    steps: Vec<Step>,
    names: Vec<Name>,
    roots: Vec<usize>,
}

/// A term, with the numbers of the steps that compute its operands.
struct Step {
    width: u32,
    node: std::rc::Rc<Node>,
    operands: Vec<(usize, u32)>,
}

impl Evaluation {
    pub(crate) fn of(roots: &[Term]) -> Self {
        let order = in_order(roots, |_| false);
        let numbers: FxHashMap<Term, usize> = order.iter().copied().zip(0..).collect();
        let mut names = Vec::new();
        let steps = order.iter().map(|term| {
            let node = term.node();
            let mut operands = Vec::new();
            node.each_operand(|operand| operands.push((numbers[&operand], operand.width())));
            if let Node::Variable(name) = *node {
                operands.push((names.len(), 0));
                names.push(name);
            }
            Step {
                width: term.width(),
                node,
                operands,
            }
        });
        Self {
            steps: steps.collect(),
            roots: roots.iter().map(|root| numbers[root]).collect(),
            names,
        }
    }

    /// Evaluates all terms for `count` inputs, of which the function gives a column for each name, and
    /// returns a column for each root.
    pub(crate) fn run(&self, count: usize, input: impl Fn(Name) -> Vec<u64>) -> Vec<Vec<u64>> {
        let mut columns = self.columns(count, input);
        let mut last = FxHashMap::default();
        for (at, root) in self.roots.iter().enumerate() {
            last.insert(*root, at);
        }
        let take = |(at, root): (usize, &usize)| match last[root] == at {
            true => std::mem::take(&mut columns[*root]),
            false => columns[*root].clone(),
        };
        self.roots.iter().enumerate().map(take).collect()
    }

    /// Evaluates all terms, and returns a column for each step.
    fn columns(&self, count: usize, input: impl Fn(Name) -> Vec<u64>) -> Vec<Vec<u64>> {
        let mut columns: Vec<Vec<u64>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let column = match *step.node {
                Node::Variable(_) => {
                    let mut column = input(self.names[step.operands[0].0]);
                    assert_eq!(column.len(), count);
                    column.iter_mut().for_each(|v| *v &= mask(step.width));
                    column
                }
                _ => step.apply(&columns, count),
            };
            columns.push(column);
        }
        columns
    }
}

impl Step {
    fn apply(&self, columns: &[Vec<u64>], count: usize) -> Vec<u64> {
        let ones = mask(self.width);
        let column = |operand: usize| &columns[self.operands[operand].0];
        let width = |operand: usize| self.operands[operand].1;
        let one = |f: &dyn Fn(&[u64], &mut [u64])| {
            let mut out = vec![0; count];
            f(column(0), &mut out);
            out
        };
        // Loops with a closure that is known to the compiler are vectorised.
        macro_rules! map {
            (|$x:ident| $value:expr) => {
                one(&|from, to| {
                    for (to, &$x) in to.iter_mut().zip(from) {
                        *to = $value & ones;
                    }
                })
            };
            (|$x:ident, $y:ident| $value:expr) => {{
                let mut out = vec![0; count];
                for ((to, &$x), &$y) in out.iter_mut().zip(column(0)).zip(column(1)) {
                    *to = $value & ones;
                }
                out
            }};
        }
        match &*self.node {
            Node::Constant(value) => vec![*value; count],
            Node::Variable(_) => unreachable!("an input has a column"),
            Node::Slice { low, .. } => map!(|x| x >> low),
            Node::Join(_) => {
                let mut out = vec![0; count];
                let mut at = 0;
                for (operand, width) in &self.operands {
                    for (to, x) in out.iter_mut().zip(&columns[*operand]) {
                        *to |= x << at;
                    }
                    at += width;
                }
                out
            }
            Node::SignExtend(_) => {
                let from = width(0);
                map!(|x| signed(x, from) as u64)
            }
            Node::Sum { terms, constant } => {
                let mut out = vec![*constant; count];
                for ((operand, _), (_, factor)) in self.operands.iter().zip(terms.iter()) {
                    for (to, x) in out.iter_mut().zip(&columns[*operand]) {
                        *to = to.wrapping_add(x.wrapping_mul(*factor));
                    }
                }
                out.iter_mut().for_each(|to| *to &= ones);
                out
            }
            Node::Product(..) => map!(|x, y| x.wrapping_mul(y)),
            Node::And(..) => map!(|x, y| x & y),
            Node::Or(..) => map!(|x, y| x | y),
            Node::Xor(..) => map!(|x, y| x ^ y),
            Node::Not(_) => map!(|x| !x),
            Node::Rotate(_, by) => {
                let back = self.width - by;
                map!(|x| x << by | x >> back)
            }
            Node::Equal(..) => map!(|x, y| u64::from(x == y)),
            Node::Below(..) => map!(|x, y| u64::from(x < y)),
            Node::Less(..) => {
                let from = width(0);
                map!(|x, y| u64::from(signed(x, from) < signed(y, from)))
            }
            Node::Choose(..) => {
                let chosen = column(0).iter().zip(column(1)).zip(column(2));
                chosen
                    .map(|((c, a), b)| if *c == 1 { *a } else { *b })
                    .collect()
            }
            Node::Absolute(_) => {
                let from = self.width;
                map!(|x| signed(x, from).unsigned_abs())
            }
            Node::High52(_, factor) => map!(|x| high_52_value(x, *factor)),
            Node::DoublingHigh(_, factor) => {
                map!(|x| doubling_high_value(x as i32, *factor) as u64)
            }
            Node::Barrett(_, by) => map!(|x| barrett_value(x as i32, *by) as u64),
        }
    }
}
