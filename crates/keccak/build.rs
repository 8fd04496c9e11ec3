//! Sets `cfg(armv7)` if the 32-bit ARM target has the instructions of Thumb-2, for which the
//! compiler has no cfg, and `cfg(tiny)` in place of it for the feature `tiny` on bare metal.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name| std::env::var(name).unwrap_or_default();
    let has_feature = std::env::var_os("CARGO_FEATURE_TINY").is_some();
    if has_feature && variable("CARGO_CFG_TARGET_OS") == "none" {
        return println!("cargo:rustc-cfg=tiny");
    }
    let target = variable("TARGET");
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
