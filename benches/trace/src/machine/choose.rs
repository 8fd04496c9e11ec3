//! Chooses the machine for a target.

use std::path::Path;

use anyhow::Result;
use moissanite_emitted_cases::targets::{Kind, Target};

use super::Machine;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use super::native::Native;
use super::qemu::{self, Qemu};

/// Returns the machine for a target, which keeps its files in `folder`, or the reason why there is none.
pub(crate) fn machine(target: &Target, folder: &Path) -> Result<Result<Box<dyn Machine>, String>> {
    match target.kind {
        Kind::Emulator(model) => {
            let Some(command) = qemu::command(target.name, model) else {
                return Ok(Err("no machine is written for this target".to_owned()));
            };
            if !qemu::is_installed(command) {
                return Ok(Err(format!("{} is missing", command[0])));
            }
            Ok(Ok(Box::new(Qemu::new(command, folder)?)))
        }
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        Kind::Native => Ok(Ok(Box::new(Native::new(folder)))),
        #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
        Kind::Native => Ok(Err("this needs Linux on x86-64".to_owned())),
        Kind::Wasm => Ok(Err("no machine is written for this target".to_owned())),
    }
}

/// Whether a machine is written for a target.
pub(crate) fn is_supported(target: &Target) -> bool {
    match target.kind {
        Kind::Emulator(model) => qemu::command(target.name, model).is_some(),
        Kind::Native => true,
        Kind::Wasm => false,
    }
}
