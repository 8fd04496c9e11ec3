//! Little-endian ELF files of 32 bits, which are programs for microcontrollers.

use std::path::Path;

use anyhow::{Context, Result};
use object::LittleEndian;
use object::elf::{FileHeader32, PT_LOAD, ProgramHeader32};
use object::read::elf::{FileHeader, ProgramHeader};

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

fn parse(elf: &[u8]) -> Result<Vec<Segment>> {
    let headers = FileHeader32::parse(elf)?.program_headers(LittleEndian, elf)?;
    let loaded = headers
        .iter()
        .filter(|header| header.p_type(LittleEndian) == PT_LOAD);
    let segment = |header: &ProgramHeader32<LittleEndian>| {
        let bytes = header.data(LittleEndian, elf).ok();
        Ok(Segment {
            used_at: header.p_vaddr(LittleEndian),
            stored_at: header.p_paddr(LittleEndian),
            bytes: bytes.context("a segment ends after the file")?.to_vec(),
            size: header.p_memsz(LittleEndian),
        })
    };
    loaded.map(segment).collect()
}
