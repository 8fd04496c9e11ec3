//! QEMU with a plugin that records the trace. The processors with an operating system run the probe as a
//! program of Linux, and the microcontrollers on boards of which the probe needs only the memory.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use moissanite_emitted_cases::targets::Model;

use super::{Ended, Machine, Run};
use crate::program::{Output, Program};
use crate::record::{Event, Trace, Window};

const PLUGIN: &str = include_str!("plugin.c");

/// The command for a processor, or nothing for a processor that is not checked here.
pub(super) fn command(target: &str, model: Model) -> Option<&'static [&'static str]> {
    Some(match (model, target) {
        // The memory of the board would be too small.
        (Model::CortexM0, _) => &[
            "qemu-system-arm",
            "-machine",
            "microbit",
            "-global",
            "nrf51-soc.sram-size=0x2000000",
        ],
        (Model::CortexM4, _) => &["qemu-system-arm", "-machine", "mps2-an386"],
        (Model::Riscv32, _) => &["qemu-riscv32"],
        (Model::Riscv64, _) => &["qemu-riscv64"],
        (Model::Aarch64, "aarch64") => &["qemu-aarch64", "-cpu", "cortex-a72"],
        (Model::Aarch64, _) => &["qemu-aarch64", "-cpu", "max"],
        (Model::CortexM3 | Model::I686, _) => return None,
    })
}

/// Whether the program of a command exists.
pub(super) fn is_installed(command: &[&str]) -> bool {
    let version = Command::new(command[0]).arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

/// The options of a board that communicates by semihosting only.
const BOARD: [&str; 7] = [
    "-nographic",
    "-monitor",
    "none",
    "-serial",
    "none",
    "-semihosting-config",
    "enable=on,target=native",
];

/// QEMU for one processor.
pub(super) struct Qemu {
    command: &'static [&'static str],
    folder: PathBuf,
    plugin: PathBuf,
}

impl Qemu {
    pub(super) fn new(command: &'static [&'static str], folder: &Path) -> Result<Self> {
        let source = folder.join("plugin.c");
        let plugin = folder.join("plugin.so");
        std::fs::write(&source, PLUGIN).with_context(|| source.display().to_string())?;
        let options = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"];
        let mut compiler = Command::new("cc");
        compiler.args(options).arg("-o").arg(&plugin).arg(&source);
        let compiled = compiler.status().context("cannot start cc")?;
        ensure!(compiled.success(), "the plugin does not compile");
        Ok(Self {
            command,
            folder: folder.to_owned(),
            plugin,
        })
    }
}

impl Machine for Qemu {
    fn output(&self, program: &Program, file: &[u8]) -> Result<Output> {
        // The plugin stops the program at a panic.
        let (run, output) = self.execute(program, file, &(0..0))?;
        ensure!(run.ended == Ended::Returned, "the probe panicked");
        Output::read(&output)
    }

    fn run(&self, program: &Program, file: &[u8], window: &Window) -> Result<Run> {
        Ok(self.execute(program, file, window)?.0)
    }
}

impl Qemu {
    /// Executes a file of the program, and returns its trace and what it wrote.
    fn execute(&self, program: &Program, file: &[u8], window: &Window) -> Result<(Run, Vec<u8>)> {
        let path = super::write_program(&self.folder, file)?;
        let trace = self.folder.join("trace");
        if trace.exists() {
            std::fs::remove_file(&trace)?;
        }
        let mut qemu = Command::new(self.command[0]);
        qemu.args(&self.command[1..]).arg("-plugin").arg(format!(
            "{},out={},panic={},from={},to={}",
            self.plugin.display(),
            trace.display(),
            program.panic,
            window.start,
            window.end
        ));
        if self.command[0].starts_with("qemu-system") {
            // A Cortex-M reads the stack and the entry at address zero.
            let vectors = self.folder.join("vectors");
            let words = [program.stack as u32, program.entry as u32].map(u32::to_le_bytes);
            std::fs::write(&vectors, words.concat())?;
            let vectors = vectors.display();
            qemu.args(BOARD).args([
                "-device",
                &format!("loader,addr=0,force-raw=on,file={vectors}"),
            ]);
            qemu.arg("-kernel");
        }
        let output = qemu
            .arg(path)
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {}", self.command[0]))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        let trace = std::fs::read(&trace)
            .with_context(|| format!("{} wrote no trace: {errors}", self.command[0]))?;
        let (gave_up, trace) = decode(&trace)?;
        let ended = if gave_up {
            Ended::Panicked
        } else if !window.is_empty() && trace.count >= window.end {
            Ended::Early
        } else {
            let status = output.status;
            ensure!(status.success(), "{}: {status}: {errors}", self.command[0]);
            Ended::Returned
        };
        Ok((Run { trace, ended }, output.stdout))
    }
}

/// Decodes the file of the plugin: whether the program was given up, and the trace.
fn decode(file: &[u8]) -> Result<(bool, Trace)> {
    let (words, rest) = file.as_chunks();
    let words: Vec<_> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    ensure!(rest.is_empty(), "the trace is cut off");
    let ([gave_up, count, hashes], rest) = words
        .split_first_chunk()
        .context("the trace has no header")?;
    let hashes = usize::try_from(*hashes)?;
    let parts = rest.split_at_checked(hashes);
    let (hashes, events) = parts.context("the trace is cut off")?;
    let trace = Trace {
        count: *count,
        hashes: hashes.to_vec(),
        events: events.iter().copied().map(Event).collect(),
    };
    Ok((*gave_up != 0, trace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_plugin() {
        let event = Event::executes(0x100);
        let words = [1, 9, 2, 5, 6, event.0];
        let file: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let (gave_up, trace) = decode(&file).unwrap();
        assert!(gave_up);
        let expected = Trace {
            count: 9,
            hashes: vec![5, 6],
            events: vec![event],
        };
        assert_eq!(trace, expected);
        assert!(decode(&file[..file.len() - 1]).is_err());
        assert!(decode(&file[..32]).is_err());
        assert!(decode(&[]).is_err());
    }

    /// The plugin and the recorder write the same words.
    #[test]
    fn the_plugin_agrees_with_the_recorder() {
        assert!(PLUGIN.contains("#define INTERVAL (UINT64_C(1) << 16)"));
        assert_eq!(crate::record::INTERVAL, 1 << 16);
        assert!(PLUGIN.contains("enum { SIZE = 56, KIND = 60 };"));
    }
}
