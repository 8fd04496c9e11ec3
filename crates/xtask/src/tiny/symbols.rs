//! The symbols of a program for bare metal.

use anyhow::{Context, Result};
use object::LittleEndian;
use object::elf::FileHeader32;
use object::read::elf::{FileHeader, Sym};

/// Returns the sizes and names of all symbols.
pub(crate) fn of(elf: &[u8]) -> Result<Vec<(u32, String)>> {
    let header = FileHeader32::<LittleEndian>::parse(elf)?;
    let sections = header.sections(LittleEndian, elf)?;
    let symbols = sections.symbols(LittleEndian, elf, object::elf::SHT_SYMTAB)?;
    let symbol = |symbol: &object::elf::Sym32<LittleEndian>| {
        let name = symbol.name(LittleEndian, symbols.strings())?;
        let name = std::str::from_utf8(name).context("a name is not UTF-8")?;
        let name = format!("{:#}", rustc_demangle::demangle(name));
        Ok((symbol.st_size(LittleEndian), name))
    };
    symbols.iter().map(symbol).collect()
}
