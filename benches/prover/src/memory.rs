//! Memory with concrete addresses and symbolic bytes.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};
use rustc_hash::FxHashMap;

use crate::cases::{self, Cases};
use crate::image::{Architecture, Image};
use crate::terms::{Node, Term, choose, constant, join, update, variable};

/// The address of the stack pointer at the call: a multiple of 64 with arbitrary bits.
pub(crate) const STACK: u64 = 0x7ffc_93a5_d6c0;
/// The same for processors of 32 bits.
pub(crate) const STACK_32: u64 = 0x93a5_d6c0;
/// The stack of a kernel must not be larger.
const STACK_SIZE: u64 = 0x4_0000;
/// What a called function may read above the stack pointer: its return address, or arguments.
const ABOVE_STACK: u64 = 16;
/// The most bits of a public input that is the index of a table.
const MOST_INDEX_BITS: usize = 8;

/// Memory that a function was given: its arguments, its stack and the constants of the image.
pub(crate) struct Memory<'a> {
    image: &'a Image,
    /// The stack pointer at the call.
    stack: u64,
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
        let stack = match image.architecture {
            Architecture::X86_64 | Architecture::Aarch64 => STACK,
            Architecture::Armv7m => STACK_32,
        };
        let mut memory = Self {
            image,
            stack,
            bytes: FxHashMap::default(),
            regions: Vec::new(),
            cases: None,
            constants: BTreeSet::new(),
        };
        memory.allow(stack - STACK_SIZE..stack + ABOVE_STACK, true);
        memory
    }

    pub(crate) fn architecture(&self) -> Architecture {
        self.image.architecture
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
        let (at, bits) = table_index(at)?;
        self.entry(at.wrapping_add(offset), &bits, width)
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

    /// Writes a term some bytes after an address. The address may be that of an entry of a table whose index
    /// is public: each entry becomes the term if the index is its own, and else stays as it is.
    pub(crate) fn store_to(&mut self, at: Term, offset: u64, term: Term) -> Result<()> {
        if let Some(entry) = self.place(at)? {
            return self.store(entry.wrapping_add(offset), term);
        }
        let (start, bits) = table_index(at)?;
        let index = join(&bits.iter().map(|(bit, _)| *bit).collect::<Vec<_>>());
        let address = |value: u64| {
            let steps = (0..).zip(&bits);
            steps.fold(start.wrapping_add(offset), |at, (number, (_, step))| {
                at.wrapping_add(step.wrapping_mul(value >> number & 1))
            })
        };
        let addresses: Vec<_> = (0..1 << bits.len()).map(address).collect();
        let mut ordered = addresses.clone();
        ordered.sort_unstable();
        let apart = |pair: &[u64]| pair[1] - pair[0] >= u64::from(term.width() / 8);
        ensure!(
            ordered.windows(2).all(apart),
            "the entries of the table overlap"
        );
        let load = |at: &u64| self.load(*at, term.width());
        let table: Result<Rc<[Term]>> = addresses.iter().map(load).collect();
        let updated = update(index, term, table?);
        let mut stores = addresses.iter().zip(updated.iter());
        stores.try_for_each(|(at, entry)| self.store(*at, *entry))
    }

    /// Returns the address of a store, unless it is that of an entry of a table whose index is public.
    fn place(&mut self, at: Term) -> Result<Option<u64>> {
        if self.cases.is_some() && !at.is_constant() && !cases::has_tests(at) {
            return Ok(None);
        }
        let what = "the address depends on an input";
        self.decide(at, what).map(Some)
    }

    /// Reads a term of 8 to 64 bits.
    pub(crate) fn load(&mut self, at: u64, width: u32) -> Result<Term> {
        let count = u64::from(width / 8);
        if !self.is_allowed(at, count, false) {
            return self.load_constant(at, width);
        }
        if let (8, Some((term, byte))) = (width, self.bytes.get(&at)) {
            return Ok(term.slice(8 * u32::from(*byte), 8));
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
            (self.stack - STACK_SIZE..self.stack).contains(&at),
            "it reads memory at {at:#x} that nothing wrote"
        );
        let any = variable(8, "uninitialised", (self.stack - at) as u32);
        self.bytes.insert(at, (any, 0));
        Ok((any, 0))
    }
}

/// Returns the address of the first entry of a table, and the bits of the index, each with the step that it adds.
fn table_index(at: Term) -> Result<(u64, Vec<(Term, u64)>)> {
    let node = at.node();
    let Node::Sum { terms, constant } = &*node else {
        bail!("the address is not that of an entry of a table: {at}");
    };
    let [(index, factor)] = terms[..] else {
        bail!("the address depends on several inputs: {at}");
    };
    let mut first = *constant;
    let mut bits = Vec::new();
    for bit in 0..index.width() {
        let (term, step) = (index.bit(bit), factor.wrapping_mul(1 << bit));
        match term.value() {
            Some(bit) => first = first.wrapping_add(step.wrapping_mul(bit)),
            None => bits.push((term, step)),
        }
    }
    ensure!(
        bits.len() <= MOST_INDEX_BITS,
        "the index of a table has {} bits",
        bits.len()
    );
    Ok((first, bits))
}
