//! The file of the probe, with the inputs of a run.

use std::ops::Range;

use anyhow::{Context, Result, ensure};
use moissanite_emitted_cases::functions::{self, Function, code_address, functions};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SectionKind};

/// The offset of the entry in the header of a file, on machines with 32 and with 64 bits.
const ENTRY: usize = 24;

/// What the probe does.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) backend: u32,
    pub(crate) scheme: u32,
    pub(crate) secret: u32,
    /// The values that become public, if they are replayed.
    pub(crate) public: Option<&'a [u8]>,
}

/// The probe as a program of its own.
pub(crate) struct Program {
    file: Vec<u8>,
    /// The place of the variable `TRACE_INPUT` in the file, and of the values in `TRACE_PUBLIC`.
    input: Range<usize>,
    public: Range<usize>,
    /// The address of the first instruction, as in a symbol.
    pub(crate) entry: u64,
    /// The initial address of the stack.
    pub(crate) stack: u64,
    /// The function that a panic calls.
    pub(crate) panic: u64,
    functions: Vec<Function>,
}

impl Program {
    pub(crate) fn read(mut bytes: Vec<u8>) -> Result<Self> {
        let file = object::File::parse(&*bytes).context("the probe")?;
        let symbol = |name: &str| {
            let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name));
            symbol.with_context(|| format!("the probe has no {name}"))
        };
        let variable = |name: &str| {
            let symbol = symbol(name)?;
            let (start, length) = (symbol.address(), symbol.size());
            let place = file.segments().find_map(|segment| {
                let (at, bytes) = segment.file_range();
                let offset = start.checked_sub(segment.address())?;
                (offset + length <= bytes).then_some((at + offset) as usize)
            });
            let place = place.with_context(|| format!("{name} is not in the file"))?;
            anyhow::Ok(place..place + length as usize)
        };
        let mut public = variable("TRACE_PUBLIC")?;
        public.start += HEADER;
        let text = file
            .sections()
            .find(|section| section.kind() == SectionKind::Text && section.size() > 0)
            .context("the probe has no code")?;
        let code = text.address()..text.address() + text.size();
        let stack = symbol("TRACE_STACK")?;
        let program = Self {
            input: variable("TRACE_INPUT")?,
            public,
            entry: symbol("_start")?.address(),
            stack: stack.address() + stack.size(),
            panic: code_address(&file, symbol("moissanite_panic")?.address()),
            functions: functions(&file, &code)?,
            file: Vec::new(),
        };
        let is_64 = file.is_64();
        let word = if is_64 { 8 } else { 4 };
        bytes[ENTRY..ENTRY + word].copy_from_slice(&program.entry.to_le_bytes()[..word]);
        Ok(Self {
            file: bytes,
            ..program
        })
    }

    /// Returns a file that does what the input says.
    pub(crate) fn with(&self, input: Input<'_>) -> Result<Vec<u8>> {
        let mut file = self.file.clone();
        let replays = if input.public.is_some() { u32::MAX } else { 0 };
        let words = [input.backend, input.scheme, input.secret, replays];
        let words: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        file[self.input.clone()].copy_from_slice(&words);
        if let Some(public) = input.public {
            ensure!(public.len() <= self.public.len(), "too much becomes public");
            let start = self.public.start;
            file[start..start + public.len()].copy_from_slice(public);
        }
        Ok(file)
    }

    /// The function that contains an address, and the distance from its start.
    pub(crate) fn place(&self, at: u64) -> String {
        match functions::containing(&self.functions, at) {
            Some(function) => {
                let offset = at - function.code.start;
                format!("{} + {offset:#x}", function.demangled())
            }
            None => format!("{at:#x}"),
        }
    }
}

/// The length of the status and of the number of bytes that became public.
const HEADER: usize = 8;

/// What the probe writes at its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) status: u32,
    /// The values that became public.
    pub(crate) public: Vec<u8>,
}

impl Output {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let (status, rest) = bytes.split_first_chunk().context("the probe did not end")?;
        let (length, public) = rest.split_first_chunk().context("the probe did not end")?;
        let length = u32::from_le_bytes(*length) as usize;
        ensure!(length == public.len(), "the output of the probe is cut off");
        Ok(Self {
            status: u32::from_le_bytes(*status),
            public: public.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_complete() {
        let bytes = [2, 0, 0, 0, 3, 0, 0, 0, 7, 8, 9];
        let output = Output::read(&bytes).unwrap();
        assert_eq!((output.status, output.public), (2, vec![7, 8, 9]));
        for length in 0..bytes.len() {
            assert!(Output::read(&bytes[..length]).is_err());
        }
        assert!(Program::read(vec![1, 2, 3]).is_err());
    }
}
