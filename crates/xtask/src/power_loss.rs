//! `cargo xtask power-loss` cuts the power of a device at each operation of its flash during an update and during
//! a roll-back, in QEMU. The device starts again with the content that its flash has then, and checks that it
//! starts the old or the new image, byte for byte, and that it ends with one of them.
//!
//! RAM is a file, in which the job puts the two images, and from which it reads the figures.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use moissanite::{MlDsa44, SigningKey, SysRng};
use moissanite_mcuboot::{Draft, Version};

use crate::process;

const FOLDER: &str = "crates/embassy-boot/examples/power";
const TARGET: &str = "thumbv7em-none-eabihf";
/// The size of the RAM of QEMU's board, which is a file.
const RAM: usize = 16 << 20;
/// The places in RAM, as in `src/board.rs` of the example.
const IMAGES: [usize; 2] = [0x20_0000, 0x30_0000];
const CONTROL: usize = 0x40_0000;
/// The four numbers of `Control` before the figures.
const FIGURES: usize = CONTROL + 16;
/// The time limit. The cuts take less than half of it on two busy processors.
const SECONDS: &str = "400";
/// The number of cuts of each operation, `KINDS` of the example.
const KINDS: u32 = 4;

/// Makes the images, runs the device, and prints its figures.
pub(crate) fn run() -> Result<()> {
    let folder = process::target_directory()?.join("power-loss");
    fs::create_dir_all(&folder)?;
    let key = SigningKey::<MlDsa44>::try_generate(&mut SysRng)?;
    let vendor = folder.join("vendor.pub");
    fs::write(&vendor, key.verifying_key().to_bytes())?;
    let arguments = ["build", "--quiet", "--locked", "--release"];
    let mut cargo = process::cargo_in(FOLDER, &folder, arguments);
    process::run(cargo.env("VENDOR_PUBLIC_KEY", &vendor))?;

    let ram = folder.join("ram");
    let mut content = vec![0; RAM];
    for (at, number) in IMAGES.into_iter().zip(1_u8..) {
        let image = image(&key, number)?;
        let stored = [&u32::try_from(image.len())?.to_le_bytes(), &image[..]].concat();
        let place = content
            .get_mut(at..)
            .and_then(|rest| rest.get_mut(..stored.len()));
        place
            .context("no place for the image")?
            .copy_from_slice(&stored);
    }
    fs::write(&ram, content)?;
    start(&folder.join(TARGET).join("release/power-loss"), &ram)?;

    let content = fs::read(&ram)?;
    let figures = content.get(FIGURES..).context("no figures")?;
    let (figures, _) = figures.as_chunks::<4>();
    for (scenario, what) in ["update", "roll-back"].into_iter().enumerate() {
        let figures = figures.get(3 * scenario..).and_then(<[_]>::first_chunk);
        let [operations, new, old] = figures.context("no figures")?;
        let [operations, new, old] = [operations, new, old].map(|one| u32::from_le_bytes(*one));
        println!(
            "{what}: {operations} operations, {new} runs end with the new image, {old} with the old one"
        );
        ensure!(operations > 20, "there are only {operations} operations");
        ensure!(new + old == operations * KINDS + 1, "some runs are missing");
        // The old image comes back if the power is lost after the swap, before the new image is confirmed.
        let rare = if scenario == 0 { old } else { new };
        ensure!(
            rare * 10 < new + old,
            "{rare} runs end with the other image"
        );
        ensure!(
            scenario == 0 || new == 0,
            "an image that does not work stays"
        );
    }
    Ok(())
}

/// An image whose program returns a number: `movs r0, #number` and `bx lr`, and zeros.
fn image(key: &SigningKey<MlDsa44>, number: u8) -> Result<Vec<u8>> {
    let mut program = vec![number, 0x20, 0x70, 0x47];
    program.resize(100 * usize::from(number), 0);
    let version = Version::new(number, 0, 0, 0);
    let draft = Draft::new(&program, version, number.into())?;
    draft.try_sign(key, &mut SysRng).context("the image")
}

/// Runs the device until it has worked through all cuts.
fn start(program: &Path, ram: &Path) -> Result<()> {
    let mut qemu = Command::new("timeout");
    qemu.args([SECONDS, "qemu-system-arm"]);
    qemu.args(["-machine", "mps2-an386,memory-backend=ram"]);
    qemu.args(process::SEMIHOSTING).arg("-object");
    let ram = ram.display();
    qemu.arg(format!(
        "memory-backend-file,id=ram,size={RAM},share=on,mem-path={ram}"
    ));
    let output = process::captured(qemu.arg("-kernel").arg(program))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success() && said.trim() == "done",
        "{}, \"{}\"",
        output.status,
        said.trim()
    );
    Ok(())
}
