//! Memory with concrete addresses and symbolic bytes.

use std::collections::BTreeSet;
use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};
use rustc_hash::FxHashMap;

use crate::cases::Cases;
use crate::image::Image;
use crate::terms::{Node, Term, choose, constant, join, variable};

/// The address of the stack pointer at the call: a multiple of 64 with arbitrary bits.
pub(crate) const STACK: u64 = 0x7ffc_93a5_d6c0;
/// The stack of a kernel must not be larger.
const STACK_SIZE: u64 = 0x4_0000;
/// What a called function may read above the stack pointer: its return address.
const ABOVE_STACK: u64 = 16;
/// The most bits of a public input that is the index of a table.
const MOST_INDEX_BITS: usize = 8;

/// Memory that a function was given: its arguments, its stack and the constants of the image.
pub(crate) struct Memory<'a> {
    image: &'a Image,
    /// Each byte is the byte of a term with this number.
    bytes: FxHashMap<u64, (Term, u8)>,
    regions: Vec<Region>,
    /// The cases of public inputs, if branches and addresses may depend on them.
    pub(crate) cases: Option<Cases>,
    /// The bytes of the image that were read.
    pub(crate) constants: BTreeSet<u64>,
}

struct Region {
    range: Range<u64>,
    writable: bool,
}

impl<'a> Memory<'a> {
    pub(crate) fn new(image: &'a Image) -> Self {
        let mut memory = Self {
            image,
            bytes: FxHashMap::default(),
            regions: Vec::new(),
            cases: None,
            constants: BTreeSet::new(),
        };
        memory.allow(STACK - STACK_SIZE..STACK + ABOVE_STACK, true);
        memory
    }

    /// Allows accesses to a region.
    pub(crate) fn allow(&mut self, range: Range<u64>, writable: bool) {
        self.regions.push(Region { range, writable });
    }

    fn is_allowed(&self, at: u64, bytes: u64, write: bool) -> bool {
        let mut regions = self.regions.iter();
        regions.any(|region| {
            region.range.start <= at
                && at + bytes <= region.range.end
                && (region.writable || !write)
        })
    }

    /// Writes a term, without a check of the regions: for arguments.
    pub(crate) fn set(&mut self, at: u64, term: Term) {
        for byte in 0..term.width() / 8 {
            self.bytes.insert(at + u64::from(byte), (term, byte as u8));
        }
    }

    pub(crate) fn store(&mut self, at: u64, term: Term) -> Result<()> {
        let bytes = u64::from(term.width() / 8);
        ensure!(
            self.is_allowed(at, bytes, true),
            "it writes {bytes} bytes at {at:#x}, which is outside of what it was given"
        );
        self.set(at, term);
        Ok(())
    }

    /// Returns the value of a term that decides about the control flow or about an address: a constant, or
    /// one of the values that it can have in the case of public inputs.
    pub(crate) fn decide(&mut self, term: Term, what: &'static str) -> Result<u64> {
        match (term.value(), &mut self.cases) {
            (Some(value), _) => Ok(value),
            (None, Some(cases)) => cases.decide(term).context(what),
            (None, None) => bail!(what),
        }
    }

    /// Reads a term of 8 to 64 bits, some bytes after an address. The address may be that of an entry of a
    /// table whose index is public.
    pub(crate) fn load_from(&mut self, at: Term, offset: u64, width: u32) -> Result<Term> {
        if let Some(at) = at.value() {
            return self.load(at.wrapping_add(offset), width);
        }
        ensure!(self.cases.is_some(), "the address depends on an input");
        let node = at.node();
        let Node::Sum { terms, constant } = &*node else {
            bail!("the address is not that of an entry of a table: {at}");
        };
        let [(index, factor)] = terms[..] else {
            bail!("the address depends on several inputs: {at}");
        };
        let mut at = constant.wrapping_add(offset);
        let mut bits = Vec::new();
        for bit in 0..index.width() {
            let (term, step) = (index.bit(bit), factor.wrapping_mul(1 << bit));
            match term.value() {
                Some(bit) => at = at.wrapping_add(step.wrapping_mul(bit)),
                None => bits.push((term, step)),
            }
        }
        ensure!(
            bits.len() <= MOST_INDEX_BITS,
            "the index of a table has {} bits",
            bits.len()
        );
        self.entry(at, &bits, width)
    }

    /// Returns the entry of a table at an address to which each bit adds its step.
    fn entry(&mut self, at: u64, bits: &[(Term, u64)], width: u32) -> Result<Term> {
        let Some(((bit, step), rest)) = bits.split_last() else {
            return self.load(at, width);
        };
        let one = self.entry(at.wrapping_add(*step), rest, width)?;
        let zero = self.entry(at, rest, width)?;
        Ok(choose(*bit, one, zero))
    }

    /// Reads a term of 8 to 64 bits.
    pub(crate) fn load(&mut self, at: u64, width: u32) -> Result<Term> {
        let count = u64::from(width / 8);
        if !self.is_allowed(at, count, false) {
            return self.load_constant(at, width);
        }
        let mut parts = Vec::new();
        let mut done = 0;
        while done < count {
            let (term, byte) = self.byte(at + done)?;
            let mut run = 1;
            while done + run < count
                && self.bytes.get(&(at + done + run)) == Some(&(term, byte + run as u8))
            {
                run += 1;
            }
            parts.push(term.slice(8 * u32::from(byte), 8 * run as u32));
            done += run;
        }
        Ok(join(&parts))
    }

    /// Reads the constants of the image.
    fn load_constant(&mut self, at: u64, width: u32) -> Result<Term> {
        let mut value = 0;
        for byte in 0..u64::from(width / 8) {
            let Some(constant) = self.image.constant_byte(at + byte) else {
                bail!("it reads {width} bits at {at:#x}, which is outside of what it was given");
            };
            self.constants.insert(at + byte);
            value |= u64::from(constant) << (8 * byte);
        }
        Ok(constant(width, value))
    }

    /// Returns the term of a byte, and which of its bytes it is.
    fn byte(&mut self, at: u64) -> Result<(Term, u8)> {
        if let Some(known) = self.bytes.get(&at) {
            return Ok(*known);
        }
        // The padding of a copied structure has any value; a proof about results holds for all of them.
        ensure!(
            (STACK - STACK_SIZE..STACK).contains(&at),
            "it reads memory at {at:#x} that nothing wrote"
        );
        let any = variable(8, "uninitialised", (STACK - at) as u32);
        self.bytes.insert(at, (any, 0));
        Ok((any, 0))
    }
}
