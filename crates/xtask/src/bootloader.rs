//! `cargo xtask bootloader` checks that the bootloader of the examples starts the images that its
//! vendor signed, and no others. It builds the bootloader and an application as the README says, with
//! new keys, signs with the command, and starts QEMU's Cortex-M4 with each image in flash.
//!
//! RAM is a file that is filled with a pattern. The bytes that have changed after a refusal were used as
//! stack.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use regex::Regex;

use crate::{elf, process};

const FOLDER: &str = "crates/moissanite/examples/bootloader";
const TARGET: &str = "thumbv7em-none-eabihf";
const CONTEXT: &str = "firmware of the example board";
const PAINT: u8 = 0xa5;
/// The size of the RAM of QEMU's board, which is a file. The RAM of board.x is at its beginning.
const RAM: usize = 16 << 20;
/// The time limit. A start takes less than a second, so a program that reaches the limit hangs.
const SECONDS: &str = "60";

/// Starts each image, and prints the flash and the stack that the bootloader uses.
pub(crate) fn run() -> Result<()> {
    let bench = Bench::new()?;
    let bootloader = flat(&bench.program("bootloader"))?;
    let application = flat(&bench.program("application"))?;
    let mut stack = 0;
    for (what, slot, expected) in cases(&bench, &application)? {
        let (output, used) = bench.start(&bootloader, &slot)?;
        let said = String::from_utf8_lossy(&output.stderr);
        println!("{what}: {}", said.trim());
        ensure!(
            said.trim() == expected && output.status.success() == (expected == "booted"),
            "{what}: {}, \"{}\" in place of \"{expected}\"",
            output.status,
            said.trim()
        );
        // An image that starts uses RAM itself.
        if !output.status.success() {
            stack = stack.max(used);
        }
    }
    println!(
        "the bootloader takes {} bytes of flash and {stack} of stack",
        bootloader.len()
    );
    Ok(())
}

/// A description, the content of the slot, and the expected output.
type Case = (&'static str, Vec<u8>, &'static str);

fn cases(bench: &Bench, application: &[u8]) -> Result<Vec<Case>> {
    let signed = |image: &[u8]| bench.sign("vendor", Some(CONTEXT), image);
    let with = |at: usize, bytes: [u8; 4]| {
        let mut image = application.to_vec();
        let place = image.get_mut(at..).and_then(<[u8]>::first_chunk_mut);
        *place.context("the image ends")? = bytes;
        signed(&image)
    };
    let flipped = |at: usize| {
        let mut slot = signed(application)?;
        *slot.get_mut(at).context("the slot ends")? ^= 1;
        anyhow::Ok(slot)
    };
    let good = signed(application)?;
    let header = |at: usize| {
        let bytes = application.get(at..).and_then(<[u8]>::first_chunk);
        bytes.copied().map(u32::from_le_bytes).context("no header")
    };
    let (address, length) = (header(4)?, header(8)?);
    ensure!(
        usize::try_from(length)? == application.len(),
        "the header says that {length} bytes are signed, of {}",
        application.len()
    );
    let signature = good.len() - application.len();
    let longest = bench.slot.length - u32::try_from(signature)?;
    let end = length + address;
    let other = |key, context| bench.sign(key, context, application);
    const VECTORS: usize = 1024;
    Ok(vec![
        ("as signed", good.clone(), "booted"),
        (
            "as signed, header changed",
            flipped(16)?,
            "refused: signature",
        ),
        (
            "as signed, code changed",
            flipped(application.len() - 1)?,
            "refused: signature",
        ),
        (
            "signature changed",
            flipped(application.len())?,
            "refused: signature",
        ),
        (
            "end of signature changed",
            flipped(good.len() - 1)?,
            "refused: signature",
        ),
        (
            "signature cut off",
            application.to_vec(),
            "refused: signature",
        ),
        (
            "another key",
            other("other", Some(CONTEXT))?,
            "refused: signature",
        ),
        (
            "another context",
            other("vendor", Some("letters"))?,
            "refused: signature",
        ),
        ("no context", other("vendor", None)?, "refused: signature"),
        ("empty flash", Vec::new(), "refused: no image"),
        (
            "another slot",
            with(4, (address + 4096).to_le_bytes())?,
            "refused: for another slot",
        ),
        (
            "an old version",
            with(12, [0; 4])?,
            "refused: an old version",
        ),
        (
            "no program",
            with(8, 1024u32.to_le_bytes())?,
            "refused: length",
        ),
        (
            "as long as can be",
            with(8, longest.to_le_bytes())?,
            "refused: signature",
        ),
        (
            "longer than that",
            with(8, (longest + 1).to_le_bytes())?,
            "refused: length",
        ),
        (
            "longer than memory",
            with(8, u32::MAX.to_le_bytes())?,
            "refused: length",
        ),
        (
            "stack below RAM",
            with(VECTORS, bench.ram.start.to_le_bytes())?,
            "refused: vectors",
        ),
        (
            "stack above RAM",
            with(VECTORS, (bench.ram.end() + 8).to_le_bytes())?,
            "refused: vectors",
        ),
        (
            "stack not aligned",
            with(VECTORS, (bench.ram.end() - 4).to_le_bytes())?,
            "refused: vectors",
        ),
        (
            "start in the bootloader",
            with(VECTORS + 4, (address - 3).to_le_bytes())?,
            "refused: vectors",
        ),
        (
            "start in the header",
            with(VECTORS + 4, (address + 1).to_le_bytes())?,
            "refused: vectors",
        ),
        (
            "start behind the image",
            with(VECTORS + 4, (end | 1).to_le_bytes())?,
            "refused: vectors",
        ),
        (
            "start not in Thumb code",
            with(VECTORS + 4, (end - 4).to_le_bytes())?,
            "refused: vectors",
        ),
    ])
}

/// Returns the content of flash: all bytes of a program from the first on.
fn flat(program: &Path) -> Result<Vec<u8>> {
    let mut segments = elf::segments(program)?;
    segments.retain(|segment| !segment.bytes.is_empty());
    segments.sort_by_key(|segment| segment.stored_at);
    let first = segments.first().context("an empty program")?.stored_at;
    let mut flat = Vec::new();
    for segment in segments {
        flat.resize(usize::try_from(segment.stored_at - first)?, 0);
        flat.extend(segment.bytes);
    }
    Ok(flat)
}

/// A part of the board's memory.
struct Region {
    start: u32,
    length: u32,
}

impl Region {
    /// The values in board.x.
    fn read(board: &str, name: &str) -> Result<Self> {
        let line = Regex::new(&format!(
            r"(?m)^ *{name} +: ORIGIN = 0x([0-9a-f]+), LENGTH = ([0-9]+)K$"
        ))?;
        let found = line.captures(board).with_context(|| format!("no {name}"))?;
        Ok(Self {
            start: u32::from_str_radix(&found[1], 16)?,
            length: found[2].parse::<u32>()? << 10,
        })
    }

    fn end(&self) -> u32 {
        self.start + self.length
    }
}

/// The command, keys, programs, and the board.
struct Bench {
    command: PathBuf,
    folder: PathBuf,
    programs: PathBuf,
    slot: Region,
    ram: Region,
}

impl Bench {
    /// Builds the programs and makes the keys.
    fn new() -> Result<Self> {
        let target = process::target_directory()?;
        let folder = target.join("bootloader");
        let board = fs::read_to_string(process::root().join(FOLDER).join("board.x"))?;
        let bench = Self {
            command: target.join("release/moissanite"),
            programs: folder.join(TARGET).join("release"),
            slot: Region::read(&board, "SLOT")?,
            ram: Region::read(&board, "RAM")?,
            folder,
        };
        fs::create_dir_all(&bench.folder)?;
        process::run(&mut process::cargo([
            "build",
            "--quiet",
            "--locked",
            "--release",
            "--bin",
            "moissanite",
        ]))?;
        for key in ["vendor", "other"] {
            let [private, public] = [format!("{key}.pem"), format!("{key}-public.pem")];
            bench.command(&[
                "keygen",
                "ml-dsa-44",
                "--out",
                &private,
                "--public-out",
                &public,
                "--force",
            ])?;
            let raw = format!("{key}.pub");
            bench.command(&[
                "convert", &public, "--format", "raw", "--out", &raw, "--force",
            ])?;
        }
        let arguments = ["build", "--quiet", "--locked", "--release"];
        let mut cargo = process::cargo_in(FOLDER, &bench.folder, arguments);
        cargo.env("VENDOR_PUBLIC_KEY", bench.folder.join("vendor.pub"));
        process::run(&mut cargo)?;
        Ok(bench)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// Returns the command `moissanite`, in the folder of the keys.
    fn command(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(&self.command);
        process::run(command.args(arguments).current_dir(&self.folder))
    }

    /// Returns an image followed by its signature.
    fn sign(&self, key: &str, context: Option<&str>, image: &[u8]) -> Result<Vec<u8>> {
        fs::write(self.folder.join("image"), image)?;
        let key = format!("{key}.pem");
        let mut arguments = vec!["sign", "--key", &key, "--in", "image"];
        arguments.extend(["--out", "signature", "--force"]);
        arguments.extend(context.iter().flat_map(|context| ["--context", context]));
        self.command(&arguments)?;
        let signature = fs::read(self.folder.join("signature"))?;
        Ok([image, &signature].concat())
    }

    /// Starts the board, and returns its output and the number of bytes of stack.
    fn start(&self, bootloader: &[u8], slot: &[u8]) -> Result<(Output, usize)> {
        const ERASED: u8 = 0xff;
        let mut flash = bootloader.to_vec();
        flash.resize(usize::try_from(self.slot.start)?, ERASED);
        flash.extend(slot);
        flash.resize(usize::try_from(self.slot.end())?, ERASED);
        let (in_flash, in_ram) = (self.folder.join("flash"), self.folder.join("ram"));
        fs::write(&in_flash, flash)?;
        fs::write(&in_ram, vec![PAINT; RAM])?;
        let mut qemu = Command::new("timeout");
        qemu.args([
            SECONDS,
            "qemu-system-arm",
            "-machine",
            "mps2-an386,memory-backend=ram",
        ]);
        qemu.args(process::SEMIHOSTING).arg("-object");
        let path = |path: &Path| path.display().to_string();
        qemu.arg(format!(
            "memory-backend-file,id=ram,size={RAM},share=on,mem-path={}",
            path(&in_ram)
        ));
        qemu.arg("-device");
        qemu.arg(format!(
            "loader,file={},addr=0,force-raw=on",
            path(&in_flash)
        ));
        let output = process::captured(&mut qemu)?;
        let ram = fs::read(&in_ram)?;
        let ram = ram.get(..usize::try_from(self.ram.length)?);
        let ram = ram.context("there is less RAM than board.x says")?;
        let painted = ram.iter().take_while(|byte| **byte == PAINT).count();
        Ok((output, ram.len() - painted))
    }
}
