//! The compiled code: segments, relocations and symbols of a shared object, or of a program for bare metal.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{Endianness, FileKind, Object, ObjectSymbol, RelocationFlags, RelocationTarget, elf};

/// An instruction set that the prover has a model of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Architecture {
    X86_64,
    Aarch64,
    Armv7m,
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

/// A shared object, loaded at address 0, and perhaps a program at another one; or a program at its own address.
#[derive(Clone)]
pub(crate) struct Image {
    pub(crate) architecture: Architecture,
    pub(crate) segments: Vec<Segment>,
    /// The parts of writable segments that are not written to after the relocations.
    relocated: Vec<Range<u64>>,
    /// The addresses of each function, by its name without the hash of its crate. Programs can contain copies.
    symbols: BTreeMap<String, Vec<u64>>,
    /// Addresses that stand for functions of the C library.
    external: BTreeMap<u64, String>,
    /// For the kernels of the shared object, those of the program with the same name.
    replacements: BTreeMap<u64, Vec<u64>>,
}

/// The address of the first function of the C library.
const EXTERNAL: u64 = 0x7000_0000_0000;
/// The address of a program beside the shared object.
const PROGRAM: u64 = 0x5000_0000_0000;

impl Image {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let data = std::fs::read(path).with_context(|| path.display().to_string())?;
        Self::parse(&data, 0).with_context(|| path.display().to_string())
    }

    /// Adds a program. Its kernels replace those of the same name when the shared object is executed.
    pub(crate) fn add_program(&mut self, path: &Path) -> Result<()> {
        let data = std::fs::read(path).with_context(|| path.display().to_string())?;
        let program = Self::parse(&data, PROGRAM).with_context(|| path.display().to_string())?;
        ensure!(
            program.architecture == self.architecture,
            "{} is for another processor",
            path.display()
        );
        let mut kernels = BTreeMap::<_, Vec<_>>::new();
        for (name, copies) in &program.symbols {
            if let Some(name) = kernel(name) {
                kernels.entry(name).or_default().extend(copies);
            }
        }
        for (name, replaced) in &self.symbols {
            if let Some(copies) = kernel(name).and_then(|name| kernels.get(&name)) {
                let replaced = replaced.iter().map(|at| (*at, copies.clone()));
                self.replacements.extend(replaced);
            }
        }
        self.segments.extend(program.segments);
        self.relocated.extend(program.relocated);
        self.external.extend(program.external);
        Ok(())
    }

    /// Returns the functions of the program that replace the one at an address.
    pub(crate) fn replacements(&self, at: u64) -> &[u64] {
        self.replacements.get(&at).map_or(&[], Vec::as_slice)
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
            relocated: Vec::new(),
            symbols: BTreeMap::from([("f".to_owned(), vec![0x1000])]),
            external: BTreeMap::new(),
            replacements: BTreeMap::new(),
        }
    }

    /// Reads an object that is loaded at an address.
    fn parse(data: &[u8], base: u64) -> Result<Self> {
        match FileKind::parse(data)? {
            FileKind::Elf32 => Self::of_file::<elf::FileHeader32<Endianness>>(data, base),
            _ => Self::of_file::<elf::FileHeader64<Endianness>>(data, base),
        }
    }

    fn of_file<H: FileHeader<Endian = Endianness>>(data: &[u8], base: u64) -> Result<Self> {
        let file = ElfFile::<H>::parse(data)?;
        let endian = file.endian();
        let architecture = match file.architecture() {
            object::Architecture::X86_64 => Architecture::X86_64,
            object::Architecture::Aarch64 => Architecture::Aarch64,
            object::Architecture::Arm => Architecture::Armv7m,
            other => bail!("there is no model of {other:?}"),
        };
        let mut image = Self {
            architecture,
            segments: Vec::new(),
            relocated: Vec::new(),
            symbols: BTreeMap::new(),
            external: BTreeMap::new(),
            replacements: BTreeMap::new(),
        };
        for header in file.elf_program_headers() {
            let start = base + header.p_vaddr(endian).into();
            match header.p_type(endian) {
                elf::PT_LOAD => image.segments.push(Segment {
                    start,
                    bytes: header
                        .data(endian, data)
                        .ok()
                        .context("a segment ends after the file")?
                        .to_vec(),
                    offset: header.p_offset(endian).into(),
                    writable: header.p_flags(endian).0 & elf::PF_W.0 != 0,
                }),
                elf::PT_GNU_RELRO => {
                    let range = start..start + header.p_memsz(endian).into();
                    image.relocated.push(range);
                }
                _ => {}
            }
        }
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            if symbol.is_definition() && symbol.kind() == object::SymbolKind::Text {
                let name = symbol.name()?;
                let name = format!("{:#}", rustc_demangle::demangle(name));
                // The lowest bit of an address of ARM says that the code is Thumb.
                let thumb = u64::from(architecture == Architecture::Armv7m);
                let at = base + (symbol.address() & !thumb);
                let copies = image.symbols.entry(name).or_default();
                // The tables of symbols overlap.
                if !copies.contains(&at) {
                    copies.push(at);
                }
            }
        }
        image.relocate(&file, base)?;
        Ok(image)
    }

    fn relocate<H: FileHeader<Endian = Endianness>>(
        &mut self,
        file: &ElfFile<'_, H>,
        base: u64,
    ) -> Result<()> {
        let Some(symbols) = file.dynamic_symbol_table() else {
            // A program at its own address has no relocations.
            return Ok(());
        };
        for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else {
                bail!("a relocation that is not of ELF");
            };
            let kind = Kind::of(self.architecture, r_type)?;
            let at = base + at;
            let value = match (kind, relocation.target()) {
                (Kind::Relative, _) => base.wrapping_add_signed(relocation.addend()),
                (Kind::Symbol, RelocationTarget::Symbol(index)) => {
                    let symbol = object::ObjectSymbolTable::symbol_by_index(&symbols, index)?;
                    if symbol.is_undefined() {
                        let at = EXTERNAL + base + 16 * self.external.len() as u64;
                        self.external.insert(at, symbol.name()?.to_owned());
                        at
                    } else {
                        (base + symbol.address()).wrapping_add_signed(relocation.addend())
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
        let found = self.symbols.get(name).and_then(|copies| copies.first());
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
        let relocated = || self.relocated.iter().any(|range| range.contains(&at));
        let fixed = !segment.writable || relocated();
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

/// Returns the name of a kernel or a permutation: a function of a backend. The compiler may take constant
/// arguments from other functions, so that those of a program and of the probe are called in different ways.
///
/// The name has γ₂ in place of the parameter set, because the compiler merges functions that are equal.
fn kernel(name: &str) -> Option<String> {
    let is_kernel = name.contains("as moissanite_core::backend::Backend>::")
        || name.contains("moissanite_keccak::backend::");
    is_kernel.then(|| {
        let set = |name: String, set| name.replace(set, "(q-1)/32");
        let name = name.replace("MlDsa44", "(q-1)/88");
        let name = name.replace("Dilithium2", "(q-1)/88");
        let others = ["MlDsa65", "MlDsa87", "Dilithium3", "Dilithium5"];
        let name = others.into_iter().fold(name, set);
        // The probe has a field of its own, because that of zkDilithium is private.
        let field = "moissanite_zk_dilithium::params::ZkField";
        name.replace("moissanite_prover_probe::Zk", field)
    })
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
