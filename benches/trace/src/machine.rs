//! The machines that execute the probe and record its trace.

mod choose;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod native;
mod qemu;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) use choose::{is_supported, machine};

use crate::program::{Output, Program};
use crate::record::{Trace, Window};

/// A recorded run.
pub(crate) struct Run {
    pub(crate) trace: Trace,
    pub(crate) ended: Ended,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Returned,
    Panicked,
    /// All events to keep were recorded before.
    Early,
}

/// A machine that executes programs.
pub(crate) trait Machine {
    /// Executes a file of the program, and returns its output.
    fn output(&self, program: &Program, file: &[u8]) -> Result<Output>;

    /// Executes a file of the program, and records its trace. With a window that is not empty, the run may
    /// end when the events of the window are recorded.
    fn run(&self, program: &Program, file: &[u8], window: &Window) -> Result<Run>;
}

/// Writes a program to a file of its own, and returns the path.
fn write_program(folder: &Path, file: &[u8]) -> Result<PathBuf> {
    let path = folder.join("program");
    std::fs::write(&path, file).with_context(|| path.display().to_string())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(path)
}
