//! Terms as text, for messages.

use std::fmt::{Display, Formatter, Result};

use super::{Name, Node, Term, signed};

const DEPTH: usize = 4;

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.group, self.index)
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(*self, DEPTH, f)
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        show(*self, 0, f)
    }
}

fn show(term: Term, depth: usize, f: &mut Formatter<'_>) -> Result {
    let node = term.node();
    match &*node {
        Node::Constant(value) => return write!(f, "{value:#x}:{}", term.width()),
        Node::Variable(name) => return write!(f, "{name}"),
        _ if depth == 0 => return write!(f, "…"),
        Node::Sum { terms, constant } => {
            write!(f, "(")?;
            for (term, factor) in terms.iter() {
                write!(f, "{}·", signed(*factor, term.width()))?;
                show(*term, depth - 1, f)?;
                write!(f, " + ")?;
            }
            return write!(f, "{}):{}", signed(*constant, term.width()), term.width());
        }
        Node::Slice { low, .. } => write!(f, "slice {low} ")?,
        Node::Join(_) => write!(f, "join")?,
        Node::SignExtend(_) => write!(f, "sign-extend")?,
        Node::Product(..) => write!(f, "product")?,
        Node::And(..) => write!(f, "and")?,
        Node::Or(..) => write!(f, "or")?,
        Node::Xor(..) => write!(f, "xor")?,
        Node::Not(_) => write!(f, "not")?,
        Node::Rotate(_, by) => write!(f, "rotate {by} ")?,
        Node::Equal(..) => write!(f, "equal")?,
        Node::Below(..) => write!(f, "below")?,
        Node::Less(..) => write!(f, "less")?,
        Node::Choose(..) => write!(f, "choose")?,
        Node::Absolute(_) => write!(f, "absolute")?,
        Node::High52(_, by) => write!(f, "high-52 {by} ")?,
        Node::DoublingHigh(_, by) => write!(f, "doubling-high {by} ")?,
        Node::Barrett(_, by) => write!(f, "Barrett {by:?} ")?,
    }
    let mut operands = Vec::new();
    node.each_operand(|operand| operands.push(operand));
    write!(f, "(")?;
    for (number, operand) in operands.into_iter().enumerate() {
        if number > 0 {
            write!(f, ", ")?;
        }
        show(operand, depth - 1, f)?;
    }
    write!(f, "):{}", term.width())
}
