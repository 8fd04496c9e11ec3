//! WebAssembly: an interpreter executes the module, into which calls of the tracer are inserted.

mod instrument;

use std::collections::HashMap;

use anyhow::{Context as _, Result};
use moissanite_emitted_cases::functions::Function;
use wasmi::{Caller, Engine, Linker, Store};
use wasmparser::{KnownCustom, Name, Operator, Parser, Payload};

use self::instrument::{FROM, IMPORTS};
use super::{Arguments, Machine};
use crate::code::{Flow, mix};
use crate::program::Program;
use crate::trace::{Kind, Trace};

/// A module with calls of the tracer.
pub(super) struct Interpreter(Vec<u8>);

/// Returns the module as a program, and the interpreter of the module with calls.
pub(super) fn load(code: &[u8]) -> Result<(Program, Interpreter)> {
    let names = names(code)?;
    let (mut functions, mut instructions) = (Vec::new(), Vec::new());
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(code) {
        if let Payload::CodeSectionEntry(body) = payload? {
            bodies.push(body);
        }
    }
    for (number, body) in (0..).zip(&bodies) {
        functions.push(Function {
            name: names.get(&number).cloned().unwrap_or_default(),
            code: body.range(),
        });
        for operator in body.get_operators_reader()?.into_iter_with_offsets() {
            let (operator, at) = operator?;
            let mut instruction = instrument::instruction(&operator, at);
            if let Operator::Call { function_index } = operator {
                let callee = bodies.get(function_index as usize);
                instruction.flow = Flow::Call(callee.map(|body| body.range().start));
            }
            instructions.push(instruction);
        }
    }
    let module = instrument::with_calls(code, &names, instructions.len())?;
    Ok((Program::of(functions, instructions), Interpreter(module)))
}

/// Returns the names of the functions by their indexes.
fn names(code: &[u8]) -> Result<HashMap<u32, String>> {
    let mut names = HashMap::new();
    for payload in Parser::new(0).parse_all(code) {
        if let Payload::CustomSection(section) = payload?
            && let KnownCustom::Name(reader) = section.as_known()
        {
            for name in reader {
                if let Name::Function(functions) = name? {
                    for function in functions {
                        let function = function?;
                        names.insert(function.index, function.name.to_owned());
                    }
                }
            }
        }
    }
    Ok(names)
}

/// The state that the imported functions share.
struct State {
    trace: Option<Trace>,
    panicked: bool,
}

impl Machine for Interpreter {
    fn run(
        &mut self,
        _: &Program,
        [backend, scheme, secret]: Arguments,
        trace: Trace,
    ) -> Result<(Option<u32>, Trace)> {
        let engine = Engine::default();
        let module = wasmi::Module::new(&engine, &self.0)?;
        let state = State {
            trace: Some(trace),
            panicked: false,
        };
        let mut store = Store::new(&engine, state);
        let instance = linker(&engine)?.instantiate_and_start(&mut store, &module)?;
        let probe = instance.get_typed_func::<(u32, u32, u32), u32>(&store, "probe")?;
        let returned = probe.call(&mut store, (backend, scheme, secret));
        let State { trace, panicked } = store.into_data();
        let trace = trace.context("the trace is gone")?;
        match returned {
            Ok(returned) => Ok((Some(returned), trace)),
            Err(_) if panicked || trace.lost.is_some() => Ok((None, trace)),
            Err(error) => Err(error).context("the interpreter stopped"),
        }
    }
}

/// The imported functions.
fn linker(engine: &Engine) -> Result<Linker<State>> {
    type In<'a> = Caller<'a, State>;
    let mut linker = Linker::new(engine);
    let branch = |mut caller: In<'_>, site: u32, value: u32| -> Result<u32, wasmi::Error> {
        let trace = trace(&mut caller)?;
        trace.shows(site as usize, Kind::Branch, value.into());
        let expected = trace.went(site as usize, value);
        match trace.lost {
            Some(_) => Err(wasmi::Error::new("lost")),
            None => Ok(expected),
        }
    };
    let division = |mut caller: In<'_>, site: u32, a: u64, b: u64| -> Result<(), wasmi::Error> {
        trace(&mut caller)?.shows(site as usize, Kind::Division, mix(a, b));
        Ok(())
    };
    let address = |mut caller: In<'_>, site: u32, at: u32| -> Result<(), wasmi::Error> {
        trace(&mut caller)?.shows(site as usize, Kind::Address, at.into());
        Ok(())
    };
    let public = |mut caller: In<'_>, at: u32, length: u32| -> Result<(), wasmi::Error> {
        let mut bytes = read(&caller, at, length)?;
        trace(&mut caller)?.public(&mut bytes);
        let memory = memory(&caller)?;
        Ok(memory.write(&mut caller, at as usize, &bytes)?)
    };
    let step = |mut caller: In<'_>, at: u32, length: u32| -> Result<(), wasmi::Error> {
        let name = read(&caller, at, length)?;
        let name = String::from_utf8_lossy(&name).into_owned();
        trace(&mut caller)?.step(name);
        Ok(())
    };
    let panic = |mut caller: In<'_>| -> Result<(), wasmi::Error> {
        caller.data_mut().panicked = true;
        Err(wasmi::Error::new("panic"))
    };
    linker.func_wrap(FROM, IMPORTS[0], branch)?;
    linker.func_wrap(FROM, IMPORTS[1], division)?;
    linker.func_wrap(FROM, IMPORTS[2], address)?;
    linker.func_wrap(FROM, IMPORTS[3], public)?;
    linker.func_wrap(FROM, IMPORTS[4], step)?;
    linker.func_wrap(FROM, IMPORTS[5], panic)?;
    Ok(linker)
}

fn trace<'c>(caller: &'c mut Caller<'_, State>) -> Result<&'c mut Trace, wasmi::Error> {
    let trace = caller.data_mut().trace.as_mut();
    trace.ok_or_else(|| wasmi::Error::new("the trace is gone"))
}

fn memory(caller: &Caller<'_, State>) -> Result<wasmi::Memory, wasmi::Error> {
    let memory = caller
        .get_export("memory")
        .and_then(|export| export.into_memory());
    memory.ok_or_else(|| wasmi::Error::new("the module has no memory"))
}

fn read(caller: &Caller<'_, State>, at: u32, length: u32) -> Result<Vec<u8>, wasmi::Error> {
    let mut bytes = vec![0; length as usize];
    memory(caller)?.read(caller, at as usize, &mut bytes)?;
    Ok(bytes)
}
