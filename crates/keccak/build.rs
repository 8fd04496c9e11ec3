//! Sets `cfg(armv7)` if the 32-bit ARM target has the instructions of Thumb-2, for which the
//! compiler has no cfg.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    let architecture = target.split('-').next().unwrap_or_default();
    if matches!(
        architecture,
        "armv7"
            | "armv7a"
            | "armv7r"
            | "thumbv7a"
            | "thumbv7em"
            | "thumbv7m"
            | "thumbv7neon"
            | "thumbv7r"
            | "thumbv8m.main"
    ) {
        println!("cargo:rustc-cfg=armv7");
    }
}
