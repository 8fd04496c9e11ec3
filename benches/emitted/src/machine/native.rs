//! This machine itself, for instructions that no emulator knows.
//!
//! The program's code is encoded anew, at another place, with a call of the tracer before each
//! instruction that is to be looked at. All else stays what and where it was: the code that is
//! executed is the compiler's, and what it computes are the same addresses. Those of functions and of
//! tables of jumps lead to the old place, so that jumps and calls to where a register says are
//! translated.

use std::arch::global_asm;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use anyhow::{Context as _, Result, ensure};
use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, Decoder, DecoderOptions, Instruction as Iced,
    InstructionBlock, MemoryOperand, Register as IcedRegister,
};

use super::{Arguments, Machine};
use crate::code::{Cpu, Flow, Register};
use crate::program::Program;
use crate::trace::Trace;
use crate::watch::{Then, Watch};

/// Where the new code is: near the old one, at 16 MiB.
const CODE: u64 = 0x1000_0000;
/// What comes before it: ways into the tracer.
const HEADER: u64 = 64;
/// To an instruction, the place of its address; and that of a target that a register says.
const GO: u64 = CODE + 16;
const GO_TO: u64 = CODE + 32;
const INDIRECT: u64 = CODE + 40;
/// What a function may use below the stack pointer.
const RED_ZONE: i64 = 128;
const STACK: u64 = 0x3000_0000;
const STACK_LEN: u64 = 32 << 20;
const NONE: u32 = u32::MAX;

/// See above. One at a time: a program stands where it was linked for.
pub(crate) struct Native {
    /// The old code's place, the stack's and the new code's.
    mapped: Vec<(u64, u64)>,
    /// Of each byte of old code, where the instruction is in the new one.
    places: Vec<u32>,
    /// Of each byte of new code, the old address of the instruction whose call returns there.
    returns: Vec<u32>,
}

impl Machine for Native {
    fn run(
        &mut self,
        program: &Program,
        arguments: Arguments,
        trace: Trace,
    ) -> Result<(Option<u32>, Trace)> {
        for (range, data) in &program.segments {
            let length = (range.end - range.start) as usize;
            // SAFETY: `new` has mapped it, and nothing of the tracer's is there.
            unsafe {
                let to = without_provenance_mut::<u8>(range.start as usize);
                std::ptr::copy_nonoverlapping(data.as_ptr(), to, data.len());
                std::ptr::write_bytes(to.add(data.len()), 0, length - data.len());
            }
        }
        let mut watch = Watch::new(program, trace);
        let mut tracer = Tracer {
            native: self,
            program,
            watch: &mut watch,
            stopped: false,
        };
        TRACER.store((&raw mut tracer).cast(), Ordering::Relaxed);
        let entry = self
            .new_place(program, program.entry)
            .context("the entry is no instruction")?;
        let [a, b, c] = arguments;
        // SAFETY: the new code does what the program does, which is a function of these arguments.
        let returned = unsafe { emitted_enter(entry, STACK + STACK_LEN - 4096, a, b, c) };
        TRACER.store(null_mut(), Ordering::Relaxed);
        let returned = (!tracer.stopped).then_some(returned);
        Ok((returned, watch.trace))
    }
}

impl Native {
    /// Puts a program where it was linked for, and its new code elsewhere.
    pub(crate) fn new(program: &Program) -> Result<Self> {
        let memory = program.memory();
        let mut mapped = vec![
            map(
                memory.start,
                memory.end - memory.start,
                libc::PROT_READ | libc::PROT_WRITE,
            )?,
            map(STACK, STACK_LEN, libc::PROT_READ | libc::PROT_WRITE)?,
        ];
        let (instructions, old) = with_calls(program)?;
        let block = InstructionBlock::new(&instructions, CODE + HEADER);
        let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
        let encoded = BlockEncoder::encode(64, block, options)?;
        let code = encoded.code_buffer;
        let all = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        mapped.push(map(CODE, HEADER + code.len() as u64, all)?);
        let mut header = vec![0; HEADER as usize];
        // jmp [TO_TRACER]; lea rsp, [rsp + 128]; jmp [GO_TO]
        header[..6].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
        header[8..16].copy_from_slice(&(emitted_hook as *const () as u64).to_le_bytes());
        header[16..24].copy_from_slice(&[0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0]);
        header[24..30].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
        // SAFETY: just mapped, for this.
        unsafe {
            let to = without_provenance_mut::<u8>(CODE as usize);
            std::ptr::copy_nonoverlapping(header.as_ptr(), to, header.len());
            std::ptr::copy_nonoverlapping(code.as_ptr(), to.add(header.len()), code.len());
        }
        let mut native = Self {
            mapped,
            places: vec![NONE; (program.code.end - program.code.start) as usize],
            returns: vec![NONE; code.len() + 1],
        };
        let offsets = encoded.new_instruction_offsets;
        for ((old, offset), instruction) in old.iter().zip(offsets).zip(&instructions) {
            if instruction.ip() != 0 && offset != NONE {
                native.places[(instruction.ip() - program.code.start) as usize] = offset;
            }
            if let Some(old) = old {
                native.returns[offset as usize] = *old as u32;
            }
        }
        Ok(native)
    }

    fn new_place(&self, program: &Program, old: u64) -> Option<u64> {
        let place = *self
            .places
            .get(old.wrapping_sub(program.code.start) as usize)?;
        (place != NONE).then_some(CODE + HEADER + u64::from(place))
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        for (start, length) in &self.mapped {
            // SAFETY: `new` has mapped it, and nothing else refers to it.
            unsafe { libc::munmap(without_provenance_mut(*start as usize), *length as usize) };
        }
    }
}

/// Memory at an address.
fn map(at: u64, length: u64, protection: i32) -> Result<(u64, u64)> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    let start = at & !4095;
    let length = (at + length).next_multiple_of(4096) - start;
    // SAFETY: it takes nothing that is in use.
    let mapped = unsafe {
        let at = without_provenance_mut::<c_void>(start as usize);
        libc::mmap(at, length as usize, protection, flags, -1, 0)
    };
    ensure!(mapped.addr() as u64 == start, "no memory at {start:#x}");
    Ok((start, length))
}

/// The program's instructions with calls among them; and of each one that follows a call, the address
/// for which that is.
fn with_calls(program: &Program) -> Result<(Vec<Iced>, Vec<Option<u64>>)> {
    let looked_at = looked_at(program);
    let (mut out, mut old) = (Vec::new(), Vec::new());
    let bytes = code_bytes(program).context("the code is in no segment")?;
    for mut instruction in
        &mut Decoder::with_ip(64, bytes, program.code.start, DecoderOptions::NONE)
    {
        let at = instruction.ip();
        if instruction.is_invalid() {
            continue;
        }
        if looked_at.contains(&at) {
            let stack = |by| {
                let place = MemoryOperand::with_base_displ(IcedRegister::RSP, by);
                Iced::with2(Code::Lea_r64_m, IcedRegister::RSP, place)
            };
            let mut first = stack(-RED_ZONE)?;
            first.set_ip(at);
            let mut call = Iced::with_branch(Code::Call_rel32_64, CODE)?;
            let mut last = stack(RED_ZONE)?;
            call.set_ip(0);
            last.set_ip(0);
            out.extend([first, call, last]);
            old.extend([None, None, Some(at)]);
            instruction.set_ip(0);
        }
        if let Some(index) = program.index(at)
            && let Flow::Indirect { call, .. } = &program.instructions[index].flow
        {
            let code = if *call {
                Code::Call_rm64
            } else {
                Code::Jmp_rm64
            };
            let slot = MemoryOperand::with_base_displ(IcedRegister::RIP, INDIRECT as i64);
            instruction = Iced::with1(code, slot)?;
            instruction.set_ip(0);
        }
        out.push(instruction);
        old.push(None);
    }
    Ok((out, old))
}

fn code_bytes(program: &Program) -> Option<&[u8]> {
    let (range, data) = program
        .segments
        .iter()
        .find(|(range, _)| range.contains(&program.code.start))?;
    let from = (program.code.start - range.start) as usize;
    data.get(from..from + (program.code.end - program.code.start) as usize)
}

/// What the watch wants to see, and what comes next after that.
fn looked_at(program: &Program) -> BTreeSet<u64> {
    let mut looked_at = BTreeSet::new();
    for instruction in &program.instructions {
        if program.index(instruction.at).is_none() {
            continue;
        }
        looked_at.insert(instruction.at);
        if instruction.sets.as_ref().is_some_and(|sets| sets.after) {
            looked_at.insert(instruction.end());
        }
        if let Flow::Branch(_, to) = instruction.flow {
            looked_at.extend([instruction.end()].into_iter().chain(to));
        }
    }
    looked_at
}

/// What [`emitted_hook`] keeps of the program's registers, by their numbers.
#[repr(C)]
struct Context {
    registers: [u64; 16],
    flags: u64,
    /// In the new code.
    back: u64,
}

struct Tracer<'t, 'p> {
    native: &'t Native,
    program: &'p Program,
    watch: &'t mut Watch<'p>,
    stopped: bool,
}

/// The [`Tracer`] of the run.
static TRACER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The tracer's own stack, while the program runs.
#[unsafe(no_mangle)]
static EMITTED_STACK: AtomicU64 = AtomicU64::new(0);

#[repr(C, align(64))]
struct Area([u8; 8192]);
/// What `xsave64` writes: all vector registers. Its header is zero at first.
#[unsafe(no_mangle)]
static mut EMITTED_AREA: Area = Area([0; 8192]);

unsafe extern "C" {
    fn emitted_hook();
    fn emitted_exit();
    fn emitted_enter(entry: u64, stack: u64, a: u32, b: u32, c: u32) -> u32;
}

global_asm!(
    r"
    .globl emitted_hook
emitted_hook:
    pushfq
    push r15
    push r14
    push r13
    push r12
    push r11
    push r10
    push r9
    push r8
    push rdi
    push rsi
    push rbp
    push rsp
    push rbx
    push rdx
    push rcx
    push rax
    cld
    mov rdi, rsp
    mov rbx, rsp
    and rsp, -64
    lea rsi, [rip + EMITTED_AREA]
    mov eax, 0xe6
    xor edx, edx
    xsave64 [rsi]
    call emitted_handle
    lea rsi, [rip + EMITTED_AREA]
    mov eax, 0xe6
    xor edx, edx
    xrstor64 [rsi]
    mov rsp, rbx
    pop rax
    pop rcx
    pop rdx
    pop rbx
    lea rsp, [rsp + 8]
    pop rbp
    pop rsi
    pop rdi
    pop r8
    pop r9
    pop r10
    pop r11
    pop r12
    pop r13
    pop r14
    pop r15
    popfq
    ret

    .globl emitted_enter
emitted_enter:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [rip + EMITTED_STACK], rsp
    mov rsp, rsi
    mov rax, rdi
    mov edi, edx
    mov esi, ecx
    mov edx, r8d
    call rax
    .globl emitted_exit
emitted_exit:
    mov rsp, [rip + EMITTED_STACK]
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
"
);

/// Called before an instruction that is looked at.
#[unsafe(no_mangle)]
extern "C" fn emitted_handle(context: *mut Context) {
    // SAFETY: `run` has put it there, and its frame is still on the tracer's own stack; `context` is
    // what `emitted_hook` has just written.
    let (tracer, context) = unsafe {
        let tracer = TRACER.load(Ordering::Relaxed).cast::<Tracer<'_, '_>>();
        (&mut *tracer, &mut *context)
    };
    tracer.handle(context);
}

impl Tracer<'_, '_> {
    fn handle(&mut self, context: &mut Context) {
        let program = self.program;
        // Above the context, and what is skipped below the stack pointer.
        let above = (&raw const *context).addr() + size_of::<Context>();
        context.registers[4] = above as u64 + RED_ZONE as u64;
        let at = u64::from(self.native.returns[(context.back - CODE - HEADER) as usize]);
        let mut cpu = On(context);
        let then = self.watch.before(at, &mut cpu);
        if then == Then::Execute
            && let Some(index) = program.index(at)
        {
            let instruction = &program.instructions[index];
            for address in &instruction.addresses {
                let address = address.of(&mut cpu);
                self.watch.accesses(address);
            }
            if let Flow::Indirect { to, .. } = &instruction.flow {
                let to = to.of(&mut cpu);
                match self.native.new_place(program, to) {
                    Some(place) => cpu.write(INDIRECT, &place.to_le_bytes()),
                    None => self.stop(cpu.0),
                }
                return;
            }
        }
        match then {
            Then::Execute => {}
            Then::GoTo(at) => match self.native.new_place(program, at) {
                Some(place) => {
                    cpu.write(GO_TO, &place.to_le_bytes());
                    context.back = GO;
                }
                None => self.stop(context),
            },
            Then::Stop => self.stop(context),
        }
    }

    fn stop(&mut self, context: &mut Context) {
        self.stopped = true;
        context.back = emitted_exit as *const () as u64;
    }
}

/// The processor, before an instruction.
struct On<'c>(&'c mut Context);

impl Cpu for On<'_> {
    fn register(&mut self, register: Register) -> u64 {
        self.0.registers[usize::from(register & 15)]
    }
    fn memory(&mut self, at: u64, bytes: usize) -> u64 {
        let mut word = [0; 8];
        self.read(at, &mut word[..bytes.min(8)]);
        u64::from_le_bytes(word)
    }
    fn flags(&mut self) -> u64 {
        // Carry, parity, zero, sign and overflow.
        self.0.flags & 0x8c5
    }
    fn argument(&mut self, number: usize) -> u64 {
        self.register([7, 6, 2, 1][number & 3])
    }
    fn read(&mut self, at: u64, bytes: &mut [u8]) {
        // SAFETY: the program reads it next.
        unsafe {
            let from = std::ptr::with_exposed_provenance(at as usize);
            std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len());
        }
    }
    fn write(&mut self, at: u64, bytes: &[u8]) {
        // SAFETY: the program has it for itself.
        unsafe {
            let to = std::ptr::with_exposed_provenance_mut(at as usize);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }
}
