//! Inserts calls of the tracer into a module, before each instruction that reveals a value.

use std::collections::HashMap;
use std::convert::Infallible;

use anyhow::{Result, ensure};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, EntityType, Function, GlobalSection, GlobalType, ImportSection,
    Instruction as Wasm, Module, SectionId, TypeSection, ValType,
};
use wasmparser::{FunctionBody, Operator, Parser, TypeSectionReader};

use crate::code::{Decision, Flow, Instruction, Value};
use crate::program::special;

/// The imports of the module, in the order of their numbers.
pub(super) const IMPORTS: [&str; 6] = ["branch", "division", "address", "public", "step", "panic"];
const BRANCH: u32 = 0;
const DIVISION: u32 = 1;
const ADDRESS: u32 = 2;
const PUBLIC: u32 = 3;
/// The number of variables for operands of each type.
const VARIABLES: [ValType; 4] = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];
const OF_EACH: u32 = 3;
pub(super) const FROM: &str = "tracer";

/// The values that an instruction of WebAssembly reveals, and the types of its operands.
enum Shows {
    Nothing,
    Condition,
    Divided(ValType),
    /// An address, below values of these types.
    At(&'static [ValType]),
    /// All operands.
    Bulk,
}

fn shows(operator: &Operator<'_>) -> Shows {
    use Operator as O;
    use ValType::{F32, F64, I32, I64};
    match operator {
        O::If { .. } | O::BrIf { .. } | O::BrTable { .. } => Shows::Condition,
        O::I32DivS | O::I32DivU | O::I32RemS | O::I32RemU => Shows::Divided(I32),
        O::I64DivS | O::I64DivU | O::I64RemS | O::I64RemU => Shows::Divided(I64),
        O::I32Load { .. }
        | O::I64Load { .. }
        | O::F32Load { .. }
        | O::F64Load { .. }
        | O::I32Load8S { .. }
        | O::I32Load8U { .. }
        | O::I32Load16S { .. }
        | O::I32Load16U { .. }
        | O::I64Load8S { .. }
        | O::I64Load8U { .. }
        | O::I64Load16S { .. }
        | O::I64Load16U { .. }
        | O::I64Load32S { .. }
        | O::I64Load32U { .. }
        | O::CallIndirect { .. } => Shows::At(&[]),
        O::I32Store { .. } | O::I32Store8 { .. } | O::I32Store16 { .. } => Shows::At(&[I32]),
        O::I64Store { .. } | O::I64Store8 { .. } | O::I64Store16 { .. } | O::I64Store32 { .. } => {
            Shows::At(&[I64])
        }
        O::F32Store { .. } => Shows::At(&[F32]),
        O::F64Store { .. } => Shows::At(&[F64]),
        O::MemoryCopy { .. } | O::MemoryFill { .. } => Shows::Bulk,
        _ => Shows::Nothing,
    }
}

/// An instruction of the module, as the tracer describes those of all machines.
pub(super) fn instruction(operator: &Operator<'_>, at: u64) -> Instruction {
    let text = format!("{operator:?}");
    let mut it = Instruction::plain(at, 1, text);
    match shows(operator) {
        Shows::Nothing => {}
        Shows::Condition => it.flow = Flow::Branch(Decision::Value(Value::Unknown), None),
        Shows::Divided(_) => it.divides = Some(Value::Unknown),
        Shows::At(_) | Shows::Bulk => it.accesses = true,
    }
    match operator {
        Operator::Call { .. } => it.flow = Flow::Call(None),
        Operator::CallIndirect { .. } => {
            it.flow = Flow::Indirect {
                to: Value::Unknown,
                call: true,
            };
        }
        _ => {}
    }
    it
}

/// Encodes a module with this number of instructions again, with calls of the tracer.
pub(super) fn with_calls(
    code: &[u8],
    names: &HashMap<u32, String>,
    instructions: usize,
) -> Result<Vec<u8>> {
    let mut with_calls = WithCalls {
        names,
        functions: 0,
        instructions: 0,
        types: 0,
        globals: 0,
    };
    let mut module = Module::new();
    let encoded = with_calls.parse_core_module(&mut module, Parser::new(0), code);
    encoded.map_err(|error| anyhow::anyhow!("{error}"))?;
    ensure!(
        with_calls.instructions as usize == instructions,
        "the module has other instructions"
    );
    Ok(module.finish())
}

/// Encodes a module again, with imports before its own functions, and calls of the imports.
struct WithCalls<'n> {
    names: &'n HashMap<u32, String>,
    /// The number of instructions so far.
    functions: u32,
    instructions: u32,
    types: u32,
    globals: u32,
}

impl WithCalls<'_> {
    /// A variable for an operand.
    fn variable(&self, kind: ValType, number: u32) -> u32 {
        let kind = VARIABLES.iter().position(|one| *one == kind);
        self.globals + OF_EACH * kind.unwrap_or_default() as u32 + number
    }

    /// Calls the tracer with the values that the operator reveals, and leaves the operands
    /// unchanged.
    fn show(&self, function: &mut Function, site: u32, operator: &Operator<'_>) {
        use ValType::{I32, I64};
        let site = Wasm::I32Const(site as i32);
        match shows(operator) {
            Shows::Nothing => {}
            Shows::Condition => {
                let value = self.variable(I32, 0);
                function
                    .instruction(&Wasm::GlobalSet(value))
                    .instruction(&site)
                    .instruction(&Wasm::GlobalGet(value))
                    .instruction(&Wasm::Call(BRANCH));
            }
            Shows::Divided(kind) => {
                let [a, b] = [0, 1].map(|number| self.variable(kind, number));
                function
                    .instruction(&Wasm::GlobalSet(b))
                    .instruction(&Wasm::GlobalSet(a))
                    .instruction(&site);
                for operand in [a, b] {
                    function.instruction(&Wasm::GlobalGet(operand));
                    if kind != I64 {
                        function.instruction(&Wasm::I64ExtendI32U);
                    }
                }
                function
                    .instruction(&Wasm::Call(DIVISION))
                    .instruction(&Wasm::GlobalGet(a))
                    .instruction(&Wasm::GlobalGet(b));
            }
            Shows::At(above) => {
                let address = self.variable(I32, 0);
                let above = above.iter().map(|kind| self.variable(*kind, 1));
                for value in above.clone().rev().chain([address]) {
                    function.instruction(&Wasm::GlobalSet(value));
                }
                function
                    .instruction(&site)
                    .instruction(&Wasm::GlobalGet(address))
                    .instruction(&Wasm::Call(ADDRESS));
                for value in [address].into_iter().chain(above) {
                    function.instruction(&Wasm::GlobalGet(value));
                }
            }
            Shows::Bulk => {
                let operands = [0, 1, 2].map(|number| self.variable(I32, number));
                for operand in operands.into_iter().rev() {
                    function.instruction(&Wasm::GlobalSet(operand));
                }
                // For a fill, the written value is not revealed; for a copy, all operands are.
                for operand in operands {
                    if operand == operands[1] && matches!(operator, Operator::MemoryFill { .. }) {
                        continue;
                    }
                    function
                        .instruction(&site)
                        .instruction(&Wasm::GlobalGet(operand))
                        .instruction(&Wasm::Call(ADDRESS));
                }
                for operand in operands {
                    function.instruction(&Wasm::GlobalGet(operand));
                }
            }
        }
    }
}

impl Reencode for WithCalls<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(function + IMPORTS.len() as u32)
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_type_section(self, types, section)?;
        self.types = types.len();
        use ValType::{I32, I64};
        types.ty().function([I32, I32], [I32]);
        types.ty().function([I32, I64, I64], []);
        types.ty().function([I32, I32], []);
        types.ty().function([], []);
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: wasmparser::GlobalSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_global_section(self, globals, section)?;
        self.globals = globals.len();
        for kind in VARIABLES {
            for _ in 0..OF_EACH {
                let zero = match kind {
                    ValType::I64 => ConstExpr::i64_const(0),
                    ValType::F32 => ConstExpr::f32_const(0.0_f32.into()),
                    ValType::F64 => ConstExpr::f64_const(0.0_f64.into()),
                    _ => ConstExpr::i32_const(0),
                };
                let global = GlobalType {
                    val_type: kind,
                    mutable: true,
                    shared: false,
                };
                globals.global(global, &zero);
            }
        }
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<(), Error<Infallible>> {
        if before == Some(SectionId::Function) {
            let mut imports = ImportSection::new();
            for (name, kind) in IMPORTS.iter().zip([0, 1, 2, 2, 2, 3]) {
                imports.import(FROM, name, EntityType::Function(self.types + kind));
            }
            module.section(&imports);
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        _: &mut Module,
        _: wasmparser::CustomSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error<Infallible>> {
        let name = self.names.get(&self.functions);
        let special = name.and_then(|name| special(name));
        self.functions += 1;
        let mut function = self.new_function_with_parsed_locals(&body)?;
        if let Some(special) = special {
            for argument in 0..special.arguments() {
                function.instruction(&Wasm::LocalGet(argument));
            }
            function.instruction(&Wasm::Call(PUBLIC + special as u32));
        }
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            let operator = reader.clone().read()?;
            let site = self.instructions;
            self.instructions += 1;
            self.show(&mut function, site, &operator);
            function.instruction(&self.parse_instruction(&mut reader)?);
        }
        code.function(&function);
        Ok(())
    }
}
