//! A compiled program with its decoded instructions.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use moissanite_emitted_cases::functions::{Function, code_address, containing, functions, ranges};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SectionKind};

use crate::code::{Flow, Instruction, Value, forget_dead_flags};
use crate::isa::Isa;

/// Functions that the tracer recognises by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Makes a value public.
    Public,
    /// Announces the next operation.
    Step,
    Panic,
}

const SPECIALS: [(&str, Special); 3] = [
    ("moissanite_replay", Special::Public),
    ("moissanite_step", Special::Step),
    ("moissanite_panic", Special::Panic),
];
impl Special {
    /// The number of arguments of the function.
    pub(crate) fn arguments(self) -> u32 {
        match self {
            Self::Public | Self::Step => 2,
            Self::Panic => 0,
        }
    }
}

/// Returns the kind of a function, if the tracer recognises its name.
pub(crate) fn special(function: &str) -> Option<Special> {
    let mut specials = SPECIALS.iter();
    let (_, special) = specials.find(|(name, _)| *name == function)?;
    Some(*special)
}

const ENTRY: &str = "probe";

/// Returns the number of words of the operands of a function of the compiler's library that divides. Such
/// functions replace division instructions that a processor lacks.
fn divided_words(function: &str, word_bits: u32) -> Option<usize> {
    let operation = function
        .strip_prefix("__aeabi_")
        .or(function.strip_prefix("__"))?;
    let of_bits = [("si", 32), ("di", 64), ("ti", 128)];
    let bits = match operation {
        "uidiv" | "uidivmod" | "idiv" | "idivmod" => 32,
        "uldivmod" | "ldivmod" => 64,
        _ => {
            let name = ["udivmod", "divmod", "udiv", "umod", "div", "mod"];
            let of = name.iter().find_map(|name| operation.strip_prefix(name))?;
            of_bits.iter().find(|(name, _)| of.starts_with(name))?.1
        }
    };
    Some(if bits > word_bits { 4 } else { 2 })
}

/// A program.
pub(crate) struct Program {
    pub(crate) isa: Isa,
    /// Ranges of memory and their initial contents; bytes beyond the contents are zero.
    pub(crate) segments: Vec<(Range<u64>, Vec<u8>)>,
    pub(crate) code: Range<u64>,
    pub(crate) entry: u64,
    pub(crate) functions: Vec<Function>,
    /// All instructions by increasing address.
    pub(crate) instructions: Vec<Instruction>,
    /// For each address of the code, the index of the watched instruction, or [`NONE`].
    watched: Vec<u32>,
    /// A list, because each instruction is looked up and a map of so few addresses would be slower.
    specials: Vec<(u64, Special)>,
}

const NONE: u32 = u32::MAX;

impl Program {
    pub(crate) fn read(elf: &[u8], isa: Isa) -> Result<Self> {
        let file = object::File::parse(elf).context("the probe")?;
        let segments = file
            .segments()
            .filter(|segment| segment.size() > 0)
            .map(|segment| {
                let range = segment.address()..segment.address() + segment.size();
                Ok((range, segment.data()?.to_vec()))
            });
        let text = file
            .sections()
            .find(|section| section.kind() == SectionKind::Text && section.size() > 0)
            .context("the probe has no code")?;
        let code = text.address()..text.address() + text.size();
        let address = |at: u64| code_address(&file, at);
        let mut marks = BTreeMap::new();
        for symbol in file.symbols() {
            let name = symbol.name()?;
            let at = address(symbol.address());
            if let Some(kind) = name.strip_prefix('$')
                && code.contains(&at)
            {
                marks.insert(at, !kind.starts_with('d'));
            }
        }
        let specials = SPECIALS.iter().filter_map(|(name, special)| {
            let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name))?;
            Some((address(symbol.address()), *special))
        });
        let entry = file.symbols().find(|symbol| symbol.name() == Ok(ENTRY));
        let entry = address(entry.context("the probe has no entry")?.address());
        marks.entry(code.start).or_insert(true);
        let data = text.data()?;
        let mut instructions = Vec::new();
        for (range, is_code) in ranges(&marks, code.end) {
            if is_code {
                let from = (range.start - code.start) as usize;
                let to = (range.end - code.start) as usize;
                isa.decode(&data[from..to], range.start, &mut instructions)?;
            }
        }
        let functions = functions(&file, &code)?;
        let mut program = Self {
            isa,
            segments: segments.collect::<Result<_>>()?,
            watched: vec![NONE; (code.end - code.start) as usize],
            code,
            entry,
            functions,
            instructions,
            specials: specials.collect(),
        };
        program.find_divisions();
        forget_dead_flags(&mut program.instructions);
        program.watch();
        for function in &mut program.functions {
            function.name = function.demangled();
        }
        ensure!(
            !program.instructions.is_empty(),
            "the probe has no instructions"
        );
        Ok(program)
    }

    /// Returns a program for a machine that records instructions itself.
    pub(crate) fn of(mut functions: Vec<Function>, instructions: Vec<Instruction>) -> Self {
        for function in &mut functions {
            function.name = function.demangled();
        }
        Self {
            isa: Isa::Wasm,
            segments: Vec::new(),
            code: 0..0,
            entry: 0,
            functions,
            instructions,
            watched: Vec::new(),
            specials: Vec::new(),
        }
    }

    /// Marks the calls of functions that divide.
    fn find_divisions(&mut self) {
        let words = |function: &Function| {
            let words = divided_words(&function.name, self.isa.word_bits())?;
            Some((function.code.start, words))
        };
        let dividing: HashMap<_, _> = self.functions.iter().filter_map(words).collect();
        let operands = self.isa.arguments();
        for instruction in &mut self.instructions {
            if let Flow::Call(Some(to)) | Flow::Jump(to) = instruction.flow
                && let Some(words) = dividing.get(&to)
            {
                instruction.divides = Some(Value::All(operands[..*words].to_vec()));
            }
        }
    }

    fn watch(&mut self) {
        for (index, instruction) in self.instructions.iter().enumerate() {
            let at = instruction.at;
            if instruction.is_site() || instruction.sets.is_some() || self.special(at).is_some() {
                self.watched[(at - self.code.start) as usize] = index as u32;
            }
        }
    }

    /// The kind of the function that begins at an address, if the tracer recognises it.
    #[inline]
    pub(crate) fn special(&self, at: u64) -> Option<Special> {
        let mut specials = self.specials.iter();
        let (_, special) = specials.find(|(special, _)| *special == at)?;
        Some(*special)
    }

    /// The index of the instruction at an address, if it is watched.
    #[inline]
    pub(crate) fn index(&self, at: u64) -> Option<usize> {
        let offset = at.wrapping_sub(self.code.start) as usize;
        let index = *self.watched.get(offset)?;
        (index != NONE).then_some(index as usize)
    }

    /// The addresses from the first to the last segment.
    pub(crate) fn memory(&self) -> Range<u64> {
        let starts = self.segments.iter().map(|(range, _)| range.start);
        let ends = self.segments.iter().map(|(range, _)| range.end);
        starts.min().unwrap_or_default()..ends.max().unwrap_or_default()
    }

    /// The function that contains an address.
    pub(crate) fn function(&self, at: u64) -> Option<&Function> {
        containing(&self.functions, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_divide() {
        assert_eq!(divided_words("__aeabi_uidivmod", 32), Some(2));
        assert_eq!(divided_words("__aeabi_ldivmod", 32), Some(4));
        assert_eq!(divided_words("__udivmodsi4", 32), Some(2));
        assert_eq!(divided_words("__umoddi3", 32), Some(4));
        assert_eq!(divided_words("__umoddi3", 64), Some(2));
        assert_eq!(divided_words("__divti3", 64), Some(4));
        assert_eq!(divided_words("__muldi3", 32), None);
        assert_eq!(divided_words("divide", 32), None);
    }
}
