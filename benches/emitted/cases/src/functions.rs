//! The functions of a program and their addresses.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::Result;
use object::{Object, ObjectSymbol, SymbolKind};
use rustc_demangle::demangle;

/// A function and the addresses of its code.
pub struct Function {
    /// The name, which may be mangled.
    pub name: String,
    /// From its first instruction to the next function.
    pub code: Range<u64>,
}

impl Function {
    /// The name as in the source.
    #[must_use]
    pub fn demangled(&self) -> String {
        format!("{:#}", demangle(&self.name))
    }
}

/// Returns the functions within a range of code, by increasing address.
pub fn functions(file: &object::File<'_>, code: &Range<u64>) -> Result<Vec<Function>> {
    let mut names = BTreeMap::new();
    for symbol in file.symbols() {
        let at = code_address(file, symbol.address());
        // On Arm and RISC-V, symbols that begin with a dollar sign mark code and data.
        let name = symbol.name()?;
        if symbol.kind() == SymbolKind::Text && code.contains(&at) && !name.starts_with('$') {
            names.insert(at, name.to_owned());
        }
    }
    let ranges = ranges(&names, code.end);
    Ok(ranges.map(|(code, name)| Function { name, code }).collect())
}

/// Returns the function that contains an address.
#[must_use]
pub fn containing(functions: &[Function], at: u64) -> Option<&Function> {
    let after = functions.partition_point(|function| function.code.start <= at);
    let function = functions.get(after.checked_sub(1)?)?;
    function.code.contains(&at).then_some(function)
}

/// The address of an instruction. In Thumb, the lowest bit of a symbol marks the instruction set.
#[must_use]
pub fn code_address(file: &object::File<'_>, at: u64) -> u64 {
    match file.architecture() {
        object::Architecture::Arm => at & !1,
        _ => at,
    }
}

/// Returns the ranges from each key to the next one.
pub fn ranges<T: Clone>(
    starts: &BTreeMap<u64, T>,
    end: u64,
) -> impl Iterator<Item = (Range<u64>, T)> {
    let ends = starts.keys().copied().skip(1).chain([end]);
    starts
        .iter()
        .zip(ends)
        .map(|((start, of), end)| (*start..end, of.clone()))
}
