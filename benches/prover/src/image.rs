//! The compiled code: segments, relocations and symbols of a shared object.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail};
use object::read::elf::{ElfFile64, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol, RelocationFlags, RelocationTarget, elf};

/// An instruction set that the prover has a model of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Architecture {
    X86_64,
    Aarch64,
}

/// A part of the file in memory.
#[derive(Clone)]
pub(crate) struct Segment {
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
    /// Where the bytes are in the file.
    pub(crate) offset: u64,
    writable: bool,
}

/// A shared object, loaded at address 0.
#[derive(Clone)]
pub(crate) struct Image {
    pub(crate) architecture: Architecture,
    pub(crate) segments: Vec<Segment>,
    /// The part of a writable segment that is not written to after the relocations.
    relocated: Range<u64>,
    symbols: BTreeMap<String, u64>,
    /// Addresses that stand for functions of the C library.
    external: BTreeMap<u64, String>,
}

/// The address of the first function of the C library.
const EXTERNAL: u64 = 0x7000_0000_0000;

impl Image {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let data = std::fs::read(path).with_context(|| path.display().to_string())?;
        Self::parse(&data).with_context(|| path.display().to_string())
    }

    /// Returns an image with a function `f`.
    #[cfg(test)]
    pub(crate) fn of_code(architecture: Architecture, code: &[u8]) -> Self {
        Self {
            architecture,
            segments: vec![Segment {
                start: 0x1000,
                bytes: code.to_vec(),
                offset: 0,
                writable: false,
            }],
            relocated: 0..0,
            symbols: BTreeMap::from([("f".to_owned(), 0x1000)]),
            external: BTreeMap::new(),
        }
    }

    fn parse(data: &[u8]) -> Result<Self> {
        let file = ElfFile64::<Endianness>::parse(data)?;
        let endian = file.endian();
        let architecture = match file.architecture() {
            object::Architecture::X86_64 => Architecture::X86_64,
            object::Architecture::Aarch64 => Architecture::Aarch64,
            other => bail!("there is no model of {other:?}"),
        };
        let mut image = Self {
            architecture,
            segments: Vec::new(),
            relocated: 0..0,
            symbols: BTreeMap::new(),
            external: BTreeMap::new(),
        };
        for header in file.elf_program_headers() {
            let start = header.p_vaddr(endian);
            match header.p_type(endian) {
                elf::PT_LOAD => image.segments.push(Segment {
                    start,
                    bytes: header
                        .data(endian, data)
                        .ok()
                        .context("a segment ends after the file")?
                        .to_vec(),
                    offset: header.p_offset(endian),
                    writable: header.p_flags(endian).0 & elf::PF_W.0 != 0,
                }),
                elf::PT_GNU_RELRO => image.relocated = start..start + header.p_memsz(endian),
                _ => {}
            }
        }
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            if symbol.is_definition() && symbol.kind() == object::SymbolKind::Text {
                let name = symbol.name()?;
                let name = format!("{:#}", rustc_demangle::demangle(name));
                image.symbols.insert(name, symbol.address());
            }
        }
        image.relocate(&file)?;
        Ok(image)
    }

    fn relocate(&mut self, file: &ElfFile64<'_, Endianness>) -> Result<()> {
        let symbols = file.dynamic_symbol_table().context("no dynamic symbols")?;
        for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else {
                bail!("a relocation that is not of ELF");
            };
            let kind = Kind::of(self.architecture, r_type)?;
            let value = match (kind, relocation.target()) {
                (Kind::Relative, _) => relocation.addend() as u64,
                (Kind::Symbol, RelocationTarget::Symbol(index)) => {
                    let symbol = object::ObjectSymbolTable::symbol_by_index(&symbols, index)?;
                    if symbol.is_undefined() {
                        let at = EXTERNAL + 16 * self.external.len() as u64;
                        self.external.insert(at, symbol.name()?.to_owned());
                        at
                    } else {
                        symbol.address().wrapping_add_signed(relocation.addend())
                    }
                }
                _ => bail!("the relocation at {at:#x} has no symbol"),
            };
            let bytes = self.segments.iter_mut().find_map(|segment| {
                let offset = usize::try_from(at.checked_sub(segment.start)?).ok()?;
                segment.bytes.get_mut(offset..offset + 8)
            });
            let bytes = bytes.with_context(|| format!("the relocation at {at:#x} is nowhere"))?;
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        Ok(())
    }

    /// Returns the address of the function whose name, without its crate's hash, is this one.
    pub(crate) fn symbol(&self, name: &str) -> Result<u64> {
        let found = self.symbols.get(name);
        found
            .copied()
            .with_context(|| format!("there is no function {name}"))
    }

    /// Returns the function of the C library that an address stands for.
    pub(crate) fn external(&self, at: u64) -> Option<&str> {
        self.external.get(&at).map(String::as_str)
    }

    /// Returns the functions of the C library and the addresses that stand for them.
    #[cfg(feature = "unicorn")]
    pub(crate) fn externals(&self) -> impl Iterator<Item = (u64, String)> {
        self.external.iter().map(|(at, name)| (*at, name.clone()))
    }

    /// Returns the bytes of a segment from an address on.
    pub(crate) fn bytes(&self, at: u64) -> Option<&[u8]> {
        self.segments.iter().find_map(|segment| {
            let offset = usize::try_from(at.checked_sub(segment.start)?).ok()?;
            segment.bytes.get(offset..).filter(|rest| !rest.is_empty())
        })
    }

    /// Returns a byte that nothing can have changed since the start of the program.
    pub(crate) fn constant_byte(&self, at: u64) -> Option<u8> {
        let segment = self.segments.iter().find(|segment| segment.contains(at))?;
        let fixed = !segment.writable || self.relocated.contains(&at);
        fixed.then(|| segment.bytes[(at - segment.start) as usize])
    }

    /// Returns the position in the file of a byte that no relocation can change.
    pub(crate) fn file_offset(&self, at: u64) -> Option<u64> {
        let segment = self.segments.iter().find(|segment| segment.contains(at))?;
        (!segment.writable).then(|| segment.offset + (at - segment.start))
    }

    /// Flips a bit of code or of a table.
    pub(crate) fn flip(&mut self, at: u64, bit: u32) -> Result<()> {
        let mut segments = self.segments.iter_mut();
        let segment = segments.find(|segment| segment.contains(at));
        let segment = segment.with_context(|| format!("there is no byte at {at:#x}"))?;
        segment.bytes[(at - segment.start) as usize] ^= 1 << bit;
        Ok(())
    }
}

impl Segment {
    fn contains(&self, at: u64) -> bool {
        at >= self.start && at - self.start < self.bytes.len() as u64
    }
}

/// What a relocation writes.
enum Kind {
    /// An address of the object.
    Relative,
    /// The address of a symbol.
    Symbol,
}

impl Kind {
    fn of(architecture: Architecture, number: elf::RelocationType) -> Result<Self> {
        Ok(match (architecture, number) {
            (Architecture::X86_64, elf::R_X86_64_RELATIVE)
            | (Architecture::Aarch64, elf::R_AARCH64_RELATIVE) => Self::Relative,
            (
                Architecture::X86_64,
                elf::R_X86_64_64 | elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT,
            )
            | (
                Architecture::Aarch64,
                elf::R_AARCH64_ABS64 | elf::R_AARCH64_GLOB_DAT | elf::R_AARCH64_JUMP_SLOT,
            ) => Self::Symbol,
            (_, number) => bail!("there is no rule for relocations of type {number:?}"),
        })
    }
}
