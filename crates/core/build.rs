//! What the instruction set of a 32-bit ARM target has, as far as no cfg of the compiler's tells:
//! `cfg(armv7)`, Thumb-2; `cfg(armv7_dsp)`, sums of packed bytes too.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    let is_one_of = |families: &[&str]| families.iter().any(|family| target.starts_with(family));
    if is_one_of(&["armv7", "thumbv7", "thumbv8m.main"]) {
        println!("cargo:rustc-cfg=armv7");
    }
    // Of Cortex-M33 and the like, some have them and some have not.
    if is_one_of(&["armv7", "thumbv7em", "thumbv7a", "thumbv7neon"]) {
        println!("cargo:rustc-cfg=armv7_dsp");
    }
}
