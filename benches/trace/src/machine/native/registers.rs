//! The registers of a stopped program.

use std::arch::x86_64::__cpuid_count;
use std::ptr::{null_mut, without_provenance_mut};

use anyhow::{Result, ensure};
use iced_x86::Register;

use crate::x86::Registers;

/// The registers between two instructions. The vector registers are read when an instruction needs them.
pub(super) struct State {
    process: libc::pid_t,
    general: libc::user_regs_struct,
    /// The area that the instruction XSAVE fills, in its standard form, if it was read.
    extended: Option<Box<[u8]>>,
    places: Places,
}

/// The note type of the area of XSAVE.
const NT_X86_XSTATE: usize = 0x202;
/// The length of an area with all registers of AVX-512, and more.
const AREA: usize = 16 << 10;
/// The place of the registers XMM in the area.
const XMM: usize = 160;

/// The places of the parts of the area, which the processor states; zero if it lacks the part.
struct Places {
    ymm_high: usize,
    masks: usize,
    zmm_high: usize,
    zmm_16_to_31: usize,
}

impl Places {
    fn new() -> Self {
        // The second register of the leaf is the offset of the component.
        let [ymm_high, masks, zmm_high, zmm_16_to_31] =
            [2, 5, 6, 7].map(|component| __cpuid_count(0xd, component).ebx as usize);
        Self {
            ymm_high,
            masks,
            zmm_high,
            zmm_16_to_31,
        }
    }
}

impl State {
    pub(super) fn new(process: libc::pid_t) -> Self {
        Self {
            process,
            // SAFETY: the type consists of integers.
            general: unsafe { std::mem::zeroed() },
            extended: None,
            places: Places::new(),
        }
    }

    /// Reads the general registers, and returns the address of the next instruction.
    pub(super) fn read(&mut self) -> Result<u64> {
        self.extended = None;
        let to = (&raw mut self.general).cast::<u8>();
        // SAFETY: the call writes registers of this type.
        let result =
            unsafe { libc::ptrace(libc::PTRACE_GETREGS, self.process, null_mut::<u8>(), to) };
        ensure!(result == 0, "ptrace: {}", std::io::Error::last_os_error());
        Ok(self.general.rip)
    }

    fn extended(&mut self) -> Result<&[u8]> {
        let area = match self.extended.take() {
            Some(area) => area,
            None => {
                let mut area = vec![0_u8; AREA].into_boxed_slice();
                let mut to = libc::iovec {
                    iov_base: area.as_mut_ptr().cast(),
                    iov_len: area.len(),
                };
                let note = without_provenance_mut::<u8>(NT_X86_XSTATE);
                // SAFETY: the call writes at most `iov_len` bytes.
                let result = unsafe {
                    libc::ptrace(libc::PTRACE_GETREGSET, self.process, note, &raw mut to)
                };
                ensure!(result == 0, "ptrace: {}", std::io::Error::last_os_error());
                area
            }
        };
        Ok(self.extended.insert(area))
    }
}

impl Registers for State {
    fn general(&mut self, number: usize) -> u64 {
        let all = &self.general;
        let in_order = [
            all.rax, all.rcx, all.rdx, all.rbx, all.rsp, all.rbp, all.rsi, all.rdi, all.r8, all.r9,
            all.r10, all.r11, all.r12, all.r13, all.r14, all.r15,
        ];
        in_order[number & 15]
    }

    fn segment(&mut self, segment: Register) -> u64 {
        match segment {
            Register::FS => self.general.fs_base,
            Register::GS => self.general.gs_base,
            _ => 0,
        }
    }

    fn mask(&mut self, number: usize) -> Result<u64> {
        let at = self.places.masks + 8 * number;
        let mut mask = [0; 8];
        mask.copy_from_slice(&self.extended()?[at..at + 8]);
        Ok(u64::from_le_bytes(mask))
    }

    fn vector(&mut self, number: usize) -> Result<[u8; 64]> {
        let Places {
            ymm_high,
            zmm_high,
            zmm_16_to_31,
            ..
        } = self.places;
        let area = self.extended()?;
        let mut vector = [0; 64];
        if number >= 16 {
            let at = zmm_16_to_31 + 64 * (number - 16);
            vector.copy_from_slice(&area[at..at + 64]);
            return Ok(vector);
        }
        vector[..16].copy_from_slice(&area[XMM + 16 * number..][..16]);
        if ymm_high != 0 {
            vector[16..32].copy_from_slice(&area[ymm_high + 16 * number..][..16]);
        }
        if zmm_high != 0 {
            vector[32..].copy_from_slice(&area[zmm_high + 32 * number..][..32]);
        }
        Ok(vector)
    }
}
