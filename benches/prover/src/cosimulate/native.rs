//! The processor at hand.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use libloading::Library;

use super::cpu::{Concrete, Cpu};
use crate::image::Image;

/// A function that the library exports, and whose address says where the image is.
const ANCHOR: &str = "portable_ntt";

/// The probe, loaded as a library.
pub(super) struct Native {
    /// The distance from the addresses of the image to those in memory.
    base: u64,
    /// Its code is in memory as long as this value exists.
    _library: Library,
}

/// A function with at most six integers or pointers as arguments; it ignores those that it does not have.
type Function = unsafe extern "C" fn(u64, u64, u64, u64, u64, u64) -> u64;

/// Bytes where they may be accessed by all instructions that need an alignment.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

impl Native {
    pub(super) fn new(image: &Image, path: &Path) -> Result<Self> {
        // SAFETY: the probe has no code that runs when it is loaded.
        let library = unsafe { Library::new(path) };
        let library = library.with_context(|| path.display().to_string())?;
        // SAFETY: the function is not called through this pointer.
        let anchor = unsafe { library.get::<*const ()>(ANCHOR.as_bytes()) };
        let anchor = *anchor.context("the library lacks a function of the image")? as u64;
        Ok(Self {
            base: anchor.wrapping_sub(image.symbol(ANCHOR)?),
            _library: library,
        })
    }
}

impl Cpu for Native {
    fn has(&self, backend: &str) -> bool {
        match backend {
            "portable" => true,
            "bmi2" => is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2"),
            "avx2" => is_x86_feature_detected!("avx2"),
            "avx512" => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512ifma")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
            }
            _ => false,
        }
    }

    fn run(&mut self, function: u64, arguments: &mut [Concrete]) -> Result<u64> {
        let mut memory: Vec<Vec<Line>> = Vec::new();
        let mut registers = [0; 6];
        ensure!(
            arguments.len() <= registers.len(),
            "there are too many arguments"
        );
        for (register, argument) in registers.iter_mut().zip(&*arguments) {
            *register = match argument {
                Concrete::Value(value) => *value,
                Concrete::Memory(bytes) => {
                    let mut lines = vec![Line([0; 64]); bytes.len().div_ceil(64)];
                    for (line, bytes) in lines.iter_mut().zip(bytes.chunks(64)) {
                        line.0[..bytes.len()].copy_from_slice(bytes);
                    }
                    memory.push(lines);
                    memory
                        .last_mut()
                        .map_or(0, |lines| lines.as_mut_ptr() as u64)
                }
            };
        }
        let address = self.base.wrapping_add(function) as *const ();
        // SAFETY: this is the address of a function of the probe, whose arguments are of this kind.
        let function = unsafe { core::mem::transmute::<*const (), Function>(address) };
        let [a, b, c, d, e, f] = registers;
        // SAFETY: the memory is as large as the function expects, and the processor has its instructions.
        let result = unsafe { function(a, b, c, d, e, f) };
        let mut memory = memory.into_iter();
        for argument in arguments {
            if let Concrete::Memory(bytes) = argument {
                let lines = memory.next().unwrap_or_default();
                for (bytes, line) in bytes.chunks_mut(64).zip(lines) {
                    bytes.copy_from_slice(&line.0[..bytes.len()]);
                }
            }
        }
        Ok(result)
    }
}
