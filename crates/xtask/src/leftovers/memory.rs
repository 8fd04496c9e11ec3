//! Reads the memory of another process.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use anyhow::{Context, Result};

/// Memory that a process can write to.
pub(crate) struct Region {
    /// The file or the use of the memory.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads all memory that the process can write to: its stack, its heap, its variables and all others.
pub(crate) fn read(process: u32) -> Result<Vec<Region>> {
    let maps = format!("/proc/{process}/maps");
    let maps = std::fs::read_to_string(&maps).context(maps)?;
    let mut memory = File::open(format!("/proc/{process}/mem"))?;
    maps.lines()
        .filter(|line| line.contains(" rw"))
        .map(|line| region(&mut memory, line).with_context(|| line.to_owned()))
        .collect()
}

/// Reads the region of one line: `start-end permissions offset device inode name`.
fn region(memory: &mut File, line: &str) -> Result<Region> {
    let mut words = line.split_whitespace();
    let range = words.next().unwrap_or_default();
    let (start, end) = range.split_once('-').context("no range")?;
    let (start, end) = (
        u64::from_str_radix(start, 16)?,
        u64::from_str_radix(end, 16)?,
    );
    let mut bytes = vec![0; usize::try_from(end - start)?];
    memory.seek(SeekFrom::Start(start))?;
    memory.read_exact(&mut bytes)?;
    let name = words.nth(4).unwrap_or("anonymous");
    let name = name.rsplit('/').next().unwrap_or(name);
    Ok(Region {
        name: name.to_owned(),
        bytes,
    })
}
