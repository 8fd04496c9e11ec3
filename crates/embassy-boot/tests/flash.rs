//! A flash that loses its power. The tests and the program for QEMU share this file, so it needs `core` only.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

/// The size of a word, which is written completely or not at all, unless the cut says otherwise.
pub(crate) const WORD: usize = 4;

/// Where an operation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The number of bytes that are written or erased.
    pub(crate) done: usize,
    /// What happens to the bytes after them.
    pub(crate) tear: Tear,
}

/// What happens to the bytes after those that are written or erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tear {
    /// They are as before.
    Clean,
    /// A write stops within the next word, at this byte.
    Word(usize),
    /// All others of an erasure have content that nobody chose.
    Noise,
}

/// Decides when the power is lost.
pub(crate) trait Power {
    /// Called before each write and each erasure of `length` bytes.
    fn next(&mut self, length: usize) -> Option<Cut>;
    /// Called after the power was lost. On the board it does not return.
    fn lost(&mut self);
}

/// NOR flash in memory that outlives the power. A write changes ones to zeros, and an erasure sets a page to ones.
pub(crate) struct Flash<'m, P, const PAGE: usize> {
    memory: &'m mut [u8],
    pub(crate) power: P,
    on: bool,
}

impl<'m, P: Power, const PAGE: usize> Flash<'m, P, PAGE> {
    pub(crate) fn new(memory: &'m mut [u8], power: P) -> Self {
        Self {
            memory,
            power,
            on: true,
        }
    }

    fn part(&mut self, from: usize, to: usize, align: usize) -> Result<&mut [u8], Failure> {
        let aligned = from.is_multiple_of(align) && to.is_multiple_of(align);
        let kind = if aligned {
            NorFlashErrorKind::OutOfBounds
        } else {
            NorFlashErrorKind::NotAligned
        };
        let part = self.memory.get_mut(from..to).filter(|_| aligned);
        part.ok_or(Failure(kind))
    }

    /// What the next operation does, and an error if the power is off.
    fn begin(&mut self, length: usize) -> Result<Option<Cut>, Failure> {
        if !self.on {
            return Err(OFF);
        }
        Ok(self.power.next(length))
    }

    fn end(&mut self, cut: Option<Cut>) -> Result<(), Failure> {
        if cut.is_none() {
            return Ok(());
        }
        self.on = false;
        self.power.lost();
        Err(OFF)
    }
}

const OFF: Failure = Failure(NorFlashErrorKind::Other);

/// The error of this flash; the kind `Other` if the power was lost, or if a write needs an erasure.
#[derive(Debug)]
pub(crate) struct Failure(NorFlashErrorKind);

impl NorFlashError for Failure {
    fn kind(&self) -> NorFlashErrorKind {
        self.0
    }
}

impl<P, const PAGE: usize> ErrorType for Flash<'_, P, PAGE> {
    type Error = Failure;
}

impl<P: Power, const PAGE: usize> ReadNorFlash for Flash<'_, P, PAGE> {
    const READ_SIZE: usize = WORD;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Failure> {
        if !self.on {
            return Err(OFF);
        }
        let from = offset as usize;
        let part = self.part(from, from.saturating_add(bytes.len()), WORD)?;
        bytes.copy_from_slice(part);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.memory.len()
    }
}

impl<P: Power, const PAGE: usize> NorFlash for Flash<'_, P, PAGE> {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Failure> {
        let cut = self.begin(bytes.len())?;
        let done = match cut {
            None => bytes.len(),
            Some(Cut {
                done,
                tear: Tear::Word(more),
            }) => done.saturating_add(more),
            Some(Cut { done, .. }) => done,
        };
        let from = offset as usize;
        let part = self.part(from, from.saturating_add(bytes.len()), WORD)?;
        for (old, new) in part.iter_mut().zip(bytes).take(done) {
            if *new & !*old != 0 {
                return Err(OFF);
            }
            *old &= *new;
        }
        self.end(cut)
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Failure> {
        let length = to.saturating_sub(from) as usize;
        let cut = self.begin(length)?;
        let done = cut.map_or(length, |cut| cut.done).min(length);
        let part = self.part(from as usize, to as usize, PAGE)?;
        let (erased, rest) = part.split_at_mut(done);
        erased.fill(0xff);
        if cut.is_some_and(|cut| cut.tear == Tear::Noise) {
            let mut noise = from ^ 0x9e37_79b9;
            for byte in rest {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = noise.to_be_bytes()[0];
            }
        }
        self.end(cut)
    }
}
