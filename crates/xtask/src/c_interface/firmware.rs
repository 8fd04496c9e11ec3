//! The library for firmware, which contains no panic, and the boot loader in C that is linked with it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use object::LittleEndian;
use object::elf::{FileHeader32, SHT_SYMTAB};
use object::read::elf::{FileHeader, Sym};

use super::header::CRATE;
use super::images::Maker;
use super::library;
use crate::process;

const TARGET: &str = "thumbv7em-none-eabi";
/// The features of the libraries that the boot loader is linked with: the fewest cycles, and the least flash.
const LIBRARIES: [&str; 2] = ["ml-dsa-44", "ml-dsa-44,tiny"];
/// The features of libraries with all sets, whose shared functions know less about their lengths.
const ALL_SETS: [&str; 2] = [
    "ml-dsa-44,ml-dsa-65,ml-dsa-87,dilithium",
    "ml-dsa-44,ml-dsa-65,ml-dsa-87,dilithium,tiny",
];
/// Parts of the names of functions of panics and of formatting.
const PANICS: [&str; 3] = ["panicking", "panic", "core3fmt"];
/// The limit of the stack that the header states.
const MOST_STACK: usize = 4 << 10;
/// The size of the RAM of QEMU's board, which is a file. The RAM of memory.ld is at its beginning.
const RAM: usize = 16 << 20;
/// The time limit of QEMU. A start takes less than a second.
const SECONDS: &str = "60";

/// Builds the boot loader, looks for panics in it, and starts each image.
pub(super) fn run(scratch: &Path) -> Result<()> {
    let tools = ["arm-none-eabi-gcc", "qemu-system-arm"];
    if !process::has_library(&process::compiler(), TARGET) || !tools.into_iter().all(exists) {
        println!(
            "NOT CHECKED: the firmware needs the library for {TARGET}, and {}",
            tools.join(" and ")
        );
        return Ok(());
    }
    let build = scratch.join("bootloader");
    for features in ALL_SETS {
        process::make_empty(&build)?;
        let functions = link_all(&library::for_firmware(TARGET, features)?, &build)?;
        println!("c-interface: with {features}, the {functions} functions contain no panic");
    }
    let source = process::root().join(CRATE).join("examples/bootloader");
    let board = process::read(&source.join("memory.ld"))?;
    let (slot, slot_length) = region(&board, "SLOT")?;
    let (ram, ram_length) = region(&board, "RAM")?;
    let maker = Maker::new(slot, usize::try_from(slot_length)?, (ram, ram + ram_length));
    for features in LIBRARIES {
        let archive = library::for_firmware(TARGET, features)?;
        process::make_empty(&build)?;
        link_all(&archive, &build)?;
        fs::write(build.join("vendor.pub"), maker.public_key())?;
        let mut make = Command::new("make");
        make.arg("--quiet").current_dir(&source);
        make.arg(format!("LIBRARY={}", archive.display()));
        make.arg(format!("KEY={}", build.join("vendor.pub").display()));
        make.arg(format!("BUILD={}", build.display()));
        process::run(&mut make)?;
        check_symbols("the boot loader", &fs::read(build.join("bootloader.elf"))?)?;
        let bootloader = fs::read(build.join("bootloader.bin"))?;
        let application = fs::read(build.join("application.bin"))?;
        let cases = maker.cases(&application)?;
        let mut stack = 0;
        for (what, image, expected) in &cases {
            let (said, used) = start(&build, &maker, &bootloader, image)?;
            // An image that starts uses RAM itself.
            if said != "booted" {
                stack = stack.max(used);
            }
            ensure!(
                said == *expected,
                "{features}: {what}: \"{said}\" in place of \"{expected}\""
            );
        }
        ensure!(
            stack < MOST_STACK,
            "{features}: the boot loader uses {stack} bytes of stack"
        );
        let started = cases.iter().filter(|case| case.2 == "booted").count();
        println!(
            "c-interface: with {features}, the boot loader has {} bytes of flash, {stack} of stack and no panic, and \
             starts {started} of {} images",
            bootloader.len(),
            cases.len()
        );
    }
    Ok(())
}

fn exists(program: &str) -> bool {
    process::captured(Command::new(program).arg("--version")).is_ok()
}

/// A line of the memory map.
fn region(board: &str, name: &str) -> Result<(u32, u32)> {
    let line = regex::Regex::new(&format!(
        r"(?m)^ *{name} +\(.*\) +: ORIGIN = 0x([0-9a-f]+), LENGTH = ([0-9]+)K$"
    ))?;
    let found = line.captures(board).with_context(|| format!("no {name}"))?;
    Ok((
        u32::from_str_radix(&found[1], 16)?,
        found[2].parse::<u32>()? << 10,
    ))
}

/// Links all functions of the library together, looks for panics, and returns their number.
fn link_all(archive: &Path, build: &Path) -> Result<usize> {
    let mut nm = Command::new("arm-none-eabi-nm");
    nm.args(["--defined-only", "--extern-only", "--format=just-symbols"]);
    let symbols = process::output(nm.arg(archive))?;
    let functions = symbols
        .lines()
        .filter(|name| name.starts_with("moissanite_"));
    let roots: Vec<_> = functions.map(|name| format!("-Wl,-u,{name}")).collect();
    let program = build.join("all.elf");
    let mut gcc = Command::new("arm-none-eabi-gcc");
    gcc.args(["-mcpu=cortex-m4", "-mthumb", "-nostdlib"]);
    gcc.args(["-Wl,--gc-sections", "-Wl,-z,noexecstack"]);
    // No function is the first one, because the program is not started.
    gcc.args(["-Wl,-e,0"]).args(&roots).arg(archive);
    process::run(gcc.arg("-lgcc").arg("-o").arg(&program))?;
    check_symbols("the library", &fs::read(program)?)?;
    Ok(roots.len())
}

/// Fails if a program has a function that panics or formats.
fn check_symbols(what: &str, elf: &[u8]) -> Result<()> {
    let header = FileHeader32::<LittleEndian>::parse(elf)?;
    let sections = header.sections(LittleEndian, elf)?;
    let symbols = sections.symbols(LittleEndian, elf, SHT_SYMTAB)?;
    let mut found = Vec::new();
    let mut verifies = false;
    for symbol in symbols.iter() {
        let name = String::from_utf8_lossy(symbol.name(LittleEndian, symbols.strings())?);
        verifies |= name == "moissanite_stream_verify" && symbol.st_size(LittleEndian) > 0;
        if PANICS.iter().any(|part| name.contains(part)) {
            found.push(name.into_owned());
        }
    }
    ensure!(verifies, "{what} does not contain the verification");
    ensure!(found.is_empty(), "{what} contains {}", found.join(", "));
    Ok(())
}

/// Starts the board with an image in flash, and returns what it prints, and the number of bytes of stack:
/// RAM is filled with a pattern, and the bytes that have changed after a refusal were used.
fn start(folder: &Path, maker: &Maker, bootloader: &[u8], image: &[u8]) -> Result<(String, usize)> {
    const ERASED: u8 = 0xff;
    const PAINT: u8 = 0xa5;
    let slot = usize::try_from(maker.slot)?;
    ensure!(bootloader.len() <= slot && image.len() <= maker.slot_length);
    let mut flash = bootloader.to_vec();
    flash.resize(slot, ERASED);
    flash.extend(image);
    flash.resize(slot + maker.slot_length, ERASED);
    let (in_flash, in_ram) = (folder.join("flash"), folder.join("ram"));
    fs::write(&in_flash, flash)?;
    fs::write(&in_ram, vec![PAINT; RAM])?;
    let mut qemu = Command::new("timeout");
    qemu.args([SECONDS, "qemu-system-arm", "-machine"]);
    qemu.arg("mps2-an386,memory-backend=ram").arg("-object");
    qemu.arg(format!(
        "memory-backend-file,id=ram,size={RAM},share=on,mem-path={}",
        in_ram.display()
    ));
    qemu.args(process::SEMIHOSTING).arg("-device");
    qemu.arg(format!(
        "loader,file={},addr=0,force-raw=on",
        in_flash.display()
    ));
    let output = process::captured(&mut qemu)?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    ensure!(
        output.status.success() == (said == "booted"),
        "the board ended with {}: {said}",
        output.status
    );
    let ram = fs::read(&in_ram)?;
    let ram = ram.get(..usize::try_from(maker.ram.1 - maker.ram.0)?);
    let ram = ram.context("there is less RAM than memory.ld says")?;
    let painted = ram.iter().take_while(|byte| **byte == PAINT).count();
    Ok((said, ram.len() - painted))
}
