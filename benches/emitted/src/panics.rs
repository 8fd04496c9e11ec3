//! Searches the code of the operations for panics.
//!
//! The program `operations` consists of the operations of the core and of the streams, and nothing else in
//! it can panic. The linker keeps only the functions that another function refers to. So no operation can
//! reach a panic if the program does not contain the panic handler.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Flow, Instruction};
use crate::isa::Isa;
use crate::program::Program;

/// The levels of optimisation at which the operations contain no panic. At the others, the compiler keeps
/// checks that can never fail.
pub(crate) const LEVELS: [&str; 2] = ["2", "3"];

const HANDLER: &str = "moissanite_panic";

/// Returns a line for each function that calls a panic, and none if the program does not contain one.
pub(crate) fn find(program: &Program) -> Vec<String> {
    let names = program.functions.iter();
    let names: BTreeMap<_, _> = names
        .map(|function| (function.code.start, function.name.as_str()))
        .collect();
    let Some((handler, _)) = names.iter().find(|(_, name)| **name == HANDLER) else {
        return Vec::new();
    };
    let calls = calls(program, &names);
    // WebAssembly exports the handler, so that it remains without a caller.
    let is_called = calls.iter().any(|(_, callee)| callee == handler);
    if program.isa == Isa::Wasm && !is_called {
        return Vec::new();
    }
    // The functions of the library through which the handler is called.
    let mut panicking = BTreeSet::from([*handler]);
    loop {
        let more = calls.iter().filter(|(caller, callee)| {
            panicking.contains(callee) && !panicking.contains(caller) && is_library(names[caller])
        });
        let more: Vec<_> = more.map(|(caller, _)| *caller).collect();
        if more.is_empty() {
            break;
        }
        panicking.extend(more);
    }
    let found = calls
        .iter()
        .filter(|(caller, callee)| panicking.contains(callee) && !panicking.contains(caller));
    let mut lines: Vec<_> = found
        .map(|(caller, callee)| format!("{} calls {}", names[caller], names[callee]))
        .collect();
    if lines.is_empty() {
        lines.push(format!("{HANDLER} is in the program"));
    }
    lines
}

/// Returns the pairs of the addresses of functions of which the first one calls the second one.
fn calls(program: &Program, names: &BTreeMap<u64, &str>) -> BTreeSet<(u64, u64)> {
    let call = |instruction: &Instruction| {
        let (Flow::Call(Some(to)) | Flow::Jump(to) | Flow::Branch(_, Some(to))) = instruction.flow
        else {
            return None;
        };
        let caller = program.function(instruction.at)?.code.start;
        (names.contains_key(&to) && caller != to).then_some((caller, to))
    };
    program.instructions.iter().filter_map(call).collect()
}

/// Whether a function is not of this project.
fn is_library(name: &str) -> bool {
    ["core::", "__rustc::", "<core::", "rust_begin_unwind"]
        .iter()
        .any(|start| name.starts_with(start) && !name.contains("moissanite"))
}
