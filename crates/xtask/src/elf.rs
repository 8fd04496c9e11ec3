//! Little-endian ELF files of 32 bits, which are programs for microcontrollers.

use std::path::Path;

use anyhow::{Context, Result};

/// A segment that is loaded into memory.
pub(crate) struct Segment {
    /// The address at which the program uses it.
    pub(crate) used_at: u32,
    /// The address at which it is stored.
    pub(crate) stored_at: u32,
    /// The stored bytes.
    pub(crate) bytes: Vec<u8>,
    /// The size in memory, with the bytes that are not stored.
    pub(crate) size: u32,
}

/// Returns the segments of a program that are loaded into memory.
pub(crate) fn segments(program: &Path) -> Result<Vec<Segment>> {
    let elf = std::fs::read(program).with_context(|| program.display().to_string())?;
    parse(&elf).with_context(|| format!("{} is not an ELF file", program.display()))
}

fn parse(elf: &[u8]) -> Option<Vec<Segment>> {
    let half = |at: usize| Some(u16::from_le_bytes(*elf.get(at..)?.first_chunk()?).into());
    let word = |at: usize| Some(u32::from_le_bytes(*elf.get(at..)?.first_chunk()?));
    let index = |at: usize| usize::try_from(word(at)?).ok();
    let (headers, length, count): (usize, usize, usize) = (index(28)?, half(42)?, half(44)?);
    let headers = (0..count).map(|i| headers + i * length);
    const LOAD: u32 = 1;
    let loaded = headers.filter(|at| word(*at) == Some(LOAD));
    let segment = |at: usize| {
        Some(Segment {
            used_at: word(at + 8)?,
            stored_at: word(at + 12)?,
            bytes: elf.get(index(at + 4)?..)?.get(..index(at + 16)?)?.to_vec(),
            size: word(at + 20)?,
        })
    };
    loaded.map(segment).collect()
}
