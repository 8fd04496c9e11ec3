//! The functions that the new code of a program calls. They write the registers to a log, which the tracer
//! reads at once or when it is full.

use std::arch::global_asm;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use super::rewrite::{ABOVE_CALL, GO, GO_TO, INDIRECT, LATER_TO, Rewritten};
use crate::code::{Cpu, Flow, Register};
use crate::machine::Arguments;
use crate::program::Program;
use crate::trace::Branches;
use crate::watch::{Then, Watch};

/// The address that the new code calls where the tracer has to observe at once.
pub(super) fn address() -> u64 {
    emitted_now as *const () as u64
}

/// The state of the program before an observed instruction, in the order in which the functions push it.
#[repr(C)]
struct Context {
    /// The return address in the new code.
    back: u64,
    /// The registers by their numbers.
    registers: [u64; 16],
    flags: u64,
    /// The operand in memory, if there is one that the tracer has to know.
    operand: u64,
}

/// The log of contexts, which grows downwards to this address. It is full there, where the low 16 bits are zero.
pub(super) const LOG: u64 = 0x2000_0000;
pub(super) const LOG_LEN: u64 =
    (1 << 16) / size_of::<Context>() as u64 * size_of::<Context>() as u64;
const LOG_END: u64 = LOG + LOG_LEN;

/// The tracer, which reads the log.
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

/// The lowest address of the log in use.
#[unsafe(no_mangle)]
static EMITTED_NEXT: AtomicU64 = AtomicU64::new(LOG_END);
/// The stack pointer of the program, in the function that it has called.
#[unsafe(no_mangle)]
static EMITTED_PROGRAM: AtomicU64 = AtomicU64::new(0);

#[repr(C, align(64))]
struct Area([u8; 8192]);
/// The area into which `xsave64` writes all vector registers. Its header must be zero at first.
#[unsafe(no_mangle)]
static mut EMITTED_AREA: Area = Area([0; 8192]);

unsafe extern "C" {
    fn emitted_now();
    fn emitted_later();
    fn emitted_exit();
    fn emitted_enter(entry: u64, stack: u64, a: u32, b: u32, c: u32) -> u32;
}

global_asm!(
    r"
    .macro emitted_save
    mov [rip + EMITTED_PROGRAM], rsp
    mov rsp, [rip + EMITTED_NEXT]
    lea rsp, [rsp - 8]
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
    push qword ptr [rip + EMITTED_PROGRAM]
    push rbx
    push rdx
    push rcx
    push rax
    mov rax, [rip + EMITTED_PROGRAM]
    mov rcx, [rax + 8]
    mov [rsp + 136], rcx
    push qword ptr [rax]
    mov [rip + EMITTED_NEXT], rsp
    .endm

    .globl emitted_later
emitted_later:
    emitted_save
    // The log is full if these bits are zero. No instruction here changes the flags.
    movzx ecx, sp
    jrcxz 2f
    mov rax, [rsp + 8]
    mov rcx, [rsp + 16]
    mov rsp, [rip + EMITTED_PROGRAM]
    ret

    .globl emitted_now
emitted_now:
    emitted_save
2:
    mov rbx, rsp
    mov rsp, [rip + EMITTED_PROGRAM]
    and rsp, -64
    cld
    lea rsi, [rip + EMITTED_AREA]
    mov eax, 0xe6
    xor edx, edx
    xsaveopt64 [rsi]
    call emitted_handle
    lea rsi, [rip + EMITTED_AREA]
    mov eax, 0xe6
    xor edx, edx
    xrstor64 [rsi]
    lea rsp, [rbx + 8]
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
    mov rsp, [rip + EMITTED_PROGRAM]
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

/// Called if the log is full, or if its last context has to be read at once.
#[unsafe(no_mangle)]
extern "C" fn emitted_handle() {
    // SAFETY: `enter` has stored this pointer, and its frame is still on the tracer's own stack.
    let tracer = unsafe { &mut *TRACER.load(Ordering::Relaxed).cast::<Tracer<'_, '_>>() };
    tracer.read_log(true);
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
        let later = match self.watch.trace.branches {
            Branches::OwnPath => emitted_later as *const (),
            Branches::OfFirstRun => emitted_now as *const (),
        };
        write(LATER_TO, &(later as u64).to_le_bytes());
        EMITTED_NEXT.store(LOG_END, Ordering::Relaxed);
        TRACER.store((&raw mut self).cast(), Ordering::Relaxed);
        // SAFETY: the new code behaves like the program, which is a function with these arguments.
        let returned = unsafe { emitted_enter(entry, stack, a, b, c) };
        TRACER.store(null_mut(), Ordering::Relaxed);
        self.read_log(false);
        (!self.stopped).then_some(returned)
    }

    /// Observes all contexts of the log, from the oldest to the newest, and empties it. `waits` says whether
    /// the program waits in the newest.
    fn read_log(&mut self, waits: bool) {
        let next = EMITTED_NEXT.swap(LOG_END, Ordering::Relaxed);
        let length = (LOG_END - next) as usize / size_of::<Context>();
        // SAFETY: the functions have written these contexts, and write no other before this one returns.
        let contexts = unsafe {
            let first = std::ptr::with_exposed_provenance_mut::<Context>(next as usize);
            std::slice::from_raw_parts_mut(first, length)
        };
        for (i, context) in contexts.iter_mut().enumerate().rev() {
            context.registers[4] += ABOVE_CALL;
            self.handle(On {
                context,
                waits: waits && i == 0,
            });
        }
    }

    fn handle(&mut self, mut cpu: On<'_>) {
        let program = self.program;
        let at = self.code.old_place(cpu.context.back);
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
                    Some(place) => write(INDIRECT, &place.to_le_bytes()),
                    None => self.stop(),
                }
                return;
            }
            if let Some(to) = self.code.target(program, index, cpu.context.flags) {
                then = self.watch.went(to);
            }
        }
        match then {
            Then::Execute => {}
            Then::GoTo(at) => match self.code.new_place(at) {
                Some(place) => {
                    write(GO_TO, &place.to_le_bytes());
                    return_to(GO);
                }
                None => self.stop(),
            },
            Then::Stop => self.stop(),
        }
    }

    fn stop(&mut self) {
        self.stopped = true;
        return_to(emitted_exit as *const () as u64);
    }
}

/// Replaces the address to which the function returns that the program has called. What may change the course of
/// the program is observed at once, so this is the last context.
fn return_to(place: u64) {
    let at = EMITTED_PROGRAM.load(Ordering::Relaxed);
    write(at, &place.to_le_bytes());
}

fn write(at: u64, bytes: &[u8]) {
    // SAFETY: only the program and the code before it use the memory that is written here.
    unsafe {
        let to = std::ptr::with_exposed_provenance_mut(at as usize);
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
    }
}

/// The processor, before an instruction.
struct On<'c> {
    context: &'c Context,
    /// Whether the program waits there, so that memory can be read.
    waits: bool,
}

impl Cpu for On<'_> {
    fn register(&mut self, register: Register) -> u64 {
        self.context.registers[usize::from(register & 15)]
    }
    fn memory(&mut self, at: u64, bytes: usize) -> u64 {
        let mut word = self.context.operand.to_le_bytes();
        if self.waits {
            self.read(at, &mut word[..bytes.min(8)]);
        }
        word[bytes.min(8)..].fill(0);
        u64::from_le_bytes(word)
    }
    fn flags(&mut self) -> u64 {
        // Carry, parity, zero, sign and overflow.
        self.context.flags & 0x8c5
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
        write(at, bytes);
    }
}
