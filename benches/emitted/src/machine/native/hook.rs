//! The function that the new code of a program calls. It saves the registers and passes them to the tracer.

use std::arch::global_asm;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use super::rewrite::{GO, GO_TO, INDIRECT, RED_ZONE, Rewritten};
use crate::code::{Cpu, Flow, Register};
use crate::machine::Arguments;
use crate::program::Program;
use crate::watch::{Then, Watch};

/// The address that the new code calls.
pub(super) fn address() -> u64 {
    emitted_hook as *const () as u64
}

/// The registers of the program that [`emitted_hook`] saves, by their numbers.
#[repr(C)]
struct Context {
    registers: [u64; 16],
    flags: u64,
    /// The return address in the new code.
    back: u64,
}

/// The tracer, which is called before each observed instruction.
pub(super) struct Tracer<'t, 'p> {
    code: &'t Rewritten,
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
/// The area into which `xsave64` writes all vector registers. Its header must be zero at first.
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
    xsaveopt64 [rsi]
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

/// Called before an observed instruction.
#[unsafe(no_mangle)]
extern "C" fn emitted_handle(context: *mut Context) {
    // SAFETY: `enter` has stored this pointer, and its frame is still on the tracer's own stack;
    // `emitted_hook` has just written `context`.
    let (tracer, context) = unsafe {
        let tracer = TRACER.load(Ordering::Relaxed).cast::<Tracer<'_, '_>>();
        (&mut *tracer, &mut *context)
    };
    tracer.handle(context);
}

impl<'t, 'p> Tracer<'t, 'p> {
    pub(super) fn new(code: &'t Rewritten, program: &'p Program, watch: &'t mut Watch<'p>) -> Self {
        Self {
            code,
            program,
            watch,
            stopped: false,
        }
    }

    /// Executes the new code at `entry` on a stack that ends at `stack`, and returns its result, or `None`
    /// if the tracer has stopped it.
    ///
    /// # Safety
    ///
    /// The code and all memory that it uses must be mapped at their addresses.
    pub(super) unsafe fn enter(
        mut self,
        entry: u64,
        stack: u64,
        [a, b, c]: Arguments,
    ) -> Option<u32> {
        TRACER.store((&raw mut self).cast(), Ordering::Relaxed);
        // SAFETY: the new code behaves like the program, which is a function with these arguments.
        let returned = unsafe { emitted_enter(entry, stack, a, b, c) };
        TRACER.store(null_mut(), Ordering::Relaxed);
        (!self.stopped).then_some(returned)
    }

    fn handle(&mut self, context: &mut Context) {
        let program = self.program;
        // The stack pointer before the call: above the context and the red zone.
        let above = (&raw const *context).addr() + size_of::<Context>();
        context.registers[4] = above as u64 + RED_ZONE as u64;
        let at = self.code.old_place(context.back);
        let mut cpu = On(context);
        let mut then = self.watch.before(at, &mut cpu);
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
                match self.code.new_place(to) {
                    Some(place) => cpu.write(INDIRECT, &place.to_le_bytes()),
                    None => self.stop(cpu.0),
                }
                return;
            }
            if let Some(to) = self.code.target(program, index, cpu.0.flags) {
                then = self.watch.went(to);
            }
        }
        match then {
            Then::Execute => {}
            Then::GoTo(at) => match self.code.new_place(at) {
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
        // SAFETY: only the program uses this memory.
        unsafe {
            let to = std::ptr::with_exposed_provenance_mut(at as usize);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }
}
